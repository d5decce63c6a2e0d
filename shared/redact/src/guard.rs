//! What only looks like a secret: placeholders, references to variables, words, and other strings that people chose.

use crate::class::{self, ALNUM, DASH, DIGIT, DOT, LOW_LINE, LOWER, UPPER};

/// Whether a string stands for a secret instead of being one: a variable, a template, stars, or "changeme".
pub(crate) fn is_placeholder(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((&first, &last)) = bytes.first().zip(bytes.last()) else { return true };
    let reference = matches!(first, b'$' | b'%' | b'@')
        && bytes.len() > 1
        && class::is(bytes[1], ALNUM | LOW_LINE)
        // `%NAME%` of cmd; a `%` alone may begin a percent-encoded secret.
        && (first != b'%' || last == b'%')
        || text.starts_with("${")
        || text.starts_with("$(")
        || text.starts_with("$env:")
        || text.starts_with("{{")
        || text.starts_with("@{")
        || first == b'`'
        || (first == b'<' && last == b'>')
        || (first == b'[' && last == b']')
        || (first == b'{' && last == b'}')
        // A format's `%s`.
        || (first == b'%' && bytes.len() <= 3)
        || text.contains("{{")
        || text.contains("${")
        || text.contains("[REDACTED")
        || text.contains("...")
        || text.contains('…');
    reference || is_filler(bytes) || is_known(text) || is_public(text) || is_elsewhere(text)
}

/// Whether a key is for everyone: for browsers, and for what they send.
pub(crate) fn is_public(text: &str) -> bool {
    ["pk_live_", "pk_test_", "phc_", "sb_publishable_", "pk.eyJ", "pk-lf-"]
        .iter()
        .any(|prefix| text.starts_with(prefix))
}

/// Whether a value says where the secret is: `env:NAME`, `file:…`, `op://…`, `id=npm,src=…`.
fn is_elsewhere(text: &str) -> bool {
    // The first three are regular expressions that look for a secret.
    [".*", "(.*", "[^", "env:", "file:", "fd:", "fileb:", "op://", "ref+", "id=", "type=", "vault:secret/"]
        .iter()
        .any(|prefix| text.starts_with(prefix))
}

/// One character over and over, or counting up: `xxxx`, `****`, `00000000`, `12345678`.
fn is_filler(bytes: &[u8]) -> bool {
    let different = distinct(bytes);
    // No key is made of two characters.
    if different <= 2 {
        return true;
    }
    // `xxxx-xxxx-xxxx` and `XXXXXXXXab`.
    let stars = bytes.iter().filter(|byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'0')).count();
    stars * 3 >= bytes.len() * 2
}

/// Words that documents put where a secret belongs.
fn is_known(text: &str) -> bool {
    // No such word is longer, and nothing is allocated for each candidate.
    let mut folded = [0u8; 48];
    let mut length = 0;
    for byte in text.bytes().filter(|byte| class::is(*byte, ALNUM)) {
        if length == folded.len() {
            return false;
        }
        folded[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let Some(word) = folded.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
        return false;
    };
    let says = |part: &str| word.contains(part);
    matches!(
        word,
        "password"
            | "passwd"
            | "pass"
            | "pwd"
            | "secret"
            | "token"
            | "null"
            | "none"
            | "nil"
            | "true"
            | "false"
            | "undefined"
            | "string"
            | "username"
            | "user"
            | "changeme"
            | "changeit"
            | "todo"
            | "tbd"
            | "example"
            | "test"
            | "testing"
            | "default"
            | "optional"
            | "required"
            | "value"
            | "key"
            | "apikey"
            | "dummy"
            | "passphrase"
            | "mypassword"
            | "newpassword"
            | "oldpassword"
            | "userpassword"
            | "accesstoken"
            | "secretkey"
            | "mysecret"
            | "mytoken"
            | "hidden"
            | "masked"
            | "redacted"
            | "removed"
            | "prompt"
            | "stdin"
            | "ask"
            | "file"
            | "env"
            | "environment"
            | "inherit"
            | "write"
            | "read"
            | "admin"
            | "basic"
            | "bearer"
    ) || says("your")
        || says("placeholder")
        || says("replaceme")
        || says("changeme")
        || says("redacted")
        || says("insert")
        || says("example")
        || says("goeshere")
        || says("notasecret")
        || says("fakefake")
        || (word.ends_with("name") && length <= 24)
        || (word.starts_with("my")
            && (word.ends_with("password") || word.ends_with("secret") || word.ends_with("token")))
        || (length <= 20 && word.ends_with("password") || word.starts_with("password") && length <= 10)
}

/// How many different bytes there are.
pub(crate) fn distinct(bytes: &[u8]) -> u32 {
    let mut seen = [0u64; 4];
    for byte in bytes {
        seen[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    seen.iter().map(|word| word.count_ones()).sum()
}

/// Whether a machine made the text: letters and digits mixed, and not words with numbers between them.
pub(crate) fn is_random(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = bytes.iter().filter(|byte| class::is(**byte, DIGIT)).count();
    let letters = bytes.iter().filter(|byte| class::is(**byte, LOWER | UPPER)).count();
    if bytes.len() < 12 || digits == 0 || letters < 3 || distinct(bytes) < 8 {
        return false;
    }
    alternates(bytes) || has_many_numbers(bytes) || !is_words(bytes)
}

/// Whether numbers stand in so many places of one long word that no one thought of it.
fn has_many_numbers(bytes: &[u8]) -> bool {
    let has = |classes| bytes.iter().any(|byte| class::is(*byte, classes));
    let digit = |byte: u8| class::is(byte, DIGIT);
    let runs = bytes.windows(2).filter(|pair| digit(pair[0]) && !digit(pair[1])).count();
    let most = if has(LOWER) && has(UPPER) { 2 } else { 3 };
    bytes.len() >= 16 && runs >= most && class::run(bytes, ALNUM) == bytes.len()
}

/// Whether small letters, capitals and digits change so often that no words are in it.
pub(crate) fn alternates(bytes: &[u8]) -> bool {
    let kind = |byte: u8| class::of(byte) & (LOWER | UPPER | DIGIT);
    let changes = bytes.windows(2).filter(|pair| {
        let (before, after) = (kind(pair[0]), kind(pair[1]));
        // A capital before small letters belongs to their word.
        before != 0 && after != 0 && before != after && !(before == UPPER && after == LOWER)
    });
    // Of random letters and digits nearly half change like that, of words with numbers between them few do.
    bytes.len() >= 16 && changes.count() * 20 >= bytes.len() * 7
}

/// Whether most letters stand in runs that a person could have written: `my-service-2024-backup`, `us-east-1`.
fn is_words(bytes: &[u8]) -> bool {
    let mut in_words = 0;
    let mut changes = 0;
    let mut at = 0;
    while at < bytes.len() {
        let run = class::run(&bytes[at..], if class::is(bytes[at], UPPER) { UPPER } else { LOWER });
        if run == 0 {
            at += 1;
            continue;
        }
        // A capital before small letters belongs to their word.
        let tail =
            if run == 1 && class::is(bytes[at], UPPER) { class::run(&bytes[at + 1..], LOWER) } else { 0 };
        let word = &bytes[at..at + run + tail];
        if word.len() >= 3 && pronounceable(word) {
            in_words += word.len();
        }
        changes += 1;
        at += word.len();
    }
    let letters = bytes.iter().filter(|byte| class::is(**byte, LOWER | UPPER)).count();
    changes == 0 || in_words * 10 >= letters * 7
}

/// Whether a run of letters has vowels about where a language puts them.
fn pronounceable(word: &[u8]) -> bool {
    let vowel = |byte: &u8| matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let vowels = word.iter().filter(|byte| vowel(byte)).count();
    let mut longest = 0;
    let mut current = 0;
    for byte in word {
        current = if vowel(byte) { 0 } else { current + 1 };
        longest = longest.max(current);
    }
    let rare =
        word.iter().filter(|byte| matches!(byte.to_ascii_lowercase(), b'q' | b'x' | b'z' | b'j')).count();
    vowels * 6 >= word.len() && longest <= 4 && rare * 5 <= word.len()
}

/// Whether a string, given under the name of a key or token, may well be one.
pub(crate) fn may_be_key(text: &str, quoted: bool) -> bool {
    let bytes = text.as_bytes();
    // Between quotes, what a machine made is not code, whatever signs are in it.
    let made = quoted && is_random(text) && !text.contains(' ') && !text.contains("://");
    if bytes.len() < 8 || is_placeholder(text) || (!made && is_expression(text)) {
        return false;
    }
    let has = |classes| bytes.iter().any(|byte| class::is(*byte, classes));
    let (digit, lower, upper) = (has(DIGIT), has(LOWER), has(UPPER));
    if !has(LOWER | UPPER) {
        // Only digits and symbols: long numbers are keys, short ones are counts, sizes and dates.
        return digit && (bytes.len() >= 16 || (quoted && bytes.len() >= 10 && distinct(bytes) >= 6));
    }
    if bytes.len() >= 16 && is_random(text) {
        return true;
    }
    if is_words(bytes) {
        // Words that people put together: only if they end in digits or symbols, as passwords do.
        return false;
    }
    digit || (lower && upper && bytes.len() >= 12) || bytes.len() >= 20
}

/// Whether a string, given as a password, may well be one. People choose words: only what cannot be a password is out.
pub(crate) fn may_be_password(text: &str, quoted: bool, shell: bool) -> bool {
    let bytes = text.as_bytes();
    // Shorter ones cannot be distinguished from flags and counts.
    if bytes.len() < 4 || is_placeholder(text) || is_label(text) {
        return false;
    }
    let plain = bytes.iter().all(|byte| class::is(*byte, LOWER | UPPER | LOW_LINE | DOT | DASH));
    if quoted || shell {
        // Paths to files that hold the password.
        return !is_path(text);
    }
    // Without quotes and outside a shell, a plain word is the name of a variable.
    !plain && !is_expression(text)
}

/// Whether a string is what a form shows for a password, and none: `Forgot your password?`, `Passwort`.
fn is_label(text: &str) -> bool {
    let letters =
        |c: char| c.is_alphabetic() || matches!(c, ' ' | '?' | '!' | '.' | ',' | '\'' | '’' | '-' | ':');
    let mut chars = text.chars();
    let capital = chars.next().is_some_and(char::is_uppercase);
    if !capital || !text.chars().all(letters) {
        return false;
    }
    let folded = text.to_lowercase();
    let word = [
        "passw",
        "contrase",
        "mot de passe",
        "senha",
        "wachtwoord",
        "parola",
        "lösenord",
        "kennwort",
        "пароль",
    ];
    word.iter().any(|word| folded.contains(word))
        || (text.contains(' ') && text.ends_with(['?', '.', ':', '!']))
}

/// Whether a string is the path of a file. Secrets in base64 may start with a slash, too.
fn is_path(text: &str) -> bool {
    let rooted = ["/", "./", "~/", "../"].iter().any(|root| text.starts_with(root));
    text.contains("path/to") || rooted && !(text.len() >= 24 && !text.contains('.') && is_random(text))
}

/// Whether a string is program code that fetches a value: a call, an index, a member.
pub(crate) fn is_expression(text: &str) -> bool {
    let bytes = text.as_bytes();
    if text.contains('(') || text.contains("::") || text.contains("->") || text.contains('[') {
        return true;
    }
    if text.contains("://") || is_path(text) {
        return true;
    }
    // `process.env.TOKEN`, `config.api.key`: members, every one a name.
    let dotted = text.contains('.')
        && text.split('.').all(|part| {
            !part.is_empty()
                && !part.as_bytes()[0].is_ascii_digit()
                && part.len() <= 24
                && part.bytes().all(|byte| class::is(byte, LOWER | UPPER | LOW_LINE | DASH))
        });
    dotted || bytes.iter().all(|byte| class::is(*byte, UPPER | LOW_LINE))
}
