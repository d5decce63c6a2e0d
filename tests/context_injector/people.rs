//! `preview` and `trust`, as people call them.

use std::fs;

use payload::model::Effect;
use support::call::{Answer, Call};
use support::hosts::Target;
use support::programs::context_injector;

use super::scene::{HEAD, Scene};

fn ask(scene: &Scene, arguments: &[&str]) -> Answer {
    Call::new(context_injector())
        .args(arguments.iter().copied())
        .env("HOME", scene.home())
        .env("XDG_STATE_HOME", "")
        .folder(&scene.project())
        .run()
}

#[test]
fn a_preview_is_what_each_host_would_get() {
    let scene = Scene::new();
    let told = scene.told();
    let answer = ask(&scene, &["preview"]);
    assert_eq!((answer.exit, answer.stderr.as_str()), (Some(0), ""), "{answer:?}");
    assert!(answer.stdout.starts_with(&format!("{told}\n\n")) && told.starts_with(HEAD), "{answer:?}");
    for (host, target) in [
        ("vscode", Target::VsCode),
        ("copilot", Target::CopilotPascal),
        ("copilot (camelCase)", Target::CopilotCamel),
        ("claude", Target::Claude),
        ("codex", Target::Codex),
        ("gemini", Target::Gemini),
    ] {
        let head = format!("\n{host}, SessionStart:\n");
        let stdout = answer.stdout.split_once(&head).unwrap_or_else(|| panic!("{host}: {}", answer.stdout)).1;
        let stdout = stdout.lines().next().unwrap().to_owned();
        let reply = Answer { stdout, stderr: String::new(), exit: Some(0) };
        let outcome = target.reads("SessionStart", &reply);
        assert_eq!(
            (outcome.effect, outcome.context.as_deref()),
            (Effect::default(), Some(told.as_str())),
            "{host}"
        );
    }
    assert!(answer.stdout.contains("\ngemini, SubagentStart:\n{}\n"), "{}", answer.stdout);
    let one = ask(&scene, &["preview", "--host", "claude"]);
    assert!(one.stdout.contains("\nclaude, ") && !one.stdout.contains("\ncopilot, "), "{one:?}");
    let elsewhere = Call::new(context_injector())
        .args(["preview", "--cwd", scene.project().to_str().unwrap()])
        .env("HOME", scene.home())
        .run();
    assert!(elsewhere.stdout.starts_with(&told), "{elsewhere:?}");
}

#[test]
fn a_preview_of_nothing_says_so() {
    let scene = Scene::new();
    let empty = scene.home().join("empty");
    fs::create_dir(&empty).unwrap();
    let answer =
        Call::new(context_injector()).args(["preview"]).env("HOME", scene.home()).folder(&empty).run();
    assert_eq!(
        (answer.stdout.as_str(), answer.exit),
        ("There is nothing to report here.\n", Some(0)),
        "{answer:?}"
    );
    assert_eq!(ask(&scene, &["preview", "--cwd", "/no/such/folder"]).exit, Some(2));
    assert_eq!(ask(&scene, &["preview", "--host", "emacs"]).exit, Some(2));
}

#[test]
fn trust_is_not_given_without_a_terminal() {
    let scene = Scene::new();
    assert_eq!(ask(&scene, &["trust"]).exit, Some(2), "there is no file");
    scene.write(".github/hooks/context.toml", "[context]\nfacts = [\"commits\"]\n");
    let answer = ask(&scene, &["trust"]);
    assert_eq!(answer.exit, Some(2), "{answer:?}");
    assert!(answer.stderr.contains("terminal") && !store::trust::file(&scene.home()).exists(), "{answer:?}");
    let file = scene.project().join(".github/hooks/context.toml");
    let mut trust = store::trust::Trust::default();
    trust.add_file(&file, &fs::read(&file).unwrap()).unwrap();
    trust.write(&store::trust::file(&scene.home())).unwrap();
    assert!(scene.told().contains("\ncommits: "));
    assert_eq!(ask(&scene, &["trust", "--revoke"]).exit, Some(0));
    assert!(!scene.told().contains("\ncommits: "));
}

#[test]
fn help_says_what_happens() {
    let answer = ask(&Scene::new(), &["--help-all"]);
    assert_eq!((answer.stderr.as_str(), answer.exit), ("", Some(0)));
    for word in ["preview", "trust", "{} and exit 0", "8000"] {
        assert!(answer.stdout.contains(word), "{word}: {}", answer.stdout);
    }
}
