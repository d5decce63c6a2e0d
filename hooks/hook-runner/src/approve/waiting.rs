//! `approve --list`: what waits for a person.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use approvals::{Desk, Offer};

use crate::Done;
use crate::fault::Exit;
use crate::paint::{Screen, Tone, one_line, paint};

/// How much of an action is shown, in characters: all of it is shown before it is approved.
const WIDTH: usize = 100;

/// Shows what is pending, newest first.
pub(super) fn list(desk: &Desk, screen: &Screen) -> Done {
    let now = SystemTime::now();
    let mut offers = desk.offers(now)?;
    if offers.is_empty() {
        screen.say("Nothing is pending.\n")?;
        return Ok(Exit::Found);
    }
    // The newest is the one that someone has just been told of.
    offers.sort_by_key(|offer| std::cmp::Reverse(offer.at));
    let mut text = String::new();
    for offer in &offers {
        text += &one(offer, now);
    }
    screen.say(&text)?;
    Ok(Exit::Fine)
}

/// One offer: its code and when, what, where, and why. The strings are an agent's.
fn one(offer: &Offer, now: SystemTime) -> String {
    let code = paint(Tone::Name, &offer.code);
    let mut text = format!(
        "{code}  {}  {}\n",
        ago(now.duration_since(offer.at).unwrap_or_default()),
        one_line(&offer.host)
    );
    let action: Vec<&str> = offer.shown.iter().map(|(_, value)| value.as_str()).collect();
    let action = one_line(&action.join(" "));
    let shown: String = action.chars().take(WIDTH).collect();
    let _ = writeln!(text, "  {shown}{}", if shown.len() < action.len() { "…" } else { "" });
    let _ = writeln!(text, "  in {}, session {}", one_line(&offer.folder), one_line(&offer.session));
    let rules: Vec<&str> = offer.rules.iter().map(|why| why.rule.as_str()).collect();
    let _ = writeln!(text, "  held back by {}", one_line(&rules.join(", ")));
    text
}

fn ago(age: Duration) -> String {
    match age.as_secs() {
        age @ 0..60 => format!("{age} s ago"),
        age @ 60..3600 => format!("{} min ago", age / 60),
        age => format!("{} h ago", age / 3600),
    }
}
