//! bash's own normal form is the oracle: `declare -f` prints a function as bash has understood it, and what runs
//! in that text is what runs in the original one.
//!
//! With `ORACLE_SCRIPTS=/usr/bin:/etc`, the shell scripts in these folders go the same way, without being run.

use std::fs;
use std::path::{Path, PathBuf};

use shell::{Analysis, NoteKind, Surroundings, analyze};

use super::stage::Stage;
use super::{TOLD, generated, written};

/// Scripts that are longer are left out.
const MAX_SCRIPT: u64 = 200_000;

/// What one text and its normal form come to.
enum Outcome {
    Same,
    Refused,
    TooMuch,
    Different(String),
}

fn compare(stage: &Stage, text: &str) -> Outcome {
    let Some(normal) = stage.normal_form(text).unwrap() else { return Outcome::Refused };
    let surroundings = Surroundings { cwd: Some("/home/user/p"), home: Some("/home/user"), disk: None };
    let (original, printed) = (analyze(text, surroundings), analyze(&normal, surroundings));
    let (one, other) = (atoms(&original), atoms(&printed));
    if notes(&original).contains(&NoteKind::TooMuch) {
        // Where the work ends depends on the length of the text, which is not the same.
        return Outcome::TooMuch;
    }
    if one == other && notes(&original) == notes(&printed) {
        return Outcome::Same;
    }
    let at =
        one.iter().zip(&other).position(|(one, other)| one != other).unwrap_or(one.len().min(other.len()));
    Outcome::Different(format!(
        "atom {at} of {} and {}:\n  original {:?}\n  printed  {:?}\n  notes {:?} and {:?}\n{normal:.2000}",
        one.len(),
        other.len(),
        one.get(at),
        other.get(at),
        notes(&original),
        notes(&printed)
    ))
}

/// What an analysis says about its atoms, without the places in the text.
fn atoms(analysis: &Analysis) -> Vec<String> {
    let atoms = analysis.atoms.iter();
    atoms
        .map(|atom| {
            let args: Vec<&str> = atom.args.iter().map(|arg| arg.text.as_str()).collect();
            let stdin = atom.stdin.as_deref().unwrap_or("");
            format!("{args:?} {:?} {:?} {} {stdin:?}", atom.assigns, atom.redirects, atom.cwd)
        })
        .collect()
}

fn notes(analysis: &Analysis) -> Vec<NoteKind> {
    let mut kinds: Vec<NoteKind> = analysis.notes.iter().map(|note| note.kind).collect();
    kinds.sort();
    kinds
}

/// Whether bash 5.2 may print something else than it has read: it gives a `coproc` a name that is not a name there, and
/// loses a separator after a here-document in a substitution.
fn is_misprinted(text: &str) -> bool {
    text.contains("coproc")
        || text.contains("<<") && (text.contains("$(") || text.contains("<(") || text.contains('`'))
}

fn compare_all<'t>(name: &str, texts: impl Iterator<Item = (String, &'t str)>) {
    let stage = match Stage::prepare(&format!("round-trip-{name}")).unwrap() {
        Ok(stage) => stage,
        Err(why) => {
            let _ = std::io::Write::write_fmt(
                &mut std::io::stderr(),
                format_args!("SKIPPED: {why}, so no one can say what the texts of {name} mean\n"),
            );
            return;
        }
    };
    let (mut same, mut refused, mut doubtful, mut too_much, mut different) = (0, 0, 0, 0, Vec::new());
    for (label, text) in texts {
        match compare(&stage, text) {
            Outcome::Same => same += 1,
            Outcome::Refused => refused += 1,
            Outcome::TooMuch => {
                if std::env::var_os("ORACLE_LIST").is_some() {
                    eprintln!("too much: {label}");
                }
                too_much += 1;
            }
            Outcome::Different(_) if is_misprinted(text) => doubtful += 1,
            Outcome::Different(why) => different.push((label, why)),
        }
    }
    eprintln!(
        "{name}: {same} texts mean the same, {} do not, {doubtful} are printed wrongly, {too_much} are too much, {refused} are \
         not taken by bash",
        different.len()
    );
    assert!(doubtful * 20 <= same, "{doubtful} of {same} texts are printed wrongly");
    different.sort_by_key(|(label, _)| label.len());
    let report: Vec<String> =
        different.iter().take(TOLD).map(|(label, why)| format!("---\n{label}\n=> {why}")).collect();
    assert!(different.is_empty(), "{} texts of {name}:\n{}", different.len(), report.join("\n"));
}

#[test]
fn the_normal_form_of_generated_commands_means_the_same() {
    let cases = generated();
    compare_all("generated", cases.iter().map(|case| (case.text.clone(), case.text.as_str())));
}

#[test]
fn the_normal_form_of_written_commands_means_the_same() {
    let cases = written();
    compare_all("written", cases.iter().map(|case| (case.text.clone(), case.text.as_str())));
}

#[test]
fn the_normal_form_of_scripts_means_the_same() {
    let Some(folders) = std::env::var_os("ORACLE_SCRIPTS") else { return };
    let mut scripts = Vec::new();
    for folder in std::env::split_paths(&folders) {
        collect(&folder, &mut scripts);
    }
    scripts.sort();
    let texts: Vec<(String, String)> = scripts
        .iter()
        .filter_map(|path| Some((path.display().to_string(), fs::read_to_string(path).ok()?)))
        .collect();
    compare_all("scripts", texts.iter().map(|(path, text)| (path.clone(), text.as_str())));
}

/// The shell scripts below a folder.
fn collect(folder: &Path, scripts: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        if kind.is_dir() {
            collect(&path, scripts);
        } else if kind.is_file() && entry.metadata().is_ok_and(|metadata| metadata.len() <= MAX_SCRIPT) {
            let start = fs::read(&path).unwrap_or_default();
            let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let line = String::from_utf8_lossy(line).into_owned();
            let shells = ["/sh", "/bash", "/dash", " sh", " bash"];
            if line.starts_with("#!")
                && shells.iter().any(|shell| line.split(" -").next().unwrap_or("").ends_with(shell))
            {
                scripts.push(path);
            }
        }
    }
}
