//! Files that an interpreter runs besides its script: what options and variables have it load first, and what a module runs
//! that it is started with.

use std::rc::Rc;

use shell_engine::text::encoding;
use shell_engine::{Arg, Loaded, Process, mark};

use super::Language;
use super::interpreters::Dialect;

/// Files of awk whose content is looked at.
const MAX_INPUT: usize = 4;

/// Modules of Python that run the script, or the module, that follows.
pub(super) fn runs_others(module: &str) -> bool {
    matches!(
        module,
        "accelerate.commands.launch"
            | "bdb"
            | "cProfile"
            | "coverage"
            | "debugpy"
            | "ipdb"
            | "IPython"
            | "kernprof"
            | "memory_profiler"
            | "pdb"
            | "profile"
            | "pudb"
            | "pyinstrument"
            | "pytest"
            | "runpy"
            | "scalene"
            | "streamlit"
            | "torch.distributed.launch"
            | "torch.distributed.run"
            | "trace"
            | "unittest"
            | "viztracer"
    )
}

/// What the files hold among awk's operands, where all of them are there.
pub(super) fn seen(process: &mut Process<'_>, operands: &[Arg]) -> Option<String> {
    let files = operands.iter().map(|arg| arg.text.as_str()).filter(|word| !word.contains('='));
    let texts: Option<Vec<Rc<str>>> = files
        .take(MAX_INPUT + 1)
        .map(|file| process.runner.look_up(process.scope, file).map(|loaded| loaded.text))
        .collect();
    texts.filter(|texts| (1..=MAX_INPUT).contains(&texts.len())).map(|texts| texts.concat())
}

/// What separates awk's fields, as the call says: `-F ,`, `-F:`.
pub(super) fn separator(args: &[Arg]) -> Option<(String, String)> {
    let at = args.iter().position(|arg| arg.text.starts_with("-F"))?;
    let glued = args[at].text.strip_prefix("-F").filter(|text| !text.is_empty());
    let text = glued.map(str::to_owned).or_else(|| Some(args.get(at + 1)?.text.clone()))?;
    Some(("FS".to_owned(), text))
}

/// awk's code without comparisons that never hold: with words that stand neither in what it reads, nor in what it is given,
/// nor anywhere else in the code.
pub(super) fn without_absent(code: &str, data: &str, given: &[Arg]) -> String {
    let brings = ["getline", "ENVIRON", "ARGV", "split(", "sprintf(", "substr("];
    let is_known = !mark::any(data) && !brings.iter().any(|word| code.contains(word));
    let mut written = code.to_owned();
    let (mut from, data) = (0, data.to_ascii_lowercase());
    while let Some(at) = code[from..].find("== \"").map(|at| at + from).filter(|_| is_known) {
        from = at + "== \"".len();
        let Some(word) = code[from..].split('"').next().filter(|word| word.len() > 1) else { continue };
        let quoted = format!("\"{word}\"");
        let is_absent = code.matches(&quoted).count() == code.matches(&format!("== {quoted}")).count()
            && !data.contains(&word.to_ascii_lowercase())
            && !given.iter().any(|arg| arg.text.contains(word));
        let left = code[..at].trim_end();
        let named = left.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'));
        if is_absent && named.len() < left.len() {
            let whole = named.len()..from + word.len() + 1;
            // `$1 == "drop" { … }`
            let is_rule = named.is_empty() || named.ends_with('\n');
            let is_rule = is_rule && code[whole.end..].trim_start().starts_with('{');
            let never = if is_rule && whole.len() > 6 { "if (0)" } else { "0" };
            written.replace_range(whole.clone(), &format!("{never:<0$}", whole.len()));
        }
    }
    written
}

/// The file of a module that Python is started with, or of what that runs in turn.
pub(super) fn module(process: &mut Process<'_>, module: &str, arguments: &[Arg]) -> Option<Loaded> {
    beside(process, module).or_else(|| {
        if !runs_others(module) {
            return None;
        }
        let words = || arguments.iter().map(|arg| arg.text.as_str());
        match words().find(|word| is_named(word, "py")) {
            Some(file) => process.runner.look_up(process.scope, file),
            None => beside(process, words().rfind(|word| !word.starts_with('-'))?),
        }
    })
}

/// What awk goes through: the files among its operands. `None` where there are none.
pub(super) fn input(process: &Process<'_>, operands: &[Arg]) -> Option<Rc<str>> {
    let files = operands.iter().map(|arg| arg.text.as_str()).filter(|word| !word.contains('='));
    let texts: Vec<Rc<str>> =
        files.take(MAX_INPUT).map(|file| process.runner.read_file(process.scope, file)).collect();
    let known = texts.iter().any(|text| &**text != mark::UNKNOWN.encode_utf8(&mut [0; 4]));
    known.then(|| Rc::from(texts.concat()))
}

/// A module that lies in the folder in which the code runs, or where `PYTHONPATH` says.
fn beside(process: &mut Process<'_>, module: &str) -> Option<Loaded> {
    let path = module.replace('.', "/");
    let mut folders = vec![String::new()];
    folders.extend(listed(process, "PYTHONPATH"));
    folders.iter().find_map(|folder| {
        let files = [format!("{folder}{path}.py"), format!("{folder}{path}/__main__.py")];
        files.iter().find_map(|file| process.runner.look_up(process.scope, file))
    })
}

/// The folders that a variable lists, each with a slash at its end.
fn listed(process: &mut Process<'_>, variable: &str) -> Vec<String> {
    let value = process.variable(variable).unwrap_or_default();
    value.split(':').filter(|folder| !folder.is_empty()).map(|folder| format!("{folder}/")).collect()
}

/// The JavaScript of an address that holds it: `data:text/javascript,CODE`, `data:…;base64,CODE`.
pub(super) fn in_data_url(address: &str) -> Option<String> {
    let (head, data) = address.strip_prefix("data:")?.split_once(',')?;
    let mut parts = head.split(';');
    parts.next().filter(|kind| kind.ends_with("/javascript"))?;
    if parts.any(|part| part.eq_ignore_ascii_case("base64")) {
        let bytes = encoding::base64(data.split_whitespace().next().unwrap_or(""))?;
        return String::from_utf8(bytes).ok();
    }
    Some(mark::scrub(&encoding::percent(data)).into_owned())
}

/// Code that a variable has an interpreter run before its script: `NODE_OPTIONS=--import=data:…`, `PERL5DB=CODE`.
pub(super) fn code(process: &mut Process<'_>, dialect: Dialect, args: &[Arg]) -> Option<String> {
    match dialect {
        Dialect::Code(Language::JavaScript) => {
            let options = process.variable("NODE_OPTIONS")?;
            options.find("data:").and_then(|at| in_data_url(&options[at..]))
        }
        Dialect::Code(Language::Perl) => {
            // `-Mstrict;CODE`: what follows the name is code as well.
            let modules = args.iter().filter(|arg| arg.text.starts_with("-M") || arg.text.starts_with("-m"));
            let code = modules.filter_map(|arg| arg.text.split_once(';')).map(|(_, code)| code);
            let code = code.collect::<Vec<_>>().join("\n");
            if !code.is_empty() {
                return Some(code);
            }
            // The debugger, which `-d` starts.
            args.iter().any(|arg| arg.text.starts_with("-d")).then_some(())?;
            process.variable("PERL5DB")
        }
        Dialect::Code(Language::Lua) => process.variable("LUA_INIT").filter(|code| !code.starts_with('@')),
        _ => None,
    }
}

/// Files that are run before the script: `node -r ./k.js`, `ruby -r./w`, `NODE_OPTIONS=--require=./k.js`.
pub(super) fn files(process: &mut Process<'_>, dialect: Dialect, args: &[Arg]) -> Vec<String> {
    let (options, variable): (&[&str], &str) = match dialect {
        Dialect::Code(Language::JavaScript) => {
            (&["-r", "--require", "--import", "--loader", "--experimental-loader"], "NODE_OPTIONS")
        }
        // Where someone types, and after `-i`.
        Dialect::Code(Language::Python) => {
            let mut found: Vec<String> = process.variable("PYTHONSTARTUP").into_iter().collect();
            // Python itself imports these, wherever it looks for modules.
            let folders = listed(process, "PYTHONPATH");
            let names = ["sitecustomize.py", "usercustomize.py"];
            found.extend(folders.iter().flat_map(|folder| names.map(|name| format!("{folder}{name}"))));
            return found;
        }
        Dialect::Code(Language::Ruby) => (&["-r"], "RUBYOPT"),
        Dialect::Code(Language::Lua) => (&["-l"], "LUA_INIT"),
        Dialect::Code(Language::Perl) => (&["-M", "-m"], "PERL5OPT"),
        Dialect::Code(Language::Php) => (&["-d"], ""),
        Dialect::Code(Language::Awk) => (&["-i", "--include"], ""),
        _ => return Vec::new(),
    };
    let environment = if variable.is_empty() { None } else { process.variable(variable) };
    let mut words: Vec<&str> = environment.iter().flat_map(|value| value.split_whitespace()).collect();
    words.extend(args.iter().map(|arg| arg.text.as_str()));
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let value = options.iter().find_map(|option| {
            let rest = word.strip_prefix(option)?;
            match rest.strip_prefix('=') {
                _ if rest.is_empty() => words.get(at + 1).copied(),
                Some(value) => Some(value),
                None if option.len() == 2 => Some(rest),
                None => None,
            }
        });
        if let Some(value) = value {
            found.extend(spelled(value, dialect));
        }
    }
    found
}

/// The files that a name may mean.
fn spelled(name: &str, dialect: Dialect) -> Vec<String> {
    let local = name.starts_with(['.', '/']);
    match dialect {
        Dialect::Code(Language::JavaScript) if local && is_named(name, "js") => vec![name.to_owned()],
        Dialect::Code(Language::JavaScript) if local => vec![name.to_owned(), format!("{name}.js")],
        // `-I.` makes the project's folder one of those that are searched.
        Dialect::Code(Language::Ruby) => vec![name.to_owned(), format!("{name}.rb")],
        Dialect::Code(Language::Lua) => vec![format!("{}.lua", name.replace('.', "/"))],
        Dialect::Code(Language::Perl) => vec![format!("{}.pm", name.replace("::", "/"))],
        Dialect::Code(Language::Php) => {
            let file =
                ["auto_prepend_file=", "auto_append_file="].iter().find_map(|key| name.strip_prefix(key));
            file.map(str::to_owned).into_iter().collect()
        }
        Dialect::Code(Language::Awk) if is_named(name, "awk") => vec![name.to_owned()],
        _ => Vec::new(),
    }
}

/// Whether a file's name ends so.
fn is_named(file: &str, ending: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, last)| last == ending)
}
