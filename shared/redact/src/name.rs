//! Names that say that a secret follows: of variables, options, headers, fields.

use crate::class::{self, ALNUM, DIGIT};

/// What a name promises of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Promise {
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
        // Longer than any name; and nothing is allocated for a word that is none.
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

/// Where in a name a word must stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Anywhere.
    Within,
    /// At the name's end.
    AtEnd,
    /// At the name's end, and not alone: the shell's own PWD is the folder.
    AtEndOnly,
}

use Promise::{Key, Password, Perhaps};
use Stands::{AtEnd, AtEndOnly, Within};

/// What words in a name promise, sorted. A shorter word that begins another one stands before it; each is looked at.
const WORDS: [(&str, Stands, Promise); 73] = [
    ("access", AtEnd, Perhaps),
    ("accesskey", Within, Key),
    ("accountkey", Within, Key),
    ("adminkey", Within, Key),
    ("api", AtEnd, Perhaps),
    ("apikey", Within, Key),
    ("apis", AtEnd, Perhaps),
    ("apisecret", Within, Key),
    ("appkey", Within, Key),
    ("auth", AtEnd, Perhaps),
    ("authkey", Within, Key),
    ("authorization", Within, Key),
    ("bearer", Within, Key),
    ("bwsession", Within, Key),
    ("certificatekey", Within, Key),
    ("client", AtEnd, Perhaps),
    ("clientkey", Within, Key),
    ("code", AtEndOnly, Perhaps),
    ("connectionstring", Within, Key),
    ("cookie", Within, Key),
    ("credential", Within, Key),
    ("creds", AtEnd, Perhaps),
    ("decryptionkey", Within, Key),
    ("deploykey", Within, Key),
    ("dsn", AtEnd, Perhaps),
    ("encryptionkey", Within, Key),
    ("encryptkey", Within, Key),
    ("fernetkey", Within, Key),
    ("hmackey", Within, Key),
    ("ingestkey", Within, Key),
    ("integrationkey", Within, Key),
    ("key", AtEnd, Perhaps),
    ("licensekey", Within, Key),
    ("masterkey", Within, Key),
    ("mnemonic", Within, Password),
    ("otpseed", AtEnd, Password),
    ("pass", AtEnd, Password),
    ("passcode", Within, Password),
    ("passphrase", Within, Password),
    ("passwd", Within, Password),
    ("password", Within, Password),
    ("passwort", Within, Password),
    ("pat", AtEndOnly, Key),
    ("privatekey", Within, Key),
    ("psk", AtEnd, Password),
    ("pwd", AtEndOnly, Password),
    ("recoverykey", Within, Key),
    ("recoveryphrase", Within, Password),
    ("rootkey", Within, Key),
    ("salt", AtEnd, Perhaps),
    ("secret", Within, Key),
    ("secretstring", AtEnd, Password),
    ("seed", AtEnd, Perhaps),
    ("seedphrase", Within, Password),
    ("serverkey", Within, Key),
    ("servicekey", Within, Key),
    ("session", AtEnd, Perhaps),
    ("sessionid", Within, Perhaps),
    ("sessionkey", Within, Key),
    ("sharedkey", Within, Key),
    ("sid", AtEnd, Perhaps),
    ("sig", AtEnd, Perhaps),
    ("signature", AtEnd, Perhaps),
    ("signingkey", Within, Key),
    ("sshkey", Within, Key),
    ("storagekey", Within, Key),
    ("subscriptionkey", Within, Key),
    ("sudopass", Within, Key),
    ("token", Within, Key),
    ("unsealkey", Within, Key),
    ("webhook", AtEnd, Perhaps),
    ("webhookurl", Within, Key),
    ("writekey", Within, Key),
];

/// Ends of names that are about a secret, or of a key that is not one, sorted by their last letters.
const ABOUT: [&str; 165] = [
    "credentialid",
    "enabled",
    "expired",
    "field",
    "keyid",
    "method",
    "passwordid",
    "required",
    "secretid",
    "tokenid",
    "age",
    "cache",
    "create",
    "date",
    "file",
    "image",
    "line",
    "mode",
    "module",
    "name",
    "ontime",
    "role",
    "rotate",
    "rule",
    "scope",
    "size",
    "source",
    "space",
    "store",
    "table",
    "template",
    "type",
    "update",
    "usage",
    "ref",
    "config",
    "encoding",
    "flag",
    "keyring",
    "string",
    "tag",
    "fetch",
    "hash",
    "length",
    "path",
    "refresh",
    "width",
    "uri",
    "callback",
    "check",
    "hook",
    "email",
    "label",
    "model",
    "protocol",
    "ttl",
    "url",
    "algorithm",
    "form",
    "item",
    "param",
    "action",
    "arn",
    "authentication",
    "column",
    "description",
    "expiration",
    "extension",
    "function",
    "location",
    "min",
    "option",
    "pattern",
    "region",
    "rotation",
    "stdin",
    "version",
    "char",
    "counter",
    "dir",
    "driver",
    "folder",
    "handler",
    "header",
    "helper",
    "manager",
    "number",
    "owner",
    "parser",
    "provider",
    "server",
    "user",
    "var",
    "address",
    "attempts",
    "bypass",
    "bytes",
    "chars",
    "class",
    "compass",
    "expires",
    "keys",
    "options",
    "params",
    "passwords",
    "requirements",
    "rules",
    "secrets",
    "settings",
    "status",
    "surpass",
    "tokens",
    "trespass",
    "uses",
    "agent",
    "budget",
    "count",
    "endpoint",
    "event",
    "format",
    "hint",
    "input",
    "limit",
    "list",
    "object",
    "output",
    "prompt",
    "reset",
    "result",
    "set",
    "text",
    "timeout",
    "env",
    "index",
    "max",
    "prefix",
    "regex",
    "suffix",
    "artifactkey",
    "cachekey",
    "category",
    "directory",
    "expiry",
    "foreignkey",
    "hashkey",
    "history",
    "hotkey",
    "idempotencykey",
    "messagekey",
    "monkey",
    "objectkey",
    "partitionkey",
    "policy",
    "primarykey",
    "publickey",
    "rangekey",
    "recvkey",
    "registry",
    "restorekey",
    "routekey",
    "rowkey",
    "sitekey",
    "sortkey",
    "strategy",
    "turkey",
];

/// Beginnings of such names.
const ABOUT_FIRST: [&str; 8] = ["max", "min", "num", "total", "public", "forgot", "nopass", "tokeniz"];

/// What the words say that start here; `first` where the name begins.
#[inline]
fn starts(rest: &[u8], first: bool) -> Promise {
    // Most of a name costs one look at this.
    let letter = usize::from(rest[0].wrapping_sub(b'a'));
    let (Some(from), Some(to)) = (STARTS.get(letter), STARTS.get(letter + 1)) else {
        return Promise::Nothing;
    };
    let said = WORDS[usize::from(*from)..usize::from(*to)].iter().filter(|(word, stands, _)| {
        rest.starts_with(word.as_bytes())
            && match stands {
                Within => true,
                AtEnd => rest.len() == word.len(),
                AtEndOnly => rest.len() == word.len() && !first,
            }
    });
    said.map(|(.., promise)| *promise).max().unwrap_or(Promise::Nothing)
}

/// Where in the table the words with each first letter start.
static STARTS: [u8; 27] = word_starts();

#[expect(clippy::cast_possible_truncation, reason = "the table is much shorter")]
const fn word_starts() -> [u8; 27] {
    let mut starts = [WORDS.len() as u8; 27];
    let mut at = WORDS.len();
    while at > 0 {
        at -= 1;
        let mut letter = (WORDS[at].0.as_bytes()[0] - b'a') as usize + 1;
        while letter > 0 && starts[letter - 1] as usize > at {
            letter -= 1;
            starts[letter] = at as u8;
        }
    }
    starts
}

/// Whether the name is of something about a secret, or of a key that is not one.
fn about_a_secret(name: &[u8]) -> bool {
    let Some(last) = name.last() else { return false };
    // Sorted by the last letter, so that most names are compared with a few ends.
    let from = ABOUT.partition_point(|word| word.as_bytes()[word.len() - 1] < *last);
    let same = ABOUT[from..].iter().take_while(|word| word.as_bytes().last() == Some(last));
    let ends = same.clone().any(|word| name.ends_with(word.as_bytes()));
    // What ends like that and is a secret all the same.
    let secret = [&b"webhook"[..], b"connectionstring", b"secretstring", b"webhookurl"]
        .iter()
        .any(|word| name.ends_with(word));
    ends && !secret || ABOUT_FIRST.iter().any(|word| name.starts_with(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(WORDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let last = |word: &str| word.as_bytes()[word.len() - 1];
        assert!(ABOUT.windows(2).all(|pair| (last(pair[0]), pair[0]) < (last(pair[1]), pair[1])));
    }

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
