//! Builtins of fish that bash has under other names.

use shell_engine::bash::is_whole;
use shell_engine::text::is_name;

use super::{Fish, Word, string};
use crate::programs::QUOTES;

impl Fish<'_> {
    pub(super) fn command(&mut self) -> Option<()> {
        self.begin();
        let first = self.substitutions.len();
        let words = self.words()?;
        let texts = || words.iter().map(|word| word.out.as_str()).collect::<Vec<_>>().join(" ");
        let written = self.builtin(&words).filter(|text| is_whole(text)).unwrap_or_else(texts);
        match self.left_out_of(&written, first) {
            none if none.is_empty() => self.out.push_str(&written),
            left_out => self.out.extend(["{ :", &left_out, "; ", &written, "; }"]),
        }
        Some(())
    }

    /// The command of bash that does the same. `None` where it has the same name.
    fn builtin(&mut self, words: &[Word<'_>]) -> Option<String> {
        let (first, rest) = words.split_first()?;
        let (rest, redirects) = apart(rest);
        let text = self.named(first.raw, rest.as_slice())?;
        Some(format!("{text}{redirects}"))
    }

    fn named(&mut self, name: &str, rest: &[&Word<'_>]) -> Option<String> {
        let raw: Vec<&str> = rest.iter().map(|word| word.raw).collect();
        let outs = |from: usize| joined(rest.get(from..).unwrap_or(&[]));
        match name {
            "set" => self.set(rest),
            "string" => string::string(rest),
            "read" => Some(self.read(rest)),
            "argparse" => Some(argparse(rest, self.rest())),
            "count" => match raw.as_slice() {
                ["$argv"] => Some("echo $#".to_owned()),
                [one] if one.starts_with('$') && is_name(&one[1..]) => {
                    self.lists.lists.insert(one[1..].to_owned());
                    Some(format!("echo ${{#{}[@]}}", &one[1..]))
                }
                _ => None,
            },
            "math" => {
                let plain = |word: &&Word<'_>| word.out.replace(['\'', '"', '\\'], "");
                let text = rest.iter().map(plain).collect::<Vec<_>>().join(" ");
                Some(format!("echo $(({text}))"))
            }
            // `contains -- --yes $argv`
            "contains" => {
                let rest: Vec<&&Word<'_>> =
                    rest.iter().skip_while(|word| word.raw.starts_with('-') && word.raw.len() < 3).collect();
                let (wanted, list) = rest.split_first()?;
                let list: String = list
                    .iter()
                    .map(|word| format!(" {}", word.out.replace("[@]", "[*]").replace("\"$@\"", "\"$*\"")))
                    .collect();
                Some(format!(
                    "[[ \" {} \" == *\" {} \"* ]]",
                    list.trim().replace('"', ""),
                    wanted.out.replace(QUOTES, "")
                ))
            }
            "source" | "." if raw.is_empty() || raw == ["-"] => Some("source /dev/stdin".to_owned()),
            "type" | "command"
                if raw.first().is_some_and(|raw| {
                    matches!(*raw, "-q" | "-sq" | "-s" | "--query" | "--search" | "-qs")
                }) =>
            {
                Some(format!("command -v{} >/dev/null", outs(1)))
            }
            "functions" if raw.first().is_some_and(|raw| matches!(*raw, "-q" | "--query")) => {
                Some(format!("declare -F{} >/dev/null", outs(1)))
            }
            "status" => match raw.first()?.trim_start_matches('-') {
                "filename" | "current-filename" | "f" => Some("echo \"${BASH_SOURCE[0]}\"".to_owned()),
                "dirname" => Some("dirname \"${BASH_SOURCE[0]}\"".to_owned()),
                "basename" => Some("basename \"${BASH_SOURCE[0]}\"".to_owned()),
                "is-interactive" | "is-login" | "is-command-substitution" => Some("false".to_owned()),
                _ => Some(":".to_owned()),
            },
            "path" => match *raw.first()? {
                "dirname" => Some(format!("dirname{}", outs(1))),
                "basename" => Some(format!("basename{}", outs(1))),
                "resolve" => Some(format!("realpath{}", outs(1))),
                "normalize" | "sort" | "filter" => {
                    Some(format!("printf '%s\\n'{}", joined(&plain(&rest[1..]))))
                }
                "is" => {
                    let test = raw.get(1).filter(|raw| raw.starts_with('-')).unwrap_or(&"-e");
                    Some(format!("[ {test} {} ]", rest.last()?.out))
                }
                _ => None,
            },
            // Abbreviations only stand for what someone types.
            "set_color" | "emit" | "history" | "abbr" => Some(":".to_owned()),
            "alias" if raw.len() == 2 && !raw[0].contains('=') => {
                Some(format!("alias {}={}", raw[0], rest[1].out))
            }
            _ => None,
        }
    }

    /// `set -l name value…`, `set -q name`, `set -e name`
    fn set(&mut self, rest: &[&Word<'_>]) -> Option<String> {
        let at = rest.iter().position(|word| !word.raw.starts_with('-')).unwrap_or(rest.len());
        let (options, operands) = rest.split_at(at);
        let has = |letter: char, long: &str| {
            options
                .iter()
                .any(|word| word.raw == long || !word.raw.starts_with("--") && word.raw.contains(letter))
        };
        let Some((target, values)) = operands.split_first() else {
            // What it has, it shows.
            return Some(if has('n', "--names") { ":" } else { "env" }.to_owned());
        };
        let (name, index) = match target.raw.split_once('[') {
            Some((name, index)) => (name, Some(index.trim_end_matches(']'))),
            None => (target.raw, None),
        };
        if !is_name(name) {
            return None;
        }
        if has('q', "--query") {
            let tests = operands.iter().map(|word| asked(word.raw));
            return Some(tests.collect::<Vec<_>>().join(" && "));
        }
        if has('e', "--erase") {
            return Some(match (name, index) {
                ("argv", Some("1")) => "shift".to_owned(),
                ("argv", _) => "set --".to_owned(),
                (_, Some(_)) => ":".to_owned(),
                _ => format!("unset{}", joined(operands)),
            });
        }
        if has('S', "--show") {
            return Some(format!("declare -p {name}"));
        }
        let written = joined(values);
        if name == "argv" {
            return Some(format!("set --{written}"));
        }
        if let Some(index) = index {
            self.lists.lists.insert(name.to_owned());
            return Some(match index.parse::<usize>() {
                Ok(index) if index > 0 => format!("{name}[{}]={}", index - 1, written.trim()),
                _ => format!("{name}+=({})", written.trim()),
            });
        }
        if has('a', "--append") || has('p', "--prepend") {
            self.lists.lists.insert(name.to_owned());
            return Some(format!("{name}+=({})", written.trim()));
        }
        let exports = has('x', "--export");
        let is_local = has('l', "--local") || has('f', "--function");
        let before = if exports {
            "export "
        } else if is_local && self.functions > 0 {
            "local "
        } else {
            ""
        };
        let is_many = |word: &&Word<'_>| {
            let is_list = |list: &String| word.raw.strip_prefix('$') == Some(list);
            word.raw == "$argv"
                || word.raw.contains(['*', '{'])
                || word.raw.starts_with("$argv[") && word.raw.contains("..")
                || self.lists.lists.iter().any(is_list)
        };
        if !exports && (values.len() != 1 || values.iter().any(is_many)) {
            self.lists.lists.insert(name.to_owned());
        } else if values.iter().any(|word| word.raw.contains('(') && !word.raw.starts_with('\'')) {
            self.lists.printed.insert(name.to_owned());
        }
        if self.lists.lists.contains(name) && !exports {
            return Some(format!("{before}{name}=({})", written.trim()));
        }
        let values: Vec<&str> = values.iter().map(|word| word.out.as_str()).collect();
        Some(format!("{before}{name}={}", values.join("\" \"")))
    }

    /// `read -l -P 'sure? ' answer`, `read -d , a b`
    fn read(&mut self, rest: &[&Word<'_>]) -> String {
        let (mut names, mut separator, mut options) = (Vec::new(), "", "");
        let mut at = 0;
        while let Some(word) = rest.get(at) {
            match word.raw {
                "-d" | "--delimiter" => {
                    separator = rest.get(at + 1).map_or("", |word| word.out.as_str());
                    at += 1;
                }
                "-P" | "--prompt-str" | "-p" | "--prompt" | "-c" | "--command" | "-n" | "--nchars" | "-R"
                | "--right-prompt" => at += 1,
                raw if raw.starts_with("--delimiter=") => {
                    separator = word.out.split_once('=').map_or("", |(_, separator)| separator);
                }
                "-z" | "--null" => options = " -d ''",
                "--list" | "--array" => options = " -a",
                // `-la words`
                raw if raw.starts_with('-') && !raw.starts_with("--") && raw.contains('a') => options = " -a",
                raw if raw.starts_with('-') => {}
                _ => names.push(word.out.as_str()),
            }
            at += 1;
        }
        if options == " -a" {
            self.lists.lists.extend(names.iter().map(|name| (*name).to_owned()));
        }
        let before = if separator.is_empty() { String::new() } else { format!("IFS={separator} ") };
        format!("{before}read -r{options} {}", names.join(" "))
    }
}

/// Whether a variable has a value: those of options have none where they are not given.
fn asked(raw: &str) -> String {
    let (name, index) = raw.split_once('[').unwrap_or((raw, ""));
    let index = index.trim_end_matches(']');
    match name {
        _ if !is_name(name) || !index.chars().all(|c| c.is_ascii_digit()) => "false".to_owned(),
        "argv" if index.is_empty() => "[ $# -ge 0 ]".to_owned(),
        "argv" => format!("[ $# -ge {index} ]"),
        _ if name.starts_with("_flag_") => format!("[ -n \"${{{name}}}\" ]"),
        _ => format!("[ -n \"${{{name}+x}}\" ]"),
    }
}

/// `argparse 'y/yes' 'd/dir=' -- $argv` as a loop over the arguments.
fn argparse(rest: &[&Word<'_>], left: &str) -> String {
    let specs = rest.iter().take_while(|word| word.raw != "--");
    let (mut before, mut arms) = (String::new(), String::new());
    let mut skips = false;
    for word in specs {
        let spec = word.bare();
        if std::mem::take(&mut skips) {
            continue;
        }
        if spec.starts_with('-') {
            skips = matches!(
                spec,
                "-n" | "--name" | "-x" | "--exclusive" | "-N" | "--min-args" | "-X" | "--max-args"
            );
            continue;
        }
        let end = spec.find(['=', '!', '#', '*', '+']).unwrap_or(spec.len());
        let valued = spec[end..].starts_with('=');
        let is_option = |name: &&str| !name.is_empty() && name.replace('-', "_").chars().all(is_of_name);
        let names: Vec<&str> = spec[..end].split('/').filter(is_option).collect();
        if names.is_empty() {
            continue;
        }
        let options =
            names.iter().map(|name| if name.len() == 1 { format!("-{name}") } else { format!("--{name}") });
        let options: Vec<String> = options.collect();
        let variables: Vec<String> =
            names.iter().map(|name| format!("_flag_{}", name.replace('-', "_"))).collect();
        let all = |value: &str| variables.iter().map(|name| format!("{name}={value}; ")).collect::<String>();
        before.push_str(&all(""));
        if valued {
            arms.extend([format!("{}) {}shift; shift;; ", options.join("|"), all("\"$2\""))]);
            let long: Vec<String> =
                options.iter().filter(|name| name.len() > 2).map(|name| format!("{name}=*")).collect();
            if !long.is_empty() {
                arms.extend([format!("{}) {}shift;; ", long.join("|"), all("\"${1#*=}\""))]);
            }
        } else {
            arms.extend([format!("{}) {}shift;; ", options.join("|"), all("\"$1\""))]);
        }
    }
    // What is left of them, where someone asks for it.
    let after = if left.contains("$argv") { "; set -- \"${_rest[@]}\"" } else { "" };
    format!(
        "{before}_rest=(); while [ $# -gt 0 ]; do case \"$1\" in {arms}--) shift; _rest+=(\"$@\"); set --;; *) _rest+=(\"$1\"); shift;; esac; done{after}"
    )
}

/// The words, and the redirections among them.
fn apart<'w, 'a>(words: &'w [Word<'a>]) -> (Vec<&'w Word<'a>>, String) {
    let is_redirection = |word: &&Word<'_>| {
        let sign = word.raw.trim_start_matches(|c: char| c.is_ascii_digit());
        sign.starts_with(['<', '>']) || sign.starts_with("&>")
    };
    let (redirects, plain): (Vec<&Word<'_>>, Vec<&Word<'_>>) = words.iter().partition(is_redirection);
    (plain, joined(&redirects))
}

/// Words without options.
fn plain<'w, 'a>(words: &[&'w Word<'a>]) -> Vec<&'w Word<'a>> {
    words.iter().copied().filter(|word| !word.raw.starts_with('-')).collect()
}

/// The words, each after a blank.
pub(super) fn joined(words: &[&Word<'_>]) -> String {
    words.iter().map(|word| format!(" {}", word.out)).collect()
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
