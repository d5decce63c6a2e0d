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
pub(crate) fn azure_secret(text: &[u8], tilde: usize) -> Option<(usize, usize)> {
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

/// A token of a maker whom the table does not know: `acme_live_…`, `foo-pat-…`, `xyz_api_key_…`: a prefix that says
/// what it is, then one long random part.
pub(super) fn named_prefix(word: &[u8]) -> Option<Token> {
    const SHORTEST_BODY: usize = 20;
    let separator = |byte: &u8| class::is(*byte, LOW_LINE | DASH);
    let split =
        word.len().checked_sub(SHORTEST_BODY).and_then(|last| word[..last].iter().rposition(separator))?;
    let (prefix, body) = (&word[..split], &word[split + 1..]);
    if prefix.len() > 24
        || class::run(body, ALNUM) < body.len()
        || body.iter().all(|byte| class::is(*byte, HEX))
    {
        return None;
    }
    let small = prefix.iter().all(|byte| class::is(*byte, SMALL | LOW_LINE | DASH));
    let named = prefix.split(separator).any(|part| NAMES.contains(&part));
    let random =
        std::str::from_utf8(body).is_ok_and(|body| guard::is_random(body) && !guard::is_placeholder(body));
    (small && named && random).then_some(("prefixed-token", word.len()))
}
