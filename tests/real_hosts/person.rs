//! The person at the desk, who approves what an agent waits for.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use approvals::Desk;

/// What an agent runs that waits for the person: it says where its home is, and goes on when there is an answer. A
/// minute is generous; without an answer the session has shown what it has to show.
pub(super) const WAIT: &str = "echo \"$HOME\" > asking.new; mv asking.new asking; \
     timeout 60 sh -c 'until [ -e answered ]; do sleep 0.1; done'";

/// Approves everything that waits in this project, once an agent there asks. Returns when the session is over.
pub(super) fn attend(project: &Path, over: &AtomicBool) {
    let home = loop {
        if over.load(Ordering::Relaxed) {
            return;
        }
        match fs::read_to_string(project.join("asking")) {
            Ok(home) => break home,
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    };
    let desk = Desk::of(Path::new(home.trim()));
    let now = SystemTime::now();
    let waiting = desk.offers(now).unwrap();
    for offer in waiting.iter().filter(|offer| Path::new(&offer.folder) == project) {
        let found = desk.find(&offer.code, now).unwrap();
        assert_eq!(&found, offer);
        desk.grant(&found, SystemTime::now()).unwrap();
    }
    fs::write(project.join("answered"), "").unwrap();
}
