//! What rules about secrets ask: what is read, what is sent, and by whom.

use shell::{Atom, How, Language, Redirect, mark};

use super::channels::{asks_for_names, is_fed_by_list, publishes_words};
use super::copies::{carries_secret, host};
use super::shown::{hands_out, is_last, picks_secret, picks_variables, prints_file, prints_kept};
use crate::asked::connects;
use crate::builtin::given::{encloses, is_given};
use crate::builtin::{has, paths};
use crate::command::Command;
use crate::zone::Target;

pub(super) fn is_sender(command: &Command<'_>) -> bool {
    command.is_kind(const { catalog::kind("sender") }) || may_send(command)
}

/// Whether a program that no table knows is given an address.
fn may_send(command: &Command<'_>) -> bool {
    // `https://host`, `host:443`, `me@host`
    let is_address = |text: &str| match text.split_once("://") {
        Some((scheme, _)) => scheme != "file",
        None => text.split_once('@').or_else(|| text.split_once(':')).is_some_and(|(before, after)| {
            let is_port = !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit());
            !before.is_empty()
                && !before.contains(['/', '='])
                && (text.contains('@') || is_port)
                && host(text).is_some()
        }),
    };
    command.known.is_none()
        && !command.name.is_empty()
        && command.args().iter().any(|arg| is_address(&arg.text))
}

fn is_printer(command: &Command<'_>) -> bool {
    command.is_kind(PRINTER)
}

/// Whether a file that a program sends is secret, by the path that its arguments name.
type IsSecret<'a> = dyn Fn(&str) -> bool + 'a;

type Sends = fn(&Command<'_>, &IsSecret<'_>) -> bool;

/// How the senders name the files that they send.
const SENDERS: &[(&str, Sends)] = &[
    ("curl|curlie", curl_sends),
    ("Invoke-RestMethod|Invoke-WebRequest", powershell_sends),
    ("wget|wget2", |command, secret| {
        let set = command.value(&["-e", "--execute"]).and_then(|line| line.trim().strip_prefix("post_file"));
        let set = set.map(|file| file.trim_start_matches(['=', ' ']));
        let named = command.value(&["--post-file", "--body-file"]).or(set);
        named.or_else(|| command.value(&["-i", "--input-file"])).is_some_and(secret)
    }),
    ("http|https|xh|httpie", |command, secret| {
        // HTTPie's own syntax: `field@file`, `field=@file`.
        command.args().iter().filter_map(|arg| arg.text.split_once('@')).any(|(_, file)| secret(file))
    }),
    ("scp|rsync", copies_to_machine),
    ("rclone|gsutil|s3cmd|mc|azcopy|aws|gcloud|az", copies_to_store),
    ("gh", |command, secret| {
        let written = command.value(&["-F", "--body-file", "--notes-file", "--input"]);
        let path = written.map(|value| value.split_once("=@").map_or(value, |(_, file)| file));
        path.is_some_and(secret)
            || command.sub(&["gist|release", "create|upload"]) && names(command, 2, secret)
    }),
    ("sftp|ftp|lftp|tftp", puts),
    ("croc|wormhole|ffsend|gist|transfer", |command, secret| names(command, 0, secret)),
    ("mail|mailx|mutt|swaks", |command, secret| command.value(&["-a", "-A", "--attach"]).is_some_and(secret)),
];

/// Files whose content is sent: what follows `@`, `-T`, or is copied to another machine.
pub(super) fn sends_secret(command: &Command<'_>) -> bool {
    let secret = |text: &str| paths::looks_secret(&command.target(text)) || carries_secret(command, text);
    let sends = SENDERS.iter().find(|(names, _)| names.split('|').any(|name| name == command.name));
    sends.map_or(sends_as_others as Sends, |(_, sends)| *sends)(command, &secret)
}

/// Whether a program sends such a file by the usual options: `--file KEY`, `--data=@KEY`.
fn sends_as_others(command: &Command<'_>, secret: &IsSecret<'_>) -> bool {
    let named = command.value(&[
        "-f",
        "--file",
        "--input",
        "--upload",
        "--upload-file",
        "--body-file",
        "--data-file",
    ]);
    let mut marked = command.args().iter().filter_map(|arg| arg.text.split_once('@'));
    named.is_some_and(secret)
        || marked.any(|(before, file)| (before.is_empty() || before.ends_with('=')) && secret(file))
}

/// Whether one of the operands after the first few is such a file.
fn names(command: &Command<'_>, skipped: usize, secret: &IsSecret<'_>) -> bool {
    command.operands().iter().skip(skipped).any(|arg| secret(&arg.text))
}

fn powershell_sends(command: &Command<'_>, secret: &IsSecret<'_>) -> bool {
    command.parameter("InFile").any(|arg| secret(&arg.text))
        || command.parameter("Form").any(|arg| arg.text.split(['@', '"', '\'', '=', ' ']).any(secret))
}

/// Whether such a file leaves: to fetch a key from a server of one's own is another matter.
fn copies_to_machine(command: &Command<'_>, secret: &IsSecret<'_>) -> bool {
    let operands = command.operands();
    let Some((to, from)) = operands.split_last() else { return false };
    is_remote(&to.text) && from.iter().any(|arg| !is_remote(&arg.text) && secret(&arg.text))
}

/// Whether a script on standard input, or the arguments, say `put FILE`.
fn puts(command: &Command<'_>, secret: &IsSecret<'_>) -> bool {
    let puts = |line: &str| {
        let mut words = line.split_whitespace();
        matches!(words.next(), Some("put" | "mput" | "reput" | "send")) && words.any(secret)
    };
    let mut words = command.args().iter().map(|arg| arg.text.as_str());
    command.atom.stdin.as_deref().is_some_and(|script| script.lines().any(puts))
        || words.any(|word| word == "put") && words.next().is_some_and(secret)
}

/// Whether one of curl's options sends a file that is secret, in any spelling: `-d @key`, `-d@key`, `--data=@key`.
fn curl_sends(command: &Command<'_>, secret: &IsSecret<'_>) -> bool {
    let mut args = command.args().iter().map(|arg| arg.text.as_str()).peekable();
    while let Some(text) = args.next() {
        let bundle = text.strip_prefix('-').filter(|bundle| !bundle.starts_with('-'));
        let (option, value) = match (bundle, text.split_once('=')) {
            // `-sSd@key`, `-fsT key`: the first letter that takes a value ends the bundle.
            (Some(bundle), _) => {
                let takes = |c: char| {
                    crate::builtin::has(command.known.map_or("", |known| known.anywhere), &format!("-{c}"))
                };
                let Some(at) = bundle.find(takes) else { continue };
                let (letter, rest) = bundle[at..].split_at(1);
                (letter, Some(rest).filter(|rest| !rest.is_empty()))
            }
            (None, Some((option, value))) if option.starts_with("--") => (option, Some(value)),
            _ => (text, None),
        };
        let sends =
            CURL_SENDS.contains(&option) || option.starts_with("--data") || option.starts_with("--form");
        if !sends {
            continue;
        }
        let Some(value) = value.or_else(|| args.peek().copied()) else { continue };
        // `-T` takes a plain path; the others read a file only after `@` or, in forms, `<`.
        let uploads = matches!(option, "T" | "--upload-file");
        let file = if uploads { Some(value) } else { value.split_once(['@', '<']).map(|(_, file)| file) };
        // `-F 'x=@key;type=text/plain'`, `-F 'f=@a,b'`, `-T '{a,b}'`: each of several paths.
        let paths = file.map(|file| file.split(';').next().unwrap_or(file));
        let mut paths = paths.into_iter().flat_map(|paths| paths.split(|c| "{},\"".contains(c)));
        if paths.any(|path| !path.is_empty() && secret(path)) {
            return true;
        }
    }
    false
}

/// Options of curl that send something, besides all that begin with `--data` and `--form`.
const CURL_SENDS: &[&str] = &["F", "d", "T", "--upload-file", "--json", "--url-query", "H", "--header"];

/// Whether a client of a store copies a file there that is secret.
fn copies_to_store(command: &Command<'_>, secret: &IsSecret<'_>) -> bool {
    let operands = command.operands();
    let last = operands.last().map_or("", |arg| arg.text.as_str());
    // The verb stands after a different number of words in each of them: `s3 cp`, `storage blob upload`.
    operands.iter().any(|arg| COPIES.contains(&arg.text.as_str()))
        // A target with a scheme or a remote's name, or one that only options name, as az has it.
        && (last.contains(':') || command.has(&["--file"]) || command.name == "az" && command.has(&["-f"]))
        && (operands.iter().any(|arg| !arg.text.contains(':') && secret(&arg.text))
            || command.value(&["--file", "-f"]).is_some_and(secret))
}

/// Verbs by which clients of stores copy files.
const COPIES: &[&str] =
    &["cp", "copy", "mv", "move", "sync", "rsync", "put", "copyto", "moveto", "upload", "mirror"];

pub(super) fn is_remote(text: &str) -> bool {
    text.split_once(':').is_some_and(|(host, _)| !host.is_empty() && !host.contains('/'))
        || text.contains("://")
}

/// Whether its input, or a string inside its arguments, comes from a secret.
pub(super) fn sends_what_it_reads(command: &Command<'_>) -> bool {
    // openssl does everything with keys; only `s_client` talks to another machine.
    if command.is(&["openssl"]) && !command.sub(&["s_client"]) {
        return false;
    }
    let to_its_own = command.is(&["ssh", "gh", "aws", "az", "gcloud"]);
    let may_log_in = to_its_own && !command.is(&["ssh"]);
    // `busybox nc host 80 < KEY`: whoever starts it has the redirection.
    let starters = std::iter::successors(Some(command.atom), |atom| {
        let via = atom.via.filter(|via| via.how == How::Arguments)?;
        command.analysis.atoms.get(via.parent as usize)
    });
    let mut redirects = starters.flat_map(|atom| &atom.redirects);
    let reads_file = redirects.any(|redirect| {
        redirect.flow == shell::Flow::Read
            && (paths::looks_secret(&command.target(&redirect.target))
                || !may_log_in && carries_secret(command, &redirect.target))
    });
    let atoms = || command.analysis.atoms.iter();
    let piped = |atom: &Atom| {
        let tells = tells_secret(command, atom)
            || tells_copy(command, atom)
            // A token that goes into the program that it is for is how these tools are used.
            || !to_its_own && (hands_out_secret(command, atom) || repeats_secret(command, atom));
        tells && !is_counted(command, atom)
    };
    let is_hole = |text: &str| {
        text.contains([mark::UNKNOWN, mark::PRINTED, mark::DECODED])
            || text.contains("/dev/fd/")
            // What its cmdlets make of something is a value of which no more is known.
            || command.atom.shell != Language::Posix && mark::any(text)
    };
    // A string that it is fed: `nc host 80 <<< "$x"`.
    let is_fed = || {
        let given = |atom: &Atom| is_given(command, command.atom, atom) && is_secret(command, atom);
        !to_its_own && command.atom.stdin.as_deref().is_some_and(is_hole) && atoms().any(given)
    };
    if reads_file || takes_input(command) && (command.feeders().any(piped) || is_fed()) {
        return true;
    }
    // `$(cat key)` or `<(cat key)` in an argument: a command inside this one's text, whose output is a hole here.
    let holes = command.args().iter().any(|arg| is_hole(&arg.text));
    if !holes {
        return false;
    }
    if asks_for_names(command) || is_fed_by_list(command) {
        return true;
    }
    if to_its_own {
        return publishes_words(command)
            && atoms().any(|atom| encloses(command.atom, atom) && tells_secret(command, atom));
    }
    // A value that a store hands out, or that is picked from a file, is what a request logs in with.
    let in_body = || payload_of(command).iter().any(|text| is_hole(text));
    atoms().filter(|atom| is_given(command, command.atom, atom)).any(|atom| {
        (in_body() || is_never_a_login(command, atom)) && is_secret(command, atom)
            // Of another service's host, it is a stranger's login.
            || hands_out_secret(command, atom) && shell::leaks(&command.atom.args, &[&atom.program()])
            || encloses(command.atom, atom) && !catalog::is(&atom.program(), PICKER) && tells_secret(command, atom)
    })
}

/// Whether a command prints a file that the same line has copied a secret to: `cp KEY x; cat x | curl …`.
fn tells_copy(command: &Command<'_>, atom: &Atom) -> bool {
    let it = Command::new(command.analysis, atom, command.facts);
    it.is_kind(PRINTER) && it.operands().iter().any(|file| carries_secret(&it, &file.text))
}

/// Whether what a command repeats, or makes something of, was printed by something that keeps secrets.
pub(super) fn repeats_secret(command: &Command<'_>, atom: &Atom) -> bool {
    let it = Command::new(command.analysis, atom, command.facts);
    !is_sender(&it)
        && !has(DIGESTS, &it.name)
        && command
            .analysis
            .atoms
            .iter()
            .any(|printer| is_given(command, atom, printer) && is_secret(command, printer))
}

/// Whether a command prints a secret that is one in whatever line: of `.env`, `$(grep HOST .env)` mostly picks another.
fn is_secret(command: &Command<'_>, atom: &Atom) -> bool {
    is_secret_within(command, atom, MAX_READS)
}

/// Reads one after the other that are followed: `while read a; do echo $a; done | while read b`.
const MAX_READS: usize = 3;

fn is_secret_within(command: &Command<'_>, atom: &Atom, depth: usize) -> bool {
    let it = Command::new(command.analysis, atom, command.facts);
    if let (true, Some(depth)) = (has("read mapfile readarray", &it.name), depth.checked_sub(1)) {
        // What a variable takes comes through the pipe, or from the file of a loop: `done < FILE`, `done < <(env)`.
        let is_substitution = |redirect: &Redirect| redirect.target.starts_with("/dev/fd/");
        let is_printed = |reader: &Atom| {
            let mut printers = command.analysis.atoms.iter().filter(|printer| encloses(reader, printer));
            reader.redirects.iter().any(is_substitution)
                && printers.any(|printer| is_secret_within(command, printer, depth))
        };
        let mut readers = std::iter::once(atom).chain(command.analysis.around(atom));
        return it.feeders().any(|feeder| is_secret_within(command, feeder, depth))
            || readers.any(|reader| tells_secret(command, reader) || is_printed(reader));
    }
    if it.is_kind(PICKER) {
        return picks_secret(&it);
    }
    (tells_secret(command, atom) || hands_out_secret(command, atom) || tells_copy(command, atom))
        && !is_counted(command, atom)
}

/// Whether what an atom prints is no one's login, so that a header or a cookie with it is not how one logs in.
fn is_never_a_login(command: &Command<'_>, atom: &Atom) -> bool {
    let is_key = |text: &str| {
        let path = Target::of(text, &atom.cwd, atom.place, command.facts).path;
        ["/.ssh/", "/.gnupg/", "/.aws/credentials", "/.kube/config", "/etc/shadow", "/environ"]
            .iter()
            .any(|part| path.contains(part))
    };
    atom.lists_variables()
        || !catalog::is(&atom.program(), PICKER)
            && atom.args.iter().skip(1).any(|arg| is_key(in_file(&arg.text)))
}

/// Whether only a number or a digest is left of what an atom prints.
pub(super) fn is_counted(command: &Command<'_>, atom: &Atom) -> bool {
    command.analysis.readers(atom).any(|reader| has(DIGESTS, &reader.program()))
}

/// Programs that leave nothing of what they read but a number or a digest.
pub(super) const DIGESTS: &str = "wc cksum md5sum sha1sum sha256sum sha512sum shasum b2sum";

/// Options with which a request logs in, by the letter or by name.
const LOGINS: &str = "\
    -H -u -b -U --header --user --oauth2-bearer --cookie --password --proxy-user -Headers -Credential -Token -WebSession \
    -ProxyCredential";

/// Arguments without those with which a request logs in: headers, users, cookies, and what stands in front of the host of
/// its address.
pub(super) fn payload_of<'a>(command: &Command<'a>) -> Vec<&'a str> {
    // HTTPie has headers as operands.
    let has_headers = command.is(&["http", "https", "xh", "httpie"]);
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let mut payload = Vec::new();
    let mut args = command.args().iter().map(|arg| arg.text.as_str());
    while let Some(text) = args.next() {
        if has(LOGINS, text) {
            args.next();
            continue;
        }
        let is_glued = |option: &str| {
            text.strip_prefix(option).is_some_and(|rest| !option.starts_with("--") || rest.starts_with('='))
        };
        let is_header = has_headers
            && text.split_once(':').is_some_and(|(name, rest)| !rest.starts_with("//") && is_name(name));
        if LOGINS.split(' ').any(is_glued) || is_header {
            continue;
        }
        let address = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        payload.push(address.map_or(text, |rest| {
            let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            rest[..host].rfind('@').map_or(rest, |at| &rest[at..])
        }));
    }
    payload
}

/// Programs that print what they read, line by line or in another form.
pub(super) const PRINTER: catalog::Tags = catalog::kind("printer");

/// Programs that print chosen lines of a file.
pub(super) const PICKER: catalog::Tags = catalog::kind("picker");

/// Whether a file goes straight into a connection: `cat key > /dev/tcp/host/80`.
pub(super) fn sends_by_redirect(command: &Command<'_>) -> bool {
    let talks = |redirect: &Redirect| redirect.flow != shell::Flow::Read && connects(redirect);
    command.atom.redirects.iter().any(talks)
        && (tells_secret(command, command.atom)
            || repeats_secret(command, command.atom)
            || command.feeders().any(|atom| tells_secret(command, atom)))
}

/// Whether it hands on its standard input.
pub(super) fn takes_input(command: &Command<'_>) -> bool {
    match &*command.name {
        "curl" | "curlie" => {
            // `-d @-`, `-F 'f=<-'`, `-T -`, and `-T .`, which does not wait for the end of its input.
            let is_input =
                |text: &str| text.contains("@-") || text.ends_with("=<-") || matches!(text, "-" | ".");
            command.args().iter().any(|arg| is_input(&arg.text)) || command.has(&["-T"])
        }
        "wget" | "wget2" => {
            command.args().iter().any(|arg| arg.text.contains("/dev/stdin") || arg.text.ends_with("=-"))
        }
        "aws" | "gsutil" | "az" | "gcloud" | "gh" | "rclone" => {
            command.has_word("-") || command.sub(&["rcat"]) || command.sub(&["gist", "create"])
        }
        // They read nothing from a pipe, so what comes before them is not sent.
        "rsync" | "scp" | "dig" | "nslookup" => false,
        _ => true,
    }
}

/// Whether an earlier stage prints the environment or a secret.
pub(super) fn tells_secret(command: &Command<'_>, atom: &Atom) -> bool {
    // What was typed before may hold passwords and tokens as arguments.
    atom.program() == "history" || atom.lists_variables() || reads_secret_file(command, atom)
}

/// Whether a secret store prints one of its secrets.
pub(super) fn hands_out_secret(command: &Command<'_>, atom: &Atom) -> bool {
    says_so(atom) || hands_out(&Command::new(command.analysis, atom, command.facts))
}

/// Whether the words of a store's client say that it prints a secret.
fn says_so(atom: &Atom) -> bool {
    let has = |words: &[&str]| atom.args.iter().skip(1).any(|arg| words.contains(&arg.text.as_str()));
    match &*atom.program() {
        "gpg" | "gpg2" => atom.args.iter().any(|arg| arg.text.starts_with("--export-secret")),
        "pass" | "gopass" => has(&["show"]),
        "op" => has(&["read", "get"]),
        "bw" => has(&["get", "export"]),
        "vault" | "bao" => has(&["get", "read"]),
        "kubectl" | "oc" => has(&["get"]) && has(&["secret", "secrets"]),
        "aws" => has(&["get-secret-value", "--with-decryption"]),
        "gcloud" => {
            has(&["print-access-token", "print-identity-token"]) || has(&["secrets"]) && has(&["access"])
        }
        "gh" => has(&["token"]) && has(&["auth"]),
        "git" => has(&["credential"]) && has(&["fill"]),
        "security" => {
            let finds = |text: &str| text.starts_with("find-") && text.ends_with("-password");
            atom.args.iter().any(|arg| finds(&arg.text) || arg.text == "dump-keychain")
        }
        // With a name too: whoever puts one variable into a request means its value.
        "printenv" => true,
        _ => false,
    }
}

/// The file of an operand: `dd if=FILE`.
pub(super) fn in_file(text: &str) -> &str {
    text.strip_prefix("if=").unwrap_or(text)
}

pub(super) fn reads_secret_file(command: &Command<'_>, atom: &Atom) -> bool {
    let place = |text: &str| paths::looks_secret(&Target::of(text, &atom.cwd, atom.place, command.facts));
    // These name the file, or use it as a key, without printing its content.
    let lists = matches!(
        &*atom.program(),
        "ls" | "stat"
            | "file"
            | "wc"
            | "test"
            | "["
            | "basename"
            | "dirname"
            | "realpath"
            | "echo"
            | "printf"
            | "find"
            | "ssh-keygen"
            | "sha256sum"
            | "md5sum"
            | "cd"
            | "ssh"
            | "sudo"
            | "source"
            | "."
    ) || atom.program() == "openssl" && !encodes(atom);
    !lists
        && (atom.args.iter().skip(1).any(|arg| !arg.text.starts_with('-') && place(in_file(&arg.text)))
            || atom
                .redirects
                .iter()
                .any(|redirect| redirect.flow == shell::Flow::Read && place(&redirect.target)))
}

/// Whether openssl writes a file in another form: `openssl base64 -in FILE`, `openssl enc -a -in FILE`. Enciphered, it may go
/// where it likes, and a request or a public key holds none of it.
pub(super) fn encodes(atom: &Atom) -> bool {
    let says = |words: &str| atom.args.iter().skip(1).any(|arg| has(words, &arg.text));
    let first = atom.args.get(1).map_or("", |arg| arg.text.as_str());
    let is_cipher = |text: &str| {
        ["-aes", "-des", "-camellia", "-chacha", "-aria", "-sm4"]
            .iter()
            .any(|cipher| text.starts_with(cipher))
    };
    atom.program() == "openssl"
        && (first == "base64" || first == "enc" && says("-a -base64"))
        && !atom.args.iter().any(|arg| is_cipher(&arg.text))
}

pub(super) fn deletes_key(command: &Command<'_>) -> bool {
    match &*command.name {
        "gpg" | "gpg2" => command.args().iter().any(|arg| arg.text.starts_with("--delete-secret")),
        "pass" | "gopass" => command.sub(&["rm|remove|delete"]),
        "security" => command.sub(&["delete-keychain|delete-identity|delete-key|delete-generic-password|delete-internet-password|delete-certificate"]),
        _ => false,
    }
}

pub(super) fn prints_secret(command: &Command<'_>) -> bool {
    match &*command.name {
        "gpg" | "gpg2" => {
            command.args().iter().any(|arg| arg.text.starts_with("--export-secret")) && is_last(command)
                || prints_kept(command)
        }
        "security" => {
            command.sub(&["dump-keychain|export"])
                || command.sub(&["find-generic-password|find-internet-password"])
                    && command.has(&["-w", "-g"])
        }
        "secret-tool" => command.sub(&["lookup|search"]),
        "getent" => command.sub(&["shadow|gshadow"]),
        _ if is_printer(command) || command.is_kind(PICKER) => {
            prints_file(command) || picks_variables(command)
        }
        _ => prints_kept(command),
    }
}

/// Whether it asks a cloud's metadata service for something that gives access.
pub(super) fn asks_metadata(command: &Command<'_>) -> bool {
    const HOSTS: &[&str] = &[
        "169.254.169.254",
        "metadata.google.internal",
        "169.254.170.2",
        "100.100.100.200",
        "[fd00:ec2::254]",
    ];
    const GIVES: &[&str] = &["credentials", "/token", "/identity", "user-data", "userdata", "access_token"];
    let has = |text: &str, parts: &[&str]| parts.iter().any(|part| text.contains(part));
    command.args().iter().any(|arg| has(&arg.text, HOSTS) && has(&arg.text, GIVES))
}

/// Whether `git add` names a file with secrets.
pub(super) fn commits_secret(command: &Command<'_>) -> bool {
    command.name == "git"
        && command.sub(&["add"])
        && command.operands().iter().skip(1).any(|arg| paths::is_secret(&command.target(&arg.text)))
}

/// Whether `git add` names a file into which the same text has put a secret.
pub(super) fn commits_copy(command: &Command<'_>) -> bool {
    let mut operands = command.operands().iter().skip(1);
    command.name == "git" && command.sub(&["add"]) && operands.any(|arg| carries_secret(command, &arg.text))
}
