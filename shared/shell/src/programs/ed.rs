//! Scripts of ed, on lines that are known: what they write, and what they give to a shell.

use shell_engine::{Arg, How, Io, Process, Script};

/// Lines of a text that are edited.
const MAX_LINES: usize = 1024;

/// Runs the script on the standard input; `None` where there is none.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let script = process.call.io.stdin.clone()?;
    let file =
        process.args().iter().rev().map(|arg| arg.text.as_str()).find(|text| !text.starts_with(['-', '+']));
    // What lies on the disk is a mark, which is read where someone runs it.
    let held = file.map(|file| process.runner.read_file(process.scope, file));
    let mut buffer: Vec<String> = held.as_deref().unwrap_or_default().lines().map(str::to_owned).collect();
    let mut known = true;
    let mut at = buffer.len();
    let mut printed = String::new();
    let mut lines = script.lines();
    while let Some(line) = lines.next() {
        let (range, command) = addressed(line.trim_start().trim_start_matches(':'), at, buffer.len());
        let (from, to) = range.unwrap_or((at, at));
        let rest = command.get(1..).unwrap_or_default();
        match command.chars().next() {
            Some(place @ ('a' | 'i' | 'c')) if buffer.len() < MAX_LINES => {
                let text: Vec<String> =
                    lines.by_ref().take_while(|line| *line != ".").map(str::to_owned).collect();
                let count = buffer.len();
                let cut = match place {
                    'a' => to.min(count)..to.min(count),
                    'i' => to.saturating_sub(1).min(count)..to.saturating_sub(1).min(count),
                    _ => from.saturating_sub(1).min(count)..to.min(count),
                };
                at = cut.start + text.len();
                buffer.splice(cut, text);
            }
            Some('d') => {
                let count = buffer.len();
                buffer.drain(from.saturating_sub(1).min(count)..to.min(count));
                at = from.min(buffer.len());
            }
            Some('s') => {
                let chosen = from.saturating_sub(1).min(buffer.len())..to.min(buffer.len());
                for line in &mut buffer[chosen] {
                    match super::sed::run(&[Arg::from(command)], line) {
                        Some(made) => made.printed.trim_end_matches('\n').clone_into(line),
                        None => known = false,
                    }
                }
            }
            Some('!') => drop(process.text(rest)),
            Some('r' | 'e' | 'E') => match rest.trim_start().strip_prefix('!') {
                Some(line) => {
                    let output = process.text(line);
                    known &= !output.is_empty();
                    buffer.extend(output.lines().map(str::to_owned));
                }
                None => match process.runner.file_at(process.scope, rest.trim()) {
                    Some(text) => buffer.extend(text.lines().map(str::to_owned)),
                    None => known = false,
                },
            },
            Some('w' | 'W') => {
                let text = if known {
                    buffer.join("\n") + "\n"
                } else {
                    format!("{}\n", shell_engine::mark::UNKNOWN)
                };
                let target = rest.trim_start_matches('q').trim_start();
                match (target.strip_prefix('!'), Some(target).filter(|name| !name.is_empty()).or(file)) {
                    (Some(line), _) => {
                        let io = Io { stdin: Some(text.into()), ..Io::default() };
                        let script = Script::new(line, Some((process.index, How::Text)), &io);
                        process.runner.run_text(&mut process.scope.clone(), &script);
                    }
                    (None, Some(name)) => process.runner.put_file(process.scope, name, &text),
                    _ => {}
                }
            }
            Some('p' | 'n' | 'l') if known => {
                let chosen = from.saturating_sub(1).min(buffer.len())..to.min(buffer.len());
                buffer[chosen].iter().for_each(|line| printed.extend([line, "\n"]));
            }
            None => at = to,
            Some('q' | 'Q') => break,
            _ => {}
        }
    }
    Some(printed)
}

/// The lines that a command is for, and the command: `1,$p`, `%s/a/b/`, `,p`, `3`.
fn addressed(line: &str, at: usize, last: usize) -> (Option<(usize, usize)>, &str) {
    if let Some(rest) = line.strip_prefix(['%', ',']) {
        return (Some((1, last)), rest);
    }
    let place = |text: &str| match text {
        "$" => Some(last),
        "." => Some(at),
        digits => digits.parse().ok(),
    };
    let end = line.find(|c: char| !(c.is_ascii_digit() || "$.,".contains(c))).unwrap_or(line.len());
    let (address, rest) = line.split_at(end);
    let (from, to) = address.split_once(',').unwrap_or((address, address));
    (place(from).zip(place(to)), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_their_lines() {
        assert_eq!(addressed("1,$p", 1, 9), (Some((1, 9)), "p"));
        assert_eq!(addressed("%s/a/b/", 1, 9), (Some((1, 9)), "s/a/b/"));
        assert_eq!(addressed("3", 1, 9), (Some((3, 3)), ""));
        assert_eq!(addressed("w !sh", 1, 9), (None, "w !sh"));
    }
}
