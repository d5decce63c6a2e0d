//! Words of fish: quotes, variables with slices, substitutions.

use super::{Fish, Lists, MAX_DEPTH, Word};

impl<'a> Fish<'a> {
    /// One word, as bash would have it.
    pub(super) fn word(&mut self) -> Option<String> {
        let mut word = String::new();
        loop {
            let rest = self.rest();
            let Some(c) = rest.chars().next() else { return Some(word) };
            match c {
                ' ' | '\t' | '\r' | '\n' | ';' | ')' | '|' | '<' | '>' => return Some(word),
                '&' if !word.is_empty() || rest.starts_with("&&") => return Some(word),
                // `2>&1`, `>&-`
                '&' => return Some(word),
                '\'' => self.single(&mut word)?,
                '"' => self.double(&mut word)?,
                '$' => {
                    let value = self.dollar(false)?;
                    word.push_str(&value);
                }
                '(' => {
                    let value = self.substitution()?;
                    word.push_str(&value);
                }
                '\\' => self.escape(&mut word),
                // Only a letter here.
                '`' => {
                    word.push_str("\\`");
                    self.at += 1;
                }
                _ if rest.starts_with("%self") => {
                    word.push_str("$$");
                    self.at += "%self".len();
                }
                c => {
                    word.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn single(&mut self, word: &mut String) -> Option<()> {
        self.at += 1;
        word.push('\'');
        loop {
            let rest = self.rest();
            let c = rest.chars().next()?;
            if c == '\'' {
                break;
            }
            let escaped = rest.strip_prefix('\\').filter(|rest| rest.starts_with(['\'', '\\']));
            match escaped.and_then(|rest| rest.chars().next()) {
                Some('\'') => word.push_str("'\\''"),
                Some(_) => word.push('\\'),
                None => word.push(c),
            }
            self.at += if escaped.is_some() { 2 } else { c.len_utf8() };
        }
        self.at += 1;
        word.push('\'');
        Some(())
    }

    fn double(&mut self, word: &mut String) -> Option<()> {
        self.at += 1;
        word.push('"');
        loop {
            let rest = self.rest();
            match rest.chars().next()? {
                '"' => break,
                '$' => {
                    let value = self.dollar(true)?;
                    word.push_str(&value);
                }
                '\\' => {
                    let next = rest[1..].chars().next()?;
                    word.extend(['\\', next]);
                    self.at += 1 + next.len_utf8();
                }
                '`' => {
                    word.push_str("\\`");
                    self.at += 1;
                }
                c => {
                    word.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        self.at += 1;
        word.push('"');
        Some(())
    }

    /// `\n` and its like mean the letter that C means.
    fn escape(&mut self, word: &mut String) {
        let rest = &self.rest()[1..];
        let Some(next) = rest.chars().next() else {
            self.at += 1;
            return;
        };
        let digits = |from: usize, most: usize| {
            rest[from..].bytes().take(most).take_while(u8::is_ascii_hexdigit).count() + from
        };
        let end = match next {
            'x' | 'X' => digits(1, 2),
            'u' => digits(1, 4),
            'U' => digits(1, 8),
            _ => next.len_utf8(),
        };
        if matches!(next, 'a' | 'b' | 'e' | 'f' | 'n' | 'r' | 't' | 'v' | 'x' | 'X' | 'u' | 'U') {
            word.extend([format!("$'\\{}'", &rest[..end])]);
        } else {
            word.extend(['\\', next]);
        }
        self.at += 1 + end;
    }

    /// `$name`, `$name[2..-1]`, `$$name`, `$(…)`
    fn dollar(&mut self, quoted: bool) -> Option<String> {
        self.at += 1;
        let rest = self.rest();
        if rest.starts_with('(') {
            return self.substitution();
        }
        if rest.starts_with('$') {
            self.at += 1;
            let name = self.name();
            return Some(around(&format!("${{!{name}}}"), quoted));
        }
        let name = self.name();
        if name.is_empty() {
            return Some("\\$".to_owned());
        }
        let slice = self.slice();
        Some(self.lists.value(name, slice, quoted))
    }

    fn name(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn slice(&mut self) -> Option<&'a str> {
        let rest = self.rest().strip_prefix('[')?;
        let end = rest.find(']')?;
        let (text, from) = (&rest[..end], self.at);
        if let Some(open) = text.find('(') {
            self.at += 1 + open;
            if self.substitution().is_some()
                && let Some(end) = self.rest().find(']')
            {
                self.at += end + 1;
                return Some("1");
            }
            self.at = from;
        }
        self.at += end + 2;
        // Which elements any other text names is not known.
        let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "_.$- ".contains(c));
        Some(if is_plain { text } else { "1" })
    }
}

impl Lists {
    fn value(&mut self, name: &str, slice: Option<&str>, quoted: bool) -> String {
        let is_argv = name == "argv";
        let special = match name {
            "status" => Some("$?"),
            "fish_pid" => Some("$$"),
            "last_pid" => Some("$!"),
            _ => None,
        };
        if let Some(special) = special {
            return special.to_owned();
        }
        let Some(slice) = slice else {
            let star = if quoted { '*' } else { '@' };
            return if is_argv {
                around(&format!("${star}"), quoted)
            } else if self.lists.contains(name) {
                around(&format!("${{{name}[{star}]}}"), quoted)
            } else if quoted {
                format!("${{{name}}}")
            } else if self.printed.contains(name) {
                // Its lines are so many words.
                format!("${name}")
            } else {
                format!("\"${name}\"")
            };
        };
        if !is_argv {
            self.lists.insert(name.to_owned());
        }
        // fish counts from one.
        let first = |text: &str| match text.trim().parse::<i64>() {
            Ok(number) if number > 0 => (number - i64::from(!is_argv)).to_string(),
            Ok(number) => number.to_string(),
            Err(_) if is_argv => text.trim().to_owned(),
            Err(_) => format!("{}-1", text.trim()),
        };
        let list = if is_argv { "@".to_owned() } else { format!("{name}[@]") };
        let written = match slice.split_once("..") {
            Some((from, to)) => {
                let from = if from.is_empty() { "1" } else { from };
                let number = |text: &str| text.trim().parse::<i64>().ok();
                match (number(from), number(to)) {
                    (Some(low), Some(high)) if low > 0 && high >= low => {
                        format!("${{{list}:{}:{}}}", first(from), high - low + 1)
                    }
                    _ => format!("${{{list}:{}}}", first(from)),
                }
            }
            None if is_argv && slice.parse::<u32>().is_ok() => format!("${{{slice}}}"),
            None if is_argv && slice.starts_with('-') => format!("${{@: {slice}}}"),
            None if is_argv => format!("${{@:{slice}:1}}"),
            None => format!("${{{name}[{}]}}", first(slice)),
        };
        around(&written, quoted)
    }
}

impl Fish<'_> {
    /// `(command)`, `(command)[1]`
    pub(super) fn substitution(&mut self) -> Option<String> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.at += 1;
        let mut inner = Fish::new(self.text, self.depth + 1, std::mem::take(&mut self.lists));
        inner.at = self.at;
        inner.functions = self.functions;
        let read = inner.statements();
        self.lists = inner.lists;
        self.at = inner.at;
        read?;
        self.rest().starts_with(')').then_some(())?;
        self.at += 1;
        let text = inner.out;
        // `(command | psub)`
        if let Some((command, last)) = text.trim_end().rsplit_once('|')
            && last.trim_start().starts_with("psub")
        {
            let text = format!("<({})", command.trim());
            self.substitutions.push(text.clone());
            return Some(text);
        }
        let line = match self.slice() {
            Some("-1") => " | tail -n 1".to_owned(),
            Some(slice) if slice.parse::<u32>().is_ok() => format!(" | sed -n {slice}p"),
            _ => String::new(),
        };
        let text = format!("$({text}{line})");
        self.substitutions.push(text.clone());
        Some(text)
    }
}

/// In quotes, where it does not stand in some.
fn around(written: &str, quoted: bool) -> String {
    if quoted { written.to_owned() } else { format!("\"{written}\"") }
}

/// A word as the pattern of a case: fish knows wildcards in quotes, too.
pub(super) fn pattern(word: &Word<'_>) -> String {
    let bare = word.bare();
    if bare == word.raw || bare.contains('$') {
        return word.out.clone();
    }
    if bare.is_empty() {
        return "''".to_owned();
    }
    let mut written = String::new();
    for c in bare.chars() {
        if !(c.is_alphanumeric() || matches!(c, '*' | '-' | '_' | '.' | '/' | ':' | '=' | '\\')) {
            written.push('\\');
        }
        written.push(c);
    }
    written
}
