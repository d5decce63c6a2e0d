//! What reads like an order to the model, or like markup that would end the block.
//!
//! Names are compared word by word, whatever joins the words; Unicode's look-alikes count as what they look like.

use unicode_normalization::UnicodeNormalization as _;

/// What a value looks like, if it should not be shown; `hidden` is what was written in invisible characters.
pub(super) fn looks_like(text: &str, hidden: &str) -> Option<&'static str> {
    // Compatibility forms count as what they look like: `ｉｇｎｏｒｅ` is read as `ignore`.
    let flat: String = text.nfkc().collect();
    if is_markup(&flat) {
        return Some("markup");
    }
    let words = words(&flat);
    // Each look catches a spelling that the others let pass.
    if is_order(&words) || is_order(&self::words(hidden)) || has_role(&flat) || is_squeezed_order(&flat) {
        return Some("instructions");
    }
    None
}

/// Tags, fences, comments, links and images, and the marks by which models tell who speaks.
fn is_markup(text: &str) -> bool {
    let tag = text.match_indices('<').any(|(at, _)| {
        text[at + 1..]
            .chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() || matches!(c, '/' | '!' | '?' | '|' | '%' | '<'))
    });
    let lower = text.to_ascii_lowercase();
    tag || [
        "```",
        "~~~",
        "-->",
        "|>",
        "](",
        "[inst]",
        "[/inst]",
        "[system]",
        "[assistant]",
        "[user]",
        "<<sys",
        "{{",
        "{%",
        "&lt;",
        "&#",
    ]
    .iter()
    .any(|mark| lower.contains(mark))
}

/// A word that says who speaks, in front of what is said.
fn has_role(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["system", "assistant", "human", "instruction", "instructions", "important", "attention", "note to ai"]
        .iter()
        .any(|role| {
            lower.match_indices(role).any(|(at, _)| {
                let before = lower[..at].chars().next_back();
                let after = lower[at + role.len()..].trim_start_matches([' ', '*', '_', '#', ']']);
                before.is_none_or(|c| !c.is_alphanumeric())
                    && after.strip_prefix(':').is_some_and(|said| {
                        // `system:tests` is a name; a sentence has a blank after the colon.
                        said.starts_with(' ') || said.is_empty()
                    })
            })
        })
        || lower.contains("-----begin")
}

/// The words of a string in small Latin letters; camelCase has words, too.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in text.chars() {
        let c = latin(c);
        if !c.is_alphanumeric() {
            // `don't` is one word.
            if !matches!(c, '\'' | '’') {
                words.push(String::new());
            }
            small = false;
            continue;
        }
        // `ignoreAllRules` has three words.
        if c.is_uppercase() && small {
            words.push(String::new());
        }
        small = c.is_lowercase();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The Latin letter that a Cyrillic or Greek one looks like.
fn latin(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'А' | 'Α' => 'A',
        'е' | 'ε' | 'є' => 'e',
        'Е' | 'Ε' => 'E',
        'о' | 'ο' => 'o',
        'О' | 'Ο' => 'O',
        'р' | 'ρ' => 'p',
        'Р' | 'Ρ' => 'P',
        'с' | 'ϲ' => 'c',
        'С' => 'C',
        'у' | 'υ' => 'y',
        'х' | 'χ' => 'x',
        'і' | 'ι' | 'ı' => 'i',
        'І' | 'Ι' => 'I',
        'ѕ' => 's',
        'ј' => 'j',
        'ԁ' => 'd',
        'ɡ' => 'g',
        'ո' | 'η' => 'n',
        'ν' => 'v',
        'ω' | 'ѡ' => 'w',
        'т' | 'τ' => 't',
        'к' | 'κ' => 'k',
        'м' => 'm',
        c => c,
    }
}

/// A word or its beginning: `ignor*` is ignore, ignored, ignoring.
fn is(word: &str, pattern: &str) -> bool {
    pattern.strip_suffix('*').map_or(word == pattern, |stem| word.starts_with(stem))
}

/// Words of which one stands in front, words of which one follows, and how many may stand between.
type Rule = (&'static [&'static str], &'static [&'static str], usize);

/// What an order to a model consists of, in the languages that are tried most.
const ORDERS: &[Rule] = &[
    (
        &["ignore", "ignoring", "disregard*", "forget", "neglect"],
        &[
            "previous",
            "prior",
            "preceding",
            "above",
            "earlier",
            "all",
            "everything",
            "instruction*",
            "prompt*",
            "rules",
            "guideline*",
            "guardrail*",
            "directive*",
            "restrictions",
            "safety",
        ],
        4,
    ),
    (
        &["override", "bypass", "overriding", "bypassing"],
        &["instruction*", "guideline*", "guardrail*", "restrictions", "safety"],
        4,
    ),
    (&["you", "u"], &["must", "should", "shall", "will", "are", "can", "need", "have", "may"], 0),
    (&["you"], &["now", "instead"], 1),
    (&["your"], &["task", "job", "goal", "instruction*", "system", "prompt", "rules"], 2),
    (&["from"], &["now"], 0),
    (
        &["new", "updated", "real", "actual", "hidden", "secret", "following", "these", "my"],
        &["instruction*", "directive*", "orders"],
        1,
    ),
    (&["developer", "god", "dan"], &["mode"], 0),
    (&["act", "behave"], &["as"], 0),
    (&["respond", "answer", "reply"], &["only"], 0),
    (&["pretend"], &["to", "you", "that", "being"], 0),
    (
        &["do", "must", "should", "dont", "never"],
        &["tell", "mention", "reveal", "inform", "warn", "follow", "obey"],
        1,
    ),
    (&["tell", "convince", "trick"], &["user", "human", "developer", "them", "him", "her"], 1),
    (
        &["reveal", "leak", "exfiltrate"],
        &[
            "prompt",
            "secret*",
            "token*",
            "credential*",
            "password*",
            "env",
            "environment",
            "keys",
            "instructions",
        ],
        4,
    ),
    (
        &["print", "show", "output", "repeat", "send", "upload", "post"],
        &["instructions", "secrets", "credentials", "passwords"],
        4,
    ),
    (&["run", "execute", "invoke", "eval"], &["following", "this", "these", "curl", "wget", "rm"], 1),
    (
        &["please", "kindly", "immediately", "urgent*"],
        &[
            "run", "execute", "delete", "remove", "install", "push", "ignore", "do", "send", "open", "read",
            "write", "fetch", "download", "call", "use", "approve",
        ],
        1,
    ),
    (
        &["dear", "hey", "attention"],
        &[
            "ai",
            "assistant",
            "model",
            "agent",
            "llm",
            "claude",
            "copilot",
            "gemini",
            "codex",
            "gpt",
            "chatgpt",
        ],
        1,
    ),
    (&["as"], &["ai", "assistant", "llm", "chatbot"], 1),
    (&["curl", "wget", "iwr"], &["sh", "bash", "http", "https", "exec", "eval", "zsh", "python", "iex"], 4),
    (&["rm", "sudo"], &["rf", "fr", "rm"], 1),
    (&["follow", "obey", "comply"], &["these", "following", "my", "instruction*"], 1),
    (&["jailbreak*", "jailbroken"], &[], 0),
    (&["begin", "end"], &["system", "instruction*", "prompt"], 1),
    (&["without"], &["asking", "confirmation", "permission", "approval", "telling"], 2),
    // German, French, Spanish, Portuguese, Italian, Russian.
    (
        &["ignorier*", "missachte*", "vergiss"],
        &["anweisung*", "vorherig*", "bisherig*", "alle*", "regeln", "obig*"],
        4,
    ),
    (
        &["ignore*", "ignorez", "oubli*"],
        &["instructions", "precedent*", "précédent*", "consignes", "toutes", "règles"],
        4,
    ),
    (
        &["ignora*", "olvida*", "esquece*", "dimentica*"],
        &["instruc*", "anterior*", "todas", "todo", "istruzioni", "precedenti", "tutte", "reglas", "regras"],
        4,
    ),
    // As they look: `latin` has changed some of their letters.
    (&["игн*", "зaбyд*", "otmeн*", "otmeн*"], &["инctpyк*", "пpeды*", "вce*", "пpaвилa", "вышe*"], 4),
];

fn is_order(words: &[String]) -> bool {
    let follows = |rule: &Rule, from: usize| {
        // Where no word has to follow, the first one is enough.
        rule.1.is_empty()
            || words
                .iter()
                .skip(from)
                .take(rule.2 + 1)
                .any(|word| rule.1.iter().any(|pattern| is(word, pattern)))
    };
    ORDERS.iter().any(|rule| {
        words
            .iter()
            .enumerate()
            .any(|(at, word)| rule.0.iter().any(|pattern| is(word, pattern)) && follows(rule, at + 1))
    })
}

/// The same without anything between the words, with digits for letters, or in a writing without blanks.
fn is_squeezed_order(text: &str) -> bool {
    let letters: String = text
        .chars()
        .map(latin)
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '0' => 'o',
            '1' => 'i',
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            '@' => 'a',
            '$' => 's',
            c => c,
        })
        .filter(|c| c.is_alphanumeric())
        .collect();
    [
        "ignoreall",
        "ignoreprevious",
        "ignoreprior",
        "ignoretheabove",
        "ignoreabove",
        "ignoreany",
        "ignoreyour",
        "ignoreevery",
        "disregardall",
        "disregardprevious",
        "disregardthe",
        "forgetall",
        "forgetprevious",
        "forgeteverything",
        "previousinstructions",
        "priorinstructions",
        "allinstructions",
        "newinstructions",
        "youarenow",
        "youmust",
        "doanythingnow",
        "忽略",
        "无视",
        "無視",
        "请执行",
        "系统提示",
        "指示に従",
        "指示を無視",
        "이전지시",
        "무시하",
    ]
    .iter()
    .any(|order| letters.contains(order))
}
