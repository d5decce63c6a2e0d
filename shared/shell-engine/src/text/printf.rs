//! `printf FORMAT ARG…`, as far as its arguments are known.

use super::escapes;
use crate::atom::Arg;
use crate::mark;

/// Text longer than this is not followed.
const MAX_TEXT: usize = 64 * 1024;

/// What `printf` prints: the format is used again until no argument is left.
pub fn printf(args: &[Arg]) -> String {
    let args = if args.first().is_some_and(|arg| arg.text == "--") { &args[1..] } else { args };
    let Some((format, values)) = args.split_first() else { return String::new() };
    let mut values = values.iter().map(|arg| arg.text.as_str());
    let mut text = String::new();
    loop {
        let before = values.len();
        let mut rest = format.text.as_str();
        while let Some(percent) = rest.find('%') {
            text.push_str(&escapes::printf(&rest[..percent]));
            let (directive, after) = Directive::read(&rest[percent + 1..], &mut values);
            directive.print(&mut text, &mut values);
            rest = after;
        }
        text.push_str(&escapes::printf(rest));
        // printf repeats its format until the arguments are used up; a format that takes none would repeat for ever.
        if values.len() == 0 || values.len() == before || text.len() > MAX_TEXT {
            return text;
        }
    }
}

/// `%-5.2s` taken apart.
struct Directive<'f> {
    flags: &'f str,
    width: usize,
    precision: Option<usize>,
    /// How `%(…)T` shows a time.
    time: &'f str,
    kind: char,
}

/// Whether a shell reads a word back as it is.
fn is_plain(word: &str) -> bool {
    let stands = |c: char| c.is_ascii_alphanumeric() || "_/.,:@%+=-".contains(c);
    !word.is_empty() && word.chars().all(stands)
}

impl<'f> Directive<'f> {
    /// Reads the directive at the start of `text`, which follows its `%`, and returns what follows it.
    fn read<'v>(text: &'f str, values: &mut impl Iterator<Item = &'v str>) -> (Self, &'f str) {
        let flags = text.len() - text.trim_start_matches(['-', '+', ' ', '#', '0', '\'']).len();
        let (flags, mut rest) = text.split_at(flags);
        let width;
        (width, rest) = number(rest, values);
        let mut precision = None;
        if let Some(after) = rest.strip_prefix('.') {
            let (found, after) = number(after, values);
            precision = Some(found);
            rest = after;
        }
        // Lengths of C's numbers, which change nothing here.
        rest = rest.trim_start_matches(['h', 'l', 'j', 'z', 't', 'L']);
        let mut time = "";
        if let Some((shown, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(")T")) {
            (time, rest) = (shown, &rest[rest.len() - after.len() - 1..]);
        }
        let mut chars = rest.chars();
        // A lone `%` at the end prints itself.
        let kind = chars.next().unwrap_or('%');
        (Self { flags, width, precision, time, kind }, chars.as_str())
    }

    fn print<'v>(&self, text: &mut String, values: &mut impl Iterator<Item = &'v str>) {
        let value = if self.kind == '%' { "%" } else { values.next().unwrap_or("") };
        let unknown = mark::any(value);
        let shown = match self.kind {
            'b' => escapes::argument(value),
            // As a shell reads it back.
            'q' if is_plain(value) => value.to_owned(),
            'q' => format!("'{}'", value.replace('\'', r"'\''")),
            // `%(…)T`: without a directive of its own, a time says what stands there.
            'T' if !self.time.contains('%') => self.time.to_owned(),
            'T' => mark::TOKEN.to_string(),
            'c' => value.chars().take(1).collect(),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'e' | 'f' | 'g' => self.number(value),
            _ => value.to_owned(),
        };
        let shown: String = match self.precision {
            // How long a value is that is only known at run time is not known either.
            Some(precision) if matches!(self.kind, 's' | 'b') && !unknown => {
                shown.chars().take(precision).collect()
            }
            _ => shown,
        };
        // `printf %999999999s` must not fill the memory.
        let width = if text.len() > MAX_TEXT { 0 } else { self.width };
        let missing = width.saturating_sub(shown.chars().count());
        if self.flags.contains('-') {
            text.push_str(&shown);
            text.extend(std::iter::repeat_n(' ', missing));
        } else if self.flags.contains('0') && !matches!(self.kind, 's' | 'b' | 'c') {
            let sign = usize::from(shown.starts_with(['-', '+']));
            text.push_str(&shown[..sign]);
            text.extend(std::iter::repeat_n('0', missing));
            text.push_str(&shown[sign..]);
        } else {
            text.extend(std::iter::repeat_n(' ', missing));
            text.push_str(&shown);
        }
    }

    fn number(&self, value: &str) -> String {
        let number = match value.strip_prefix(['\'', '"']) {
            // `'A` is the code of a character.
            Some(quoted) => quoted.chars().next().map(|c| i64::from(u32::from(c))),
            None if value.is_empty() => Some(0),
            None => match value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")) {
                Some(hex) => i64::from_str_radix(hex, 16).ok(),
                None if value.len() > 1 && value.starts_with('0') => i64::from_str_radix(value, 8).ok(),
                None => value.parse().ok(),
            },
        };
        match (self.kind, number) {
            ('d' | 'i' | 'u', Some(number)) if number >= 0 && self.flags.contains('+') => {
                format!("+{number}")
            }
            ('d' | 'i' | 'u', Some(number)) => number.to_string(),
            ('x', Some(number)) => format!("{number:x}"),
            ('X', Some(number)) => format!("{number:X}"),
            ('o', Some(number)) => format!("{number:o}"),
            _ => mark::TOKEN.to_string(),
        }
    }
}

/// A width or a precision, which `*` takes from the arguments, and what follows it.
fn number<'f, 'v>(text: &'f str, values: &mut impl Iterator<Item = &'v str>) -> (usize, &'f str) {
    if let Some(after) = text.strip_prefix('*') {
        let value = values.next().and_then(|value| value.parse().ok());
        return (value.unwrap_or(0_usize).min(MAX_TEXT), after);
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (digits, after) = text.split_at(digits);
    (digits.parse().unwrap_or(0_usize).min(MAX_TEXT), after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_filled_as_in_the_shell() {
        for (words, printed) in [
            (&["%s %s\\n", "rm", "a", "rm", "b"][..], "rm a\nrm b\n"),
            (&["%.2s", "rmxx"], "rm"),
            (&["%5s|%-3s|", "a", "b"], "    a|b  |"),
            (&["%05d %+d %x %o %X", "42", "7", "255", "8", "171"], "00042 +7 ff 10 AB"),
            (&["%d", "'r"], "114"),
            (&["%c%c", "rx", "mx"], "rm"),
            (&["%*d", "4", "7"], "   7"),
            (&["100%%"], "100%"),
            (&["--", "%b", r"r\x6d"], "rm"),
            (&["a%s"], "a"),
            (&["%"], "%"),
            (&[], ""),
        ] {
            let args: Vec<Arg> = words.iter().map(|&word| Arg::from(word)).collect();
            assert_eq!(printf(&args), printed, "{words:?}");
        }
    }
}
