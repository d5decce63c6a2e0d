//! Tasks that a file of Ruby declares for a tool: rake's, Capistrano's, fastlane's lanes. Those that the call names are run,
//! after those that they need.

use std::rc::Rc;

use shell_engine::mark;

use super::follow::Follower;
use super::value::{Arguments, Function, Spot, Value};

/// Tasks of one file, and of one call.
const MAX_TASKS: usize = 500;

/// A task that code declares.
#[derive(Debug, Clone)]
pub(super) struct Task {
    name: String,
    needs: Vec<String>,
    /// The names of its arguments.
    takes: Vec<String>,
    block: Option<Rc<Function>>,
}

/// Tasks, as the tool names them to the code.
#[derive(Debug, Clone, Default)]
pub(super) struct Tasks {
    /// What the call names, and what that needs.
    pub(super) wanted: Vec<String>,
    pub(super) declared: Vec<Task>,
}

/// A task's own name, without its namespace and its arguments: `db:drop[now]`.
fn own_name(name: &str) -> &str {
    let name = name.split('[').next().unwrap_or(name);
    name.rsplit(':').next().unwrap_or(name)
}

/// What a task gets of the call that names it: `clean[dist,yes]`.
fn arguments_of(takes: &[String], wanted: &str) -> Value {
    let given = wanted.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']')).unwrap_or_default();
    let mut given = given.split(',').map(str::trim);
    let mut value = || match given.next() {
        Some("") | None => Value::from(mark::PASSED),
        Some(text) => Value::from(text),
    };
    let mut entries: Vec<(String, Value)> = takes.iter().map(|name| (name.clone(), value())).collect();
    entries.push(("extras".to_owned(), Value::List(given.map(Value::from).collect())));
    Value::Map(entries)
}

/// The texts in values and in what they hold.
fn texts(values: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    for value in values {
        match value {
            Value::List(values) | Value::Any(values) => found.extend(texts(values)),
            value => found.extend(value.known()),
        }
    }
    found
}

impl Follower<'_> {
    /// A call by which a tool's file declares something, or does what the tool offers. `None` for all others.
    pub(super) fn of_tool(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        self.tasks.as_ref()?;
        match path {
            "task" | "multitask" | "lane" | "private_lane" | "override_lane" | "file" => {
                self.declare_task(path, arguments);
                Some(Value::unknown())
            }
            // Capistrano's, on the other machine: its words are one line.
            "execute" | "capture" | "sudo" | "background" => {
                let line = texts(&arguments.values).join(" ");
                let line = if path == "sudo" { format!("sudo {line}") } else { line };
                Some(self.shell_with(&Value::from(line), None))
            }
            _ => {
                let name = path.strip_prefix("Rake.Task.")?;
                let (name, method) = name.rsplit_once('.')?;
                if matches!(method, "invoke" | "execute") {
                    self.want(name);
                }
                Some(Value::unknown())
            }
        }
    }

    fn want(&mut self, name: &str) {
        let name = own_name(name).to_owned();
        if let Some(tasks) = &mut self.tasks
            && tasks.wanted.len() < MAX_TASKS
            && !tasks.wanted.contains(&name)
        {
            tasks.wanted.push(name);
        }
    }

    /// `task :wipe, [:path] => [:build] do … end`, `task wipe: :build`, `lane :beta do … end`
    fn declare_task(&mut self, path: &str, arguments: &Arguments) {
        let first = arguments.values.first().and_then(Value::known);
        let name = first.or_else(|| arguments.named.first().map(|(name, _)| name.clone()));
        let Some(name) = name else { return };
        let named: Vec<Value> = arguments.named.iter().map(|(_, value)| value.clone()).collect();
        // The last one may be a map of arguments and what is needed.
        let maps = arguments.values.iter().skip(1).flat_map(|value| match value {
            Value::Map(entries) => entries.iter().map(|(_, value)| value.clone()).collect(),
            _ => Vec::new(),
        });
        let needs = texts(&named.into_iter().chain(maps).collect::<Vec<_>>());
        // `[:scope]`, `[:scope, :force] => [:build]`
        let takes = match arguments.values.get(1) {
            Some(Value::List(names)) => names.iter().filter_map(Value::known).collect(),
            Some(Value::Map(entries)) => {
                let names = entries.iter().flat_map(|(names, _)| names.split(' '));
                names.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        let block = arguments.block.clone();
        // Lanes are called like functions.
        if let (Some(block), true) = (&block, path.contains("lane")) {
            self.keep_function(&name, Rc::clone(block));
            self.take_function(&name);
        }
        if let Some(tasks) = &mut self.tasks
            && tasks.declared.len() < MAX_TASKS
        {
            tasks.declared.push(Task { name, needs, takes, block });
        }
    }

    /// Runs the tasks that are wanted, each once, after those that it needs.
    pub(super) fn run_tasks(&mut self) {
        let mut done: Vec<String> = Vec::new();
        let mut at = 0;
        while let Some(name) = self.tasks.as_ref().and_then(|tasks| tasks.wanted.get(at)).cloned() {
            at += 1;
            self.run_task(&name, &mut done);
        }
    }

    fn run_task(&mut self, wanted: &str, done: &mut Vec<String>) {
        let name = own_name(wanted);
        if done.len() >= MAX_TASKS || done.iter().any(|known| known == name) {
            return;
        }
        done.push(name.to_owned());
        let Some(tasks) = &self.tasks else { return };
        let of_name: Vec<Task> =
            tasks.declared.iter().filter(|task| own_name(&task.name) == name).cloned().collect();
        for task in of_name {
            for need in &task.needs {
                self.run_task(need, done);
            }
            if let Some(block) = &task.block {
                let arguments = arguments_of(&task.takes, wanted);
                let values = (0..block.parameters.len())
                    .map(|place| if place == 1 { arguments.clone() } else { Value::unknown() });
                let given = Arguments { of_call: vec![Spot::Place(1)], ..Arguments::of(values.collect()) };
                self.call_with(block, &given);
            }
        }
    }
}
