//! What a hook wants, before a host's dialect is chosen.

use std::fmt::Write as _;

/// The longest reason that is sent, in characters. Claude Code 2.1.329 moves strings over 10,000 characters into a file.
pub const MAX_REASON: usize = 4_000;

/// How much of a command a reason quotes, in characters.
const QUOTED: usize = 160;

/// How many other rules a reason names.
const ALSO: usize = 3;

/// Why, in the words a person or a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reason {
    /// What matched and why it matters, one or two sentences. Never empty.
    pub text: String,
    /// What to do instead; may be empty.
    pub advice: String,
    /// The rule's id, such as `git.reset-hard`; may be empty.
    pub rule: String,
}

impl Reason {
    /// A reason that is only a string.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// What matched, in the words of the call, why that matters, and which other rules say so too; without advice.
    pub fn matched<'r>(evidence: &str, why: &str, rule: &str, others: impl Iterator<Item = &'r str>) -> Self {
        let mut text = String::with_capacity(evidence.len().min(QUOTED) + why.len() + 64);
        // The evidence comes first: a model that sees its own words knows which part of a long command is meant.
        if !evidence.is_empty() {
            text.push('`');
            match evidence.char_indices().nth(QUOTED) {
                Some((end, _)) => {
                    text.push_str(&evidence[..end]);
                    text.push('…');
                }
                None => text.push_str(evidence),
            }
            text.push_str("`: ");
        }
        text.push_str(why);
        let mut also: Vec<&str> = Vec::new();
        for id in others {
            if id != rule && !also.contains(&id) {
                also.push(id);
            }
        }
        if !also.is_empty() {
            text.push_str(" Also: ");
            text.push_str(&also[..also.len().min(ALSO)].join(", "));
            // A long list of ids says nothing that the model could act upon.
            if also.len() > ALSO {
                let _ = write!(text, " and {} more", also.len() - ALSO);
            }
            text.push('.');
        }
        Self { text, advice: String::new(), rule: rule.to_owned() }
    }

    /// With one more sentence at the end of what is said, which is what the line is cut for, should it be too long.
    #[must_use]
    pub fn ending(mut self, sentence: &str) -> Self {
        let end = if self.advice.is_empty() { &mut self.text } else { &mut self.advice };
        let most = (MAX_REASON / 2).saturating_sub(sentence.chars().count() + 32);
        if let Some((at, _)) = end.char_indices().nth(most) {
            end.truncate(at);
            end.push('…');
        }
        // Reasons come from the policies of teams, which need not end their sentences.
        if !end.trim_end().ends_with(['.', '!', '?']) {
            end.push('.');
        }
        end.push(' ');
        end.push_str(sentence);
        self
    }

    /// One line: `<text> Instead: <advice> (rule <id>)`, at most [`MAX_REASON`] characters, never empty.
    ///
    /// Control characters and direction overrides are taken out, line breaks become spaces: a reason may quote the
    /// command that it refuses, and is shown in a terminal.
    pub fn render(&self) -> String {
        self.rendered(false)
    }

    /// As [`Reason::render`], but line breaks stay and the advice has a line of its own: for a stop, where the model reads the last
    /// lines of a check.
    pub(crate) fn render_lines(&self) -> String {
        self.rendered(true)
    }

    fn rendered(&self, lines: bool) -> String {
        let mut line = String::with_capacity(self.text.len() + self.advice.len() + self.rule.len() + 32);
        push_clean(&mut line, &self.text, lines);
        if line.is_empty() {
            line.push_str("Blocked by a policy hook.");
        }
        let without_advice = line.len();
        line.push_str(if lines { "\nInstead: " } else { " Instead: " });
        // Written at once and taken back if nothing came: cleaning into a string of its own would be another copy.
        let advice = line.len();
        push_clean(&mut line, &self.advice, lines);
        if line.len() == advice {
            line.truncate(without_advice);
        }
        let text = line.len();
        line.push_str(" (rule ");
        let rule = line.len();
        push_clean(&mut line, &self.rule, false);
        if line.len() == rule {
            line.truncate(text);
        } else {
            line.push(')');
        }
        // In bytes first, which is cheaper; there are never more characters than bytes.
        if line.len() > MAX_REASON {
            shorten(&mut line, without_advice, text);
        }
        line
    }
}

/// Shortens a line to [`MAX_REASON`] characters: the text before `advice` first, then the advice before `rule`.
fn shorten(line: &mut String, advice: usize, rule: usize) {
    let cut = |text: &str, limit: usize| -> String {
        if text.chars().count() <= limit {
            return text.to_owned();
        }
        text.chars().take(limit.saturating_sub(3)).chain("...".chars()).collect()
    };
    let (said, rule) = line.split_at(rule);
    let (text, advice) = said.split_at(advice);
    // The advice and the rule are what the model goes by, so the quoted command gives way first.
    let rule = cut(rule, MAX_REASON / 4);
    let advice = cut(advice, MAX_REASON / 2);
    let rest = MAX_REASON - rule.chars().count() - advice.chars().count();
    *line = cut(text, rest) + &advice + &rule;
}

/// Appends a string without white space around it and without what a terminal would act upon.
fn push_clean(line: &mut String, text: &str, lines: bool) {
    let text = text.trim();
    if crate::write::printable(text, [0, 0]) {
        line.push_str(text);
        return;
    }
    let start = line.len();
    for c in text.chars() {
        match c {
            '\n' if lines => line.push(c),
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => line.push(' '),
            c if crate::is_unsafe(c) => {}
            c => line.push(c),
        }
    }
    let end = line.trim_end().len().max(start);
    line.truncate(end);
    let blank = line[start..].len() - line[start..].trim_start().len();
    line.replace_range(start..start + blank, "");
}

/// A decision about a tool call or a permission request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Decision {
    /// Runs without asking the user.
    Allow,
    /// The user is asked.
    Ask,
    /// Does not run.
    Deny,
}

impl Decision {
    /// The word of `permissionDecision`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What a hook answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing to say: `{}` and exit 0.
    #[default]
    NoOpinion,
    /// A decision about a tool call or a permission request.
    Decide {
        /// Allow, ask or deny.
        decision: Decision,
        /// Why. An [`Decision::Allow`] may have an empty reason.
        reason: Reason,
    },
    /// The agent must not stop, the prompt is refused, or a tool's result is objected to.
    ///
    /// On a tool's result Claude adds the reason beside it; Copilot, Codex and Gemini replace the result.
    Block {
        /// Why; the model reads it (on a prompt: the user).
        reason: Reason,
    },
    /// A string for the model. Claude Code moves strings over 10,000 characters into a file and shows the start of it.
    Context(String),
    /// The tool runs with another input.
    Rewrite {
        /// The complete new input: the text of one JSON object, never only the changed members.
        input: String,
        /// Whether the call is allowed without asking, too. Codex CLI 0.169.0 rewrites only then.
        approve: bool,
        /// What was written anew and why, for the person and the model, as far as the host shows it; may be empty.
        said: Reason,
    },
    /// A string for the user.
    Notice(String),
}

/// The bytes and the exit code that a host obeys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// One JSON object on one line, without a newline at its end; ASCII only.
    pub stdout: String,
    /// For people; empty unless the host reads it.
    pub stderr: String,
    /// The process's exit code.
    pub exit: u8,
}

impl Reply {
    /// `{}` and exit 0: no opinion.
    pub fn nothing() -> Self {
        Self { stdout: "{}".to_owned(), stderr: String::new(), exit: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matched_comes_first_and_other_rules_are_named_once() {
        let others = ["git.clean", "a.a", "a.a", "b.b", "c.c", "d.d", "e.e"];
        let reason = Reason::matched(&"x".repeat(200), "It deletes.", "git.clean", others.into_iter());
        assert_eq!(
            reason.render(),
            format!("`{}…`: It deletes. Also: a.a, b.b, c.c and 2 more. (rule git.clean)", "x".repeat(160))
        );
        assert_eq!(Reason::matched("", "Why.", "r", std::iter::empty()).text, "Why.");
    }

    /// The half that says what to do, and how a person lets it through, is never the one that is cut.
    #[test]
    fn advice_and_the_last_sentence_and_the_rule_stay_however_long_the_rest_is() {
        for (text, advice) in [(9_000, 0), (9_000, 40), (40, 9_000), (9_000, 9_000), (40, 40)] {
            let reason =
                Reason { text: "t".repeat(text), advice: "a".repeat(advice), rule: "team.rule".to_owned() };
            let line = reason.ending("Type hook-runner approve 7K3F-9QXM").render();
            assert!(line.ends_with(" Type hook-runner approve 7K3F-9QXM (rule team.rule)"), "{line}");
            assert!(line.chars().count() <= MAX_REASON, "{}", line.chars().count());
            assert_eq!(line.contains(" Instead: aaaa"), advice > 0, "{line}");
        }
    }
}
