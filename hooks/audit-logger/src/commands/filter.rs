//! Which records are meant.

use std::cell::RefCell;
use std::collections::BTreeSet;

use audit::Record;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use payload::Host;

use super::Trouble;
use super::clock::midnight;

/// What a record may say under `decision.value`.
const DECISIONS: [&str; 10] = [
    "deny", "ask", "allow", "block", "granted", "refused", "approved", "keep", "rewrite", "restored",
    "dropped",
];

/// In the place of a host or an event that is not known.
const UNKNOWN: &str = "unknown";

fn host(name: &str) -> Result<String, String> {
    // Records of payloads that were not recognised say so in this word, which no host has as its name.
    if name == UNKNOWN {
        return Ok(name.to_owned());
    }
    let host = program::host(name)?;
    Ok(host.as_str().to_owned())
}

fn event(name: &str) -> Result<String, String> {
    if name == UNKNOWN {
        return Ok(name.to_owned());
    }
    let kind = program::event(name)?;
    Ok(kind.as_str().to_owned())
}

/// The arguments that choose records.
pub(super) fn arguments(command: Command) -> Command {
    let arg = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    command.args([
        arg(
            "since",
            "TIME",
            "From this time on: 2026-11-22, 2026-11-22T10:30:00Z, or an age such as 90m, 12h, 7d",
        ),
        arg("until", "TIME", "Before then"),
        arg("session", "ID", "A session, or the beginning of its id"),
        arg("host", "HOST", "").help(format!("{} or unknown", Host::NAMES.join(", "))).value_parser(host),
        arg("event", "EVENT", "Such as PreToolUse").value_parser(event),
        arg("tool", "NAME", "A tool's name or kind, such as Bash or shell"),
        arg("decision", "DECISION", "What was decided").value_parser(PossibleValuesParser::new(DECISIONS)),
        arg("rule", "RULE", "A rule's id, or a family such as git"),
        arg("text", "TEXT", "Text in the command, paths, addresses or the reason"),
    ])
}

/// Which records are meant.
pub(super) struct Filter {
    since: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
    session: Option<String>,
    host: Option<String>,
    event: Option<String>,
    tool: Option<String>,
    decision: Option<String>,
    rule: Option<String>,
    text: Option<String>,
    /// The tools and rules that there are, in case that nothing is found.
    seen: RefCell<BTreeSet<(&'static str, String)>>,
}

impl Filter {
    pub(super) fn new(matches: &ArgMatches) -> Result<Self, Trouble> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        let time =
            |name: &str| text(name).map(|text| time(&text, Utc::now())).transpose().map_err(Trouble::Usage);
        Ok(Self {
            since: time("since")?,
            until: time("until")?,
            session: text("session"),
            host: text("host"),
            event: text("event"),
            tool: text("tool"),
            decision: text("decision"),
            rule: text("rule"),
            // Compared in lower case, as the records are below.
            text: text("text").map(|text| text.to_lowercase()),
            seen: RefCell::default(),
        })
    }

    /// The tool or rule that was probably meant, if no record that was looked at has the one that was asked for.
    pub(super) fn mistyped(&self) -> Option<String> {
        let seen = self.seen.borrow();
        let near = |what: &'static str, wanted: &Option<String>| {
            let wanted = wanted.as_deref()?;
            let known = || seen.iter().filter(|(kind, _)| *kind == what).map(|(_, name)| name.as_str());
            let is = |name: &str| {
                name.eq_ignore_ascii_case(wanted)
                    // A family, such as `git`, stands for all of its rules.
                    || name.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('.'))
            };
            if known().any(is) {
                return None;
            }
            let near = store::settings::nearest(wanted, known())?;
            Some(format!("no record has the {what} `{wanted}`: did you mean `{near}`?"))
        };
        near("tool", &self.tool).or_else(|| near("rule", &self.rule))
    }

    /// Notes the tools and rules, if one was asked for.
    fn note(&self, record: &Record) {
        let note = |what, path: &str| {
            let name = record.text(path);
            if !name.is_empty()
                // Looked up before it is copied: a log has many records and few names.
                && !self.seen.borrow().iter().any(|(kind, known)| *kind == what && known == name)
            {
                self.seen.borrow_mut().insert((what, name.to_owned()));
            }
        };
        if self.tool.is_some() {
            note("tool", "tool.name");
            note("tool", "tool.kind");
        }
        if self.rule.is_some() {
            note("rule", "decision.rule");
        }
    }

    pub(super) fn takes(&self, record: &Record) -> bool {
        self.note(record);
        let is = |wanted: &Option<String>, path: &str| {
            wanted.as_ref().is_none_or(|wanted| record.text(path).eq_ignore_ascii_case(wanted))
        };
        let begins = |wanted: &Option<String>, path: &str| {
            wanted.as_ref().is_none_or(|wanted| record.text(path).starts_with(wanted.as_str()))
        };
        let tool = self.tool.as_ref().is_none_or(|wanted| {
            ["tool.name", "tool.kind"].iter().any(|path| record.text(path).eq_ignore_ascii_case(wanted))
        });
        let rule = self.rule.as_ref().is_none_or(|wanted| {
            let rule = record.rule();
            rule == wanted || rule.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('.'))
        });
        // Only parsed where a time was asked for: a log has many records.
        let when = || record.ts().parse::<DateTime<Utc>>().ok();
        let text = self.text.as_ref().is_none_or(|wanted| {
            let reason = record.text("decision.reason").to_lowercase();
            record.gist().to_lowercase().contains(wanted)
                || reason.contains(wanted)
                // The gist of a command does not name the paths that it touches.
                || record.value()["paths"].to_string().to_lowercase().contains(wanted)
        });
        is(&self.host, "host")
            && is(&self.event, "event")
            && is(&self.decision, "decision.value")
            && begins(&self.session, "session")
            && tool
            && rule
            && text
            && self.since.is_none_or(|since| when().is_some_and(|time| time >= since))
            && self.until.is_none_or(|until| when().is_some_and(|time| time < until))
    }
}

/// A time as people write it.
fn time(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, String> {
    if let Ok(time) = text.parse::<DateTime<Utc>>() {
        return Ok(time);
    }
    // A day begins at midnight here, as the tables' times do.
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(midnight(day));
    }
    let age = || {
        let number: i64 = text.get(..text.len().checked_sub(1)?)?.parse().ok()?;
        let unit = match text.as_bytes().last()? {
            b's' => 1,
            b'm' => 60,
            b'h' => 3600,
            b'd' => 24 * 3600,
            b'w' => 7 * 24 * 3600,
            _ => return None,
        };
        (number >= 0).then_some(())?;
        now.checked_sub_signed(TimeDelta::try_seconds(number.checked_mul(unit)?)?)
    };
    age().ok_or_else(|| {
        format!(
            "`{text}` is not a time: use 2026-11-22, 2026-11-22T10:30:00Z, or an age such as 90m, 12h, 7d"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_moments_and_ages() {
        let now: DateTime<Utc> = "2026-11-22T10:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00Z"),
            ("90m", "2026-11-22T08:30:00Z"),
            ("7d", "2026-11-15T10:00:00Z"),
        ] {
            assert_eq!(time(text, now), expected.parse().map_err(|_| String::new()), "{text}");
        }
        for text in ["", "d", "yesterday", "99999999999999999999d", "12é", "-1d"] {
            assert!(time(text, now).is_err(), "{text}");
        }
    }
}
