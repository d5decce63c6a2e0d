//! What a shell runs when a signal comes, or at its end.

use std::rc::Rc;

use super::{Io, Runner, Scope, Script};
use crate::atom::How;
use crate::runner::Process;
use crate::runner::scope::{Left, Trap};

/// What ends a shell, by its number.
const ENDS: [(&str, &str); 6] =
    [("EXIT", "0"), ("HUP", "1"), ("INT", "2"), ("QUIT", "3"), ("PIPE", "13"), ("TERM", "15")];

/// What a function's end is for `trap`.
const RETURN: &str = "RETURN";

/// The name of a signal in any of its spellings: `sigint`, `INT`, `2`.
fn signal(spelled: &str) -> Rc<str> {
    let capitals = spelled.to_ascii_uppercase();
    let name = capitals.strip_prefix("SIG").unwrap_or(&capitals);
    let numbered = ENDS.iter().find(|(_, number)| *number == name);
    Rc::from(numbered.map_or(name, |(name, _)| name))
}

/// `trap TEXT SIGNAL…`: the text runs at the end, with what is set by then or was set on the way. `trap - SIGNAL…`,
/// `trap '' SIGNAL…` and `trap SIGNAL` run nothing from there on.
pub(super) fn set(process: &mut Process<'_>) {
    let words = process.args().iter().map(|arg| arg.text.clone()).skip_while(|word| word.starts_with("--"));
    let mut words: Vec<String> = words.collect();
    if words.first().is_none_or(|word| matches!(word.as_str(), "-p" | "-l")) {
        return;
    }
    let is_number = words[0].bytes().all(|byte| byte.is_ascii_digit()) && !words[0].is_empty();
    let text = if words.len() == 1 || is_number { String::new() } else { words.remove(0) };
    let signals: Vec<Rc<str>> = words.iter().map(|word| signal(word)).collect();
    let (runner, scope, index) = (&mut *process.runner, &mut *process.scope, process.index);
    if !scope.is_unsure() {
        // What waited for it until now would have run with the values until now.
        for trap in scope.traps.release(&signals) {
            runner.run_trap(scope, &trap, false);
        }
    }
    if text.is_empty() || text == "-" {
        return;
    }
    let ends = |name: &Rc<str>| ENDS.iter().any(|(end, _)| **end == **name);
    let only_ends = signals.iter().all(ends);
    let text: Rc<str> = Rc::from(text);
    let trap = Trap { text: Rc::clone(&text), signals, atom: index };
    let waits = runner.spend(text.len()) && scope.traps.keep(trap);
    if !waits || !only_ends {
        // `trap 'MODE=x' DEBUG` runs again and again.
        scope.meddled |= scope.exact;
        runner.run_text(scope, &Script::new(&text, Some((index, How::Text)), &Io::default()));
    }
}

impl Runner {
    /// Runs what waits for the end of a shell; `early` where the shell ends before its text does.
    pub(crate) fn run_traps(&mut self, scope: &mut Scope, early: bool) {
        for trap in scope.traps.waiting().to_vec() {
            self.run_trap(scope, &trap, early);
        }
    }

    /// Runs what waits for the end of a function, whose own variables are about to go.
    pub(crate) fn run_return_traps(&mut self, scope: &mut Scope) {
        let waits = |trap: &&Trap| trap.signals.iter().any(|signal| **signal == *RETURN);
        let waiting: Vec<Trap> = scope.traps.waiting().iter().filter(waits).cloned().collect();
        for trap in waiting {
            self.run_trap(scope, &trap, false);
        }
    }

    fn run_trap(&mut self, scope: &mut Scope, trap: &Trap, early: bool) {
        if !self.step() {
            return;
        }
        let mut inner = scope.clone();
        inner.left = Left::Nothing;
        // An `exit` that may not be reached: until the trap runs, variables may be set that are not set now.
        inner.later = early;
        inner.recall();
        self.run_text(&mut inner, &Script::new(&trap.text, Some((trap.atom, How::Text)), &Io::default()));
        for function in scope.uncalled() {
            // A function that only a trap calls is called, so it is not run once more for unknown callers.
            if inner.function(&function.name).is_some_and(|inner| inner.called) {
                scope.mark_called(&function.name);
            }
        }
    }

    /// Runs something in a shell of its own, with what waits for the end of that.
    pub(super) fn in_fork(
        &mut self,
        inner: &mut Scope,
        run: impl FnOnce(&mut Self, &mut Scope) -> String,
    ) -> String {
        let printed = run(self, inner);
        self.run_traps(inner, false);
        printed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_has_several_spellings() {
        for spelled in ["EXIT", "exit", "0", "SIGEXIT"] {
            assert_eq!(&*signal(spelled), "EXIT", "{spelled}");
        }
        assert_eq!(&*signal("sigterm"), "TERM");
        assert_eq!(&*signal("15"), "TERM");
        assert_eq!(&*signal("USR1"), "USR1");
    }
}
