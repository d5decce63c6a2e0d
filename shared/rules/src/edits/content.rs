//! What a change makes of a file, as far as that can be known.

use std::borrow::Cow;

use payload::{Change, Piece};

use super::accepted::Reader;
use super::switches;
use crate::facts::Content;
use crate::protected::Judged;

/// What stands in a file after a change, as far as that can be known.
pub(super) fn after<'t>(before: Option<&'t str>, change: &'t Change<'_>) -> Option<Cow<'t, str>> {
    match (change, before) {
        (Change::Whole(text), _) => Some(Cow::Borrowed(&**text)),
        (Change::Pieces(pieces), Some(before)) => applied(before, pieces),
        _ => None,
    }
}

/// Whether a change leaves alone what matters in a file.
pub(super) fn is_fine(judged: Judged, path: &str, before: Content<&str>, change: &Change<'_>) -> bool {
    let known = if let Content::Text(text) = before { Some(text) } else { None };
    let after = after(known, change);
    match judged {
        Judged::Tasks => start_nothing(known, after.as_deref(), change),
        // A change that changes nothing, such as saving again.
        Judged::Whole => known.is_some() && after.as_deref() == known,
        Judged::Agent => match (known, after) {
            (Some(before), Some(after)) => head(before).is_some_and(|known| head(&after) == Some(known)),
            _ => false,
        },
        Judged::Switches | Judged::Editor => {
            let reader = Reader::of(path, judged == Judged::Editor);
            match (before, after) {
                // What stands there now is not known, so what it loses is not known either.
                (Content::Unknown, Some(_)) => false,
                (_, Some(after)) => switches::only_tightens(known, &after, reader),
                (_, None) => says_harmless(change, reader),
            }
        }
    }
}

/// The text after all pieces, if each of them is found.
fn applied<'t>(before: &'t str, pieces: &[Piece<'_>]) -> Option<Cow<'t, str>> {
    let mut text = Cow::Borrowed(before);
    for piece in pieces {
        let (mut old, mut new) = (&*piece.old, &*piece.new);
        // The last line of a file may have no end.
        if !text.contains(old) && old.ends_with('\n') {
            (old, new) = (old.trim_end_matches('\n'), new.trim_end_matches('\n'));
        }
        // The tool would refuse, or put it where only the tool knows.
        if old.is_empty() || !text.contains(old) {
            return None;
        }
        text = Cow::Owned(if piece.all { text.replace(old, new) } else { text.replacen(old, new, 1) });
    }
    Some(text)
}

/// Whether pieces that cannot be put into the file name what they are about, and that is harmless.
fn says_harmless(change: &Change<'_>, reader: Reader) -> bool {
    let Change::Pieces(pieces) = change else { return false };
    pieces.iter().all(|piece| {
        let text = format!("{}\n{}", piece.old, piece.new);
        // Without a key in it, a piece may be a value of any key.
        text.contains("\":")
            && !switches::mentions(&text, reader == Reader::Editor)
            && !switches::breaks(&piece.old, &piece.new, reader)
    })
}

/// What stands between the lines of dashes at the beginning.
fn head(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('\u{feff}').strip_prefix("---")?;
    rest.find("\n---").map(|end| &rest[..end])
}

/// Whether no task starts by itself that did not before.
fn start_nothing(before: Option<&str>, after: Option<&str>, change: &Change<'_>) -> bool {
    let starts = |text: &str| {
        let text = text.to_ascii_lowercase();
        // Escapes count as well: they can spell the other two.
        text.matches("folderopen").count() + text.matches("\"runon\"").count() + text.matches("\\u").count()
    };
    match (after, change) {
        (Some(after), _) => starts(after) <= before.map_or(0, starts),
        (None, Change::Pieces(pieces)) => pieces.iter().all(|piece| starts(&piece.new) == 0),
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(old: &'static str, new: &'static str) -> Change<'static> {
        Change::Pieces(vec![Piece { old: old.into(), new: new.into(), all: false }])
    }

    #[test]
    fn only_what_switches_something_matters() {
        const CLAUDE: &str = "{\n  \"model\": \"a\",\n  \"permissions\": {\"deny\": [\"Read(x)\"], \"allow\": [\"Bash(ls)\"]},\n  \"hooks\": {\"PreToolUse\": []}\n}\n";
        const CODE: &str = "{\n  // ours\n  \"editor.tabSize\": 2,\n  \"chat.useHooks\": true,\n}\n";
        const AGENT: &str = "---\nname: a\ntools: [Read]\n---\nDo this.\n";
        use Judged::{Agent, Editor, Switches, Tasks, Whole};
        for (judged, before, change, fine) in [
            (Switches, CLAUDE, pieces("\"a\"", "\"b\""), true),
            (Switches, CLAUDE, pieces("\"Read(x)\"", "\"Read(x)\", \"Read(y)\""), true),
            (Switches, CLAUDE, pieces("\"Read(x)\"", ""), false),
            (Switches, CLAUDE, pieces("\"Bash(ls)\"", ""), true),
            (Switches, CLAUDE, pieces("\"Bash(ls)\"", "\"Bash\""), false),
            (Switches, CLAUDE, pieces("\"model\": \"a\"", "\"disableAllHooks\": true"), false),
            (Switches, CLAUDE, pieces("\"model\": \"a\"", "\"disableAllHooks\": false"), true),
            (Switches, "{\"model\": \"a\"}", pieces("\"model\": \"a\"", "\"\\u0068ooks\": {}"), false),
            (Switches, CLAUDE, pieces("PreToolUse", "Nothing"), false),
            (Switches, CLAUDE, pieces("}\n", "\n"), false),
            (Switches, CLAUDE, Change::Whole("{}".into()), false),
            (Switches, CLAUDE, Change::Whole(CLAUDE.replace('\n', " ").into()), true),
            (Switches, CLAUDE, Change::Unknown, false),
            // What Claude Code no longer reads.
            (Switches, CLAUDE, pieces("\"a\"", "7"), false),
            (Switches, CLAUDE, pieces("\"a\"", "null"), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", // mine"), false),
            (Switches, CLAUDE, pieces("[]}\n}", "[]},\n}"), false),
            (Switches, CLAUDE, Change::Whole(format!("\u{feff}{CLAUDE}").into()), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"cleanupPeriodDays\": \"x\","), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"cleanupPeriodDays\": 0,"), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"cleanupPeriodDays\": 20,"), true),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"outputStyle\": [],"), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"outputStyle\": \"x\","), true),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"spinnerVerbs\": {\"mode\": 7},"), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"tui\": \"x\","), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"verbose\": \"yes\","), false),
            (Switches, CLAUDE, pieces("\"a\",", "\"a\", \"verbose\": true, \"theme\": \"dark\","), true),
            (Switches, CLAUDE, pieces("\"Read(x)\"", "\"Read(x)\", 7"), false),
            (Switches, CLAUDE, pieces("[\"Read(x)\"]", "\"Read(x)\""), false),
            (Editor, CODE, pieces("2", "4"), true),
            (Editor, CODE, pieces("true", "false"), false),
            (Editor, CODE, pieces("// ours", "\"chat.tools.terminal.autoApprove\": {\"/./\": true},"), false),
            (Editor, CODE, pieces("// ours", "\"files.exclude\": {\"x\": true},"), true),
            (Agent, AGENT, pieces("Do this.", "Do that."), true),
            (Agent, AGENT, pieces("[Read]", "[Bash]"), false),
            (Agent, AGENT, Change::Whole("Do that.".into()), false),
            (Tasks, "{\"tasks\": []}", pieces("[]", "[{\"label\": \"b\", \"command\": \"make\"}]"), true),
            (
                Tasks,
                "{\"tasks\": []}",
                pieces("[]", "[{\"runOptions\": {\"runOn\": \"folderOpen\"}}]"),
                false,
            ),
            (Whole, "a", pieces("a", "b"), false),
            (Whole, "a", pieces("a", "a"), true),
        ] {
            let path = "/home/user/project/.claude/settings.json";
            assert_eq!(is_fine(judged, path, Content::Text(before), &change), fine, "{judged:?} {change:?}");
        }
    }

    #[test]
    fn a_file_that_is_new_or_not_known_is_judged_by_what_is_said() {
        use Judged::{Agent, Editor, Switches};
        for (judged, before, change, fine) in [
            (Switches, Content::None, Change::Whole("{\"model\": \"a\"}".into()), true),
            (Switches, Content::None, Change::Whole("{\"hooks\": {}}".into()), false),
            (Switches, Content::None, Change::Whole("{}".into()), false),
            (Switches, Content::None, Change::Whole("x".into()), false),
            (Switches, Content::Unknown, Change::Whole("{\"model\": \"a\"}".into()), false),
            (Switches, Content::Unknown, pieces("\"model\": \"a\"", "\"model\": \"b\""), true),
            (Switches, Content::Unknown, pieces("\"model\": \"a\"", "\"model\": 7"), false),
            (Switches, Content::Unknown, pieces("", "\"model\": 7,"), false),
            (Switches, Content::Unknown, pieces("\"x\": \"a\"", "\"x\": {}"), false),
            (Switches, Content::None, Change::Whole("{\"model\": 7}".into()), false),
            (Switches, Content::None, Change::Whole("{\"model\": \"a\", /* b */ \"x\": 1}".into()), false),
            (Switches, Content::Unknown, pieces("true", "false"), false),
            (Switches, Content::Unknown, pieces("\"hooks\": 1", "\"model\": 1"), false),
            (Editor, Content::None, Change::Whole("{\"editor.tabSize\": 2}".into()), true),
            (Editor, Content::None, Change::Whole("{\"chat.useHooks\": false}".into()), false),
            (Agent, Content::None, Change::Whole("---\nname: a\n---\n".into()), false),
        ] {
            let path = "/home/user/project/.claude/settings.json";
            assert_eq!(is_fine(judged, path, before, &change), fine, "{judged:?} {change:?}");
        }
    }
}
