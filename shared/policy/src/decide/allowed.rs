//! What allows a call: every part of it needs a rule, and nothing may be in doubt.

use payload::Access;
use shell::{Analysis, Arg, Atom, Flow, Note, Place, mark};

use super::Judge;
use crate::action::Part;
use crate::case::Touched;
use crate::certainty::{Lean, Match};
use crate::finding::Finding;
use crate::glob::{self, PLAIN};
use crate::layers::File;
use crate::matching;
use crate::model::{Effect, May, NoPrompt, Rule, Subject, Text};

/// Why a call that nothing holds back is not allowed as a whole.
#[derive(Debug)]
pub(crate) enum Unallowed {
    /// No rule allows anything of this kind.
    Unasked,
    /// Something in it is not understood.
    NotUnderstood,
    /// No rule is about this part of it.
    NoRule(String),
    /// A rule is about this part, but not about what it does beside.
    Beside {
        /// The part.
        part: String,
        /// The rule's id.
        rule: String,
        /// What it does.
        does: Beside,
    },
}

/// What a command does beside running, or leaves open.
#[derive(Debug)]
pub(crate) enum Beside {
    /// It runs on another machine, where the same words may be another program.
    Elsewhere,
    /// A word that only run time tells, as it reads for a person.
    Unknown(String),
    /// It sets a variable.
    Sets(String),
    /// It reads a file, or writes or deletes it.
    Touches(Access, String),
    /// It may write files by its own options.
    MayWrite,
    /// It runs in a folder outside the project, or a word leads there.
    Outside(String),
}

/// A rule of a file.
type Said<'j, 'f> = (&'j File<'f>, &'j Rule<'f>);

impl Judge<'_, '_> {
    /// The rules that allow the call, if every part of it is allowed and nothing is in doubt; else the part that is not, if
    /// it is one.
    pub(super) fn allowed(&self) -> Result<Vec<Finding>, Option<Part>> {
        let rules = self.rules_that_allow();
        // A note means that something was not understood: nothing is allowed then, but what the team's own files leave
        // open.
        let noted = |analysis: &Analysis| analysis.notes.iter().any(|note| note.file.is_none());
        if rules.is_empty() || self.case.analyses.iter().any(noted) {
            return Err(None);
        }
        let mut findings = Vec::new();
        for (text, analysis) in self.case.analyses.iter().enumerate() {
            if self.is_sql_of_mcp(text) {
                continue;
            }
            // A string in which nothing is found is not text that is allowed.
            if analysis.atoms.is_empty() {
                return Err(None);
            }
            self.commands(&rules, text, analysis, &mut findings)?;
        }
        for part in self.other_parts() {
            findings.push(self.found(self.rule_for(&rules, part).ok_or(Some(part))?, part));
        }
        if findings.is_empty() { Err(None) } else { Ok(findings) }
    }

    fn rules_that_allow(&self) -> Vec<Said<'_, '_>> {
        let files = self.stack.files.iter().filter(|file| file.may_loosen);
        files
            .flat_map(|file| file.policy.rules.iter().map(move |rule| (file, rule)))
            .filter(|(_, rule)| rule.effect == Effect::Allow)
            .filter(|(_, rule)| rule.tools.is_empty() || rule.tools.contains(&self.action.tool))
            .collect()
    }

    /// Why the call is not allowed; `None` where it is.
    pub(super) fn unallowed(&self) -> Option<Unallowed> {
        let part = self.allowed().err()?;
        let rules = self.rules_that_allow();
        if rules.is_empty() {
            return Some(Unallowed::Unasked);
        }
        let Some(part) = part else { return Some(Unallowed::NotUnderstood) };
        let about = |(_, rule): &Said<'_, '_>| {
            matches!(rule.subject, Subject::Run(_)) && self.matches(rule, part, Lean::Open) == Match::Yes
        };
        let Part::Command { text, atom } = part else { return Some(Unallowed::NoRule(self.evidence(part))) };
        let analysis = self.case.analyses.get(text)?;
        let of = analysis.atoms.get(atom)?;
        // What has no words is a redirection, of which the rules speak that are about the words around it.
        let mut about = rules.iter().filter(|said| of.args.is_empty() || about(said));
        let beside = about.find_map(|said| {
            let does = self.beside(part, analysis, of, may(*said))?;
            Some(Unallowed::Beside { part: self.evidence(part), rule: said.1.id.clone().into_owned(), does })
        });
        beside.or_else(|| Some(Unallowed::NoRule(self.evidence(part))))
    }

    /// The rules that allow every command of a text.
    fn commands(
        &self,
        rules: &[Said<'_, '_>],
        text: usize,
        analysis: &Analysis,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Option<Part>> {
        let team = self.files_of_team(analysis);
        let is_of_team = |file: Option<u32>| file.is_some_and(|file| team.get(file as usize) == Some(&true));
        // By its index: the rule by which a command runs, also by which those run that it leads to.
        let mut by: Vec<Option<Said<'_, '_>>> = Vec::with_capacity(analysis.atoms.len());
        for (atom, of) in analysis.atoms.iter().enumerate() {
            let led = of.via.and_then(|via| by.get(via.parent as usize).copied().flatten());
            let part = Part::Command { text, atom };
            if let Some(rule) = led
                && may(rule).scripts()
                && is_of_team(of.file)
            {
                by.push(led);
                continue;
            }
            // Nothing but redirections, of what leads to it: `awk '{print > "x"}'`.
            let bare = of.args.is_empty();
            let rule = match led.filter(|_| bare) {
                Some(rule) if self.is_plain(part, analysis, of, may(rule)) => rule,
                Some(_) => return Err(Some(part)),
                // What a loop reads: `while read f; do …; done < list`.
                None if bare => {
                    let plain = |said: &&Said<'_, '_>| self.is_plain(part, analysis, of, &said.0.policy.may);
                    *rules.iter().find(plain).ok_or(Some(part))?
                }
                None => self.rule_for(rules, part).ok_or(Some(part))?,
            };
            by.push(Some(rule));
            if !bare {
                findings.push(self.found(rule, part));
            }
        }
        // What is not understood in a file is the team's business like the rest of it, where a rule leaves that to them.
        let scripts = |rule: Option<Said<'_, '_>>| rule.is_some_and(|rule| may(rule).scripts());
        let leaves = || {
            let in_files = by.iter().zip(&analysis.atoms).filter(|(_, of)| of.file.is_some());
            by.iter().any(|rule| scripts(*rule)) && in_files.into_iter().all(|(rule, _)| scripts(*rule))
        };
        let settled = |note: &Note| is_of_team(note.file) && leaves();
        if analysis.notes.iter().all(settled) { Ok(()) } else { Err(None) }
    }

    /// The first rule that allows a part.
    fn rule_for<'j, 'f>(&self, rules: &[Said<'j, 'f>], part: Part) -> Option<Said<'j, 'f>> {
        let analysis = |text: usize| self.case.analyses.get(text);
        rules.iter().copied().find(|said| {
            let rule = said.1;
            // Programs are only allowed by what they are, not by the files or hosts that they name.
            let is_command = matches!(part, Part::Command { .. });
            if is_command != matches!(rule.subject, Subject::Run(_)) {
                return false;
            }
            let may = may(*said);
            let plain = match part {
                Part::Command { text, atom } => analysis(text).is_some_and(|analysis| {
                    let of = analysis.atoms.get(atom);
                    of.is_some_and(|of| self.is_plain(part, analysis, of, may))
                }),
                _ => true,
            };
            let lean = if may.unknown() { Lean::Open } else { Lean::Narrow };
            plain && self.matches(rule, part, lean) == Match::Yes
        })
    }

    fn found(&self, (file, rule): Said<'_, '_>, part: Part) -> Finding {
        Finding {
            rule: rule.id.clone().into_owned(),
            layer: file.layer,
            file: Some(file.name.clone()),
            effect: Effect::Allow,
            no_prompt: NoPrompt::Deny,
            reason: rule.reason.clone().into_owned(),
            instead: String::new(),
            part,
            evidence: self.evidence(part),
            maybe: false,
            excepted: None,
        }
    }

    /// What an MCP tool sends to a database belongs to the call.
    fn is_sql_of_mcp(&self, text: usize) -> bool {
        let command = self.action.commands.get(text);
        self.action.mcp.is_some() && command.is_some_and(|command| command.language == rules::Language::Sql)
    }

    /// What must be allowed beside commands.
    fn other_parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        if self.action.mcp.is_some() {
            parts.push(Part::Mcp);
        } else {
            parts.extend((0..self.action.urls.len()).map(Part::Url));
            parts.extend((0..self.action.paths.len()).map(Part::Path));
        }
        if self.action.agent.is_some() {
            parts.push(Part::Agent);
        }
        parts
    }

    /// Which of the files that a text runs are as the team has committed them.
    fn files_of_team(&self, analysis: &Analysis) -> Vec<bool> {
        if analysis.files.is_empty() {
            return Vec::new();
        }
        let paths: Vec<&str> = analysis.files.iter().map(|file| &*file.path).collect();
        let committed = self.case.facts.are_committed(&paths);
        (0..paths.len()).map(|file| committed.get(file).copied().flatten() == Some(true)).collect()
    }

    /// Whether a command is no more than its words, and than what the rule lets it do beside.
    fn is_plain(&self, part: Part, analysis: &Analysis, atom: &Atom, may: &May<'_>) -> bool {
        self.beside(part, analysis, atom, may).is_none()
    }

    /// What a command does that a rule does not let it do beside: what else is read, written, set or only known at run
    /// time.
    fn beside(&self, part: Part, analysis: &Analysis, atom: &Atom, may: &May<'_>) -> Option<Beside> {
        if atom.place != Place::Here {
            return Some(Beside::Elsewhere);
        }
        let is_open = |at: usize, arg: &Arg| {
            arg.known().is_none() && (at == 0 || !may.unknown() || is_of_environment(arg))
        };
        if let Some((_, arg)) = atom.args.iter().enumerate().find(|(at, arg)| is_open(*at, arg)) {
            return Some(Beside::Unknown(mark::readable(&arg.text).into_owned()));
        }
        if may.is_inside()
            && let Some(place) = self.place_outside(atom)
        {
            return Some(Beside::Outside(mark::readable(&place).into_owned()));
        }
        let assigned = atom.assigns.iter().find(|(name, value)| !is_listed(&may.set, name, Some(value)));
        let set = || analysis.sets.iter().find(|name| !is_listed(&may.set, name, None));
        if let Some(name) = assigned.map(|(name, _)| name).or_else(set) {
            return Some(Beside::Sets(name.clone()));
        }
        let fits = |redirect: &&shell::Redirect| is_harmless(redirect) || is_known(redirect, may);
        if let Some(redirect) = atom.redirects.iter().find(|redirect| !fits(redirect)) {
            let access = if redirect.flow == Flow::Read { Access::Read } else { Access::Write };
            return Some(Beside::Touches(access, mark::readable(&redirect.target).into_owned()));
        }
        self.outside(part, atom, may)
    }

    /// Where a command leads out of the project: the folder in which it runs, or a path among its words, also one that is
    /// glued to an option (`-C/tmp`, `--prefix=/tmp`).
    fn place_outside(&self, atom: &Atom) -> Option<String> {
        let project = self.case.facts.worktree().or(self.action.cwd).unwrap_or("");
        let is_outside = |path: &str| project.is_empty() || !shell::path::is_within(path, project);
        // `cd "$X" && make`: anywhere.
        if is_outside(&atom.cwd) || mark::any(&atom.cwd) && atom.cwd.contains(mark::is_hole) {
            return Some(atom.cwd.to_string());
        }
        let leads = |word: &str| word.starts_with(['/', '~']) || word == ".." || word.contains("../");
        let words = atom.args.iter().skip(1).map(|arg| arg.text.as_str()).flat_map(|word| {
            let glued = word.strip_prefix('-').and_then(|rest| rest.get(1..)).unwrap_or("");
            [word, word.split_once('=').map_or("", |(_, value)| value), glued]
        });
        let mut paths = words.filter(|word| leads(word)).map(|word| shell::path::join(&atom.cwd, word));
        paths.find(|path| is_outside(path) && !is_device(path))
    }

    /// What a command reads or writes that is not among the files that a rule names, where it names any.
    fn outside(&self, part: Part, atom: &Atom, may: &May<'_>) -> Option<Beside> {
        if may.read.is_empty() && may.write.is_empty() {
            return None;
        }
        if !may.write.is_empty()
            && shell::only_filters(&atom.program(), atom.args.get(1..).unwrap_or_default()) == Some(false)
        {
            return Some(Beside::MayWrite);
        }
        let outside = |file: &&Touched| {
            let patterns = if file.access == Access::Read { &may.read } else { &may.write };
            !patterns.is_empty() && !is_device(&file.path) && !matching::lies_in(patterns, file, self.case)
        };
        let touched = self.case.touched(part);
        let file = touched.iter().find(outside)?;
        Some(Beside::Touches(file.access, mark::readable(&file.path).into_owned()))
    }
}

/// What commands may do beside that a rule is about.
fn may<'r, 'f>((file, rule): Said<'r, 'f>) -> &'r May<'f> {
    rule.more.as_ref().and_then(|more| more.may.as_ref()).unwrap_or(&file.policy.may)
}

/// Whether a variable may be set; of one that is set for all that follows, the value does not count.
fn is_listed(patterns: &[Text<'_>], name: &str, value: Option<&str>) -> bool {
    patterns.iter().any(|pattern| match (pattern.contains('='), value) {
        (false, _) => glob::matches(pattern, name, PLAIN) == Match::Yes,
        (true, Some(value)) => glob::matches(pattern, &format!("{name}={value}"), PLAIN) == Match::Yes,
        (true, None) => false,
    })
}

/// Whether a word has what the environment holds in it, which may be a secret: `echo $TOKEN`.
fn is_of_environment(arg: &Arg) -> bool {
    arg.as_str().contains(mark::UNSET)
}

/// Nothing is kept there, and nothing comes from there.
fn is_harmless(redirect: &shell::Redirect) -> bool {
    redirect.target == "/dev/null"
        || redirect.flow != Flow::Read && matches!(redirect.target.as_str(), "/dev/stdout" | "/dev/stderr")
}

/// Whether a redirection is of a file that is known, and of a kind that a rule speaks about.
fn is_known(redirect: &shell::Redirect, may: &May<'_>) -> bool {
    let listed = match redirect.flow {
        Flow::Read => !may.read.is_empty(),
        Flow::Write | Flow::Append => !may.write.is_empty(),
        Flow::ReadWrite => !may.read.is_empty() && !may.write.is_empty(),
    };
    listed && !mark::any(&redirect.target)
}

/// What is open already, by name or number: `<(…)` is `/dev/fd/63`, and what it runs is judged for itself.
fn is_device(path: &str) -> bool {
    matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin")
        || path.strip_prefix("/dev/fd/").is_some_and(|fd| fd.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use rules::Facts;

    use crate::layers::{Source, Stack};
    use crate::model::Effect;
    use crate::{Action, Layer, decide};

    fn is_allowed(policy: &str, command: &str) -> bool {
        let sources = [Source::of(Layer::User, "/p.toml", policy)];
        let stack = Stack::of(&sources, 20_779);
        assert!(stack.files[0].errors.is_empty(), "{:?}", stack.files[0].errors);
        let action = Action::command(command, Some("/home/user/project"));
        let facts = Facts::on_paper(action.cwd, Some("/home/user"));
        decide(&stack, &action, &facts).decision == Some(Effect::Allow)
    }

    #[test]
    fn what_must_stay_inside_runs_in_the_project_and_names_nothing_beyond_it() {
        let policy = "schema = 1\n[[rule]]\nid = \"x.a\"\ndecision = \"allow\"\nmay = { inside = true }\nrun = { program = [\"make\", \"cd\"] }\n";
        for inside in
            ["make", "make -C sub x", "cd sub && make", "make /home/user/project/x", "make -C sub/.."]
        {
            assert!(is_allowed(policy, inside), "{inside}");
        }
        for outside in [
            "make -C /tmp",
            "make -C/tmp",
            "make --directory=/tmp",
            "make ../x",
            "make -C sub/../../x",
            "make ~/x",
            "cd /tmp && make",
            "cd .. && make",
            "cd \"$X\" && make",
        ] {
            assert!(!is_allowed(policy, outside), "{outside}");
        }
    }

    #[test]
    fn a_rule_takes_back_what_the_file_lets_all_rules_do() {
        let policy = "schema = 1\n[defaults]\nmay = { unknown = true }\n[[rule]]\nid = \"x.a\"\ndecision = \"allow\"\nmay = { unknown = false }\nrun = { program = \"a\" }\n[[rule]]\nid = \"x.b\"\ndecision = \"allow\"\nrun = { program = \"b\" }\n";
        assert!(!is_allowed(policy, "a *.rs"));
        assert!(is_allowed(policy, "b *.rs"));
    }
}
