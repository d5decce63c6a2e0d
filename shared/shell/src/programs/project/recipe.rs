//! Lines of a build file that something runs, with their places in it.

use shell_engine::{Loaded, Process, Runner, Scope, Span};

use crate::programs::option;

/// A line for a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recipe {
    /// Where it begins in the file.
    pub(super) at: usize,
    pub(super) text: String,
}

impl Recipe {
    /// A line that is a piece of `file` as it stands.
    pub(super) fn piece(file: &str, text: &str) -> Self {
        Self { at: offset(file, text), text: text.to_owned() }
    }
}

/// Where a piece of a text begins; 0 for one of another text.
pub(super) fn offset(whole: &str, piece: &str) -> usize {
    let at = (piece.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    if at <= whole.len() { at } else { 0 }
}

/// What a call says by the options of its tool that name what it runs: the file, and the folder. Each reader looks for its
/// file by [`nearest`], which heeds them: a file that is named counts in place of the usual one.
pub(in crate::programs) fn named<'p>(process: &Process<'p>) -> [Option<&'p str>; 2] {
    let Some(options) = catalog::named(process.name) else { return [None; 2] };
    // A long name may have one dash, as Ant's have.
    let said = |name: &str| {
        let (short, long) = if name.starts_with("--") { ("", name) } else { (name, "") };
        option(process.args(), short, long)
    };
    options.map(|names| names.split_ascii_whitespace().find_map(said))
}

/// The file that the call names by an option of its tool; else the first of these that lies in the folder of `scope`, or in
/// one above it.
pub(in crate::programs) fn nearest(
    process: &mut Process<'_>,
    scope: &mut Scope,
    names: &[&str],
) -> Option<Loaded> {
    let [file, folder] = named(process);
    if let Some(folder) = folder {
        scope.change_folder(folder);
    }
    if let Some(file) = file {
        // A collection of invoke's is a module, without its ending.
        let found = process.runner.look_up(scope, file);
        return found.or_else(|| process.runner.look_up(scope, &format!("{file}.py")));
    }
    if process.runner.has_disk() && !process.runner.may_lie_above(scope, names, MAX_FOLDERS) {
        return None;
    }
    for _ in 0..MAX_FOLDERS {
        if let Some(loaded) = names.iter().find_map(|name| process.runner.look_up(scope, name)) {
            return Some(loaded);
        }
        if !process.runner.has_disk() || matches!(&*scope.cwd, "/" | "" | ".") {
            return None;
        }
        scope.change_folder("..");
    }
    None
}

/// Folders above that a tool looks for its file in.
const MAX_FOLDERS: usize = 6;

/// Runs a piece of a file that is code, and where it begins there. `part` is what it is in [`run`].
pub(super) fn code(
    process: &mut Process<'_>,
    scope: &Scope,
    (loaded, part): (&Loaded, &str),
    (interpreter, body, at): (&str, &str, usize),
) {
    let mut inner = scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, part)) else { return };
    shell_interpreters::run_piece(&mut process.elsewhere(&mut inner), interpreter, (body, at));
    process.runner.close_file(&mut inner, &opened);
}

/// Runs lines of a file, each in a shell of its own in `scope`. `part` names what they belong to: it is not run again
/// where it leads back to itself.
pub(super) fn run(
    process: &mut Process<'_>,
    scope: &Scope,
    (loaded, part): (&Loaded, &str),
    recipes: &[Recipe],
) -> bool {
    let mut inner = scope.clone();
    let Some(opened) = process.runner.open_file(&mut inner, (loaded.file, part)) else { return true };
    for recipe in recipes {
        if loaded.file.is_some() {
            inner.origin = Some(Span::new(recipe.at, recipe.at));
        }
        if let Some(interpreter) = shell_interpreters::named_in(recipe.text.trim_start()) {
            // The places of its statements count from here.
            let origin = inner.origin.take();
            let piece = (&*recipe.text, recipe.at);
            shell_interpreters::run_piece(&mut process.elsewhere(&mut inner), interpreter, piece);
            inner.origin = origin;
            continue;
        }
        let is_block = recipe.text.contains('\n') && loaded.file.is_some();
        if !is_block {
            process.text_in(&inner, &recipe.text);
            continue;
        }
        // Each of its lines has a place of its own.
        let before = (process.runner.analysis.atoms.len(), process.runner.analysis.notes.len());
        inner.origin = None;
        process.text_in(&inner, &recipe.text);
        place_lines(process.runner, (loaded, recipe), before);
    }
    process.runner.close_file(&mut inner, &opened);
    !recipes.is_empty()
}

/// Gives what a block of lines has started its places in the file: so far they count from where the block begins, and
/// in the text whose expressions are filled in.
fn place_lines(runner: &mut Runner, (loaded, recipe): (&Loaded, &Recipe), (atoms, notes): (usize, usize)) {
    // What make takes for itself at the beginning of a line is not in its text.
    let begins = |line: &str| line.trim_start_matches(['@', '-', '+', ' ', '\t']).get(..2).map(str::to_owned);
    let in_file = |at: Span| {
        let number = recipe.text.get(..at.start as usize).map_or(0, |before| before.matches('\n').count());
        let written = loaded.text.get(recipe.at..).unwrap_or("").lines().nth(number).unwrap_or("");
        // A line that an expression has brought stands nowhere else than where that does.
        let same = recipe.text.lines().nth(number).and_then(begins) == begins(written);
        let at = if same { offset(&loaded.text, written) } else { recipe.at };
        Span::new(at, at)
    };
    // A place in the file is empty already; one in the block never is.
    let own = |file: Option<u32>, span: Span| file == loaded.file && !span.is_empty();
    for atom in runner.analysis.atoms.iter_mut().skip(atoms).filter(|atom| own(atom.file, atom.span)) {
        atom.span = in_file(atom.span);
    }
    for note in runner.analysis.notes.iter_mut().skip(notes).filter(|note| own(note.file, note.span)) {
        note.span = in_file(note.span);
    }
}
