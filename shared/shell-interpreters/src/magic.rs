//! `IPython`'s own lines among those of Python, as the Python that it makes of them.

use std::borrow::Cow;

/// Whether an interpreter knows such lines.
pub(super) fn knows(name: &str) -> bool {
    matches!(name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'), "ipython" | "sage")
}

/// The code with lines such as `!ls`, `files = !ls`, `%sx ls` and cells such as `%%bash` written as calls.
pub fn as_python(code: &str) -> Cow<'_, str> {
    if !code.contains(['!', '%']) {
        return Cow::Borrowed(code);
    }
    if let Some(cell) = code.trim_start().strip_prefix("%%") {
        let (head, body) = cell.split_once('\n').unwrap_or((cell, ""));
        let mut words = head.split_whitespace();
        let runs = match words.next() {
            Some("bash" | "sh" | "!" | "sx" | "system") => true,
            Some("script") => words.next().is_some_and(shell_engine::is_shell),
            // `%%time`, `%%capture`: the cell itself is what counts.
            _ => return Cow::Owned(as_python(body).into_owned()),
        };
        return Cow::Owned(if runs { call("system", body) } else { String::new() });
    }
    Cow::Owned(code.lines().map(line).collect::<Vec<_>>().join("\n"))
}

fn line(line: &str) -> Cow<'_, str> {
    let bare = line.trim_start();
    let indent = &line[..line.len() - bare.len()];
    if let Some(command) = shell_line(bare) {
        return Cow::Owned(format!("{indent}{}", call("system", command)));
    }
    // `name = !command`, `name = %sx command`
    if let Some((name, value)) = bare.split_once('=')
        && name
            .trim_end()
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' ' | b','))
        && let Some(command) = shell_line(value.trim_start())
    {
        return Cow::Owned(format!("{indent}{name}= {}", call("getoutput", command)));
    }
    Cow::Borrowed(line)
}

/// The command of a line that goes to a shell.
fn shell_line(line: &str) -> Option<&str> {
    if let Some(command) = line.strip_prefix("!!").or_else(|| line.strip_prefix('!')) {
        return (!command.starts_with('=')).then_some(command);
    }
    ["%sx ", "%system ", "%%sx ", "%%system "].iter().find_map(|magic| line.strip_prefix(magic))
}

fn call(method: &str, command: &str) -> String {
    let quoted = command.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    // `!rm -rf {base}` is filled in by Python; other braces are the shell's.
    let mut braces = command.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or(rest)).peekable();
    let is_name =
        |name: &str| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) && !name.is_empty();
    let fills = if braces.peek().is_some() && braces.all(is_name) { "f" } else { "" };
    format!("get_ipython().{method}({fills}\"{quoted}\")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_the_shell_are_calls() {
        for (code, expected) in [
            ("!rm x", r#"get_ipython().system("rm x")"#),
            ("  !!rm \"x\"", r#"  get_ipython().system("rm \"x\"")"#),
            ("a, b = !ls", r#"a, b = get_ipython().getoutput("ls")"#),
            ("%sx rm x", r#"get_ipython().system("rm x")"#),
            ("%%bash\nrm x\nls", r#"get_ipython().system("rm x\nls")"#),
            ("%%time\n!rm x", r#"get_ipython().system("rm x")"#),
            ("print(a != b)", "print(a != b)"),
            ("x = a % b", "x = a % b"),
            ("%timeit f()", "%timeit f()"),
        ] {
            assert_eq!(as_python(code), expected, "{code}");
        }
    }
}
