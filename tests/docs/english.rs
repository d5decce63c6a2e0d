//! Strings, comments and documents are written as a native engineer would write them.
//!
//! A short list of turns that were translated word by word, each with what to write instead. Where a phrase is meant as
//! it stands, such as a process that is left behind, the row says so by its exceptions.

use std::fs;
use std::path::Path;

use regex::Regex;
use support::programs::root;

use super::{documents, read};

/// A phrase, what to write instead, and the places in which it is right.
struct Turn {
    phrase: &'static str,
    instead: &'static str,
    fine: &'static str,
    /// One line that has it, for the test of this test.
    example: &'static str,
}

const TURNS: &[Turn] = &[
    Turn {
        phrase: r"\b(is|are|was|were) no ",
        instead: "`is not a list`, or `must be a list`",
        fine: r"(?i)(there|what|who|this|that) (is|are|was|were) no |no (longer|more|less|worse|better|different|one|such|use|help|doubt)\b",
        example: "`hooks` is no list",
    },
    Turn {
        phrase: r"\b([Nn]obody|[Ss]omebody|[Aa]nybody|[Ee]verybody)\b",
        instead: "`no one`, `someone`, or say who",
        fine: r#"(chown (-R )?|by = \\?"|tools:)(no|every)body|`nobody`|"nobody"|(let|for) nobody|nobody[.(]|\{nobody|"nobody knows"|By::Nobody"#,
        example: "where nobody can answer",
    },
    Turn {
        phrase: r"\b(stands?|stood) behind\b|\b(text|value|comma|word|line|blank)s? behind\b|\bright behind\b|\bbehind (ours|the (shell|program|drive|last))\b",
        instead: "`after`, or `follows`",
        fine: r"left behind",
        example: "text behind the object",
    },
    Turn {
        phrase: r"\b[Ll]ea(ve|ves|ving) (it |them |`[^`]*` |--[a-z-]+ |the [a-z]+ )away\b",
        instead: "`omit`",
        fine: r"^$",
        example: "Leave `matcher` away",
    },
    Turn {
        phrase: r"\b[Tt]ak(e|es|ing) (it|them|the [a-z ]+) out\b",
        instead: "`remove`",
        fine: r"out of sight",
        example: "Take the byte order mark out.",
    },
    Turn { phrase: r"\bAt last\b|\bat last:", instead: "`Finally:`", fine: r"^$", example: "At last:" },
    Turn { phrase: r"\bPlayed on\b", instead: "`Last run on`", fine: r"^$", example: "Played on 2026-11-22" },
    Turn {
        phrase: r"\b(is|are|was|were|been|being) told\b|\btold (apart|from|of)\b|\bnot told\b",
        instead: "`is reported`, `is known`, `receives`, `is distinguished from`",
        fine: r"without being told to",
        example: "nothing is told until this is fixed",
    },
    Turn {
        phrase: r"\b(host|model|stderr)s? hears?\b",
        instead: "`sees`, `reads`, `receives`",
        fine: r"^$",
        example: "the host hears nothing",
    },
    Turn {
        phrase: r"\b(wants?|without|is|as) a text\b|\ban empty text\b",
        instead: "`a string` for a value, `a message` on stderr",
        fine: r"a text (file|editor|in )",
        example: "`name` is a text",
    },
    Turn {
        phrase: r"\bnothing to say about\b|\bwhat (it|they) ha(s|ve) to say\b|\byours to say\b|\bafar\b|\bon your desk\b",
        instead: "what a native engineer would say: `if no rule applies`, `configure`, `remotely`",
        fine: r"^$",
        example: "More is yours to say, in `stop.toml`",
    },
    Turn {
        phrase: r"\b(is|are|until it is|has) mended\b|\bto mend\b",
        instead: "`fixed`",
        fine: r"^$",
        example: "until it is mended",
    },
    Turn {
        phrase: r"\ba fault of the program\b",
        instead: "`an internal error`",
        fine: r"^$",
        example: "3 a fault of the program",
    },
    Turn {
        phrase: r"\bPATH leads\b|\bstderr tells\b|\b[Oo]nce, after all\b|\bno others that are kept up\b|\bmore than can be looked at\b|\bdoes not say for which\b|\bwhatever has any name\b",
        instead: "what the table of house rules has: `on the PATH`, `goes to stderr`, `only the newest is supported`, `too large to analyse`, `no host given`",
        fine: r"^$",
        example: "the host sees `{}`, stderr tells",
    },
    Turn {
        phrase: r"\bThere is no (hook|host|agent|event) `|\bis no (time|decision|format)\b",
        instead: "`Unknown hook `x`. Available hooks: a, b.`",
        fine: r"^$",
        example: "There is no hook `x`.",
    },
];

/// The same in the name of a function, which a failing test prints.
const NAMES: &str =
    r"\bfn (\w*_)?((is|are|was|were)_no|told|behind|nobodys?|somebody|anybody|everybody)(_\w*)?\(";

/// Functions in whose names such a word is right.
const FINE_NAMES: &str =
    r"fn (told|told_in|nobody|somebody|behind|\w*(leaves?_\w*behind))\(|_is_no_(longer|more|different)";

/// What a line of this file says, without code that is neither a comment nor a string.
fn prose<'a>(path: &str, line: &'a str) -> Option<&'a str> {
    if Path::new(path).extension().is_none_or(|extension| extension != "rs") {
        return Some(line);
    }
    let said = line.trim_start();
    (said.starts_with("//") || said.contains('"') || line.ends_with('\\')).then_some(said)
}

fn wrong(turns: &[(Regex, Regex, &Turn)], line: &str) -> Option<String> {
    turns.iter().find_map(|(phrase, fine, turn)| {
        let found = phrase.find(line)?;
        (!fine.is_match(line))
            .then(|| format!("write {} instead of `{}`", turn.instead, found.as_str().trim()))
    })
}

fn turns() -> Vec<(Regex, Regex, &'static Turn)> {
    TURNS
        .iter()
        .map(|turn| (Regex::new(turn.phrase).unwrap(), Regex::new(turn.fine).unwrap(), turn))
        .collect()
}

/// Every source file below `folder`, and what users read of configurations. Recorded payloads and cases quote others.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap().flatten() {
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            if !["target", "payloads", "cases", "data", "seeds"].iter().any(|name| path.ends_with(name)) {
                sources(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "toml")
            && !path.ends_with("docs/english.rs")
        {
            found.push(path.to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn the_english_is_native() {
    let turns = turns();
    // The changelog is a record: its old lines stay as they were.
    let mut files: Vec<String> = documents().into_iter().filter(|path| path != "CHANGELOG.md").collect();
    for folder in ["hooks", "shared", "configs", "tests"] {
        sources(Path::new(folder), &mut files);
    }
    let mut found = Vec::new();
    let (names, fine_names) = (Regex::new(NAMES).unwrap(), Regex::new(FINE_NAMES).unwrap());
    for path in files {
        for (at, line) in read(&path).lines().enumerate() {
            if let Some(name) = names.find(line).filter(|_| !fine_names.is_match(line)) {
                found.push(format!("{path}:{}: a name: {}", at + 1, name.as_str()));
            }
            if let Some(problem) = prose(&path, line).and_then(|line| wrong(&turns, line)) {
                found.push(format!("{path}:{}: {problem}: {}", at + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{} lines:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_turn_is_found() {
    let turns = turns();
    for (phrase, fine, turn) in &turns {
        assert!(phrase.is_match(turn.example) && !fine.is_match(turn.example), "{}", turn.phrase);
        assert!(wrong(&turns, turn.example).is_some(), "{}", turn.example);
    }
    for fine in ["there is no log yet", "nothing is left behind", "is no longer there", "chown nobody x"] {
        assert_eq!(wrong(&turns, fine), None, "{fine}");
    }
    assert_eq!(prose("a.rs", "let nobody = 1;"), None);
    let names = Regex::new(NAMES).unwrap();
    for name in ["what_is_no_file_is_broken", "a_mistake_is_told", "nobody_waits", "what_follows_behind_ours"]
    {
        assert!(names.is_match(&format!("    fn {name}() {{")), "{name}");
    }
    assert!(!names.is_match("fn what_is_not_a_file_is_broken() {"));
}
