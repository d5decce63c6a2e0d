//! Whether what was installed works: every host's hooks, called as it would call them.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use host::process::Spec;
use host::record::Patience;
use host::scene::Then;
use host::{Product, Request, Scene, Setting};
use payload::EventKind;

use super::choice::Choice;
use crate::command_line::Programs;
use crate::doctor::path::Started;
use crate::doctor::try_once;
use crate::paint::{Tone, columns};
use crate::project::Project;
use crate::run::processes;

/// Denied by a built-in rule, and without effect where it is not: no remote has this name.
const COMMAND: &str = "git push --force nowhere HEAD";

/// How often a program is started for its time; the shortest counts, as others run on the machine, too.
const STARTS: usize = 3;

/// What came of one host's hooks.
struct Tried {
    product: Product,
    /// What the host does about the command.
    then: Then,
    /// Hooks that do not work.
    bad: usize,
    count: usize,
    /// What the hooks of the command took.
    time: Duration,
}

/// What came of it.
pub(super) struct Trial {
    hosts: Vec<Tried>,
    /// Whether the command is to be held back; hooks that only watch have to work, no more.
    decides: bool,
}

/// Calls the hooks.
pub(super) fn run(project: &Project, choice: &Choice) -> Trial {
    let one = |product: &Product| tried(*product, project, choice);
    Trial { hosts: screen::each("trying the hooks", &choice.hosts, one), decides: choice.decides() }
}

fn tried(product: Product, project: &Project, choice: &Choice) -> Tried {
    let processes = processes();
    // An absolute path needs no login shell to be asked, which may take long.
    let by = match choice.programs {
        Programs::Path => Started::here(&processes),
        Programs::Name => Started::by(product, &processes, &project.folders.home),
    };
    let setting = Setting { product, scene: Scene::default(), project: &project.root };
    let mut hooks = project.load(product).hooks();
    // Only ours: those of a project have not been trusted by anyone.
    hooks.retain(|hook| {
        let run = hook.action.describe();
        host::installed::plain_program(&run).is_some_and(|program| choice.hooks.contains(&program))
            && host::installed::is_ours(&run, &project.root)
    });
    let bad = hooks.iter().filter(|hook| try_once(hook, &setting, &by).is_bad(product)).count();
    let cwd = project.root.display().to_string();
    let request = Request::shell(EventKind::PreToolUse, product, COMMAND, &cwd);
    let fired = host::fire(&setting, &hooks, &request, &by);
    let time = fired.ran.iter().map(|ran| ran.finished.time).max().unwrap_or_default();
    Tried { product, then: fired.upshot.then, bad, count: hooks.len(), time }
}

/// How long a program takes that has nothing to say.
pub(super) fn start_time(program: &str) -> Option<Duration> {
    let spec = Spec {
        program: host::installed::find(program)?.into(),
        arguments: Vec::new(),
        folder: Path::new("/").to_owned(),
        unset: Vec::new(),
        env: Vec::new(),
        limit: Duration::from_secs(2),
        patience: Patience::ForTheProcess,
    };
    let payload =
        br#"{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":{"command":"true"}}"#;
    let processes = processes();
    (0..STARTS).map(|_| processes.run(&spec, payload).time).min()
}

impl Tried {
    fn holds_back(&self) -> bool {
        matches!(self.then, Then::Refused | Then::Asks)
    }

    fn row(&self, decides: bool) -> Vec<(Tone, String)> {
        let (tone, word) = match self.then {
            _ if self.count == 0 => (Tone::Bad, "none of these hooks runs".to_owned()),
            _ if self.bad > 0 => (Tone::Bad, format!("{} of {} hooks do not work", self.bad, self.count)),
            _ if !decides => (Tone::Good, "works".to_owned()),
            Then::Refused => (Tone::Good, "denied".to_owned()),
            Then::Asks => (Tone::Good, "asked about".to_owned()),
            _ => (Tone::Bad, "not denied".to_owned()),
        };
        let time = (Tone::Quiet, format!("{} ms", self.time.as_millis().max(1)));
        vec![(Tone::Plain, self.product.title.to_owned()), (tone, word), time]
    }
}

impl Trial {
    /// Whether every host's hooks work.
    pub(super) fn works(&self) -> bool {
        self.hosts.iter().all(|host| host.bad == 0 && host.count > 0 && (host.holds_back() || !self.decides))
    }

    /// For people: what was tried, what is left to do, and how they try it themselves.
    pub(super) fn text(&self, pending: &[String]) -> String {
        let mut text = if self.decides {
            format!("\n`{COMMAND}`, as each host would ask about it:\n")
        } else {
            "\nEvery hook, called as its host would call it:\n".to_owned()
        };
        let rows: Vec<_> = self.hosts.iter().map(|host| host.row(self.decides)).collect();
        text += &columns(&rows, "  ");
        for next in pending {
            text += &super::labelled("next:", next);
        }
        if !self.works() {
            return text + "\n`hook-runner doctor` shows what is wrong.\n";
        }
        text += "\n";
        if self.decides {
            let _ = writeln!(text, "Try it: ask your agent to run `{COMMAND}`.");
        }
        text += "Later: `hook-runner doctor` checks, `hook-runner init --remove` removes.\n";
        text
    }
}
