//! A shell whose lines are nearly those of bash, as bash would have them: Nushell.

/// `^rm x`, `rm $nu.home-path`, `def tidy [] {`
pub(super) fn nushell(text: &str) -> String {
    let mut script = String::with_capacity(text.len());
    let mut begins = false;
    for line in text.lines() {
        let bare = line.trim_start();
        let defines = bare.strip_prefix("export ").unwrap_or(bare).strip_prefix("def ");
        if let Some(name) = defines.and_then(|rest| rest.split_whitespace().next()) {
            let name = name.trim_matches('"');
            begins |= name == "main";
            script.extend([name, "() {\n"]);
            continue;
        }
        let mut line = line.to_owned();
        for (own, other) in [
            ("($nu.home-path)", "$HOME"),
            ("$nu.home-path", "$HOME"),
            ("$nu.home-dir", "$HOME"),
            ("$env.", "$"),
            ("$\"", "\""),
            ("^", ""),
        ] {
            line = line.replace(own, other);
        }
        if let Some((name, value)) = bare.strip_prefix("let ").and_then(|rest| rest.split_once(" = ")) {
            line =
                format!("{}={}", name.trim(), value.replace("$nu.home-path", "$HOME").replace("$env.", "$"));
        }
        script.push_str(&line);
        script.push('\n');
    }
    if begins {
        script.push_str("main\n");
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_nushell_are_those_of_bash() {
        assert_eq!(nushell("def tidy [] {\n  ^rm -rf $nu.home-path\n}\n"), "tidy() {\n  rm -rf $HOME\n}\n");
        assert_eq!(nushell("def main [n?: string] {\n}\n"), "main() {\n}\nmain\n");
    }
}
