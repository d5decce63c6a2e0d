//! What a hook wants, before a host's dialect is chosen.

/// The longest reason that is sent, in characters. Claude Code 2.1.329 moves strings over 10,000 characters into a file.
pub const MAX_REASON: usize = 4_000;

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
            shorten(&mut line, text);
        }
        line
    }
}

/// Shortens a line to [`MAX_REASON`] characters: the text before `tail` first, what follows only if that is not enough.
fn shorten(line: &mut String, tail: usize) {
    let cut = |text: &str, limit: usize| -> String {
        if text.chars().count() <= limit {
            return text.to_owned();
        }
        text.chars().take(limit.saturating_sub(3)).chain("...".chars()).collect()
    };
    let (text, tail) = line.split_at(tail);
    // The advice and the rule are what the model goes by, so the quoted command gives way first.
    let tail = cut(tail, MAX_REASON / 2);
    *line = cut(text, MAX_REASON - tail.chars().count()) + &tail;
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
