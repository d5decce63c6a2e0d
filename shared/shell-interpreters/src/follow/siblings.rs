//! Files beside a program that are compiled with it, as far as it names what they define: other files of a package of
//! Go's, classes of Java, Kotlin, Scala and Groovy, sources of Swift.

use std::collections::HashSet;
use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::modules::has_ending;
use crate::Language;
use crate::lex::Token;

/// Files that are looked at, their size in bytes, and the length of lines that may define something.
const MAX_SIBLINGS: usize = 8;
const MAX_SIZE: usize = 64 * 1024;
const MAX_HEAD: usize = 200;

/// Words in front of a name that is defined.
const DEFINES: [&str; 10] =
    ["func ", "type ", "class ", "object ", "struct ", "enum ", "interface ", "record ", "fun ", "trait "];

/// A file beside the program.
struct Sibling {
    path: String,
    /// What it defines for others.
    defines: Vec<String>,
    /// All words of it.
    words: HashSet<String>,
}

impl Sibling {
    fn new(path: String, text: &str, language: Language) -> Self {
        let words_of = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let heads = text.lines().filter(|line| line.len() < MAX_HEAD).filter_map(|line| {
            let (_, rest) = DEFINES.iter().find_map(|word| line.split_once(word))?;
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            (!name.is_empty()).then(|| name.to_owned())
        });
        // A class of the JVM's stands in a file of its name.
        let stem = shell_engine::path::file_name(&path).split('.').next().unwrap_or_default().to_owned();
        let defines = heads.filter(|name| language != Language::Jvm || *name == stem).collect();
        Self { path, defines, words: words_of(text).into_iter().collect() }
    }
}

impl Follower<'_> {
    /// Follows those files as modules.
    pub(super) fn import_siblings(&mut self) {
        let own = self.own_file();
        let ending = own.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned();
        let is_compiled = match self.language {
            Language::Go => ending == "go",
            Language::Jvm => matches!(ending.as_str(), "java" | "kt" | "scala" | "groovy"),
            Language::Other => ending == "swift",
            _ => false,
        };
        // `go run wipe.go` compiles no other file.
        let atom = usize::try_from(self.index).ok().and_then(|index| self.runner.analysis.atoms.get(index));
        let is_alone = atom.is_some_and(|atom| atom.args.iter().any(|arg| has_ending(&arg.text, "go")));
        if !is_compiled || is_alone || self.given.mentioned.is_some() || !self.runner.has_disk() {
            return;
        }
        let pattern = format!("{}/{}.{ending}", self.own_folder(), mark::STAR);
        let files = self.runner.paths(self.scope, &pattern);
        let others = files.into_iter().filter(|file| *file != own && !file.ends_with("_test.go"));
        let mut others: Vec<Sibling> = others
            .filter(|file| !mark::any(file))
            .take(MAX_SIBLINGS)
            .filter_map(|file| Some((self.runner.look_up(self.scope, &file)?.text, file)))
            .filter(|(text, _)| text.len() <= MAX_SIZE)
            .map(|(text, file)| Sibling::new(file, &text, self.language))
            .collect();
        let code = Rc::clone(&self.code);
        let mut named: HashSet<String> = HashSet::new();
        named.extend(code.tokens.iter().filter_map(|token| match token {
            Token::Name(name) => Some(name.rsplit('.').next().unwrap_or(name).to_owned()),
            _ => None,
        }));
        // What the program defines itself it has from nowhere else.
        for pair in code.tokens.windows(2) {
            if let [Token::Name(word), Token::Name(class)] = pair
                && word == "class"
            {
                for other in &mut others {
                    other.defines.retain(|name| name != class);
                }
            }
        }
        // Those that the program names, and those that these name.
        while let Some(at) =
            others.iter().position(|other| other.defines.iter().any(|name| named.contains(name)))
        {
            let Sibling { path, words, .. } = others.remove(at);
            named.extend(words);
            self.module(&[&path]);
        }
    }
}
