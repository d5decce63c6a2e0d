//! Tables of calls, read while compiling: a program that a table does not name costs a few comparisons.

/// Calls by program, as text: a head of names that ends in a colon, then the lines of words that their calls are
/// compared with. What begins with `#` is a remark.
#[derive(Debug)]
pub struct Table {
    text: &'static str,
    /// The programs, sorted by the hashes of their names.
    programs: &'static [Program],
    /// Where each line begins and ends. Numbers, as pointers would have to be moved when a program starts.
    spans: &'static [Span],
}

type Span = (u16, u16);

/// A program in a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program {
    hash: u32,
    name: Span,
    /// Its lines: the first, and the one after its last.
    lines: Span,
}

impl Program {
    const NONE: Self = Self { hash: 0, name: (0, 0), lines: (0, 0) };
}

impl Table {
    pub(crate) const fn new(
        text: &'static str,
        programs: &'static [Program],
        spans: &'static [Span],
    ) -> Self {
        Self { text, programs, spans }
    }

    /// The lines that the table has for a program: of all heads that name it.
    pub(crate) fn of<'t>(&'static self, program: &'t str) -> impl Iterator<Item = &'static str> + 't {
        let hash = hash(program.as_bytes(), 0, program.len());
        let first = self.programs.partition_point(|known| known.hash < hash);
        self.programs[first..]
            .iter()
            .take_while(move |known| known.hash == hash)
            .filter(move |known| self.slice(known.name) == program)
            .flat_map(|known| &self.spans[usize::from(known.lines.0)..usize::from(known.lines.1)])
            .map(|span| self.slice(*span))
    }

    fn slice(&self, (start, end): Span) -> &'static str {
        &self.text[usize::from(start)..usize::from(end)]
    }

    /// The table as it is read: heads and the lines below them, without remarks.
    pub fn rows(&self) -> impl Iterator<Item = &'static str> {
        self.text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
    }

    /// The names of its programs.
    #[cfg(test)]
    pub(crate) fn programs(&self) -> impl Iterator<Item = &'static str> {
        self.programs.iter().map(|program| self.slice(program.name))
    }
}

macro_rules! calls {
    ($text:expr) => {{
        const TEXT: &str = $text;
        const SIZE: (usize, usize) = $crate::calls::table::parse::<0, 0>(TEXT).0;
        const PARSED: ([$crate::calls::table::Program; SIZE.0], [(u16, u16); SIZE.1]) = {
            let (_, programs, spans) = $crate::calls::table::parse(TEXT);
            ($crate::calls::table::sorted(programs), spans)
        };
        $crate::calls::Table::new(TEXT, &PARSED.0, &PARSED.1)
    }};
}
pub(crate) use calls;

/// FNV-1a.
const fn hash(text: &[u8], start: usize, end: usize) -> u32 {
    let (mut hash, mut at) = (0x811C_9DC5_u32, start);
    while at < end {
        hash = (hash ^ text[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

/// How many programs and lines a text has, and the first of them.
#[expect(clippy::cast_possible_truncation, reason = "a longer text ends the build")]
pub(crate) const fn parse<const P: usize, const S: usize>(
    text: &str,
) -> ((usize, usize), [Program; P], [Span; S]) {
    assert!(text.len() < u16::MAX as usize);
    let text = text.as_bytes();
    let (mut programs, mut spans) = ([Program::NONE; P], [(0, 0); S]);
    let (mut named, mut lines, mut at) = (0, 0, 0);
    // The programs of the line of names above, whose lines go on.
    let mut open = 0;
    while at < text.len() {
        let (start, end) = line_at(text, at);
        at = end + 1;
        let (start, end) = trimmed(text, start, end);
        if start == end || text[start] == b'#' {
            continue;
        }
        if text[end - 1] != b':' {
            if lines < S {
                spans[lines] = (start as u16, end as u16);
            }
            lines += 1;
            let mut program = open;
            while program < named && program < P {
                programs[program].lines.1 = lines as u16;
                program += 1;
            }
            continue;
        }
        open = named;
        let mut from = start;
        while from < end {
            let mut to = from;
            while text[to] != b' ' && text[to] != b':' {
                to += 1;
            }
            // A command of kubectl's may have a colon in its name; a program has none.
            if named < P && to > from {
                let name = (from as u16, to as u16);
                let lines = (lines as u16, lines as u16);
                programs[named] = Program { hash: hash(text, from, to), name, lines };
            }
            named += (to > from) as usize;
            from = to + 1;
        }
    }
    ((named, lines), programs, spans)
}

/// The line that begins at a place.
const fn line_at(text: &[u8], start: usize) -> (usize, usize) {
    let mut end = start;
    while end < text.len() && text[end] != b'\n' {
        end += 1;
    }
    (start, end)
}

const fn trimmed(text: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && text[start] == b' ' {
        start += 1;
    }
    while start < end && text[end - 1] == b' ' {
        end -= 1;
    }
    (start, end)
}

/// By insertion: constants have no other way yet, and a table is short.
pub(crate) const fn sorted<const P: usize>(mut programs: [Program; P]) -> [Program; P] {
    let mut at = 1;
    while at < P {
        let mut to = at;
        while to > 0 && programs[to - 1].hash > programs[to].hash {
            (programs[to - 1], programs[to]) = (programs[to], programs[to - 1]);
            to -= 1;
        }
        at += 1;
    }
    programs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_lines_of_every_head_that_names_a_program() {
        static TABLE: Table = calls!(
            "
            a b:
                x y|z
                # a remark
                w
            c:
                v
            b:
                u
            "
        );
        let of = |program| TABLE.of(program).collect::<Vec<_>>();
        assert_eq!(of("a"), ["x y|z", "w"]);
        assert_eq!(of("c"), ["v"]);
        assert_eq!(of("b"), ["x y|z", "w", "u"]);
        assert!(of("d").is_empty() && of("").is_empty());
    }
}
