//! The built-in rules, one file per family.

mod cloud;
mod containers;
mod databases;
mod disks;
mod essentials;
mod files;
mod forges;
mod git;
mod given;
mod guard;
mod http;
mod infrastructure;
mod network;
mod overwrite;
mod packages;
mod paths;
mod permissions;
mod processes;
mod remote_code;
mod secrets;
mod services;
mod system;
mod unresolved;
mod windows;
mod writes;

pub(crate) use files::{is_deleter, is_recursive};
pub(crate) use git::{GitStep, asks_for_changes, git_step, may_be_alias, reversed};
pub use guard::PROJECT_SETTINGS;
pub(crate) use guard::{
    AGENT_SETTINGS, PERSON_ONLY_SCRIPT, READ_KEY, READ_STATE, Searches, VARIABLES, orders, protecting,
};
pub(crate) use overwrite::{mirrored, overwritten};

pub(crate) use writes::Write;

use crate::rule::{Family, Rule};

static FAMILIES: &[&Family] = &[
    &files::FAMILY,
    &disks::FAMILY,
    &overwrite::FAMILY,
    &permissions::FAMILY,
    &processes::FAMILY,
    &system::FAMILY,
    &network::FAMILY,
    &essentials::FAMILY,
    &remote_code::FAMILY,
    &secrets::FAMILY,
    &unresolved::FAMILY,
    &guard::FAMILY,
    &git::FAMILY,
    &forges::FAMILY,
    &containers::FAMILY,
    &infrastructure::FAMILY,
    &cloud::FAMILY,
    &databases::FAMILY,
    &packages::FAMILY,
    &services::FAMILY,
    &windows::FILES,
    &windows::MACHINE,
    &windows::PROTECTION,
    &windows::FOREIGN_CODE,
];

/// All families, in the order in which they are asked.
pub fn families() -> &'static [&'static Family] {
    FAMILIES
}

/// The rule with this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    families().iter().flat_map(|family| family.rules).find(|rule| rule.id == id)
}

/// Whether a list, whose words are separated by blanks, has this word. Lists are text, because each pointer of an
/// array costs every start of the program a relocation.
pub(crate) fn has(list: &str, word: &str) -> bool {
    let (bytes, word) = (list.as_bytes(), word.as_bytes());
    let mut at = 0;
    // A plain loop: lists are short, and every option of every command is looked up.
    while !word.is_empty() && at < bytes.len() {
        let rest = &bytes[at..];
        // Blanks and ends of lines are the only bytes up to a blank's.
        let end = rest.iter().position(|byte| *byte <= b' ').unwrap_or(rest.len());
        if &rest[..end] == word {
            return true;
        }
        at += end + 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::rc::Rc;

    use super::*;
    use crate::rule::Covers;
    use crate::{CommandText, Facts, Language, calls, judge};

    /// A disk on which only one file lies, which is larger than any that is read.
    #[derive(Debug)]
    struct Sparse;

    impl shell::Disk for Sparse {
        fn read(&self, path: &str) -> shell::Found {
            if path.ends_with("/too-large.sh") { shell::Found::Unreadable } else { shell::Found::Nothing }
        }

        fn list(&self, _: &str) -> Vec<shell::Entry> {
            Vec::new()
        }
    }

    fn found((language, command): &(Language, String)) -> Vec<&'static str> {
        let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
        let facts = facts.with_scripts(Rc::new(Sparse));
        let judgement = judge(&[CommandText { text: command, language: *language }], &facts);
        // On paper, no one looks up what would be lost, and some rules say nothing then.
        judgement.findings.iter().chain(&judgement.harmless).map(|finding| finding.rule.id).collect()
    }

    /// A denial is read by a model in the middle of its work, and by a person in a box of a chat: with the command, the
    /// way to approve it and the rule's name, it stays below 600 characters.
    #[test]
    fn every_rule_says_what_it_has_to_say_in_two_short_sentences() {
        for rule in families().iter().flat_map(|family| family.rules) {
            let [reason, instead] = [rule.reason, rule.instead].map(|text| text.chars().count());
            assert!(reason <= 140 && instead <= 120, "{}: {reason}, {instead}", rule.id);
            assert!(reason + instead + rule.id.len() <= 240, "{}: {}", rule.id, reason + instead);
            // What is said once by the rule's name in brackets is not said again.
            assert!(!rule.reason.contains(rule.id) && !rule.instead.contains(rule.id), "{}", rule.id);
        }
    }

    #[test]
    fn every_rule_matches_its_examples_and_spares_the_others() {
        let mut wrong = Vec::new();
        for rule in families().iter().flat_map(|family| family.rules) {
            if rule.matches.trim().is_empty() || rule.spares.trim().is_empty() {
                wrong.push(format!("{} has no examples", rule.id));
            }
            for command in Rule::examples(rule.matches).filter(|command| !found(command).contains(&rule.id)) {
                wrong.push(format!("{} does not match `{}`: {:?}", rule.id, command.1, found(&command)));
            }
            for command in Rule::examples(rule.spares).filter(|command| found(command).contains(&rule.id)) {
                wrong.push(format!("{} matches `{}`", rule.id, command.1));
            }
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }

    #[test]
    fn no_line_of_a_table_has_a_mistake() {
        for rule in families().iter().flat_map(|family| family.rules) {
            let rows = rule.when.table().into_iter().flat_map(calls::Table::rows);
            for line in rows.filter(|row| !row.ends_with(':')) {
                assert_eq!(calls::mistake(line), None, "{}: {line}", rule.id);
            }
        }
    }

    /// A program that the quick look leaves out is never compared with the table.
    #[test]
    fn every_program_of_a_table_is_covered_by_the_family() {
        let asked_by_functions: &[(&str, &calls::Table)] = &[
            ("cloud", &cloud::OTHERS_OF_AWS),
            ("cloud", &cloud::OF_SERVICES),
            ("databases", &databases::BY_SCRIPT),
            ("remote-code", &remote_code::FETCHES),
            ("secrets", &secrets::KEEPERS),
        ];
        let of_rules = families()
            .iter()
            .flat_map(|family| family.rules)
            .filter_map(|rule| Some((rule.family(), rule.when.table()?)));
        let left_out: Vec<_> = of_rules
            .chain(asked_by_functions.iter().copied())
            .flat_map(|(id, table)| table.programs().map(move |program| (id, program)))
            .filter(|(id, program)| {
                let family = families().iter().find(|family| family.id == *id);
                !family.is_some_and(|family| family.covers(program))
            })
            .collect();
        assert!(left_out.is_empty(), "{left_out:?}");
    }

    #[test]
    fn every_family_of_the_catalog_is_one_of_these() {
        for id in catalog::families() {
            let family = families().iter().find(|family| family.id == *id);
            let listed = match family.map(|family| &family.covers) {
                Some(
                    Covers::Listed(listed)
                    | Covers::Also(listed, _)
                    | Covers::OrUnknown(listed, _)
                    | Covers::OrUnnamed(listed),
                ) => *listed,
                _ => panic!("shared/catalog/programs names the family {id}, which lists no programs"),
            };
            assert_eq!(listed, catalog::family(id), "{id}");
        }
    }

    #[test]
    fn ids_are_unique_and_begin_with_their_family() {
        let mut ids = BTreeSet::new();
        for family in families() {
            for rule in family.rules {
                assert!(ids.insert(rule.id), "{} twice", rule.id);
                assert_eq!(rule.family(), family.id, "{}", rule.id);
                assert!(
                    rule.reason.ends_with('.') && rule.instead.ends_with('.'),
                    "{} wants whole sentences",
                    rule.id
                );
            }
        }
    }
}
