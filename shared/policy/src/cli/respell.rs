//! The same command in other words.
//!
//! Each way runs exactly what the command runs. What a rule matches, it must match in all of them.

/// At least 20 spellings of a command, each with the name of the way.
pub fn respellings(command: &str) -> Vec<(&'static str, String)> {
    let quoted = payload::quote(command);
    let lines = command.trim_end();
    let mut all = vec![
        // A line break in front of each end: the command may close with a comment or a here-document.
        ("sub-shell", format!("( {lines}\n)")),
        ("group", format!("{{ {lines}\n}}")),
        ("bash -c", format!("bash -c {quoted}")),
        ("sh -c", format!("/bin/sh -c {quoted}")),
        ("bash -lc", format!("bash -lc {quoted}")),
        ("eval", format!("eval {quoted}")),
        ("after &&", format!("cd . && {lines}")),
        ("after ;", format!("true; {lines}")),
        ("in front of ||", format!("{lines} || true")),
        ("on its own line", format!("echo start\n{lines}\necho end")),
        ("if", format!("if true; then\n{lines}\nfi")),
        ("for", format!("for i in 1; do\n{lines}\ndone")),
        ("while", format!("while true; do\n{lines}\nbreak; done")),
        ("substitution", format!("echo \"$({lines}\n)\"")),
        ("backticks in front", format!("x=$({lines}\n); echo \"$x\"")),
        ("function", format!("f() {{\n{lines}\n}}; f")),
        ("here-document", format!("bash <<'END_OF_IT'\n{lines}\nEND_OF_IT")),
        ("here-string", format!("bash <<< {quoted}")),
        ("pipe into sh", format!("printf '%s\\n' {quoted} | sh")),
        ("timeout", format!("timeout 60 bash -c {quoted}")),
        ("nohup", format!("nohup sh -c {quoted}")),
        ("env", format!("env A=1 bash -c {quoted}")),
        ("sudo", format!("sudo -u me bash -c {quoted}")),
        ("xargs", format!("echo x | xargs -I{{}} sh -c {quoted}")),
        ("background", format!("{lines} & wait")),
        ("case", format!("case a in a)\n{lines}\n;; esac")),
        ("variable", format!("CMD={quoted}; eval \"$CMD\"")),
        ("written and run", format!("echo {quoted} > /tmp/step.sh; bash /tmp/step.sh")),
    ];
    all.extend(words(command));
    all
}

/// Ways for a command of plain words.
fn words(command: &str) -> Vec<(&'static str, String)> {
    // With quotes, variables or operators in it, the ways below would change what it means.
    let plain = |c: char| c.is_ascii_alphanumeric() || " -_./=:,@+%^".contains(c);
    let Some((program, rest)) = command.split_once(' ') else { return Vec::new() };
    let simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !command.chars().all(plain) || program.is_empty() || !program.chars().all(simple) {
        return Vec::new();
    }
    // A path, `env` or `nice` would not find these: they are the shell's own, or would be wrapped twice.
    let builtin = matches!(program, "cd" | "source" | "export" | "eval" | "exec" | "sudo" | "env" | "time");
    if builtin {
        return Vec::new();
    }
    let (first, end) = program.split_at(1);
    let every = rest.split(' ').map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" ");
    vec![
        ("single quotes", format!("'{program}' {rest}")),
        ("double quotes", format!("\"{program}\" {every}")),
        ("quotes inside", format!("{first}''{end} {rest}")),
        ("backslash", format!("\\{program} {rest}")),
        ("full path", format!("/usr/bin/{program} {rest}")),
        ("dollar quotes", format!("$'{program}' {rest}")),
        ("tabs", format!("{program}\t{}", rest.replace(' ', "\t"))),
        ("continued line", format!("{program} \\\n  {rest}")),
        ("variable", format!("P={program}; $P {rest}")),
        ("echoed name", format!("$(echo {program}) {rest}")),
        ("assignment in front", format!("A=1 {program} {rest}")),
        ("env", format!("env {program} {rest}")),
        ("command", format!("command {program} {rest}")),
        ("timeout", format!("timeout 60 {program} {rest}")),
        ("nice", format!("nice -n 5 {program} {rest}")),
        ("sudo", format!("sudo -E {program} {rest}")),
        ("time", format!("time {program} {rest}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_at_least_twenty() {
        for command in ["git push -f", "grep KEY <.env", "a 'b' | c"] {
            assert!(respellings(command).len() >= 20, "{command}");
        }
    }
}
