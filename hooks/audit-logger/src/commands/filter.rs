//! Which records are meant.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use audit::Record;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use payload::Host;

use super::Trouble;
use super::clock::midnight;

/// What a record may say under `decision.value`.
const DECISIONS: [&str; 11] = [
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
        arg("repo", "REPOSITORY", "A repository's folder, or its name"),
        arg("user", "USER", "A user's name or number"),
        arg("path", "PATH", "A file or folder that was touched or named, with what lies in it"),
    ])
}

/// The options that choose records, as they were given.
pub(super) fn given(matches: &ArgMatches) -> Vec<String> {
    let options =
        arguments(Command::new("")).get_arguments().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>();
    let given = options.iter().filter_map(|name| Some((name, matches.get_one::<String>(name)?)));
    // In one word each: a value may begin with a dash.
    given.map(|(name, value)| format!("--{name}={value}")).collect()
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
    repo: Option<String>,
    user: Option<String>,
    path: Option<PathBuf>,
    /// The tools, rules, repositories and users that there are, in case that nothing is found.
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
            repo: text("repo").map(|repo| {
                let trimmed = repo.trim_end_matches(['/', '\\']);
                if trimmed.is_empty() { repo.clone() } else { trimmed.to_owned() }
            }),
            user: text("user"),
            path: text("path").map(PathBuf::from),
            seen: RefCell::default(),
        })
    }

    /// The tool, rule, repository or user that was probably meant, if no record that was looked at has the one that was asked for.
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
        near("tool", &self.tool)
            .or_else(|| near("rule", &self.rule))
            .or_else(|| near("repo", &self.repo.as_deref().map(|repo| base(repo).to_owned())))
            .or_else(|| near("user", &self.user))
    }

    /// Notes the names that there are, of what was asked for.
    fn note(&self, record: &Record) {
        let note = |what, name: &str| {
            if !name.is_empty()
                // Looked up before it is copied: a log has many records and few names.
                && !self.seen.borrow().iter().any(|(kind, known)| *kind == what && known == name)
            {
                self.seen.borrow_mut().insert((what, name.to_owned()));
            }
        };
        if self.tool.is_some() {
            note("tool", record.text("tool.name"));
            note("tool", record.text("tool.kind"));
        }
        if self.rule.is_some() {
            note("rule", record.rule());
        }
        if self.repo.is_some() {
            note("repo", base(record.text("repo.root")));
        }
        if self.user.is_some() {
            note("user", user(record).0);
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
            && self.repo.as_ref().is_none_or(|wanted| {
                let root = record.text("repo.root");
                root == wanted || (!wanted.contains(['/', '\\']) && base(root) == wanted)
            })
            && self.user.as_ref().is_none_or(|wanted| {
                let (name, number) = user(record);
                record.text("user") == wanted || name == wanted || number == Some(wanted)
            })
            && self.path.as_ref().is_none_or(|wanted| touches(record, wanted))
            && self.since.is_none_or(|since| when().is_some_and(|time| time >= since))
            && self.until.is_none_or(|until| when().is_some_and(|time| time < until))
    }
}

/// The last part of a folder's path, on any system.
fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// A user's name and number, as far as they are known.
fn user(record: &Record) -> (&str, Option<&str>) {
    let user = record.text("user");
    match user.rsplit_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (user, Some(user).filter(|user| user.bytes().all(|byte| byte.is_ascii_digit()))),
    }
}

/// Whether a record is about a file or folder, or about something in it: by the paths of its tool, or by a word of its
/// command.
fn touches(record: &Record, wanted: &Path) -> bool {
    let value = record.value();
    let listed = value["paths"].as_array().into_iter().chain(value["folders"].as_array()).flatten();
    let words = |text: &'_ str| {
        let ends = |c: char| c.is_whitespace() || "\"'`;|&<>()=".contains(c);
        text.split(ends).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    let commands = value["commands"].as_array().into_iter().flatten().chain([&value["command"]]);
    let named = commands.filter_map(serde_json::Value::as_str).flat_map(words);
    let cwd = Path::new(record.text("cwd"));
    let mut all = listed.filter_map(serde_json::Value::as_str).map(str::to_owned).chain(named);
    all.any(|path| {
        let full = plain(&cwd.join(&path));
        if wanted.is_absolute() {
            full.starts_with(plain(wanted))
        } else {
            // Somewhere on the way down: `src/main.rs`, `.ssh`.
            let wanted = plain(wanted);
            !wanted.as_os_str().is_empty() && full.ancestors().any(|folder| folder.ends_with(&wanted))
        }
    })
}

/// A path without `.` and `..`, by its words alone: what it led to then is not asked now.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
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

    fn record(more: &str) -> Record {
        Record::parse(format!("{{\"v\":1,\"id\":\"x\",\"kind\":\"event\",{more}}}").as_bytes()).unwrap()
    }

    #[cfg(unix)]
    #[test]
    fn a_path_is_meant_by_what_lies_in_it_and_by_words_of_a_command() {
        let edit = record(r#""cwd":"/p","paths":["/p/src/main.rs"]"#);
        let shell = record(r#""cwd":"/p/a","command":"rm -rf ../build && cat '/home/b/.ssh/id' >./out.txt""#);
        for (record, wanted, expected) in [
            (&edit, "/p/src", true),
            (&edit, "/p/src/main.rs", true),
            (&edit, "/p/./x/../src", true),
            (&edit, "/p/sr", false),
            (&edit, "src/main.rs", true),
            (&edit, "main.rs", true),
            (&edit, "ain.rs", false),
            (&edit, "lib", false),
            (&shell, "/p/build", true),
            (&shell, ".ssh", true),
            (&shell, "out.txt", true),
            (&shell, "/p/out.txt", false),
            (&shell, "", false),
        ] {
            assert_eq!(touches(record, Path::new(wanted)), expected, "{wanted}");
        }
    }

    #[test]
    fn a_user_has_a_name_or_a_number_or_both() {
        assert_eq!(user(&record(r#""user":"anna:501""#)), ("anna", Some("501")));
        assert_eq!(user(&record(r#""user":"0""#)), ("0", Some("0")));
        assert_eq!(user(&record(r#""user":"anna""#)), ("anna", None));
        assert_eq!((base("/p/web"), base(r"C:\p\web"), base("")), ("web", "web", ""));
    }
}
