//! JSON with what some hosts bear and others do not: comments, commas too many, a byte order mark.

/// What stands in a string that strict JSON does not know, besides JSON.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extras {
    /// A byte order mark, or something else before the value.
    pub(super) mark: bool,
    pub(super) comments: bool,
    /// A comma after the last member.
    pub(super) commas: bool,
}

/// JSON with comments and commas too many taken out, as editors read it, and what was taken out.
pub(super) fn plain(text: &str) -> (String, Extras) {
    let mut extras = Extras { mark: text.starts_with('\u{feff}'), ..Extras::default() };
    let mut out = String::with_capacity(text.len());
    let mut quoted = Quotes::default();
    let mut rest = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = rest.next() {
        let inside = quoted.inside(c);
        if !inside && c == '/' && rest.peek() == Some(&'/') {
            extras.comments = true;
            while rest.peek().is_some_and(|&c| c != '\n') {
                rest.next();
            }
        } else if !inside && c == '/' && rest.peek() == Some(&'*') {
            extras.comments = true;
            rest.next();
            let mut last = ' ';
            for c in rest.by_ref() {
                if last == '*' && c == '/' {
                    break;
                }
                last = c;
            }
        } else {
            if !inside && matches!(c, '}' | ']') {
                let end = out.trim_end();
                // `[1, 2,]`: editors read it, serde does not.
                if end.ends_with(',') {
                    extras.commas = true;
                    out.truncate(end.len() - 1);
                }
            }
            out.push(c);
        }
    }
    (out, extras)
}

/// JSON without white space between its parts.
pub(super) fn tight(text: &str) -> String {
    let mut quoted = Quotes::default();
    text.chars().filter(|&c| quoted.inside(c) || !c.is_ascii_whitespace()).collect()
}

/// Whether a character of JSON belongs to a string.
#[derive(Default)]
struct Quotes {
    open: bool,
    escaped: bool,
}

impl Quotes {
    fn inside(&mut self, c: char) -> bool {
        let was = self.open;
        match c {
            _ if self.escaped => self.escaped = false,
            '\\' if self.open => self.escaped = true,
            '"' => self.open = !self.open,
            _ => {}
        }
        was || self.open
    }
}
