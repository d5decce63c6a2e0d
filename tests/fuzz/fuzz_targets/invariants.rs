//! What must hold for every text: shared by the targets that analyse shell commands.
//!
//! Build and run the targets with `tests/fuzz/run`; its head says how.

use shell::{Analysis, Language, Surroundings, analyze, analyze_as, mark};

/// Where every analysed text pretends to run.
pub const SURROUNDINGS: Surroundings<'static> =
    Surroundings { cwd: Some("/home/user/project"), home: Some("/home/user"), disk: None };

/// Analyses `text` as bash and checks everything that holds whatever it says.
pub fn check(text: &str) -> Analysis {
    check_as(text, Language::Posix)
}

/// Analyses `text` as a shell of this kind and checks everything that holds whatever it says.
pub fn check_as(text: &str, shell: Language) -> Analysis {
    let analysis = analyze_as(text, shell, SURROUNDINGS);
    check_spans(text, &analysis);
    check_links(&analysis);
    check_size(text, &analysis);
    let again = analyze_as(text, shell, SURROUNDINGS);
    assert_eq!(format!("{analysis:?}"), format!("{again:?}"), "the same text, two answers");
    if mark::any(text) {
        let scrubbed = analyze_as(&mark::scrub(text), shell, SURROUNDINGS);
        assert_eq!(
            format!("{analysis:?}"),
            format!("{scrubbed:?}"),
            "a mark of the input was taken for ours"
        );
    }
    analysis
}

/// Spans lie in the text, the right way round, and between characters.
fn check_spans(text: &str, analysis: &Analysis) {
    let spans =
        analysis.atoms.iter().map(|atom| atom.span).chain(analysis.notes.iter().map(|note| note.span));
    for span in spans {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(start <= end && end <= text.len(), "{span:?} is not in the text");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{span:?} cuts a character");
    }
}

/// What leads to an atom stands before it, and a note is given once.
fn check_links(analysis: &Analysis) {
    for (index, atom) in analysis.atoms.iter().enumerate() {
        assert!(
            atom.via.is_none_or(|via| (via.parent as usize) < index),
            "atom {index} comes from a later one"
        );
        assert!(!atom.args.is_empty() || !atom.redirects.is_empty(), "atom {index} is nothing at all");
    }
    for (index, note) in analysis.notes.iter().enumerate() {
        assert!(analysis.notes[..index].iter().all(|other| other.kind != note.kind), "{note:?} twice");
    }
}

/// The answer is not much larger than the question.
fn check_size(text: &str, analysis: &Analysis) {
    assert!(analysis.atoms.len() <= text.len() + 1_000, "{} atoms", analysis.atoms.len());
    let bytes: usize = analysis
        .atoms
        .iter()
        .map(|atom| {
            let args: usize = atom.args.iter().map(|arg| arg.text.len()).sum();
            let targets: usize = atom.redirects.iter().map(|redirect| redirect.target.len()).sum();
            let assigns: usize = atom.assigns.iter().map(|(name, value)| name.len() + value.len()).sum();
            args + targets + assigns
        })
        .sum();
    assert!(bytes <= 64 * text.len() + 32 * 1024 * 1024, "{bytes} bytes of atoms for {} of text", text.len());
}

/// Checks a string in which `\u{1}` stands for the number of a character and `\u{2}` for its bytes: with a
/// noncharacter that is one of our marks, the same is unknown as with the
/// character that stands for what is not a character.
pub fn check_forging(text: &str) {
    let forged = text.replace('\u{1}', "FDD0").replace('\u{2}', r"\xef\xb7\x90");
    let analysis = check(&forged);
    // Code and hexadecimal text mean something else with other letters in them.
    let digits = ["python", "node", "perl", "ruby", "php", "xxd"].iter().any(|name| text.contains(name));
    if forged != text && !digits {
        let harmless = text.replace('\u{1}', "FFFD").replace('\u{2}', r"\xef\xbf\xbd");
        let other = analyze(&harmless, SURROUNDINGS);
        assert_eq!(holes(&analysis), holes(&other), "an escape in the input became one of our marks");
    }
}

/// Which arguments are not fully known.
fn holes(analysis: &Analysis) -> Vec<Vec<bool>> {
    analysis.atoms.iter().map(|atom| atom.args.iter().map(shell::Arg::has_hole).collect()).collect()
}

/// `text` as one word in single quotes.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
