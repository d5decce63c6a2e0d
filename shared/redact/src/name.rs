//! Names that say that a secret follows: of variables, options, headers, fields.

use crate::class::{self, ALNUM, DIGIT};

/// What a name promises of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Promise {
    /// Nothing.
    Nothing,
    /// A key of some kind, often a harmless one: only what looks random counts.
    Perhaps,
    /// A key or token.
    Key,
    /// A password, which may be any word.
    Password,
}

/// The longest name that is looked at, without its separators.
const LONGEST: usize = 64;

/// What `name` promises; separators and case do not count.
pub(crate) fn promise(name: &[u8]) -> Promise {
    let mut folded = [0u8; LONGEST];
    let mut length = 0;
    for byte in name.iter().filter(|byte| class::is(**byte, ALNUM)) {
        if length == LONGEST {
            return Promise::Nothing;
        }
        folded[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let mut name_end = length;
    // `password2`, `token_1`.
    while name_end > 0 && class::is(folded[name_end - 1], DIGIT) {
        name_end -= 1;
    }
    let found =
        (0..name_end).map(|at| starts(&folded[at..name_end], at == 0)).max().unwrap_or(Promise::Nothing);
    if found == Promise::Nothing || about_a_secret(&folded[..name_end]) {
        return Promise::Nothing;
    }
    found
}

/// What the words say that start here; `first` where the name begins.
#[inline]
fn starts(rest: &[u8], first: bool) -> Promise {
    let says = |word: &str| rest.starts_with(word.as_bytes());
    match rest[0] {
        b'p' => {
            if says("password") || says("passwd") || says("passphrase") || says("passwort") {
                Promise::Password
            } else if rest == b"pass" || rest == b"pwd" || rest == b"psk" || says("passcode") {
                if rest == b"pwd" && first { Promise::Nothing } else { Promise::Password }
            } else if says("privatekey") || rest == b"pat" && !first {
                Promise::Key
            } else {
                Promise::Nothing
            }
        }
        b's' => {
            if rest == b"secretstring" {
                // A secret manager's word for the secret itself.
                Promise::Password
            } else if says("secret")
                || says("signingkey")
                || says("sharedkey")
                || says("storagekey")
                || says("sshkey")
                || says("sessionkey")
                || says("serverkey")
                || says("servicekey")
                || says("subscriptionkey")
            {
                Promise::Key
            } else if rest == b"sig"
                || rest == b"signature"
                || says("sessionid")
                || rest == b"sid"
                || rest == b"salt"
            {
                Promise::Perhaps
            } else {
                Promise::Nothing
            }
        }
        b't' if says("token") => Promise::Key,
        b'a' => {
            if says("apikey")
                || says("accesskey")
                || says("authkey")
                || says("accountkey")
                || says("apisecret")
                || says("appkey")
                || says("adminkey")
                || says("authorization")
            {
                Promise::Key
            } else if rest == b"auth" || rest == b"api" || rest == b"access" || rest == b"apis" {
                Promise::Perhaps
            } else {
                Promise::Nothing
            }
        }
        b'c' if says("credential") || says("cookie") || says("connectionstring") || says("clientkey") => {
            Promise::Key
        }
        b'c' if rest == b"creds" || rest == b"client" || rest == b"code" && !first => Promise::Perhaps,
        b'e' if says("encryptionkey") || says("encryptkey") => Promise::Key,
        b'm' if says("masterkey") => Promise::Key,
        b'd' if says("decryptionkey") || says("deploykey") => Promise::Key,
        b'l' if says("licensekey") => Promise::Key,
        b'w' if rest == b"webhook" => Promise::Perhaps,
        b'k' if rest == b"key" => Promise::Perhaps,
        b'b' if says("bearer") => Promise::Key,
        _ => Promise::Nothing,
    }
}

/// Whether the name is of something about a secret, or of a key that is no secret.
fn about_a_secret(name: &[u8]) -> bool {
    let ends = |word: &str| name.ends_with(word.as_bytes());
    let begins = |word: &str| name.starts_with(word.as_bytes());
    let last = name.last().copied().unwrap_or_default();
    (match last {
        b'e' => {
            ends("type")
                || ends("name")
                || ends("file")
                || ends("size")
                || ends("mode")
                || ends("store")
                || ends("age")
                || ends("rule")
                || ends("source")
                || ends("usage")
                || ends("cache")
                || ends("scope")
                || ends("template")
                || ends("role")
                || ends("table")
                || ends("date")
                || ends("space")
                || ends("module")
                || ends("line")
                || ends("ontime")
                || ends("update")
                || ends("create")
                || ends("rotate")
                || ends("image")
        }
        b'h' => {
            ends("path")
                || ends("length")
                || ends("hash")
                || ends("refresh")
                || ends("width")
                || ends("fetch")
        }
        b'l' => {
            ends("url") || ends("ttl") || ends("label") || ends("email") || ends("protocol") || ends("model")
        }
        b'i' => ends("uri"),
        b'd' => {
            ends("keyid")
                || ends("tokenid")
                || ends("secretid")
                || ends("enabled")
                || ends("required")
                || ends("field")
                || ends("passwordid")
                || ends("credentialid")
                || ends("expired")
                || ends("method")
        }
        b't' => {
            ends("count")
                || ends("limit")
                || ends("prompt")
                || ends("hint")
                || ends("format")
                || ends("timeout")
                || ends("endpoint")
                || ends("budget")
                || ends("set")
                || ends("object")
                || ends("list")
                || ends("text")
                || ends("input")
                || ends("output")
                || ends("result")
                || ends("event")
                || ends("reset")
                || ends("agent")
        }
        b'n' => {
            ends("version")
                || ends("expiration")
                || ends("region")
                || ends("pattern")
                || ends("arn")
                || ends("option")
                || ends("description")
                || ends("location")
                || ends("action")
                || ends("rotation")
                || ends("column")
                || ends("function")
                || ends("min")
                || ends("authentication")
                || ends("extension")
        }
        b'y' => {
            ends("policy")
                || ends("expiry")
                || ends("publickey")
                || ends("primarykey")
                || ends("foreignkey")
                || ends("cachekey")
                || ends("sortkey")
                || ends("partitionkey")
                || ends("hashkey")
                || ends("rangekey")
                || ends("idempotencykey")
                || ends("objectkey")
                || ends("rowkey")
                || ends("hotkey")
                || ends("registry")
                || ends("strategy")
                || ends("recvkey")
                || ends("category")
                || ends("directory")
                || ends("history")
                || ends("sitekey")
                || ends("monkey")
                || ends("turkey")
                || ends("routekey")
                || ends("messagekey")
                || ends("artifactkey")
                || ends("restorekey")
        }
        b'r' => {
            ends("provider")
                || ends("manager")
                || ends("number")
                || ends("server")
                || ends("dir")
                || ends("folder")
                || ends("env")
                || ends("var")
                || ends("header")
                || ends("parser")
                || ends("helper")
                || ends("owner")
                || ends("user")
                || ends("handler")
                || ends("driver")
                || ends("counter")
                || ends("char")
        }
        b's' => {
            ends("tokens")
                || ends("secrets")
                || ends("keys")
                || ends("attempts")
                || ends("passwords")
                || ends("uses")
                || ends("options")
                || ends("expires")
                || ends("bytes")
                || ends("rules")
                || ends("status")
                || ends("address")
                || ends("class")
                || ends("compass")
                || ends("bypass")
                || ends("trespass")
                || ends("surpass")
                || ends("settings")
                || ends("requirements")
                || ends("params")
                || ends("chars")
        }
        b'g' => {
            ends("keyring")
                || ends("encoding")
                || ends("config")
                || ends("length")
                || ends("tag")
                || ends("flag")
                || ends("string") && !ends("connectionstring") && !ends("secretstring")
        }
        b'x' => ends("regex") || ends("index") || ends("max") || ends("prefix") || ends("suffix"),
        b'v' => ends("env"),
        b'f' => ends("ref"),
        b'm' => ends("param") || ends("form") || ends("algorithm") || ends("item"),
        b'k' => ends("check") || ends("callback") || ends("hook") && !ends("webhook"),
        _ => false,
    }) || begins("max")
        || begins("min")
        || begins("num")
        || begins("total")
        || begins("public")
        || begins("forgot")
        || begins("nopass")
        || begins("tokeniz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_promise_what_people_put_under_them() {
        for name in [
            "DB_PASSWORD",
            "--password",
            "mysqlRootPassword",
            "PGPASSWORD",
            "user.passwd",
            "SMTP_PASS",
            "db_pwd",
        ] {
            assert_eq!(promise(name.as_bytes()), Promise::Password, "{name}");
        }
        for name in [
            "api_key",
            "apiKey",
            "X-Api-Key",
            "GITHUB_TOKEN",
            "client_secret",
            "AccountKey",
            "token2",
            "_authToken",
        ] {
            assert_eq!(promise(name.as_bytes()), Promise::Key, "{name}");
        }
        for name in ["key", "adafruit_key", "auth", "sig"] {
            assert_eq!(promise(name.as_bytes()), Promise::Perhaps, "{name}");
        }
        for name in [
            "max_tokens",
            "token_count",
            "password_file",
            "secret_name",
            "SecretId",
            "public_key",
            "cache-key",
            "keyboard",
            "monkey",
            "author",
            "PWD",
            "password_hash",
            "tokenizer",
            "passwordPolicy",
            "secrets",
            "compass",
            "path",
        ] {
            assert_eq!(promise(name.as_bytes()), Promise::Nothing, "{name}");
        }
    }
}
