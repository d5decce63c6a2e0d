//! `approve`: a person lets one held-back action through, once.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use approvals::{Code, Desk, Offer};
use audit::Writer;

use crate::Done;
use crate::command_line::ApproveOptions;
use crate::fault::{Exit, Fault};
use crate::paint::{Screen, one_line};

/// `hook-runner approve`.
pub(crate) fn task(options: &ApproveOptions, screen: &Screen) -> Done {
    // First who asks: nobody else learns what waits.
    let person = trust::terminal::person()?;
    let code: Code = options.code.parse()?;
    let home = std::env::home_dir().ok_or_else(|| Fault::usage("There is no home folder.", "Set HOME."))?;
    let desk = Desk::of(&home);
    let offer = desk.find(&code, SystemTime::now())?;
    let answer = person
        .ask(&format!("{}\nAllow exactly this, once, in the next ten minutes? Type yes: ", shown(&offer)))?;
    let agreed = matches!(answer.trim(), "yes" | "Yes" | "YES");
    if agreed {
        desk.grant(&offer, SystemTime::now())?;
    }
    if let Err(error) = record(&offer, agreed) {
        screen.remark(&format!("The audit log has no record of this: {error}. {}\n", error.hint()));
    }
    if !agreed {
        screen.say("Nothing was allowed.\n")?;
        return Ok(Exit::Found);
    }
    screen.say("Allowed, once. Let the agent try exactly this again.\n")?;
    Ok(Exit::Fine)
}

/// All that the approval will hold for. The texts are an agent's: none of them may steer the terminal.
fn shown(offer: &Offer) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let name = one_line(name);
        for (number, part) in value.split('\n').enumerate() {
            let name = if number == 0 { name.as_str() } else { "│" };
            let _ = writeln!(text, "  {name:<12} {}", one_line(part));
        }
    };
    line("host", &offer.host);
    line("session", &offer.session);
    line("folder", &offer.folder);
    for (name, value) in &offer.shown {
        line(name, value);
    }
    for why in &offer.rules {
        line("held back by", &format!("{}: {}", why.rule, why.reason));
    }
    text
}

fn record(offer: &Offer, agreed: bool) -> Result<(), audit::LogError> {
    let action: Vec<String> = offer.shown.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let rules: Vec<&str> = offer.rules.iter().map(|why| why.rule.as_str()).collect();
    let granted = audit::Granted {
        host: &offer.host,
        session: &offer.session,
        cwd: &offer.folder,
        rules: &rules,
        action: &action.join("\n"),
        code: &offer.code.to_string(),
        agreed,
    };
    let writer = Writer {
        program: "hook-runner",
        version: env!("CARGO_PKG_VERSION"),
        policy: "a person",
        elapsed: Duration::ZERO,
    };
    audit::granted(&granted, &writer)
}
