//! What xonsh takes from shells among its lines of Python, as the Python that it makes of them.

/// A script of xonsh's as Python: `rm -rf $HOME @(path)` is a call.
pub(super) fn as_python(text: &str) -> String {
    let mut set: Vec<&str> = Vec::new();
    let mut script = String::with_capacity(text.len());
    for line in text.lines() {
        let bare = line.trim_start();
        let indent = &line[..line.len() - bare.len()];
        let assigned = bare.strip_prefix('$').and_then(|rest| rest.split_once(" = "));
        if let Some((name, value)) = assigned {
            set.push(name.trim());
            script.extend([indent, "env_", name.trim(), " = ", &variables(value, &set, false)]);
        } else if is_for_shell(bare) {
            let command =
                bare.replace('\\', "\\\\").replace('"', "\\\"").replace('{', "{{").replace('}', "}}");
            let command = variables(&command, &set, true);
            script.extend([indent, "__import__(\"os\").system(f\"", &command, "\")"]);
        } else if bare.contains('$') {
            script.extend([indent, &variables(bare, &set, false)]);
        } else {
            script.push_str(line);
        }
        script.push('\n');
    }
    script
}

/// Variables of the environment, and expressions of Python in a command, as Python writes them.
fn variables(text: &str, set: &[&str], in_command: bool) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '@']) {
        result.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some((expression, left)) = after
            .strip_prefix('(')
            .and_then(|inner| inner.split_at_checked(closing(inner)?))
            .filter(|_| rest[at..].starts_with('@'))
        {
            result.extend(["{", expression, "}"]);
            rest = &left[1..];
            continue;
        }
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
        let name = &after[..end];
        let own = || format!("env_{name}");
        let value = if set.contains(&name) { own() } else { format!("__import__('os').environ['{name}']") };
        match (in_command, name.is_empty() || rest[at..].starts_with('@')) {
            (_, true) => result.push_str(&rest[at..=at]),
            (true, false) => result.extend(["{", &value, "}"]),
            (false, false) => result.push_str(&value),
        }
        rest = if name.is_empty() || rest[at..].starts_with('@') { after } else { &after[end..] };
    }
    result + rest
}

/// Where the bracket closes that was opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a line is a command, and not Python.
fn is_for_shell(line: &str) -> bool {
    const PYTHON: [&str; 26] = [
        "and", "as", "assert", "async", "await", "class", "def", "del", "elif", "else", "except", "for",
        "from", "global", "if", "import", "in", "lambda", "pass", "print", "raise", "return", "try", "while",
        "with", "yield",
    ];
    let Some((word, rest)) = line.split_once(' ') else { return false };
    let is_program = word.starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, '.' | '/' | '~'))
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '-' | '_' | '~'));
    let rest = rest.trim_start();
    let is_argument = rest.starts_with(|c: char| c.is_alphanumeric() || "~/$@\"'.".contains(c))
        || rest.starts_with('-') && !rest.starts_with("- ");
    let joins = ["in ", "is ", "and ", "or ", "if ", "not "].iter().any(|joint| rest.starts_with(joint));
    is_program && is_argument && !joins && PYTHON.binary_search(&word).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_xonsh_are_calls_of_python() {
        let script = as_python("$ROOT = $HOME\nfor d in ['a']:\n    rm -rf $ROOT @(str(d))\nx = $PWD\n");
        assert_eq!(
            script,
            "env_ROOT = __import__('os').environ['HOME']\nfor d in ['a']:\n    \
             __import__(\"os\").system(f\"rm -rf {env_ROOT} {str(d)}\")\nx = __import__('os').environ['PWD']\n"
        );
        assert!(!is_for_shell("print (1)") && !is_for_shell("x = 1") && !is_for_shell("x - 1"));
    }
}
