//! A call as it is judged, with what is found out about it: looked up once, whatever the number of rules.

mod clients;
mod expression;
mod files;
mod hosts;
mod shape;
mod words;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::path::Path;
use std::rc::Rc;

use rules::{Command, Facts, Head};
use shell::{Analysis, mark};

use crate::action::{Action, Part};
use crate::agents::{self, Roster};

pub(crate) use clients::programs as clients;
pub(crate) use expression::{Expression, Fault, check};
pub(crate) use files::Touched;
pub(crate) use hosts::Host;
pub(crate) use words::{Called, Words};

/// A call with what its commands would run, on a machine.
pub(crate) struct Case<'a> {
    pub(crate) action: &'a Action<'a>,
    pub(crate) analyses: &'a [Analysis],
    pub(crate) facts: &'a Facts<'a>,
    /// The folder that relative patterns are seen from.
    worktree: Option<&'a str>,
    touched: RefCell<Vec<(Part, Rc<[Touched]>)>>,
    hosts: RefCell<Vec<(Part, Rc<[Host]>)>>,
    branch: OnceCell<Option<String>>,
    agents: OnceCell<Roster>,
    expressions: RefCell<Vec<Rc<Expression>>>,
    programs: OnceCell<Vec<(Part, Cow<'a, str>)>>,
    called: RefCell<Vec<(Part, Rc<Called<'a>>)>>,
}

impl<'a> Case<'a> {
    /// A call on the machine that `facts` describe.
    pub(crate) fn new(action: &'a Action<'a>, analyses: &'a [Analysis], facts: &'a Facts<'a>) -> Self {
        Self {
            action,
            analyses,
            facts,
            worktree: facts.worktree(),
            touched: RefCell::default(),
            hosts: RefCell::default(),
            branch: OnceCell::new(),
            agents: OnceCell::new(),
            expressions: RefCell::default(),
            programs: OnceCell::new(),
            called: RefCell::default(),
        }
    }

    pub(crate) fn worktree(&self) -> Option<&str> {
        self.worktree
    }

    pub(crate) fn home(&self) -> Option<&str> {
        self.facts.home
    }

    pub(crate) fn command(&self, part: Part) -> Option<Command<'a>> {
        let Part::Command { text, atom } = part else { return None };
        let analysis = self.analyses.get(text)?;
        Some(Command::new(analysis, analysis.atoms.get(atom)?, self.facts))
    }

    /// The command of a part, with what rules about programs look at.
    pub(crate) fn called(&self, part: Part) -> Option<Rc<Called<'a>>> {
        if let Some((_, known)) = self.called.borrow().iter().find(|(known, _)| *known == part) {
            return Some(Rc::clone(known));
        }
        let new = Rc::new(Called::new(self.command(part)?));
        self.called.borrow_mut().push((part, Rc::clone(&new)));
        Some(new)
    }

    /// Every command with the name of its program.
    pub(crate) fn programs(&self) -> &[(Part, Cow<'a, str>)] {
        self.programs.get_or_init(|| {
            let texts = self.analyses.iter().enumerate();
            let atoms = texts.flat_map(|(text, analysis)| {
                analysis
                    .atoms
                    .iter()
                    .enumerate()
                    .map(move |(atom, of)| (Part::Command { text, atom }, of.program()))
            });
            atoms.collect()
        })
    }

    /// A regular expression of a rule, prepared once.
    pub(crate) fn expression(&self, pattern: &str) -> Rc<Expression> {
        let mut known = self.expressions.borrow_mut();
        if let Some(expression) = known.iter().find(|expression| expression.is(pattern)) {
            return Rc::clone(expression);
        }
        let new = Rc::new(Expression::new(pattern));
        known.push(Rc::clone(&new));
        new
    }

    /// The files that a part touches.
    pub(crate) fn touched(&self, part: Part) -> Rc<[Touched]> {
        if let Some((_, known)) = self.touched.borrow().iter().find(|(known, _)| *known == part) {
            return Rc::clone(known);
        }
        let mut found: Vec<Touched> = Vec::new();
        match part {
            Part::Command { .. } => {
                if let Some(command) = self.command(part).filter(Command::is_here) {
                    files::of_atom(&command, &mut |text, access, whole| {
                        let known = |text: &str| text.chars().any(|c| !mark::is_hole(c) && c != '/');
                        // Nothing of the name is known: that may be any file, and no rule is about any file.
                        if !known(text) {
                            return;
                        }
                        let cwd = &command.atom.cwd;
                        match text.split_once(mark::ENTRY).filter(|(_, name)| !name.is_empty()) {
                            // A search by name is about its own folder, and about that name below it.
                            Some((folder, name)) if known(name) => {
                                let name = name.trim_start_matches('/');
                                let below = Some(self.place(folder, cwd, access).path);
                                let file =
                                    self.place(&format!("{folder}{name}"), cwd, access).or_whole(whole);
                                found.push(Touched { below, ..file });
                            }
                            // By something else: about what is in a folder of rules, and no file in particular.
                            Some((folder, _)) => {
                                let folder = self.place(folder, cwd, access);
                                found.push(Touched { below: Some(folder.path.clone()), ..folder });
                            }
                            None => found.push(self.place(text, cwd, access).or_whole(whole)),
                        }
                    });
                }
            }
            Part::Path(index) => {
                if let Some((text, access)) = self.action.paths.get(index) {
                    let text =
                        // Tools get the path as the host's platform writes it; patterns have slashes everywhere.
                        if cfg!(windows) { text.replace('\\', "/") } else { text.clone().into_owned() };
                    // An agent wrote it, and must not forge text that is not known.
                    let text = mark::scrub(&text);
                    // A tool that deletes takes folders as well.
                    let whole = *access == payload::Access::Delete;
                    let cwd = self.action.cwd.unwrap_or(".");
                    found.push(self.place(&text, cwd, *access).or_whole(whole));
                }
            }
            _ => {}
        }
        found.dedup();
        let found: Rc<[Touched]> = found.into();
        self.touched.borrow_mut().push((part, Rc::clone(&found)));
        found
    }

    /// What is at a path, as a command writes it.
    pub(crate) fn place(&self, text: &str, cwd: &str, access: payload::Access) -> Touched {
        // What is not set is nothing in a path: `$X/etc` is `/etc`.
        let text: String = text.chars().filter(|&c| c != mark::UNSET).collect();
        let mut path = shell::path::join(cwd, &text);
        if let (Some(rest), Some(home)) = (path.strip_prefix('~'), self.facts.home)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            path = format!("{home}{rest}");
        }
        // `dir/*` and what a search goes through are the folder with all that is in it.
        let reach = path.find(mark::ENTRY).or_else(|| {
            let name = shell::path::file_name(&path);
            (name.chars().all(|c| c == mark::STAR) && !name.is_empty()).then(|| path.len() - name.len())
        });
        let whole = reach.is_some() && access == payload::Access::Delete;
        if let Some(reach) = reach.filter(|_| access == payload::Access::Delete) {
            path.truncate(reach);
            while path.len() > 1 && path.ends_with('/') {
                path.pop();
            }
        }
        Touched { path, real: OnceCell::new(), access, whole, below: None }
    }

    /// The files that a path's pattern stands for; `None` where that is not known.
    pub(crate) fn entries(&self, touched: &Touched) -> Option<Vec<Touched>> {
        let (folder, pattern) = touched.path.rsplit_once('/')?;
        if mark::any(folder) || pattern.contains(mark::is_hole) || !pattern.contains(mark::is_glob) {
            return None;
        }
        let listed = self.facts.scripts()?.list(if folder.is_empty() { "/" } else { folder });
        // The shell leaves out what begins with a dot, and so does no one who means it.
        let seen = |name: &str| !name.starts_with('.') || pattern.starts_with('.');
        let meant =
            listed.iter().filter(|entry| seen(&entry.name) && shell::pattern::matches(pattern, &entry.name));
        let file = |entry: &shell::Entry| self.place(&entry.name, folder, touched.access);
        let files: Vec<_> = meant.map(file).collect();
        // Where there is none yet, there may be one by the time that it runs.
        (listed.len() < rules::MAX_ENTRIES && !files.is_empty()).then_some(files)
    }

    /// A file's path with links followed, where that is another one.
    pub(crate) fn real_path<'t>(&self, touched: &'t Touched) -> Option<&'t str> {
        let path = &touched.path;
        // What is not known has no links to follow, and each look costs a call of the system.
        let look = || self.facts.real_path(path).filter(|real| real != path);
        touched.real.get_or_init(|| if mark::any(path) { None } else { look() }).as_deref()
    }

    /// The hosts that a part talks to.
    pub(crate) fn hosts(&self, part: Part) -> Rc<[Host]> {
        if let Some((_, known)) = self.hosts.borrow().iter().find(|(known, _)| *known == part) {
            return Rc::clone(known);
        }
        let found: Vec<Host> = match part {
            Part::Command { .. } => {
                self.command(part).map(|command| hosts::hosts_of(&command)).unwrap_or_default()
            }
            Part::Url(index) => {
                self.action.urls.get(index).and_then(|url| hosts::of_url(url)).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let found: Rc<[Host]> = found.into();
        self.hosts.borrow_mut().push((part, Rc::clone(&found)));
        found
    }

    /// A pattern's folder as an absolute path.
    pub(crate) fn absolute(&self, base: &str) -> Option<String> {
        if base.is_empty() || base.starts_with("**") {
            return None;
        }
        if let Some(rest) = base.strip_prefix('~') {
            return Some(format!("{}{rest}", self.home()?));
        }
        if base.starts_with('/') {
            return Some(base.to_owned());
        }
        Some(shell::path::join(self.worktree?, base))
    }

    /// The branch that is checked out.
    pub(crate) fn branch(&self) -> Option<String> {
        if let Some(said) = self.action.branch {
            return Some(said.to_owned());
        }
        let read = || match Head::of(Path::new(self.worktree?)) {
            Head::Branch(branch) => Some(branch),
            Head::Commit | Head::Unknown => None,
        };
        self.branch.get_or_init(read).clone()
    }

    /// The agents that the repository and the user define.
    pub(crate) fn agents(&self) -> &Roster {
        self.agents.get_or_init(|| agents::look(self.facts.cwd, self.worktree, self.home()))
    }
}
