//! Configuration that is code runs only as it was committed, or where the person trusts the repository.

use std::fs;

use super::scene::{SQUEEZE, Scene, noticed, program};

const UGLY: &str = "a  b\n";
const NICE: &str = "a b\n";

/// Prettier with this configuration and nothing else, all of it committed.
fn configured(name: &str, text: &str) -> Scene {
    let scene = Scene::new();
    fs::remove_file(scene.project().join(".prettierrc")).unwrap();
    scene.write(name, text);
    scene.commit();
    scene
}

/// Whether prettier runs after an edit of `src/a.ts`, and what the person reads.
fn runs(scene: &Scene) -> (bool, String) {
    scene.write("src/a.ts", UGLY);
    let answer = scene.wrote("src/a.ts");
    (scene.read("src/a.ts") == NICE, noticed(&answer))
}

#[track_caller]
fn refused(scene: &Scene, why: &str) {
    let (ran, noticed) = runs(scene);
    assert!(!ran && noticed.contains(why), "{noticed}");
    scene.trust();
    assert!(runs(scene).0, "trusted");
}

const CONFIG: &str = "export default { semi: false };\n";

#[test]
fn code_that_was_committed_runs() {
    for name in ["prettier.config.js", ".prettierrc.cjs", "prettier.config.mts"] {
        let scene = configured(name, CONFIG);
        assert!(runs(&scene).0, "{name}");
    }
}

#[test]
fn committed_code_waits_for_trust_where_the_user_says_so() {
    let scene = configured("prettier.config.js", CONFIG);
    scene.settings("committed_code = false\n");
    refused(&scene, "asks for your trust");
    let scene = configured(".prettierrc", "{}\n");
    scene.settings("committed_code = false\n");
    assert!(runs(&scene).0, "no code");
    program(&scene.project().join("node_modules/.bin/prettier"), SQUEEZE);
    refused(&scene, "asks for your trust");
}

#[test]
fn code_that_differs_from_head_does_not_run() {
    let scene = configured("prettier.config.js", CONFIG);
    scene.write("prettier.config.js", "evil();\n");
    refused(&scene, "prettier.config.js is not what was committed");
}

#[test]
fn new_code_does_not_run_even_beside_other_files() {
    let scene = configured(".prettierrc", "{}\n");
    scene.write("src/prettier.config.mjs", CONFIG);
    refused(&scene, "prettier.config.mjs is not what was committed");
    // In the index is not in HEAD.
    let scene = configured(".prettierrc", "{}\n");
    scene.write("src/prettier.config.mjs", CONFIG);
    scene.git(&["add", "-A"]);
    refused(&scene, "prettier.config.mjs is not what was committed");
}

#[test]
fn what_committed_code_loads_is_code_too() {
    let scene = configured("prettier.config.js", "import base from './base.js';\nexport default base;\n");
    scene.write("base.js", CONFIG);
    scene.commit();
    assert!(runs(&scene).0);
    scene.write("base.js", "evil();\n");
    refused(&scene, "base.js is not what was committed");
    let scene = configured("prettier.config.js", "module.exports = require(process.cwd() + '/x');\n");
    refused(&scene, "cannot be followed");
}

#[test]
fn data_that_names_plugins_is_code() {
    for (name, text) in [
        (".prettierrc", "{\"plugins\": [\"./plugin.js\"]}\n"),
        (".prettierrc.yaml", "plugins:\n  - ./plugin.js\n"),
        ("package.json", "{\"prettier\": {\"plugins\": [\"./plugin.js\"]}}\n"),
    ] {
        let scene = configured(name, text);
        scene.write("plugin.js", CONFIG);
        scene.commit();
        assert!(runs(&scene).0, "{name}");
        scene.write("plugin.js", "evil();\n");
        refused(&scene, "plugin.js is not what was committed");
        let scene = configured(".prettierrc", "{}\n");
        scene.write(format!("src/{name}"), text);
        refused(&scene, "is not what was committed");
    }
}

#[test]
fn of_a_package_only_what_it_says_to_prettier_counts() {
    let package = |deps: &str, prettier: &str| {
        format!(
            "{{\"name\": \"x\", \"scripts\": {{\"a\": \"process.exit\"}}, {deps} \"prettier\": {prettier}}}\n"
        )
    };
    let scene = configured("package.json", &package("", "\"@company/config\""));
    assert!(runs(&scene).0);
    scene.write("package.json", package("\"dependencies\": {\"y\": \"1\"},", "\"@company/config\""));
    assert!(runs(&scene).0);
    scene.write("package.json", package("", "\"@evil/config\""));
    refused(&scene, "package.json is not what was committed");
}

#[test]
fn a_configuration_that_cannot_be_read_here_is_not_run_past() {
    let scene = configured(".prettierrc", "{}\n");
    let large = format!("{{\"plugins\": [\"./evil.js\"], \"x\": \"{}\"}}\n", "x".repeat(300 * 1024));
    scene.write("src/.prettierrc", &large);
    refused(&scene, "cannot be read");
    let scene = configured(".prettierrc", "{}\n");
    scene.write("src/package.yaml", "prettier: ./evil.js\n");
    refused(&scene, "package.yaml is not what was committed");
}

#[test]
fn plain_data_may_change() {
    let scene = configured(".prettierrc", "{}\n");
    scene.write(".prettierrc", "{\"semi\": false}\n");
    assert!(runs(&scene).0);
}

#[test]
fn a_package_that_is_a_link_into_the_project_is_the_projects_code() {
    let scene = configured("package.json", "{\"prettier\": \"@me/config\"}\n");
    scene.write("packages/config/index.js", CONFIG);
    scene.commit();
    fs::create_dir_all(scene.project().join("node_modules/@me")).unwrap();
    std::os::unix::fs::symlink("../../packages/config", scene.project().join("node_modules/@me/config"))
        .unwrap();
    refused(&scene, "which is code of the project");
}

#[test]
fn a_toolchain_that_differs_from_head_is_not_chosen() {
    let scene = Scene::new();
    scene.formatter("rustfmt", SQUEEZE);
    scene.write("Cargo.toml", "[package]\nname = \"x\"\nedition = \"2021\"\n");
    scene.write("rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n");
    scene.commit();
    let runs = |scene: &Scene| {
        scene.write("src/a.rs", UGLY);
        let answer = scene.wrote("src/a.rs");
        (scene.read("src/a.rs") == NICE, noticed(&answer))
    };
    assert!(runs(&scene).0);
    scene.write("rust-toolchain.toml", "[toolchain]\npath = \"./evil\"\n");
    let (ran, noticed) = runs(&scene);
    assert!(!ran && noticed.contains("rust-toolchain.toml is not what was committed"), "{noticed}");
    scene.commit();
    let (ran, _) = runs(&scene);
    assert!(!ran, "a toolchain in the project may change under it");
    scene.trust();
    assert!(runs(&scene).0);
}

#[test]
fn a_toolchain_in_a_folder_needs_trust_however_it_is_spelled() {
    for pin in [
        "toolchain = { path = \"./evil\" }\n",
        "toolchain.path = \"./evil\"\n",
        "[toolchain]\n\"path\" = \"./evil\"\n",
        "[toolchain]\n\"p\\u0061th\" = \"./evil\"\n",
    ] {
        let scene = Scene::new();
        scene.formatter("rustfmt", SQUEEZE);
        scene.write("Cargo.toml", "[package]\nname = \"x\"\nedition = \"2021\"\n");
        scene.write("rust-toolchain.toml", pin);
        scene.commit();
        scene.write("src/a.rs", UGLY);
        let answer = scene.wrote("src/a.rs");
        assert!(noticed(&answer).contains("may name a folder of programs"), "{pin}: {answer:?}");
        assert_eq!(scene.read("src/a.rs"), UGLY, "{pin}");
    }
}

#[test]
fn dprint_runs_no_programs_and_no_further_settings_without_trust() {
    for settings in [
        r#"{"exec": {"commands": [{"command": "sh scripts/format.sh", "exts": ["ts"]}]}}"#,
        r#"{"extends": "base.json"}"#,
        r#"{"ext\u0065nds": "base.json"}"#,
    ] {
        let scene = configured("dprint.json", settings);
        scene.formatter("dprint", SQUEEZE);
        refused(&scene, "cannot be followed");
    }
    let scene = configured("dprint.json", r#"{"typescript": {"indentWidth": 3}}"#);
    scene.formatter("dprint", SQUEEZE);
    assert!(runs(&scene).0);
}

#[test]
fn a_program_that_is_the_projects_own_code_does_not_run() {
    // A link from a folder of programs into the project.
    let scene = configured(".prettierrc", "{}\n");
    let own = scene.project().join("tools/prettier");
    program(&own, SQUEEZE);
    let linked = scene.home().join("bin/prettier");
    fs::remove_file(&linked).unwrap();
    std::os::unix::fs::symlink(&own, &linked).unwrap();
    let (ran, noticed) = runs(&scene);
    assert!(!ran && noticed.contains("prettier is not installed"), "{noticed}");
    // A link from what is installed into the project.
    let scene = configured(".prettierrc", "{}\n");
    program(&scene.project().join("tools/prettier"), SQUEEZE);
    fs::create_dir_all(scene.project().join("node_modules/.bin")).unwrap();
    std::os::unix::fs::symlink("../../tools/prettier", scene.project().join("node_modules/.bin/prettier"))
        .unwrap();
    refused(&scene, "is code of the project");
}

#[test]
fn what_version_managers_run_is_not_chosen_by_the_agent() {
    for (name, text) in
        [(".tool-versions", "prettier path:./evil\n"), ("src/mise.toml", "[env]\n_.source = \"./x\"\n")]
    {
        let scene = configured(".prettierrc", "{}\n");
        let shims = scene.home().join(".asdf/shims");
        fs::create_dir_all(shims.parent().unwrap()).unwrap();
        fs::rename(scene.home().join("bin"), &shims).unwrap();
        let path = std::env::join_paths([shims.as_path(), "/usr/bin".as_ref(), "/bin".as_ref()]).unwrap();
        let runs = || {
            scene.write("src/a.ts", UGLY);
            let answer = scene.call(&scene.claude("src/a.ts")).env("PATH", &path).run();
            (scene.read("src/a.ts") == NICE, noticed(&answer))
        };
        assert!(runs().0, "nothing chooses");
        scene.write(name, "prettier 3.0.0\n");
        let (ran, noticed) = runs();
        assert!(!ran && noticed.contains("is not what was committed"), "{noticed}");
        scene.commit();
        assert!(runs().0, "a version that was committed");
        scene.write(name, text);
        scene.commit();
        let (ran, noticed) = runs();
        assert!(!ran && noticed.contains("cannot be followed"), "{noticed}");
        scene.trust();
        assert!(runs().0);
    }
}

#[test]
fn the_projects_own_copy_comes_first_unless_it_came_with_the_repository() {
    let scene = Scene::new();
    scene.formatter("prettier", "sed 's/b/global/'");
    let own = scene.project().join("node_modules/.bin/prettier");
    program(&own, SQUEEZE);
    assert!(runs(&scene).0);
    // Nearest first.
    scene.new_session();
    program(&scene.project().join("src/node_modules/.bin/prettier"), "sed 's/b/nearest/'");
    runs(&scene);
    assert_eq!(scene.read("src/a.ts"), "a  nearest\n");
    fs::remove_dir_all(scene.project().join("src/node_modules")).unwrap();
    scene.git(&["add", "-f", "node_modules"]);
    scene.git(&["commit", "-q", "-m", "evil"]);
    refused(&scene, "is part of the repository");
}

#[test]
fn outside_of_a_repository_only_installed_programs_run() {
    let scene = Scene::new();
    let folder = scene.home().join("plain");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(".prettierrc"), "{}").unwrap();
    fs::write(folder.join("a.ts"), UGLY).unwrap();
    program(&folder.join("node_modules/.bin/prettier"), SQUEEZE);
    let mut payload = scene.claude("a.ts");
    payload["cwd"] = folder.to_str().unwrap().into();
    let answer = scene.call(&payload).run();
    assert!(noticed(&answer).contains("which is not a repository"), "{answer:?}");
    assert_eq!(fs::read_to_string(folder.join("a.ts")).unwrap(), UGLY);
}

#[test]
fn an_agent_that_edits_what_is_installed_runs_nothing_of_it() {
    let scene = Scene::new();
    program(&scene.project().join("node_modules/.bin/prettier"), SQUEEZE);
    assert!(runs(&scene).0);
    scene.write("node_modules/prettier/index.js", "evil();\n");
    scene.wrote("node_modules/prettier/index.js");
    refused(&scene, "the agent edited what is installed");
}

#[test]
fn what_a_shell_wrote_in_the_session_does_not_run() {
    type Way = fn(&Scene);
    let ways: &[(&str, Way)] = &[
        ("a new program", |scene| program(&scene.project().join("node_modules/.bin/prettier"), SQUEEZE)),
        ("another mode", |scene| {
            let own = scene.project().join("node_modules/.bin/prettier");
            fs::set_permissions(own, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        }),
        ("what it loads", |scene| drop(scene.write("node_modules/prettier/index.js", "evil();\n"))),
    ];
    for (what, write) in ways {
        let scene = Scene::new();
        program(&scene.project().join("node_modules/.bin/prettier"), SQUEEZE);
        assert!(runs(&scene).0, "{what}: installed before the session");
        write(&scene);
        let (ran, noticed) = runs(&scene);
        assert!(!ran && noticed.contains("changed since the session began"), "{what}: {noticed}");
        scene.new_session();
        assert!(runs(&scene).0, "{what}: installed before this session");
    }
}

#[test]
fn a_plugin_that_a_shell_wrote_in_the_session_is_not_loaded() {
    let scene = configured(".prettierrc", "{\"plugins\": [\"prettier-plugin-x\"]}\n");
    scene.write("node_modules/prettier-plugin-x/index.js", CONFIG);
    assert!(runs(&scene).0);
    scene.write("node_modules/prettier-plugin-x/index.js", "evil();\n");
    refused(&scene, "changed since the session began");
}

#[test]
fn a_session_of_which_nothing_is_known_may_be_a_day_old() {
    let scene = Scene::new();
    program(&scene.project().join("node_modules/.bin/prettier"), SQUEEZE);
    scene.write("src/a.ts", UGLY);
    let mut payload = scene.claude("src/a.ts");
    payload["transcript_path"] = "/t".into();
    let answer = scene.call(&payload).run();
    assert!(noticed(&answer).contains("changed since the session began"), "{answer:?}");
    assert_eq!(scene.read("src/a.ts"), UGLY);
}

#[test]
fn what_is_not_executable_is_not_a_program() {
    let scene = Scene::new();
    scene.write("node_modules/.bin/prettier", "#!/bin/sh\ntouch pwned\n");
    assert!(runs(&scene).0, "the one on the PATH ran");
    assert!(!scene.project().join("src/pwned").exists() && !scene.project().join("pwned").exists());
}

#[test]
fn delegates_run_on_request_only() {
    let scene = Scene::new();
    scene.write("treefmt.toml", "[formatter.x]\ncommand = \"x\"\n");
    scene.commit();
    scene.formatter("treefmt", "sed -i 's/b/treefmt/' \"$3\"");
    assert!(runs(&scene).0, "prettier ran");
    scene.settings("delegate = [\"treefmt\"]\n");
    // It runs programs of the project, which may be the agent's by now.
    let (ran, noticed) = runs(&scene);
    assert!(!ran && noticed.contains("including programs of the project"), "{noticed}");
    assert_eq!(scene.read("src/a.ts"), UGLY);
    scene.trust();
    runs(&scene);
    assert_eq!(scene.read("src/a.ts"), "a  treefmt\n");
}
