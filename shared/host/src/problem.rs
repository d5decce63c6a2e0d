//! What can be wrong with hooks: a stable code for each, and one place where it was found.

use std::ops::Range;

use crate::failing::Fate;
use crate::record::Product;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// Something does not do what it says.
    Warning,
    /// A hook does not run, does not hold, or stops everything.
    Error,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Declares [`Code`], its names, severities and titles in one table.
macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $title:literal;)*) => {
        /// What is wrong, as a code that stays the same.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$code),*];

            /// The stable name.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// How bad it usually is.
            pub fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)* }
            }

            /// What it is about, in one sentence.
            pub fn title(self) -> &'static str {
                match self { $(Self::$code => $title,)* }
            }
        }
    };
}

codes! {
    // Files.
    FileUnreadable "file.unreadable" Error "The file cannot be read.";
    FileWritableByOthers "file.writable-by-others" Error "Other users can change what the agent will run.";
    FileName "file.name" Error "A hook file with a name or place that no host looks for.";
    JsonSyntax "json.syntax" Error "The file is not JSON: the host drops it.";
    JsonByteOrderMark "json.byte-order-mark" Error "A byte order mark: a host that requires strict JSON drops the file.";
    JsonComment "json.comment" Error "A comment: a host that requires strict JSON drops the file.";
    JsonTrailingComma "json.trailing-comma" Error "A trailing comma: a host that requires strict JSON drops the file.";
    JsonShape "json.shape" Error "A value of a type that the host does not expect: it drops the file.";
    KeyDuplicate "key.duplicate" Warning "The same key twice: only the last one counts.";
    KeyUnknown "key.unknown" Warning "A key that no host knows.";
    KeyNoEffect "key.no-effect" Warning "A key that this host ignores.";
    Version "version.unsupported" Error "Copilot drops a file whose `version` is not the number 1.";
    HooksOfAgent "hooks.of-agent" Note "Hooks in the head of an agent's file: VS Code runs them as well, and hook-runner does not read them.";
    HooksMissing "hooks.missing" Warning "A hook file without hooks.";
    HooksDisabled "hooks.disabled" Error "`disableAllHooks` switches hooks off.";
    DisableIgnored "hooks.disable-ignored" Warning "`disableAllHooks` has no effect here.";
    RunTwice "hooks.run-twice" Warning "One host reads two files with the same hook and runs it twice.";
    Settings "settings.broken" Error "A mistake in a settings or policy file of ours: the file counts at its strictest until it is fixed.";
    PolicyDoubt "policy.doubt" Warning "A rule or an exception of a policy of ours that does not do what it seems to do.";
    // Events.
    EventUnknown "event.unknown" Error "An event that this host does not know: its hooks never run.";
    EventNeverFires "event.never-fires" Error "An event that this host knows and never calls hooks for.";
    EventDecidesNothing "event.decides-nothing" Warning "A guard on an event whose answer the host does not read.";
    EventShape "event.not-an-array" Error "An event whose value is not an array: the host drops the file.";
    EventBothCasings "event.both-casings" Error "One event in two casings: run twice by one host, replaced by another.";
    // Entries.
    EntryBreaksFile "entry.breaks-file" Error "An entry that the host cannot read: it drops every hook of the file.";
    EntrySkipped "entry.skipped" Error "An entry that the host cannot read and skips.";
    EntryOtherSystem "entry.other-system" Error "An entry without a command for this system: Copilot then denies every call.";
    EntryInHost "entry.in-host" Note "An entry that runs in the host: hook-runner does not run it.";
    ArgsIgnored "args.ignored" Error "`args` with a shell command: the command runs without them.";
    TimeoutKey "timeout.key" Warning "A time limit under a key that this host does not know: its own limit counts.";
    TimeoutUnit "timeout.unit" Error "A time limit in the wrong unit.";
    TimeoutZero "timeout.zero" Error "A time limit of 0 or less: the hook is left out, or ended at once.";
    TimeoutLong "timeout.long" Note "A time limit so long that the user will not wait for it.";
    AsyncGuard "async.no-effect" Error "An asynchronous hook cannot stop anything.";
    EnvLiteral "env.literal" Warning "A variable in `env` is not expanded.";
    EnvNeverSet "env.never-set" Error "A variable that no host sets: hooks get the event on stdin.";
    OnFailure "failure.open" Note "A guard that lets calls through when it fails.";
    // Matchers.
    MatcherEmpty "matcher.empty" Error "An empty matcher: Copilot skips the hook.";
    MatcherInvalid "matcher.invalid" Error "A matcher that is not a regular expression: the hook never runs.";
    MatcherIgnored "matcher.ignored" Warning "A matcher that the host ignores: the hook runs every time.";
    MatcherNeverFits "matcher.never-fits" Error "A matcher that fits no tool of this host.";
    MatcherMissesShell "matcher.misses-shell" Note "A matcher that misses other tools that run commands.";
    // Programs.
    ProgramMissing "program.missing" Error "The program is missing: some hosts then deny every call, others let every call through.";
    ProgramArguments "program.arguments" Error "An option of one of our programs that it refuses, or that belongs to another host or event.";
    ProgramNotExecutable "program.not-executable" Error "The program is not executable.";
    ProgramWritable "program.writable-by-others" Error "Other users can change the program that the hook runs.";
    QuotingUnsafe "quoting.unsafe" Warning "A variable without quotes: a path with a space breaks the command.";
    PowerShellExit "powershell.exit-code" Note "Windows PowerShell turns every exit code but 0 into 1 here.";
    OrderAudit "order.audit-late" Warning "Copilot stops at the first denial, so that this logger never sees denied calls.";
    PermissionOverridden "permission.overridden" Warning "An allow of another hook can override this hook's denial of a permission.";
    TrustValue "trust.prompt-mode-value" Error "Only `true` makes Copilot CLI load a repository's hooks in prompt mode.";
    // Answers.
    AnswerNotJson "answer.not-one-object" Error "The answer is not one JSON object: the host ignores it.";
    AnswerIgnoredForm "answer.form" Error "The decision is where this host does not look.";
    AnswerUnknownKey "answer.unknown-key" Error "A key that voids the whole answer.";
    AnswerEventName "answer.event-name" Error "`hookEventName` is missing or another event's.";
    AnswerWord "answer.word" Error "A decision word that this host does not know.";
    AnswerNoReason "answer.no-reason" Error "A decision without a reason, which this host requires.";
    AnswerExitSilent "answer.exit-2-silent" Error "Exit code 2 without a message on stderr, which this host requires.";
    AnswerExitUnread "answer.exit-unread" Error "An answer with an exit code for which this host reads none.";
    AnswerReasonLost "answer.reason-lost" Warning "The reason is not shown to the model.";
    AnswerAsk "answer.ask-unsupported" Error "`ask` makes this host run the tool.";
    AnswerContinue "answer.continue-false" Error "`continue: false` does not stop the tool.";
    AnswerContext "answer.context-lost" Error "The context is where this host does not look.";
    AnswerLong "answer.too-long" Warning "The text is longer than what the model gets to see.";
    AnswerRewrite "answer.rewrite-lost" Error "The changed input is where this host does not look.";
    AnswerPartial "answer.rewrite-partial" Error "The changed input lacks what the tool needs: hosts replace the whole input.";
    AnswerStopLoop "answer.stop-loop" Error "A stop hook that blocks although it already did: some hosts never end.";
    AnswerSubagentStop "answer.stop-in-sub-agent" Warning "A stop hook that blocks a sub-agent.";
    AnswerAllow "answer.allows" Warning "The answer approves the call, so that the user is not asked.";
    HookFailed "hook.failed" Error "The hook failed.";
    HookTimedOut "hook.timed-out" Error "The hook took too long, and every host then lets the call through.";
    HookHeldOutput "hook.held-output" Warning "A process that the hook left behind kept its output open: hosts wait for it.";
    HookLeftProcesses "hook.left-processes" Note "The hook left processes behind; hook-runner ended them.";
    HookFlooded "hook.flooded" Warning "The hook wrote more than hook-runner keeps.";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub code: Code,
    /// How bad it is here.
    pub severity: Severity,
    /// The host that has the problem.
    pub product: Product,
    /// Where in the text, in bytes.
    pub span: Range<usize>,
    /// What is wrong and what the host does about it.
    pub message: String,
    pub help: String,
    /// What becomes of each call then, where the problem decides that.
    pub fate: Option<Fate>,
}

impl Problem {
    /// A problem of the usual severity.
    pub fn new(
        code: Code,
        product: Product,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity: code.severity(),
            product,
            span,
            message: message.into(),
            help: help.into(),
            fate: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_unique_words() {
        let names: HashSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            let fine = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
            assert!(code.as_str().chars().all(fine) && code.as_str().contains('.'), "{code}");
            assert!(code.title().ends_with('.'), "{code}");
        }
    }
}
