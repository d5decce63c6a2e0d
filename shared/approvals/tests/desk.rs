//! What was granted holds for one call and for nothing else, whatever stands in the folder for state.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, SystemTime};

use approvals::{Answer, ApprovalError, Asked, Code, Desk, GRANT, OFFER, Why};
use payload::{Hints, parse};
use proptest::prelude::*;

/// A call as Claude Code tells it.
#[derive(Debug, Clone)]
struct Call {
    session: &'static str,
    cwd: &'static str,
    command: &'static str,
    id: &'static str,
    codex: bool,
    by: &'static str,
    rules: &'static [&'static str],
}

const CALL: Call = Call {
    session: "s",
    cwd: "/p",
    command: "git push -f",
    id: "1",
    codex: false,
    by: "command-blocker",
    rules: &["git.push-force"],
};

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * 50)
}

fn ask_at(desk: &Desk, call: &Call, now: SystemTime) -> Result<Answer, ApprovalError> {
    let more = if call.codex { r#","turn_id":"t","model":"m""# } else { "" };
    let text = format!(
        r#"{{"session_id":"{}","cwd":"{}","hook_event_name":"PreToolUse"{more},"tool_name":"Bash","tool_use_id":"{}","tool_input":{{"command":"{}"}}}}"#,
        call.session, call.cwd, call.id, call.command
    );
    let event = parse(text.as_bytes(), Hints::default()).unwrap();
    let why: Vec<Why> =
        call.rules.iter().map(|rule| Why { rule: (*rule).to_owned(), reason: "Why.".to_owned() }).collect();
    desk.ask(&Asked { event: &event, by: call.by, why: &why }, now)
}

fn ask(desk: &Desk, call: &Call) -> Answer {
    ask_at(desk, call, now()).unwrap()
}

fn offered(desk: &Desk, call: &Call) -> Code {
    match ask(desk, call) {
        Answer::Offered(code) => code,
        other => panic!("{other:?}"),
    }
}

/// As a person does.
fn approve(desk: &Desk, code: &Code) {
    desk.grant(&desk.find(code, now()).unwrap(), now()).unwrap();
}

fn is_granted(desk: &Desk, call: &Call) -> bool {
    matches!(ask(desk, call), Answer::Granted(_))
}

/// A desk on which [`CALL`] was granted.
fn granted(folder: &Path) -> Desk {
    let desk = Desk::at(folder);
    let code = offered(&desk, &CALL);
    approve(&desk, &code);
    desk
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() { found.extend(files(&entry.path())) } else { found.push(entry.path()) }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn one_call_goes_through_every_hook_and_the_next_through_none() {
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    for by in ["command-blocker", "approval-gate", "command-blocker"] {
        assert!(is_granted(&desk, &Call { by, ..CALL }), "{by}");
    }
    for by in ["command-blocker", "approval-gate", "other"] {
        assert!(!is_granted(&desk, &Call { by, id: "2", ..CALL }), "{by}");
    }
    assert!(is_granted(&desk, &CALL), "the call itself is still the one");
    // A new approval is for a new call.
    approve(&desk, &offered(&desk, &Call { id: "3", ..CALL }));
    assert!(is_granted(&desk, &Call { id: "4", ..CALL }));
    assert!(!is_granted(&desk, &Call { id: "5", ..CALL }));
}

#[test]
fn a_foreign_grant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    for other in [
        Call { session: "t", ..CALL },
        Call { cwd: "/q", ..CALL },
        Call { command: "git push -f origin main", ..CALL },
        Call { command: "git  push -f", ..CALL },
        Call { codex: true, ..CALL },
        Call { rules: &["git.other"], ..CALL },
        Call { rules: &["git.push-force", "git.other"], ..CALL },
    ] {
        assert!(!is_granted(&desk, &other), "{other:?}");
    }
    assert!(is_granted(&desk, &CALL));
}

#[test]
fn the_record_of_another_session_or_user_grants_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    let other = Call { session: "t", ..CALL };
    offered(&desk, &other);
    let books: Vec<PathBuf> =
        files(folder.path()).into_iter().filter(|path| path.ends_with("approvals")).collect();
    let [one, two] = books.as_slice() else { panic!("{books:?}") };
    for (from, to) in [(one, two), (two, one)] {
        let kept = fs::read(to).unwrap();
        fs::copy(from, to).unwrap();
        let grants = [is_granted(&desk, &CALL), is_granted(&desk, &other)];
        assert!(!grants[1], "{grants:?}");
        fs::write(to, kept).unwrap();
    }
    let users = tempfile::tempdir().unwrap();
    let stranger = Desk::at(users.path());
    offered(&stranger, &CALL);
    fs::remove_dir_all(users.path().join("sessions")).unwrap();
    copy(&folder.path().join("sessions"), &users.path().join("sessions"));
    assert!(!is_granted(&stranger, &CALL), "sealed with another key");
}

#[test]
fn a_grant_and_a_code_end() {
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    for moment in [now() + GRANT, now() + GRANT * 2, now() - Duration::from_millis(1), SystemTime::UNIX_EPOCH]
    {
        assert!(!matches!(ask_at(&desk, &CALL, moment).unwrap(), Answer::Granted(_)), "{moment:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    assert!(matches!(
        ask_at(&desk, &CALL, now() + GRANT - Duration::from_millis(1)).unwrap(),
        Answer::Granted(_)
    ));
    let code = offered(&desk, &Call { id: "2", ..CALL });
    assert!(matches!(desk.find(&code, now() + OFFER), Err(ApprovalError::Unknown)));
    assert!(matches!(desk.find(&code, now() - Duration::from_millis(1)), Err(ApprovalError::Unknown)));
}

#[test]
fn a_replayed_grant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    let before: Vec<(PathBuf, Vec<u8>)> =
        files(folder.path()).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    assert!(is_granted(&desk, &CALL));
    for (path, bytes) in before {
        fs::write(path, bytes).unwrap();
    }
    for id in ["1", "2"] {
        assert!(!is_granted(&desk, &Call { id, ..CALL }), "{id}");
    }
}

#[test]
fn a_mark_that_is_taken_away_frees_no_grant() {
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    assert!(is_granted(&desk, &CALL));
    let marks: Vec<PathBuf> =
        files(folder.path()).into_iter().filter(|path| path.ends_with("spent")).collect();
    assert_eq!(marks.len(), 1);
    fs::remove_file(&marks[0]).unwrap();
    for id in ["1", "2"] {
        assert!(!is_granted(&desk, &Call { id, ..CALL }), "{id}");
    }
}

#[test]
fn of_many_calls_at_once_exactly_one_goes_through() {
    const IDS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let folder = tempfile::tempdir().unwrap();
    granted(folder.path());
    let start = Barrier::new(IDS.len());
    let through = thread::scope(|scope| {
        let calls = IDS.map(|id| {
            let (start, folder) = (&start, folder.path());
            scope.spawn(move || {
                let desk = Desk::at(folder);
                start.wait();
                // Whoever waits too long for the others is refused, which is fine.
                matches!(ask_at(&desk, &Call { id, ..CALL }, now()), Ok(Answer::Granted(_)))
            })
        });
        calls.into_iter().map(|call| call.join().unwrap()).filter(|granted| *granted).count()
    });
    assert!(through <= 1, "{through}");
    // On a machine on which all of them waited in vain it is still there.
    assert_eq!(through + usize::from(is_granted(&Desk::at(folder.path()), &Call { id: "9", ..CALL })), 1);
}

#[test]
fn rules_that_a_second_hook_names_need_a_second_look() {
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    assert!(is_granted(&desk, &CALL));
    let gate = Call { by: "approval-gate", rules: &["team.no-push"], ..CALL };
    let code = offered(&desk, &gate);
    let offer = desk.find(&code, now()).unwrap();
    let rules: Vec<&str> = offer.rules.iter().map(|why| why.rule.as_str()).collect();
    assert_eq!(rules, ["git.push-force", "team.no-push"], "one code shows what every hook said");
    desk.grant(&offer, now()).unwrap();
    assert!(is_granted(&desk, &Call { id: "2", ..CALL }));
    assert!(is_granted(&desk, &Call { id: "2", ..gate.clone() }));
    assert!(!is_granted(&desk, &Call { id: "3", ..gate }));
}

#[test]
fn a_person_grants_what_was_shown_and_not_what_came_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::at(folder.path());
    let code = offered(&desk, &CALL);
    let offer = desk.find(&code, now()).unwrap();
    let gate = Call { by: "approval-gate", rules: &["team.no-push"], ..CALL };
    offered(&desk, &gate);
    desk.grant(&offer, now()).unwrap();
    assert!(!is_granted(&desk, &gate));
    assert!(is_granted(&desk, &CALL));
}

#[test]
fn a_call_without_a_session_or_arguments_is_offered_to_no_one() {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::at(folder.path());
    assert_eq!(ask(&desk, &Call { session: "", ..CALL }), Answer::Nothing);
    let long: &'static str = "x".repeat(approvals::MOST_SHOWN + 1).leak();
    let long = ask_at(&desk, &Call { command: long, ..CALL }, now());
    assert!(matches!(long, Err(ApprovalError::TooLong { .. })), "{long:?}");
}

#[test]
fn a_folder_that_cannot_be_written_to_grants_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // Also for root: a file stands where the folder would be.
    fs::write(folder.path().join("sessions"), "").unwrap();
    let desk = Desk::at(folder.path());
    assert!(matches!(ask_at(&desk, &CALL, now()), Err(ApprovalError::State(_))));
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("key")).unwrap();
    assert!(matches!(ask_at(&Desk::at(folder.path()), &CALL, now()), Err(ApprovalError::Key(_))));
    // What was granted before stays unused.
    let folder = tempfile::tempdir().unwrap();
    let desk = granted(folder.path());
    let locks = folder.path().join("sessions/locks");
    fs::rename(&locks, folder.path().join("elsewhere")).unwrap();
    fs::write(&locks, "").unwrap();
    assert!(ask_at(&desk, &CALL, now()).is_err());
}

/// What someone does to the folder.
#[derive(Debug, Clone)]
enum Damage {
    /// Other bytes from there on.
    Bytes(usize, Vec<u8>),
    /// The end is missing.
    Cut(usize),
    /// Gone.
    Removed,
    /// The content of another file.
    Swapped(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (0..4096usize, prop::collection::vec(any::<u8>(), 1..8))
            .prop_map(|(at, bytes)| Damage::Bytes(at, bytes)),
        (0..4096usize).prop_map(Damage::Cut),
        Just(Damage::Removed),
        (0..8usize).prop_map(Damage::Swapped),
    ]
}

fn harm(folder: &Path, which: usize, damage: &Damage) {
    let files = files(folder);
    let path = &files[which % files.len()];
    let mut bytes = fs::read(path).unwrap();
    match damage {
        Damage::Bytes(at, new) => {
            let at = at % (bytes.len() + 1);
            let end = (at + new.len()).min(bytes.len());
            bytes.splice(at..end, new.iter().copied());
            fs::write(path, bytes).unwrap();
        }
        Damage::Cut(at) => fs::write(path, &bytes[..at % (bytes.len() + 1)]).unwrap(),
        Damage::Removed => fs::remove_file(path).unwrap(),
        Damage::Swapped(other) => {
            fs::copy(&files[other % files.len()], path).map(drop).unwrap_or_default();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Nothing was granted, or it was used: no damage grants.
    #[test]
    fn a_damaged_folder_never_grants(used in any::<bool>(), harms in prop::collection::vec((0..16usize, damage()), 1..6)) {
        let folder = tempfile::tempdir().unwrap();
        let desk = if used { granted(folder.path()) } else { Desk::at(folder.path()) };
        let first = ask(&desk, &CALL);
        prop_assert_eq!(matches!(first, Answer::Granted(_)), used);
        for (which, damage) in &harms {
            harm(folder.path(), *which, damage);
        }
        for call in [Call { id: "2", ..CALL }, Call { id: "2", session: "t", ..CALL }, Call { id: "2", by: "approval-gate", ..CALL }] {
            let answer = ask_at(&desk, &call, now());
            prop_assert!(!matches!(answer, Ok(Answer::Granted(_))), "{:?} after {:?}", answer, harms);
        }
    }

    /// Something was granted: damage may take it away, and never makes it fit another call.
    #[test]
    fn a_damaged_grant_fits_no_other_call(harms in prop::collection::vec((0..16usize, damage()), 0..6)) {
        let folder = tempfile::tempdir().unwrap();
        let desk = granted(folder.path());
        for (which, damage) in &harms {
            harm(folder.path(), *which, damage);
        }
        for call in [
            Call { command: "git push -f other", ..CALL },
            Call { cwd: "/q", ..CALL },
            Call { session: "t", ..CALL },
            Call { rules: &["git.other"], ..CALL },
        ] {
            let answer = ask_at(&desk, &call, now());
            prop_assert!(!matches!(answer, Ok(Answer::Granted(_))), "{:?} after {:?}", answer, harms);
        }
        let through = ["1", "2", "3"].map(|id| ask_at(&desk, &Call { id, ..CALL }, now()));
        let through = through.iter().filter(|answer| matches!(answer, Ok(Answer::Granted(_)))).count();
        prop_assert!(through <= 1, "{} calls after {:?}", through, harms);
    }
}

/// Where only root's word counts.
#[cfg(unix)]
mod root {
    use std::os::unix::fs::MetadataExt as _;

    use approvals::Signer;
    use store::settings::By;

    use super::*;

    struct Machine {
        folder: tempfile::TempDir,
        signer: Signer,
    }

    impl Machine {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let key = folder.path().join("approvals.key");
            Signer::make(&key).unwrap();
            assert_eq!(fs::metadata(&key).unwrap().mode() & 0o777, 0o600);
            assert!(Signer::make(&key).is_err(), "a key that is there stays");
            Self { signer: Signer::read(&key).unwrap(), folder }
        }

        fn desk(&self) -> Desk {
            Desk::at(self.folder.path()).only_by(By::Root(self.signer.public()))
        }

        fn user(&self) -> u32 {
            fs::metadata(self.folder.path()).unwrap().uid()
        }

        fn grants(&self) -> PathBuf {
            self.folder.path().join("grants")
        }

        /// What waits for `CALL`, signed by this one for this user.
        fn signed(&self, by: &Signer, user: u32) {
            let code = offered(&self.desk(), &CALL);
            let shown = self.desk().find(&code, now()).unwrap().as_shown();
            by.grant(&shown, user, &self.grants(), now()).unwrap();
        }
    }

    #[test]
    fn only_what_root_signed_counts_and_once() {
        let machine = Machine::new();
        let desk = machine.desk();
        let code = offered(&desk, &CALL);
        desk.grant(&desk.find(&code, now()).unwrap(), now()).unwrap();
        assert!(!is_granted(&desk, &CALL), "the user's own key seals nothing here");
        machine.signed(&machine.signer, machine.user());
        for other in [
            Call { command: "git push -f other", ..CALL },
            Call { cwd: "/q", ..CALL },
            Call { session: "t", ..CALL },
            Call { rules: &["git.other"], ..CALL },
        ] {
            assert!(!is_granted(&desk, &other), "{other:?}");
        }
        assert!(!matches!(ask_at(&desk, &CALL, now() + GRANT).unwrap(), Answer::Granted(_)));
        assert!(is_granted(&desk, &CALL));
        assert!(is_granted(&desk, &Call { by: "approval-gate", ..CALL }), "every hook of that call");
        assert!(!is_granted(&desk, &Call { id: "2", ..CALL }));
        // The user's book is put back; the mark of the use is there.
        fs::remove_dir_all(machine.folder.path().join("sessions/locks")).unwrap();
        for path in files(machine.folder.path()).into_iter().filter(|path| path.ends_with("approvals")) {
            fs::remove_file(path).unwrap();
        }
        assert!(!is_granted(&desk, &Call { id: "3", ..CALL }));
    }

    #[test]
    fn what_another_signed_or_for_another_or_otherwise_counts_for_nothing() {
        let machine = Machine::new();
        let stranger = Machine::new();
        machine.signed(&stranger.signer, machine.user());
        assert!(!is_granted(&machine.desk(), &CALL), "another key");
        machine.signed(&machine.signer, machine.user() + 1);
        assert!(!is_granted(&machine.desk(), &CALL), "another user");
        machine.signed(&machine.signer, machine.user());
        for path in files(&machine.grants()) {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, text.replace("git push -f", "git push -F")).unwrap();
        }
        assert!(!is_granted(&machine.desk(), &Call { command: "git push -F", ..CALL }), "another action");
        assert!(!is_granted(&machine.desk(), &CALL));
    }

    #[test]
    fn where_no_one_may_nothing_is_offered() {
        let machine = Machine::new();
        assert_eq!(ask(&Desk::at(machine.folder.path()).only_by(By::Nobody), &CALL), Answer::Nothing);
    }
}
