//! Pulls into a folder of the machine's: what comes into force, what is refused, and what a kill leaves behind.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use bundle::{
    Archive, Malformed, Manifest, NamedFile, Order, Outcome, PublicKey, PullError, Pulled, Refusal,
    SecretKey, Source, Switches, pack,
};
use policy::layers::{Places, find};
use proptest::prelude::*;
use semver::Version;
use store::bundle::{Identity, InForce, in_force_at};

/// A day in the middle of the bundles' time.
const NOW: u64 = 1_800_000_000;
const DAY: u64 = 86_400;

/// Two keys; making one takes a while.
static KEYS: LazyLock<[SecretKey; 2]> =
    LazyLock::new(|| [SecretKey::make().unwrap(), SecretKey::make().unwrap()]);

fn key(which: usize) -> PublicKey {
    KEYS[which].public().unwrap()
}

fn manifest(serial: u64) -> Manifest {
    Manifest { name: "team".to_owned(), serial, not_before: NOW - DAY, not_after: NOW + DAY, requires: None }
}

/// Two policies that say which bundle they came in.
fn files(serial: u64) -> Vec<NamedFile> {
    let file = |name: &str| NamedFile {
        name: name.to_owned(),
        text: format!(
            "schema = 1\n[[rule]]\nid = \"{}.of-{serial}\"\ndecision = \"deny\"\nreason = \"r\"\nrun = {{ program = \"x{serial}\" }}\n",
            name.trim_end_matches(".toml")
        ),
    };
    vec![file("a.toml"), file("b.toml")]
}

/// A machine, with a policy of its administrator, and a folder in which bundles lie.
struct Machine {
    folder: tempfile::TempDir,
    version: Version,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap(), version: Version::new(1, 2, 3) };
        fs::create_dir_all(machine.policies()).unwrap();
        fs::write(machine.policies().join("10-own.toml"), "schema = 1\n").unwrap();
        machine
    }

    fn settings(&self) -> PathBuf {
        self.folder.path().join("policy-hooks")
    }

    fn policies(&self) -> PathBuf {
        self.settings().join("policy.d")
    }

    /// Signs and stores a bundle; its path.
    fn bundle(&self, manifest: Manifest, files: Vec<NamedFile>, signer: usize) -> PathBuf {
        let bytes = pack(&Archive { manifest, files }).unwrap();
        self.signed(&bytes, signer)
    }

    fn signed(&self, bytes: &[u8], signer: usize) -> PathBuf {
        let path = self.folder.path().join("team.bundle");
        fs::write(&path, bytes).unwrap();
        fs::write(path.with_extension("bundle.minisig"), KEYS[signer].sign(bytes, "test").unwrap()).unwrap();
        path
    }

    fn pull(&self, path: &Path, clock: u64, switches: Switches) -> Result<Pulled, PullError> {
        self.pull_with(path, clock, switches, 0, &mut |_| Ok(()))
    }

    fn pull_with(
        &self,
        path: &Path,
        clock: u64,
        switches: Switches,
        by: usize,
        step: &mut dyn FnMut(bundle::Step) -> io::Result<()>,
    ) -> Result<Pulled, PullError> {
        let order = Order {
            source: &Source::File(path.to_owned()),
            key: &key(by),
            machine: &self.settings(),
            clock,
            version: &self.version,
            switches,
        };
        bundle::pull_stepwise(&order, step)
    }

    /// Pulls a plain bundle with this serial number.
    fn serial(&self, serial: u64, clock: u64) -> Result<Pulled, PullError> {
        self.pull(&self.bundle(manifest(serial), files(serial), 0), clock, Switches::default())
    }

    /// What is refused, and that it changed nothing.
    fn refused(&self, path: &Path, clock: u64, by: usize) -> Refusal {
        let before = self.in_force();
        let refusal = match self.pull_with(path, clock, Switches::default(), by, &mut |_| Ok(())) {
            Err(PullError::Refused(refusal)) => refusal,
            other => panic!("{other:?}"),
        };
        assert_eq!(self.in_force(), before, "{refusal}");
        let last = bundle::last_pull(&self.settings()).unwrap().last.unwrap();
        let Outcome::Refused { why, .. } = last.outcome else { panic!("{last:?}") };
        assert_eq!(why, payload::one_line(&refusal.to_string()));
        refusal
    }

    fn identity(&self) -> Identity {
        match in_force_at(&self.policies()) {
            InForce::Bundle(identity) => identity,
            other => panic!("{other:?}"),
        }
    }

    /// Everything that a hook would read of the machine, by name and text.
    fn in_force(&self) -> Vec<(String, String)> {
        in_force(&self.policies())
    }
}

fn owner() -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(std::env::temp_dir())
        .map_or(0, |_| fs::metadata("/proc/self").map_or(0, |about| about.uid()))
}

fn in_force(policies: &Path) -> Vec<(String, String)> {
    let places = Places { system: Some(policies.to_owned()), owner: owner(), ..Places::default() };
    let sources = find(&places, None, None);
    // A folder for temporary files is everyone's, which is said of each file; the files on the disk are what counts here.
    let files = sources.iter().filter(|source| source.path.is_file() || source.fault.is_none());
    files
        .map(|source| {
            let name = source.path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&source.path).unwrap_or_default())
        })
        .collect()
}

fn names(found: &[(String, String)]) -> Vec<&str> {
    found.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_bundle_comes_into_force_beside_what_the_administrator_wrote() {
    let machine = Machine::new();
    let pulled = machine.serial(7, NOW).unwrap();
    assert!(!pulled.unchanged);
    assert_eq!(pulled.identity, machine.identity());
    assert_eq!(names(&machine.in_force()), ["10-own.toml", "bundle-7-a.toml", "bundle-7-b.toml"]);
    assert!(pulled.identity.altered(&machine.policies()).is_empty());
    // The same again changes nothing, not even when it was pulled.
    assert!(machine.serial(7, NOW + 60).unwrap().unchanged);
    assert_eq!(machine.identity().pulled, NOW);
    // The next one takes its place; nothing of the old one is left.
    machine.serial(8, NOW).unwrap();
    assert_eq!(names(&machine.in_force()), ["10-own.toml", "bundle-8-a.toml", "bundle-8-b.toml"]);
    // A pull of the same one fixes what someone changed by hand.
    fs::write(machine.policies().join("bundle-8-a.toml"), "schema = 1\n").unwrap();
    fs::remove_file(machine.policies().join("bundle-8-b.toml")).unwrap();
    assert!(!machine.serial(8, NOW).unwrap().unchanged);
    assert!(machine.identity().altered(&machine.policies()).is_empty());
}

#[test]
fn a_machine_without_a_folder_of_policies_gets_one() {
    let machine = Machine::new();
    fs::remove_dir_all(machine.settings()).unwrap();
    machine.serial(7, NOW).unwrap();
    assert_eq!(names(&machine.in_force()), ["bundle-7-a.toml", "bundle-7-b.toml"]);
}

#[test]
fn what_the_administrator_keeps_beside_the_policies_stays() {
    let machine = Machine::new();
    fs::create_dir(machine.policies().join("notes")).unwrap();
    fs::write(machine.policies().join("notes/x.md"), "x").unwrap();
    fs::write(machine.policies().join("README"), "read me").unwrap();
    for serial in 7..10 {
        machine.serial(serial, NOW).unwrap();
        assert_eq!(fs::read_to_string(machine.policies().join("notes/x.md")).unwrap(), "x");
        assert_eq!(fs::read_to_string(machine.policies().join("README")).unwrap(), "read me");
    }
}

#[test]
fn roll_backs_and_other_signers_are_refused() {
    let machine = Machine::new();
    machine.serial(7, NOW).unwrap();
    let at = |serial| machine.bundle(manifest(serial), files(serial), 0);
    assert_eq!(machine.refused(&at(6), NOW, 0), Refusal::Older { serial: 6, highest: 7 });
    let other = machine.bundle(manifest(7), files(8), 0);
    assert_eq!(machine.refused(&other, NOW, 0), Refusal::SameSerial(7));
    let stranger = machine.bundle(manifest(8), files(8), 1);
    assert!(matches!(machine.refused(&stranger, NOW, 0), Refusal::OtherKey { .. }));
    // Whoever calls the pull names another key: the machine follows the first.
    assert!(matches!(machine.refused(&stranger, NOW, 1), Refusal::KeyChanged { .. }));
    let line = machine.bundle(Manifest { name: "lax".to_owned(), ..manifest(8) }, files(8), 0);
    assert!(matches!(machine.refused(&line, NOW, 0), Refusal::NameChanged { .. }));
    let newer =
        machine.bundle(Manifest { requires: Some(Version::new(1, 2, 4)), ..manifest(8) }, files(8), 0);
    assert!(matches!(machine.refused(&newer, NOW, 0), Refusal::OldProgram { .. }));
    let same = machine.bundle(Manifest { requires: Some(Version::new(1, 2, 3)), ..manifest(8) }, files(8), 0);
    machine.pull(&same, NOW, Switches::default()).unwrap();
    let mut broken = files(9);
    broken[1].text.push_str("desision = 1\n");
    let broken = machine.bundle(manifest(9), broken, 0);
    assert!(matches!(machine.refused(&broken, NOW, 0), Refusal::Mistaken(_)));
}

#[test]
fn an_administrator_can_follow_another_line_and_not_go_back_in_it() {
    let machine = Machine::new();
    machine.serial(7, NOW).unwrap();
    let switch = Switches { line: true, ..Switches::default() };
    let other = machine.bundle(Manifest { name: "servers".to_owned(), ..manifest(3) }, files(3), 1);
    machine.pull_with(&other, NOW, switch, 1, &mut |_| Ok(())).unwrap();
    assert_eq!(machine.identity().name, "servers");
    // Back again, and what was seen of the first line still counts.
    let older = machine.bundle(manifest(6), files(6), 0);
    let refused = machine.pull(&older, NOW, switch);
    assert!(
        matches!(refused, Err(PullError::Refused(Refusal::Older { serial: 6, highest: 7 }))),
        "{refused:?}"
    );
    machine.pull(&machine.bundle(manifest(7), files(7), 0), NOW, switch).unwrap();
}

#[test]
fn the_memory_and_the_bundle_in_force_each_keep_old_ones_out() {
    let machine = Machine::new();
    machine.serial(7, NOW).unwrap();
    let older = machine.bundle(manifest(6), files(6), 0);
    let memory = machine.settings().join("bundle/memory.json");
    let kept = fs::read(&memory).unwrap();
    fs::remove_file(&memory).unwrap();
    assert_eq!(machine.refused(&older, NOW, 0), Refusal::Older { serial: 6, highest: 7 });
    fs::write(&memory, &kept).unwrap();
    fs::remove_dir_all(machine.policies()).unwrap();
    let refused = machine.pull(&older, NOW, Switches::default());
    assert!(
        matches!(refused, Err(PullError::Refused(Refusal::Older { serial: 6, highest: 7 }))),
        "{refused:?}"
    );
    // Broken is not absent.
    for text in ["", "{", "{\"latest\": -1}", "[]"] {
        fs::write(&memory, text).unwrap();
        assert!(matches!(machine.serial(8, NOW), Err(PullError::Memory(_))), "{text}");
    }
}

#[test]
fn the_end_of_a_bundle_does_not_end_its_rules() {
    let machine = Machine::new();
    machine.serial(7, NOW).unwrap();
    let late = NOW + DAY + 1;
    assert!(machine.identity().is_stale(late));
    let path = machine.bundle(manifest(7), files(7), 0);
    assert!(matches!(machine.refused(&path, late, 0), Refusal::Expired { .. }));
    assert_eq!(names(&machine.in_force()), ["10-own.toml", "bundle-7-a.toml", "bundle-7-b.toml"]);
}

#[test]
fn a_clock_that_was_wrong_can_be_forgiven_by_an_administrator() {
    let machine = Machine::new();
    let path = machine.bundle(manifest(7), files(7), 0);
    assert!(matches!(machine.refused(&path, NOW + 99 * DAY, 0), Refusal::Expired { .. }));
    assert!(matches!(machine.refused(&path, NOW, 0), Refusal::ClockTurnedBack { .. }));
    machine.pull(&path, NOW, Switches { clock: true, ..Switches::default() }).unwrap();
    machine.serial(8, NOW).unwrap();
}

#[test]
fn hostile_archives_are_refused_even_when_they_are_signed() {
    let machine = Machine::new();
    machine.serial(7, NOW).unwrap();
    let good = pack(&Archive { manifest: manifest(8), files: files(8) }).unwrap();
    let mut longer = good.clone();
    longer.extend([0; 1024]);
    let path = machine.signed(&longer, 0);
    assert_eq!(machine.refused(&path, NOW, 0), Refusal::Malformed(Malformed::NotCanonical));
    let path = machine.signed(&good[..good.len() - 512], 0);
    assert!(matches!(machine.refused(&path, NOW, 0), Refusal::Malformed(_)));
    let path = machine.signed(b"", 0);
    assert!(matches!(machine.refused(&path, NOW, 0), Refusal::Malformed(_)));
    // Too large to be looked at.
    let path = machine.signed(&vec![0; bundle::LARGEST + 1], 0);
    assert!(matches!(machine.pull(&path, NOW, Switches::default()), Err(PullError::Fetch(_))));
    fs::remove_file(path.with_extension("bundle.minisig")).unwrap();
    fs::write(&path, &good).unwrap();
    assert!(
        matches!(machine.pull(&path, NOW, Switches::default()), Err(PullError::Fetch(_))),
        "no signature"
    );
}

/// Every byte, each changed in one way: thousands of pulls, none of which may change anything.
#[test]
fn every_tampered_byte_is_refused() {
    let machine = Machine::new();
    machine.serial(7, NOW).unwrap();
    let in_force = machine.in_force();
    let path = machine.bundle(manifest(8), files(8), 0);
    let signature_file = path.with_extension("bundle.minisig");
    let (bytes, signature) = (fs::read(&path).unwrap(), fs::read_to_string(&signature_file).unwrap());
    let check = |bytes: &[u8], signature: &str| key(0).check(bytes, signature);
    check(&bytes, &signature).unwrap();
    for at in 0..bytes.len() {
        // Most of an archive is padding: each byte of what says something, and every 16th of the rest.
        if bytes[at] == 0 && at % 16 != 0 {
            continue;
        }
        let mut tampered = bytes.clone();
        tampered[at] ^= 1 << (at % 8);
        assert!(check(&tampered, &signature).is_err(), "byte {at}");
    }
    for end in [0, 1, 511, 512, bytes.len() - 512, bytes.len() - 1] {
        assert!(check(&bytes[..end], &signature).is_err(), "cut at {end}");
    }
    // The first line is a remark that is not signed.
    let begin = signature.find('\n').unwrap() + 1;
    for at in begin..signature.len() - 1 {
        for flip in [1u8, 2, 16, 32] {
            let mut tampered = signature.clone().into_bytes();
            tampered[at] ^= flip;
            let tampered = String::from_utf8_lossy(&tampered).into_owned();
            assert!(check(&bytes, &tampered).is_err(), "byte {at} of the signature: {tampered}");
        }
    }
    // And once through all of it.
    let mut tampered = bytes.clone();
    tampered[600] ^= 1;
    fs::write(&path, &tampered).unwrap();
    assert!(matches!(machine.refused(&path, NOW, 0), Refusal::NotSigned(_)));
    assert_eq!(machine.in_force(), in_force);
}

/// Whatever step a pull is killed at, what hooks read is the old bundle or the new one, whole; and the next pull ends well.
#[test]
fn a_pull_killed_anywhere_leaves_the_old_or_the_new_one() {
    let mut reached = 0;
    for after in 0.. {
        let machine = Machine::new();
        machine.serial(7, NOW).unwrap();
        let old = machine.in_force();
        let path = machine.bundle(manifest(8), files(8), 0);
        let mut left = after;
        let mut killed = false;
        let ended = machine.pull_with(&path, NOW, Switches::default(), 0, &mut |_| {
            if killed || left == 0 {
                killed = true;
                return Err(io::Error::other("killed"));
            }
            left -= 1;
            Ok(())
        });
        let now = machine.in_force();
        let is_new = names(&now) == ["10-own.toml", "bundle-8-a.toml", "bundle-8-b.toml"];
        assert!(now == old || is_new, "after {after} steps: {now:?}");
        if is_new {
            assert!(machine.identity().altered(&machine.policies()).is_empty());
        }
        // An older one gains nothing by it.
        let older = machine.bundle(manifest(6), files(6), 0);
        assert!(machine.pull(&older, NOW, Switches::default()).is_err());
        machine.serial(8, NOW).unwrap();
        assert_eq!(names(&machine.in_force()), ["10-own.toml", "bundle-8-a.toml", "bundle-8-b.toml"]);
        assert!(!machine.settings().join("bundle/next").exists());
        if !killed {
            assert!(ended.is_ok());
            break;
        }
        reached = after;
    }
    assert!(reached >= 8, "{reached} steps");
}

/// Hooks read while bundles change places under them: each reads one bundle, whole.
#[test]
fn a_hook_never_reads_half_of_a_bundle() {
    let machine = Machine::new();
    machine.serial(1, NOW).unwrap();
    let policies = machine.policies();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut serials = std::collections::BTreeSet::new();
            while !done.load(Ordering::Relaxed) {
                let places = Places { system: Some(policies.clone()), owner: owner(), ..Places::default() };
                let found = find(&places, None, None);
                let names: Vec<String> = found
                    .iter()
                    .filter_map(|source| source.path.file_name()?.to_str().map(str::to_owned))
                    .filter(|name| name != "policy.d")
                    .collect();
                let serial = names.iter().find_map(|name| name.strip_prefix("bundle-")?.split('-').next());
                let serial = serial.unwrap_or_else(|| panic!("no bundle: {found:?}")).to_owned();
                let whole = [
                    "10-own.toml".to_owned(),
                    format!("bundle-{serial}-a.toml"),
                    format!("bundle-{serial}-b.toml"),
                ];
                assert_eq!(names, whole, "{found:?}");
                serials.insert(serial);
            }
            serials.len()
        });
        for serial in 2..120 {
            machine.serial(serial, NOW).unwrap();
        }
        done.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap() >= 1);
    });
}

#[test]
fn two_pulls_do_not_work_at_once() {
    let machine = Machine::new();
    let path = machine.bundle(manifest(7), files(7), 0);
    let mut inner = None;
    machine
        .pull_with(&path, NOW, Switches::default(), 0, &mut |step| {
            if step == bundle::Step::Stage {
                inner = Some(machine.pull(&path, NOW, Switches::default()));
            }
            Ok(())
        })
        .unwrap();
    assert!(matches!(inner, Some(Err(PullError::Install(bundle::InstallError::Busy)))), "{inner:?}");
}

/// One thing that is done to a machine.
#[derive(Debug, Clone)]
struct Turn {
    serial: u64,
    /// When the bundle begins and ends, and what the clock says: in days from a day in the middle.
    from: i64,
    days: i64,
    clock: i64,
    /// After so many steps the pull is killed.
    killed: Option<usize>,
}

fn turn() -> impl Strategy<Value = Turn> {
    let killed = prop_oneof![3 => Just(None), 1 => (0usize..14).prop_map(Some)];
    (1u64..9, -6i64..6, 1i64..8, -8i64..8, killed).prop_map(|(serial, from, days, clock, killed)| Turn {
        serial,
        from,
        days,
        clock,
        killed,
    })
}

fn at(days: i64) -> u64 {
    NOW.checked_add_signed(days * 86_400).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is offered, and whatever the clock says: no bundle follows a newer one, and none comes into force that was
    /// over at a time which the machine has seen.
    #[test]
    fn neither_serial_numbers_nor_time_go_back(turns in proptest::collection::vec(turn(), 1..12)) {
        let machine = Machine::new();
        let (mut highest, mut latest) = (0, 0);
        for turn in turns {
            let Turn { serial, from, days, clock, killed } = turn.clone();
            let bundle = Manifest { not_before: at(from), not_after: at(from + days), ..manifest(serial) };
            let path = machine.bundle(bundle.clone(), files(serial), 0);
            let before = machine.in_force();
            let mut steps = 0;
            let ended = machine.pull_with(&path, at(clock), Switches::default(), 0, &mut |_| {
                steps += 1;
                if killed.is_some_and(|most| steps > most) { Err(io::Error::other("killed")) } else { Ok(()) }
            });
            let after = machine.in_force();
            let serial_in_force = match in_force_at(&machine.policies()) {
                InForce::Bundle(identity) => identity.serial,
                InForce::None => 0,
                InForce::Broken(why) => panic!("{why}"),
            };
            prop_assert!(serial_in_force >= highest, "{turn:?}: {serial_in_force} after {highest}");
            let before_it = latest;
            latest = bundle::last_pull(&machine.settings()).unwrap().latest;
            prop_assert!(latest >= before_it && (killed.is_some() || latest >= at(clock)));
            match ended {
                Ok(_) => {
                    prop_assert!(before_it <= bundle.not_after && (bundle.not_before..=bundle.not_after).contains(&latest));
                    prop_assert_eq!(serial_in_force, serial);
                }
                Err(_) if killed.is_none() => prop_assert_eq!(&after, &before),
                // Killed: one or the other.
                Err(_) => prop_assert!(after == before || serial_in_force == serial),
            }
            highest = highest.max(serial_in_force);
        }
    }
}
