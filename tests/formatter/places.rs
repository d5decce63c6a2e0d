//! Where a file lies decides whether it is formatted, and by what.

use std::fs;
use std::os::unix::fs::symlink;
use std::thread;

use serde_json::json;

use super::scene::{SQUEEZE, Scene, told};

const UGLY: &str = "a  b\n";
const NICE: &str = "a b\n";

/// A file that may not be touched by an edit that names `path`.
#[track_caller]
fn untouched(scene: &Scene, path: &str) {
    let before = scene.tree();
    let answer = scene.wrote(path);
    assert_eq!(answer.stdout, "{}", "{path}: {answer:?}");
    assert!(before == scene.tree(), "{path}");
}

#[test]
fn what_git_ignores_is_left_alone_unless_it_is_tracked() {
    let scene = Scene::new();
    scene.write("a.log.ts", UGLY);
    untouched(&scene, "a.log.ts");
    scene.git(&["add", "-f", "a.log.ts"]);
    scene.wrote("a.log.ts");
    assert_eq!(scene.read("a.log.ts"), NICE);
}

#[test]
fn nothing_outside_of_the_project_is_touched() {
    let scene = Scene::new();
    let outside = scene.home().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join(".prettierrc"), "{}").unwrap();
    fs::write(outside.join("a.ts"), UGLY).unwrap();
    symlink(outside.join("a.ts"), scene.project().join("link.ts")).unwrap();
    symlink(&outside, scene.project().join("folder")).unwrap();
    symlink("link.ts", scene.project().join("chain.ts")).unwrap();
    for path in ["link.ts", "chain.ts", "folder/a.ts", "../outside/a.ts", "x/../../outside/a.ts"] {
        untouched(&scene, path);
    }
    untouched(&scene, outside.join("a.ts").to_str().unwrap());
}

#[test]
fn a_link_inside_of_the_project_stays_a_link() {
    let scene = Scene::new();
    scene.write("src/a.ts", UGLY);
    symlink("src/a.ts", scene.project().join("link.ts")).unwrap();
    scene.wrote("link.ts");
    assert_eq!(scene.read("src/a.ts"), NICE);
    assert!(scene.project().join("link.ts").is_symlink());
}

#[test]
fn what_is_not_a_file_of_its_own_is_left_alone() {
    let scene = Scene::new();
    fs::create_dir(scene.project().join("folder.ts")).unwrap();
    scene.write("first.ts", UGLY);
    fs::hard_link(scene.project().join("first.ts"), scene.project().join("second.ts")).unwrap();
    symlink("nowhere.ts", scene.project().join("broken.ts")).unwrap();
    let fifo = scene.project().join("pipe.ts");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    for path in ["folder.ts", "first.ts", "broken.ts", "gone.ts", "pipe.ts", "first.ts/x.ts", ""] {
        let answer = scene.wrote(path);
        assert_eq!(answer.stdout, "{}", "{path}");
    }
    assert_eq!(scene.read("first.ts"), UGLY);
}

#[test]
fn a_patch_that_renames_formats_the_new_file_only() {
    let scene = Scene::new();
    scene.write("new.ts", UGLY);
    scene.write("other.ts", UGLY);
    let patch = "*** Begin Patch\n*** Update File: old.ts\n*** Move to: new.ts\n@@\n-x\n+a  b\n*** Delete File: gone.ts\n*** End Patch";
    let payload = json!({
        "session_id": "s", "turn_id": "t", "model": "m", "cwd": scene.project(), "hook_event_name": "PostToolUse",
        "tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_response": "Success.",
    });
    let answer = scene.call(&payload).run();
    assert!(told(&answer).contains("new.ts"), "{answer:?}");
    assert_eq!((scene.read("new.ts").as_str(), scene.read("other.ts").as_str()), (NICE, UGLY));
    assert!(!scene.project().join("old.ts").exists() && !scene.project().join("gone.ts").exists());
}

#[test]
fn hooks_agents_and_other_repositories_are_left_alone() {
    let scene = Scene::new();
    let inner = [".github/hooks/a.json", ".claude/settings.json", ".git/a.ts", "inner/src/a.ts", ".mcp.json"];
    for path in inner {
        scene.write(path, UGLY);
    }
    scene.write("inner/.git", "gitdir: ../elsewhere\n");
    scene.write("inner/.prettierrc", "{}");
    for path in inner {
        untouched(&scene, path);
    }
}

#[test]
fn without_a_configuration_nothing_is_formatted() {
    let scene = Scene::new();
    fs::remove_file(scene.project().join(".prettierrc")).unwrap();
    // What lies above the project is not the project's.
    fs::write(scene.home().join(".prettierrc"), "{}").unwrap();
    scene.write("package.json", "{\"name\":\"x\"}\n");
    scene.write("a.ts", UGLY);
    untouched(&scene, "a.ts");
    scene.write("src/.prettierrc", "{}");
    scene.write("src/deep/a.ts", UGLY);
    untouched(&scene, "a.ts");
    scene.wrote("src/deep/a.ts");
    assert_eq!(scene.read("src/deep/a.ts"), NICE);
}

#[test]
fn the_nearest_configuration_counts() {
    let scene = Scene::new();
    scene.formatter("biome", "sed 's/b/biome/'");
    scene.write("web/biome.json", "{}");
    scene.write("web/src/a.ts", UGLY);
    scene.write("a.ts", UGLY);
    scene.write("web/src/a.yaml", UGLY);
    scene.wrote("web/src/a.ts");
    scene.wrote("a.ts");
    // Biome knows no YAML, so the next one counts.
    scene.wrote("web/src/a.yaml");
    assert_eq!(scene.read("web/src/a.ts"), "a  biome\n");
    assert_eq!((scene.read("a.ts").as_str(), scene.read("web/src/a.yaml").as_str()), (NICE, NICE));
}

#[test]
fn outside_of_a_repository_the_folder_is_the_project() {
    let scene = Scene::new();
    let folder = scene.home().join("plain");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(".prettierrc"), "{}").unwrap();
    fs::write(folder.join("a.ts"), UGLY).unwrap();
    let mut payload = scene.claude("a.ts");
    payload["cwd"] = folder.to_str().unwrap().into();
    scene.call(&payload).run();
    assert_eq!(fs::read_to_string(folder.join("a.ts")).unwrap(), NICE);
}

#[test]
fn the_folder_that_the_agent_works_in_may_lie_in_the_project() {
    let scene = Scene::new();
    scene.write("sub/a.ts", UGLY);
    let mut payload = scene.claude("a.ts");
    payload["cwd"] = scene.project().join("sub").to_str().unwrap().into();
    scene.call(&payload).run();
    assert_eq!(scene.read("sub/a.ts"), NICE);
}

#[test]
fn what_changes_in_between_stays() {
    let scene = Scene::new();
    let path = scene.write("a.ts", UGLY);
    let change = |how: &str| scene.formatter("prettier", &format!("{how}; {SQUEEZE}"));
    let shown = path.display();
    change(&format!("printf 'someone  else\\n' > '{shown}'"));
    let answer = scene.wrote("a.ts");
    assert_eq!((answer.stdout.as_str(), scene.read("a.ts").as_str()), ("{}", "someone  else\n"));
    assert!(answer.stderr.contains("changed meanwhile"), "{answer:?}");
    change(&format!("rm '{shown}'"));
    assert_eq!(scene.wrote("a.ts").stdout, "{}");
    assert!(!path.exists());
    let outside = scene.home().join("victim.ts");
    fs::write(&outside, UGLY).unwrap();
    scene.write("a.ts", UGLY);
    change(&format!("rm '{shown}'; ln -s '{}' '{shown}'", outside.display()));
    assert_eq!(scene.wrote("a.ts").stdout, "{}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), UGLY);
    assert!(path.is_symlink());
}

#[test]
fn two_hooks_at_once_do_not_fight() {
    let scene = Scene::new();
    for round in 0..5 {
        scene.write("a.ts", UGLY.repeat(1000));
        let answers: Vec<_> = thread::scope(|scope| {
            let calls: Vec<_> = (0..4).map(|_| scope.spawn(|| scene.wrote("a.ts"))).collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        assert_eq!(scene.read("a.ts"), NICE.repeat(1000), "round {round}");
        let told = answers.iter().filter(|answer| told(answer).contains("rewrote")).count();
        assert!(told >= 1, "{answers:?}");
        let left: Vec<_> =
            fs::read_dir(scene.project()).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".formatting")), "{left:?}");
    }
}

#[test]
fn what_the_user_excludes_is_left_alone() {
    let scene = Scene::new();
    scene.settings("exclude = [\"vendor/**\", \"*.min.ts\"]\n");
    for path in ["vendor/deep/a.ts", "src/a.min.ts"] {
        scene.write(path, UGLY);
        untouched(&scene, path);
    }
}
