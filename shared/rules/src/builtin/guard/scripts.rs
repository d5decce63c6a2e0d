//! Files that an editor's or a client's own script writes: `sed -n 'w FILE'`, `.output FILE`, `:wq FILE`.

use super::super::has;
use super::touch::Touch;
use crate::command::Command;

/// Words of a program's scripts after which the file stands that is written.
fn writing(program: &str) -> &'static str {
    match program {
        "sed" | "gsed" => "w W",
        "vim" | "vi" | "nvim" | "ex" | "ed" | "red" | "view" | "vimdiff" => {
            "w w! W wq wq! x x! xit write write! sav sav! saveas saveas! up update redir redir!"
        }
        "sqlite3" | "sqlite" => ".output .once .backup .save .excel .log .trace writefile",
        "duckdb" => ".output .once .log to",
        "psql" => "\\o \\out \\g \\w \\write to",
        "mysql" | "mariadb" => "tee \\T outfile dumpfile",
        "lftp" | "ftp" => "-o lcd",
        "curl" => "output = -o dump-header cookie-jar trace trace-ascii stderr",
        "gdb" | "lldb" => "file logging",
        _ => "",
    }
}

/// What such a program reads as its script.
pub(super) fn reads<'c>(command: &'c Command<'_>) -> Option<&'c str> {
    let scripted = !writing(&command.name).is_empty() || command.name == "sftp";
    command.atom.stdin.as_deref().filter(|_| scripted)
}

pub(super) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    if command.name == "sftp" {
        // `get REMOTE LOCAL`
        for line in reads(command).into_iter().flat_map(str::lines) {
            let mut words = line.split_ascii_whitespace();
            if words.next().is_some_and(|word| has("get reget mget", word)) {
                add(words.next_back().unwrap_or(""), Touch::Write);
            }
        }
        return;
    }
    let writing = writing(&command.name);
    if writing.is_empty() {
        return;
    }
    let texts = command.args().iter().map(|arg| arg.text.as_str()).filter(|text| text.len() > 2);
    for text in texts.chain(reads(command)) {
        let mut before = "";
        for word in text.split(|c: char| c.is_whitespace() || "'\"();|,".contains(c)) {
            if word.is_empty() {
                continue;
            }
            // Addresses and flags stand in front of an editor's command: `1,$w`, `s/a/b/gw`, `:wq`.
            let bare = before.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
            // `s/a/b/w file`: the flag ends the word before the file.
            let sed = matches!(&*command.name, "sed" | "gsed") && before.ends_with(['w', 'W']);
            if sed || has(writing, before) || has(writing, bare) || has(writing, &before.to_ascii_lowercase())
            {
                add(word, Touch::Write);
            }
            before = word;
        }
    }
}
