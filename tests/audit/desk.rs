//! Reading at the desk: sessions, calls folded together, whose and where, and several logs at once.

use std::fs;

use serde_json::Value;

use super::{Home, claude, silent};

/// A session in which a call is denied, one runs, and a file is edited.
fn busy() -> Home {
    let home = Home::new();
    let repository = home.path().canonicalize().unwrap().join("shop");
    fs::create_dir_all(repository.join(".git")).unwrap();
    fs::write(repository.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let root = repository.to_str().unwrap().to_owned();
    let here = |payload: String| payload.replace("/home/user/project", &root);
    silent(&home.hook(here(claude("toolu_1", "git push --force origin main"))));
    let _ = home.block(here(claude("toolu_1", "git push --force origin main")));
    let ran = here(claude("toolu_2", "ls src"));
    silent(&home.hook(ran.as_str()));
    let result = ran.replace("PreToolUse", "PostToolUse");
    silent(&home.hook(result.replace("\"tool_name\"", "\"tool_response\":{\"stdout\":\"a\"},\"tool_name\"")));
    let edit = serde_json::json!({"session_id": "s-2", "transcript_path": "/t", "cwd": root,
        "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_use_id": "toolu_3",
        "tool_input": {"file_path": format!("{root}/src/main.rs"), "content": "x"}});
    silent(&home.hook(edit.to_string()));
    // Elsewhere, by no one's repository.
    silent(&home.hook(claude("toolu_4", "cat ~/.ssh/config")));
    home
}

#[test]
fn records_of_one_call_are_one_line() {
    let home = busy();
    for arguments in [&["tail"][..], &["query"]] {
        let shown = home.people(arguments).stdout;
        let lines: Vec<&str> = shown.lines().skip(1).collect();
        assert_eq!(lines.len(), 4, "{shown}");
        assert!(
            lines[0].contains(" call ") && lines[0].contains(" deny ") && lines[0].contains("git.push-force"),
            "{shown}"
        );
        assert!(lines[1].contains(" call, ran ") && lines[1].ends_with("ls src"), "{shown}");
        let each = home.people(&[arguments, &["--each"]].concat()).stdout;
        assert_eq!(each.lines().count(), 1 + 6, "{each}");
        assert!(each.contains(" PostToolUse "), "{each}");
    }
    // Machines get every record as it is.
    assert_eq!(home.people(&["query", "--format", "json"]).stdout.lines().count(), 6);
    assert_eq!(home.people(&["tail", "-n", "1"]).stdout.lines().count(), 2);
    assert_eq!(home.people(&["query", "--limit", "2"]).stdout.lines().count(), 3);
}

#[test]
fn a_line_for_each_session() {
    let home = busy();
    let shown = home.people(&["sessions"]).stdout;
    assert_eq!(shown.lines().count(), 3, "{shown}");
    let first = shown.lines().nth(1).unwrap();
    let words: Vec<&str> = first.split_whitespace().collect();
    // Day, time, how long (two words), host, repository, calls, denied, asked, session.
    assert_eq!(&words[words.len() - 6..], ["claude", "shop", "3", "1", "-", "s-1"], "{shown}");
    let json: Value = serde_json::from_str(&home.people(&["sessions", "--json"]).stdout).unwrap();
    assert_eq!(
        (&json["sessions"][0]["denied"], &json["sessions"][1]["calls"]),
        (&1.into(), &1.into()),
        "{json}"
    );
    assert_eq!(home.people(&["sessions", "--session", "s-2"]).stdout.lines().count(), 2);
    let none = home.people(&["sessions", "--rule", "containers"]);
    assert_eq!((none.exit, none.stdout.as_str()), (Some(1), "No matching sessions.\n"));
}

#[test]
fn records_are_found_by_repository_user_and_path() {
    let home = busy();
    let repository = home.path().canonicalize().unwrap().join("shop");
    let repository = repository.to_str().unwrap();
    let count = |arguments: &[&str]| {
        let answer = home.people(&[&["query", "--format", "json"], arguments].concat());
        assert!(matches!(answer.exit, Some(0 | 1)), "{answer:?}");
        answer.stdout.lines().count()
    };
    let user = home.records()[1]["user"].as_str().unwrap().to_owned();
    let number = user.rsplit(':').next().unwrap();
    let file = format!("{repository}/src/main.rs");
    for (arguments, expected) in [
        (["--repo", "shop"], 5),
        (["--repo", repository], 5),
        (["--repo", &format!("{repository}/")], 5),
        (["--user", user.as_str()], 6),
        (["--user", number], 6),
        (["--path", file.as_str()], 1),
        (["--path", "src"], 3),
        (["--path", ".ssh"], 1),
        (["--path", "/nowhere"], 0),
    ] {
        assert_eq!(count(&arguments), expected, "{arguments:?}");
    }
    for (arguments, says) in [
        (["--repo", "shpo"], "did you mean `shop`?"),
        (["--decision", "denied"], "'deny'"),
        (["--host", "claud"], "did you mean `claude`?"),
        (["--format", "jsn"], "'json'"),
    ] {
        let answer = home.people(&[&["query"][..], &arguments].concat());
        assert_eq!(answer.exit, Some(2), "{arguments:?}: {answer:?}");
        assert!(answer.stderr.to_lowercase().contains(says), "{arguments:?}: {answer:?}");
    }
}

#[test]
fn several_logs_are_read_at_once() {
    let (one, two) = (busy(), Home::new());
    let _ = two.hook(claude("other", "echo from another machine"));
    let copies = tempfile::tempdir().unwrap();
    for (name, home) in [("one", &one), ("two/deep", &two), ("one-again", &one)] {
        let folder = copies.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(home.log(), folder.join("audit.jsonl")).unwrap();
    }
    let folder = copies.path().to_str().unwrap();
    let shown = one.people(&["query", "--log", folder, "--format", "json"]).stdout;
    // What lies in two copies is read once, and the order is that of time.
    assert_eq!(shown.lines().count(), 7, "{shown}");
    let times: Vec<String> = shown
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["ts"].as_str().unwrap().to_owned())
        .collect();
    assert!(times.is_sorted(), "{times:?}");
    let both = [one.log().display().to_string(), two.log().display().to_string()];
    let stats = one.people(&["stats", "--json", "--log", &both[0], "--log", &both[1]]);
    let stats: Value = serde_json::from_str(&stats.stdout).unwrap();
    assert_eq!(stats["records"], 7);
    let proved = one.people(&["verify", "--log", folder]);
    assert_eq!((proved.exit, proved.stdout.matches("intact: ").count()), (Some(0), 3), "{proved:?}");
    fs::write(copies.path().join("two/deep/audit.jsonl"), two.text().replace("another", "mine")).unwrap();
    let broken = one.people(&["verify", "--log", folder, "--json"]);
    let report: Value = serde_json::from_str(&broken.stdout).unwrap();
    let states: Vec<&Value> = report["logs"].as_array().unwrap().iter().map(|log| &log["intact"]).collect();
    assert_eq!((broken.exit, states), (Some(1), vec![&true.into(), &true.into(), &false.into()]), "{report}");
    // What needs one log says so.
    assert_eq!(one.people(&["anchor", "--log", folder]).exit, Some(2));
    assert_eq!(one.people(&["query", "--log", one.path().join("shop").to_str().unwrap()]).exit, Some(2));
}
