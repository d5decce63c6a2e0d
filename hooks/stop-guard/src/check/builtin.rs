//! The checks that start no program.

use std::path::Path;

use repository::{Added, Pushed, Repository, RepositoryError};

use super::{Builtin, Failure, Outcome, Work};

/// How many places one failure names.
const PLACES: usize = 10;

/// How much of a line is shown, in characters.
const WIDTH: usize = 120;

/// Whether it passes over lines that were there before the session.
pub(crate) fn minds_old_lines(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::NoTodo | Builtin::NoDebugOutput)
}

/// Looks. Outside of a repository there is nothing to find.
pub(super) fn look(builtin: Builtin, id: &str, work: &Work<'_>) -> Outcome {
    let Some(repository) = &work.place.repository else {
        return match &work.place.trouble {
            Some(trouble) => Outcome::CouldNotRun(trouble.clone()),
            None => Outcome::Passed,
        };
    };
    match problem(builtin, repository, work) {
        Ok(None) => Outcome::Passed,
        Ok(Some((how, places))) => Outcome::Failed(Failure {
            check: id.to_owned(),
            how,
            // Through the same filter as output of programs: lines of a repository may hold secrets and
            // escape sequences.
            output: crate::tail::tail(places.join("\n").as_bytes()),
            advice: advice(builtin),
        }),
        Err(error) => Outcome::CouldNotRun(format!("{error}. {}", error.hint())),
    }
}

/// What is wrong, and where.
fn problem(
    builtin: Builtin,
    repository: &Repository,
    work: &Work<'_>,
) -> Result<Option<(String, Vec<String>)>, RepositoryError> {
    let among = |wanted: &dyn Fn(&str, &str) -> bool, known: &[String]| {
        let mut lines = repository.added(work.session, wanted)?;
        // What was there before the session is not this agent's to finish.
        lines.retain(|line| !known.contains(&digest(line)));
        Ok(lines)
    };
    let (what, places) = match builtin {
        Builtin::NoConflictMarkers => {
            // A marker that was there before is as unfit to be handed over: old lines are not remembered for it.
            let lines = among(&|_, line| is_conflict_marker(line), &[])?;
            ("found conflict markers in what this session added", shown(&both_ends(lines)))
        }
        Builtin::NoTodo => {
            ("found unfinished work in what this session added", shown(&among(&is_todo, work.known)?))
        }
        Builtin::NoDebugOutput => {
            ("found debug output in what this session added", shown(&among(&is_debug, work.known)?))
        }
        Builtin::CleanTree => {
            let dirty = repository.dirty()?;
            let all = dirty.changed.into_iter().chain(dirty.untracked).collect();
            ("found files that are not committed", all)
        }
        Builtin::Committed => ("found changes that are not committed", repository.dirty()?.changed),
        Builtin::NoMergeInProgress => {
            let operation = repository.operation().map(|name| format!("a {name} is not finished"));
            return Ok(operation.map(|what| (format!("failed: {what}"), Vec::new())));
        }
        Builtin::Pushed => {
            let what = match repository.pushed()? {
                Pushed::DoesNotApply | Pushed::Upstream { ahead: 0, .. } => return Ok(None),
                Pushed::NoUpstream { branch } => format!("the branch {branch:?} was never pushed"),
                Pushed::Upstream { branch, ahead: 1 } => {
                    format!("1 commit of the branch {branch:?} is not pushed")
                }
                Pushed::Upstream { branch, ahead } => {
                    format!("{ahead} commits of the branch {branch:?} are not pushed")
                }
            };
            return Ok(Some((format!("failed: {what}"), Vec::new())));
        }
    };
    if places.is_empty() {
        return Ok(None);
    }
    let more = places.len().saturating_sub(PLACES);
    let mut places: Vec<String> = places.into_iter().take(PLACES).collect();
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    Ok(Some((what.to_owned(), places)))
}

fn advice(builtin: Builtin) -> &'static str {
    match builtin {
        Builtin::NoConflictMarkers => "Resolve the conflicts and remove the markers",
        Builtin::CleanTree => "Commit what belongs to the work, and remove or ignore what does not",
        Builtin::Committed => "Commit what belongs to the work",
        Builtin::Pushed => "Push the branch",
        Builtin::NoMergeInProgress => "Finish or abort it",
        Builtin::NoTodo => "Finish the work, or remove the notes",
        Builtin::NoDebugOutput => "Remove it",
    }
}

/// Where, for people and models.
fn shown(lines: &[Added]) -> Vec<String> {
    let line = |line: &Added| {
        let text: String = line.text.trim().chars().take(WIDTH).collect();
        format!("{}:{}: {text}", line.path, line.number)
    };
    lines.iter().map(line).collect()
}

/// What tells a line apart from others, for those that were there before the session.
pub(crate) fn digest(line: &Added) -> String {
    // Without the line's number: what is inserted above moves it.
    let mut whole = format!("{}\n{}", line.path, line.text);
    whole = store::trust::digest(whole.as_bytes());
    whole.truncate(16);
    whole
}

/// Whether a line is one that [`Builtin::NoTodo`] or [`Builtin::NoDebugOutput`] looks for.
pub(crate) fn looks_unfinished(path: &str, line: &str) -> bool {
    is_todo(path, line) || is_debug(path, line)
}

fn is_conflict_marker(line: &str) -> bool {
    ["<<<<<<< ", ">>>>>>> "].iter().any(|marker| line.starts_with(marker))
        || line == "<<<<<<<"
        || line == ">>>>>>>"
}

/// Only files with a beginning and an end: one alone is text about conflicts.
fn both_ends(lines: Vec<Added>) -> Vec<Added> {
    let has =
        |path: &str, start: &str| lines.iter().any(|line| line.path == path && line.text.starts_with(start));
    let keep: Vec<bool> =
        lines.iter().map(|line| has(&line.path, "<<<<<<<") && has(&line.path, ">>>>>>>")).collect();
    lines.into_iter().zip(keep).filter_map(|(line, keep)| keep.then_some(line)).collect()
}

fn is_todo(_path: &str, line: &str) -> bool {
    ["TODO", "FIXME", "XXX", "HACK"].iter().any(|word| has_word(line, word))
}

/// Whether `word` stands in `line` by itself.
fn has_word(line: &str, word: &str) -> bool {
    let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|after| after.chars().next());
        edge(before) && edge(after)
    })
}

/// Calls that no finished work holds, by the file's extension. Ordinary output is none of them.
fn is_debug(path: &str, line: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let line = line.trim_start();
    // A call in a comment does not run.
    if ["//", "#", "/*", "*"].iter().any(|comment| line.starts_with(comment)) {
        return false;
    }
    let any = |calls: &[&str]| {
        // With a letter in front it is another call: `my_dbg!(`.
        calls.iter().any(|call| {
            line.match_indices(call).any(|(at, _)| {
                let before = line.get(..at).and_then(|before| before.chars().next_back());
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            })
        })
    };
    match extension {
        "rs" => any(&["dbg!("]),
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "vue" | "svelte" => {
            any(&["console.log(", "console.debug(", "console.trace(", "alert("])
                || line == "debugger"
                || line.starts_with("debugger;")
        }
        "py" => any(&["breakpoint()", "pdb.set_trace(", "ipdb.set_trace(", "import pdb", "import ipdb"]),
        "rb" => any(&["binding.pry", "binding.irb", "byebug"]),
        "php" => any(&["var_dump(", "print_r(", "dd("]),
        "go" => any(&["spew.Dump(", "runtime.Breakpoint()"]),
        "java" | "kt" => any(&["printStackTrace()"]) || line.contains(".printStackTrace()"),
        "ex" | "exs" => any(&["IO.inspect(", "IEx.pry"]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_words_of_their_own() {
        for line in ["// TODO: later", "TODO", "x(); /* FIXME */", "# HACK(me)", "XXX"] {
            assert!(is_todo("a.rs", line), "{line}");
        }
        for line in ["TODOS", "mastodon", "let TODO_LIST = 1;", "todo!()", "0XXXL", "my_TODO"] {
            assert!(!is_todo("a.rs", line), "{line}");
        }
    }

    #[test]
    fn debug_output_is_recognised_by_language() {
        for (path, line) in [
            ("a.rs", "    dbg!(x);"),
            ("a.ts", "if (x) console.log(x)"),
            ("a.js", "debugger;"),
            ("a.py", "    breakpoint()"),
            ("a.py", "import pdb; pdb.set_trace()"),
            ("a.rb", "binding.pry"),
            ("a.php", "var_dump($x);"),
            ("A.java", "e.printStackTrace();"),
        ] {
            assert!(is_debug(path, line), "{path}: {line}");
        }
        for (path, line) in [
            ("a.rs", "println!(\"{x}\");"),
            ("a.rs", "// dbg!(x)"),
            ("a.rs", "undbg!(x)"),
            ("a.js", "myconsole.log(x)"),
            ("a.js", "const debuggerOn = 1"),
            ("a.py", "print(x)"),
            ("a.md", "console.log(x)"),
            ("a.php", "add(1)"),
        ] {
            assert!(!is_debug(path, line), "{path}: {line}");
        }
    }

    #[test]
    fn a_conflict_has_two_ends() {
        let line = |number, text: &str| Added { path: "a".to_owned(), number, text: text.to_owned() };
        let whole = vec![line(1, "<<<<<<< HEAD"), line(5, ">>>>>>> theirs")];
        assert_eq!(both_ends(whole.clone()), whole);
        assert_eq!(both_ends(vec![line(1, ">>>>>>> quoted mail")]), vec![]);
        assert!(!is_conflict_marker("<<<<<<<< eight") && !is_conflict_marker(" <<<<<<< in a text"));
    }
}
