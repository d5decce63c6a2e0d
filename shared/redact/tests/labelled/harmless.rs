//! Strings that look like secrets and are not.

use super::random::Random;

pub(crate) type Maker = fn(&mut Random) -> String;

pub(crate) fn all() -> Vec<Maker> {
    vec![
        |r| format!("git show {} --stat", r.hex(40)),
        |r| format!("git cherry-pick {}..{}", r.hex(12), r.hex(12)),
        |r| format!("docker pull alpine@sha256:{}", r.hex(64)),
        |r| format!("\"integrity\": \"sha512-{}==\"", r.base64(86)),
        |r| format!("golang.org/x/text v0.{}.0 h1:{}=", r.below(40), r.base64(43)),
        |r| format!("checksum = \"{}\"", r.hex(64)),
        |r| format!("sha256sum -c <<< '{}  archive.tar.gz'", r.hex(64)),
        |r| format!("kubectl get pod web-{}-{} -o yaml", r.hex(10), r.text("bcdfghjklmnpqrstvwxz2456789", 5)),
        |r| format!("DELETE FROM sessions WHERE id = '{}'", r.uuid()),
        |r| format!("{{\"id\":\"{}\",\"tool_use_id\":\"toolu_01{}\"}}", r.uuid(), r.alnum(22)),
        |r| format!("aws s3 cp s3://bucket/{}/{}.json .", r.uuid(), r.hex(16)),
        |r| format!("arn:aws:iam::{}:role/deploy-role", r.digits(12)),
        |r| format!("curl https://example.com/api/v{}/users?page={}&limit=50", r.below(9), r.below(99)),
        |r| format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{} bob@laptop", r.base64(43)),
        |r| format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", r.base64(64)),
        |r| format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----", r.base64(64)),
        |r| format!("max_tokens={} temperature=0.{}", r.digits(4), r.below(9)),
        |r| format!("{{\"input_tokens\":{},\"output_tokens\":{}}}", r.digits(5), r.digits(4)),
        |_| "export GITHUB_TOKEN=$(gh auth token)".to_owned(),
        |r| format!("PASSWORD=\"${{DB_PASSWORD_{}}}\" ./run.sh", r.below(9)),
        |_| "curl -H \"Authorization: Bearer $TOKEN\" https://api.example.com".to_owned(),
        |_| "curl -u \"$USER:$PASS\" https://api.example.com".to_owned(),
        |_| "password = os.environ[\"DB_PASSWORD\"]".to_owned(),
        |_| "const token = process.env.GITHUB_TOKEN;".to_owned(),
        |_| "token = self.tokenizer.next_token()".to_owned(),
        |_| "let secret = config.get_secret(\"name\")?;".to_owned(),
        |_| "api_key: ${{ secrets.API_KEY }}".to_owned(),
        |_| "password: <your-password>".to_owned(),
        |_| "API_KEY=your_api_key_here".to_owned(),
        |r| format!("GITHUB_TOKEN=ghp_{}", "x".repeat(36 + r.below(4))),
        |_| "export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE".to_owned(),
        |_| "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx".to_owned(),
        |_| "mysql -u root -p shop < dump.sql".to_owned(),
        |r| format!("docker run -p {}:80 -p 127.0.0.1:{}:443 nginx", r.digits(4), r.digits(4)),
        |r| format!("mkdir -p build/{}/out && cp -p a b", r.hex(8)),
        |_| "git commit -m 'Rotate the api key: use the vault instead of passwords'".to_owned(),
        |_| "grep -rn 'password' src | grep -v test".to_owned(),
        |_| "rg -i 'secret|token|api_key' --type py".to_owned(),
        |_| "kubectl get secret db-credentials -o jsonpath='{.data.password}'".to_owned(),
        |_| "gh secret set NPM_TOKEN < token.txt".to_owned(),
        |_| "vault kv get -field=password secret/database".to_owned(),
        |_| "--token-type bearer --password-file /run/secrets/db --key-id alias/main".to_owned(),
        |r| format!("npm run build -- --cache-key node-modules-{}", r.hex(40)),
        |r| format!("restore-keys: linux-cargo-{}", r.hex(16)),
        |r| format!("gpg --recv-keys 0x{}", r.hex(16).to_uppercase()),
        |r| format!("cargo install ripgrep --version 1{}.{}.0 --locked", r.below(9), r.below(9)),
        |r| format!("def hash_{}(value): return hashlib.sha256(value.encode()).hexdigest()", r.hex(6)),
        |r| format!("cd /nix/store/{}-hello-2.12", r.text("0123456789abcdfghijklmnpqrsvwxyz", 32)),
        |r| {
            format!(
                "/Users/bob/Library/Developer/Xcode/DerivedData/App-{}/Build",
                r.text("abcdefghijklmnopqrstuvwxyz", 28)
            )
        },
        |r| format!("background: url(data:image/png;base64,iVBORw0KGgo{})", r.base64(120)),
        |r| format!("class=\"sk-fading-circle sk-circle-{} task-runner-container-main\"", r.below(12)),
        |r| format!("trace_id={} span_id={}", r.hex(32), r.hex(16)),
        |r| {
            format!(
                "2026-11-2{}T10:30:0{}.123456Z INFO request id={} took 12ms",
                r.below(9),
                r.below(9),
                r.uuid()
            )
        },
        |r| format!("http://localhost:{}/health and https://user@host.example.com/repo.git", r.digits(4)),
        |r| format!("npx create-react-app@{}.0.0 my-app && cd my-app", r.below(9)),
        |r| format!("rsync -avz --partial src/ bob@10.0.0.{}:/srv/www/", r.below(250)),
        |r| format!("Author: Bob <bob@example.com>\nDate: Mon Nov 2{} 10:30 2026", r.below(9)),
        |r| format!("primary_key: user_{} foreign_key: order_{}", r.digits(6), r.digits(6)),
        |r| format!("terraform import aws_instance.web i-{}", r.hex(17)),
        |r| format!("gcloud compute instances list --project my-project-{}", r.digits(6)),
        |_| "Enter password: \nLogin successful. Your session expires in 3600 seconds.".to_owned(),
        |_| "if (!password || password.length < 12) throw new Error('password too short');".to_owned(),
        |_| "type Token = { kind: TokenKind; value: string }; const tokens: Token[] = [];".to_owned(),
        |_| "interface Auth { accessToken: string; refreshToken?: string; apiKey: string | null }".to_owned(),
        |_| "SELECT username, password_hash FROM users WHERE api_key IS NOT NULL".to_owned(),
        |_| "openssl rand -hex 32 > secret.key && chmod 600 secret.key".to_owned(),
        |_| {
            "echo \"$REGISTRY_PASSWORD\" | docker login -u ci --password-stdin registry.example.com"
                .to_owned()
        },
        |r| format!("sed -i 's/token_{}/token_{}/g' lexer.rs", r.below(99), r.below(99)),
        |r| {
            format!(
                "python -m pytest tests/test_auth.py::test_token_{} -k 'password and not slow'",
                r.below(99)
            )
        },
        |_| "pub fn access_key(&self) -> Option<&str> { self.access_key.as_deref() }".to_owned(),
        |r| format!("https://cdn.example.com/assets/main.{}.js?v={}", r.hex(20), r.digits(10)),
        |r| {
            format!("echo {} | base64 -d", {
                use base64::Engine as _;
                base64::engine::general_purpose::STANDARD
                    .encode(format!("hello world number {}", r.digits(8)))
            })
        },
        |r| format!("https://example.com/search?q={}%20and%20more%3A{}", r.text("abcdefgh", 8), r.digits(3)),
        |_| {
            "auth: none\nauthor: bob\nauthority: https://login.example.com/\nauthentication: required"
                .to_owned()
        },
    ]
}
