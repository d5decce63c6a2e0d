//! Which secrets reach whoever reads the output: printed as they are, through filters, or by a store that keeps them.

use std::cell::LazyCell;

use shell::{Atom, mark, names_secret};

use super::checks::{PICKER, PRINTER, in_file};
use super::takers::is_handed_on;
use crate::builtin::{has, paths};
use crate::calls::{Table, calls, fits};
use crate::command::Command;
use crate::zone::Target;

/// What kind of file is printed: of an application's settings, single lines are everyday work.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// `.env`
    Environment,
    /// Keys, credentials and tokens.
    Secret,
}

/// Whether a program that prints or picks shows a file with secrets.
pub(super) fn prints_file(command: &Command<'_>) -> bool {
    let Some(kept) = kept(command) else { return false };
    // `$(grep TOKEN .env)` hands one value on, to a program that needs it.
    if command.is_kind(PICKER) && is_handed_on(command) {
        return false;
    }
    // Nothing follows in most calls, and then nothing but the program itself leaves something out.
    lets_through(command.atom, kept) && shows_output(command, kept)
}

/// Whether a search in the environment asks for what is secret in it: `env | grep -i token`.
pub(super) fn picks_variables(command: &Command<'_>) -> bool {
    let between = |lister: &Atom| {
        let reads = |atom: &&Atom| command.analysis.feeders(atom).any(|feeder| std::ptr::eq(feeder, lister));
        command.feeders().filter(reads).all(|atom| lets_through(atom, Kept::Secret))
    };
    // A pipe is looked for first: hardly anyone who searches has one.
    command.atom.stdin.is_some()
        && command.is(&["grep", "egrep", "fgrep", "rg"])
        && command.args().iter().any(|arg| !arg.text.starts_with('-') && names_secret(&arg.text))
        && command.feeders().any(|atom| atom.lists_variables() && between(atom))
        && lets_through(command.atom, Kept::Secret)
        && !is_handed_on(command)
        && shows_output(command, Kept::Secret)
}

/// What the program reads that keeps secrets.
fn kept(command: &Command<'_>) -> Option<Kept> {
    let mut picks = command.is_kind(PICKER);
    // Its first operand is what it looks for, or what it does.
    let operands = command.operands();
    let files = if picks && !command.has(&["-e", "-f", "--expression", "--regexp", "--file"]) {
        operands.get(1..).unwrap_or(&[])
    } else {
        operands
    };
    // `cut` names what it picks by options.
    picks &= command.name != "cut";
    let files = if command.name == "cut" { operands } else { files };
    let read = command.atom.redirects.iter().filter(|redirect| redirect.flow == shell::Flow::Read);
    // Agents search all day, mostly in pipes, and where a path leads is dear to find out.
    let here = LazyCell::new(|| may_keep_secrets(&command.atom.cwd));
    let files = files.iter().filter(|arg| !picks || *here || may_keep_secrets(&arg.text));
    let named = files.map(|arg| command.target(in_file(&arg.text)));
    let mut found = None;
    for target in named.chain(read.map(|redirect| command.target(&redirect.target))) {
        if paths::is_environment(target.file_name()) {
            found.get_or_insert(Kept::Environment);
        } else if paths::is_secret(&target) || !picks && target.whole && paths::holds_secrets(&target) {
            return Some(Kept::Secret);
        }
    }
    found
}

/// Whether a path may lead to a secret, as far as its words tell: all have a hidden folder or file in them, lie outside of
/// homes, or are known by their names.
fn may_keep_secrets(path: &str) -> bool {
    let is_telling = |part: &str| {
        part.starts_with('.') && !matches!(part, "." | "..") || part.starts_with("id_") || part == "Library"
    };
    let outside = ["/etc/", "/proc/", "/var/", "~"].iter().any(|place| path.starts_with(place));
    outside || mark::any(path) || path.split('/').any(is_telling) || paths::is_store(path)
}

/// Whether what the program prints is what the caller sees: no file takes it, and the programs after it let it through.
pub(super) fn shows_output(command: &Command<'_>, kept: Kept) -> bool {
    !goes_to_file(command.atom)
        && command.readers().all(|atom| {
            // What is started by a stage has the stage's place: `sudo head`.
            !goes_to_file(atom) && lets_through(atom, kept)
        })
}

/// Whether its output is what the caller sees: neither a file nor another program takes it.
pub(super) fn is_last(command: &Command<'_>) -> bool {
    !goes_to_file(command.atom) && command.readers().next().is_none()
}

fn goes_to_file(atom: &Atom) -> bool {
    let is_kept = |target: &str| !matches!(target, "/dev/stdout" | "/dev/stderr" | "/dev/tty");
    atom.redirects
        .iter()
        .any(|redirect| redirect.fd == 1 && redirect.flow != shell::Flow::Read && is_kept(&redirect.target))
}

/// What prints what it reads without being a printer: it runs one, or keeps a copy.
const PASS: &str = "tee sudo doas stdbuf";

/// Whether a program shows the values in what it reads, as opposed to names, numbers or nothing.
fn lets_through(atom: &Atom, kept: Kept) -> bool {
    let program = atom.program();
    let args = || atom.args.iter().skip(1).map(|arg| arg.text.as_str());
    let letters = |wanted: &[char]| {
        args().any(|arg| arg.starts_with('-') && !arg.starts_with("--") && arg[1..].contains(wanted))
    };
    match &*program {
        // `grep -c`, `-l` and `-q` print a number, names or nothing.
        "grep" | "egrep" | "fgrep" | "rg" => {
            let silent = letters(&['c', 'l', 'q', 'L'])
                || args()
                    .any(|arg| matches!(arg, "--count" | "--quiet" | "--silent" | "--files-with-matches"));
            let pattern = args().find(|arg| !arg.starts_with('-')).unwrap_or_default();
            !silent && (kept == Kept::Secret || letters(&['v']) || asks_for_all(pattern))
        }
        "cut" => {
            // `cut -d= -f1` leaves the names.
            let fields = args().find_map(|arg| arg.strip_prefix("-f")).unwrap_or("2");
            let fields = if fields.is_empty() {
                args().skip_while(|arg| *arg != "-f").nth(1).unwrap_or("2")
            } else {
                fields
            };
            fields != "1"
        }
        "awk" | "gawk" | "mawk" | "nawk" => {
            let program =
                args().find(|arg| arg.contains(['{', '/', '(']) || *arg == "1" || *arg == "NF").unwrap_or("");
            // Names alone, sums and lengths; a pattern picks some lines.
            let names = program.contains("$1") && !program.contains("$2") && !program.contains("$0");
            let picks = program.trim_start().starts_with('/') && !program.contains("$2");
            let counts = ["END", "length", "NR", "count"].iter().any(|word| program.contains(word))
                && !program.contains("print $");
            // In `/etc/shadow` and its like, everything after the name is the secret.
            !(names || counts) && (kept == Kept::Secret || !picks)
        }
        "sed" | "gsed" => {
            let scripts = || args().filter(|arg| !arg.starts_with('-') || arg.starts_with("-e"));
            let masks = scripts()
                .any(|script| script.contains("=.*") || script.contains("=[^") || script.contains("=.+"));
            let picks = letters(&['n'])
                && scripts().next().is_some_and(|script| script.trim_start().starts_with('/'));
            let in_place = args().any(|arg| arg.starts_with("-i") || arg.starts_with("--in-place"));
            !masks && !in_place && (kept == Kept::Secret || !picks)
        }
        "dd" => !args().any(|arg| arg.starts_with("of=")),
        "jq" | "yq" => !args().any(|arg| arg.contains("keys") || arg.contains("length")),
        program => catalog::is(program, PRINTER) || has(PASS, program),
    }
}

/// Whether a pattern finds every line, or those with the values that no one should see.
fn asks_for_all(pattern: &str) -> bool {
    let lower = pattern.to_ascii_lowercase();
    matches!(pattern, "" | "." | ".*" | "=" | "^" | "$")
        || ["secret", "password", "passwd", "token", "api_key", "apikey", "private", "credential"]
            .iter()
            .any(|word| lower.contains(word))
}

/// Sub-commands by which a store, or a program that is logged in, prints a secret or a token.
pub(in crate::builtin) static KEEPERS: Table = calls!(
    "
    gh:
        auth token
        auth status -t|--show-token
    gcloud:
        auth print-access-token|print-identity-token
        auth application-default print-access-token
        secrets versions access
        auth application-default print-identity-token
        sql generate-login-token
    az:
        account get-access-token
        keyvault secret show
        acr credential show
        cosmosdb keys list
        redis|search|signalr|eventhubs|servicebus ... list-keys
        ... list-keys|list-connection-strings|show-connection-string|list-credentials
        acr login --expose-token
        webapp deployment list-publishing-profiles|list-publishing-credentials
        ad app|sp credential reset
    aws:
        secretsmanager get-secret-value
        ssm * --with-decryption
        ecr get-login-password
        sts get-session-token|get-federation-token
        configure export-credentials
        configure get aws_secret_access_key|aws_session_token
        sso get-role-credentials
        sts assume-role-with-saml|assume-role-with-web-identity
        secretsmanager batch-get-secret-value
        codeartifact get-authorization-token
        rds generate-db-auth-token
        eks get-token
        ec2 get-password-data
        redshift get-cluster-credentials
        kms decrypt
    kubectl oc k kubecolor:
        config view --raw
        create token
        whoami -t
        get-token
    heroku:
        auth:token
        config:get -j|--json
        pg:credentials:url
        redis:credentials
        authorizations:create|authorizations:info
    fly flyctl:
        auth token
        tokens create
        ssh console --command=env|printenv
        ssh console -C=env|printenv
    supabase:
        projects api-keys
    doctl:
        auth token
        databases connection|user
        registry docker-config
    vault bao:
        print token
        token create
        kv get -field|--field
        read -field|--field
        read secret/*|kv/*|*/creds/*|*/data/*
    op:
        read
        item get --reveal
        item get --reveal|--fields|--otp
        document get
        connect token create
        service-account create
        signin --raw
    lpass:
        show !-c !--clip
        export
    keyring:
        get
    glab:
        auth status -t|--show-token
        config get token
    age rage:
        -d|--decrypt !-o !--output
    docker-credential-desktop docker-credential-osxkeychain docker-credential-pass docker-credential-secretservice:
        get
    doppler infisical:
        secrets get --plain
        secrets download --no-file
        export
    railway:
        variables|variable !--set !set !delete
    stripe:
        config --list
    turso:
        auth token
        db|group tokens create
        auth api-tokens mint
    chamber:
        export|read
        env|read|export
    pass gopass:
        show !-c !--clip
    sops:
        decrypt !-i !--in-place
        -d|--decrypt !-i !--in-place
    bw:
        get password|totp
        get notes
        export
        unlock --raw
    argocd:
        account generate-token
        admin initial-password
        account bcrypt
    netlify ntl:
        env:list --plain|--json
        env:get
    ansible-vault:
        decrypt --output=-
        decrypt -
    dotenvx:
        decrypt --stdout
        keypair
    git-crypt:
        export-key -|/dev/stdout
        export-key
    wg:
        show * private-key|preshared-keys|dump
        showconf
        genkey --show
    nmcli:
        -s|--show-secrets connection|con|c|device|dev show
    npm pnpm yarn bun:
        config|c get *_authToken|*_auth|*_password
    neonctl neon:
        connection-string|cs
        roles|role reset-password
        ... connection-string
    pscale:
        password create
        service-token create
        ... connect --execute
    doppler:
        configs tokens create
        run --command=env|printenv
    infisical:
        secrets get
        user get token
        service-token create
        token renew
    teller:
        show --full
        env|yaml|json|sh
        export
    scw:
        config get secret-key
        iam api-key create
        secret version access
    linode-cli:
        get-kubeconfig-show
    rbw:
        get|code|ga
    gopass pass:
        otp code
    keepassxc-cli:
        show -s|--show-protected
        export
    kubeseal:
        --recovery-unseal
    tailscale:
        debug prefs
    k3s:
        token create
    consul nomad:
        acl token create|read|clone
        acl bootstrap
    wrangler:
        auth token
    firebase:
        login:ci
        functions:secrets:access
    akeyless:
        get-secret-value
        get-dynamic-secret-value
    conjur:
        variable get|value
    berglas:
        access
    dcli:
        password|p|note|n|otp|secret|s
    hcp:
        vault-secrets secrets open
    oci:
        secrets secret-bundle get|get-secret-bundle-by-name
    ibmcloud:
        sm|secrets-manager secret
    snyk:
        config get api|token
    eas:
        env:get
    envkey-source:
        --json|--dot-env-style|--yaml
    blackbox_cat:
        *
    openssl:
        rsa|ec|pkey !-pubout !-pubin !-noout !-out !-check
        pkcs12 -nodes|-noenc
    step:
        crypto key format
        ca token
    nmcli:
        ... connection|con|c show -s|--show-secrets
        ... device|dev|d wifi show-password
    rails:
        credentials:show|encrypted:show|secrets:show
    ansible-vault:
        view
    credstash:
        get|getall
    aws-vault:
        export
        login --stdout|-s
    saml2aws:
        script
    granted assume:
        --export|-ex
    gcloud:
        kms decrypt --plaintext-file=-
    gopass:
        cat
    pass:
        */* !-c !--clip
    keepassxc-cli:
        show -a|--attributes
    kwallet-query:
        -r|--read-password
    docker-credential-gcloud docker-credential-ecr-login docker-credential-acr-env:
        get
    esc:
        open *
        env open|get
    kubectl oc k kubecolor:
        view-secret *
        extract ~secret --to=-
    nomad:
        var get !-table
    vault bao:
        kv get @production
    heroku:
        config @production
        config -s|--shell
        config:get *_KEY|*_SECRET|*_TOKEN|*_URL|*PASSWORD*
    sops:
        exec-env * env|printenv
    transcrypt:
        --show-raw
    firebase:
        functions:config:get
    twilio:
        api:core:keys:create
    openssl:
        rsa|ec|pkey|dsa -text !-pubin !-pubout
    gpg gpg2:
        -d|--decrypt !-o !--output ~secret
        -d|--decrypt !-o !--output ~pass
        -d|--decrypt !-o !--output ~cred
        -d|--decrypt !-o !--output ~.env
    # What is started with secrets in its environment, and lists it.
    aws-vault chamber envchain:
        exec * env|printenv !*=*
        * env|printenv !*=*
    doppler infisical op teller dotenvx summon:
        run env|printenv !*=*
        run * env|printenv !*=*
        run * * env|printenv !*=*
    kubectl oc k kubecolor:
        exec * env|printenv @production
        exec * * env|printenv @production
    infisical:
        secrets !set !delete !folders !generate-example-env !--help
    az:
        ... appsettings list @production
    buildkite-agent:
        secret get
    eas:
        env:list --include-sensitive
    unshadow:
        *
"
);

const KUBECTL: &[&str] = &["kubectl", "oc", "k", "kubecolor"];

/// Whether a store, or a program that is logged in, prints a secret or a token, and it is shown.
pub(super) fn prints_kept(command: &Command<'_>) -> bool {
    hands_out(command) && !is_handed_on(command) && shows_output(command, Kept::Secret)
}

/// Whether a store, or a program that is logged in, prints a secret or a token.
pub(super) fn hands_out(command: &Command<'_>) -> bool {
    match &*command.name {
        "git" => {
            command.sub(&["show|cat-file"]) && shows_tracked(command) || command.sub(&["credential", "fill"])
        }
        "printenv" => command.operands().iter().any(|arg| names_secret(&arg.text)),
        "pulumi" if command.sub(&["config", "get"]) => {
            command.operands().iter().skip(2).any(|arg| names_secret(&arg.text))
        }
        "dotenvx" if command.sub(&["get"]) => {
            command.operands().iter().skip(1).any(|arg| names_secret(&arg.text))
        }
        "pulumi" if command.sub(&["env", "open"]) => true,
        "pulumi" => command.has_word("--show-secrets") && !command.sub(&["up|preview|destroy|refresh"]),
        "terraform" | "tofu" => {
            command.sub(&["state", "pull"])
                || command.sub(&["output"])
                    && command.has(&["-raw", "--raw"])
                    && command.operands().iter().any(|arg| names_secret(&arg.text))
        }
        _ => fits(command, &KEEPERS) || command.is(KUBECTL) && gets_secrets(command),
    }
}

/// Whether a program picks lines or values of a file that holds nothing but secrets.
pub(super) fn picks_secret(command: &Command<'_>) -> bool {
    kept(command) == Some(Kept::Secret) && lets_through(command.atom, Kept::Secret)
}

/// Whether kubectl prints secrets. Without a form of output, it lists their names and sizes.
fn gets_secrets(command: &Command<'_>) -> bool {
    let is_secret = |text: &str| matches!(text.split('/').next(), Some("secret" | "secrets"));
    let forms = ["json", "yaml", "go-template", "template"];
    command.sub(&["get"])
        && command.operands().iter().skip(1).any(|arg| is_secret(&arg.text))
        && command
            .value(&["-o", "--output"])
            .is_some_and(|form| forms.iter().any(|known| form.starts_with(known)))
}

/// Whether git prints a version of a file with secrets: `git show HEAD:.env`.
fn shows_tracked(command: &Command<'_>) -> bool {
    command.operands().iter().skip(1).any(|arg| {
        let Some((_, path)) = arg.text.split_once(':') else { return false };
        let target: Target = command.target(path);
        // In a repository, folders are copies of those in a home: `HEAD:.ssh/id_rsa`.
        paths::is_secret(&target) || paths::is_secret(&command.target(&format!("~/{path}")))
    })
}
