//! Rules as TOML, with the report in comments.

use std::fmt::Write as _;

use payload::one_line;

use crate::draft::{Draft, Example, Kind, Run};
use crate::{Format, Remark, Sort};

/// The whole file.
pub(crate) fn file(name: &str, format: Format, drafts: &[Draft], remarks: &[Remark]) -> String {
    let mut text = format!(
        "# Carried over from {}'s {} by `hook-runner policy import`. Review it before it takes effect.\n",
        format.title(),
        comment(name)
    );
    let left: Vec<&Remark> = remarks.iter().filter(|remark| remark.sort == Sort::Left).collect();
    if !left.is_empty() {
        text.push_str("#\n# Not carried over:\n");
        for remark in left {
            let _ = writeln!(
                text,
                "#   {}: {}: {}",
                remark.place,
                comment(&remark.original),
                comment(&remark.why)
            );
        }
    }
    text.push_str("\nschema = 1\n");
    for draft in drafts {
        text.push('\n');
        let _ = writeln!(text, "# {}: {}", draft.place, comment(&draft.original));
        // What was left has its own list at the top: it made no rule to stand above.
        let about = remarks.iter().filter(|remark| {
            remark.sort != Sort::Left && remark.place == draft.place && remark.original == draft.original
        });
        for remark in about {
            let sort = if remark.sort == Sort::Leaky { "Leaked" } else { "Stricter" };
            let _ = writeln!(text, "#   {sort}: {}", comment(&remark.why));
        }
        text.push_str(&rule(name, draft));
    }
    text
}

/// A file of one rule.
pub(crate) fn alone(draft: &Draft) -> String {
    format!("schema = 1\n\n{}", rule("x", draft))
}

pub(crate) fn rule(name: &str, draft: &Draft) -> String {
    let mut text =
        format!("[[rule]]\nid = {}\ndecision = \"{}\"\n", quoted(&draft.id), draft.effect.as_str());
    let reason = match &draft.reason {
        Some(reason) => one_line(reason),
        None => format!("{} says so: {}", one_line(name), one_line(&draft.original)),
    };
    let _ = writeln!(text, "reason = {}", quoted(&reason));
    if !draft.tools.is_empty() {
        let _ = writeln!(text, "tool = {}", list(&draft.tools));
    }
    if !draft.folders.is_empty() {
        let _ = writeln!(text, "when = {{ folder = {} }}", list(&draft.folders));
    }
    let _ = writeln!(text, "{}", kind(&draft.kind));
    for (key, examples) in [("match", &draft.matches), ("not_match", &draft.spares)] {
        if !examples.is_empty() {
            let examples: Vec<String> = examples.iter().map(example).collect();
            let _ = writeln!(text, "{key} = [{}]", examples.join(", "));
        }
    }
    text
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Run(runs) if runs.len() == 1 => format!("run = {}", run(&runs[0])),
        Kind::Run(runs) => {
            let runs: Vec<String> = runs.iter().map(run).collect();
            format!("run = [{}]", runs.join(", "))
        }
        Kind::Path { access, any, except } => {
            let mut fields = vec![format!("access = {}", list(access)), format!("any = {}", list(any))];
            if !except.is_empty() {
                fields.push(format!("except = {}", list(except)));
            }
            format!("path = {{ {} }}", fields.join(", "))
        }
        Kind::Net { hosts } => format!("net = {{ hosts = {} }}", list(hosts)),
        Kind::Mcp { server, tool: None } => format!("mcp = {{ server = {} }}", quoted(server)),
        Kind::Mcp { server, tool: Some(tool) } => {
            format!("mcp = {{ server = {}, tool = {} }}", quoted(server), quoted(tool))
        }
        Kind::Agent { callee } => format!("agent = {{ callee = {} }}", quoted(callee)),
        Kind::Text(pattern) => format!("text = {}", quoted(pattern)),
    }
}

fn run(run: &Run) -> String {
    let fields = [
        ("program", &run.program),
        ("sub", &run.sub),
        ("flags_any", &run.flags_any),
        ("flags_all", &run.flags_all),
        ("written", &run.written),
    ];
    let fields: Vec<String> = fields
        .into_iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(key, values)| format!("{key} = {}", list(values)))
        .collect();
    format!("{{ {} }}", fields.join(", "))
}

fn example(example: &Example) -> String {
    match example {
        Example::Command(text) => quoted(text),
        Example::Path(tool, path) => format!("{{ tool = {}, path = {} }}", quoted(tool), quoted(path)),
        Example::Url(url) => format!("{{ url = {} }}", quoted(url)),
        Example::Mcp(server, tool) => format!("{{ mcp = {} }}", quoted(&format!("{server}/{tool}"))),
        Example::Agent(name) => format!("{{ agent = {} }}", quoted(name)),
    }
}

/// A string or a list of them.
fn list(values: &[impl AsRef<str>]) -> String {
    let all: Vec<String> = values.iter().map(|value| quoted(value.as_ref())).collect();
    match all.as_slice() {
        [one] => one.clone(),
        all => format!("[{}]", all.join(", ")),
    }
}

/// A TOML text: as it is where that is possible, as regular expressions and Windows' paths are full of backslashes.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains('\\') && !text.contains('\'') && !text.chars().any(char::is_control) {
        return format!("'{text}'");
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            // JSON can escape any character, and TOML does not take a bare one of these.
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A string as it stands in a comment: a file may hold anything.
fn comment(text: &str) -> String {
    const SHOWN: usize = 300;
    let line = one_line(text);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
