//! Variables: what a string sets, and what is there already.

use std::rc::Rc;

use shell_engine::{Value as ShellValue, mark};

use super::super::ast::{Access, Expr, Statement};
use super::super::value::{MAX_LIST, Value};
use super::Machine;

/// Values that one variable may have, because branches set it differently. More are not followed.
const MAX_ALTERNATIVES: usize = 8;
/// Variables that are remembered.
const MAX_NAMES: usize = 1000;

#[derive(Clone)]
pub(super) struct Variable {
    name: String,
    /// The values it may have, the last one set first.
    values: Vec<Value>,
}

/// A name without the scope that it is looked for in.
fn unscoped(name: &str) -> &str {
    name.strip_prefix("global:").or_else(|| name.strip_prefix("script:")).unwrap_or(name)
}

impl Machine<'_> {
    pub(super) fn set(&mut self, name: &str, value: Value) {
        // `$script:DryRun = $false`
        let own = name.rsplit(':').next().unwrap_or(name);
        self.flags.retain(|(flag, _)| !flag.eq_ignore_ascii_case(own));
        if let Some(name) = name.strip_prefix("env:") {
            self.set_environment(name, &value.string());
            return;
        }
        // `$function:f = {…}` defines a function, without the word `function`.
        if let Some(name) = name.strip_prefix("function:") {
            self.set_function(name, value);
            return;
        }
        if let Some(name) = name.strip_prefix("alias:") {
            self.state.aliases.push((name.to_owned(), value.string()));
            return;
        }
        self.shadow(name);
        let name = unscoped(name);
        let uncertain = self.uncertain;
        if let Some(variable) = self.state.variables.iter_mut().find(|variable| variable.name == name) {
            // In a branch that may not run, the values of before stay possible.
            if !uncertain {
                variable.values.clear();
            }
            // The latest first: choice 0 is what a plain reading of the text gives.
            variable.values.insert(0, value);
            variable.values.truncate(MAX_ALTERNATIVES);
            return;
        }
        if self.state.variables.len() < MAX_NAMES {
            self.state.variables.push(Variable { name: name.to_owned(), values: vec![value] });
        }
    }

    /// Keeps what stands outside under a name that the function at work gives a value of its own. `$script:x` and
    /// `$global:x` are those of outside.
    fn shadow(&mut self, name: &str) {
        // The object of a method is the one that it changes.
        let is_own = name != "this" && unscoped(name) == name;
        let Some(shadowed) = self.state.shadowed.last_mut().filter(|_| is_own) else {
            return;
        };
        let outside = self.state.variables.iter().find(|variable| variable.name == name);
        if let Some(outside) = outside.filter(|_| !shadowed.iter().any(|known| known.name == name)) {
            shadowed.push(outside.clone());
        }
    }

    /// The function at work ends, and its names mean again what they do outside.
    pub(super) fn end_function(&mut self) {
        for outside in self.state.shadowed.pop().unwrap_or_default() {
            if let Some(known) = self.state.variables.iter_mut().find(|known| known.name == outside.name) {
                *known = outside;
            }
        }
    }

    fn set_environment(&mut self, name: &str, value: &str) {
        let name = name.to_uppercase();
        self.scope.set_text(&name, value);
        self.scope.export(&name);
    }

    pub(super) fn set_function(&mut self, name: &str, value: Value) {
        if let Value::Block(block) = value
            && self.state.functions.len() < MAX_LIST
        {
            self.state.functions.push(super::Function {
                name: name.to_owned(),
                block,
                called: false,
                foreign: false,
            });
        }
    }

    pub(super) fn unset(&mut self, name: &str) {
        let name = unscoped(name);
        if !self.uncertain {
            self.state.variables.retain(|variable| variable.name != name);
        }
    }

    /// The value that this text has given to a variable.
    pub(super) fn lookup(&mut self, name: &str) -> Option<Value> {
        let name = unscoped(name);
        let variable = self.state.variables.iter().find(|variable| variable.name == name)?;
        let count = variable.values.len();
        // The command runs once for each value; this is the turn's.
        let value = variable.values.get(self.choice % count).cloned();
        self.choices = self.choices.max(count);
        value
    }

    pub(super) fn variable(&mut self, name: &str) -> Value {
        let name = unscoped(name);
        if let Some(value) = self.lookup(name) {
            return value;
        }
        if let Some(name) = name.strip_prefix("env:") {
            return Value::text(self.environment(name));
        }
        let text = |text: &str| Value::text(text);
        match name {
            "null" => Value::Nothing,
            "true" => Value::boolean(true),
            "false" => Value::boolean(false),
            "home" => Value::text(&*self.scope.home),
            "pwd" | "psscriptroot" => Value::text(&*self.scope.cwd),
            "pscommandpath" => Value::text(format!("{}/{}", self.scope.cwd, mark::TOKEN)),
            "profile" => Value::text(format!(
                "{}/Documents/PowerShell/Microsoft.PowerShell_profile.ps1",
                self.scope.home
            )),
            // Its other name.
            "psitem" => self.lookup("_").unwrap_or_else(Value::unknown),
            "_" => Value::unknown(),
            "psdefaultparametervalues" => Value::Map(Rc::default()),
            "input" => match &self.stdin {
                Some(stdin) => Value::text(&**stdin),
                None => Value::unknown(),
            },
            "args" => Value::mark(mark::PASSED),
            // Letters of these spell `iex` in strings that want to hide it.
            "pshome" => text(r"C:\Windows\System32\WindowsPowerShell\v1.0"),
            "shellid" => text("Microsoft.PowerShell"),
            "verbosepreference" | "debugpreference" | "informationpreference" => text("SilentlyContinue"),
            "erroractionpreference" | "warningpreference" => text("Continue"),
            "executioncontext" => Value::Object(Rc::from("executioncontext")),
            "lastexitcode" | "?" | "pid" | "host" | "psversiontable" | "iswindows" | "islinux"
            | "ismacos" | "iscoreclr" | "error" | "matches" | "myinvocation" | "pscmdlet"
            | "psboundparameters" | "stacktrace" | "psculture" | "psuiculture" | "^" | "$" | "ofs"
            | "foreach" | "switch" => Value::token(),
            _ => Value::mark(mark::UNSET),
        }
    }

    /// The value of an environment variable.
    pub(super) fn environment(&mut self, name: &str) -> String {
        let name = name.to_uppercase();
        // What a shell around this one has set is there, too: `X=1 pwsh -c …`.
        if let Some(ShellValue::One(value)) = self.scope.get(&name) {
            return value.to_string();
        }
        crate::system::environment(&name, &self.scope.home)
            .or_else(|| self.scope.inherited(&name))
            .unwrap_or_else(|| mark::UNSET.to_string())
    }

    pub(super) fn assign(&mut self, target: &Expr, adds: bool, value: &Statement) {
        let value = self.statement(value);
        match target {
            Expr::Variable(name) => {
                let value = if adds { self.added(name, value) } else { value };
                self.set(name, value.clone());
                self.set_once(name, &value);
            }
            // `[string]$x = …`: the type changes nothing that rules look at.
            Expr::Cast(_, inner) => {
                if let Expr::Variable(name) = &**inner {
                    self.set(name, value.clone());
                    self.set_once(name, &value);
                }
            }
            // `$a, $b = 1, 2`
            Expr::List(targets) => {
                let values = value.elements();
                for (at, target) in targets.iter().enumerate() {
                    if let Expr::Variable(name) = target {
                        self.set(name, values.get(at).cloned().unwrap_or(Value::Nothing));
                    }
                }
            }
            // `$x.Name = …`, `$x['name'] = …`
            Expr::Access(base, chain) => self.assign_member(base, chain, value),
            _ => {}
        }
    }

    fn added(&mut self, name: &str, value: Value) -> Value {
        match self.variable(name) {
            // A variable that nothing has set is empty, so `+=` sets it.
            Value::Text(before) if !before.chars().all(|c| c == mark::UNSET) => {
                let both = format!("{before}{}", value.string());
                Value::text(self.runner.paid(both))
            }
            Value::List(before) => {
                let mut values =
                    if self.runner.spend(before.len() * 8) { before.to_vec() } else { Vec::new() };
                values.extend(value.elements());
                values.truncate(MAX_LIST);
                Value::List(Rc::new(values))
            }
            Value::Map(before) => {
                let mut entries = before.to_vec();
                if let Value::Map(more) = value {
                    entries.extend(more.iter().cloned());
                }
                entries.truncate(MAX_LIST);
                Value::Map(Rc::new(entries))
            }
            _ => value,
        }
    }

    /// `$list.Add(x)`, `$queue.Enqueue(x)`: the variable holds one more; whether that is what stands here.
    pub(super) fn grows(&mut self, base: &Expr, chain: &[Access]) -> bool {
        let (Expr::Variable(name), [Access::Method(Expr::Text(method), arguments)]) = (base, chain) else {
            return false;
        };
        let (method, [value]) = (method.to_ascii_lowercase(), arguments.as_slice()) else { return false };
        let before = match self.lookup(name) {
            Some(Value::List(values)) => values.to_vec(),
            Some(Value::Object(kind))
                if kind.contains("list") || kind.contains("queue") || kind.contains("stack") =>
            {
                Vec::new()
            }
            _ => return false,
        };
        if !matches!(&*method, "add" | "addrange" | "enqueue" | "push")
            || !self.runner.spend(before.len() * 8)
        {
            return false;
        }
        let more = self.expr(value).elements();
        let values = before.into_iter().chain(more).take(MAX_LIST).collect();
        self.set(name, Value::List(Rc::new(values)));
        true
    }

    fn assign_member(&mut self, base: &Expr, chain: &[Access], value: Value) {
        let Expr::Variable(name) = base else {
            // `[Environment]::CurrentDirectory = …` and the like.
            return;
        };
        let key = match chain {
            [Access::Member(key) | Access::Index(key)] => self.expr(key).string(),
            _ => return,
        };
        let entries = match self.variable(name) {
            Value::Map(entries) => entries.to_vec(),
            // An object that someone fills in: `$psi.FileName = …`
            Value::Object(kind) => vec![("#type".to_owned(), Value::text(&*kind))],
            _ => return,
        };
        let mut entries = entries;
        entries.retain(|(known, _)| !known.eq_ignore_ascii_case(&key));
        if entries.len() < MAX_LIST {
            entries.push((key, value));
        }
        self.set(name, Value::Map(Rc::new(entries)));
    }
}
