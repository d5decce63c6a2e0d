//! `approve` without a code, or with the beginning of one: what waits for a person.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, SystemTime};

use approvals::{ApprovalError, Code, Desk, Offer};
use screen::Notice;

use super::ended;
use crate::Done;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, Tone, one_line, paint, width};

/// How long lies between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// What waits for a person, newest first: the newest is the one that someone has just read of.
pub(super) fn waiting(desk: &Desk, now: SystemTime) -> Result<Vec<Offer>, ApprovalError> {
    let mut offers = ended::without(desk.offers(now)?);
    offers.sort_by_key(|offer| std::cmp::Reverse(offer.at));
    Ok(offers)
}

/// Shows what is pending, newest first.
pub(super) fn list(desk: &Desk, screen: &Screen) -> Done {
    let now = SystemTime::now();
    let offers = waiting(desk, now)?;
    if offers.is_empty() {
        screen.say("Nothing is pending.\n")?;
        return Ok(Exit::Found);
    }
    let mut text = String::new();
    for offer in &offers {
        text += &one(offer, now);
    }
    text += "\nhook-runner approve CODE shows one whole and asks; the beginning of the code is enough. \
             hook-runner rule RULE says more about a rule.\n";
    screen.say(&text)?;
    Ok(Exit::Fine)
}

/// The same, and then what comes, until someone interrupts it.
pub(super) fn watch(desk: &Desk, notice: Option<Notice>, screen: &Screen) -> Done {
    list(desk, screen)?;
    let mut known: Vec<(Code, SystemTime)> = seen(&desk.offers(SystemTime::now())?);
    loop {
        thread::sleep(PAUSE);
        let now = SystemTime::now();
        let offers = desk.offers(now)?;
        for offer in offers.iter().filter(|offer| !known.contains(&(offer.code.clone(), offer.at))) {
            screen.say(&one(offer, now))?;
            if let Some(notice) = notice {
                // Nothing of the call: what an agent writes does not belong on a desktop.
                notice.send(&format!("held back: hook-runner approve {}", offer.code));
            }
        }
        known = seen(&offers);
    }
}

fn seen(offers: &[Offer]) -> Vec<(Code, SystemTime)> {
    offers.iter().map(|offer| (offer.code.clone(), offer.at)).collect()
}

/// The one pending code that begins like this.
pub(super) fn find(beginning: &str, desk: &Desk) -> Result<Code, Fault> {
    super::person()?;
    let offers = desk.offers(SystemTime::now())?;
    let fits = |code: &Code| code.to_string().replace('-', "").starts_with(beginning);
    let mut codes: Vec<Code> = offers.into_iter().map(|offer| offer.code).filter(fits).collect();
    match codes.len() {
        0 => Err(ApprovalError::Unknown.into()),
        1 => Ok(codes.remove(0)),
        _ => {
            let codes: Vec<String> = codes.iter().map(Code::to_string).collect();
            let message = format!("Several codes begin like this: {}.", codes.join(", "));
            Err(Fault::usage(message, "Type more of it."))
        }
    }
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
    let rules: Vec<&str> = offer.rules.iter().map(|why| why.rule.as_str()).collect();
    let place = format!("in {}, session {}", one_line(&offer.folder), one_line(&offer.session));
    // Cut, not wrapped: all of it is shown before it is approved.
    for line in [action, place, format!("held back by {}", one_line(&rules.join(", ")))] {
        let shown: String = line.chars().take(width() - 3).collect();
        let _ = writeln!(text, "  {shown}{}", if shown.len() < line.len() { "…" } else { "" });
    }
    text
}

fn ago(age: Duration) -> String {
    match age.as_secs() {
        age @ 0..60 => format!("{age} s ago"),
        age @ 60..3600 => format!("{} min ago", age / 60),
        age => format!("{} h ago", age / 3600),
    }
}
