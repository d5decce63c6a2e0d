//! Variables of the environment that keep secrets: what a statement shows, and what a command sends.

use shell_engine::bash::names_secret;
use shell_engine::{Arg, NoteKind, mark};

use super::super::ast::{Access, Expr, Pipeline, Stage, StageKind, Statement, Word};
use super::Machine;
use super::bind::Given;

impl Machine<'_> {
    /// Notes what a command with these words does to the secrets among them.
    pub(super) fn secrets_given(&mut self, name: &str, words: &[Word], given: &[Given]) {
        let mut found = Vec::new();
        for word in words {
            if let Word::Value(expr) | Word::Parameter { value: Some(expr), .. } = word {
                secrets(expr, &mut found);
            }
        }
        found.retain(|name| self.is_kept(name));
        let drive = || match given.first() {
            Some(Given::Value(value)) => Some(value.string()),
            _ => None,
        };
        let name = super::super::names::alias(name).unwrap_or(name);
        if let "Get-ChildItem" | "Get-Item" | "Get-Content" = name
            && let Some(path) = drive()
            && let Some(variable) =
                path.get(..4).filter(|drive| drive.eq_ignore_ascii_case("env:")).and(path.get(4..))
            && names_secret(variable)
            && self.shows()
        {
            self.runner.note(NoteKind::ShowsSecret, self.here());
        }
        if found.is_empty() {
            return;
        }
        let prints = matches!(name, "Write-Host" | "Write-Output" | "echo" | "Write-Information");
        let texts = given.iter().filter_map(|given| match given {
            Given::Value(value) | Given::Parameter(_, Some(value)) => Some(value.string()),
            Given::Parameter(..) => None,
        });
        let program = if prints { "echo" } else { name };
        let args: Vec<Arg> =
            std::iter::once(Arg::from(program)).chain(texts.map(|text| Arg::from(text.as_str()))).collect();
        let (at, shows) = (self.here(), self.shows());
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        self.runner.secrets_used((&args, at), &found, shows);
    }

    /// The command that comes next is given the variables in its words.
    pub(super) fn hands_words(&mut self, words: &[Word]) {
        if !self.runner.has_taken() {
            return;
        }
        let mut names = Vec::new();
        for word in words {
            match word {
                Word::Value(expr) | Word::Parameter { value: Some(expr), .. } => mentioned(expr, &mut names),
                Word::Splat(name) => names.push(name.as_str()),
                Word::Parameter { value: None, .. } => {}
            }
        }
        self.runner.hands(names.into_iter());
    }

    /// What a method does is given the variables among its arguments.
    pub(super) fn hands_arguments(&mut self, arguments: &[Expr]) {
        if self.runner.has_taken() {
            let mut names = Vec::new();
            for argument in arguments {
                mentioned(argument, &mut names);
            }
            self.runner.hands(names.into_iter());
        }
    }

    /// A variable holds what the commands from `before` on have printed, and what the variables in the statement held.
    pub(super) fn takes(&mut self, target: &Expr, before: usize, value: &Statement) {
        let mut names = Vec::new();
        mentioned_in(value, &mut names);
        match target {
            Expr::Variable(name) => self.runner.takes(name, before, names.into_iter()),
            Expr::Cast(_, inner) => self.takes(inner, before, value),
            // `$all[$_.Name] = $_.Value`: besides what it has held, and of what comes down the pipeline.
            Expr::Access(base, _) => {
                if let Expr::Variable(name) = &**base {
                    let before = if names.contains(&"_") { self.piped } else { before };
                    names.push(name);
                    self.runner.takes(name, before, names.into_iter());
                }
            }
            _ => {}
        }
    }

    /// Notes a statement that is nothing but such a variable: it is printed.
    pub(super) fn secrets_shown(&mut self, statement: &Statement) {
        if let Statement::Pipeline(Pipeline { stages, .. }) = statement
            && let [Stage { kind: StageKind::Expression(Expr::Variable(name)), redirects, .. }] =
                stages.as_slice()
            && redirects.is_empty()
            && let Some(variable) = name.strip_prefix("env:")
            && names_secret(variable)
            && self.shows()
            && self.is_kept(variable)
        {
            self.runner.note(NoteKind::ShowsSecret, self.here());
        }
    }

    /// Whether the caller sees what a statement prints: it stands in no other.
    fn shows(&self) -> bool {
        self.level == 1 && !self.runner.is_in_file()
    }

    /// Whether the environment alone sets a variable.
    fn is_kept(&mut self, name: &str) -> bool {
        self.environment(name).contains(mark::UNSET)
    }
}

/// The variables in an expression.
fn mentioned<'e>(expr: &'e Expr, names: &mut Vec<&'e str>) {
    match expr {
        Expr::Variable(name) => names.push(name),
        Expr::Join(parts) | Expr::List(parts) => parts.iter().for_each(|part| mentioned(part, names)),
        Expr::Sub(statements) => statements.iter().for_each(|statement| mentioned_in(statement, names)),
        Expr::Map(entries) => entries.iter().for_each(|(_, value)| mentioned_in(value, names)),
        Expr::Cast(_, inner) | Expr::Unary(_, inner) => mentioned(inner, names),
        Expr::Chain(first, rest) => {
            mentioned(first, names);
            for (_, operand) in rest {
                mentioned(operand, names);
            }
        }
        Expr::Access(base, chain) => {
            mentioned(base, names);
            for access in chain {
                if let Access::Method(_, arguments) = access {
                    for argument in arguments {
                        mentioned(argument, names);
                    }
                }
            }
        }
        Expr::Text(_) | Expr::Number(_) | Expr::Block(_) | Expr::Type(_) => {}
    }
}

/// The variables that a statement begins with or is made of.
fn mentioned_in<'e>(statement: &'e Statement, names: &mut Vec<&'e str>) {
    let Statement::Pipeline(pipeline) = statement else { return };
    for stage in &pipeline.stages {
        match &stage.kind {
            StageKind::Expression(expr) => mentioned(expr, names),
            StageKind::Command { words, .. } => {
                for word in words {
                    if let Word::Value(expr) | Word::Parameter { value: Some(expr), .. } = word {
                        mentioned(expr, names);
                    }
                }
            }
        }
    }
}

/// The variables with secrets whose whole values an expression has.
fn secrets(expr: &Expr, found: &mut Vec<String>) {
    match expr {
        Expr::Variable(name) => {
            found.extend(name.strip_prefix("env:").filter(|name| names_secret(name)).map(str::to_owned));
        }
        Expr::Join(parts) | Expr::List(parts) => parts.iter().for_each(|part| secrets(part, found)),
        Expr::Cast(_, inner) => secrets(inner, found),
        Expr::Map(entries) => entries.iter().for_each(|(_, value)| {
            if let Statement::Pipeline(Pipeline { stages, .. }) = value
                && let [Stage { kind: StageKind::Expression(expr), .. }] = stages.as_slice()
            {
                secrets(expr, found);
            }
        }),
        _ => {}
    }
}
