//! The table: a program's name, then one row for each of its sub-commands that take a secret, from the programs'
//! manuals. Sorted by name.

use super::Row;
use super::Take::{
    self, After, Cookies, Glued, Harmless, Letter, LetterPart, Line, Made, MadeStdin, Nth, NthPart, Opt,
    Part, Quoted, Stdin, StdinPart, Values,
};

const fn row(words: &'static str, takes: &'static [Take]) -> Row {
    Row { words, takes }
}

/// What a program takes; nothing if it is not known.
pub(super) fn rows(name: &str) -> Option<&'static [Row]> {
    let first = usize::from(*name.as_bytes().first()?);
    let (from, to) = (*STARTS.get(first)?, *STARTS.get(first + 1)?);
    let near = TABLE.get(usize::from(from)..usize::from(to))?;
    near.iter().find(|(known, _)| known.len() == name.len() && *known == name).map(|(_, rows)| *rows)
}

/// Where in the table the names with each first letter start: most words of a string name no program, and pay little.
static STARTS: [u16; 129] = starts();

#[expect(clippy::cast_possible_truncation, reason = "the table is much shorter")]
const fn starts() -> [u16; 129] {
    let mut starts = [TABLE.len() as u16; 129];
    let mut at = TABLE.len();
    while at > 0 {
        at -= 1;
        let mut letter = TABLE[at].0.as_bytes()[0] as usize + 1;
        while letter > 0 && starts[letter - 1] as usize > at {
            letter -= 1;
            starts[letter] = at as u16;
        }
    }
    starts
}

const WEB: &[Row] = &[row(
    "",
    &[
        LetterPart('u', ':'),
        Part("--user", ':'),
        LetterPart('U', ':'),
        Part("--proxy-user", ':'),
        // The password of a certificate's key follows its name.
        LetterPart('E', ':'),
        Part("--cert", ':'),
        Part("-a", ':'),
        Part("--auth", ':'),
        Opt("--oauth2-bearer"),
        Opt("--pass"),
        Opt("--proxy-pass"),
        Cookies("-b"),
        Cookies("--cookie"),
    ],
)];
const HTTPIE: &[Row] =
    &[row("", &[Part("-a", ':'), Part("--auth", ':')]), row("bearer", &[Opt("-a"), Opt("--auth")])];
const SMALL_P: &[Row] = &[row("", &[Opt("-p"), Glued("-p")])];
const SMALL_P_ONLY: &[Row] = &[row("", &[Opt("-p")])];
// With a blank after it, `-p` of these asks for the password, and the next word is a database or a file.
const GLUED_P: &[Row] = &[row("", &[Glued("-p")]), row("", &[After("password")])];
const CAPITAL_P: &[Row] = &[row("", &[Letter('P'), Glued("-P")])];
const LDAP: &[Row] = &[row("", &[Opt("-w"), Glued("-w")])];
// The password to log in with, the new one and the old one.
const LDAP_PASSWORD: &[Row] = &[row("", &[Opt("-w"), Opt("-s"), Opt("-a")])];
const SAMBA: &[Row] = &[row("", &[Part("-U", '%'), Part("--user", '%'), Glued("--pw-nt-hash=")])];
// `-L` and `-S` have no value: what follows them is the login.
const ORACLE: &[Row] = &[row("", &[NthPart(1, '/'), Harmless("-C"), Harmless("-M"), Harmless("-R")])];
const REMOTE_DESKTOP: &[Row] = &[row("", &[Glued("/p:"), Glued("/pass:"), Opt("/p"), Glued("/gp:")])];
const PASSWORD_HASH: &[Row] =
    &[row("", &[Opt("-p"), Harmless("-c"), Harmless("-d"), Harmless("-g"), Harmless("-G")])];
const IMPACKET: &[Row] = &[row("", &[Opt("-hashes"), NthPart(1, ':'), Opt("-aesKey")])];
// A hash lets its owner in as the password does.
const NET_EXEC: &[Row] = &[row("", &[Opt("-p"), Opt("-H")])];
const PDF: &[Row] = &[row("", &[Opt("-upw"), Opt("-opw")])];

// `-p` is a password for `login` only; for `run` it is a port.
const CONTAINER: &[Row] = &[
    row("login", &[Opt("-p")]),
    row("secret create", &[Stdin]),
    row("swarm join", &[Opt("--token")]),
    row("--creds", &[Part("--creds", ':')]),
];
const SECRETS_SET: &[Row] = &[
    row("secrets|secret set|import|put|add", &[Values("")]),
    row("secrets|secret set|import|put|add", &[MadeStdin]),
    row("env set|add", &[MadeStdin]),
    row("login|auth", &[Made(1), Opt("-t")]),
];
const CREDS: &[Row] = &[row(
    "",
    &[Part("--creds", ':'), Part("--src-creds", ':'), Part("--dest-creds", ':'), Opt("--registry-token")],
)];
const TSIG: &[Row] = &[row("", &[Opt("-y"), Part("-y", ':')])];
const MOSQUITTO: &[Row] = &[row("", &[Opt("-P")])];
// The operand is the password itself, and the hash of it is printed.
const WRITES_HASH: &[Row] =
    &[row("", &[Stdin]), row("", &[Nth(1), Harmless("-m"), Harmless("-S"), Harmless("-R")])];
const TELEPORT: &[Row] = &[row("", &[Opt("--token")])];
const KEYSTORE: &[Row] = &[row("add", &[Stdin])];
const SNMP: &[Row] = &[row("", &[Opt("-A"), Opt("-X")])];
const SONAR: &[Row] = &[row("", &[Glued("-Dsonar.login="), Glued("-Dsonar.token=")])];
const ANY_STDIN: &[Row] = &[row("", &[Stdin])];
const UPLOAD: &[Row] = &[row("", &[Opt("-p"), Opt("--password")])];

static TABLE: &[(&str, &[Row])] = &[
    ("7z", GLUED_P),
    ("7za", GLUED_P),
    ("7zr", GLUED_P),
    ("7zz", GLUED_P),
    ("ConvertTo-SecureString", &[row("", &[Quoted("ConvertTo-SecureString"), Quoted("-String")])]),
    ("PsExec", SMALL_P_ONLY),
    ("PsExec64", SMALL_P_ONLY),
    ("act", &[row("", &[Values("-s"), Values("--secret")])]),
    ("akeyless", &[row("create-secret|update-secret-val", &[Opt("--value"), Opt("-v")])]),
    (
        "ansible-vault",
        &[row(
            "encrypt_string",
            &[Nth(1), Stdin, Harmless("--name"), Harmless("-n"), Harmless("--vault-id")],
        )],
    ),
    ("argocd", &[row("account update-password", &[Opt("--current-password"), Opt("--new-password")])]),
    ("aria2c", &[row("", &[Opt("--http-passwd"), Opt("--ftp-passwd"), Opt("--rpc-secret")])]),
    (
        "aws",
        &[
            // Parameters of other types are settings.
            row("put-parameter SecureString", &[Opt("--value")]),
            row("configure set", &[After("aws_secret_access_key"), After("aws_session_token")]),
            row("", &[Opt("--master-user-password"), Opt("--secret-string"), Opt("--secret-binary")]),
        ],
    ),
    (
        "az",
        &[
            row("login", &[Opt("-p")]),
            row("keyvault secret set", &[Opt("--value")]),
            row("acr login", &[Opt("-p")]),
            row("", &[Opt("--admin-password")]),
        ],
    ),
    ("azcopy", &[row("", &[Opt("--service-principal-secret")])]),
    ("bcp", CAPITAL_P),
    ("beeline", SMALL_P_ONLY),
    ("bloodhound-python", SMALL_P_ONLY),
    ("borg", &[row("", &[Opt("--passphrase")])]),
    // The name is that of a server, and its value `user:password` or a token.
    ("bundle", &[row("config", &[NthPart(2, ':'), Made(2)]), row("config set", &[NthPart(2, ':'), Made(2)])]),
    ("bw", &[row("unlock", &[Nth(1)]), row("login", &[Nth(2)]), row("", &[Opt("--session")])]),
    ("bws", &[row("secret create", &[Nth(2)]), row("secret edit", &[Opt("--value")]), row("", &[Opt("-t")])]),
    (
        "cargo",
        &[
            row("login", &[Made(1), MadeStdin, Harmless("--registry")]),
            row("publish|yank|owner", &[Opt("--token")]),
        ],
    ),
    ("cbq", SMALL_P_ONLY),
    ("certutil", SMALL_P_ONLY),
    ("chamber", &[row("write", &[Nth(3), Stdin])]),
    ("chpasswd", &[row("", &[StdinPart(':')])]),
    ("circleci", &[row("setup", &[Made(1)]), row("context store-secret", &[Stdin])]),
    ("clickhouse", SMALL_P_ONLY),
    ("clickhouse-client", SMALL_P_ONLY),
    ("cloudflared", &[row("tunnel run", &[Opt("--token")]), row("service install", &[Made(1)])]),
    ("cmdkey", REMOTE_DESKTOP),
    ("codecov", &[row("", &[Opt("-t")])]),
    ("composer", &[row("config", &[Nth(3), Made(2)])]),
    ("conan", &[row("user", &[Opt("-p"), Glued("-p")]), row("remote login", &[Opt("-p")])]),
    ("convex", &[row("env set", &[Nth(2)])]),
    ("couchbase-cli", SMALL_P_ONLY),
    ("cqlsh", SMALL_P),
    ("crackmapexec", NET_EXEC),
    ("crictl", CREDS),
    ("cryptsetup", ANY_STDIN),
    ("ctr", &[row("", &[Part("--user", ':'), Part("-u", ':')])]),
    ("curl", WEB),
    ("curl_chrome116", WEB),
    ("curlie", WEB),
    ("cypher-shell", SMALL_P_ONLY),
    (
        "databricks",
        &[
            row("secrets put-secret", &[Nth(3), Opt("--string-value")]),
            row("secrets put", &[Opt("--string-value")]),
        ],
    ),
    ("db2", &[row("connect", &[After("using")])]),
    ("dig", TSIG),
    ("docker", CONTAINER),
    ("doctl", &[row("auth init", &[Opt("-t"), Opt("--access-token"), Stdin]), row("", &[Opt("-t")])]),
    ("doppler", &[row("secrets set", &[Values(""), Nth(2), Stdin]), row("", &[Opt("-t")])]),
    ("dotnet", &[row("user-secrets set", &[Nth(2)])]),
    ("doveadm", &[row("pw", &[Opt("-p")])]),
    ("dscl", &[row("-passwd", &[Nth(3), Nth(4)])]),
    ("duplicacy", &[row("", &[Opt("-storage-secret")])]),
    ("eas", &[row("secret:create|env:create", &[Opt("--value")])]),
    ("ejabberdctl", &[row("register|change_password", &[Nth(3)])]),
    ("elasticsearch-keystore", KEYSTORE),
    ("elasticsearch-users", SMALL_P_ONLY),
    ("encfs", ANY_STDIN),
    ("etcdctl", &[row("", &[Part("--user", ':')]), row("user add", &[NthPart(1, ':'), Stdin])]),
    ("evil-winrm", NET_EXEC),
    ("exaplus", SMALL_P_ONLY),
    ("expdp", ORACLE),
    ("firebase", &[row("functions:secrets:set", &[Stdin])]),
    ("fly", SECRETS_SET),
    ("flyctl", SECRETS_SET),
    ("ftp", &[row("", &[Line("user", 2), Line("pass", 1), Line("quote", 2)])]),
    (
        "gcloud",
        &[
            row("secrets create|add", &[Stdin]),
            row("sql", &[Opt("--password")]),
            row("", &[Opt("--root-password")]),
        ],
    ),
    ("gem", &[row("push", &[Opt("--key")])]),
    ("gh", &[row("secret set", &[Opt("--body"), Opt("-b"), Stdin]), row("auth login", &[Stdin])]),
    (
        "glab",
        &[
            row("variable set|update", &[Nth(2), Opt("--value"), Opt("-v"), MadeStdin]),
            row("auth login", &[Opt("-t"), Stdin]),
        ],
    ),
    ("gopass", &[row("insert|create", &[Stdin])]),
    ("gpg", &[row("", &[Opt("--passphrase")])]),
    ("grpcurl", &[row("", &[Part("-u", ':')])]),
    ("hcloud", &[row("context create", &[Stdin])]),
    ("hdbsql", SMALL_P_ONLY),
    ("hdiutil", &[row("-stdinpass", &[Stdin])]),
    ("helm", &[row("login", &[Opt("-p")]), row("push", &[Opt("-p"), Opt("--password")])]),
    (
        "htpasswd",
        &[
            // Only `-b` takes the password from the command line; without a file (`-n`) it stands one place earlier.
            row("-*b", &[Nth(3), Harmless("-C"), Harmless("-r")]),
            row("-*b -*n", &[Nth(2), Harmless("-C")]),
            row("-*i", &[Stdin]),
        ],
    ),
    ("http", HTTPIE),
    ("https", HTTPIE),
    ("huggingface-cli", &[row("login", &[Opt("--token"), Made(1)])]),
    ("hydra", SMALL_P_ONLY),
    ("impdp", ORACLE),
    ("infisical", &[row("secrets set", &[Values("")]), row("login", &[Opt("--client-secret")])]),
    ("influx", &[row("", &[Opt("-t"), Opt("-p"), Opt("--token")])]),
    ("ipmitool", CAPITAL_P),
    // The number of the key, with a `d` for the default one.
    ("iw", &[row("connect key", &[Glued("0:"), Glued("d:0:")])]),
    ("iwconfig", &[row("key", &[Glued("s:"), Made(2)])]),
    ("java", &[row("", &[Part("-auth", ':')])]),
    ("jf", UPLOAD),
    ("jfrog", UPLOAD),
    ("k3s", TELEPORT),
    ("kadmin", &[row("", &[Opt("-w"), Opt("-pw")])]),
    ("kadmin.local", &[row("", &[Opt("-w"), Opt("-pw")])]),
    (
        "kcadm.sh",
        &[
            row("config credentials", &[Opt("--password")]),
            row("set-password", &[Opt("-p"), Opt("--new-password")]),
        ],
    ),
    ("kcat", &[row("", &[Glued("-Xsasl.password=")])]),
    ("keepassxc-cli", ANY_STDIN),
    ("keyctl", &[row("add|padd", &[Nth(3), Stdin])]),
    ("keyring", &[row("set", &[Stdin])]),
    ("kibana-keystore", KEYSTORE),
    ("kinit", ANY_STDIN),
    (
        "kubectl",
        &[
            row("create secret", &[Values("--from-literal")]),
            row("create secret", &[Opt("--docker-password"), Stdin]),
            row("", &[Opt("--token")]),
        ],
    ),
    ("kubeseal", &[row("", &[Stdin])]),
    ("ldapadd", LDAP),
    ("ldapdelete", LDAP),
    ("ldapdomaindump", SMALL_P_ONLY),
    ("ldapmodify", LDAP),
    ("ldappasswd", LDAP_PASSWORD),
    ("ldapsearch", LDAP),
    ("ldapwhoami", LDAP),
    ("lftp", &[row("", &[Part("-u", ','), Part("--user", ',')])]),
    ("login", SMALL_P_ONLY),
    ("logstash-keystore", KEYSTORE),
    ("lpass", &[row("add|edit", &[Stdin])]),
    ("mariadb", GLUED_P),
    ("mariadb-admin", GLUED_P),
    ("mariadb-dump", GLUED_P),
    (
        "mc",
        &[
            row("alias set", &[Nth(3), Nth(4), Harmless("--api"), Harmless("--path")]),
            row("config host add", &[Nth(3), Nth(4)]),
            row("admin user add", &[Nth(3)]),
        ],
    ),
    (
        "mcli",
        &[
            row("alias set", &[Nth(3), Nth(4), Harmless("--api"), Harmless("--path")]),
            row("admin user add", &[Nth(3)]),
        ],
    ),
    ("medusa", SMALL_P_ONLY),
    ("mkpasswd", WRITES_HASH),
    ("mongo", SMALL_P),
    ("mongodump", SMALL_P),
    ("mongoexport", SMALL_P),
    ("mongoimport", SMALL_P),
    ("mongorestore", SMALL_P),
    ("mongosh", SMALL_P),
    ("mosquitto_passwd", &[row("-b", &[Nth(3)])]),
    ("mosquitto_pub", MOSQUITTO),
    ("mosquitto_rr", MOSQUITTO),
    ("mosquitto_sub", MOSQUITTO),
    ("mssql-cli", CAPITAL_P),
    ("mvn", SONAR),
    ("mysql", GLUED_P),
    ("mysqladmin", GLUED_P),
    ("mysqlbinlog", GLUED_P),
    ("mysqlcheck", GLUED_P),
    ("mysqldump", GLUED_P),
    ("mysqlimport", GLUED_P),
    ("mysqlpump", GLUED_P),
    ("mysqlsh", GLUED_P),
    ("mysqlshow", GLUED_P),
    ("nats", &[row("", &[Opt("--password"), Opt("--token")])]),
    ("ncmpcpp", GLUED_P),
    ("ncrack", &[row("", &[Opt("--pass")])]),
    ("neo4j-admin", &[row("set-initial-password", &[Nth(1)])]),
    ("net", &[row("use", &[Nth(3)]), row("user /add", &[Nth(2)]), row("user", &[Nth(2)])]),
    ("netexec", NET_EXEC),
    ("netlify", &[row("env:set", &[Made(2)]), row("", &[Opt("--auth")])]),
    ("netsh", &[row("wlan", &[Glued("key="), Glued("keyMaterial=")])]),
    ("networksetup", &[row("-setairportnetwork", &[Nth(3)])]),
    ("newman", &[row("", &[Opt("--postman-api-key")])]),
    ("newusers", &[row("", &[StdinPart(':')])]),
    (
        "ngrok",
        &[
            row("authtoken|add-authtoken|add-api-key", &[Made(1)]),
            row("", &[Opt("--authtoken"), Part("--basic-auth", ':')]),
        ],
    ),
    ("nmcli", &[row("", &[After("password"), After("wifi-sec.psk"), After("802-11-wireless-security.psk")])]),
    ("nodetool", &[row("", &[Opt("-pw")])]),
    ("nomad", &[row("", &[Opt("-token")]), row("var put", &[Values("")])]),
    ("npm", &[row("config set", &[Made(2), Values("")])]),
    ("nsupdate", TSIG),
    (
        "nuget",
        &[
            row("setapikey|push", &[Made(1), Opt("-ApiKey"), Made(2)]),
            row("sources|source", &[Opt("-Password")]),
        ],
    ),
    ("nxc", NET_EXEC),
    (
        "oathtool",
        &[row(
            "",
            &[
                Nth(1),
                Stdin,
                Harmless("-d"),
                Harmless("-c"),
                Harmless("-w"),
                Harmless("-s"),
                Harmless("-N"),
                Harmless("-S"),
            ],
        )],
    ),
    (
        "oc",
        &[
            row("login", &[Opt("-p"), Opt("--token")]),
            row("create secret", &[Values("--from-literal")]),
            row("create secret", &[Stdin]),
        ],
    ),
    ("oci", &[row("", &[Opt("--secret-content-content")])]),
    ("op", &[row("item create|edit", &[Values("")]), row("", &[Opt("--session")])]),
    ("open", &[row("", &[Part("-u", ',')])]),
    (
        "openssl",
        &[
            row("", &[Opt("-k"), Opt("-K")]),
            row("", &[Glued("pass:"), Glued("hexkey:"), Glued("key:")]),
            row("-hmac", &[Opt("-hmac")]),
            row("passwd", &[Nth(1), Stdin, Harmless("-salt"), Harmless("-in")]),
        ],
    ),
    ("pass", &[row("insert", &[Stdin])]),
    ("passwd", ANY_STDIN),
    ("pdbedit", ANY_STDIN),
    ("pdftk", &[row("", &[After("user_pw"), After("owner_pw"), After("input_pw")])]),
    ("pdftotext", PDF),
    ("plink", &[row("", &[Opt("-pw")])]),
    ("pnpm", &[row("config set", &[Made(2), Values("")])]),
    ("podman", CONTAINER),
    (
        "poetry",
        &[
            row("config", &[After("pypi-token.pypi"), Made(2)]),
            row("config", &[Nth(3)]),
            row("publish", &[Opt("-p")]),
        ],
    ),
    ("prosodyctl", &[row("register", &[Nth(3)])]),
    ("pscp", &[row("", &[Opt("-pw")])]),
    ("psexec", SMALL_P_ONLY),
    ("psexec.py", IMPACKET),
    (
        "pulumi",
        &[row(
            "config set --secret",
            &[Nth(2), Stdin, Harmless("-s"), Harmless("--stack"), Harmless("-C"), Harmless("--cwd")],
        )],
    ),
    ("putty", &[row("", &[Opt("-pw")])]),
    ("qpdf", &[row("--encrypt", &[Nth(1), Nth(2)])]),
    ("rabbitmqadmin", SMALL_P_ONLY),
    ("rabbitmqctl", &[row("add_user|change_password|authenticate_user", &[Nth(2), Stdin])]),
    ("railway", &[row("variables|variable", &[Values("--set")])]),
    ("rar", &[row("", &[Glued("-p"), Glued("-hp")])]),
    (
        "rclone",
        &[
            row("obscure", &[Nth(1), Stdin]),
            row(
                "",
                &[Opt("--sftp-pass"), Opt("--webdav-pass"), Opt("--pass"), After("pass"), After("password")],
            ),
        ],
    ),
    ("rdesktop", SMALL_P_ONLY),
    (
        "redis-cli",
        &[
            row("", &[Opt("-a"), Opt("--pass")]),
            row("auth", &[Nth(1), Nth(2)]),
            // `>password` in the user's rules.
            row("acl setuser", &[Glued(">")]),
            row("requirepass|masterauth", &[After("requirepass"), After("masterauth")]),
        ],
    ),
    ("reg", &[row("DefaultPassword", &[Opt("/d")])]),
    ("rman", ORACLE),
    ("rpcclient", SAMBA),
    ("s3cmd", &[row("", &[Opt("--secret_key"), Opt("--access_token")])]),
    ("samba-tool", &[row("user create|add", &[Nth(2)])]),
    ("saslpasswd2", ANY_STDIN),
    ("scalr", &[row("", &[Opt("-token")])]),
    ("schtasks", &[row("", &[Opt("/rp"), Opt("/p")])]),
    ("secret-tool", &[row("store", &[Stdin])]),
    ("secretsdump.py", IMPACKET),
    (
        "security",
        &[
            row(
                "unlock-keychain|create-keychain|set-key-partition-list|set-keychain-password",
                &[Opt("-p"), Opt("-k"), Opt("-o")],
            ),
            row("add-generic-password|add-internet-password", &[Opt("-w")]),
            row("import|export", &[Opt("-P")]),
        ],
    ),
    ("sentry-cli", &[row("login", &[Opt("--auth-token")])]),
    ("shodan", &[row("init", &[Made(1)])]),
    ("signtool", &[row("sign", &[Opt("/p"), Opt("-p")])]),
    ("skopeo", CREDS),
    ("slappasswd", &[row("", &[Opt("-s")])]),
    ("smbclient", SAMBA),
    ("smbclient.py", IMPACKET),
    ("smbmap", SMALL_P_ONLY),
    ("smbpasswd", &[row("", &[Stdin])]),
    ("snmpget", SNMP),
    ("snmpset", SNMP),
    ("snmpwalk", SNMP),
    ("snyk", &[row("auth", &[Made(1)]), row("config set", &[Values("")])]),
    ("solr", &[row("", &[Part("-u", ':')])]),
    ("sonar-scanner", SONAR),
    ("sqlcmd", CAPITAL_P),
    ("sqlldr", ORACLE),
    ("sqlmap", &[row("", &[Part("--auth-cred", ':')])]),
    ("sqlplus", ORACLE),
    // The new passphrase and the old one.
    ("ssh-keygen", &[row("", &[Opt("-N"), Opt("-P")])]),
    ("sshpass", SMALL_P),
    // Without `-S` it reads the terminal, and stdin belongs to the command that it runs.
    ("sudo", &[row("-S", &[Stdin])]),
    (
        "supabase",
        &[row("secrets set", &[Values("")]), row("link|db", &[Opt("-p")]), row("login", &[Opt("--token")])],
    ),
    ("svn", &[row("", &[Opt("--password")])]),
    ("systemd-creds", &[row("encrypt", &[Stdin])]),
    ("tailscale", &[row("up|login", &[Opt("--authkey"), Opt("--auth-key")])]),
    ("tower-cli", &[row("", &[Opt("-p")])]),
    ("travis", &[row("encrypt", &[Values(""), Made(1)]), row("login", &[Opt("-g"), Opt("-t")])]),
    ("tsql", CAPITAL_P),
    ("twine", UPLOAD),
    ("unrar", GLUED_P),
    ("unzip", CAPITAL_P),
    ("useradd", PASSWORD_HASH),
    ("usermod", PASSWORD_HASH),
    // Elsewhere `-p` of uv is a version of Python.
    ("uv", &[row("publish", &[Opt("-p"), Opt("-t")])]),
    (
        "vault",
        &[
            row("login", &[Nth(1), Values(""), Stdin]),
            row("operator unseal", &[Nth(1)]),
            row("unwrap", &[Nth(1)]),
            row("token lookup|revoke|renew", &[Made(1)]),
            row("kv put|patch", &[Values(""), MadeStdin]),
            row("write", &[Values(""), MadeStdin]),
        ],
    ),
    ("veracrypt", SMALL_P_ONLY),
    (
        "vercel",
        &[row("env add", &[MadeStdin]), row("", &[Opt("-t"), Opt("--token")]), row("secrets add", &[Nth(2)])],
    ),
    ("virsh", &[row("secret-set-value", &[Opt("--base64"), Nth(2)])]),
    ("vncpasswd", ANY_STDIN),
    ("vsql", &[row("", &[Opt("-w")])]),
    ("wandb", &[row("login", &[Made(1)])]),
    ("wg", &[row("pubkey", &[Stdin])]),
    ("wget", WEB),
    ("winexe", SAMBA),
    ("winrs", &[row("", &[Glued("-p:"), Glued("/p:")])]),
    ("wlfreerdp", REMOTE_DESKTOP),
    ("wmic", &[row("", &[Glued("/password:")])]),
    ("wmiexec.py", IMPACKET),
    ("wp", &[row("", &[Opt("--user_pass"), Opt("--dbpass"), Opt("--admin_password")])]),
    ("wpa_cli", &[row("set_network", &[After("psk"), After("password")])]),
    ("wpa_passphrase", &[row("", &[Nth(2), Stdin])]),
    ("wrangler", &[row("secret put", &[Stdin]), row("secret bulk", &[])]),
    ("x11vnc", &[row("", &[Opt("-passwd"), Opt("-storepasswd")])]),
    ("xcrun", &[row("altool|notarytool", &[Opt("-p"), Opt("--password")])]),
    ("xfreerdp", REMOTE_DESKTOP),
    ("xfreerdp3", REMOTE_DESKTOP),
    ("xh", HTTPIE),
    ("yarn", &[row("config set", &[Made(2), Values("")])]),
    ("yc", &[row("config set", &[Made(2)]), row("", &[Opt("--token")])]),
    ("ykman", &[row("accounts add", &[Nth(2)]), row("", &[Opt("-P"), Opt("-m")])]),
    ("zfs", &[row("load-key|create|change-key", &[Stdin])]),
    ("zip", CAPITAL_P),
    ("zipcloak", CAPITAL_P),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_and_without_repetition() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{} stands before {}", pair[0].0, pair[1].0);
        }
    }
}
