//! Files that keep secrets.

use shell::{mark, pattern};

use super::super::has;
use crate::zone::{Target, Zone};

/// Whether the path is a file, or a folder of files, that keeps a secret of the user or the machine.
pub(in crate::builtin) fn is_secret(target: &Target) -> bool {
    let name = target.file_name();
    is_environment(name)
        || matches!(name, "id_rsa" | "id_ed25519" | "id_ecdsa" | "id_dsa" | "master.key")
        // `id_*`
        || name.starts_with("id_") && name.contains(mark::is_glob) && pattern::matches(name, "id_rsa")
        || is_kept_secret(target)
}

/// Whether the file holds an application's settings with their secrets: `.env`, `.env.production`.
pub(in crate::builtin) fn is_environment(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(".env") else { return name == ".envrc.private" };
    // `.env*` finds `.env` itself among others.
    if rest.starts_with(mark::is_glob) {
        return true;
    }
    match rest.strip_prefix('.') {
        Some(kind) => ![
            "example", "sample", "template", "tmpl", "dist", "defaults", "default", "schema", "test", "ci",
            "tpl", "md", "ports", "versions", "schema",
        ]
        .iter()
        .any(|plain| kind.split('.').any(|part| part == *plain)),
        None => rest.is_empty(),
    }
}

/// Keys and credentials in a home folder, and the system's own.
fn is_kept_secret(target: &Target) -> bool {
    const SYSTEM: &[&str] = &[
        "/etc/shadow",
        "/etc/gshadow",
        "/etc/shadow-",
        "/etc/master.passwd",
        "/etc/sudoers",
        "/etc/krb5.keytab",
        "/etc/kubernetes/admin.conf",
        "/etc/rancher/k3s/k3s.yaml",
        "/etc/ppp/chap-secrets",
        "/etc/mysql/debian.cnf",
        "/var/run/secrets/kubernetes.io/serviceaccount/token",
    ];
    const HOME: &str = "\
        .aws/credentials .git-credentials .netrc .pgpass .my.cnf .vault-token .npmrc .pypirc \
        .kube/config .docker/config.json .config/gh/hosts.yml .config/rclone/rclone.conf \
        .cargo/credentials .cargo/credentials.toml .terraform.d/credentials.tfrc.json .m2/settings.xml \
        .config/hub .config/glab-cli/config.yml .azure/accessTokens.json .azure/msal_token_cache.json \
        .claude/.credentials.json .codex/auth.json .config/op/config .s3cfg .boto .htpasswd \
        .config/containers/auth.json .gem/credentials .bundle/config .composer/auth.json \
        .config/composer/auth.json .fly/config.yml .config/.wrangler/config/default.toml \
        .config/doctl/config.yaml .config/hcloud/cli.toml .config/scw/config.yaml .databrickscfg \
        .config/netlify/config.json .config/configstore/firebase-tools.json .pulumi/credentials.json \
        .railway/config.json .local/share/com.vercel.cli/auth.json .supabase/access-token \
        .config/neonctl/credentials.json .config/turso/settings.json .config/planetscale/access-token \
        .config/stripe/config.toml .config/sops/age/keys.txt .cache/huggingface/token .huggingface/token \
        .kaggle/kaggle.json .config/github-copilot/hosts.json .config/github-copilot/apps.json \
        .gemini/oauth_creds.json .qwen/oauth_creds.json .local/share/opencode/auth.json .pi/agent/auth.json \
        .config/helm/registry/config.json .mc/config.json .aliyun/config.json .oci/config .cf/config.json \
        .config/argocd/config .snowsql/config .snowflake/connections.toml .config/solana/id.json \
        .config/ngrok/ngrok.yml .ngrok2/ngrok.yml .cloudflared/cert.pem .sbt/.credentials .ivy2/.credentials \
        .nuget/NuGet/NuGet.Config .minikube/client.key .terraformrc \
        .local/state/policy-hooks/key .local/state/policy-hooks/approvals/key";
    let path = target.path.as_str();
    let private = |folder: &str, ending: &str| path.starts_with(folder) && path.ends_with(ending);
    if SYSTEM.contains(&path)
        || private("/etc/ssl/private/", ".key")
        || private("/etc/letsencrypt/", "/privkey.pem")
        || private("/etc/kubernetes/pki/", ".key")
        || private("/etc/wireguard/", ".conf")
        || private("/etc/wpa_supplicant/", ".conf")
        || path.strip_prefix("/var").unwrap_or(path).starts_with("/run/secrets/")
        || private("/etc/NetworkManager/system-connections/", ".nmconnection")
        || path.starts_with("/etc/ssh/ssh_host_") && !is_public(path)
        // A process' environment holds the tokens that it was started with.
        || path.starts_with("/proc/") && path.ends_with("/environ")
    {
        return true;
    }
    let Some(inside) = target.in_home() else { return false };
    if let Some(key) = inside.strip_prefix(".ssh/") {
        return is_private_key(key);
    }
    if is_store(inside) {
        return true;
    }
    // All others are hidden; the files of projects are not, and need not be looked up.
    if !inside.starts_with('.') && !inside.starts_with(mark::is_glob) {
        return inside.starts_with("Library/Keychains/");
    }
    has(HOME, inside)
        // `~/.aws/credential?`
        || inside.contains(mark::is_glob)
            && HOME.split_ascii_whitespace().chain([".ssh/id_rsa", ".ssh/id_ed25519"]).any(|known| pattern::matches(inside, known))
        || ["sso/cache/", "cli/cache/"].iter().any(|cache| inside.strip_prefix(".aws/").is_some_and(|rest| rest.starts_with(cache)))
        || inside.starts_with(".gnupg/private-keys")
        || inside == ".gnupg/secring.gpg"
        || inside.starts_with(".password-store/")
        || inside.starts_with(".config/gcloud/")
            && (inside.contains("credentials") || inside.contains("access_tokens"))
        || inside.starts_with(".local/share/keyrings/")
}

/// Browsers' stores of passwords and sessions, and wallets, below whichever profile.
pub(in crate::builtin) fn is_store(path: &str) -> bool {
    const STORES: [&str; 7] = [
        "/Login Data",
        "/logins.json",
        "/key4.db",
        "/cookies.sqlite",
        "/Default/Cookies",
        "/Network/Cookies",
        "/wallet.dat",
    ];
    STORES.iter().any(|store| path.ends_with(store))
}

/// Whether the name is that of the public half of a key.
fn is_public(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ending == "pub")
}

/// Files in `~/.ssh` that are not meant for others.
fn is_private_key(name: &str) -> bool {
    !is_public(name)
        && !matches!(
            name,
            "config" | "authorized_keys" | "known_hosts" | "known_hosts.old" | "rc" | "environment"
        )
        && !name.starts_with("config.d")
}

/// Folders that hold secrets among other things: sending one sends its secrets.
pub(in crate::builtin) fn holds_secrets(target: &Target) -> bool {
    const FOLDERS: &str = "\
        .ssh .aws .gnupg .kube .docker .azure .config/gcloud .config/gh .password-store .config .mozilla \
        .local/share/keyrings Library/Keychains";
    let is_home = || target.path.matches('/').count() <= 2 || target.in_home().is_none();
    target.zone == Zone::Home && is_home()
        || target.below_home(target.folder()).is_some_and(|inside| has(FOLDERS, inside.trim_end_matches('/')))
}

/// Whether a key or credential of an application: only of interest where it is sent away.
pub(in crate::builtin) fn looks_secret(target: &Target) -> bool {
    let name = target.file_name();
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
    is_secret(target)
        || holds_secrets(target)
        || matches!(target.path.as_str(), "/etc/passwd" | "/etc/group" | "/etc")
        || matches!(name, "credentials.json" | "terraform.tfstate")
        || ends(&[".pem", ".key", ".p12", ".pfx", ".kdbx", ".keystore", ".jks", ".ppk", ".keychain-db"])
        || name.starts_with("secrets.")
        || name.starts_with('.') && name.ends_with("_history")
        || name.starts_with("service-account") && ends(&[".json"])
}
