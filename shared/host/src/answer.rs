//! What a host silently does not do with an answer: every way in which a hook says something and is not heard.

use payload::model::{Effect, Ended, Outcome};
use payload::{Dialect, EventKind};
use serde_json::Value;

use crate::hook::Hook;
use crate::problem::{Code, Problem};
use crate::process::Finished;
use crate::record::{Product, Quirk};
use crate::request::{Request, Subject};

/// Everything about an answer that the host does not do, or does otherwise than a reader would think.
///
/// Spans are empty: an answer has no file.
pub fn check(
    product: Product,
    hook: &Hook,
    request: &Request,
    finished: &Finished,
    outcome: &Outcome,
) -> Vec<Problem> {
    // Some hosts stumble over the mark. It is set aside here, so that what the hook meant can be named all the same.
    let json: Option<Value> = serde_json::from_str(finished.stdout.trim_start_matches('\u{feff}')).ok();
    // A list or a number is JSON and no answer: it counts as text.
    let json = json.filter(Value::is_object);
    let mut answer = Answer { product, hook, request, finished, outcome, json, problems: Vec::new() };
    answer.process();
    if matches!(finished.ended, Ended::Exited(_)) {
        answer.exit_code();
        answer.form();
        answer.decision();
        answer.context();
        answer.rewrite();
        answer.stop();
    }
    let mut problems = answer.problems;
    problems.dedup();
    problems
}

struct Answer<'a> {
    product: Product,
    hook: &'a Hook,
    request: &'a Request,
    finished: &'a Finished,
    outcome: &'a Outcome,
    json: Option<Value>,
    problems: Vec<Problem>,
}

impl Answer<'_> {
    fn add(&mut self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Problem::new(code, self.product, 0..0, message, help));
    }

    fn kind(&self) -> EventKind {
        self.hook.kind
    }

    fn top(&self, key: &str) -> Option<&Value> {
        self.json.as_ref()?.get(key)
    }

    fn nested(&self, key: &str) -> Option<&Value> {
        self.top("hookSpecificOutput")?.get(key)
    }

    /// The decision words that stand anywhere, with the place of each.
    fn words(&self) -> Vec<(&'static str, &str)> {
        // Hooks are copied from one host to another, so the places of every host are looked at.
        let top = ["permissionDecision", "decision", "behavior"]
            .iter()
            .filter_map(|key| Some((*key, self.top(key)?.as_str()?)));
        let nested = [
            ("hookSpecificOutput.permissionDecision", "permissionDecision"),
            ("hookSpecificOutput.decision", "decision"),
        ]
        .iter()
        .filter_map(|(path, key)| Some((*path, self.nested(key)?.as_str()?)));
        top.chain(nested).collect()
    }

    /// Whether the hook wants to hold something back, wherever and however it says so.
    fn objects(&self) -> bool {
        let words = self.words();
        // No host knows `DENY`, but it tells what the hook was meant to do.
        let no = |word: &str| ["deny", "block", "ask"].iter().any(|no| no.eq_ignore_ascii_case(word));
        words.iter().any(|(_, word)| no(word)) || self.top("continue") == Some(&Value::Bool(false))
    }

    /// Whether the host holds something back.
    fn held(&self) -> bool {
        matches!(self.outcome.effect, Effect::Deny | Effect::Ask | Effect::Block | Effect::Abort)
    }

    /// What a failure does to the call.
    fn consequence(&self) -> &'static str {
        match (self.kind().is_before_tool(), self.held()) {
            (true, true) => "the tool does not run",
            (true, false) => "the tool runs",
            (false, true) => "it counts as a block",
            (false, false) => "it continues as if there were no hook",
        }
    }

    /// How the process ended.
    fn process(&mut self) {
        let title = self.product.title;
        let consequence = self.consequence();
        match self.finished.ended {
            Ended::TimedOut => {
                // Not whole seconds: Claude Code's `SessionEnd` has 1.5, and Gemini CLI counts milliseconds.
                let limit = self.hook.limit.as_secs_f64();
                let message = format!("The hook had not finished after {limit} s; on {title} {consequence}.");
                self.add(Code::HookTimedOut, message, "Answer well before the host's time limit.");
            }
            Ended::Signalled => {
                let message = format!("The hook was killed by a signal; on {title} {consequence}.");
                self.add(Code::HookFailed, message, "Catch errors, and answer with JSON.");
            }
            Ended::NotStarted => {
                let message = format!("The hook could not be started; on {title} {consequence}.");
                self.add(Code::ProgramMissing, message, "Install the program, or fix its path.");
            }
            // These two are answers, which are looked at below.
            Ended::Exited(0 | 2) => {}
            Ended::Exited(code) => {
                let message = format!("The hook failed with exit code {code}; on {title} {consequence}.");
                self.add(Code::HookFailed, message, "Exit with 0 and answer with JSON.");
            }
        }
        if self.finished.held_output {
            let message = format!(
                "The hook ended, and a process that it started keeps its output open: {title} waits for that."
            );
            self.add(
                Code::HookHeldOutput,
                message,
                "Redirect stdin, stdout and stderr of the process that keeps running.",
            );
        }
        if self.finished.flooded {
            self.add(Code::HookFlooded, "The hook wrote more than hook-runner keeps.", "Keep answers short.");
        }
    }

    fn exit_code(&mut self) {
        let title = self.product.title;
        let silent = self.finished.stderr.trim().is_empty();
        match self.finished.ended {
            // Who exits with 2 means to stop the call; here the host goes on with it.
            Ended::Exited(2) if !self.held() && silent && self.json.is_none() => {
                let message =
                    format!("{title} requires a message on stderr with exit code 2; {}.", self.consequence());
                self.add(Code::AnswerExitSilent, message, "Explain why on stderr.");
            }
            Ended::Exited(2) if !self.held() && silent && self.product.has(Quirk::ExitNeedsText) => {
                let message = format!(
                    "{title} requires a message on stderr with exit code 2, even with an answer; {}.",
                    self.consequence()
                );
                self.add(Code::AnswerExitSilent, message, "Explain why on stderr.");
            }
            Ended::Exited(2) if !self.held() => {
                let message =
                    format!("{title} does not treat exit code 2 as a denial here; {}.", self.consequence());
                self.add(Code::AnswerExitUnread, message, "Exit with 0 and answer with JSON.");
            }
            Ended::Exited(2)
                if self.product.has(Quirk::ExitHidesReason)
                    && self.kind().is_before_tool()
                    && self.outcome.reason.is_none() =>
            {
                let message = "Copilot shows neither stderr nor this answer's reason with exit code 2.";
                self.add(Code::AnswerReasonLost, message, "Exit with 0.");
            }
            // Without an objection nothing is lost but the failure, which `process` has reported.
            Ended::Exited(code) if code != 0 && code != 2 && self.objects() && !self.held() => {
                let message = format!("{title} reads no answer with exit code {code}.");
                self.add(Code::AnswerExitUnread, message, "Exit with 0.");
            }
            _ => {}
        }
    }

    /// Whether the answer is something that the host reads at all.
    fn form(&mut self) {
        let title = self.product.title;
        let text = self.finished.stdout.trim();
        if self.json.is_none() && !text.is_empty() {
            // Some hosts take plain text for context here. With any other event it is a log line, and no mistake.
            let context = matches!(self.kind(), EventKind::SessionStart | EventKind::UserPromptSubmit);
            let heard = self.outcome.context.is_some() || self.outcome.notice.is_some() || self.held();
            // A brace: someone meant JSON, and a stray line before or after it voids the answer.
            if text.contains('{') && !heard {
                let message = format!(
                    "{title} requires one JSON object and nothing else on stdout; it ignores this answer."
                );
                self.add(
                    Code::AnswerNotJson,
                    message,
                    "Print one object to stdout, and everything else to stderr.",
                );
            } else if context && !heard {
                let message = format!("{title} does not accept plain text as context.");
                self.add(Code::AnswerContext, message, "Answer with `additionalContext`.");
            }
            return;
        }
        if self.json.is_some()
            && self.finished.stdout.starts_with('\u{feff}')
            && self.outcome.ignored.is_some()
        {
            let message = format!("{title} does not read JSON that starts with a byte order mark.");
            self.add(Code::AnswerNotJson, message, "Remove the byte order mark.");
        }
    }

    fn decision(&mut self) {
        let title = self.product.title;
        let strict = self.product.has(Quirk::NeedsEventName);
        let has_nested = self.top("hookSpecificOutput").is_some_and(Value::is_object);
        if has_nested
            && (self.objects()
                || self.nested("additionalContext").is_some()
                || self.nested("updatedInput").is_some())
        {
            let name = self.nested("hookEventName").and_then(Value::as_str);
            let heard = self.outcome.ignored.is_none();
            // Only where the answer was really dropped: some events are lenient even on a strict host.
            if name.is_none() && strict && !heard {
                let message = format!(
                    "{title} requires `hookEventName` in `hookSpecificOutput`, and drops the answer without it."
                );
                self.add(
                    Code::AnswerEventName,
                    message,
                    format!("Add \"hookEventName\": \"{}\".", self.hook.key),
                );
                return;
            }
            if let Some(name) = name
                && name != self.hook.key
                && !heard
            {
                let message = format!(
                    "`hookEventName` is `{name}`, not `{}`: {title} drops the answer.",
                    self.hook.key
                );
                self.add(Code::AnswerEventName, message, "Repeat the name that the payload has.");
                return;
            }
        }
        // The exit code has decided already, and the answer's words do not matter any more.
        if !matches!(self.finished.ended, Ended::Exited(0)) && self.held() {
            return;
        }
        self.words_that_mean_nothing();
        if let Some(why) = self.outcome.ignored
            && self.json.is_some()
        {
            self.dropped(why);
            return;
        }
        if self.objects() && !self.held() {
            self.unheard();
        }
        if self.outcome.effect == Effect::Allow && self.kind().is_before_tool() {
            // An `allow` is often meant as "no objection", which is said by an empty answer.
            let message = format!("This approves the call on {title}: the user is not asked.");
            self.add(Code::AnswerAllow, message, "Answer {} when there is nothing to object to.");
        }
        if self.outcome.effect == Effect::Deny && self.outcome.reason.is_none() && self.json.is_some() {
            let message =
                format!("The denial has no reason that {title} reads: the model does not learn why.");
            self.add(Code::AnswerReasonLost, message, "Add the reason next to the decision.");
        }
    }

    /// Decision words in another case, or of another host.
    fn words_that_mean_nothing(&mut self) {
        let title = self.product.title;
        // The words of all hosts. One that belongs to another host shows below, by having no effect.
        let known = ["allow", "deny", "ask", "block", "approve", "defer"];
        let wrong: Vec<(&'static str, String)> = self
            .words()
            .into_iter()
            .filter(|(_, word)| !known.contains(word))
            .map(|(path, word)| (path, word.to_owned()))
            .collect();
        for (path, word) in wrong {
            let help = known.iter().find(|known| known.eq_ignore_ascii_case(&word));
            let help = help.map_or_else(
                || "Use deny, ask or allow.".to_owned(),
                |known| format!("Did you mean `{known}`?"),
            );
            self.add(Code::AnswerWord, format!("{title} does not know `{word}` in `{path}`."), help);
        }
        let legacy = self.top("decision").and_then(Value::as_str).map(str::to_owned);
        if let Some(word) = legacy
            // The words of the nested form in the old place: the most common mistake of copied hooks.
            && matches!(word.as_str(), "deny" | "allow" | "ask")
            && !self.product.has(Quirk::DecidesAtTop)
            && self.kind() == EventKind::PreToolUse
            && !self.held()
        {
            let message = format!(
                "{title} does not know `{word}` in `decision`, where only `block` and `approve` are valid."
            );
            self.add(Code::AnswerWord, message, "Write \"decision\": \"block\".");
        }
    }

    /// An answer that the host threw away.
    fn dropped(&mut self, why: &'static str) {
        let title = self.product.title;
        let word = |name: &str| self.words().iter().any(|(_, word)| *word == name);
        if self.product.has(Quirk::CannotAsk) && word("ask") {
            let message = format!("{title} cannot ask: the tool runs.");
            return self.add(Code::AnswerAsk, message, format!("Deny on {title}."));
        }
        // The model of the host gives its reason as text, which tells what to recommend.
        if why.contains("without a reason") {
            let message = format!("{title} requires a reason with a denial; {}.", self.consequence());
            return self.add(Code::AnswerNoReason, message, "Add a reason that is not empty.");
        }
        if why.contains("continue, stopReason") {
            let message = format!(
                "{title} supports neither `continue`, `stopReason` nor `suppressOutput` here, and drops the answer."
            );
            return self.add(Code::AnswerUnknownKey, message, "Omit them.");
        }
        if why.contains("updatedInput") {
            let message =
                format!("{title} accepts `updatedInput` only with `permissionDecision: \"allow\"`.");
            return self.add(Code::AnswerRewrite, message, "Add the allow, or deny.");
        }
        // One cause, one finding: those two explain why the answer was dropped.
        if !self.problems.iter().any(|problem| matches!(problem.code, Code::AnswerWord | Code::HookFailed)) {
            let message = format!("{title} drops the whole answer: {why}.");
            self.add(Code::AnswerUnknownKey, message, "Use only keys that this host knows for this event.");
        }
    }

    /// An objection in a place where the host does not look.
    fn unheard(&mut self) {
        let title = self.product.title;
        if self.top("continue") == Some(&Value::Bool(false)) && self.kind() == EventKind::PreToolUse {
            let message = format!("`continue: false` does not stop the tool on {title}.");
            return self.add(Code::AnswerContinue, message, "Deny.");
        }
        // It has no other word for no opinion: its own rules go on from there.
        let asks = self.top("decision") == Some(&Value::String("ask".to_owned()));
        if self.product == Product::ANTIGRAVITY && asks {
            return;
        }
        // A word that no host knows would not be heard in any place.
        if self.problems.iter().any(|problem| problem.code == Code::AnswerWord) {
            return;
        }
        // Where the answer has its decision, as opposed to where this host looks.
        let places: Vec<&str> = self.words().iter().map(|(path, _)| *path).collect();
        let stop = matches!(self.kind(), EventKind::Stop | EventKind::SubagentStop);
        if stop
            && self.top("decision").is_some()
            && self.outcome.ignored.is_none()
            && self.product.has(Quirk::BlockNeedsReason)
        {
            let message = format!("{title} requires a `reason` with a block; the agent stops.");
            return self.add(Code::AnswerNoReason, message, "Add a reason that is not empty.");
        }
        let wanted = match (self.hook.dialect, self.kind()) {
            // In front of the arm that has the stops of all other hosts.
            _ if stop && self.product.has(Quirk::StopDecidesNested) => {
                "`hookSpecificOutput.decision` with a reason"
            }
            (
                _,
                EventKind::Stop
                | EventKind::SubagentStop
                | EventKind::UserPromptSubmit
                | EventKind::PostToolUse,
            ) => "top-level `decision` with `reason`",
            (Dialect::Flat, EventKind::PermissionRequest) => "top-level `behavior`",
            (Dialect::Strict, EventKind::PermissionRequest) => "`hookSpecificOutput.decision.behavior`",
            (Dialect::Flat, _) => "top-level `permissionDecision`",
            _ if self.product.has(Quirk::DecidesAtTop) => "top-level `decision`",
            _ => "`hookSpecificOutput.permissionDecision`",
        };
        let message = format!("{title} does not look at {}; {}.", places.join(" or "), self.consequence());
        self.add(Code::AnswerIgnoredForm, message, format!("Here it is {wanted}."));
    }

    fn context(&mut self) {
        let title = self.product.title;
        let said = self.top("additionalContext").or_else(|| self.nested("additionalContext")).is_some();
        if said && self.outcome.context.is_none() && self.outcome.ignored.is_none() {
            let place =
                if self.top("additionalContext").is_some() { "hookSpecificOutput" } else { "the top level" };
            let none = match self.kind() {
                EventKind::Stop | EventKind::SubagentStop | EventKind::SessionEnd => true,
                EventKind::PreToolUse => self.product.has(Quirk::NoContextBeforeTool),
                _ => false,
            };
            let known = if none {
                format!("{title} accepts no context for this event.")
            } else {
                format!("{title} looks for `additionalContext` in {place} here; this one is lost.")
            };
            self.add(
                Code::AnswerContext,
                known,
                "Put it where this host looks, or in both places if it allows that.",
            );
        }
        // Hosts count characters, not bytes.
        let longest = self.outcome.context.iter().map(|text| text.chars().count()).max();
        if let (Some(longest), Some(limit)) = (longest, self.product.text_limit.value)
            && longest > limit
        {
            let message = format!(
                "{longest} characters of text: {title} shows the model a preview and puts the rest into a file."
            );
            self.add(Code::AnswerLong, message, format!("Stay below {limit} characters."));
        }
    }

    fn rewrite(&mut self) {
        let title = self.product.title;
        if self.kind() != EventKind::PreToolUse {
            return;
        }
        // The keys of all hosts, as with the words of a decision.
        let said = self.top("modifiedArgs").is_some()
            || self.top("updatedInput").is_some()
            || self.nested("updatedInput").is_some()
            || self.nested("tool_input").is_some();
        // A call that is held back has no use for another input.
        if said && self.outcome.input.is_none() && self.outcome.ignored.is_none() && !self.held() {
            let wanted = match self.hook.dialect {
                Dialect::Flat => "top-level `modifiedArgs`".to_owned(),
                _ => format!("`hookSpecificOutput.{}`", self.product.input_key),
            };
            let message =
                format!("{title} does not look for a changed input there: the tool runs with the old one.");
            self.add(Code::AnswerRewrite, message, format!("Here it is {wanted}."));
        }
        if let (Some(text), Subject::Tool { input, .. }) = (&self.outcome.input, &self.request.subject)
            && let Ok(new) = serde_json::from_str::<Value>(text)
            && let Some(old) = input.as_object()
        {
            // Only keys without which there is no call: an optional one may be left out on purpose.
            let missing: Vec<&str> = ["command", "file_path", "filePath", "path", "content", "file_text"]
                .into_iter()
                .filter(|key| old.contains_key(*key) && new.get(key).is_none())
                .collect();
            if !missing.is_empty() {
                let message = format!(
                    "The changed input replaces the whole input and lacks `{}`: the call fails.",
                    missing.join("`, `")
                );
                self.add(Code::AnswerPartial, message, "Repeat every key of the input.");
            }
        }
    }

    fn stop(&mut self) {
        let title = self.product.title;
        if !matches!(self.kind(), EventKind::Stop | EventKind::SubagentStop)
            || self.outcome.effect != Effect::Block
        {
            return;
        }
        // The first block is what a stop hook is for; the next may go on for ever.
        if self.request.stop_hook_active {
            let message = match self.product.stop_limit.value {
                Some(limit) => format!(
                    "The hook blocks although `stop_hook_active` is set: {title} gives up after {limit} rounds."
                ),
                None => format!(
                    "The hook blocks although `stop_hook_active` is set: {title} has no limit and never ends."
                ),
            };
            self.add(Code::AnswerStopLoop, message, "Let the agent stop when `stop_hook_active` is true.");
        }
        if self.request.agent.is_some()
            && self.kind() == EventKind::Stop
            && self.product.has(Quirk::StopsSubAgents)
        {
            let message = "Copilot calls stop hooks for sub-agents, too, and a block does not hold those.";
            self.add(Code::AnswerSubagentStop, message, "Skip payloads with an agent's id.");
        }
    }
}
