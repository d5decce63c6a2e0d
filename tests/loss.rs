//! What a command would lose decides, where a rule is about loss: hooks in real repositories.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use payload::model::Effect;
use support::call::Call;
use support::programs::{approval_gate, command_blocker, hook_runner};

use crate::scene::{Scene, said};

/// What discards in a tree without changes loses nothing; what discards changes says which.
const DISCARDS: [&str; 7] = [
    "git reset --hard",
    "git checkout -- .",
    "git checkout .",
    "git checkout src/a.rs",
    "git restore src",
    "git checkout -f",
    "git switch -f main",
];

#[test]
fn nothing_is_said_where_nothing_would_be_lost() {
    let scene = Scene::new();
    for line in DISCARDS.into_iter().chain(["git clean -fd", "git stash clear", "git branch -D none"]) {
        for program in [command_blocker(), approval_gate()] {
            assert_eq!(said(&scene.call(program, line).run()).0, Effect::None, "{line}");
        }
    }
    // Only a deleted file comes back.
    fs::remove_file(scene.project().join("src/a.rs")).unwrap();
    assert_eq!(scene.says("git checkout -- src/a.rs").0, Effect::None);
}

/// Discards as agents write them, of files that are there, by all their spellings.
const AS_AGENTS_WRITE_THEM: [&str; 56] = [
    "git checkout -- src/a.rs",
    "git checkout src/a.rs src/b.rs",
    "git checkout HEAD -- src/a.rs",
    "git checkout HEAD src/a.rs",
    "git checkout HEAD~0 -- src",
    "git checkout main -- src/a.rs",
    "git checkout -q -- src/a.rs",
    "git checkout -f main",
    "git checkout --force",
    "git checkout -f HEAD",
    "git checkout .",
    "git checkout -- .",
    "git checkout -- src/",
    "git checkout -- 'src/*.rs'",
    "git checkout -- :/",
    "git restore src/a.rs",
    "git restore -- src/a.rs",
    "git restore .",
    "git restore src/a.rs src/b.rs",
    "git restore --worktree src/a.rs",
    "git restore -W .",
    "git restore --staged --worktree src/a.rs",
    "git restore -SW .",
    "git restore --source=HEAD src/a.rs",
    "git restore --source HEAD --staged --worktree .",
    "git restore -s HEAD -- src",
    "git restore -q src/a.rs",
    "git reset --hard",
    "git reset -q --hard",
    "git reset --hard HEAD",
    "git reset --hard main",
    "git reset --hard @",
    "git reset HEAD --hard",
    "git reset --hard $(git rev-parse HEAD)",
    "git reset --hard \"$(git merge-base HEAD main)\"",
    "git restore --source=$(git rev-parse --short main) src/a.rs",
    "git checkout $(git rev-parse HEAD) -- src/a.rs",
    "git switch -f main",
    "git switch --discard-changes main",
    "git switch --force main",
    "git status && git checkout .",
    "git diff --stat; git reset --hard HEAD",
    "git log -1 && git restore .",
    "cd src && git checkout -- a.rs",
    "cd src && git restore .",
    "git -C src restore a.rs",
    "git -C . reset --hard",
    "git fetch && git checkout -- src/a.rs",
    "git diff src/a.rs | head && git checkout src/a.rs",
    "git rm -f src/a.rs",
    "git rm -rf src",
    "git checkout -- src/a.rs && git status --short",
    "git restore src/a.rs; ls src",
    "git reset --hard 2>&1 | tail -1",
    "git checkout -- src/a.rs 2>/dev/null || true",
    "git reset --hard && git clean -fd",
];

#[test]
fn discards_as_agents_write_them_are_held_back_where_they_lose_something() {
    let held = |scene: &Scene| {
        let held = |line: &&&str| scene.says(line).0 != Effect::None;
        AS_AGENTS_WRITE_THEM.iter().filter(held).copied().collect::<Vec<_>>()
    };
    let scene = Scene::new();
    // At most five in a hundred, in a clean tree and where only deleted files come back.
    let loud = held(&scene);
    assert!(loud.len() <= 2, "clean: {loud:?}");
    fs::remove_file(scene.project().join("src/b.rs")).unwrap();
    let loud = held(&scene);
    assert!(loud.len() <= 2, "deleted: {loud:?}");
    scene.write("src/a.rs", "work\n");
    let held = held(&scene);
    let silent: Vec<_> = AS_AGENTS_WRITE_THEM.iter().filter(|line| !held.contains(line)).collect();
    assert!(silent.is_empty(), "work: {silent:?}");
}

#[test]
fn run_says_what_would_be_lost() {
    let scene = Scene::new();
    let hooks = scene.project().join(".claude");
    fs::create_dir_all(&hooks).unwrap();
    let hook = serde_json::json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "command", "command": command_blocker().display().to_string() },
    ] }] } });
    fs::write(hooks.join("settings.json"), hook.to_string()).unwrap();
    scene.sh("git add .claude && git commit -qm hooks");
    let run = |line: &str| {
        let call = Call::new(hook_runner()).env("HOME", scene.home()).folder(&scene.project());
        call.args(["run", "--trust", "--host", "claude", "--command", line]).run()
    };
    assert_eq!(run("git reset --hard").exit, Some(0));
    scene.write("src/a.rs", "work\n");
    let said = run("git reset --hard");
    assert!(said.exit == Some(1) && said.stdout.replace('\n', " ").contains("src/a.rs"), "{said:?}");
}

#[test]
fn the_reason_says_what_would_be_lost() {
    let scene = Scene::new();
    scene.write("src/a.rs", "one\nTWO\nthree\nfour\n");
    scene.write("new.rs", "new\n");
    for line in DISCARDS {
        let (effect, reason) = scene.says(line);
        assert!(matches!(effect, Effect::Ask | Effect::Deny), "{line}: {effect:?}");
        assert!(reason.contains("src/a.rs (+2 \u{2212}1)"), "{line}: {reason}");
        assert!(!reason.contains("new.rs"), "{line}: {reason}");
    }
    let (effect, reason) = scene.says("git clean -fd");
    assert_eq!(effect, Effect::Deny);
    assert!(reason.contains("untracked new.rs"), "{reason}");
    // What the same line puts away is safe.
    assert_eq!(scene.says("git stash -u && git reset --hard").0, Effect::None);
    assert_eq!(scene.says("git commit -qam wip && git checkout -f").0, Effect::None);
    assert_eq!(scene.says("git commit -qa --amend --no-edit && git reset --hard").0, Effect::None);
    assert_eq!(scene.says("git stash -k && git checkout .").0, Effect::None);
    // Here it is not clean, so that nothing follows.
    assert_eq!(scene.says("git diff --quiet && git reset --hard").0, Effect::None);
    assert_ne!(scene.says("git diff --cached --quiet && git reset --hard").0, Effect::None);
    let is_clean = "[ -z \"$(git status --porcelain)\" ]";
    assert_eq!(scene.says(&format!("{is_clean} && git reset --hard")).0, Effect::None);
    assert_ne!(scene.says(&format!("{is_clean} || git reset --hard")).0, Effect::None);
    assert_ne!(scene.says(&format!("{is_clean}; git reset --hard")).0, Effect::None);
    assert_eq!(scene.says("git reset --hard HEAD~7").0, Effect::None, "git refuses");
    assert_eq!(scene.says("git stash show -p && git stash drop").0, Effect::None, "there is no stash");
    assert_ne!(scene.says("git clean -f -- '*.rs'").0, Effect::None);
    assert_ne!(scene.says("git status; git reset --hard").0, Effect::None);
}

#[test]
fn commits_that_only_a_reflog_holds_are_asked_about() {
    let scene = Scene::new();
    scene.sh(
        "git switch -qc side && echo x > x && git add x && git commit -qm 'work on x' && git switch -q main",
    );
    let (effect, reason) = scene.says("git branch -D side");
    assert_eq!(effect, Effect::Ask, "{reason}");
    assert!(reason.contains("work on x") && reason.contains("git branch kept"), "{reason}");
    scene.sh("git merge -q side");
    assert_eq!(scene.says("git branch -D side").0, Effect::None);
}

#[test]
fn leaving_commits_without_a_branch_is_asked_about() {
    let scene = Scene::new();
    scene.sh("git branch other");
    for line in ["git checkout main", "git switch main", "git checkout -"] {
        assert_eq!(scene.says(line).0, Effect::None, "on a branch: {line}");
    }
    scene.sh("git checkout -q --detach");
    assert_eq!(scene.says("git checkout main").0, Effect::None, "main leads to it");
    scene.sh("echo y > y && git add y && git commit -qm 'work on y'");
    for line in
        ["git checkout main", "git switch other", "git switch -", "git checkout @{-1}", "git checkout HEAD~1"]
    {
        let (effect, reason) = scene.says(line);
        assert_eq!(effect, Effect::Ask, "{line}: {reason}");
        assert!(reason.contains("work on y") && reason.contains("git branch kept"), "{line}: {reason}");
    }
    for line in
        ["git switch -c y", "git branch y && git switch main", "git checkout -- y", "git checkout HEAD"]
    {
        let (effect, reason) = scene.says(line);
        assert_eq!(effect, Effect::None, "{line}: {reason}");
    }
    assert_eq!(scene.says("git checkout stash@{0} -- y").0, Effect::None, "there is no stash");
}

#[test]
fn a_deleted_tag_is_asked_about_with_how_to_get_it_back() {
    let scene = Scene::new();
    assert_eq!(scene.says("git tag -d none").0, Effect::None);
    scene.sh("git tag -a v1 -m one && git tag v2");
    for line in ["git tag -d v1", "git tag --delete v2", "git tag -d v2 v1"] {
        let (effect, reason) = scene.says(line);
        assert!(effect == Effect::Ask && reason.contains("brings back"), "{line}: {effect:?} {reason}");
    }
    let (_, reason) = scene.says("git tag -d v1");
    let how = reason.split('`').find(|part| part.starts_with("git tag v1 ")).unwrap().to_owned();
    let before = scene.sh("git for-each-ref");
    scene.sh(&format!("git tag -d v1 && {how}"));
    assert_eq!(scene.sh("git for-each-ref"), before);
}

#[test]
fn a_look_takes_ten_times_as_long_for_ten_times_as_many_files() {
    let look = |files: usize| {
        let scene = Scene::new();
        // A second between files and index: git does not read again what is clearly older.
        scene.sh(&format!(
            "mkdir many && cd many && seq {files} | xargs touch -d '1 hour ago' && git add . && git commit -qm many"
        ));
        scene.write("src/a.rs", "work\n");
        let question = serde_json::json!({
            "ask": "loss", "text": "git reset --hard", "cwd": scene.project(), "home": scene.home(),
            "atom": 0, "command": "git reset --hard",
        });
        let time = || {
            let start = Instant::now();
            let answer = Call::new(hook_runner()).args(["look"]).input(question.to_string()).run();
            assert!(answer.stdout.contains("src/a.rs"), "{answer:?}");
            start.elapsed()
        };
        // The quickest of five: others work on this machine as well. And whatever it takes, the hook answers.
        let quickest = (0..5).map(|_| time()).min().unwrap();
        assert_eq!(scene.says("git reset --hard").0, Effect::Deny);
        quickest
    };
    let (few, many) = (look(5_000), look(50_000));
    // What grows with the square of the files takes a hundred times as long.
    assert!(many < 30 * few, "5,000 files: {few:?}, 50,000: {many:?}");
    println!("a look at 5,000 files: {few:?}, at 50,000: {many:?}");
}

#[test]
fn references_of_all_kinds_are_looked_at() {
    let scene = Scene::new();
    scene.sh(
        "git switch -qc side && echo x > x && git add x && git commit -qm 'work aside' && git switch -q main \
         && git branch merged && git tag v1 && git tag -a v2 -m two",
    );
    for line in [
        "git update-ref -d refs/heads/merged",
        "git branch -f merged HEAD",
        "git branch -M merged other",
        "git checkout -B merged",
        "git switch -C merged main",
        "git switch -C new main",
        "git tag -f v1",
        "git tag -f v9",
        "git reflog expire --expire=now --all",
        "git stash pop",
    ] {
        assert_eq!(scene.says(line).0, Effect::None, "{line}");
    }
    for line in [
        "git update-ref -d refs/heads/side",
        "git branch -f side main",
        "git branch -M merged side",
        "git checkout -B side main",
        "git switch -C side main",
    ] {
        let (effect, reason) = scene.says(line);
        assert_eq!(effect, Effect::Ask, "{line}: {reason}");
        assert!(reason.contains("work aside") && reason.contains("git branch kept"), "{line}: {reason}");
    }
    let (effect, reason) = scene.says("git tag -f v1 side");
    assert!(effect == Effect::Ask && reason.contains("git tag -f v1 "), "{effect:?} {reason}");
    assert_eq!(scene.says("git tag -f v2").0, Effect::Ask);
    scene.sh("git branch -D side");
    for line in ["git reflog expire --expire=now --all", "git reflog delete HEAD@{1}"] {
        let (effect, reason) = scene.says(line);
        assert_eq!(effect, Effect::Deny, "{line}");
        assert!(reason.contains("work aside"), "{line}: {reason}");
    }
    // What was staged, and differs from what is in the working tree, is only in the stash.
    scene.sh("echo staged > src/a.rs && git add . && echo more > src/a.rs && git stash -q");
    assert_eq!(scene.says("git stash pop").0, Effect::Ask);
    scene.sh("git stash drop -q && echo more > src/a.rs && git stash -q");
    assert_eq!(scene.says("git stash pop").0, Effect::None);
}

#[test]
fn a_forced_push_says_what_is_known_of_what_it_drops() {
    let scene = Scene::new();
    scene.sh("git init -q --bare ../remote && git remote add origin ../remote && git switch -qc mine \
         && git commit -q --allow-empty -m 'pushed work' && git push -qu origin mine && git branch -q kept");
    // The remote lies on this disk: it is as it was when someone last looked, or it is not.
    assert_eq!(scene.says("git push --force").0, Effect::None);
    scene.sh("git clone -qb mine ../remote ../theirs && cd ../theirs && git commit -q --allow-empty -m theirs && git push -q");
    // What others have pushed since then is not known here, and a push that prunes as well is no better.
    for line in
        ["git push --force --prune", "git push --prune origin +mine", "git push --prune --force origin"]
    {
        assert_eq!(scene.says(line).0, Effect::Deny, "{line}");
    }
    let (effect, reason) = scene.says("git push --force");
    assert!(effect == Effect::Deny && !reason.contains("would lose"), "{effect:?} {reason}");
    scene.sh("git -C ../remote update-ref refs/heads/mine mine~1");
    assert_eq!(scene.says("git push --force").0, Effect::None);
    // Elsewhere, someone may have pushed since: no one says that nothing goes, unless git itself checks.
    scene.sh("git remote set-url --push origin https://example.org/remote.git");
    assert_eq!(scene.says("git push --force").0, Effect::Deny);
    assert_eq!(scene.says("git push --force-with-lease").0, Effect::None);
    scene.sh("git config --unset remote.origin.pushurl");
    scene.sh("git branch -qD kept && git reset -q --hard HEAD~1");
    for line in [
        "git push --force",
        "git push -f origin mine",
        "git push origin +mine",
        "git push origin +HEAD:mine",
        "git push origin --delete mine",
        "git push origin :mine",
        "git push --mirror origin",
    ] {
        let (effect, reason) = scene.says(line);
        assert_ne!(effect, Effect::None, "{line}");
        assert!(reason.contains("pushed work") && reason.contains("git branch kept"), "{line}: {reason}");
    }
    assert_eq!(scene.says("git push --force").0, Effect::Deny);
    assert_eq!(scene.says("git push --dry-run --force").0, Effect::None);
    assert_eq!(scene.says("git push --force-with-lease").0, Effect::None);
}

/// Lines that overwrite `src/a.rs`.
const OVERWRITES: [&str; 9] = [
    "echo x > src/a.rs",
    "cat > src/a.rs <<'EOF'\nx\nEOF",
    "cp src/b.rs src/a.rs",
    "mv src/b.rs src/a.rs",
    "sed -i s/one/two/ src/a.rs",
    "truncate -s 0 src/a.rs",
    "echo x | tee src/a.rs",
    "dd if=src/b.rs of=src/a.rs",
    "rsync -a --delete ../new/ src/",
];

#[test]
fn what_overwrites_uncommitted_changes_is_asked_about() {
    let scene = Scene::new();
    for line in OVERWRITES {
        assert_eq!(scene.says(line).0, Effect::None, "{line}");
    }
    scene.write("src/a.rs", "one\nTWO\nthree\n");
    for line in OVERWRITES {
        let (effect, reason) = scene.says(line);
        assert_eq!(effect, Effect::Ask, "{line}: {reason}");
        assert!(reason.contains("src/a.rs (+1 \u{2212}1)"), "{line}: {reason}");
    }
    scene.write("draft.md", "a draft\n");
    let (effect, reason) = scene.says("echo x > draft.md");
    assert!(effect == Effect::Ask && reason.contains("untracked draft.md"), "{effect:?} {reason}");
    for line in [
        "echo x >> src/a.rs",
        "echo x > src/b.rs",
        "echo x > src/new.rs",
        "cat src/a.rs > copy.rs",
        "sed s/one/two/ src/a.rs > /tmp/x",
        "cp src/a.rs src/copy.rs",
        "git commit -qam x && echo x > src/a.rs",
        "git add src/a.rs && sed -i s/one/two/ src/a.rs",
    ] {
        assert_eq!(scene.says(line).0, Effect::None, "{line}");
    }
}

#[test]
fn what_exists_nowhere_else_is_not_deleted_without_a_question() {
    let scene = Scene::new();
    scene.write("notes.md", "notes\n");
    scene.write("src/a.rs", "one\nTWO\nthree\n");
    for (line, expected) in [
        ("rm notes.md", Effect::Ask),
        ("unlink notes.md", Effect::Ask),
        ("rm -f src/a.rs", Effect::Ask),
        ("find . -name '*.md' -delete", Effect::Ask),
        ("python3 -c \"open('src/a.rs', 'w').write('x')\"", Effect::Ask),
        // What is moved is the same elsewhere.
        ("mv src /tmp/away && rm -rf /tmp/away", Effect::Deny),
        ("mkdir /tmp/away && mv src /tmp/away/ && rm -rf /tmp/away", Effect::Deny),
        ("rm -rf away; mv src away", Effect::None),
        // Patterns of all kinds.
        ("rm note?.md", Effect::Ask),
        ("rm [n]otes.md", Effect::Ask),
        ("for f in *.md; do echo x > \"$f\"; done", Effect::Ask),
        ("rm [!]x]otes.md", Effect::Ask),
        ("rm note?.txt", Effect::None),
        ("rm src/b.rs", Effect::None),
        ("rm -f missing.md", Effect::None),
        ("mkdir -p made && cd made && rm notes.md", Effect::None),
        ("git clean -f -- '*.toml'", Effect::None),
        ("git add . && git commit -qm all && rm notes.md", Effect::None),
        ("find . -name '*.pyc' -delete", Effect::None),
        ("find . -name '*.py[co]' -delete", Effect::None),
        ("find . -name '*.m[dx]' -delete", Effect::Ask),
    ] {
        let (effect, reason) = scene.says(line);
        assert_eq!(effect, expected, "{line}: {reason}");
    }
    // A name says that tools make it again, but git tracks it.
    scene.sh("mkdir -p build && echo x > build/t.c && git add -f build && git commit -qm build && echo y > build/t.c");
    for line in ["git checkout build", "git restore build/t.c", "echo x > build/t.c"] {
        assert_eq!(scene.says(line).0, Effect::Ask, "{line}");
    }
    // What a build has written anew is the build's.
    assert_eq!(scene.says("rm -rf build").0, Effect::None);
    // What is staged, and is not in the file any more.
    scene
        .sh("git add . && git commit -qm all && echo staged > src/b.rs && git add . && echo more > src/b.rs");
    assert_eq!(scene.says("git restore --staged src/b.rs").0, Effect::Ask);
    assert_eq!(scene.says("git reset -q").0, Effect::Ask);
    assert_eq!(scene.says("git reset -- src/a.rs").0, Effect::None);
}

#[test]
fn repositories_within_one_are_kept() {
    let scene = Scene::new();
    let source = "git init -q --bare -b main ../source && git push -q ../source main";
    scene.sh(&format!("{source} && git clone -q ../source clone && git init -q own && echo x > own/x"));
    // What came from elsewhere can be had there.
    assert_eq!(scene.says("rm -rf clone").0, Effect::None);
    let (effect, reason) = scene.says("rm -rf own");
    assert!(effect == Effect::Ask && reason.contains("the repository own"), "{effect:?} {reason}");
    scene.sh("cd clone && git commit -q --allow-empty -m mine");
    assert_eq!(scene.says("rm -rf clone").0, Effect::Ask);
}

#[test]
fn objects_are_pruned_where_nothing_loose_is_missed() {
    let scene = Scene::new();
    assert_eq!(scene.says("git gc --prune=now").0, Effect::None);
    // The files of a stash that was put back are there.
    scene.sh("echo more >> src/a.rs && git stash -q && git stash pop -q");
    assert_eq!(scene.says("git prune").0, Effect::None);
    scene.sh("git stash -q && git stash drop -q");
    let (effect, reason) = scene.says("git prune");
    assert!(effect == Effect::Ask && reason.contains("that nothing leads to"), "{effect:?} {reason}");
}

/// What Claude Code notes of a call.
fn noted(tool: &str, input: &serde_json::Value) -> String {
    serde_json::json!({
        "type": "assistant", "timestamp": "2020-01-01T00:00:00.000Z",
        "message": { "content": [{ "type": "tool_use", "name": tool, "input": input }] },
    })
    .to_string()
}

#[test]
fn what_the_session_has_made_itself_is_not_a_loss() {
    let scene = Scene::new();
    let log = scene.at("session.jsonl");
    let says = |line: &str| {
        let (_, payload) = support::payloads::shell_call(support::hosts::Target::Claude, line);
        let mut payload: serde_json::Value = serde_json::from_str(&payload).unwrap();
        payload["cwd"] = scene.project().to_str().unwrap().into();
        payload["transcript_path"] = log.to_str().unwrap().into();
        said(&scene.call(command_blocker(), line).input(payload.to_string()).run()).0
    };
    let a = scene.project().join("src/a.rs");
    let edit = serde_json::json!({ "file_path": a, "old_string": "two", "new_string": "TWO" });
    let made = serde_json::json!({ "file_path": scene.project().join("made.rs"), "content": "made\n" });
    fs::write(&log, [noted("Edit", &edit), noted("Write", &made)].join("\n")).unwrap();
    // The model's edits, and nothing else: they may be discarded and overwritten.
    scene.write("src/a.rs", "one\nTWO\nthree\n");
    scene.write("made.rs", "made\n");
    for line in OVERWRITES.iter().chain(&DISCARDS).chain(&["git clean -f", "git checkout -- src/a.rs"]) {
        assert_eq!(says(line), Effect::None, "{line}");
    }
    // Someone else has changed it as well.
    scene.write("src/a.rs", "one\nTWO\nthree, and mine\n");
    for line in DISCARDS {
        assert!(matches!(says(line), Effect::Ask | Effect::Deny), "{line}");
    }
    // What a shell did since the session began is not gone through byte by byte.
    assert_eq!(says("sed -i s/one/two/ src/a.rs"), Effect::None);
    // Before it, or without a word of it, it was not the session's.
    scene.sh("touch -d 2019-01-01 src/a.rs");
    assert_eq!(says("sed -i s/one/two/ src/a.rs"), Effect::Ask);
    scene.sh("touch src/a.rs");
    fs::write(&log, noted("Bash", &serde_json::json!({ "command": "ls" }))).unwrap();
    assert_eq!(says("sed -i s/one/two/ src/a.rs"), Effect::Ask);
    fs::remove_file(&log).unwrap();
    assert_eq!(says("sed -i s/one/two/ src/a.rs"), Effect::Ask);
}

#[test]
fn deletions_by_other_programs_are_looked_at() {
    let scene = Scene::new();
    let lines = ["find src -delete", "find . -name '*.rs' -delete", "find src -name '*.rs' | xargs rm -f"];
    for line in lines {
        assert_eq!(scene.says(line).0, Effect::None, "{line}");
    }
    scene.write("src/a.rs", "work\n");
    for line in &lines[..2] {
        let (effect, reason) = scene.says(line);
        assert!(effect != Effect::None && reason.contains("src/a.rs (+1"), "{line}: {effect:?} {reason}");
    }
}

#[test]
fn deleting_what_git_holds_loses_nothing() {
    let scene = Scene::new();
    for line in ["rm -rf src", "rm -r src/*", "cd src && rm -rf *", "rm -rf ./src/"] {
        assert_eq!(scene.says(line).0, Effect::None, "{line}");
    }
    scene.write("src/a.rs", "changed\n");
    scene.write("src/new.rs", "new\n");
    scene.write("src/x.log", "ignored\n");
    scene.sh("mkdir -p src/target && echo made > src/target/o");
    for line in ["rm -rf src", "rm -r src/*", "cd src && rm -rf *"] {
        let (effect, reason) = scene.says(line);
        assert_eq!(effect, Effect::Deny, "{line}");
        assert!(
            reason.contains("src/a.rs (+1 \u{2212}3)") && reason.contains("src/new.rs"),
            "{line}: {reason}"
        );
    }
    // It loses what was lost anyway, and no more.
    assert_eq!(scene.says("rm -rf src; git checkout src").0, Effect::Deny);
    scene.sh("git stash -q -u && rm -f src/x.log && git init -q src/inner");
    assert_eq!(scene.says("rm -rf src").0, Effect::Deny, "a repository in it");
}

#[test]
fn a_link_leads_to_what_no_one_has_looked_at() {
    let scene = Scene::new();
    scene.sh("mkdir -p ../other && echo precious > ../other/x && ln -s ../other lib && git add lib && git commit -qm link");
    assert_eq!(scene.says("rm -rf lib").0, Effect::None);
    for line in ["rm -rf lib/../.git", "rm -rf .git", "rm -rf src ../other", "rm -rf src lib/*"] {
        assert_eq!(scene.says(line).0, Effect::Deny, "{line}");
    }
}

#[test]
fn a_working_tree_takes_its_own_commits_with_it() {
    let scene = Scene::new();
    scene.sh("git worktree add -q --detach ../apart && cd ../apart && echo x > x && git add x && git commit -qm 'work apart'");
    let (effect, reason) = scene.says("git worktree remove ../apart");
    assert_eq!(effect, Effect::Ask, "{reason}");
    assert!(reason.contains("work apart") && !reason.contains("brings back"), "{reason}");
    scene.sh("git worktree add -q ../clean -b clean");
    for line in [
        "git worktree remove ../clean",
        "git worktree remove --force ../clean",
        "git worktree remove ../none",
    ] {
        assert!(!matches!(scene.says(line).0, Effect::Deny), "{line}");
    }
    assert_eq!(scene.says("git worktree remove --force ../clean").0, Effect::None);
    assert_eq!(scene.says("git worktree remove ../none").0, Effect::None);
    scene.sh("echo work > ../clean/new.rs");
    let (effect, reason) = scene.says("git worktree remove --force ../clean");
    assert_eq!(effect, Effect::Ask, "{reason}");
    assert!(reason.contains("untracked new.rs"), "{reason}");
}

#[test]
fn explain_says_what_would_be_lost_here_and_now() {
    let scene = Scene::new();
    let explain = |line: &str| {
        let call = Call::new(command_blocker()).env("HOME", scene.home()).folder(&scene.project());
        call.args(["explain", line]).run()
    };
    let clean = explain("git reset --hard");
    assert_eq!(clean.exit, Some(0), "{clean:?}");
    assert!(clean.stdout.contains("Nothing would be lost here and now."), "{}", clean.stdout);
    scene.write("src/b.rs", "changed\n");
    let dirty = explain("git reset --hard");
    assert_eq!(dirty.exit, Some(1));
    assert!(
        dirty.stdout.contains("It would lose uncommitted changes in src/b.rs (+1 \u{2212}1)."),
        "{}",
        dirty.stdout
    );
}

#[test]
fn a_policy_that_names_a_rule_makes_it_speak_all_the_same() {
    let scene = Scene::new();
    let policy = scene.home().join(".config/policy-hooks");
    fs::create_dir_all(&policy).unwrap();
    fs::write(policy.join("policy.toml"), "schema = 1\n[builtin.rules]\n\"git.reset-hard\" = \"deny\"\n")
        .unwrap();
    let (effect, reason) = said(&scene.call(approval_gate(), "git reset --hard").run());
    assert_eq!(effect, Effect::Deny, "{reason}");
    assert_eq!(said(&scene.call(approval_gate(), "git checkout .").run()).0, Effect::None);
}

#[test]
fn a_hostile_repository_runs_nothing_and_delays_no_one() {
    let scene = Scene::new();
    scene.sh(
        "echo '*.rs filter=bad diff=bad' > .gitattributes && git add . && git commit -qm attributes \
         && printf '#!/bin/sh\\ntouch ../ran\\ncat\\n' > ../bad.sh && chmod +x ../bad.sh \
         && for name in core.fsmonitor filter.bad.clean filter.bad.smudge filter.bad.process diff.bad.textconv \
            core.pager core.sshCommand alias.reset; do git config $name \"$PWD/../bad.sh\"; done \
         && git config core.hooksPath \"$PWD/..\" && cp ../bad.sh ../post-index-change",
    );
    scene.write("src/a.rs", "changed\n");
    for line in DISCARDS {
        assert_ne!(scene.says(line).0, Effect::None, "{line}");
    }
    assert!(!scene.at("ran").exists());

    let scene = Scene::new();
    let index = scene.project().join(".git/index");
    fs::remove_file(&index).unwrap();
    assert!(Command::new("mkfifo").arg(&index).status().unwrap().success());
    let start = Instant::now();
    let (effect, reason) =
        scene.says("git reset --hard; git checkout .; git restore .; git clean -fd; git stash clear");
    assert_eq!(effect, Effect::Deny, "{reason}");
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
}

#[test]
fn what_is_not_known_is_judged_by_its_text() {
    let scene = Scene::new();
    scene.write("notes", "notes\n");
    for line in [
        "git -C /no/such/folder reset --hard",
        "GIT_DIR=/elsewhere/.git git reset --hard",
        "git --git-dir=../other/.git reset --hard",
        "python3 make.py && git reset --hard",
        "mv notes src/a.rs; git checkout src/a.rs",
        "git checkout -- $FILES",
        "ssh host git reset --hard",
        "git pull && git reset --hard",
    ] {
        assert_ne!(scene.says(line).0, Effect::None, "{line}");
    }
    let answer = scene.call(command_blocker(), "git reset --hard").env("GIT_DIR", "/elsewhere/.git").run();
    assert_eq!(said(&answer).0, Effect::Deny);
    // No runner lies beside the hook.
    let alone = scene.at("command-blocker");
    fs::copy(command_blocker(), &alone).unwrap();
    assert_eq!(said(&scene.call(&alone, "git reset --hard").run()).0, Effect::Deny);
}

#[test]
fn git_is_asked_which_files_are_as_committed() {
    let scene = Scene::new();
    scene.write("src/b.rs", "changed\n");
    scene.write("new.rs", "new\n");
    let path = |name: &str| scene.project().join(name).to_str().unwrap().to_owned();
    let question = serde_json::json!({
        "ask": "committed",
        "paths": [path("src/a.rs"), path("src/b.rs"), path("new.rs"), path("gone.rs"), "/no/such/file"],
    });
    let answer = Call::new(hook_runner()).args(["look"]).input(question.to_string()).run();
    assert_eq!(answer.stdout.trim(), r#"{"committed":[true,false,false,false,null]}"#, "{answer:?}");
}

/// Names of folders that tools make again in one project, and that another one tracks.
const PERHAPS_TRACKED: [&str; 5] = ["logs", "results", "vendor", "public", "bin"];

#[test]
fn a_disposable_name_that_git_tracks_is_a_folder_like_any_other() {
    let scene = Scene::new();
    for name in PERHAPS_TRACKED {
        let line = format!("rm -rf {name}");
        scene.sh(&format!("mkdir {name} && echo one > {name}/a && echo made > {name}/x.log"));
        assert_eq!(scene.says(&line).0, Effect::None, "{line}: git tracks nothing in it");
        scene.sh(&format!("git add {name} && git commit -qm {name}"));
        assert_eq!(scene.says(&line).0, Effect::None, "{line}: nothing has changed");
        scene.write(&format!("{name}/a"), &format!("two of {name}\n"));
        for line in [&*line, &format!("rm -r {name}/*"), &format!("cd {name} && rm -rf *")] {
            let (effect, reason) = scene.says(line);
            assert_eq!(effect, Effect::Deny, "{line}: {reason}");
            assert!(reason.contains(&format!("uncommitted changes in {name}/a (+1")), "{line}: {reason}");
            assert!(!reason.contains("x.log"), "{line}: {reason}");
        }
    }
    // What a build has written anew is the build's.
    scene.sh(
        "mkdir dist && echo one > dist/a.js && git add dist && git commit -qm dist && echo two > dist/a.js",
    );
    assert_eq!(scene.says("rm -rf dist").0, Effect::None);
    // A file that git does not know yet counts in a tracked folder.
    scene.sh("git checkout -q logs && echo new > logs/new");
    let (effect, reason) = scene.says("rm -rf logs");
    assert!(effect == Effect::Deny && reason.contains("untracked logs/new"), "{effect:?} {reason}");
}
