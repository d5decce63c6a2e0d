//! fish, as bash would have it: the same commands on the same lines.

mod builtins;
mod string;
mod words;

use crate::programs::QUOTES;
use shell_engine::text::is_name;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Substitutions inside of each other that are followed.
const MAX_DEPTH: u32 = 40;

/// A script of fish as one of bash, line by line. `None` where its blocks do not close, or where something stands that
/// fish has not.
pub(super) fn fish(text: &str) -> Option<String> {
    // What is a list is only known at the end.
    let mut first = Fish::new(text, 0, Lists::default());
    first.statements()?;
    let mut translator = Fish::new(text, 0, first.lists);
    translator.statements()?;
    (translator.at == text.len()).then_some(translator.out)
}

/// Variables by what they hold; the others hold one value.
#[derive(Default)]
struct Lists {
    /// More values, or none.
    lists: BTreeSet<String>,
    /// The lines that a command has printed.
    printed: BTreeSet<String>,
}

/// A block that is open, and whether something stands in it.
enum Block {
    /// `if`, `while`, `for`, whose `then` or `do` waits for what comes after the condition.
    Waiting(&'static str, &'static str),
    /// `begin`, `function`, and the others from there on: by what they are closed.
    Open(Cow<'static, str>, bool),
    /// `switch`, and whether one of its cases is open.
    Switch(bool),
}

/// A text at work.
struct Fish<'a> {
    text: &'a str,
    at: usize,
    out: String,
    blocks: Vec<Block>,
    lists: Lists,
    /// Ends of commands and of lines that are not written yet: `and` may follow.
    pending: String,
    /// Whether a command stands there that must end before another one.
    open: bool,
    depth: u32,
    /// Functions around this place.
    functions: usize,
    /// The substitutions in the words at hand: whatever becomes of the words, these run.
    substitutions: Vec<String>,
}

/// A word, as it stands there and as bash would have it.
struct Word<'a> {
    raw: &'a str,
    out: String,
}

impl Word<'_> {
    /// The text of a word without quotes around all of it.
    fn bare(&self) -> &str {
        QUOTES
            .iter()
            .find_map(|quote| self.raw.strip_prefix(*quote)?.strip_suffix(*quote))
            .unwrap_or(self.raw)
    }
}

impl<'a> Fish<'a> {
    fn new(text: &'a str, depth: u32, lists: Lists) -> Self {
        Self {
            text,
            at: 0,
            out: String::with_capacity(text.len() + text.len() / 4),
            blocks: Vec::new(),
            lists,
            pending: String::new(),
            open: false,
            depth,
            functions: 0,
            substitutions: Vec::new(),
        }
    }

    /// The substitutions since the `first` of which a text has nothing left.
    fn left_out_of(&mut self, text: &str, first: usize) -> String {
        let left = self.substitutions.drain(first..).filter(|one| !text.contains(one.as_str()));
        left.map(|one| format!(" {one}")).collect()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes blanks, comments and lines that go on.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
            self.at += blank;
            let rest = self.rest();
            if rest.starts_with("\\\n") {
                self.out.push_str("\\\n");
                self.at += 2;
            } else if rest.starts_with('#') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }

    /// Everything up to the end, or to the bracket that closes a substitution.
    fn statements(&mut self) -> Option<()> {
        loop {
            self.blanks();
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { break };
            match first {
                ')' => break,
                '\n' | ';' => {
                    self.pending.push(first);
                    self.at += 1;
                }
                '&' | '|' => self.operator(),
                _ => {
                    let before = self.at;
                    self.statement()?;
                    // What nothing reads ends it.
                    (self.at > before).then_some(())?;
                }
            }
        }
        self.out.push_str(&std::mem::take(&mut self.pending).replace(';', ""));
        self.blocks.is_empty().then_some(())
    }

    /// `|`, `&&`, `||`, `&|`, `&`
    fn operator(&mut self) {
        let rest = self.rest();
        let known = [("&&", "&&"), ("||", "||"), ("&|", "|&"), ("|", "|"), ("&", "&")];
        if let Some((own, other)) = known.iter().find(|(own, _)| rest.starts_with(own)) {
            self.at += own.len();
            self.out.extend([" ", other, " "]);
            self.open = false;
        }
    }

    /// Writes the ends of before, and opens the block whose condition has ended.
    fn begin(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let ends = !pending.is_empty();
        let lines: String = pending.chars().filter(|c| *c == '\n').collect();
        if self.open && ends && lines.is_empty() {
            self.out.push_str("; ");
        }
        self.out.push_str(&lines);
        if ends || !self.open {
            match self.blocks.last_mut() {
                Some(block @ Block::Waiting(..)) if ends => {
                    if let Block::Waiting(opener, closer) = *block {
                        self.out.extend([opener, " "]);
                        *block = Block::Open(Cow::Borrowed(closer), true);
                    }
                }
                Some(Block::Open(_, filled)) => *filled = true,
                _ => {}
            }
        }
        self.open = true;
    }

    /// One command, or the word that opens or closes a block.
    fn statement(&mut self) -> Option<()> {
        let word = self.rest().split([' ', '\t', '\n', '\r', ';', ')', '(', '|', '&']).next().unwrap_or("");
        match word {
            "and" | "or" => {
                self.at += word.len();
                let lines = std::mem::take(&mut self.pending).replace(';', "");
                self.out.extend([if word == "and" { " && " } else { " || " }, &lines]);
                self.open = true;
            }
            "not" | "!" => {
                self.at += word.len();
                self.begin();
                self.out.push_str("! ");
                self.open = true;
                self.blanks();
                return self.statement();
            }
            "if" | "while" => {
                self.at += word.len();
                self.begin();
                self.out.extend([word, " "]);
                self.blocks.push(match word {
                    "if" => Block::Waiting("then", "fi"),
                    _ => Block::Waiting("do", "done"),
                });
                self.open = false;
                self.blanks();
                return self.statement();
            }
            "begin" => {
                self.at += word.len();
                self.begin();
                self.out.push_str("{ ");
                self.blocks.push(Block::Open(Cow::Borrowed("}"), false));
                self.open = false;
            }
            "else" => self.otherwise()?,
            "for" => {
                self.begin();
                let words = self.words()?;
                let [_, name, of, values @ ..] = words.as_slice() else { return None };
                (of.raw == "in" && is_name(name.raw)).then_some(())?;
                self.out.extend(["for ", name.raw, " in"]);
                self.all(values);
                self.blocks.push(Block::Waiting("do", "done"));
            }
            "switch" => {
                self.begin();
                let words = self.words()?;
                self.out.extend(["case ", &words.get(1)?.out, " in "]);
                self.blocks.push(Block::Switch(false));
                self.open = false;
            }
            "case" => self.case()?,
            "function" => self.function()?,
            "end" => self.end()?,
            _ => self.command()?,
        }
        Some(())
    }

    fn all(&mut self, words: &[Word<'_>]) {
        for word in words {
            self.out.extend([" ", &word.out]);
        }
    }

    /// `else`, `else if`
    fn otherwise(&mut self) -> Option<()> {
        self.at += "else".len();
        self.close_part()?;
        self.blanks();
        let is_next = self.rest().strip_prefix("if").is_some_and(|rest| rest.starts_with([' ', '\t']));
        let Some(Block::Open(Cow::Borrowed("fi"), _)) = self.blocks.pop() else { return None };
        self.open = false;
        if is_next {
            self.at += "if".len();
            self.out.push_str("elif ");
            self.blocks.push(Block::Waiting("then", "fi"));
            self.blanks();
            return self.statement();
        }
        self.out.push_str("else ");
        self.blocks.push(Block::Open(Cow::Borrowed("fi"), false));
        Some(())
    }

    /// Ends what stands in a block; bash wants something in it.
    fn close_part(&mut self) -> Option<()> {
        let is_empty = matches!(self.blocks.last()?, Block::Waiting(..) | Block::Open(_, false));
        self.pending.push(';');
        if is_empty {
            self.begin();
            self.out.push_str(": ");
            self.pending.push(';');
        }
        let lines = std::mem::take(&mut self.pending);
        let (ends, lines) = (self.open, lines.replace(';', ""));
        self.out.push_str(if ends && lines.is_empty() { "; " } else { &lines });
        Some(())
    }

    fn end(&mut self) -> Option<()> {
        self.at += "end".len();
        if !matches!(self.blocks.last()?, Block::Switch(_)) {
            self.close_part()?;
        }
        let closer = match self.blocks.pop()? {
            Block::Open(closer, _) => closer,
            Block::Switch(case) => {
                let lines = std::mem::take(&mut self.pending).replace(';', "");
                self.out.push_str(&lines);
                Cow::Borrowed(if case { ";; esac" } else { "esac" })
            }
            Block::Waiting(..) => return None,
        };
        if closer.starts_with(FUNCTION_END) {
            self.functions = self.functions.saturating_sub(1);
        }
        self.out.push_str(&closer);
        self.open = true;
        // `end >file`
        let words = self.words()?;
        self.all(&words);
        Some(())
    }

    /// `case a 'b*'`: quotes only keep wildcards from files.
    fn case(&mut self) -> Option<()> {
        let words = self.words()?;
        let Some(Block::Switch(case)) = self.blocks.last_mut() else { return None };
        let before = std::mem::replace(case, true);
        let lines = std::mem::take(&mut self.pending).replace(';', "");
        self.out.push_str(&lines);
        self.out.push_str(if before { ";; " } else { "" });
        let patterns: Vec<String> = words.iter().skip(1).map(words::pattern).collect();
        self.out.extend([&patterns.join("|"), ") "]);
        self.open = false;
        Some(())
    }

    /// `function name --argument-names a b`
    fn function(&mut self) -> Option<()> {
        self.begin();
        let first = self.substitutions.len();
        let words = self.words()?;
        let left_out = self.left_out_of("", first);
        if !left_out.is_empty() {
            self.out.extend([":", &left_out, "; "]);
        }
        let name = words.get(1)?.bare();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let (mut names, mut takes, mut ends, mut skips) = (Vec::new(), false, false, false);
        for word in &words[2..] {
            if std::mem::take(&mut skips) {
                ends |= word.raw == "fish_exit";
                continue;
            }
            match word.raw {
                "-a" | "--argument-names" | "--argument" => takes = true,
                "--on-event=fish_exit" => ends = true,
                // What sets the variable, or sends the signal, starts it: that may be anything.
                "-v" | "--on-variable" | "-s" | "--on-signal" | "-p" | "--on-process-exit" | "-j"
                | "--on-job-exit" => (ends, skips) = (true, true),
                // These take a value: a description, an event.
                "-d" | "--description" | "-w" | "--wraps" | "-e" | "--on-event" | "-V"
                | "--inherit-variable" => skips = true,
                raw => match raw.strip_prefix("--argument-names=").or_else(|| raw.strip_prefix("-a")) {
                    Some(name) => {
                        takes = true;
                        names.push(name);
                    }
                    None if raw.starts_with('-') => takes = false,
                    None if takes => names.push(raw),
                    None => {}
                },
            }
        }
        self.out.extend([&name, "() { "]);
        for (at, name) in names.iter().enumerate().filter(|(_, name)| is_name(name)) {
            self.out.extend([format!("local {name}=\"${{{}}}\"; ", at + 1)]);
        }
        // `--on-event fish_exit`
        let closer = if ends {
            Cow::Owned(format!("{FUNCTION_END}; trap {name} EXIT"))
        } else {
            Cow::Borrowed(FUNCTION_END)
        };
        self.blocks.push(Block::Open(closer, !names.is_empty()));
        self.functions += 1;
        self.open = false;
        Some(())
    }

    /// The words and redirections of one command.
    fn words(&mut self) -> Option<Vec<Word<'a>>> {
        let mut words = Vec::new();
        loop {
            let start = self.out.len();
            self.blanks();
            // A line that goes on stands in front of the word.
            let goes_on = self.out.split_off(start);
            let rest = self.rest();
            if rest.is_empty() || rest.starts_with(['\n', ';', ')', '|']) {
                self.out.push_str(&goes_on);
                return Some(words);
            }
            let before = self.at;
            let mut word = match self.redirection() {
                Some(redirection) => redirection,
                None if rest.starts_with('&') => {
                    self.out.push_str(&goes_on);
                    return Some(words);
                }
                None => self.word()?,
            };
            (self.at > before).then_some(())?;
            word.insert_str(0, &goes_on);
            words.push(Word { raw: &self.text[before..self.at], out: word });
        }
    }

    /// `>file`, `2>&1`, `&>file`, `<?file`
    fn redirection(&mut self) -> Option<String> {
        let rest = self.rest();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let sign = &rest[digits..];
        let known = ["&>>", "&>", ">>", ">&", "<&", ">?", "<?", ">|", "2>|", ">", "<"];
        let own = known.iter().find(|own| sign.starts_with(**own))?;
        if sign.starts_with('&') && digits > 0 {
            return None;
        }
        self.at += digits + own.len();
        let mut written = format!("{}{}", &rest[..digits], own.trim_end_matches('?'));
        if !own.ends_with('&') {
            self.blanks();
        }
        written.push_str(&self.word()?);
        Some(written)
    }
}

/// What closes a function: with its blank, no other block ends so.
const FUNCTION_END: &str = " }";

#[cfg(test)]
mod tests {
    use super::fish;

    #[test]
    fn lines_of_fish_are_those_of_bash() {
        for (own, other) in [
            ("if test -d x; rm x; end", "if test -d x; then rm x; fi"),
            (
                "if a\n and b\n  c\nelse if d\n  e\nelse\n  f\nend",
                "if a && \nb\nthen c\nelif d\nthen e\nelse \nf\nfi",
            ),
            ("for i in a b\n  echo $i\nend", "for i in a b\ndo echo \"$i\"\ndone"),
            (
                "switch $x\n  case 'a*' b\n    c\n  case '*'\n    d\nend",
                "case \"$x\" in \na*|b) \nc\n;; *) \nd\n;; esac",
            ),
            ("function f -a x\n  rm $x\nend\nf y", "f() { local x=\"${1}\"; \nrm \"$x\"\n}\nf y"),
            ("set -l x (pwd)\necho $x", "x=$(pwd)\necho $x"),
            ("set x a b\necho $x[1] $x", "x=(a b)\necho \"${x[0]}\" \"${x[@]}\""),
            ("begin; a; end; or b", "{ a; } || b"),
            ("curl x | source", "curl x | source /dev/stdin"),
            ("function f\nend", "f() {\n: ;  }"),
            ("while true; end", "while true; do : ; done"),
            ("not a; and b", "! a && b"),
        ] {
            let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
            let found = fish(own).unwrap_or_default();
            assert_eq!(lines(&found), lines(other), "{own}\n=> {found}");
        }
        assert_eq!(fish("if true"), None);
        assert_eq!(fish("end"), None);
    }
}
