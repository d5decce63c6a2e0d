//! Spellings: every way the generator knows to write one text as a word of bash.

use super::generator::Generator;

impl Generator {
    /// Some spelling of `value` as one word. Assignments that it needs go before the command.
    pub(crate) fn spell(&mut self, value: &str) -> String {
        if value.is_empty() {
            return self.pick(&["''", "\"\"", "\"$nope\"", "$''"]).to_owned();
        }
        let chars: Vec<char> = value.chars().collect();
        let mut word = String::new();
        let mut at = 0;
        while at < chars.len() {
            let width = if self.chance(60) { chars.len() - at } else { 1 + self.below(chars.len() - at) };
            let piece: String = chars[at..at + width].iter().collect();
            word.push_str(&self.piece(&piece));
            at += width;
        }
        word
    }

    /// A spelling that needs nothing before it, for places where no assignment may stand.
    pub(crate) fn plain(&mut self, value: &str) -> String {
        match self.below(4) {
            0 if !value.is_empty() && !value.contains('\n') => escaped(value),
            1 => double(value),
            2 => self.ansi(value),
            _ => single(value),
        }
    }

    fn piece(&mut self, piece: &str) -> String {
        let simple = piece.chars().all(|c| c.is_ascii_alphanumeric());
        let choice = if simple { self.below(32) } else { self.below(9) };
        match choice {
            0 | 1 if !piece.contains('\n') => self.bare(piece),
            0..=2 => single(piece),
            3 => double(piece),
            4 => self.ansi(piece),
            5 => {
                let value = self.plain(piece);
                let name = self.assign(&value);
                format!("\"${{{name}}}\"")
            }
            6 => {
                let text = self.plain(piece);
                let print = self.pick(&["printf %s", "printf '%s\\n'", "echo", "echo -n"]);
                // What is known to echo: no backslash, no option, and newlines only inside.
                if piece.contains('\\') || piece.starts_with('-') || piece.ends_with('\n') {
                    return single(piece);
                }
                format!("\"$({print} {text})\"")
            }
            7 => {
                let value = self.plain(piece);
                let name = self.name();
                self.before.push(format!("{name}=(zz {value} yy)"));
                format!("\"${{{name}[1]}}\"")
            }
            8 => {
                let value = self.plain(piece);
                let name = self.name();
                let way = self.pick(&[
                    "printf -v NAME %s VALUE",
                    "declare NAME=VALUE",
                    "export NAME=VALUE",
                    "NAME=; NAME+=VALUE",
                ]);
                // In a branch, no one knows which of the two values it has.
                self.exact &= !way.contains('+') || self.depth < 2;
                self.before.push(way.replace("NAME", &name).replace("VALUE", &value));
                format!("\"${name}\"")
            }
            _ => self.simple_piece(piece, choice),
        }
    }

    /// Letters and digits only: nothing has to be quoted.
    fn simple_piece(&mut self, piece: &str, choice: usize) -> String {
        let middle = 1 + self.below(piece.len());
        let (left, right) = piece.split_at(middle.min(piece.len()));
        match choice {
            9 => format!("${{nope:-{piece}}}"),
            10 => format!("\"${{nope-{piece}}}\""),
            11 => format!("${{nope{}:={piece}}}", self.number()),
            12 => self.with(&format!("zz.{piece}"), "${NAME#*.}"),
            13 => self.with(&format!("z.z.{piece}"), "${NAME##*.}"),
            14 => self.with(&format!("{piece}.zz"), "\"${NAME%.*}\""),
            15 => self.with(&format!("{piece}.z.z"), "${NAME%%.*}"),
            16 => self.with(&format!("{left}-+{right}"), "${NAME/-+/}"),
            17 => self.with(&format!("-{left}-{right}-"), "${NAME//-}"),
            18 => self.with(&format!("zzz{piece}yy"), &format!("${{NAME:3:{}}}", piece.len())),
            19 => self.with(&format!("yy{piece}"), "\"${NAME:2}\""),
            20 if piece.chars().all(|c| !c.is_ascii_uppercase()) => {
                self.with(&piece.to_ascii_uppercase(), "${NAME,,}")
            }
            20 if piece.chars().all(|c| !c.is_ascii_lowercase()) => {
                self.with(&piece.to_ascii_lowercase(), "${NAME^^}")
            }
            21 => self.with("zz", &format!("${{NAME:+{piece}}}")),
            22 => {
                let name = self.assign(piece);
                self.with(&name, "${!NAME}")
            }
            23 => {
                let print = self.pick(&["printf", "echo -e", "echo -ne", "printf %b"]);
                // Only `printf`'s format knows octal digits without a leading zero.
                let octal = if print == "printf" { "\\" } else { "\\0" };
                let text: String = piece
                    .bytes()
                    .map(|byte| match self.below(3) {
                        0 => format!("\\x{byte:02x}"),
                        1 => format!("{octal}{byte:03o}"),
                        _ => char::from(byte).to_string(),
                    })
                    .collect();
                format!("$({print} '{text}')")
            }
            24 => format!("$(echo {} | rev)", piece.chars().rev().collect::<String>()),
            25 => format!("$(echo {piece} | tr a-z n-za-m | tr n-za-m a-z)"),
            26 => format!("$(printf %s {} | base64 -d)", base64(piece.as_bytes())),
            27 => format!("`echo {piece}`"),
            28 => {
                let end = self.number();
                format!("$(cat <<E{end}\n{piece}\nE{end}\n)")
            }
            29 => format!("$(cat <<< {piece})"),
            30 => match piece.parse::<u32>() {
                Ok(number) if number.to_string() == piece && number > 0 => {
                    format!("$(({} * 2 / 2 + 1))", number - 1)
                }
                _ => self.with(&format!("{left}Q{right}"), "$(echo $NAME | sed s/Q//)"),
            },
            _ => {
                let name = self.name();
                self.before.push(format!("read -r {name} <<< {piece}"));
                format!("${{{name}}}")
            }
        }
    }

    /// `word` with NAME replaced by a fresh variable that holds `value`.
    fn with(&mut self, value: &str, word: &str) -> String {
        let value = single(value);
        let name = self.assign(&value);
        word.replace("NAME", &name)
    }

    /// A fresh variable that is set to the word `value` before the command.
    pub(crate) fn assign(&mut self, value: &str) -> String {
        let name = self.name();
        self.before.push(format!("{name}={value}"));
        name
    }

    fn bare(&mut self, text: &str) -> String {
        let broken = self.chance(10) && text.len() > 1;
        let mut word = String::new();
        for (index, c) in text.chars().enumerate() {
            if index == 1 && broken {
                word.push_str("\\\n");
            }
            if c.is_ascii_alphanumeric() && !self.chance(10) || !c.is_ascii() {
                word.push(c);
            } else {
                word.extend(['\\', c]);
            }
        }
        word
    }

    fn ansi(&mut self, text: &str) -> String {
        format!("$'{}'", self.ansi_inside(text))
    }

    fn ansi_inside(&mut self, text: &str) -> String {
        let mut inside = String::new();
        for c in text.chars() {
            let code = u32::from(c);
            match self.below(5) {
                0 if c.is_ascii() => inside.push_str(&format!("\\x{code:02x}")),
                1 if c.is_ascii() => inside.push_str(&format!("\\{code:03o}")),
                2 => inside.push_str(&format!("\\u{code:04x}")),
                _ if c == '\'' || c == '\\' => inside.extend(['\\', c]),
                _ => inside.push(c),
            }
        }
        inside
    }
}

/// In single quotes.
pub(crate) fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// In double quotes.
pub(crate) fn double(text: &str) -> String {
    let mut word = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            word.push('\\');
        }
        word.push(c);
    }
    word + "\""
}

/// With a backslash before every character that may be special.
fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_ascii_alphanumeric() || !c.is_ascii() { c.to_string() } else { format!("\\{c}") })
        .collect()
}

/// Base64 with padding.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let value = chunk.iter().fold(0_usize, |value, &byte| value << 8 | usize::from(byte))
            << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = if place <= chunk.len() { LETTERS[value >> (18 - 6 * place) & 63] } else { b'=' };
            text.push(char::from(letter));
        }
    }
    text
}
