//! The last line: whether all is well.

use host::Weight;

use super::{Examined, Report};
use crate::paint::{Tone, paint};

/// One line, or two with what to do.
pub(super) fn line(report: &Report<'_>) -> String {
    let examined = report.examined;
    let hooks = |host: &Examined| host.fired.len();
    let with_hooks = examined.iter().filter(|host| hooks(host) > 0).count();
    let all: usize = examined.iter().map(hooks).sum();
    let mut faults = Vec::new();
    let mut say = |count: usize, one: &str, several: &str| {
        if count > 0 {
            faults.push(if count == 1 { format!("1 {one}") } else { format!("{count} {several}") });
        }
    };
    let went = |bad: &dyn Fn(&Examined, &super::Went) -> bool| {
        let of = |host: &Examined| {
            host.fired.iter().filter_map(|tried| tried.went.as_ref()).filter(|went| bad(host, went)).count()
        };
        examined.iter().map(of).sum::<usize>()
    };
    say(
        // Each hook once: what works from a terminal is counted below, with what to do about it.
        went(&|host, went| went.is_bad(host.product) && !went.only_here),
        "hook does not work",
        "hooks do not work",
    );
    say(
        went(&|_, went| went.only_here),
        "hook works only from a terminal (`hook-runner init --user` writes absolute paths)",
        "hooks work only from a terminal (`hook-runner init --user` writes absolute paths)",
    );
    let untried = examined.iter().flat_map(|host| &host.fired).filter(|tried| tried.went.is_none()).count();
    say(untried, "hook was not tried", "hooks were not tried");
    let unread = |host: &Examined| {
        host.loaded.files.iter().filter(|file| file.reading.dropped || file.text.is_err()).count()
    };
    say(examined.iter().map(unread).sum(), "file is dropped", "files are dropped");
    let off = examined.iter().filter(|host| super::managed::is_off(&host.loaded)).count();
    say(off, "host has its hooks switched off", "hosts have their hooks switched off");
    let named = |host: &Examined| host.loaded.remarks.iter().filter(|remark| remark.only.is_some()).count();
    say(
        examined.iter().map(named).sum(),
        "hook is switched off by its name",
        "hooks are switched off by their names",
    );
    let pending =
        |host: &&Examined| host.loaded.remarks.iter().any(|remark| remark.weight == Weight::Pending);
    say(examined.iter().filter(pending).count(), "host waits for your trust", "hosts wait for your trust");
    let weak = examined.iter().filter(|host| super::managed::is_weak(&host.loaded)).count();
    say(weak, "host's managed file can be changed by users", "hosts' managed files can be changed by users");
    say(report.looked.mistakes.len(), "mistake in settings or policies", "mistakes in settings or policies");
    for host in report.documented.iter().filter(|host| super::managed::is_bad(host)) {
        faults.push(format!("{} does not work as it is managed", host.title));
    }
    if report.bundle.is_bad() {
        faults.push("the bundle of policies needs a look (`hook-runner policy status`)".to_owned());
    }
    if report.drift.is_some() {
        faults.push("something is not as you trusted it".to_owned());
    }
    if !faults.is_empty() {
        return format!("\n{}\n", paint(Tone::Bad, faults.join("; ")));
    }
    // Everything in order with nothing installed is not what someone who asks wants to read.
    if all == 0 {
        let install = "install them with `hook-runner init`";
        return format!("\n{} {install}\n", paint(Tone::Warn, "no hooks are installed:"));
    }
    let s = |count: usize| if count == 1 { "" } else { "s" };
    let line = format!(
        "all hooks work: {with_hooks} host{}, {all} entr{}",
        s(with_hooks),
        if all == 1 { "y" } else { "ies" }
    );
    format!("\n{}\n", paint(Tone::Good, line))
}
