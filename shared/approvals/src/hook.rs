//! What a hook does with an approval.

use std::borrow::Cow;
use std::path::Path;
use std::time::SystemTime;

use payload::{Attended, Decision, Event, Verdict};
use program::{Approval, Context};
use redact::Redactor;
use store::settings::By;

use crate::desk::{Answer, Asked, Desk, Why};

/// The verdict after a person had a say.
///
/// Only what is denied, or asked where no one answers, is looked at: everything else costs nothing. `why` names the rules
/// that hold the call back; `None` where one of them is not a person's to lift. What a person granted is answered with no
/// opinion: the host's own rules and questions stay as they are, and no hook says allow.
pub fn settle(
    verdict: Verdict,
    why: impl FnOnce() -> Option<Vec<Why>>,
    event: &Event<'_>,
    context: &Context,
) -> Verdict {
    let verdict = without_secrets(verdict, event);
    let held = match &verdict {
        Verdict::Decide { decision: Decision::Deny, .. } => true,
        Verdict::Decide { decision: Decision::Ask, .. } => !someone_answers(event),
        _ => false,
    };
    // Who only watches, and what a person tries out, neither offers nor uses anything.
    if !held || !context.enforces() || context.is_drill() {
        return verdict;
    }
    let Some(why) = why().filter(|why| !why.is_empty()) else { return verdict };
    // From here on files are read and a lock is waited for.
    context.may_block();
    // A home that is not there is no one's: no person has a terminal in it. One that depends on the folder at work would
    // let a project keep its own approvals.
    let is_home = |home: &Path| home.is_absolute() && home.is_dir();
    let home = context.home().filter(|home| is_home(Path::new(home)));
    let Some(home) = home else { return verdict };
    let asked = Asked { event, by: context.program().name, why: &why };
    let rules = || why.iter().map(|why| why.rule.clone()).collect();
    let desk = Desk::of(Path::new(&home));
    match desk.ask(&asked, SystemTime::now()) {
        Ok(Answer::Granted(code)) => {
            context.approval(Approval { code: code.to_string(), rules: rules(), used: true });
            Verdict::NoOpinion
        }
        Ok(Answer::Offered(code)) => {
            context.approval(Approval { code: code.to_string(), rules: rules(), used: false });
            let root = if let By::Root(_) = desk.says().by { "sudo " } else { "" };
            let how = format!(
                "A person can allow this once, in a terminal of their own: {root}hook-runner approve {code}"
            );
            with(verdict, &how)
        }
        Ok(Answer::Nothing) => match &desk.says().problem {
            Some(problem) => with(verdict, &format!("No person can allow this once: {problem}.")),
            None => verdict,
        },
        Err(error) => with(verdict, &format!("No person can allow this once: {error}. {}", error.hint())),
    }
}

/// The verdict without the secrets of the call: its reason quotes what was found, and hosts keep what they read.
fn without_secrets(verdict: Verdict, event: &Event<'_>) -> Verdict {
    let (commands, sql) = (event.commands(), event.sql());
    let texts = commands.iter().map(|command| &*command.text).chain(sql.iter().map(|sql| &**sql));
    without(verdict, texts)
}

/// The verdict without the secrets of files that its reason may quote.
pub fn without_secrets_of<'t>(verdict: Verdict, files: impl Iterator<Item = &'t str>) -> Verdict {
    let mut files = files.peekable();
    if files.peek().is_none() { verdict } else { without(verdict, files) }
}

/// The verdict without the secrets of texts that its reason may quote.
fn without<'t>(verdict: Verdict, texts: impl Iterator<Item = &'t str>) -> Verdict {
    let Verdict::Decide { decision, mut reason } = verdict else { return verdict };
    let Some(quoted) = quoted(&reason.text) else { return Verdict::Decide { decision, reason } };
    let redactor = Redactor::untagged();
    let (mut is_clean, mut as_typed) = (true, false);
    // What is quoted is what a command means, in which a secret's place may not be seen any more: the commands themselves
    // give it away.
    for text in texts {
        is_clean &= redactor.redact(text).spans.is_empty();
        as_typed |= text.contains(quoted);
    }
    // A piece of what holds no secret holds none, and need not be searched a second time.
    if is_clean && as_typed {
        return Verdict::Decide { decision, reason };
    }
    if let Cow::Owned(text) = redactor.redact(&reason.text).text {
        reason.text = text;
    }
    Verdict::Decide { decision, reason }
}

/// What a reason quotes: it stands between grave accents, which may be in it as well.
fn quoted(reason: &str) -> Option<&str> {
    let (_, rest) = reason.split_once('`')?;
    rest.rsplit_once('`').map(|(quoted, _)| quoted)
}

/// The verdict with one more sentence for its readers.
fn with(verdict: Verdict, sentence: &str) -> Verdict {
    let Verdict::Decide { decision, reason } = verdict else { return verdict };
    Verdict::Decide { decision, reason: reason.ending(sentence) }
}

/// Whether a question reaches someone, as far as that can be known. Where it cannot, a code in its text does no harm.
fn someone_answers(event: &Event<'_>) -> bool {
    if !event.reach().holds() {
        return false;
    }
    match event.host.traits().attended {
        Attended::Unless(variable, value) => std::env::var_os(variable).is_none_or(|set| set != value),
        Attended::WithTerminal => has_terminal(),
        Attended::Unsaid => true,
    }
}

/// Whether this process has a controlling terminal.
#[cfg(unix)]
fn has_terminal() -> bool {
    use rustix::fs::{Mode, OFlags, open};
    // Opening it fails where there is none. It must not become ours by being opened, nor must a line that is
    // not ready hold us up.
    open("/dev/tty", OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())
        .is_ok()
}

/// Not known here.
#[cfg(not(unix))]
fn has_terminal() -> bool {
    true
}
