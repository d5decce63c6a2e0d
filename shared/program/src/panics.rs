//! A panic becomes the documented answer. Released programs abort on panics, so there is nothing to catch: the panic
//! hook itself answers and ends the process.

use std::panic::PanicHookInfo;
use std::process;

use crate::cli;
use crate::failure::Cause;
use crate::run::Run;

/// From here on, a panic answers the host.
pub(crate) fn answer_the_host(run: &'static Run) {
    std::panic::set_hook(Box::new(move |info| run.give_up(&Cause::Panic(describe(info)))));
}

/// From here on, a panic tells a person, and exits with [`cli::INTERNAL`].
#[expect(
    clippy::exit,
    reason = "released programs abort after this hook, with a signal instead of the documented code"
)]
pub(crate) fn tell_a_person(name: &'static str) {
    std::panic::set_hook(Box::new(move |info| {
        screen::remark(&format!("{name}: internal error: {}\n", describe(info)));
        process::exit(cli::INTERNAL.into());
    }));
}

/// What was wrong and where, on one line.
fn describe(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("a panic without a message");
    match info.location() {
        Some(location) => format!("{} ({}:{})", message, location.file(), location.line()),
        None => message.to_owned(),
    }
}
