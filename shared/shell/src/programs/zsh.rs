//! zsh, as bash would have it: what it spells in its own way, on the same lines.

use std::collections::BTreeSet;

use super::QUOTES;

/// A script of zsh as one of bash, line by line.
pub(super) fn zsh(text: &str) -> String {
    let mut translator = Zsh { text, at: 0, out: String::with_capacity(text.len()), ..Zsh::default() };
    translator.names();
    translator.script();
    let traps = translator.traps.iter().map(|name| format!("\ntrap {name} {}", &name[4..]));
    let traps: String = traps.collect();
    translator.out + &traps
}

#[derive(Default)]
struct Zsh<'a> {
    text: &'a str,
    at: usize,
    out: String,
    arrays: BTreeSet<&'a str>,
    maps: BTreeSet<&'a str>,
    /// What closes each brace that is open.
    braces: Vec<&'static str>,
    /// What a brace that comes next opens, and how it is closed then: `if [[ … ]] {`.
    head: Option<(&'static str, &'static str)>,
    /// How the one command of a loop is closed.
    ends: Vec<&'static str>,
    quoted: bool,
    /// What closes the documents that follow this line.
    documents: Vec<&'a str>,
    /// What stands for other text wherever it stands: `alias -g X=…`.
    everywhere: Vec<(&'a str, &'a str)>,
    /// Functions that a signal starts.
    traps: Vec<&'a str>,
}

impl<'a> Zsh<'a> {
    /// Which variables hold lists.
    fn names(&mut self) {
        for (at, _) in self.text.match_indices("=(") {
            let before = self.text[..at].trim_end_matches('+');
            let start = before.rfind(|c: char| !is_name(c)).map_or(0, |at| at + 1);
            let line = before[..start].rsplit(['\n', ';']).next().unwrap_or("");
            let is_map = line.split_whitespace().any(|word| word.starts_with('-') && word.contains('A'));
            if is_map { &mut self.maps } else { &mut self.arrays }.insert(&before[start..]);
        }
        for line in self.text.lines() {
            let mut words = line.split_whitespace();
            if words.next().is_some_and(|word| matches!(word, "typeset" | "local" | "declare"))
                && words.next().is_some_and(|word| word.starts_with('-') && word.contains('A'))
            {
                self.maps.extend(words.filter(|word| word.chars().all(is_name)));
            }
        }
        let maps: Vec<&str> = self.maps.iter().copied().collect();
        self.arrays.retain(|name| !maps.contains(name) && !name.is_empty());
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn script(&mut self) {
        let mut begins = true;
        while let Some(c) = self.rest().chars().next() {
            if begins && !self.quoted && self.opens() {
                continue;
            }
            let is_word_start = self.out.ends_with([' ', '\t', '\n', ';', '(']) || self.out.is_empty();
            if !self.quoted && self.begins_anew(c, is_word_start, begins) {
                begins = true;
                continue;
            }
            match c {
                '\\' => self.copy(2),
                '\'' if !self.quoted => {
                    let end = self.rest()[1..].find('\'').map_or(self.rest().len(), |end| end + 2);
                    self.copy_bytes(end);
                }
                '"' => {
                    self.quoted = !self.quoted;
                    self.copy(1);
                }
                '#' if is_word_start && !self.quoted => {
                    let end = self.rest().find('\n').unwrap_or(self.rest().len());
                    self.copy_bytes(end);
                }
                // `>! file`, `>>! file`, `>>| file`: whatever is there.
                '!' if !self.quoted && self.out.ends_with('>') => self.at += 1,
                '|' if !self.quoted && self.out.ends_with(">>") => self.at += 1,
                '$' => self.dollar(),
                '(' if !self.quoted && self.out.ends_with(['*', '?', '/', '>', ']']) && self.qualifiers() => {
                }
                '=' if is_word_start && !self.quoted && self.rest().starts_with("=(") => {
                    self.out.push_str("<(");
                    self.at += 2;
                }
                '<' if !self.quoted && self.rest().starts_with("<<") && !self.rest().starts_with("<<<") => {
                    let word = self.rest()[2..].trim_start_matches(['-', ' ', '\'', '"', '\\']);
                    let end = word.find(|c| !is_name(c)).unwrap_or(word.len());
                    self.documents.extend(Some(&word[..end]).filter(|word| !word.is_empty()));
                    self.copy(2);
                }
                _ if is_word_start && !begins && !self.quoted && self.stands_for_other() => {}
                _ => self.copy(1),
            }
            begins = begins && c.is_whitespace() || matches!(c, '&' | '|' | '(') && !self.quoted;
        }
        while let Some(end) = self.ends.pop() {
            self.out.push_str(end);
        }
    }

    /// Goes over what a command follows, outside of quotes: a block's braces, and the end of a line.
    fn begins_anew(&mut self, c: char, is_word_start: bool, begins: bool) -> bool {
        match c {
            '{' if is_word_start => {
                let (opener, closer) = self.head.take().unwrap_or(("{", "}"));
                self.braces.push(closer);
                self.out.push_str(opener);
                self.at += 1;
            }
            '}' if is_word_start && !self.braces.is_empty() => {
                self.close();
            }
            // A function without a name gets what follows it.
            '(' if begins && self.rest()[1..].trim_start().starts_with(')') => {
                self.out.push_str("_anonymous");
                self.head = Some(("{", "}; _anonymous"));
                self.copy_bytes(self.rest().find(')').map_or(1, |end| end + 1));
            }
            '\n' | ';' => {
                while let Some(end) = self.ends.pop() {
                    self.out.push_str(end);
                }
                self.copy(1);
                if c == '\n' {
                    self.document();
                }
            }
            _ => return false,
        }
        true
    }

    fn copy(&mut self, count: usize) {
        self.copy_bytes(self.rest().chars().take(count).map(char::len_utf8).sum());
    }

    fn copy_bytes(&mut self, length: usize) {
        self.out.push_str(&self.rest()[..length]);
        self.at += length;
    }

    /// The documents that a line has announced, as they are.
    fn document(&mut self) {
        for end in std::mem::take(&mut self.documents) {
            while let Some(line) = self.rest().split_inclusive('\n').next().filter(|line| !line.is_empty()) {
                self.copy_bytes(line.len());
                if line.trim() == end {
                    break;
                }
            }
        }
    }

    /// Writes what a global alias stands for, if one stands here.
    fn stands_for_other(&mut self) -> bool {
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
        let Some((_, other)) = self.everywhere.iter().find(|(name, _)| *name == word) else { return false };
        self.out.push_str(other);
        self.at += word.len();
        true
    }

    /// A word at the beginning of a command that bash has not.
    fn opens(&mut self) -> bool {
        let rest = self.rest();
        let word =
            rest.split(|c: char| c.is_whitespace() || matches!(c, ';' | '(' | '{')).next().unwrap_or("");
        match word {
            "for" | "foreach" => {
                let Some((name, list)) = rest[word.len()..].split_once('(') else { return false };
                let name = name.trim();
                let Some(end) = closing(list, '(', ')') else { return false };
                if name.is_empty() || !name.chars().all(is_name) {
                    return false;
                }
                let words = self.inside(&list[..end]);
                self.out.extend([format!("for {name} in {words}; ")]);
                self.at = self.text.len() - list.len() + end + 1;
                self.body(word == "foreach");
            }
            "repeat" => {
                let count = rest[word.len()..].trim_start();
                let inner =
                    count.strip_prefix("$(").and_then(|inner| closing(inner, '(', ')')).map(|end| end + 3);
                let length = inner.or_else(|| count.find([' ', ';', '\n'])).unwrap_or(count.len());
                // How often is not known; what counts runs.
                let counts = inner.map_or("", |length| &count[..length]);
                self.out.extend(["for _ in 1 ", counts, "; "]);
                self.at = self.text.len() - count.len() + length;
                self.body(false);
            }
            "if" | "elif" | "while" if has_brace(rest) => {
                self.head = Some(if word == "while" { ("; do", "done") } else { ("; then", "fi") });
                self.copy_bytes(word.len());
            }
            "end" => {
                self.out.push_str("done");
                self.at += word.len();
            }
            // `function f g { … }`
            "function" => {
                let line = rest[word.len()..].split(['{', '(', '\n']).next().unwrap_or("");
                let mut names = line.split_whitespace().filter(|name| name.chars().all(is_name));
                let first = names.next().unwrap_or("");
                for other in names {
                    self.out.extend([other, "() { ", first, " \"$@\"; }; "]);
                }
                if line.split_whitespace().nth(1).is_some() {
                    self.out.extend(["function ", first, " "]);
                    self.at += word.len() + line.len();
                } else {
                    self.copy_bytes(word.len());
                }
            }
            "alias" if rest[word.len()..].trim_start().starts_with("-g") => {
                let line = rest.split(['\n', ';']).next().unwrap_or("");
                let pair = line.trim_start_matches("alias").trim_start().trim_start_matches("-g").trim();
                let (name, other) = pair.split_once('=').unwrap_or((pair, ""));
                self.everywhere.push((name, other.trim_matches(QUOTES)));
                self.out.push(':');
                self.at += line.len();
            }
            // `zargs -- FILES -- command`
            "zargs" => {
                let line = rest.split(['\n', ';', '|']).next().unwrap_or("");
                let mut parts = line.split(" -- ").skip(1);
                let (Some(files), Some(command)) = (parts.next(), parts.next()) else { return false };
                let (files, command) = (self.inside(files), self.inside(command));
                self.out.extend([&command, " ", &files]);
                self.at += line.len();
            }
            // Functions with such names are traps: `TRAPEXIT() { … }`.
            _ if word.len() > 4 && word.starts_with("TRAP") && rest[word.len()..].starts_with("()") => {
                self.traps.push(word);
                self.copy_bytes(word.len() + "()".len());
            }
            "noglob" | "nocorrect" => self.at += word.len(),
            "zf_rm" => {
                self.out.push_str("rm");
                self.at += word.len();
            }
            "integer" | "float" => {
                self.out.push_str("typeset");
                self.at += word.len();
            }
            _ => return false,
        }
        true
    }

    /// What comes after the head of a loop: `{ … }`, `do … done`, lines up to `end`, or one command.
    fn body(&mut self, is_foreach: bool) {
        let next = self.rest().trim_start_matches([' ', '\t', ';']);
        let next = if is_foreach { next } else { next.trim_start() };
        if next.starts_with('{') {
            self.head = Some(("do", "done"));
        } else if next.starts_with('\n') {
            self.out.push_str("do ");
        } else if !next.strip_prefix("do").is_some_and(|rest| rest.starts_with(char::is_whitespace)) {
            self.out.push_str("do ");
            self.ends.push("; done");
        } else {
            return;
        }
        if !next.starts_with('\n') {
            let skipped = self.text.len() - next.len();
            let lines = self.text[self.at..skipped].matches('\n').count();
            self.out.push_str(&"\n".repeat(lines));
            self.at = skipped;
        }
    }

    /// A brace that closes, and what goes on after it: `} else {`.
    fn close(&mut self) {
        self.at += 1;
        let closer = self.braces.pop().unwrap_or("}");
        let next = self.rest().trim_start();
        if closer == "fi" && (next.starts_with("else") || next.starts_with("elif")) {
            self.out.push_str("; ");
            if next.starts_with("else") {
                self.head = Some(("", "fi"));
            }
            return;
        }
        // bash wants the last command ended.
        let before = self.out.trim_end_matches([' ', '\t']);
        if closer != "}" || !before.ends_with([';', '\n', '{', '&', '}']) {
            self.out.push_str("; ");
        }
        self.out.push_str(closer);
    }

    /// `*(N)`, `*(D/)`: which files, not more.
    fn qualifiers(&mut self) -> bool {
        let Some(end) = closing(&self.rest()[1..], '(', ')') else { return false };
        let inner = &self.rest()[1..=end];
        let is_qualifier = |c: char| c.is_ascii_alphanumeric() || "./@=*%^,-+[]#:".contains(c);
        if inner.contains('|') || !inner.chars().all(is_qualifier) {
            return false;
        }
        self.at += end + 2;
        true
    }

    /// Text inside of something, in bash.
    fn inside(&self, text: &str) -> String {
        let mut inner = Zsh { text, arrays: BTreeSet::new(), ..Zsh::default() };
        let own = |names: &BTreeSet<&'a str>| {
            names
                .iter()
                .copied()
                .filter_map(|name| text.find(name).map(|at| &text[at..at + name.len()]))
                .collect()
        };
        inner.arrays = own(&self.arrays);
        inner.maps = own(&self.maps);
        inner.script();
        inner.out
    }

    /// `$name`, `$name[1]`, `${…}`, `$#name`
    fn dollar(&mut self) {
        let rest = self.rest();
        if let Some(inner) = rest.strip_prefix("${") {
            let Some(end) = closing(inner, '{', '}') else { return self.copy(2) };
            let written = self.parameter(&inner[..end]);
            self.out.push_str(&written);
            self.at += end + 3;
            return;
        }
        let after = rest[1..].strip_prefix('#').unwrap_or(&rest[1..]);
        let length = after.find(|c| !is_name(c)).unwrap_or(after.len());
        let name = &after[..length];
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return self.copy(1);
        }
        let is_length = after.len() + 1 < rest.len();
        let subscript = after[length..].strip_prefix('[').and_then(|rest| Some(&rest[..rest.find(']')?]));
        let is_list = self.arrays.contains(name) || self.maps.contains(name) || name == "argv";
        if !is_list || is_length && name == "argv" {
            return self.copy_bytes(rest.len() - after.len() + length);
        }
        self.at += rest.len() - after.len() + length + subscript.map_or(0, |subscript| subscript.len() + 2);
        let written = match subscript {
            _ if is_length => format!("${{#{name}[@]}}"),
            Some(subscript) => self.element(name, subscript),
            None if name == "argv" => "$@".to_owned(),
            None => format!("${{{name}[@]}}"),
        };
        let is_bare = self.quoted || is_length;
        self.out.extend([if is_bare { written } else { format!("\"{written}\"") }]);
    }

    /// One element; lists count from one.
    fn element(&self, name: &str, subscript: &str) -> String {
        // A quote of this language may be open in the other.
        let subscript = if subscript.contains(['\'', '"', '`', '\\']) { "0" } else { subscript };
        let number = subscript.parse::<i64>();
        match number {
            Ok(number) if name == "argv" => format!("${{{number}}}"),
            Ok(number) if number > 0 && !self.maps.contains(name) => format!("${{{name}[{}]}}", number - 1),
            _ if matches!(subscript, "@" | "*") => format!("${{{name}[@]}}"),
            _ if self.maps.contains(name) => format!("${{{name}[{subscript}]}}"),
            Ok(_) => format!("${{{name}[{subscript}]}}"),
            Err(_) => format!("${{{name}[{subscript}-1]}}"),
        }
    }

    /// What stands in `${…}`.
    fn parameter(&self, inner: &str) -> String {
        let (flags, rest) = match inner.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((flags, rest)) => (flags, rest),
            None => ("", inner),
        };
        let rest = rest.trim_start_matches(['=', '~', '^']);
        if flags.contains('%') && (rest.starts_with(":-%x") || rest.starts_with(":-%N")) {
            return "${BASH_SOURCE[0]}".to_owned();
        }
        // `${(f)"$(command)"}`, `${$(command)}`
        let bare = rest.trim_matches('"');
        if bare.starts_with("$(") {
            return self.inside(bare);
        }
        if let Some(nested) = rest.strip_prefix("${")
            && let Some(end) = closing(nested, '{', '}')
        {
            return modified(self.parameter(&nested[..end]), &nested[end + 1..]);
        }
        let is_length = rest.starts_with('#') && rest.len() > 1;
        let rest = if is_length { &rest[1..] } else { rest };
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let is_list = self.arrays.contains(name) || self.maps.contains(name);
        if is_length {
            return if is_list && after.is_empty() {
                format!("${{#{name}[@]}}")
            } else {
                format!("${{{inner}}}")
            };
        }
        if name.is_empty() {
            return format!("${{{inner}}}");
        }
        if let Some(subscript) = after.strip_prefix('[').and_then(|after| after.strip_suffix(']'))
            && (is_list || name == "argv")
        {
            return self.element(name, &self.inside(subscript));
        }
        let flag = flags.trim_start_matches('@').chars().next();
        match flag {
            Some('k') => return format!("${{!{name}[@]}}"),
            Some('P') => return format!("${{!{name}}}"),
            Some('L') => return format!("${{{name},,}}"),
            Some('U') => return format!("${{{name}^^}}"),
            // `${(s.:.)x}`
            Some('s') => {
                let separator: String =
                    flags.chars().skip(2).take_while(|c| Some(*c) != flags.chars().nth(1)).collect();
                let escaped: String = separator.chars().flat_map(|c| ['\\', c]).collect();
                return format!("${{{name}//{escaped}/ }}");
            }
            _ => {}
        }
        if is_modifier(after) {
            let own = if name == "0" { "${BASH_SOURCE[0]}".to_owned() } else { format!("${{{name}}}") };
            return modified(own, after);
        }
        if is_list && after.is_empty() {
            return if self.quoted { format!("${{{name}[@]}}") } else { format!("\"${{{name}[@]}}\"") };
        }
        format!("${{{name}{after}}}")
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `:A`, `:h`, `:t:r`
fn is_modifier(text: &str) -> bool {
    let mut parts = text.split(':');
    parts.next() == Some("")
        && text.len() > 1
        && parts.all(|part| matches!(part, "a" | "A" | "P" | "h" | "t" | "r" | "e" | "l" | "u" | "q" | "Q"))
}

/// A value after its modifiers.
fn modified(value: String, modifiers: &str) -> String {
    modifiers.split(':').fold(value, |value, modifier| match modifier {
        "h" => format!("$(dirname \"{value}\")"),
        "t" => format!("$(basename \"{value}\")"),
        _ => value,
    })
}

/// Where the bracket closes, on the same line, that was opened in front of a text.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut level = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            c if c == open => level += 1,
            c if c == close && level == 0 => return Some(at),
            c if c == close => level -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether the head of an `if` or a `while` ends in a brace: `if [[ -d x ]] {`.
fn has_brace(text: &str) -> bool {
    let line = text.lines().next().unwrap_or("");
    let head = line.split(" # ").next().unwrap_or(line);
    (head.contains(")) {") || head.contains("]] {") || head.contains(") {"))
        && !head.contains("then")
        && !head.contains("; do")
}

#[cfg(test)]
mod tests {
    use super::zsh;

    #[test]
    fn lines_of_zsh_are_those_of_bash() {
        for (own, other) in [
            ("base=${HOME:A}\nrm -rf $base/*(N)", "base=${HOME}\nrm -rf $base/*"),
            ("source ${0:A:h}/lib.zsh", "source $(dirname \"${BASH_SOURCE[0]}\")/lib.zsh"),
            ("for f (a b) rm $f", "for f in a b; do rm $f; done"),
            ("for f (a b) {\n  rm $f\n}\nx", "for f in a b; do\n  rm $f\n; done\nx"),
            ("x=(a b)\nrm $x $x[1] ${x[2]} $#x", "x=(a b)\nrm \"${x[@]}\" \"${x[0]}\" ${x[1]} ${#x[@]}"),
            ("typeset -A m=(k v)\nrm ${m[$1]}", "typeset -A m=(k v)\nrm ${m[$1]}"),
            ("if [[ -n $1 ]] {\n a\n} else {\n b\n}", "if [[ -n $1 ]] ; then\n a\n;  else \n b\n; fi"),
            ("f() { a; }\necho '$x[1]' # it's", "f() { a; }\necho '$x[1]' # it's"),
            ("x=(${(f)\"$(ls)\"})", "x=($(ls))"),
        ] {
            assert_eq!(zsh(own), other, "{own}");
        }
    }
}
