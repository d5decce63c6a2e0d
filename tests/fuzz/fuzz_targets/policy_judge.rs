//! Any text through the built-in rules, in every language. See `tests/fuzz/run`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rules::{CommandText, Language, Facts, judge};

fuzz_target!(|text: &str| {
    let commands =
        [Language::Posix, Language::PowerShell, Language::Cmd, Language::Sql]
            .map(|language| CommandText { text, language });
    let facts = || Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
    let judgement = judge(&commands, &facts());
    assert_eq!(judgement.analyses.len(), commands.len());
    for finding in &judgement.findings {
        let analysis = &judgement.analyses[finding.text];
        assert!(finding.atom.is_none_or(|atom| atom < analysis.atoms.len()), "{finding:?}");
        assert!(!shell::mark::any(&finding.evidence), "a person would read a mark: {finding:?}");
    }
    let sorted = judgement.findings.windows(2).all(|pair| pair[0].rule.severity >= pair[1].rule.severity);
    assert!(sorted, "the most severe finding comes first");
    assert_eq!(judgement.decision.is_some(), !judgement.findings.is_empty(), "a finding is a decision");
    let again = judge(&commands, &facts());
    assert_eq!(judgement.decision, again.decision, "the same text, two decisions");
    assert_eq!(judgement.findings.len(), again.findings.len(), "the same text, other findings");
});
