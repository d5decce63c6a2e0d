//! `approve`: a person lets one held-back action through, once.

mod ended;
#[cfg(unix)]
mod root;
mod waiting;

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use approvals::{Code, Desk, Shown};
use audit::Writer;
use screen::Notice;
use store::settings::{Approvals, By};
use store::trust::terminal::{self, NoPerson, Person, TELLS};

use crate::Done;
use crate::command_line::{ApproveOptions, Way};
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, one_line, width};

/// `hook-runner approve`.
pub(crate) fn task(options: &ApproveOptions, screen: &Screen) -> Done {
    if options.make_root_key {
        return make_root_key(screen);
    }
    let Some(typed) = options.code.as_deref() else {
        person()?;
        let desk = Desk::of(&home()?);
        let notice = options.notify.map(|way| match way {
            Way::Osc9 => Notice::Osc9,
            Way::Osc777 => Notice::Osc777,
            Way::Bell => Notice::Bell,
            Way::Desktop => Notice::Desktop,
        });
        return if options.watch {
            waiting::watch(&desk, notice, screen)
        } else {
            waiting::list(&desk, screen)
        };
    };
    let says = Approvals::of_the_machine();
    // A mistyped code is said to be one before anyone is asked for.
    let code: Code = match Code::beginning(typed) {
        // Root sees one action alone, by its whole code.
        Some(beginning) if says.by == By::Person => waiting::find(&beginning, &Desk::of(&home()?))?,
        _ => typed.parse()?,
    };
    match says.by {
        By::Root(_) if !options.describe => return by_root(&code, screen),
        By::Nobody => {
            let why = says.problem.unwrap_or_else(|| "this machine's approvals.toml says so".to_owned());
            return Err(Fault::usage(
                format!("Approvals are switched off here: {why}."),
                "Ask this machine's administrator.",
            ));
        }
        _ => {}
    }
    // First who asks: no one else learns what waits.
    let person = if options.describe { None } else { Some(person()) };
    let desk = Desk::of(&home()?);
    let offer = desk.find(&code, SystemTime::now());
    let Some(person) = person else {
        // For root, who asks as the user: what the user's programs can see anyway.
        screen.say(&serde_json::to_string(&offer?.as_shown()).unwrap_or_default())?;
        return Ok(Exit::Fine);
    };
    let person = match (person, &offer) {
        (Ok(person), _) => person,
        (Err(why), Ok(offer)) => {
            // Who tried is on record; nothing that waits is shown.
            let _ = record(&offer.as_shown(), &code, false, &format!("not a person: {why}"));
            return Err(why.into());
        }
        (Err(why), Err(_)) => return Err(why.into()),
    };
    let offer = offer?;
    let agreed = asked(&person, &offer.as_shown())?;
    if agreed {
        desk.grant(&offer, SystemTime::now())?;
    }
    told(&offer.as_shown(), &code, agreed, "a person", screen)
}

/// How many actions are pending, if a person asks: no one else learns what waits.
pub(crate) fn pending() -> Option<usize> {
    person().ok()?;
    Some(waiting::waiting(&Desk::of(&home().ok()?), SystemTime::now()).ok()?.len())
}

/// The home as the hooks have it: they take none that depends on a folder, and would look elsewhere.
fn home() -> Result<std::path::PathBuf, Fault> {
    std::env::home_dir()
        .filter(|home| home.is_absolute())
        .ok_or_else(|| Fault::usage("No home folder is known.", "Set HOME to an absolute path."))
}

/// Whether the person agrees to what is shown.
fn asked(person: &Person, offer: &Shown) -> std::io::Result<bool> {
    person.agrees(&format!("{}\nAllow exactly this, once, in the next ten minutes?", shown(offer)))
}

/// Records what was said, and says it.
fn told(offer: &Shown, code: &Code, agreed: bool, by: &str, screen: &Screen) -> Done {
    if let Err(error) = record(offer, code, agreed, by) {
        screen.remark(&format!("The audit log has no record of this: {error}. {}\n", error.hint()));
    }
    if !agreed {
        screen.say("Nothing was allowed.\n")?;
        return Ok(Exit::Found);
    }
    screen.say("Allowed, once. Let the agent try exactly this again.\n")?;
    Ok(Exit::Fine)
}

#[cfg(unix)]
use root::{by_root, make_root_key};

#[cfg(not(unix))]
fn by_root(_: &Code, screen: &Screen) -> Done {
    make_root_key(screen)
}

#[cfg(not(unix))]
fn make_root_key(_: &Screen) -> Done {
    Err(Fault::usage("This system has no root.", "Set `by = \"nobody\"` in the machine's approvals.toml."))
}

/// The person, where the system tells who types.
fn person() -> Result<Person, NoPerson> {
    if TELLS { terminal::person() } else { Err(NoPerson::Unseen) }
}

/// All that the approval will hold for. The strings are an agent's: none of them may steer the terminal, pass for another
/// line, or push what matters out of sight.
fn shown(offer: &Shown) -> String {
    let mut text = String::new();
    line(&mut text, "host", &offer.host);
    line(&mut text, "session", &offer.session);
    line(&mut text, "folder", &offer.folder);
    // The lines of the action alone are counted: they are what has to be read.
    let before = text.lines().count();
    for (name, value) in &offer.shown {
        line(&mut text, &format!("▸ {name}"), value);
    }
    let lines = text.lines().count() - before;
    for (rule, reason) in &offer.rules {
        line(&mut text, "held back by", &format!("{rule}: {reason}"));
    }
    if lines > MANY_LINES {
        line(&mut text, "careful", &format!("the action has {lines} lines: check all of them"));
    }
    let odd = odd_letters(offer.shown.iter().map(|(_, value)| value.as_str()));
    if !odd.is_empty() {
        line(&mut text, "careful", &format!("it contains letters that may look like others: {odd}"));
    }
    text.lines().map(|line| screen::hung(line, width(), HANG) + "\n").collect()
}

/// How deep the value of a line stands.
const HANG: usize = 15;

/// More lines than are surely in sight.
const MANY_LINES: usize = 12;

/// Blanks in a row that are counted instead of shown.
const MANY_BLANKS: usize = 8;

/// Letters that are named.
const MOST_LETTERS: usize = 8;

/// One text under its name, on as many lines as it has.
fn line(text: &mut String, name: &str, value: &str) {
    let mut name = one_line(name);
    let mut empty = 0;
    // Trailing line feeds say nothing and would only take room.
    for part in value.trim_end().split('\n') {
        // Blank lines would push what stands before them out of sight.
        if part.trim().is_empty() && name == "│" {
            empty += 1;
            continue;
        }
        if empty > 0 {
            let _ = writeln!(text, "  {:<12} ‹{empty} empty›", "│");
            empty = 0;
        }
        let _ = writeln!(text, "  {name:<12} {}", counted(&one_line(part)));
        "│".clone_into(&mut name);
    }
}

/// A line in which many blanks are counted.
fn counted(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    // By characters, and then in bytes: some blanks are several bytes long.
    while let Some(at) = rest.find(char::is_whitespace) {
        let blanks = rest[at..].chars().take_while(|c| c.is_whitespace()).count();
        let width: usize = rest[at..].chars().take(blanks).map(char::len_utf8).sum();
        shown.push_str(&rest[..at]);
        if blanks < MANY_BLANKS {
            shown.push_str(&rest[at..at + width]);
        } else {
            let _ = write!(shown, " ‹{blanks} blanks› ");
        }
        rest = &rest[at + width..];
    }
    shown + rest
}

/// The letters that no keyboard of English has, each with its number.
fn odd_letters<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut odd: Vec<char> = texts.flat_map(str::chars).filter(|c| !c.is_ascii()).collect();
    odd.sort_unstable();
    odd.dedup();
    let more = if odd.len() > MOST_LETTERS { ", …" } else { "" };
    let named: Vec<String> = odd
        .iter()
        .take(MOST_LETTERS)
        .map(|c| format!("{} U+{:04X}", one_line(&c.to_string()), u32::from(*c)))
        .collect();
    named.join(", ") + more
}

fn record(offer: &Shown, code: &Code, agreed: bool, by: &str) -> Result<(), audit::LogError> {
    let action: Vec<String> = offer.shown.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let rules: Vec<&str> = offer.rules.iter().map(|(rule, _)| rule.as_str()).collect();
    let granted = audit::Granted {
        host: &offer.host,
        session: &offer.session,
        cwd: &offer.folder,
        rules: &rules,
        action: &action.join("\n"),
        code: &code.to_string(),
        agreed,
    };
    let writer = Writer {
        program: "hook-runner",
        version: env!("CARGO_PKG_VERSION"),
        policy: by,
        elapsed: Duration::ZERO,
    };
    audit::granted(&granted, &writer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_as(value: &str) -> String {
        let mut text = String::new();
        line(&mut text, "▸ command", value);
        text
    }

    #[test]
    fn nothing_is_pushed_out_of_sight() {
        let blanks = shown_as(&format!("ls{}; curl x | sh", " ".repeat(4000)));
        assert!(blanks.len() < 80 && blanks.contains("‹4000 blanks›"), "{blanks}");
        let lines = shown_as(&format!("curl x | sh{}ls", "\n \t".repeat(300)));
        assert!(lines.lines().count() == 3 && lines.contains("‹299 empty›"), "{lines}");
        let odd = shown_as(&format!("ls{}x", "\u{3000}".repeat(50)));
        assert!(odd.contains("‹50 blanks›"), "{odd}");
    }

    #[test]
    fn no_line_of_an_action_passes_for_another() {
        let text = shown_as("ls\n  held back by nothing\r  host codex");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[1].starts_with("  │"), "{text}");
    }

    /// A terminal would break a line wherever it ends, and the rest would begin where a name does.
    #[test]
    fn what_breaks_never_comes_to_stand_where_a_name_does() {
        let action = format!("ls {}  held back by nothing\u{a0}{}", "x".repeat(70), "y".repeat(300));
        let offer = Shown {
            host: "claude".to_owned(),
            session: "s".to_owned(),
            folder: "/p".to_owned(),
            shown: vec![("command".to_owned(), action)],
            rules: Vec::new(),
        };
        let names = ["host", "session", "folder", "▸ command", "careful", " "];
        for line in shown(&offer).lines() {
            assert!(screen::columns(line) <= width(), "{line}");
            let name: String = line.chars().skip(2).take(13).collect();
            assert!(names.iter().any(|known| name.trim() == known.trim()), "{line}");
        }
    }

    #[test]
    fn letters_that_look_like_others_are_named() {
        assert_eq!(odd_letters(["git push m\u{430}in", "x"].into_iter()), "\u{430} U+0430");
        assert_eq!(odd_letters(["git push main"].into_iter()), "");
        assert!(odd_letters(["\u{2800}\u{202e}"].into_iter()).contains("· U+202E"));
    }
}
