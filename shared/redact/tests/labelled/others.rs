//! More kinds of secrets, and more look-alikes: forms in files, headers, options and programs that the rules were not
//! written from. Kept apart from `kinds`, so that what is learned there does not flatter this count.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::kinds::{Made, Maker};
use super::random::Random;

fn put(text: &str, secret: String) -> Made {
    Made { text: Some(text.replace("{}", &secret)), secret }
}

fn bare(secret: String) -> Made {
    Made { text: None, secret }
}

/// `{}` becomes the secret in base64 after `prefix`.
fn encoded(text: &str, prefix: &str, secret: String) -> Made {
    Made { text: Some(text.replace("{}", &STANDARD.encode(format!("{prefix}{secret}")))), secret }
}

fn base32(r: &mut Random, length: usize) -> String {
    r.text("abcdefghijklmnopqrstuvwxyz234567", length)
}

/// As a password manager makes them.
fn strong(r: &mut Random) -> String {
    let sign = r.pick(&["!", "#", "*", "^", "%", "+"]);
    format!("{}{sign}{}", r.alnum(9), r.alnum(9))
}

fn key_block(r: &mut Random, label: &str) -> (String, String) {
    let lines: Vec<String> = (0..5).map(|_| r.base64(64)).collect();
    (format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n")), lines[1].clone())
}

pub(crate) fn tokens() -> Vec<(&'static str, Maker)> {
    vec![
        ("github user token", |r| bare(format!("ghu_{}", r.alnum(36)))),
        ("github refresh token", |r| bare(format!("ghr_{}", r.alnum(76)))),
        ("gitlab routable token", |r| {
            bare(format!("glpat-{}.01.{}", r.word(27), r.text("0123456789abcdefghijklmnopqrstuvwxyz", 9)))
        }),
        ("gitlab deploy token", |r| bare(format!("gldt-{}", r.word(20)))),
        ("gitlab job token", |r| bare(format!("glcbt-64_{}", r.word(20)))),
        ("gitlab feed token", |r| bare(format!("glft-{}", r.word(20)))),
        ("gitlab workspace token", |r| bare(format!("glwt-{}", r.word(20)))),
        ("aws temporary key id", |r| bare(format!("ASIA{}", r.caps(16)))),
        ("aws session token", |r| put("export AWS_SESSION_TOKEN=\"IQoJb3JpZ2luX2Vj{}\"", r.base64(180))),
        ("aws credentials as json", |r| {
            put(
                "{\"Credentials\":{\"AccessKeyId\":\"x\",\"SecretAccessKey\":\"{}\",\"Expiration\":\"2026-11-22T00:00:00Z\"}}",
                r.base64(40),
            )
        }),
        ("aws configure set", |r| put("aws configure set aws_secret_access_key {}", r.base64(40))),
        ("aws presigned address", |r| {
            put(
                "curl 'https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600&X-Amz-Signature={}'",
                r.hex(64),
            )
        }),
        ("gcp service account", |r| {
            let (block, secret) = key_block(r, "PRIVATE KEY");
            Made {
                text: Some(format!(
                    "{{\"type\":\"service_account\",\"private_key\":\"{}\",\"client_email\":\"x@y.iam\"}}",
                    block.replace('\n', "\\n")
                )),
                secret,
            }
        }),
        ("google refresh token", |r| bare(format!("1//0g{}", r.word(60)))),
        ("azure shared access signature", |r| {
            put(
                "https://acc.blob.core.windows.net/c/f?sv=2024-11-04&se=2026-12-01&sp=r&sig={}%3D",
                r.alnum(43),
            )
        }),
        ("azure devops token", |r| put("AZURE_DEVOPS_EXT_PAT={} az devops project list", base32(r, 52))),
        ("azure devops token, new", |r| bare(format!("{}AZDO{}", r.alnum(76), r.alnum(4)))),
        ("azure storage key", |r| {
            put("az storage blob list --account-name acc --account-key {}==", r.base64(86))
        }),
        ("azure cosmos connection", |r| {
            put("AccountEndpoint=https://x.documents.azure.com:443/;AccountKey={}==;", r.base64(86))
        }),
        ("azure function key", |r| put("curl 'https://x.azurewebsites.net/api/run?code={}=='", r.alnum(54))),
        ("azure api management", |r| {
            put("curl -H 'Ocp-Apim-Subscription-Key: {}' https://x.azure-api.net", r.hex(32))
        }),
        ("azure container registry", |r| bare(format!("{}+ACR{}", r.alnum(42), r.alnum(6)))),
        ("slack user token", |r| {
            bare(format!("xoxp-{}-{}-{}-{}", r.digits(12), r.digits(12), r.digits(13), r.hex(32)))
        }),
        ("slack rotating token", |r| bare(format!("xoxe.xoxp-1-{}", r.alnum(160)))),
        ("slack workflow token", |r| bare(format!("xwfp-{}-{}", r.digits(12), r.alnum(40)))),
        ("stripe test key", |r| bare(format!("sk_test_51{}", r.alnum(97)))),
        ("anthropic oauth token", |r| bare(format!("sk-ant-oat01-{}-{}AA", r.word(40), r.word(50)))),
        ("openai service key", |r| bare(format!("sk-svcacct-{}T3BlbkFJ{}", r.word(60), r.word(60)))),
        ("npm password in .npmrc", |r| {
            encoded("//registry.npmjs.org/:_password={}\n//registry.npmjs.org/:username=bob", "", strong(r))
        }),
        ("npm auth in .npmrc", |r| {
            encoded("registry=https://npm.example.com\n_auth={}\nalways-auth=true", "bob:", strong(r))
        }),
        ("yarn auth token", |r| put("npmRegistries:\n  //npm.example.com:\n    npmAuthToken: {}", r.uuid())),
        ("pypirc", |r| put("[pypi]\nusername = __token__\npassword = pypi-AgEIcHlwaS5vcmc{}", r.word(140))),
        ("twilio token", |r| put("TWILIO_AUTH_TOKEN={}", r.hex(32))),
        ("twilio with curl", |r| {
            put(
                "curl -X POST https://api.twilio.com/2010-04-01/Accounts -u ACcafecafecafecafecafecafecafecafe:{}",
                r.hex(32),
            )
        }),
        ("datadog key in the environment", |r| {
            put("DD_API_KEY={} DD_SITE=datadoghq.eu bash -c install.sh", r.hex(32))
        }),
        ("datadog headers", |r| {
            put(
                "curl -H \"DD-API-KEY: {}\" -H 'Accept: application/json' https://api.datadoghq.com/api/v1/validate",
                r.hex(32),
            )
        }),
        ("datadog application key", |r| put("dd_app_key: '{}'", r.hex(40))),
        ("vault batch token", |r| bare(format!("hvb.AAAAAQ{}", r.word(120)))),
        ("vault old token", |r| put("VAULT_TOKEN=s.{} vault kv list secret", r.alnum(24))),
        ("vault login", |r| put("vault login s.{}", r.alnum(24))),
        ("consul token", |r| put("export CONSUL_HTTP_TOKEN={}", r.uuid())),
        ("doppler service token", |r| bare(format!("dp.st.prd.{}", r.alnum(43)))),
        ("shopify shared secret", |r| bare(format!("shpss_{}", r.hex(32)))),
        ("shopify user token", |r| bare(format!("shpua_{}", r.hex(32)))),
        ("discord token of a later kind", |r| {
            bare(format!("MT{}.G{}.{}", r.alnum(24), r.word(5), r.word(38)))
        }),
        ("telegram address", |r| {
            put("curl -s https://api.telegram.org/bot{}/getMe", format!("{}:AA{}", r.digits(10), r.word(33)))
        }),
        ("json web token in a cookie", |r| {
            put(
                "curl -b 'session={}' https://x.example.com",
                format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", r.word(60), r.word(43)),
            )
        }),
        ("encrypted private key", |r| {
            let (t, s) = key_block(r, "ENCRYPTED PRIVATE KEY");
            Made { text: Some(t), secret: s }
        }),
        ("pgp private key", |r| {
            let (t, s) = key_block(r, "PGP PRIVATE KEY BLOCK");
            Made { text: Some(t), secret: s }
        }),
        ("putty key", |r| {
            let line = r.base64(64);
            put(
                "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1\nAAAAB3NzaC1yc2E=\nPrivate-Lines: 2\n{}\nAAAA\nPrivate-MAC: 00",
                line,
            )
        }),
        ("wireguard key", |r| put("[Interface]\nPrivateKey = {}=\nAddress = 10.0.0.2/24", r.base64(43))),
        ("huggingface organisation token", |r| {
            bare(format!("api_org_{}", r.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 34)))
        }),
        ("cloudflare api token", |r| put("export CLOUDFLARE_API_TOKEN={}", r.word(40))),
        ("heroku key", |r| put("HEROKU_API_KEY={} heroku ps", r.uuid())),
        ("circleci header", |r| put("curl -H 'Circle-Token: {}' https://circleci.com/api/v2/me", r.hex(40))),
        ("gitlab header", |r| {
            put("curl --header \"PRIVATE-TOKEN: {}\" https://gitlab.example.com/api/v4/projects", r.word(20))
        }),
        ("vault header", |r| put("curl -H 'X-Vault-Token: {}' https://vault:8200/v1/secret", r.alnum(26))),
        ("openstack header", |r| put("curl -H \"X-Auth-Token: {}\" https://cloud/v3", r.hex(32))),
        ("supabase header", |r| put("curl 'https://x.supabase.co/rest/v1/t' -H 'apikey: {}'", r.alnum(44))),
        ("bearer token of no known kind", |r| {
            put("http GET api.example.com 'Authorization:Bearer {}'", r.alnum(40))
        }),
        ("oauth2 bearer option", |r| put("curl --oauth2-bearer {} https://api.example.com", r.alnum(40))),
    ]
}

pub(crate) fn places() -> Vec<(&'static str, Maker)> {
    vec![
        ("netrc on several lines", |r| {
            put("machine api.example.com\n  login bob\n  password {}\n", r.password())
        }),
        ("pgpass", |r| put("echo 'db.example.com:5432:shop:app:{}' >> ~/.pgpass", r.password())),
        ("pgpass with stars", |r| put("cat > ~/.pgpass <<EOF\n*:*:*:postgres:{}\nEOF", r.password())),
        ("jdbc mysql", |r| {
            put(
                "jdbc:mysql://db:3306/shop?user=app&password={}&useSSL=true",
                strong(r).replace(['#', '%', '+'], "-"),
            )
        }),
        ("jdbc sqlserver", |r| {
            put("jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password={};encrypt=true", r.password())
        }),
        ("ado with pwd", |r| {
            put("Server=tcp:x.database.windows.net;Initial Catalog=shop;UID=sa;PWD={};", r.password())
        }),
        ("libpq words", |r| put("psql \"host=db port=5432 user=app password={} dbname=shop\"", r.password())),
        ("amqp address", |r| put("amqps://guest:{}@rabbit.example.com:5671/vhost", r.password())),
        ("sqlalchemy address", |r| {
            put("engine = create_engine(\"postgresql+asyncpg://app:{}@db/shop\")", r.password())
        }),
        ("smtp address", |r| put("EMAIL_URL=smtp://bob%40example.com:{}@smtp.example.com:587", r.password())),
        ("ftp address", |r| put("wget ftp://bob:{}@ftp.example.com/file", r.password())),
        ("clickhouse address", |r| put("clickhouse://default:{}@ch:9440/db?secure=true", r.password())),
        ("oracle", |r| put("sqlplus scott/{}@//db:1521/ORCL", r.password())),
        ("docker config", |r| {
            encoded("{\"auths\":{\"https://index.docker.io/v1/\":{\"auth\":\"{}\"}}}", "bob:", strong(r))
        }),
        ("docker identity token", |r| {
            put("{\"auths\":{\"x.azurecr.io\":{\"identitytoken\":\"{}\"}}}", r.alnum(60))
        }),
        ("kubeconfig token", |r| put("users:\n- name: admin\n  user:\n    token: {}", r.alnum(48))),
        ("kubeconfig key", |r| {
            let (block, _) = key_block(r, "RSA PRIVATE KEY");
            let data = STANDARD.encode(block);
            let secret = data[80..120].to_owned();
            Made { text: Some(format!("    client-key-data: {data}")), secret }
        }),
        ("kubernetes secret", |r| {
            encoded("apiVersion: v1\nkind: Secret\ndata:\n  password: {}", "", strong(r))
        }),
        ("kubernetes string secret", |r| put("stringData:\n  db-password: {}\n  user: app", r.password())),
        ("kubernetes environment", |r| {
            put("env:\n- name: DB_PASSWORD\n  value: \"{}\"\n- name: PORT\n  value: \"80\"", r.password())
        }),
        ("ecs environment", |r| {
            put(
                "\"environment\": [{\"name\": \"API_TOKEN\", \"value\": \"{}\"}, {\"name\": \"PORT\", \"value\": \"80\"}]",
                r.alnum(32),
            )
        }),
        ("basic header in code", |r| {
            encoded("requests.get(url, headers={\"Authorization\": \"Basic {}\"})", "bob:", strong(r))
        }),
        ("python auth pair", |r| put("requests.get(url, auth=(\"bob\", \"{}\"))", r.password())),
        ("curl glued user", |r| put("curl -sS -uadmin:{} https://internal/health", r.password())),
        ("curl quoted user", |r| put("curl --user \"admin:{}\" https://internal/health", r.password())),
        ("curl bundled user", |r| put("curl -sSu admin:{} https://internal/health", r.password())),
        ("curl user with equals", |r| put("curl --user=admin:{} https://internal/health", r.password())),
        ("curl proxy", |r| put("curl -x http://proxy:3128 --proxy-user bob:{} https://x", r.password())),
        ("wget password", |r| put("wget --user=bob --password={} https://x/file", r.password())),
        ("wget http password", |r| {
            put("wget --http-user=bob --http-password='{}' https://x/file", r.password())
        }),
        ("httpie", |r| put("http -a bob:{} GET https://x", r.password())),
        ("mysql long option", |r| put("mysql -h db -u root --password={} -e 'show tables'", r.password())),
        ("mysql in quotes", |r| put("mysql -uroot -p'{}' shop", strong(r))),
        ("mysqladmin", |r| put("mysqladmin -u root password '{}'", r.password())),
        ("MYSQL_PWD", |r| put("MYSQL_PWD={} mysql -u root", r.password())),
        ("identified by", |r| put("CREATE USER 'app'@'%' IDENTIFIED BY '{}';", r.password())),
        ("identified with", |r| {
            put("ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '{}';", r.password())
        }),
        ("alter role", |r| put("psql -c \"ALTER ROLE app WITH LOGIN PASSWORD '{}'\"", r.password())),
        ("redis auth", |r| put("redis-cli -h cache -a {} ping", r.password())),
        ("redis configuration", |r| put("requirepass {}\nappendonly yes", r.password())),
        ("redis config set", |r| put("redis-cli CONFIG SET requirepass \"{}\"", r.password())),
        ("mongosh", |r| put("mongosh -u root -p {} --authenticationDatabase admin", r.password())),
        ("smb", |r| put("smbclient //srv/share -U bob%{}", r.password())),
        ("net use", |r| put("net use Z: \\\\srv\\share {} /user:bob", r.password())),
        ("freerdp", |r| put("xfreerdp /v:host /u:bob /p:{} /cert:ignore", r.password())),
        ("sshpass glued", |r| put("sshpass -p{} ssh bob@host", r.password())),
        ("SSHPASS", |r| put("SSHPASS='{}' sshpass -e ssh bob@host", r.password())),
        ("openssl out", |r| put("openssl genrsa -aes256 -passout pass:{} 4096", r.password())),
        ("gpg", |r| put("gpg --batch --passphrase {} -c file", r.password())),
        ("chpasswd", |r| put("echo 'root:{}' | chpasswd", r.password())),
        ("passwd from stdin", |r| put("echo '{}' | passwd --stdin bob", r.password())),
        ("sudo from stdin", |r| put("echo {} | sudo -S apt update", r.password())),
        ("docker login from stdin", |r| {
            put("echo \"{}\" | docker login -u bob --password-stdin", r.password())
        }),
        ("keytool", |r| put("keytool -genkey -alias x -storepass {} -keystore k.jks", r.password())),
        ("keytool's key", |r| put("keytool -importkeystore -srcstorepass x -keypass {}", r.password())),
        ("keychain", |r| put("security unlock-keychain -p {} login.keychain", r.password())),
        ("keychain item", |r| put("security add-generic-password -a bob -s svc -w {}", r.password())),
        ("az login", |r| {
            put(
                "az login --service-principal -u http://app -p {} --tenant t",
                strong(r).replace(['!', '#', '*', '^', '%', '+'], "~"),
            )
        }),
        ("kubernetes registry", |r| {
            put(
                "kubectl create secret docker-registry reg --docker-username=bob --docker-password={}",
                r.password(),
            )
        }),
        ("helm", |r| put("helm upgrade db bitnami/postgresql --set auth.postgresPassword={}", r.password())),
        ("vault put", |r| put("vault kv put secret/db username=app password={}", r.password())),
        ("aws parameter", |r| {
            put("aws ssm put-parameter --name /db/pw --type SecureString --value '{}'", r.password())
        }),
        ("aws secret", |r| {
            put("aws secretsmanager create-secret --name db --secret-string '{}'", r.password())
        }),
        ("wifi", |r| put("nmcli dev wifi connect Home password {}", r.password())),
        ("wpa", |r| put("network={\n  ssid=\"Home\"\n  psk=\"{}\"\n}", r.password())),
        ("7z", |r| put("7z a -p{} -mhe=on out.7z data", r.password())),
        ("zip", |r| put("zip -r -P {} out.zip data", r.password())),
        ("restic", |r| put("RESTIC_PASSWORD={} restic backup /", r.password())),
        ("borg", |r| put("export BORG_PASSPHRASE='{}'", r.password())),
        ("qpdf", |r| put("qpdf --password={} --decrypt in.pdf out.pdf", r.password())),
        ("ansible", |r| put("ansible all -m ping -e ansible_become_pass={}", r.password())),
        ("ansible inventory", |r| put("host1 ansible_user=bob ansible_ssh_pass={}", r.password())),
        ("dotenv", |r| put("# settings\nDB_HOST=db\nDB_PASS=\"{}\"\nDB_PORT=5432", strong(r))),
        ("dotenv secret", |r| put("NODE_ENV=production\nJWT_SECRET={}\n", r.alnum(32))),
        ("django", |r| {
            put(
                "SECRET_KEY = 'django-insecure-{}'",
                r.text("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", 50).replace('%', "z"),
            )
        }),
        ("rails", |r| put("SECRET_KEY_BASE={}", r.hex(128))),
        ("laravel", |r| put("APP_KEY=base64:{}=", r.base64(43))),
        ("spring", |r| put("spring.datasource.url=jdbc:x\nspring.datasource.password={}", r.password())),
        ("toml", |r| put("[registry]\ntoken = \"{}\"\nindex = \"sparse\"", r.alnum(32))),
        ("hcl", |r| put("provider \"x\" {\n  api_token = \"{}\"\n}", r.alnum(40))),
        ("terraform variable", |r| put("TF_VAR_db_password={} terraform apply", r.password())),
        ("xml attribute", |r| put("<add name=\"x\" user=\"sa\" password=\"{}\" />", r.password())),
        ("maven settings", |r| {
            put("<server><id>x</id><username>bob</username><password>{}</password></server>", r.password())
        }),
        ("app settings", |r| put("<add key=\"ApiToken\" value=\"{}\"/>", r.alnum(32))),
        ("php define", |r| put("define('DB_PASSWORD', '{}');", r.password())),
        ("php array", |r| put("'password' => '{}',", r.password())),
        ("ruby hash", |r| put("config = { password: '{}', user: 'x' }", r.password())),
        ("ruby environment", |r| put("ENV['API_TOKEN'] = '{}'", r.alnum(32))),
        ("python environment", |r| put("os.environ[\"OPENAI_API_KEY\"] = \"{}\"", r.alnum(40))),
        ("javascript object", |r| put("new Client({ user: 'x', password: '{}' })", r.password())),
        ("go struct", |r| put("cfg := Config{Password: \"{}\", Port: 1}", r.password())),
        ("c sharp", |r| put("var options = new Options { ApiKey = \"{}\" };", r.alnum(32))),
        ("java", |r| put("private static final String API_KEY = \"{}\";", r.alnum(32))),
        ("kotlin", |r| put("val clientSecret: String = \"{}\"", r.alnum(32))),
        ("swift", |r| put("let apiKey = \"{}\"", r.alnum(32))),
        ("powershell environment", |r| put("$env:API_TOKEN = \"{}\"", r.alnum(32))),
        ("powershell password", |r| put("$password = '{}'", r.password())),
        ("cmd set", |r| put("set DB_PASSWORD={}&& run.bat", r.password())),
        ("cmd setx", |r| put("setx API_TOKEN {}", r.alnum(32))),
        ("fish", |r| put("set -gx API_TOKEN {}", r.alnum(32))),
        ("csh", |r| put("setenv API_TOKEN {}", r.alnum(32))),
        ("dockerfile", |r| put("FROM alpine\nENV API_TOKEN {}\nRUN x", r.alnum(32))),
        ("docker environment", |r| put("docker run -e POSTGRES_PASSWORD={} -d postgres", r.password())),
        ("compose", |r| put("environment:\n  - MYSQL_ROOT_PASSWORD={}\n  - X=1", r.password())),
        ("systemd", |r| put("[Service]\nEnvironment=\"API_TOKEN={}\"", r.alnum(32))),
        ("nginx", |r| put("proxy_set_header Authorization \"Bearer {}\";", r.alnum(40))),
        ("log line", |r| put("2026-11-22 10:00:00 DEBUG connecting with password={} to db", r.password())),
        ("json in a shell", |r| {
            put("curl -d '{\"username\":\"bob\",\"password\":\"{}\"}' https://x/login", r.password())
        }),
        ("form data", |r| {
            put("curl -d 'grant_type=password&username=bob&password={}' https://x/token", r.password())
        }),
        ("client credentials", |r| {
            put(
                "curl -d grant_type=client_credentials -d client_id=x -d client_secret={} https://x/token",
                r.alnum(40),
            )
        }),
        ("query parameter", |r| {
            put("curl 'https://api.example.com/v1/data?access_token={}&limit=5'", r.alnum(40))
        }),
        ("api key parameter", |r| put("curl 'https://maps.example.com/geo?q=x&key={}'", r.alnum(39))),
        ("git extra header", |r| {
            encoded("git -c http.extraHeader='Authorization: Basic {}' fetch", "x:", strong(r))
        }),
        ("git askpass address", |r| {
            put("git remote set-url origin https://oauth2:{}@gitlab.example.com/o/r.git", r.word(26))
        }),
        ("git address with a token alone", |r| {
            put("git clone https://{}@git.example.com/o/r.git", r.alnum(40))
        }),
        ("gpg in gradle", |r| put("./gradlew publish -Psigning.password={} -PossrhPassword=x", r.password())),
        ("java property", |r| put("java -Djavax.net.ssl.keyStorePassword={} -jar app.jar", r.password())),
        ("passwords in a list of users", |r| put("users:\n  - name: bob\n    passwd: {}", r.password())),
        ("grafana", |r| put("GF_SECURITY_ADMIN_PASSWORD={}", r.password())),
        ("basic address in a file of credentials", |r| put("https://bob:{}@github.example.com", r.alnum(40))),
        ("rclone", |r| put("[remote]\ntype = sftp\nuser = bob\npass = {}", r.word(30))),
        ("s3cmd", |r| put("[default]\naccess_key = x\nsecret_key = {}", r.base64(40))),
        ("snowflake", |r| put("SNOWSQL_PWD={} snowsql -q 'select 1'", r.password())),
        ("unlock a vault", |r| {
            put("bw unlock --passwordenv X; bw login bob@example.com {} --raw", strong(r))
        }),
    ]
}

pub(crate) fn harmless() -> Vec<fn(&mut Random) -> String> {
    vec![
        |r| format!("{} refs/heads/main\n{} refs/tags/v1.2.0", r.hex(40), r.hex(40)),
        |r| format!("index {}..{} 100644\n--- a/src/token.rs\n+++ b/src/token.rs", r.hex(7), r.hex(7)),
        |r| format!("      - uses: actions/checkout@{}", r.hex(40)),
        |r| {
            format!(
                "  resolved \"https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#{}\"\n  integrity sha512-{}==",
                r.hex(40),
                r.base64(86)
            )
        },
        |r| {
            format!(
                "\"node_modules/x\": {{\"version\": \"1.2.3\", \"resolved\": \"https://registry.npmjs.org/x/-/x-1.2.3.tgz\", \"integrity\": \"sha512-{}==\"}}",
                r.base64(86)
            )
        },
        |r| format!("    {{file = \"x-1.0-py3-none-any.whl\", hash = \"sha256:{}\"}},", r.hex(64)),
        |r| format!("resolution: {{integrity: sha512-{}==}}\nengines: {{node: '>=14'}}", r.base64(86)),
        |r| {
            format!(
                "source = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"{}\"",
                r.hex(64)
            )
        },
        |r| format!("requests==2.31.0 --hash=sha256:{} --hash=sha256:{}", r.hex(64), r.hex(64)),
        |r| format!("image: ghcr.io/o/r@sha256:{}", r.hex(64)),
        |r| format!("CONTAINER ID   IMAGE\n{}   nginx\n{}   redis:7", r.hex(12), r.hex(12)),
        |r| format!("+k8s:1.2 pod/api-{}-{} 1/1 Running", r.hex(9), r.text("bcdfghjklmnpqrstvwxz2456789", 5)),
        |r| format!("SHA256:{} bob@laptop (ED25519)", r.base64(43)),
        |r| format!("github.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{}", r.base64(200)),
        |r| format!("etag: W/\"{}\"\nx-request-id: {}\ncontent-md5: {}==", r.hex(32), r.uuid(), r.base64(22)),
        |r| format!("traceparent: 00-{}-{}-01", r.hex(32), r.hex(16)),
        |r| format!("<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{}\">", r.base64(400)),
        |r| format!("src: url(data:font/woff2;base64,d09GMgABAAAA{}) format('woff2')", r.base64(300)),
        |r| {
            format!(
                "//# sourceMappingURL=data:application/json;base64,{}",
                STANDARD.encode(format!(
                    "{{\"version\":3,\"sources\":[\"a{}.ts\"],\"mappings\":\"AAAA,SAAS\"}}",
                    r.digits(4)
                ))
            )
        },
        |r| {
            format!(
                "!function(e,t){{\"object\"==typeof exports?t(exports):e.a{}=t()}}(this,function(e){{var n=e.token,r=e.key;return n+r}});",
                r.hex(4)
            )
        },
        |r| {
            format!("const u=\"{}\",d=e=>e.password.length>{}&&!e.token;", r.text("abcdefgh", 5), r.below(20))
        },
        |r| format!(".token.string{{color:#{}}}.token.keyword{{color:#{}}}", r.hex(6), r.hex(6)),
        |r| {
            format!(
                "<link rel=\"stylesheet\" href=\"/main.{}.css\" integrity=\"sha384-{}\" crossorigin>",
                r.hex(8),
                r.base64(64)
            )
        },
        |_| {
            "<input type=\"password\" name=\"password\" id=\"password\" placeholder=\"Enter your password\" required>".to_owned()
        },
        |_| "<label for=\"token\">Token:</label> <span class=\"secret-hint\">shown once</span>".to_owned(),
        |_| {
            "{\"login\":{\"password\":\"Passwort\",\"forgot_password\":\"Passwort vergessen?\",\"token\":\"Zugangscode\"}}".to_owned()
        },
        |_| {
            "CREATE TABLE users (id INT, password VARCHAR(255) NOT NULL, api_token CHAR(64) UNIQUE);"
                .to_owned()
        },
        |_| {
            "password = request.form[\"password\"]\ntoken = request.headers.get(\"Authorization\")".to_owned()
        },
        |_| {
            "token := r.Header.Get(\"Authorization\")\nif token == \"\" {\n\treturn errUnauthorized\n}"
                .to_owned()
        },
        |_| "const secret = crypto.randomBytes(32).toString('hex');".to_owned(),
        |_| "let re = /password=([^&]+)/; url.replace(re, 'password=***')".to_owned(),
        |_| "tool deploy --token $(cat ~/.token) --password \"$(pass show db)\"".to_owned(),
        |_| "password: \"{{ vault_db_password }}\"\napi_key: \"{{ lookup('env', 'API_KEY') }}\"".to_owned(),
        |_| {
            "        with:\n          token: ${{ secrets.GITHUB_TOKEN }}\n          password: ${{ secrets.PYPI }}".to_owned()
        },
        |_| "valueFrom:\n  secretKeyRef:\n    name: db-credentials\n    key: password".to_owned(),
        |_| "tls:\n- secretName: example-tls-certificate\n  hosts: [example.com]".to_owned(),
        |r| {
            format!(
                "    client-certificate-data: {}",
                STANDARD.encode(format!(
                    "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n",
                    r.base64(64)
                ))
            )
        },
        |_| {
            "The password: choose a long one, and never write it down. A token: something the server gives you.".to_owned()
        },
        |_| "Note: the secret: practice every day. Key: rhythm. Credentials: none required.".to_owned(),
        |_| {
            "git commit -m 'auth: reject an empty password, token: check expiry, secret: rename field'"
                .to_owned()
        },
        |_| "error: password authentication failed for user \"postgres\"".to_owned(),
        |_| "Enter passphrase for key '/home/bob/.ssh/id_ed25519':".to_owned(),
        |_| "# token: the access token (required)\n# password: the user's password (optional)".to_owned(),
        |_| {
            "fn parse_token(token: &str) -> Result<Token, TokenError> { let secret: Vec<u8> = Vec::new(); }"
                .to_owned()
        },
        |_| "def login(user: str, password: str = None, token: Optional[str] = None) -> Session:".to_owned(),
        |_| "assert_eq!(redact(password), \"[hidden]\"); let key = map.keys().next();".to_owned(),
        |_| {
            "public string Password { get; set; } = string.Empty;\npublic string? ApiKey { get; init; }"
                .to_owned()
        },
        |_| "if (user.password !== confirmPassword) { setError('passwords do not match'); }".to_owned(),
        |_| "docker run -e POSTGRES_PASSWORD -e API_TOKEN=$API_TOKEN -p 5432:5432 postgres:16".to_owned(),
        |_| "ssh -i ~/.ssh/id_rsa -p 2222 bob@host 'cat /etc/passwd'".to_owned(),
        |_| {
            "curl -fsSL https://deb.nodesource.com/gpgkey/nodesource.gpg.key | gpg --dearmor -o k.gpg"
                .to_owned()
        },
        |_| {
            "aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text"
                .to_owned()
        },
        |_| "az keyvault secret show --vault-name kv --name db-password --query value -o tsv".to_owned(),
        |_| "op read 'op://Private/GitHub/token' && bw get password github.com".to_owned(),
        |_| "terraform output -raw db_password | pbcopy".to_owned(),
        |r| {
            format!(
                "PASS src/auth/token.test.ts ({}.{} s)\n  ✓ rejects a bad password ({} ms)",
                r.below(9),
                r.digits(3),
                r.digits(2)
            )
        },
        |r| format!("192.168.0.{}:5432:12:33:44 connected; 10.0.0.1:80:ok", r.below(250)),
        |r| format!("at 10:{}:12:345 in a.ts:{}:{}:x", 10 + r.below(40), r.below(99), r.below(99)),
        |r| format!("build/{}/index.html -> /srv/www/releases/20261122{}/", r.hex(12), r.digits(6)),
        |r| {
            format!(
                "npm install left-pad@{}.{}.{} --save-exact && npx tsc -p tsconfig.json",
                r.below(9),
                r.below(9),
                r.below(9)
            )
        },
        |r| format!("mkdir -p a/b && cp -pr src-{} dst && tar -cpf out.tar .", r.hex(6)),
        |r| {
            format!(
                "https://example.com/blog/how-to-rotate-your-api-keys-{}?utm_source=x&page={}",
                r.digits(4),
                r.below(9)
            )
        },
        |r| {
            format!(
                "{{\"sha\":\"{}\",\"node_id\":\"MDY6Q29tbWl0{}\",\"url\":\"https://api.github.com/x\"}}",
                r.hex(40),
                r.alnum(60)
            )
        },
        |r| {
            format!(
                "{{\"request_id\":\"req_{}\",\"id\":\"msg_01{}\",\"type\":\"message\"}}",
                r.alnum(24),
                r.alnum(22)
            )
        },
        |r| format!("arn:aws:secretsmanager:eu-west-1:{}:secret:prod/db-AbCdEf", r.digits(12)),
        |r| format!("projects/my-project/secrets/db-password/versions/{}", r.below(99)),
        |r| format!("0x{} transferred to 0x{}", r.hex(40), r.hex(40)),
        |r| format!("GET /static/js/chunk-{}.{}.js 200 {}ms", r.hex(8), r.hex(8), r.digits(2)),
        |r| format!("commit {}\nMerge: {} {}\nAuthor: A <a@b.c>", r.hex(40), r.hex(7), r.hex(7)),
        |r| format!("npm warn deprecated token-types@{}.0.1: use secret-keeper instead", r.below(9)),
        |r| format!("pip install 'psycopg[binary]>={}.1' pyjwt==2.{}.0", r.below(9), r.below(9)),
        |_| {
            "requirepass is set in redis.conf; the identified by clause of CREATE USER needs quotes"
                .to_owned()
        },
        |_| {
            "echo 'done: all' | tee log.txt; echo 'a:b' | cut -d: -f1; echo hello | sudo tee /etc/motd"
                .to_owned()
        },
        |_| "echo \"$PASSWORD\" | sudo -S true; echo $TOKEN | docker login -u x --password-stdin".to_owned(),
        |_| {
            "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {name: db, key: pw}\n- name: MODE\n  value: production".to_owned()
        },
        |_| "rsync -a --exclude=.env --password-file=/etc/rsync.pw src/ host::mod".to_owned(),
        |_| "kubectl create secret tls x --cert=tls.crt --key=tls.key".to_owned(),
        |_| "az login --identity; az account get-access-token -o tsv; net use; net user bob".to_owned(),
        |_| "set -x PATH /usr/bin $PATH; setenv EDITOR vim; set TOKEN_FILE=token.txt".to_owned(),
        |_| "openssl req -new -key server.key -passin file:pass.txt -out server.csr".to_owned(),
    ]
}
