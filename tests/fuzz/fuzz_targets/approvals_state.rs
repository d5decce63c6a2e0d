//! Any bytes in the folder for approvals: nothing is granted that no person granted. See `tests/fuzz/run`.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use approvals::{Answer, Asked, Desk, Why};
use libfuzzer_sys::fuzz_target;
use payload::{Hints, parse};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn is_granted(desk: &Desk, id: &str, now: SystemTime) -> bool {
    let text = format!(
        r#"{{"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"{id}","tool_input":{{"command":"git push -f"}}}}"#
    );
    let event = parse(text.as_bytes(), Hints::default()).expect("a payload");
    let why = [Why { rule: "git.push-force".to_owned(), reason: "Why.".to_owned() }];
    let asked = Asked { event: &event, by: "command-blocker", why: &why };
    matches!(desk.ask(&asked, now), Ok(Answer::Granted(_)))
}

// The first byte says what there is before, the second which file is hit, the third where and how; the rest goes in.
fuzz_target!(|bytes: &[u8]| {
    let [state, which, place, rest @ ..] = bytes else { return };
    let now = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 50);
    let folder = tempfile::tempdir().expect("a folder");
    let desk = Desk::at(folder.path());
    assert!(!is_granted(&desk, "1", now));
    let offer = desk.offers(now).expect("offers").pop().expect("an offer");
    // A grant that was used; or none.
    if state % 2 == 1 {
        desk.grant(&offer, now).expect("a grant");
        assert!(is_granted(&desk, "1", now));
    }
    let files = files(folder.path());
    let file = &files[usize::from(*which) % files.len()];
    let mut content = fs::read(file).expect("a file");
    let at = usize::from(*place) * content.len() / 256;
    match state / 2 % 4 {
        0 => content = rest.to_vec(),
        1 => content.splice(at..(at + rest.len()).min(content.len()), rest.iter().copied()).for_each(drop),
        2 => content.truncate(at),
        _ => content.splice(at..at, rest.iter().copied()).for_each(drop),
    }
    fs::write(file, content).expect("written");
    for id in ["2", "3"] {
        assert!(!is_granted(&desk, id, now), "{}", file.display());
    }
    let _ = (desk.offers(now), desk.find(&offer.code, now));
});
