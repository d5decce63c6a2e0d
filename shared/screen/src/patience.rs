//! A line that says that it takes long.

use std::fmt::Display;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::stream::Stream;
use crate::width;

/// Does some work, and says on a terminal what takes so long once it has taken a second.
pub fn patiently<T>(what: &str, work: impl FnOnce() -> T) -> T {
    watched(&|| what.to_owned(), work)
}

/// The same for work that has so many steps: the line shows how much is done, as the work counts them.
pub fn counted<T>(what: &str, steps: usize, work: impl FnOnce(&AtomicUsize) -> T) -> T {
    let done = AtomicUsize::new(0);
    watched(&|| bar(what, done.load(Ordering::Relaxed), steps), || work(&done))
}

/// The same for one piece of work after the other.
pub fn each<I, T>(what: &str, items: &[I], mut work: impl FnMut(&I) -> T) -> Vec<T> {
    counted(what, items.len(), |done| {
        let one = |item| {
            let result = work(item);
            done.fetch_add(1, Ordering::Relaxed);
            result
        };
        items.iter().map(one).collect()
    })
}

/// How long a bar is, in characters.
const BAR: usize = 20;

fn bar(what: &str, done: usize, steps: usize) -> String {
    let full = (done * BAR).checked_div(steps).unwrap_or(0).min(BAR);
    let percent = (done * 100).checked_div(steps).unwrap_or(0).min(100);
    format!("{what}: {}{} {percent} %", "█".repeat(full), "░".repeat(BAR - full))
}

fn watched<T>(what: &(dyn Fn() -> String + Sync), work: impl FnOnce() -> T) -> T {
    if !Stream::Remark.is_terminal() {
        return work();
    }
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let start = Instant::now();
            let mut shown = false;
            while wait.recv_timeout(Duration::from_secs(1)) == Err(mpsc::RecvTimeoutError::Timeout) {
                show(format_args!("{}, {} s", what(), start.elapsed().as_secs()));
                shown = true;
            }
            if shown {
                clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Does some work below a line that says what is done, where a person watches: in a file, the line would not go away again.
pub fn transient<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !Stream::Remark.is_terminal() {
        return work();
    }
    show(what);
    let result = work();
    clear();
    result
}

fn show(what: impl Display) {
    // Cut: what breaks onto a second line could not be taken away again.
    let most = width::fold_of(Stream::Remark).unwrap_or(80).saturating_sub(1);
    let line: String = what.to_string().chars().take(most).collect();
    let _ = Stream::Remark.pass(&format!("\r{line}\u{1b}[K"));
}

fn clear() {
    let _ = Stream::Remark.pass("\r\u{1b}[2K");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_full_as_the_work_is_done() {
        assert_eq!(bar("events", 5, 20), "events: █████░░░░░░░░░░░░░░░ 25 %");
        assert_eq!(bar("events", 30, 20), format!("events: {} 100 %", "█".repeat(20)));
        assert_eq!(bar("events", 0, 0), format!("events: {} 0 %", "░".repeat(20)));
    }
}
