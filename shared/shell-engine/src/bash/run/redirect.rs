//! Redirections: what a program reads, and where what it prints goes.

use std::rc::Rc;

use super::{Frame, Io, Runner, Scope, Value};
use crate::atom::{Flow, Redirect, Stage};
use crate::bash::ast::{Redirect as RedirectNode, RedirectOp, RedirectTarget};
use crate::mark;
use crate::runner::Call;

impl Runner {
    /// Resolves redirections and connects what is read from them.
    pub(super) fn redirects(
        &mut self,
        scope: &mut Scope,
        frame: Frame<'_>,
        redirects: &[RedirectNode],
    ) -> (Vec<Redirect>, Io) {
        let text = frame.text;
        let mut changed = frame.io.clone();
        let io = &mut changed;
        let mut resolved = Vec::with_capacity(redirects.len());
        for redirect in redirects {
            let fd = match redirect.name {
                Some(name) => Some(self.named_descriptor(scope, name.of(&text.source), redirect.op)),
                None => redirect.fd,
            };
            let word = match &redirect.target {
                RedirectTarget::Heredoc(slot) => {
                    // Its body comes after the line; the parser has kept it aside.
                    if let Some(word) = text.heredocs.get(*slot) {
                        let body = self.whole(scope, text, word);
                        self.feed(fd, body, io);
                    }
                    continue;
                }
                RedirectTarget::Word(word) => self.whole(scope, text, word),
            };
            let file =
                |usual: u32, flow: Flow| Redirect { fd: fd.unwrap_or(usual), flow, target: word.clone() };
            let writes = !matches!(
                redirect.op,
                RedirectOp::Read | RedirectOp::DupRead | RedirectOp::Heredoc | RedirectOp::HereString
            );
            let path = match redirect.op {
                // `4<&3` means what 3 does.
                RedirectOp::DupRead => self.opened(&word),
                RedirectOp::Read => Some(scope.absolute(&word)),
                _ => writes.then(|| self.opened(&word).unwrap_or_else(|| scope.absolute(&word))),
            };
            if let Some((number, path)) = fd.filter(|&number| number > 2).zip(path) {
                // `>&3`, `<&3` and `/dev/fd/3` mean this file from now on.
                self.link(scope, &path, &format!("/dev/fd/{number}"));
                self.open_descriptor(number, path);
            }
            match redirect.op {
                RedirectOp::HereString => self.feed(fd, format!("{word}\n"), io),
                // `<&3` reads what another redirection has put there, or the file that it has opened.
                RedirectOp::DupRead
                    if fd.is_none_or(|fd| fd == 0)
                        && let (held, opened) =
                            (self.file_at(scope, &format!("/dev/fd/{word}")), self.opened(&word))
                        && (held.is_some() || opened.is_some()) =>
                {
                    let file = opened.as_deref().unwrap_or_default();
                    io.stdin = Some(held.unwrap_or_else(|| self.read_file(scope, file)));
                    resolved.extend(opened.map(|target| Redirect { fd: 0, flow: Flow::Read, target }));
                }
                // `>&3` writes where another redirection has led it.
                RedirectOp::DupWrite
                    if fd.is_none_or(|fd| fd == 1)
                        && let Some(target) = self.opened(&word) =>
                {
                    resolved.push(Redirect { fd: 1, flow: Flow::Append, target });
                }
                // Its target is a slot and was read above.
                RedirectOp::Heredoc => {}
                RedirectOp::DupRead | RedirectOp::DupWrite
                    // `2>&1` and `>&-` name no file.
                    if word == "-" || word.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit()) => {}
                RedirectOp::DupRead | RedirectOp::Read | RedirectOp::ReadWrite => {
                    let flow =
                        if redirect.op == RedirectOp::ReadWrite { Flow::ReadWrite } else { Flow::Read };
                    match fd {
                        None | Some(0) => io.stdin = Some(self.read_file(scope, &word)),
                        // A later `<&3` or `/dev/fd/3` may read it.
                        Some(fd) => {
                            let text = self.read_file(scope, &word);
                            if text.chars().any(|c| c != mark::UNKNOWN) {
                                self.write_file(format!("/dev/fd/{fd}"), &text, false);
                            }
                        }
                    }
                    resolved.push(file(0, flow));
                }
                RedirectOp::Append | RedirectOp::AppendBoth => resolved.push(file(1, Flow::Append)),
                RedirectOp::Write | RedirectOp::WriteBoth | RedirectOp::DupWrite => {
                    // `>&file` writes both streams to a file.
                    resolved.push(file(1, Flow::Write));
                }
            }
        }
        (resolved, changed)
    }

    /// The descriptor that a variable names: a new one, or for `{name}>&-` the one that it has.
    fn named_descriptor(&mut self, scope: &mut Scope, name: &str, op: RedirectOp) -> u32 {
        if matches!(op, RedirectOp::DupRead | RedirectOp::DupWrite)
            && let Some(Value::One(known)) = scope.get(name)
            && let Ok(known) = known.parse()
        {
            return known;
        }
        let fd = self.free_descriptor();
        scope.set_text(name, &fd.to_string());
        fd
    }

    /// Gives a string to a descriptor: the standard input, or one that is read as `/dev/fd/3`.
    fn feed(&mut self, fd: Option<u32>, text: String, io: &mut Io) {
        match fd {
            None | Some(0) => io.stdin = Some(Rc::from(text)),
            Some(fd) => self.write_file(format!("/dev/fd/{fd}"), &text, false),
        }
    }

    /// An atom for the redirections of a compound command: they write files, too.
    pub(super) fn bare_redirects(
        &mut self,
        scope: &Scope,
        stage: Stage,
        (redirects, nodes): (Vec<Redirect>, &[RedirectNode]),
    ) {
        if redirects.is_empty() {
            return;
        }
        let span = nodes
            .iter()
            .find_map(|node| match &node.target {
                RedirectTarget::Word(word) => Some(word.span),
                RedirectTarget::Heredoc(_) => None,
            })
            .unwrap_or_default();
        let span = scope.origin.unwrap_or(span);
        // No program: rules about files see `{ …; } > file` as they see `> file`.
        let call = Call { redirects, span, stage, external: true, ..Call::default() };
        self.push_atom(scope, &call);
    }
}
