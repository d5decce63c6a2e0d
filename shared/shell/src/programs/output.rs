//! What a program prints, as far as it can be known without running it.

use std::rc::Rc;

use shell_engine::text::{encoding, escapes, printf};
use shell_engine::{Arg, Call, Process, Runner, Scope, mark};

use super::{copies, each, filter, texts};

/// The output of a program; a mark where it is not known.
pub(super) fn of(process: &mut Process<'_>) -> String {
    let (name, call) = (process.name, process.call);
    let (runner, scope) = (&mut *process.runner, &*process.scope);
    downloads(runner, scope, name, call);
    copies::follow(runner, scope, name, call);
    match name {
        "git" => {
            super::git::keep(process);
            super::patch::follow(process);
        }
        "patch" | "gpatch" => super::patch::follow(process),
        "sed" | "gsed" => edited(process),
        _ => {}
    }
    // No one reads it, and to work out what it prints can be costly. Files that it writes are noted above.
    if !call.io.capture {
        return String::new();
    }
    if let Some(promised) = promised(process, None) {
        return promised;
    }
    if name == "mktemp" {
        // What lies there was made by this command.
        return format!("/tmp/{}\n", process.runner.fresh_name());
    }
    known(process).unwrap_or_else(|| foreign(name, &call.args[1..], call.io.stdin.as_deref()))
}

/// The output of a program whose work is done here, as far as all that it works on is known.
fn known(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let (runner, scope) = (&*process.runner, &*process.scope);
    let args = &call.args[1..];
    let stdin = call.io.stdin.as_deref();
    match name {
        "echo" => Some(echo(args)),
        "printf" => Some(printf::printf(args)),
        "cat" | "tee" | "pv" | "sponge" | "dos2unix" | "column" | "stdbuf" | "less" | "more" | "bat"
        | "batcat" => Some(pass(process)),
        "tac" | "head" | "tail" | "sort" | "uniq" | "nl" | "iconv" | "fold" | "fmt" | "strings"
        | "expand" => {
            let (own, text) = filter_input(process, false);
            Some(texts::lines(name, &own, &text).unwrap_or(text))
        }
        "comm" | "diff" => {
            let files = operands(name, args, false).1;
            let [left, right] = files[..] else { return None };
            let text = |file: &str| match file {
                "-" => stdin.map(Rc::from),
                "/dev/null" => Some(Rc::from("")),
                file => runner.file_at(scope, file),
            };
            text(left).zip(text(right)).and_then(|(left, right)| texts::compared(name, args, [&left, &right]))
        }
        "date" | "stat" | "seq" | "numfmt" | "ps" if let Some(told) = texts::told(name, args) => Some(told),
        "dc" => {
            let scripts = super::options(args, "-e", "--expression").map(str::to_owned);
            let script = scripts.chain(stdin.map(str::to_owned)).collect::<Vec<_>>().join("\n");
            texts::calculated(&script)
        }
        "curl" | "wget" if let Some(file) = own_file(args) => Some(runner.read_file(scope, file).to_string()),
        // The usual ways to hide a command are decoded here: `tr`, `rev`, `base64 -d`, `xxd -r`.
        "rev" | "tr" | "paste" | "yq" | "cut" | "sed" | "gsed" => {
            let (own, text) = filter_input(process, matches!(name, "yq" | "sed" | "gsed"));
            let words: Vec<Arg> = call.args[..1].iter().cloned().chain(own).collect();
            filtered(&words, &text).filter(|_| !text.is_empty())
        }
        "jq" => {
            let (own, text) = filter_input(process, true);
            filter::json(&own, &text)
        }
        "unzip" | "tar" | "gtar" | "bsdtar" if unpacks_to_stdout(name, args) => {
            let (runner, scope) = (&mut *process.runner, &*process.scope);
            Some(super::archive::held(runner, scope, args).unwrap_or_else(|| format!("{}\n", mark::UNKNOWN)))
        }
        "history" | "fc" if let Some(lines) = runner.file_at(scope, copies::HISTORY) => {
            let plain = args.iter().any(|arg| matches!(arg.text.as_str(), "-w" | "-ln" | "-nl" | "-a"));
            let numbered =
                || lines.lines().enumerate().map(|(at, line)| format!("{:>5}  {line}\n", at + 1)).collect();
            Some(if plain { lines.to_string() } else { numbered() })
        }
        // What was typed before, by whoever; the clipboard may hold anything.
        "history" | "fc" | "xclip" | "xsel" | "pbpaste" | "wl-paste" => Some(format!("{}\n", mark::UNKNOWN)),
        "m4" | "gm4" => super::code::m4_printed(args, &input_of(process)),
        "git" if let Some(text) = super::git::printed(process) => Some(text),
        "getopt" => texts::parted(args),
        "whereis" => args.last().map(|arg| format!("{0}: /usr/bin/{0}\n", arg.text)),
        "printenv" if let [name] = args => {
            let own = call.assigns.iter().rev().find(|(own, _)| *own == name.text);
            own.map(|(_, value)| format!("{value}\n")).or_else(|| value_of(scope, &name.text))
        }
        _ if texts::packs(name, args) => {
            let input = input_of(process);
            // zcat reads what gunzip does.
            let unpacker = if matches!(name, "zcat" | "gzcat") { "gunzip" } else { name };
            texts::packed(name, args, &input).or_else(|| encoding::run(unpacker, args, &input))
        }
        "base64" | "base32" | "openssl" | "xxd" | "basenc" => {
            let input = input_of(process);
            encoding::run(name, args, &input)
        }
        _ => of_this_machine(process),
    }
}

/// What a program prints of this machine: its values, places and files.
fn of_this_machine(process: &Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let (runner, scope) = (&*process.runner, &*process.scope);
    let (args, stdin) = (&call.args[1..], call.io.stdin.as_deref());
    match name {
        // Values of this machine: not known, but not foreign either.
        "env" | "printenv" if args.is_empty() => Some(format!("{}\n", mark::PRINTED)),
        "pwd" if args.iter().any(|arg| arg.text == "-P") => {
            Some(format!("{}\n", runner.through_links(scope, ".")))
        }
        "pwd" => Some(format!("{}\n", scope.cwd)),
        "git" => git(runner, scope, args),
        "dd" => copies::dd_output(runner, scope, call),
        "command" | "which" | "type" | "whence" | "where" => args.last().map(|arg| located(scope, &arg.text)),
        "realpath" | "readlink" | "cygpath" | "wslpath" => args
            .iter()
            .rfind(|arg| !arg.text.starts_with('-'))
            .map(|arg| format!("{}\n", runner.through_links(scope, &arg.text))),
        // `dirname -- PATH`, as scripts find their own folder.
        "dirname" => args
            .iter()
            .find(|arg| !matches!(arg.text.as_str(), "--" | "-z"))
            .map(|arg| format!("{}\n", folder(&arg.text))),
        "basename" => texts::base_names(args),
        // What these print is short and harmless as an argument: a number, a name, a digest.
        "seq" | "date" | "id" | "whoami" | "uname" | "hostname" | "nproc" | "arch" | "uuidgen" | "tty"
        | "logname" | "wc" | "cksum" | "md5sum" | "sha1sum" | "sha256sum" | "shasum" | "stat" | "tput"
        | "getconf" | "pgrep" | "pidof" | "lsof" | "ps" | "nvidia-smi" | "free" | "uptime" => {
            Some(format!("{}\n", mark::TOKEN))
        }
        // Whoever is asked about by a number or a name that only run time tells, is the caller.
        "getent" if args.first().is_some_and(|arg| arg.text == "passwd") => {
            let home = match args.get(1).map(|arg| arg.text.as_str()) {
                Some("root") => "/root".to_owned(),
                Some(name) if scope.home.ends_with(&format!("/{name}")) => scope.home.to_string(),
                Some(name) if !mark::any(name) => mark::TOKEN.to_string(),
                _ => scope.home.to_string(),
            };
            let token = mark::TOKEN;
            Some(format!("{token}:x:{token}:{token}::{home}:/bin/sh\n"))
        }
        "yes" => Some(format!("{}\n", args.first().map_or("y", |arg| arg.text.as_str()))),
        "ls" | "fd" | "fdfind" | "rg" | "grep" | "egrep" | "fgrep" | "ag" | "tree" => {
            list((runner, scope), name, args, stdin)
        }
        // A size, and what it is of.
        "du" => list((runner, scope), "tree", args, None).map(|listed| format!("{}\t{listed}", mark::TOKEN)),
        "find" => Some(each::found(scope, args)),
        _ => None,
    }
}

/// What a filter prints for files of the disk: computed where someone runs it, and never read otherwise. `otherwise` is
/// the mark for what is not known.
pub(super) fn promised(process: &Process<'_>, otherwise: Option<char>) -> Option<String> {
    let Process { runner, scope, name, call, .. } = process;
    let script = match *name {
        "sed" | "gsed" | "awk" | "gawk" | "mawk" | "nawk" | "grep" | "egrep" | "fgrep" | "rg" | "jq"
        | "yq" => true,
        "tr" | "rev" | "cut" | "paste" | "envsubst" | "base64" | "base32" | "basenc" | "xxd" | "openssl"
        | "gunzip" | "gzip" => false,
        _ => return None,
    };
    // A promise costs every later command a look, and a viewer will never ask for it.
    if !runner.has_disk() || call.io.viewed {
        return None;
    }
    let (own, files) = operands(name, &call.args[1..], script);
    let mut input = String::new();
    for file in &files {
        input.push_str(&runner.read_file(scope, file));
    }
    if files.is_empty() {
        input.push_str(call.io.stdin.as_deref()?);
    }
    // Names of files, not lines.
    let lists = |arg: &Arg| arg.text.starts_with('-') && arg.text.contains(['l', 'L', 'q', 'c']);
    if name.ends_with("grep") && own.iter().any(lists) {
        return None;
    }
    let otherwise =
        otherwise.or_else(|| foreign(name, &own, Some(&runner.unpromised(&input))).chars().next())?;
    let words = call.args[..1].iter().chain(&own).cloned().collect();
    Some(format!("{}\n", runner.promise_output(words, &input, otherwise)?))
}

/// Whether a program only shows what it reads: nothing of it is run, or kept in a file.
pub(crate) fn views(words: &[&str]) -> bool {
    let Some((name, args)) = words.split_first() else { return false };
    catalog::is(name, const { catalog::kind("viewer") })
        // `sort -o FILE`, in whatever quotes.
        && !(*name == "sort" && args.iter().any(|arg| arg.contains('o')))
}

/// What `sed -i` leaves in its files, and `w FILE` in others.
fn edited(process: &mut Process<'_>) {
    let call = process.call;
    if process.args().iter().any(|arg| arg.text.contains('w')) {
        let made = own_input(process).and_then(|(own, text)| super::sed::run(&own, &text));
        for (file, text) in made.into_iter().flat_map(|made| made.files) {
            process.runner.put_file(process.scope, &file, &text);
        }
    }
    if let Some(text) = &call.io.stdin {
        // All of its input at the most, which hides nothing.
        let scripts = call.args.iter().skip(1).filter(|arg| !arg.text.starts_with('-'));
        let files = scripts.filter_map(|arg| arg.text.trim_start_matches(['p', ';']).strip_prefix("w "));
        for file in files {
            process.runner.put_file(process.scope, file.trim(), text);
        }
    }
    let in_place = |arg: &Arg| arg.text.starts_with("-i") || arg.text.starts_with("--in-place");
    if !process.runner.has_disk() || !process.args().iter().any(in_place) {
        return;
    }
    let call = process.call;
    let (own, files) = operands(process.name, &call.args[1..], true);
    let words: Vec<Arg> =
        call.args[..1].iter().chain(own.iter().filter(|arg| !in_place(arg))).cloned().collect();
    for file in files {
        let input = process.runner.read_file(process.scope, file);
        let promised = process.runner.promise_output(words.clone(), &input, mark::PRINTED);
        let text = promised.map(String::from).or_else(|| filtered(&words, &input));
        if let Some(text) = text {
            process.runner.put_file(process.scope, file, &text);
        }
    }
}

/// A filter's own arguments, and the files that follow them; `script`: after what it is to do.
fn operands<'a>(name: &str, args: &'a [Arg], mut script: bool) -> (Vec<Arg>, Vec<&'a str>) {
    let valued: &[&str] = match name {
        "cut" => &["-d", "-f", "-c", "-b"],
        "paste" => &["-d"],
        "grep" | "egrep" | "fgrep" | "rg" => &["-e", "-f", "-m", "-A", "-B", "-C"],
        "sed" | "gsed" => &["-e", "-f", "-l", "--expression", "--file"],
        "awk" | "gawk" | "mawk" | "nawk" => &["-F", "-v", "-f"],
        "base64" | "base32" | "basenc" | "fold" | "fmt" => &["-w"],
        "head" | "tail" | "strings" => &["-n", "-c"],
        "sort" => &["-k", "-t", "-o", "-S", "-T"],
        "iconv" => &["-f", "-t", "-o"],
        "nl" => &["-b", "-s", "-v", "-w"],
        _ => &[],
    };
    let (mut own, mut files) = (Vec::new(), Vec::new());
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        let text = arg.text.as_str();
        if valued.contains(&text) {
            script &= !matches!(text, "-e" | "-f" | "--expression" | "--file");
            own.push(arg.clone());
            own.extend(words.next().cloned());
        } else if name == "jq" && matches!(text, "--arg" | "--argjson" | "--slurpfile" | "--rawfile") {
            // A name and a value.
            own.push(arg.clone());
            own.extend(words.by_ref().take(2).cloned());
        } else if name == "tail" && text.starts_with('+') && text.len() > 1
            || name == "yq" && matches!(text, "e" | "eval")
        {
            own.push(arg.clone());
        } else if text == "-in" && name == "openssl" {
            files.extend(words.next().map(|arg| arg.text.as_str()));
        } else if text.starts_with('-') && text.len() > 1
            || std::mem::take(&mut script)
            // Their operands are what they do.
            || matches!(name, "tr" | "openssl" | "envsubst")
        {
            own.push(arg.clone());
        } else {
            files.push(text);
        }
    }
    (own, files)
}

/// What a filter prints for a text that is known, without its files among its arguments.
pub(crate) fn filtered(args: &[Arg], text: &str) -> Option<String> {
    let (program, args) = args.split_first()?;
    let name = shell_engine::program_name(&program.text);
    match &*name {
        "sed" | "gsed" => filter::substitute(args, text),
        "awk" | "gawk" | "mawk" | "nawk" => filter::print_fields(args, Some(text)),
        "tr" => filter::translate(args, text),
        "rev" => Some(filter::reverse_lines(text)),
        "jq" => filter::json(args, text),
        "yq" => filter::yaml(args, text),
        "cut" => filter::cut(args, text),
        "paste" => filter::paste(args, text),
        "envsubst" => Some(text.to_owned()),
        _ => encoding::run(&name, args, text),
    }
}

/// The mark for output that cannot be known, by where it comes from.
fn foreign(name: &str, args: &[Arg], stdin: Option<&str>) -> String {
    let reads = |c: char| stdin.is_some_and(|text| text.contains(c));
    let mark = if is_downloader(name, args) || reads(mark::REMOTE) {
        mark::REMOTE
    } else if reads(mark::DECODED)
        || is_decoder(name, args)
        || stdin.is_some_and(|text| !mark::any(text) && !text.is_empty())
    {
        mark::DECODED
    } else if (catalog::is(name, const { catalog::kind("keeper") }) || makes_text(name, args))
        && !sets_up(args)
    {
        mark::UNKNOWN
    } else {
        mark::PRINTED
    };
    format!("{mark}\n")
}

/// Whether a program prints its own arguments, or a piece of what it reads: never what its makers wrote for a shell.
fn makes_text(name: &str, args: &[Arg]) -> bool {
    match name {
        "git" => args.iter().any(|arg| {
            matches!(
                arg.text.as_str(),
                "log"
                    | "show"
                    | "cat-file"
                    | "config"
                    | "notes"
                    | "for-each-ref"
                    | "blame"
                    | "grep"
                    | "tag"
                    | "var"
                    | "archive"
                    | "stripspace"
                    | "interpret-trailers"
                    | "format-patch"
                    | "diff"
            )
        }),
        _ => matches!(
            name,
            "jq" | "yq"
                | "gojq"
                | "jaq"
                | "xq"
                | "dasel"
                | "mlr"
                | "xmllint"
                | "xmlstarlet"
                | "pup"
                | "dc"
                | "bc"
                | "m4"
                | "gm4"
                | "cpp"
                | "numfmt"
                | "seq"
                | "jot"
                | "printf"
                | "sed"
                | "gsed"
                | "awk"
                | "gawk"
                | "mawk"
                | "nawk"
                | "grep"
                | "egrep"
                | "fgrep"
                | "rg"
                | "ag"
                | "sqlite3"
                | "duckdb"
                | "comm"
                | "diff"
                | "join"
                | "paste"
                | "cut"
                | "colrm"
                | "pr"
                | "fold"
                | "fmt"
                | "nl"
                | "od"
                | "hexdump"
                | "strings"
                | "iconv"
                | "recode"
                | "uconv"
                | "expand"
                | "unexpand"
                | "tsort"
                | "shuf"
                | "envsubst"
                | "ar"
                | "cpio"
                | "pax"
                | "unzip"
                | "zipinfo"
                | "tar"
                | "bsdtar"
                | "bsdcat"
                | "7z"
                | "7za"
                | "unrar"
                | "uuencode"
                | "basenc"
                | "figlet"
                | "banner"
                | "cowsay"
                | "look"
                | "ed"
                | "ex"
                | "vim"
                | "vi"
                | "nvim"
                | "emacs"
                | "expect"
                | "tclsh"
                | "guile"
                | "perl"
                | "ruby"
                | "node"
                | "lua"
                | "php"
                | "python"
                | "python3"
                | "getfattr"
                | "exiftool"
                | "identify"
                | "pdftotext"
                | "lynx"
                | "pandoc"
                | "column"
                | "csplit"
                | "readelf"
                | "objcopy"
                | "objdump"
                | "redis-cli"
                | "declare"
                | "typeset"
                | "alias"
                | "export"
                | "compgen"
                | "gettext"
                | "ngettext"
                | "ls"
                | "find"
                | "dd"
                | "cat"
        ),
    }
}

/// The file of this machine that an address names, if no other address is there: `curl file:///tmp/x`.
fn own_file(args: &[Arg]) -> Option<&str> {
    let mut addresses = args.iter().filter(|arg| arg.text.contains("://"));
    let file = addresses.next()?.text.strip_prefix("file://")?;
    addresses.next().is_none().then_some(file)
}

/// Whether a program prints what it fetches from elsewhere.
pub(crate) fn is_downloader(name: &str, args: &[Arg]) -> bool {
    // `curl --version`
    if let [only] = args
        && matches!(only.text.as_str(), "--version" | "--help" | "-V" | "-h")
    {
        return false;
    }
    match name {
        "curl" | "wget" | "fetch" | "http" | "https" | "xh" | "xhs" | "httpie" | "aria2c" | "axel"
        | "lynx" | "w3m" | "links" | "elinks" | "lwp-request" | "GET" | "nc" | "ncat" | "netcat"
        | "socat" | "telnet" | "ftp" | "ssh" | "sftp" | "tftp" | "dig" | "nslookup" | "host" | "wget2"
        | "curlie" | "hurl" => true,
        "gh" => args.iter().any(|arg| matches!(arg.text.as_str(), "api" | "gist")),
        "aws" | "gsutil" | "gcloud" | "az" | "rclone" => {
            args.iter().any(|arg| arg.text == "-" || arg.text == "cat")
        }
        _ => false,
    }
}

/// Whether a program prints what its own makers wrote for a shell: `source <(kubectl completion bash)`.
fn sets_up(args: &[Arg]) -> bool {
    args.iter().any(|arg| {
        matches!(arg.text.as_str(), "completion" | "completions" | "env" | "shellenv" | "hook" | "init")
    })
}

fn is_decoder(name: &str, args: &[Arg]) -> bool {
    if matches!(name, "base64" | "base32") {
        let decodes = |arg: &Arg| matches!(arg.text.as_str(), "-d" | "-D" | "--decode" | "-di" | "--d");
        return args.iter().any(decodes);
    }
    matches!(
        name,
        "basenc"
            | "openssl"
            | "xxd"
            | "gpg"
            | "uudecode"
            | "gunzip"
            | "gzip"
            | "zcat"
            | "xz"
            | "unxz"
            | "xzcat"
            | "bzip2"
            | "bunzip2"
            | "bzcat"
            | "zstd"
            | "zstdcat"
            | "lz4"
            | "rev"
            | "tr"
            | "ascii85"
            | "age"
            | "ccrypt"
            | "perl"
            | "awk"
            | "python"
            | "python3"
    )
}

/// Remembers the files into which a download goes.
fn downloads(runner: &mut Runner, scope: &Scope, name: &str, call: &Call) {
    let mut save = |path: &str| runner.write_file(scope.absolute(path), &mark::REMOTE.to_string(), false);
    let args = &call.args[1..];
    match name {
        // Their options say where the answer goes.
        "curl" | "xh" | "http" | "https" | "wget" | "aria2c" | "fetch" | "wget2" => {}
        "scp" | "rsync" | "sftp" => {
            let mut operands = args.iter().filter(|arg| !arg.text.starts_with('-'));
            if let (Some(from), Some(to)) = (operands.next(), operands.next_back())
                // Only from another machine; the other way, nothing comes in.
                && let Some((_, path)) = from.text.split_once(':')
            {
                let folder = to.text.strip_suffix('/').or_else(|| (to.text == ".").then_some("."));
                let name = shell_engine::path::file_name(path);
                save(&folder.map_or_else(|| to.text.clone(), |folder| format!("{folder}/{name}")));
            }
            return;
        }
        _ => return,
    }
    let mut named = false;
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        let text = arg.text.as_str();
        let value = match text {
            "-o" | "--output" | "--output-document" => words.next().map(|arg| arg.text.clone()),
            // For curl, `-O` has no value: the address names the file.
            "-O" if name != "curl" => words.next().map(|arg| arg.text.clone()),
            _ if text.starts_with("--output=") || text.starts_with("--output-document=") => {
                text.split_once('=').map(|(_, value)| value.to_owned())
            }
            // `-qO-`, `-sSfLo file`: the letter may stand at the end of a bundle, or in front of its value.
            _ if text.starts_with('-') && !text.starts_with("--") => {
                // wget's `-o` is its log, `-O` the document.
                let letter = if name == "curl" { 'o' } else { 'O' };
                match text.find(letter) {
                    Some(at) if at + 1 < text.len() => Some(text[at + 1..].to_owned()),
                    Some(_) => words.next().map(|arg| arg.text.clone()),
                    None => None,
                }
            }
            _ => None,
        };
        if let Some(path) = value
            // That is standard output.
            && path != "-"
        {
            save(&path);
            named = true;
        }
    }
    if !named {
        let folder = super::bundled(name, args, 'P', "--directory-prefix")
            .first()
            .copied()
            .filter(|_| name.starts_with("wget"))
            .or_else(|| super::option(args, "-d", "--dir").filter(|_| name == "aria2c"))
            .or_else(|| super::option(args, "", "--output-dir"));
        for url in args.iter().filter(|arg| is_address(&arg.text)) {
            // Without a name given, the file gets the last part of the address as its name.
            let file = shell_engine::path::file_name(url.text.split(['?', '#']).next().unwrap_or(""));
            if !file.is_empty() {
                save(&folder.map_or_else(|| file.to_owned(), |folder| format!("{folder}/{file}")));
            }
        }
    }
}

/// Whether an operand is an address: a scheme, or a host's name, can be left out.
fn is_address(text: &str) -> bool {
    let host = || text.split_once('/').is_some_and(|(host, _)| host.contains('.') && !host.starts_with('.'));
    text.contains("://") || !text.starts_with(['-', '/', '~']) && host()
}

/// Whether an archive's files are printed instead of being written.
fn unpacks_to_stdout(name: &str, args: &[Arg]) -> bool {
    let first = args.first().map_or("", |arg| arg.text.as_str());
    match name {
        "unzip" => first.starts_with('-') && first.contains('p'),
        _ => first.contains('O') || args.iter().any(|arg| matches!(arg.text.as_str(), "-O" | "--to-stdout")),
    }
}

/// Where a program lies, as `which` and its relatives tell.
fn located(scope: &Scope, name: &str) -> String {
    if name.contains('/') || mark::any(name) || scope.has_function(name) {
        return format!("{name}\n");
    }
    format!("/usr/bin/{name}\n")
}

fn echo(args: &[Arg]) -> String {
    let mut rest = args;
    let (mut newline, mut decode) = (true, false);
    while let Some(first) = rest.first() {
        let flags = first.text.strip_prefix('-').unwrap_or("");
        if flags.is_empty() || !flags.bytes().all(|b| matches!(b, b'n' | b'e' | b'E')) {
            break;
        }
        newline &= !flags.contains('n');
        decode |= flags.contains('e');
        rest = &rest[1..];
    }
    let mut text = join(rest);
    if decode {
        text = escapes::echo(&text);
    }
    if newline {
        text.push('\n');
    }
    text
}

fn join(args: &[Arg]) -> String {
    let texts: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
    texts.join(" ")
}

/// Programs that hand on what they read.
fn pass(process: &Process<'_>) -> String {
    if process.name == "tee" {
        return process.call.io.stdin.as_deref().unwrap_or("").to_owned();
    }
    input_of(process)
}

/// What a filter does, and the text of the files that follow it, else what it reads; `script`: its first word is what it
/// does.
fn filter_input(process: &Process<'_>, script: bool) -> (Vec<Arg>, String) {
    let Process { runner, scope, name, call, .. } = process;
    let (own, files) = operands(name, &call.args[1..], script);
    let stdin = || call.io.stdin.as_deref().unwrap_or_default();
    let mut text = String::new();
    for file in &files {
        text.push_str(&runner.read_file(scope, file));
    }
    if files.is_empty() || own.iter().any(|arg| arg.text == "-") {
        text.push_str(stdin());
    }
    (own, text)
}

/// The files that a filter names, else what it reads.
fn input_of(process: &Process<'_>) -> String {
    let Process { runner, scope, name, call, .. } = process;
    let args = process.args();
    let mut text = String::new();
    let mut named = false;
    let mut words = args.iter();
    while let Some(arg) = words.next() {
        match arg.text.as_str() {
            "-in" if *name == "openssl" => {
                if let Some(file) = words.next() {
                    text.push_str(&runner.read_file(scope, &file.text));
                    named = true;
                }
            }
            "-" => {}
            "-n" | "-c" | "-w" | "-d" | "-k" | "-t"
                if matches!(*name, "head" | "tail" | "sort" | "fold" | "base64" | "paste") =>
            {
                // `base64 -d` decodes and has no value.
                if *name != "base64" {
                    words.next();
                }
            }
            option if option.starts_with('-') => {}
            // Their operands are sub-commands and names of encodings.
            _ if matches!(*name, "openssl" | "iconv") => {}
            file => {
                text.push_str(&runner.read_file(scope, file));
                named = true;
            }
        }
    }
    // `-` puts standard input among the files.
    if !named || args.iter().any(|arg| arg.text == "-") {
        text.push_str(call.io.stdin.as_deref().unwrap_or(""));
    }
    text
}

/// What a filter with a script reads, where the command itself has made all of it: no file of the disk is looked at.
pub(super) fn own_input(process: &Process<'_>) -> Option<(Vec<Arg>, String)> {
    let Process { runner, scope, name, call, .. } = process;
    let (own, files) = operands(name, &call.args[1..], true);
    let mut text = String::new();
    for file in &files {
        text.push_str(&runner.file_at(scope, file)?);
    }
    if files.is_empty() {
        text.push_str(call.io.stdin.as_deref()?);
    }
    (!text.is_empty()).then_some((own, text))
}

fn git(runner: &Runner, scope: &Scope, args: &[Arg]) -> Option<String> {
    let has = |text: &str| args.iter().any(|arg| arg.text == text);
    if (has("show") || has("cat-file")) && runner.has_disk() {
        // What another commit holds is not read: the file as it is now is nearly always the same.
        let named = args.iter().rev().find_map(|arg| arg.text.split_once(':'));
        let (_, path) = named.filter(|(_, path)| !path.is_empty())?;
        return Some(runner.read_file(scope, path).to_string());
    }
    if has("--show-toplevel") {
        return Some(format!("{}\n", scope.cwd));
    }
    if has("--git-dir") && has("rev-parse") {
        return Some(".git\n".to_owned());
    }
    if has("--absolute-git-dir") || has("--git-common-dir") {
        return Some(format!("{}/.git\n", scope.cwd));
    }
    if let Some(at) = args.iter().position(|arg| arg.text == "ls-files") {
        let folder = format!("{}/{}", scope.cwd.trim_end_matches('/'), mark::ENTRY);
        let paths: Vec<&str> = args[at + 1..]
            .iter()
            .map(|arg| arg.text.as_str())
            .filter(|text| !text.starts_with('-'))
            .collect();
        if paths.is_empty() {
            return Some(format!("{folder}\n"));
        }
        let named = paths.iter().map(|path| match path.trim_end_matches('/').rsplit('/').next() {
            // A name without an ending is a folder's, nearly always.
            Some(name) if !name.contains(['.', '*', '?', '[']) => {
                scope.absolute(&format!("{path}/{}", mark::ENTRY))
            }
            _ => format!("{folder}/{}", shell_engine::text::pattern::active(path)),
        });
        return Some(named.map(|line| line + "\n").collect::<Vec<_>>().concat());
    }
    if has("rev-parse") || has("symbolic-ref") || has("branch") || has("describe") || has("merge-base") {
        return Some(format!("{}\n", mark::TOKEN));
    }
    None
}

/// The value of a variable that programs get.
fn value_of(scope: &Scope, name: &str) -> Option<String> {
    let set = match scope.clone().get(name) {
        Some(shell_engine::Value::One(text)) => Some(text.to_string()),
        _ => None,
    };
    set.or_else(|| scope.inherited(name)).map(|text| text + "\n")
}

/// Listings: names below a folder.
fn list((runner, scope): (&Runner, &Scope), name: &str, args: &[Arg], stdin: Option<&str>) -> Option<String> {
    let lists_files = name == "rg" && args.iter().any(|arg| arg.text == "--files");
    if matches!(name, "rg" | "grep" | "egrep" | "fgrep" | "ag") && !lists_files {
        let names = |arg: &Arg| {
            arg.text == "--files-with-matches"
                || arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains('l')
        };
        // `grep -r` reads no input.
        let below = |arg: &Arg| {
            arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(['r', 'R'])
        };
        // Nor does any that is given a file besides its pattern.
        let given = args.iter().filter(|arg| !arg.text.starts_with('-')).count() > 1;
        let searches = stdin.is_none() || given || name != "rg" && args.iter().any(below);
        if searches && args.iter().any(names) {
            // Files below a folder in which something was found: some of all, whatever they are called.
            let folder = args.iter().filter(|arg| !arg.text.starts_with('-')).nth(1);
            let folder = scope.absolute(folder.map_or(".", |arg| &arg.text));
            return Some(format!("{}/{}/{}\n", folder.trim_end_matches('/'), mark::ENTRY, mark::PRINTED));
        }
        if stdin.is_none()
            && !args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains(['l', 'o']))
        {
            return None;
        }
        let only =
            |arg: &Arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains('o');
        return match texts::found(name, args, stdin?) {
            Some(found) => Some(found),
            // A part of a line is another text than the line.
            None if args.iter().any(only) && !mark::any(stdin?) => None,
            // A filter: what it lets through is part of what it reads.
            None => stdin.map(str::to_owned),
        };
    }
    let folders: Vec<&str> =
        args.iter().map(|arg| arg.text.as_str()).filter(|text| !text.starts_with('-')).collect();
    let list = |folder: &str| {
        if name == "ls" && runner.file_at(scope, folder).is_some() {
            // A file that the command has made.
            return format!("{folder}\n");
        }
        let all = format!("{}/{}", folder.trim_end_matches('/'), mark::STAR);
        let odd: String = runner
            .odd_names(scope, &all)
            .iter()
            .map(|path| format!("{}\n", shell_engine::path::file_name(path)))
            .collect();
        format!("{}/{}\n{odd}", scope.absolute(folder).trim_end_matches('/'), mark::ENTRY)
    };
    Some(match (name, folders.as_slice()) {
        ("ls", []) => {
            let odd: Vec<String> = runner.odd_names(scope, &mark::STAR.to_string());
            format!("{}\n{}", mark::ENTRY, odd.iter().map(|name| format!("{name}\n")).collect::<String>())
        }
        ("ls", folders) => folders
            .iter()
            .map(|folder| {
                if folder.contains(mark::is_glob) {
                    runner
                        .odd_names(scope, folder)
                        .iter()
                        .fold(format!("{folder}\n"), |all, name| all + name + "\n")
                } else {
                    list(folder)
                }
            })
            .collect(),
        ("tree", folders @ [_, ..]) => folders.iter().map(|folder| list(folder)).collect(),
        // `rg --files` searches for nothing: every operand is a folder.
        ("rg", folders @ [_, ..]) if lists_files => folders.iter().map(|folder| list(folder)).collect(),
        (_, [_, folder, ..]) => list(folder),
        _ => list("."),
    })
}

fn folder(path: &str) -> String {
    let path = path.trim_end_matches('/');
    match path.rfind('/') {
        Some(0) => "/".to_owned(),
        Some(slash) => path[..slash].to_owned(),
        None if mark::any(path) => path.to_owned(),
        None => ".".to_owned(),
    }
}
