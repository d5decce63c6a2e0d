//! A call that runs in another form than the agent wrote it, where the host takes that and still asks its own question.

use payload::{Event, Reason, Verdict};
use policy::layers::Places;
use policy::{Action, Effect, Parts, Rewritten};
use rules::CommandText;

/// The answer that has the host run the rewritten call, if it takes such an answer without an approval, and if nothing in
/// the new form is held back or in doubt.
pub(crate) fn verdict(
    rewritten: &Rewritten,
    event: &Event<'_>,
    places: &Places,
    home: Option<&str>,
) -> Option<Verdict> {
    let [text] = &rewritten.texts[..] else { return None };
    let input = event.input_with_command(text)?;
    let Rewritten { rule, reason, before, after, .. } = rewritten;
    let said = Reason {
        text: format!("`{before}` runs as `{after}`: {reason}"),
        advice: String::new(),
        rule: rule.clone(),
    };
    // Never with an approval: the host would skip its own question.
    let verdict = Verdict::Rewrite { input, approve: false, said };
    payload::render(&verdict, &event.address()).ok()?;
    is_fine(text, event, places, home).then_some(verdict)
}

/// Judges the call anew, with this text: by every rule, in every folder in which it may run.
fn is_fine(text: &str, event: &Event<'_>, places: &Places, home: Option<&str>) -> bool {
    let (folders, parts) = (rules::folders(event, home), Parts::of(event));
    let action = parts.action(event);
    let [command] = &action.commands[..] else { return false };
    let commands = vec![CommandText { text, language: command.language }];
    let action = Action { commands, keeps_nothing: true, ..action };
    let ruling = crate::judged_as(event, action, &folders, (places, home)).ruling;
    let noted = ruling.analyses.iter().any(|analysis| !analysis.notes.is_empty());
    matches!(ruling.answer, None | Some(Effect::Note | Effect::Allow))
        && ruling.decision <= Some(Effect::Allow)
        && !noted
}
