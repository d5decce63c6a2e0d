//! What a host accepts as a settings file: Claude Code drops the whole file, with its hooks, for one value of a wrong
//! type, one comment or one comma too many.

use payload::{Json, JsonType};

use super::jsonc::Extras;

/// Which host reads a file of settings that is judged by its switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reader {
    /// Strict JSON, and values of the right type.
    Claude,
    /// JSON with comments.
    Gemini,
    /// JSON with comments and commas too many.
    Editor,
    /// Not known: what was accepted before.
    Other,
}

impl Reader {
    /// Who reads a file, by its path.
    pub(super) fn of(path: &str, editor: bool) -> Self {
        if editor {
            return Self::Editor;
        }
        match path.rsplit('/').nth(1) {
            Some(folder) if folder.eq_ignore_ascii_case(".claude") => Self::Claude,
            Some(folder) if folder.eq_ignore_ascii_case(".gemini") => Self::Gemini,
            _ => Self::Other,
        }
    }

    /// Whether a text with these extras is no longer read, though one with the extras of before was.
    pub(super) fn refuses(self, before: Extras, after: Extras) -> bool {
        let new = |of: fn(&Extras) -> bool| of(&after) && !of(&before);
        let comments = new(|extras| extras.comments);
        let others = new(|extras| extras.commas) || new(|extras| extras.mark);
        match self {
            Self::Editor => false,
            Self::Gemini => others,
            Self::Claude | Self::Other => comments || others,
        }
    }

    /// Whether a value may not have the form that it has now: another type than before, or one that the host does not
    /// know for this key.
    pub(super) fn rejects(self, before: Option<Json<'_>>, after: Json<'_>) -> bool {
        self != Self::Editor && self.rejects_at(&mut String::new(), before, after)
    }

    fn rejects_at(self, key: &mut String, before: Option<Json<'_>>, after: Json<'_>) -> bool {
        if before.is_some_and(|before| before.text() == after.text()) {
            return false;
        }
        let wanted = wanted(key).filter(|_| self == Self::Claude);
        let rejected = match &wanted {
            Some(wanted) => !wanted.fits(after),
            None => before.is_some_and(|before| before.kind() != after.kind()),
        };
        if rejected {
            return true;
        }
        // Of duplicates, the last one counts.
        after.members().any(|(name, _)| {
            let length = key.len();
            if length > 0 {
                key.push('.');
            }
            key.push_str(&name);
            let before = before.and_then(|before| before.get(&name));
            let rejects = after.get(&name).is_some_and(|after| self.rejects_at(key, before, after));
            key.truncate(length);
            rejects
        })
    }
}

/// What Claude Code 2.1.329 wants of the keys that anybody may change, read from its own schema; others are judged by
/// their names anyway. One kind a line: first the kind, then the keys. `one-of` names a key and its values.
const CLAUDE: &str = "
    string $schema model language outputStyle theme advisorModel prUrlTemplate plansDirectory minimumVersion \
        requiredMinimumVersion requiredMaximumVersion attributionProject claudeMd timeZone autoMemoryDirectory \
        timeFormat attribution.commit attribution.pr quietHours.start quietHours.end breakReminder.message \
        spellcheck.language spellcheck.checker remote.defaultEnvironmentId editorMode preferredNotifChannel viewMode \
        keybindingFlavor promptCacheTtl subagentPromptCacheTtl agent
    boolean respectGitignore includeCoAuthoredBy includeGitInstructions syncClaudeAiSkills verbose autoUpdates \
        spinnerTipsEnabled clawdFileProgressEnabled syntaxHighlightingDisabled terminalTitleFromRename \
        alwaysThinkingEnabled fastMode fastModePerSessionOptIn promptSuggestionEnabled emojiCompletionEnabled \
        awaySummaryEnabled responseComparisonEnabled showClearContextOnPlanAccept channelsEnabled \
        prefersReducedMotion doneMeansMerged autoMemoryEnabled autoDreamEnabled showThinkingSummaries \
        skipWebFetchPreflight autoCompactEnabled precomputeCompactionEnabled idleCompaction switchModelsOnFlag \
        autoContinueAtUsageLimit autoScrollEnabled wheelScrollAccelerationEnabled fileCheckpointingEnabled \
        showTurnDuration showMessageTimestamps terminalProgressBarEnabled todoFeatureEnabled isolatePeerMachines \
        autoUploadSessions inputNeededNotifEnabled axScreenReader voiceEnabled respondToBashCommands ultracode \
        remoteControlAtStartup totalTokensReminderAfterUserTurn workflowKeywordTriggerEnabled enableWorkflows \
        enableArtifact wslInheritsWindowsSettings enforceAvailableModels bashEditDiffEnabled \
        spellcheck.enabled attribution.sessionUrl quietHours.enabled breakReminder.enabled voice.enabled \
        voice.autoSubmit modelPicker.replaceBuiltInOptions
    count cleanupPeriodDays totalTokensReminderBudget bashOutputMaxChars breakReminder.intervalMinutes \
        breakReminder.breakThresholdMinutes maxProseWidth precomputeArmTokens
    number feedbackSurveyRate
    strings availableModels fallbackModel companyAnnouncements claudeMdExcludes spinnerVerbs.verbs \
        worktree.symlinkDirectories worktree.sparsePaths
    object spinnerVerbs spinnerTipsOverride spellcheck quietHours breakReminder voice remote modelPicker worktree \
        fileSuggestion modelSettings
    map modelOverrides
    one-of effortLevel low medium high xhigh max
    one-of autoUpdatesChannel latest stable rc
    one-of availableModelsMatch prefix exact
    one-of workflowSizeGuideline unrestricted small medium large
    one-of defaultShell bash powershell
    one-of feedbackDrafts notify quiet off
    one-of askUserQuestionTimeout 60s 5m 10m never
    one-of dialogExpiry 60s 5m 10m never
    one-of tui default fullscreen
    one-of voice.mode hold tap
    one-of spinnerVerbs.mode append replace
    one-of worktree.baseRef fresh head
    one-of totalTokensReminder off infinite fixed countdown padded-countdown
    one-of daemonColdStart transient ask
    one-of defaultView chat transcript
";

/// What a value has to be.
struct Wanted {
    kind: &'static str,
    values: &'static str,
}

/// What Claude Code wants of a key.
fn wanted(key: &str) -> Option<Wanted> {
    CLAUDE.lines().map(str::trim).find_map(|line| {
        let (kind, rest) = line.split_once(' ')?;
        if kind == "one-of" {
            let (of, values) = rest.split_once(' ')?;
            return (of == key).then_some(Wanted { kind, values });
        }
        rest.split_whitespace().any(|of| of == key).then_some(Wanted { kind, values: "" })
    })
}

impl Wanted {
    fn fits(&self, value: Json<'_>) -> bool {
        let kind = value.kind();
        match self.kind {
            "string" => kind == JsonType::String,
            "boolean" => kind == JsonType::Bool,
            "number" => kind == JsonType::Number && !value.text().starts_with('-'),
            "count" => value.text().parse::<u64>().is_ok_and(|count| count > 0),
            "strings" => {
                kind == JsonType::Array && value.elements().all(|element| element.kind() == JsonType::String)
            }
            "object" => kind == JsonType::Object,
            "map" => {
                kind == JsonType::Object && value.members().all(|(_, value)| value.kind() == JsonType::String)
            }
            _ => value.as_str().is_some_and(|text| self.values.split(' ').any(|one| one == text)),
        }
    }
}
