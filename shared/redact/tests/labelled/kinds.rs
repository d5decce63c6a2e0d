//! Kinds of secrets, as their makers describe them. Written from the makers' documents, not from the rules.

use super::random::Random;

pub(crate) struct Made {
    /// The whole text, for kinds that live in a form of their own.
    pub(crate) text: Option<String>,
    pub(crate) secret: String,
}

pub(crate) type Maker = fn(&mut Random) -> Made;

fn bare(secret: String) -> Made {
    Made { text: None, secret }
}

/// `{}` is where the secret goes.
fn within(text: &str, secret: String) -> Made {
    Made { text: Some(text.replace("{}", &secret)), secret }
}

fn jwt(r: &mut Random) -> String {
    use base64::Engine as _;
    let engine = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let head = engine.encode(r#"{"alg":"HS256","typ":"JWT"}"#);
    let body = engine.encode(format!(r#"{{"sub":"{}","iat":1700000000}}"#, r.digits(9)));
    format!("{head}.{body}.{}", r.word(43))
}

fn pem(r: &mut Random, label: &str) -> Made {
    let lines: Vec<String> = (0..6).map(|_| r.base64(64)).collect();
    let body = lines.join("\n");
    Made {
        text: Some(format!("cat > key <<EOF\n-----BEGIN {label}-----\n{body}\n-----END {label}-----\nEOF")),
        secret: lines[2].clone(),
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn all() -> Vec<(&'static str, Maker)> {
    vec![
        ("github classic token", |r| bare(format!("ghp_{}", r.alnum(36)))),
        ("github oauth token", |r| bare(format!("gho_{}", r.alnum(36)))),
        ("github server token", |r| bare(format!("ghs_{}", r.alnum(36)))),
        ("github fine-grained token", |r| bare(format!("github_pat_{}_{}", r.alnum(22), r.alnum(59)))),
        ("gitlab personal token", |r| bare(format!("glpat-{}", r.word(20)))),
        ("gitlab runner token", |r| bare(format!("glrt-{}", r.word(20)))),
        ("gitlab trigger token", |r| bare(format!("glptt-{}", r.hex(40)))),
        ("aws access key id", |r| bare(format!("AKIA{}", r.caps(16)))),
        ("aws secret key in a profile", |r| within("[default]\naws_secret_access_key = {}", r.base64(40))),
        ("aws secret key in the environment", |r| within("AWS_SECRET_ACCESS_KEY={} aws s3 ls", r.base64(40))),
        ("google api key", |r| bare(format!("AIza{}", r.word(35)))),
        ("google client secret", |r| bare(format!("GOCSPX-{}", r.word(28)))),
        ("google oauth token", |r| bare(format!("ya29.a0{}", r.word(100)))),
        ("azure client secret", |r| bare(format!("{}8Q~{}", r.alnum(3), r.word(34)))),
        ("azure storage connection", |r| {
            within(
                "DefaultEndpointsProtocol=https;AccountName=acc;AccountKey={}==;EndpointSuffix=core.windows.net",
                r.base64(86),
            )
        }),
        ("azure shared access key", |r| {
            within(
                "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}=",
                r.base64(43),
            )
        }),
        ("slack bot token", |r| bare(format!("xoxb-{}-{}-{}", r.digits(12), r.digits(12), r.alnum(24)))),
        ("slack app token", |r| bare(format!("xapp-1-A{}-{}-{}", r.caps(10), r.digits(13), r.hex(64)))),
        ("slack webhook", |r| {
            within(
                "curl -d @- https://hooks.slack.com/services/{}",
                format!("T{}/B{}/{}", r.caps(8), r.caps(8), r.alnum(24)),
            )
        }),
        ("discord webhook", |r| {
            within("https://discord.com/api/webhooks/{}", format!("{}/{}", r.digits(18), r.word(68)))
        }),
        ("discord bot token", |r| bare(format!("M{}.{}.{}", r.alnum(23), r.word(6), r.word(38)))),
        ("telegram bot token", |r| bare(format!("{}:AA{}", r.digits(10), r.word(33)))),
        ("stripe live key", |r| bare(format!("sk_live_{}", r.alnum(24)))),
        ("stripe restricted key", |r| bare(format!("rk_live_{}", r.alnum(24)))),
        ("stripe webhook secret", |r| bare(format!("whsec_{}", r.alnum(32)))),
        ("anthropic key", |r| bare(format!("sk-ant-api03-{}AA", r.word(93)))),
        ("openai key, old", |r| bare(format!("sk-{}T3BlbkFJ{}", r.alnum(20), r.alnum(20)))),
        ("openai project key", |r| bare(format!("sk-proj-{}", r.word(120)))),
        ("openrouter key", |r| bare(format!("sk-or-v1-{}", r.hex(64)))),
        ("groq key", |r| bare(format!("gsk_{}", r.alnum(52)))),
        ("xai key", |r| bare(format!("xai-{}", r.alnum(80)))),
        ("hugging face token", |r| bare(format!("hf_{}", r.alnum(34)))),
        ("replicate token", |r| bare(format!("r8_{}", r.alnum(37)))),
        ("perplexity key", |r| bare(format!("pplx-{}", r.alnum(48)))),
        ("nvidia key", |r| bare(format!("nvapi-{}", r.word(64)))),
        ("npm token", |r| bare(format!("npm_{}", r.alnum(36)))),
        ("npm auth token in .npmrc", |r| within("//registry.npmjs.org/:_authToken={}", r.uuid())),
        ("pypi token", |r| bare(format!("pypi-AgEIcHlwaS5vcmc{}", r.word(120)))),
        ("rubygems key", |r| bare(format!("rubygems_{}", r.hex(48)))),
        ("crates.io token", |r| bare(format!("cio{}", r.alnum(32)))),
        ("nuget key", |r| bare(format!("oy2{}", r.text("abcdefghijklmnopqrstuvwxyz0123456789", 43)))),
        ("docker hub token", |r| bare(format!("dckr_pat_{}", r.word(27)))),
        ("digitalocean token", |r| bare(format!("dop_v1_{}", r.hex(64)))),
        ("databricks token", |r| bare(format!("dapi{}", r.hex(32)))),
        ("doppler token", |r| bare(format!("dp.pt.{}", r.alnum(43)))),
        ("dynatrace token", |r| bare(format!("dt0c01.{}.{}", r.caps(24), r.caps(64)))),
        ("fly.io token", |r| bare(format!("fm2_{}", r.base64(120)))),
        ("figma token", |r| bare(format!("figd_{}", r.word(40)))),
        ("grafana service account", |r| bare(format!("glsa_{}_{}", r.alnum(32), r.hex(8)))),
        ("vault token", |r| bare(format!("hvs.{}", r.word(92)))),
        ("terraform cloud token", |r| bare(format!("{}.atlasv1.{}", r.alnum(14), r.word(67)))),
        ("pulumi token", |r| bare(format!("pul-{}", r.hex(40)))),
        ("planetscale password", |r| bare(format!("pscale_pw_{}", r.word(43)))),
        ("postman key", |r| bare(format!("PMAK-{}-{}", r.hex(24), r.hex(34)))),
        ("sendgrid key", |r| bare(format!("SG.{}.{}", r.word(22), r.word(43)))),
        ("mailgun key", |r| bare(format!("key-{}", r.hex(32)))),
        ("brevo key", |r| bare(format!("xkeysib-{}-{}", r.hex(64), r.alnum(16)))),
        ("resend key", |r| bare(format!("re_{}_{}", r.alnum(8), r.alnum(24)))),
        ("twilio key", |r| bare(format!("SK{}", r.hex(32)))),
        ("shopify token", |r| bare(format!("shpat_{}", r.hex(32)))),
        ("square token", |r| bare(format!("sq0atp-{}", r.word(22)))),
        ("sonar token", |r| bare(format!("squ_{}", r.hex(40)))),
        ("sentry token", |r| bare(format!("sntryu_{}", r.hex(64)))),
        ("supabase token", |r| bare(format!("sbp_{}", r.hex(40)))),
        ("linear key", |r| bare(format!("lin_api_{}", r.alnum(40)))),
        ("notion token", |r| bare(format!("ntn_{}", r.alnum(46)))),
        ("airtable token", |r| bare(format!("pat{}.{}", r.alnum(14), r.hex(64)))),
        ("atlassian token", |r| bare(format!("ATATT3xFfGF0{}", r.word(180)))),
        ("new relic key", |r| bare(format!("NRAK-{}", r.caps(27)))),
        ("netlify token", |r| bare(format!("nfp_{}", r.alnum(36)))),
        ("hubspot token", |r| bare(format!("pat-na1-{}", r.uuid()))),
        ("tailscale key", |r| bare(format!("tskey-auth-{}-{}", r.alnum(12), r.alnum(32)))),
        ("age key", |r| bare(format!("AGE-SECRET-KEY-1{}", r.text("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)))),
        ("json web token", |r| bare(jwt(r))),
        ("rsa private key", |r| pem(r, "RSA PRIVATE KEY")),
        ("openssh private key", |r| pem(r, "OPENSSH PRIVATE KEY")),
        ("private key, cut off", |r| {
            let line = r.base64(64);
            within("-----BEGIN EC PRIVATE KEY-----\n{}", line)
        }),
        ("postgres address", |r| within("psql postgres://app:{}@db.internal:5432/main", r.password())),
        ("mongodb address", |r| {
            within("MONGO_URL=mongodb+srv://root:{}@cluster0.mongodb.net/?retryWrites=true", r.password())
        }),
        ("redis address without a user", |r| within("redis-cli -u redis://:{}@cache:6379", r.password())),
        ("git remote with a password", |r| {
            within("git clone https://deploy:{}@git.example.com/team/app.git", r.password())
        }),
        ("mysql's glued option", |r| within("mysqldump -uroot -p{} shop > shop.sql", r.password())),
        ("curl's user option", |r| within("curl -u 'admin:{}' https://internal/health", r.password())),
        ("docker login", |r| within("docker login -u ci -p {} registry.example.com", r.password())),
        ("sshpass", |r| within("sshpass -p '{}' ssh root@host uptime", r.password())),
        ("password option", |r| within("mc alias set --password {} --insecure", r.password())),
        ("PGPASSWORD", |r| within("PGPASSWORD={} psql -h db -U app", r.password())),
        ("yaml password", |r| {
            within("database:\n  user: app\n  password: \"{}\"\n  port: 5432", r.password())
        }),
        ("json password", |r| within("{\"user\":\"app\",\"password\":\"{}\"}", r.password())),
        ("odbc connection", |r| {
            within("Server=db;Database=shop;User Id=sa;Password={};Encrypt=yes", r.password())
        }),
        ("netrc", |r| within("machine api.example.com login bob password {}", r.password())),
        ("basic authorization", |r| {
            within("curl -H \"Authorization: Basic {}\" https://x.example.com", r.base64(28))
        }),
        ("x-api-key header", |r| within("curl -H 'X-Api-Key: {}' https://x.example.com", r.hex(32))),
        ("cookie header", |r| within("curl -H 'Cookie: session={}' https://x.example.com", r.hex(40))),
        ("kubernetes literal", |r| {
            within("kubectl create secret generic db --from-literal=password={}", r.password())
        }),
        ("sql user", |r| within("CREATE USER app WITH PASSWORD '{}';", r.password())),
        ("powershell secure string", |r| {
            within("ConvertTo-SecureString '{}' -AsPlainText -Force", r.password())
        }),
        ("generic client secret", |r| within("OAUTH_CLIENT_SECRET={}", r.alnum(40))),
        ("generic hex key in yaml", |r| within("datadog_api_key: {}", r.hex(32))),
        ("generic key in code", |r| within("algoliaApiKey := \"{}\"", r.hex(32))),
        ("secret in xml", |r| within("<clientSecret>{}</clientSecret>", r.alnum(32))),
        ("setProperty", |r| within("System.setProperty(\"SOME_API_TOKEN\", \"{}\");", r.alnum(32))),
    ]
}
