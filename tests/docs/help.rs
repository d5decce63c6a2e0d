//! What `--help` of every program and sub-command lists.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use support::call::Call;

use super::programs;

/// The options and sub-commands that one help text lists.
#[derive(Debug, Default)]
pub(super) struct Help {
    pub(super) options: BTreeSet<String>,
    pub(super) commands: BTreeSet<String>,
    /// Every spelling of an option, with whether it takes a value.
    spellings: BTreeSet<(String, bool)>,
}

/// Every help text, by the words that it is asked with: `hook-runner policy test`.
pub(super) fn all() -> &'static BTreeMap<String, Help> {
    static ALL: OnceLock<BTreeMap<String, Help>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = BTreeMap::new();
        for (name, _) in programs() {
            ask(name, &[], &mut all);
        }
        all
    })
}

fn ask(program: &str, words: &[String], all: &mut BTreeMap<String, Help>) {
    let path = programs().into_iter().find(|(name, _)| *name == program).unwrap().1;
    let answer = Call::new(path).args(words).args(["--help-all"]).run();
    assert_eq!(answer.exit, Some(0), "{program} {words:?} --help-all: {answer:?}");
    let help = parse(&answer.stdout);
    for command in help.commands.iter().filter(|command| *command != "help") {
        ask(program, &[words, std::slice::from_ref(command)].concat(), all);
    }
    let key = std::iter::once(program.to_owned()).chain(words.iter().cloned()).collect::<Vec<_>>().join(" ");
    all.insert(key, help);
}

/// Sub-commands stand two blanks deep below `Commands:`, options begin their line.
fn parse(text: &str) -> Help {
    let mut help = Help::default();
    let mut below_commands = false;
    for line in text.lines() {
        if !line.starts_with(' ') {
            below_commands = line == "Commands:" || (below_commands && line.is_empty());
        }
        let word = line.trim_start().split([' ', ',']).next().unwrap_or_default();
        if below_commands && line.starts_with("  ") && !line.starts_with("   ") {
            help.commands.insert(word.to_owned());
        } else if line.starts_with(' ') && word.starts_with('-') {
            let options = line.split([' ', ',', '=']).filter(|word| word.starts_with("--"));
            help.options.extend(options.map(str::to_owned));
            // `-n, --lines <N>`, with the explanation after two blanks or on the next line.
            let spelled = line.trim_start().split("  ").next().unwrap_or_default();
            let takes = spelled.contains('<');
            let words = spelled.split([' ', ',', '=']).filter(|word| word.starts_with('-'));
            help.spellings.extend(words.map(|word| (word.to_owned(), takes)));
        }
    }
    // Wherever the line was broken.
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (at, _) in flat.match_indices("[alias") {
        let named = flat[at..].split_once(": ").and_then(|(_, rest)| rest.split(']').next());
        help.commands.extend(named.unwrap_or_default().split(", ").map(str::to_owned));
    }
    help
}

/// The guard finds the sub-command after whatever options stand in front of it.
#[test]
fn the_guard_knows_which_of_our_options_take_a_value() {
    let mut wrong = Vec::new();
    let helps = all();
    // `init --user` takes nothing, `query --user NAME` does: what follows it may then be a sub-command's own option.
    let flags: Vec<&String> = helps
        .values()
        .flat_map(|help| help.spellings.iter().filter(|(_, takes)| !takes).map(|(option, _)| option))
        .collect();
    for (words, help) in helps {
        let known = catalog::values(words.split(' ').next().unwrap());
        for (option, takes) in &help.spellings {
            if *takes && flags.contains(&option) {
                continue;
            }
            if known.split_ascii_whitespace().any(|known| known == option) != *takes {
                wrong.push(format!("{words} {option}, which takes a value: {takes}"));
            }
        }
    }
    assert!(wrong.is_empty(), "shared/catalog/programs/own.txt: {wrong:#?}");
}
