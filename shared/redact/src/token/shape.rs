//! Tokens that a form gives away, and not a prefix alone.

use super::Token;
use crate::class::{self, ALNUM, ANY64, BASE64, DASH, DIGIT, DOTTED, HEX, LOW_LINE, SMALL, WORD};
use crate::guard;

/// Telegram: the bot's number, a colon, 35 characters that start with AA.
pub(super) fn telegram(text: &[u8]) -> Option<Token> {
    let number = class::run(text, DIGIT);
    if !(7..=12).contains(&number) {
        return None;
    }
    let body = text.get(number..)?.strip_prefix(b":AA")?;
    let length = class::run(body, WORD);
    (32..=34).contains(&length).then_some(("telegram-bot-token", number + 3 + length))
}

/// Tokens that start with a number: Telegram's, Asana's, ngrok's.
pub(super) fn numbered(text: &[u8]) -> Option<Token> {
    telegram(text).or_else(|| asana(text)).or_else(|| ngrok(text))
}

/// Asana: `0/`, `1/` or `2/`, numbers between, 32 hexadecimal digits.
fn asana(text: &[u8]) -> Option<Token> {
    let mut at = match text {
        [b'0'..=b'2', b'/', ..] => 2,
        _ => return None,
    };
    loop {
        let number = class::run(&text[at..], DIGIT);
        match text.get(at + number) {
            Some(b'/' | b':') if number >= 8 && at < 60 => at += number + 1,
            _ => break,
        }
    }
    (class::run(&text[at..], HEX) == 32).then_some(("asana-token", at + 32))
}

/// ngrok: 27 characters, `_`, about 20.
fn ngrok(text: &[u8]) -> Option<Token> {
    let head = class::run(text, ALNUM);
    let tail = class::run(text.get(head..)?.strip_prefix(b"_")?, ALNUM);
    let length = head + 1 + tail;
    let random = std::str::from_utf8(&text[..length]).is_ok_and(guard::is_random);
    (matches!(text[0], b'1'..=b'3') && head == 27 && (18..=23).contains(&tail) && random)
        .then_some(("ngrok-token", length))
}

/// Forms of more than one part whose first is all hexadecimal digits or letters: Ghost, Zhipu, Firebase, Rancher, k3s.
pub(super) fn parts(word: &[u8], text: &[u8]) -> Option<Token> {
    let sign = *text.get(word.len())?;
    let rest = &text[word.len() + 1..];
    let hex = || class::run(word, HEX) == word.len();
    let whole = |body: usize| word.len() + 1 + body;
    let body = class::run(rest, WORD);
    let random = |body: usize| std::str::from_utf8(&rest[..body]).is_ok_and(guard::is_random);
    match (sign, word.len()) {
        (b':', 24) if hex() && body == 64 && class::run(rest, HEX) == 64 => Some(("ghost-key", whole(64))),
        (b'.', 32) if hex() && body == 16 && random(16) => Some(("zhipu-key", whole(16))),
        (b'.', 1) if word == b"0" && body == 36 => {
            bitwarden(rest).map(|body| ("bitwarden-token", whole(body)))
        }
        (b':', 11) if word.starts_with(b"AAAA") && rest.starts_with(b"APA91b") && body >= 100 => {
            Some(("firebase-key", whole(body)))
        }
        (b':', 11) if word.starts_with(b"token-") && body == 54 && random(54) => {
            Some(("rancher-token", whole(54)))
        }
        // k3s joins a digest of the server, a user and a password.
        (b':', 67) if word.starts_with(b"K10") && rest.starts_with(b":") => {
            let length = rest.iter().take_while(|byte| class::is(**byte, WORD) || **byte == b':').count();
            Some(("k3s-token", whole(length)))
        }
        _ => None,
    }
}

/// Bitwarden's machine accounts: a UUID, a dot, a secret, a colon, a key in base64. Returns the length.
fn bitwarden(text: &[u8]) -> Option<usize> {
    let secret = text.get(36..)?.strip_prefix(b".")?;
    let length = class::run(secret, ALNUM);
    let key = class::run(secret.get(length..)?.strip_prefix(b":")?, ANY64);
    (length >= 24 && key >= 16).then_some(36 + 1 + length + 1 + key)
}

/// Words whose end gives them away: New Relic's keys, Mailchimp's, Mailgun's, `ClickUp`'s, Bitcoin's.
pub(super) fn ended(word: &[u8]) -> Option<Token> {
    let hex = |length: usize| class::run(&word[..length], HEX) == length;
    let base58 = || {
        class::run(word, ALNUM) == word.len()
            // Base58 leaves out letters that look alike.
            && !word.iter().any(|byte| matches!(byte, b'0' | b'O' | b'I' | b'l'))
    };
    let random = || std::str::from_utf8(word).is_ok_and(guard::is_random);
    let rule = match word.len() {
        40 if word.ends_with(b"NRAL") && class::run(word, ALNUM) == 40 => "new-relic-key",
        36 | 37 if word[32..].starts_with(b"-us") && hex(32) && class::run(&word[35..], DIGIT) >= 1 => {
            "mailchimp-key"
        }
        50 if hex(32) && word[32] == b'-' && word[41] == b'-' && class::run(&word[42..], HEX) == 8 => {
            "mailgun-key"
        }
        38..=52 if word.starts_with(b"pk_") => {
            let user = class::run(&word[3..], DIGIT);
            let body = word.get(3 + user..)?.strip_prefix(b"_")?;
            (user >= 5 && body.len() == 32 && class::run(body, class::CAPS) == 32)
                .then_some("clickup-token")?
        }
        51 | 52 if matches!(word[0], b'5' | b'K' | b'L') && base58() && random() => "bitcoin-key",
        _ => return None,
    };
    Some((rule, word.len()))
}

/// Airtable: 14 characters, a dot, 64 hexadecimal digits.
pub(super) fn airtable(text: &[u8]) -> Option<Token> {
    let body = text.strip_prefix(b"pat").filter(|body| class::run(body, ALNUM) == 14)?;
    let rest = body[14..].strip_prefix(b".")?;
    (class::run(rest, HEX) == 64).then_some(("airtable-token", 3 + 14 + 1 + 64))
}

/// `SendGrid`: 22 characters, a dot, 43 characters.
pub(super) fn sendgrid(text: &[u8]) -> Option<Token> {
    let body = text.strip_prefix(b"SG.")?;
    let head = class::run(body, WORD);
    let length = class::run(body[head..].strip_prefix(b".")?, WORD);
    ((16..=32).contains(&head) && length >= 16).then_some(("sendgrid-key", 3 + head + 1 + length))
}

/// Three parts in base64 with dots between; the first is `{"…`.
pub(super) fn jwt(text: &[u8]) -> Option<Token> {
    let head = class::run(text, WORD);
    if head < 12 {
        return None;
    }
    let mut end = head;
    let mut parts = 1;
    while parts < 5 && text.get(end) == Some(&b'.') {
        let part = class::run(&text[end + 1..], WORD | BASE64);
        // `header..signature` and `header.payload.` exist.
        end += 1 + part;
        parts += 1;
    }
    (parts >= 2 && end >= 36).then_some(("jwt", end))
}

/// Discord: the bot's number in base64, a time, a signature. Starts with M, N or O, as numbers in base64 do.
pub(super) fn discord(text: &[u8]) -> Option<Token> {
    let number = class::run(text, WORD);
    let time = text.get(number..)?.strip_prefix(b".")?;
    if !(23..=28).contains(&number) || class::run(time, WORD) != 6 {
        return None;
    }
    let signature = time[6..].strip_prefix(b".")?;
    let length = class::run(signature, WORD);
    (26..=40).contains(&length).then_some(("discord-token", number + 1 + 6 + 1 + length))
}

/// Azure's client secrets have no prefix, but `8Q~` in the fourth to sixth place: `abc8Q~…`, 40 characters in all.
fn azure_secret(text: &[u8], tilde: usize) -> Option<(usize, usize)> {
    let start = tilde.checked_sub(5)?;
    let head = text.get(start..tilde)?;
    if head.last() != Some(&b'Q')
        || !class::is(head[3], DIGIT)
        || !head.iter().all(|b| class::is(*b, DOTTED) || *b == b'~')
    {
        return None;
    }
    let length = text[tilde + 1..].iter().take_while(|b| class::is(**b, DOTTED) || **b == b'~').count();
    (31..=36).contains(&length).then_some((start, tilde + 1 + length))
}

/// How far from its sign a token may reach, in bytes.
const NEAR: usize = 512;

/// A token with a sign in it that no word has: the sign is at `at`. Returns where it starts, where it ends, and its rule.
pub(crate) fn around(text: &[u8], at: usize) -> Option<(usize, usize, &'static str)> {
    let before = |classes: u8| {
        text[..at].iter().rev().take(NEAR).take_while(|byte| class::is(**byte, classes)).count()
    };
    let after =
        |classes: u8| text[at + 1..].iter().take(NEAR).take_while(|byte| class::is(**byte, classes)).count();
    match text[at] {
        b'~' => {
            if let Some((start, end)) = azure_secret(text, at) {
                return Some((start, end, "azure-client-secret"));
            }
            if text[..at].ends_with(b"sha256") && after(WORD) == 43 {
                return Some((at - 6, at + 44, "openshift-token"));
            }
            let (course, body) = (before(DIGIT), after(ALNUM));
            ((1..=6).contains(&course) && (58..=70).contains(&body)).then_some((
                at - course,
                at + 1 + body,
                "canvas-token",
            ))
        }
        b'!' => {
            // An organisation's number, then the session.
            let (head, body) = (before(ALNUM), after(DOTTED));
            let session = text[at - head..at].starts_with(b"00D") && (15..=18).contains(&head) && body >= 60;
            session.then_some((at - head, at + 1 + body, "salesforce-session"))
        }
        b'$' => dollar(text, at),
        b'@' if [&b"@tcp("[..], b"@unix("].iter().any(|sign| text[at..].starts_with(sign)) => {
            // Go's `user:password@tcp(host:3306)/database`
            let stops = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'=' | b'/');
            let low = at.saturating_sub(NEAR);
            let word = text[low..at].iter().rposition(stops).map_or(low, |stop| low + stop + 1);
            let colon = word + text[word..at].iter().position(|byte| *byte == b':')?;
            let placeholder = std::str::from_utf8(&text[colon + 1..at]).is_ok_and(guard::is_placeholder);
            (!placeholder).then_some((colon + 1, at, "url-password"))
        }
        b':' => {
            // A line of a Windows password dump: `user:number:LM:NT:::`.
            let hashes = &text[at.checked_sub(65)?..at];
            let hex = |part: &[u8]| class::run(part, HEX) == 32;
            (hashes[32] == b':' && hex(&hashes[..32]) && hex(&hashes[33..])).then_some((
                at - 65,
                at,
                "password-hash",
            ))
        }
        b'{' => {
            let scheme = after(ALNUM);
            let name = &text[at + 1..at + 1 + scheme];
            let known = [&b"SSHA"[..], b"SSHA256", b"SSHA512", b"SMD5", b"PBKDF2", b"ARGON2", b"CRYPT"]
                .contains(&name);
            let body = text.get(at + scheme + 2..)?;
            let length = body
                .iter()
                .take_while(|byte| class::is(**byte, ANY64) || matches!(byte, b'$' | b'.'))
                .count();
            (known && text[at + 1 + scheme] == b'}' && length >= 20).then_some((
                at,
                at + 2 + scheme + length,
                "password-hash",
            ))
        }
        b'|' => {
            let warning = b"|WARNING:-DO-NOT-SHARE-THIS";
            let length = text[at..]
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b';'));
            text[at..]
                .starts_with(warning)
                .then(|| (at, length.map_or(text.len(), |length| at + length), "roblox-session"))
        }
        b'[' => {
            // A key pair as Solana's tools keep it: 64 numbers.
            let list = text[at + 1..].iter().take(512);
            let length = list
                .take_while(|byte| class::is(**byte, DIGIT) || matches!(byte, b',' | b' ' | b'\n'))
                .count();
            let commas = memchr::memchr_iter(b',', &text[at + 1..at + 1 + length]).count();
            (commas == 63 && text.get(at + 1 + length) == Some(&b']')).then_some((
                at + 1,
                at + 1 + length,
                "solana-key",
            ))
        }
        _ => None,
    }
}

/// Hashes of passwords, and `PayPal`'s tokens: parts with `$` between.
fn dollar(text: &[u8], at: usize) -> Option<(usize, usize, &'static str)> {
    const HASHES: [&[u8]; 17] = [
        b"1",
        b"2a",
        b"2b",
        b"2y",
        b"5",
        b"6",
        b"7",
        b"y",
        b"gy",
        b"apr1",
        b"P",
        b"H",
        b"argon2i",
        b"argon2d",
        b"argon2id",
        b"scrypt",
        b"pbkdf2-sha256",
    ];
    const PAYPAL: &[u8] = b"access_token";
    let rest = &text[at + 1..];
    let name = class::run(rest, ALNUM | DASH);
    if rest.get(name) != Some(&b'$') {
        return None;
    }
    let body = &rest[name + 1..];
    let near = body.iter().take(NEAR);
    let length =
        near.take_while(|byte| class::is(**byte, ANY64) || matches!(byte, b'.' | b'$' | b',')).count();
    let end = at + 2 + name + length;
    if text[..at].ends_with(PAYPAL) && matches!(&rest[..name], b"production" | b"sandbox") && length >= 30 {
        return Some((at - PAYPAL.len(), end, "paypal-token"));
    }
    let word = text[..at].iter().rev().take(24).take_while(|byte| class::is(**byte, WORD)).count();
    let named =
        text[at - word..at].starts_with(b"pbkdf2_sha") || text[at - word..at].starts_with(b"bcrypt_sha");
    if named && length >= 20 {
        return Some((at - word, end, "password-hash"));
    }
    let made = guard::distinct(&body[..length]) >= 10;
    (HASHES.contains(&&rest[..name]) && length >= 20 && made).then_some((at, end, "password-hash"))
}

/// What Microsoft writes into the end of keys that are otherwise without a mark: Azure `DevOps`, storage, registries,
/// search, Cosmos DB, functions, caches, and the common form.
const AZURE_MARKS: [&[u8]; 12] = [
    b"AZDO", b"JQQJ9", b"+ASt", b"+ACR", b"AzSe", b"ACDb", b"AzFu", b"AzCa", b"+AEh", b"+ARm", b"+AMC",
    b"AIoT",
];

/// How far from its end a key has its mark, in bytes.
const AZURE_END: usize = 36;

/// The length of the key that starts with the word at the start of `text`, if it has one of [`AZURE_MARKS`].
pub(super) fn azure_key(text: &[u8]) -> Option<Token> {
    let length = class::run(text, ANY64);
    if !(44..=92).contains(&length) {
        return None;
    }
    let key = &text[..length];
    let end = &key[length - AZURE_END.min(length)..];
    let marked = AZURE_MARKS.iter().any(|mark| memchr::memmem::find(end, mark).is_some());
    let digits = key.iter().filter(|byte| class::is(**byte, DIGIT)).count();
    let random = std::str::from_utf8(key).is_ok_and(guard::is_random) && digits >= 4;
    (marked && random).then_some(("azure-key", length))
}

/// What the makers of tokens call them, as one part of a prefix.
const NAMES: [&[u8]; 12] = [
    b"live", b"prod", b"pat", b"sk", b"secret", b"token", b"tok", b"apikey", b"api", b"key", b"oauth", b"svc",
];

/// Parts of prefixes that stand before what everyone may see: keys for browsers, numbers of things, digests.
const PUBLIC: [&[u8]; 36] = [
    b"pk",
    b"pub",
    b"public",
    b"publishable",
    b"phc",
    b"cs",
    b"pm",
    b"price",
    b"id",
    b"toolu",
    b"msg",
    b"req",
    b"chatcmpl",
    b"resp",
    b"rs",
    b"run",
    b"trace",
    b"span",
    b"build",
    b"commit",
    b"dpl",
    b"hash",
    b"sha",
    b"sha1",
    b"sha256",
    b"sha384",
    b"sha512",
    b"md5",
    b"h1",
    b"cid",
    b"img",
    b"asset",
    b"chunk",
    b"cache",
    b"snapshot",
    b"digest",
];

/// A token of a maker whom the table does not know: `acme_live_…`, `foo-pat-…`, `xyz_api_key_…`: a prefix that says
/// what it is, then one long random part.
pub(super) fn named_prefix(word: &[u8]) -> Option<Token> {
    const SHORTEST_BODY: usize = 20;
    const LONG_BODY: usize = 30;
    let separator = |byte: &u8| class::is(*byte, LOW_LINE | DASH);
    let split =
        word.len().checked_sub(SHORTEST_BODY).and_then(|last| word[..last].iter().rposition(separator))?;
    let (prefix, body) = (&word[..split], &word[split + 1..]);
    // A key for browsers or a digest is random as well, and belongs to everyone.
    if prefix.split(separator).any(|part| PUBLIC.contains(&part)) {
        return None;
    }
    if prefix.len() > 24
        || class::run(body, ALNUM) < body.len()
        // Digests and ids are in hexadecimal digits more often than tokens are.
        || body.iter().all(|byte| class::is(*byte, HEX))
    {
        return None;
    }
    let small = prefix.iter().all(|byte| class::is(*byte, SMALL | LOW_LINE | DASH));
    let named = prefix.split(separator).any(|part| NAMES.contains(&part));
    // Long and of all kinds of letters is what tokens are; the numbers of things are shorter, or of fewer kinds.
    let has = |classes: u8| body.iter().filter(|byte| class::is(**byte, classes)).count() >= 2;
    let long = body.len() >= LONG_BODY && has(class::LOWER) && has(class::UPPER) && has(DIGIT);
    let random =
        std::str::from_utf8(body).is_ok_and(|body| guard::is_random(body) && !guard::is_placeholder(body));
    (small && (named || long) && random).then_some(("prefixed-token", word.len()))
}
