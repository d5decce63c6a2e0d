//! The form of `programs/*.txt`: what the build script reads, and what its messages say.
//!
//! ```text
//! # Names of programs that share every fact, then the facts. Deeper lines go on with the line above.
//! docker podman nerdctl:
//!     values = -H --host -c --context
//!         --tlscacert --tlscert
//!     # The options in front of a sub-command that take none.
//!     switches = --tls
//!     # The options with values of sub-commands, and of sub-commands in a group.
//!     values.create run container/run = -v --volume
//!     families = containers packages
//! helm:
//!     # The options with values of that row, and of its sub-commands.
//!     like = kubectl
//!     families = packages
//! psql:
//!     # The options with values of a program without sub-commands: no rule of a policy relies on them.
//!     values.* = -c --command
//! ```

/// Programs that share every fact.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) place: String,
    pub(crate) names: Vec<String>,
    pub(crate) fields: Vec<Field>,
}

/// One fact, or an example.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) place: String,
    pub(crate) key: String,
    pub(crate) value: String,
}

impl Row {
    /// The value of a field; empty if the row does not have it.
    pub(crate) fn get(&self, key: &str) -> &str {
        self.fields.iter().find(|field| field.key == key).map_or("", |field| &field.value)
    }

    /// The options with values of sub-commands: the sub-commands, and their options.
    pub(crate) fn subs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields
            .iter()
            .filter_map(|field| Some((field.key.strip_prefix("values.")?, field.value.as_str())))
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }
}

/// The rows of one file; mistakes in its form go to `wrong`.
pub(crate) fn read(file: &str, text: &str, wrong: &mut Vec<String>) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let place = format!("{file}:{}", at + 1);
        let words = line.trim();
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        // Reported once: the names that were not ended are forgotten, so that their facts do not go to the row above.
        if depth > 0 && !names.is_empty() {
            wrong.push(format!("{place}: the names above need a `:` at their end"));
            names.clear();
        }
        match (depth, rows.last_mut()) {
            (0, _) => {
                // Names may go on over several lines; the colon ends them.
                names.extend(words.trim_end_matches(':').split_whitespace().map(str::to_owned));
                if words.ends_with(':') {
                    rows.push(Row { place, names: std::mem::take(&mut names), fields: Vec::new() });
                }
            }
            (4, Some(row)) => {
                let (key, value) = words.split_once('=').unwrap_or((words, ""));
                let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
                row.fields.push(Field { place, key, value });
            }
            (8, Some(Row { fields, .. })) if !fields.is_empty() => {
                let last = fields.len() - 1;
                fields[last].value.push(' ');
                fields[last].value.push_str(words);
            }
            _ => wrong.push(format!(
                "{place}: names start a line, facts are indented by 4 blanks, what continues them by 8"
            )),
        }
    }
    rows
}

/// A field that names another row, and the beginning of the fields that are taken over from there.
#[derive(Clone, Copy)]
struct Inherit {
    key: &'static str,
    fields: &'static str,
}

const INHERITS: [Inherit; 2] =
    [Inherit { key: "like", fields: "values" }, Inherit { key: "code.like", fields: "code" }];

/// Gives rows with `like = NAME` the options with values of that row, and those with `code.like` how it takes code.
pub(crate) fn inherit(rows: &mut [Row], wrong: &mut Vec<String>) {
    // In the order of the rows: what one took over itself can be taken over by a later one.
    for at in 0..rows.len() {
        for like in INHERITS {
            inherit_fields(rows, at, like, wrong);
        }
    }
}

fn inherit_fields(rows: &mut [Row], at: usize, like: Inherit, wrong: &mut Vec<String>) {
    let Some(field) = rows[at].fields.iter().position(|field| field.key == like.key) else { return };
    let Field { place, value: name, .. } = rows[at].fields.remove(field);
    let has = |row: &Row| row.fields.iter().any(|field| field.key.starts_with(like.fields));
    let Some(other) = rows.iter().find(|row| row.names.contains(&name) && has(row)) else {
        wrong.push(format!("{place}: `{name}` must be the name of a row with `{}`", like.fields));
        return;
    };
    let taken = other.fields.iter().filter(|field| field.key.starts_with(like.fields));
    let taken: Vec<_> = taken.map(|field| Field { place: place.clone(), ..field.clone() }).collect();
    rows[at].fields.extend(taken);
}

/// What is wrong with rows whose form is right.
pub(crate) fn check(rows: &[Row], fields: &[&str], wrong: &mut Vec<String>) {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        if row.fields.is_empty() {
            wrong.push(format!("{}: nothing is said about {}", row.place, row.names.join(" ")));
        }
        names.extend(row.names.iter().map(|name| (name.as_str(), row.place.as_str())));
        let wrapper = row.fields.iter().find(|field| field.key.starts_with("runs."));
        if let Some(field) = wrapper.filter(|_| !row.has("runs")) {
            wrong.push(format!("{}: a wrapper needs an example: `runs = -x value | program`", field.place));
        }
        for (at, Field { place, key, value }) in row.fields.iter().enumerate() {
            let of_subs = key.starts_with("values.");
            if !fields.contains(&key.as_str()) && !of_subs {
                wrong.push(format!("{place}: unknown field `{key}`; fields are {}", fields.join(", ")));
            }
            // A wrapper may have several examples.
            if row.fields[..at].iter().any(|earlier| earlier.key == *key) && key != "runs" {
                wrong.push(format!("{place}: `{key}` stands twice in one row"));
            }
            let words: Vec<&str> = value.split_whitespace().collect();
            let twice = words.iter().enumerate().find(|(at, word)| words[..*at].contains(word));
            if let Some((_, word)) = twice.filter(|_| key != "runs") {
                wrong.push(format!("{place}: `{word}` stands twice"));
            }
            if key == "runs" && !value.contains('|') {
                wrong.push(format!(
                    "{place}: `|` stands between the arguments of the wrapper and the program"
                ));
            }
            if key == "runs.operands" && value.parse::<usize>().is_err() {
                wrong.push(format!("{place}: `{value}` is not a number"));
            }
            if let Some(word) = words
                .iter()
                .find(|word| (key == "values" || key == "switches" || of_subs) && !word.starts_with('-'))
            {
                wrong.push(format!("{place}: `{word}` is not an option"));
            }
        }
    }
    names.sort_unstable();
    for pair in names.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        wrong.push(format!("{}: `{}` is in {}, too", pair[1].1, pair[1].0, pair[0].1));
    }
    for pair in rows.windows(2) {
        let file = |row: &Row| row.place.split(':').next().unwrap_or_default().to_owned();
        if file(&pair[0]) == file(&pair[1]) && pair[0].names.first() > pair[1].names.first() {
            wrong.push(format!("{}: rows are sorted by their first names", pair[1].place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: &str) -> String {
        let mut wrong = Vec::new();
        let mut rows = read("x.txt", text, &mut wrong);
        inherit(&mut rows, &mut wrong);
        check(&rows, &["values", "families", "runs", "runs.operands"], &mut wrong);
        wrong.join("\n")
    }

    #[test]
    fn rows_go_on_in_deeper_lines_and_are_like_others() {
        let text = "# remark\na b\nc:\n    values = -x\n        --yes\n    values.run exec = -v\nd:\n    like = a\n    families = git\n";
        assert_eq!(mistakes(text), "");
        let mut rows = read("x.txt", text, &mut Vec::new());
        inherit(&mut rows, &mut Vec::new());
        assert_eq!((rows[0].names.join(" ").as_str(), rows[0].get("values")), ("a b c", "-x --yes"));
        assert_eq!((rows[1].get("values"), rows[1].get("families")), ("-x --yes", "git"));
        assert_eq!(rows[1].subs().collect::<Vec<_>>(), [("run exec", "-v")]);
    }

    #[test]
    fn every_mistake_is_named_with_its_place() {
        for (text, expected) in [
            (
                "a:\n    valeus = -x\n",
                "x.txt:2: unknown field `valeus`; fields are values, families, runs, runs.operands",
            ),
            ("a:\n    values = -x\na:\n    values = -x\n", "x.txt:3: `a` is in x.txt:1, too"),
            ("b:\n    values = -x\na:\n    values = -x\n", "x.txt:3: rows are sorted by their first names"),
            ("a:\n    values = -x -x\n", "x.txt:2: `-x` stands twice"),
            ("a:\n    values = x\n", "x.txt:2: `x` is not an option"),
            ("a:\n    values.run = x\n", "x.txt:2: `x` is not an option"),
            ("a:\n    values = -x\n    values = -y\n", "x.txt:3: `values` stands twice in one row"),
            ("a:\n", "x.txt:1: nothing is said about a"),
            (
                "a\n    values = -x\n",
                "x.txt:2: the names above need a `:` at their end\nx.txt:2: names start a line, facts are indented by 4 blanks, what continues them by 8",
            ),
            (
                "a:\n  values = -x\n",
                "x.txt:2: names start a line, facts are indented by 4 blanks, what continues them by 8\nx.txt:1: nothing is said about a",
            ),
            (
                "a:\n    like = b\n",
                "x.txt:2: `b` must be the name of a row with `values`\nx.txt:1: nothing is said about a",
            ),
            (
                "a:\n    runs.operands = 1\n",
                "x.txt:2: a wrapper needs an example: `runs = -x value | program`",
            ),
            (
                "a:\n    runs = rm x\n",
                "x.txt:2: `|` stands between the arguments of the wrapper and the program",
            ),
            ("a:\n    runs = | rm x\n    runs.operands = one\n", "x.txt:3: `one` is not a number"),
        ] {
            assert_eq!(mistakes(text), expected, "{text}");
        }
    }
}
