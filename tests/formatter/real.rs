//! Formatters from the registries: the result is that of their own command line.
//!
//! `cargo run -p tests --bin real-formatters` gets them. Without them these tests say so and pass, unless
//! `REAL_FORMATTERS=required` is set, as CI does.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use support::formatters;
use support::hosts::Target;
use support::payloads;

use super::scene::{Scene, told};

/// Whether the formatters are there.
fn are_there() -> bool {
    let there = formatters::installed();
    let required = std::env::var_os("REAL_FORMATTERS").is_some_and(|value| value == "required");
    assert!(there || !required, "`cargo run -p tests --bin real-formatters` installs the formatters");
    if !there {
        support::skipped(format_args!("`cargo run -p tests --bin real-formatters` installs the formatters"));
    }
    there
}

/// A project that uses one formatter.
struct Project {
    formatter: &'static str,
    /// The files that configure it.
    configuration: &'static [(&'static str, &'static str)],
    /// An ugly file.
    file: (&'static str, &'static str),
    /// Its own command line, which rewrites the file that follows.
    by_hand: &'static [&'static str],
}

const PROJECTS: &[Project] = &[
    Project {
        formatter: "prettier",
        configuration: &[
            (".prettierrc", "{\"semi\": false, \"singleQuote\": true}\n"),
            ("package.json", "{}\n"),
        ],
        file: ("src/deep/a.ts", "const  x = {a:1,\n  b : \"two\"};\nexport   default x ;\n"),
        by_hand: &["prettier", "--log-level=warn", "--write"],
    },
    Project {
        formatter: "biome",
        configuration: &[(
            "biome.json",
            "{\"formatter\": {\"indentStyle\": \"space\", \"indentWidth\": 3}}\n",
        )],
        file: ("src/a.ts", "function f( ){return {a:1,\n  b : 'two'}}\n"),
        by_hand: &["biome", "format", "--write"],
    },
    Project {
        formatter: "ruff",
        configuration: &[(
            "pyproject.toml",
            "[tool.ruff]\nline-length = 40\n\n[tool.ruff.format]\nquote-style = \"single\"\n",
        )],
        file: ("pkg/a.py", "x  = { \"a\":1, \"bbbbbbbbbbbbbbbb\": 2, \"cccccccccccc\":3 }\ndef f( ): pass\n"),
        by_hand: &["ruff", "format", "--quiet", "--no-cache"],
    },
    Project {
        formatter: "black",
        configuration: &[("pyproject.toml", "[tool.black]\nline-length = 40\n")],
        file: ("pkg/a.py", "x  = { 'a':1, 'bbbbbbbbbbbbbbbb': 2, 'cccccccccccc':3 }\ndef f( ): pass\n"),
        by_hand: &["black", "-q"],
    },
    Project {
        formatter: "rustfmt",
        configuration: &[
            ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
            ("rustfmt.toml", "max_width = 40\n"),
        ],
        file: ("src/a.rs", "pub  async fn f( )->u8{let a=vec![1,2,3,4,5,6,7,8,9,10,11,12,13];a[0]}\n"),
        by_hand: &["rustfmt", "--edition", "2024"],
    },
    Project {
        formatter: "shfmt",
        configuration: &[(".editorconfig", "root = true\n\n[*.sh]\nindent_style = space\nindent_size = 3\n")],
        file: ("bin/a.sh", "#!/bin/sh\nif true;then\necho  a ;fi\n"),
        by_hand: &["shfmt", "-w"],
    },
    Project {
        formatter: "clang-format",
        configuration: &[(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 6\n")],
        file: ("src/a.cpp", "int  main( ){ if(true){return 0;} }\n"),
        by_hand: &["clang-format", "-i"],
    },
    Project {
        formatter: "deno",
        configuration: &[("deno.json", "{\"fmt\": {\"indentWidth\": 5, \"semiColons\": false}}\n")],
        file: ("src/a.ts", "function f( ){return {a:1,\n  b : 'two'}}\n"),
        by_hand: &["deno", "fmt", "--quiet"],
    },
    Project {
        formatter: "taplo",
        configuration: &[(".taplo.toml", "[formatting]\nalign_entries = true\n")],
        file: ("data/a.toml", "a=1\nlonger   = [1,2 ]\n"),
        by_hand: &["taplo", "format"],
    },
    Project {
        formatter: "stylua",
        configuration: &[("stylua.toml", "indent_type = \"Spaces\"\nindent_width = 3\n")],
        file: ("src/a.lua", "local  x={a=1}\nif x then print( x ) end\n"),
        by_hand: &["stylua"],
    },
    Project {
        formatter: "gofmt",
        configuration: &[("go.mod", "module example.org/x\n\ngo 1.22\n")],
        file: (
            "src/a.go",
            "package  x\nfunc f( )map[string]int{return map[string]int{\"a\":1,\n\"long\":2,\n}}\n",
        ),
        by_hand: &["gofmt", "-w"],
    },
    Project {
        formatter: "zig",
        configuration: &[("build.zig", "")],
        file: ("src/a.zig", "const  x:u8=1;\nfn f( )void{ return ; }\n"),
        by_hand: &["zig", "fmt"],
    },
];

impl Project {
    fn scene(&self) -> Scene {
        let scene = Scene::new();
        fs::remove_file(scene.project().join(".prettierrc")).unwrap();
        for (name, text) in self.configuration {
            scene.write(name, text);
        }
        scene.write(self.file.0, self.file.1);
        scene.commit();
        scene
    }

    /// What the formatter's own command line makes of the file.
    fn by_hand(&self, path: &OsString) -> String {
        let scene = self.scene();
        let (program, arguments) = self.by_hand.split_first().unwrap();
        let output = Command::new(program)
            .args(arguments)
            .arg(scene.project().join(self.file.0))
            .current_dir(scene.project())
            .env("PATH", path)
            .env("HOME", real_home())
            .output()
            .unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(output.status.success(), "{program}: {output:?}");
        scene.read(self.file.0)
    }
}

/// Rustup's proxies look there for the toolchain.
fn real_home() -> OsString {
    std::env::var_os("HOME").unwrap()
}

/// The formatters on the `PATH`, before everything that a user has.
fn path() -> OsString {
    let own = [
        formatters::node_modules().join(".bin"),
        formatters::python_programs(),
        formatters::zig(),
        formatters::gofmt(),
    ];
    let rest = std::env::var_os("PATH").unwrap();
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&rest))).unwrap()
}

/// An edit of `file` as the host was seen to write one: the recorded payload of its first edit of one file.
fn edit(target: Target, scene: &Scene, file: &str) -> (String, Vec<String>) {
    let recorded = payloads::all()
        .into_iter()
        .filter(|recorded| recorded.target == target)
        .find(|recorded| {
            let name = recorded.path.file_name().unwrap().to_string_lossy().to_lowercase();
            ["posttooluse-write", "posttooluse-create", "posttooluse-apply_patch", "aftertool-write_file"]
                .iter()
                .any(|start| name.starts_with(start))
        })
        .unwrap_or_else(|| panic!("no recorded edit of {target:?}"));
    let text = recorded.text.replace("/home/user/project", scene.project().to_str().unwrap());
    let text = text.replace("new.txt", file).replace("file.txt", file);
    let camel = target == Target::CopilotCamel;
    (text, if camel { vec!["--event".to_owned(), "postToolUse".to_owned()] } else { Vec::new() })
}

/// Where rustup and its toolchains are, as the homes of tests hold none.
fn rustup() -> [(&'static str, PathBuf); 2] {
    let home = PathBuf::from(real_home());
    [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")]
        .map(|(name, folder)| (name, std::env::var_os(name).map_or_else(|| home.join(folder), PathBuf::from)))
}

#[test]
fn every_hosts_edit_ends_as_the_formatter_itself_would_write_it() {
    if !are_there() {
        return;
    }
    let path = path();
    for project in PROJECTS {
        let expected = project.by_hand(&path);
        assert_ne!(expected, project.file.1, "{}: the file was not ugly", project.formatter);
        for target in Target::ALL {
            let scene = project.scene();
            let (text, flags) = edit(target, &scene, project.file.0);
            let mut payload: Value = serde_json::from_str(&text).unwrap();
            let run = |payload: &Value| {
                let call = scene.call(payload).args(flags.clone()).env("PATH", path.clone());
                rustup().into_iter().fold(call, |call, (name, folder)| call.env(name, folder)).run()
            };
            // Formatters keep logs and caches in the home; the project is what counts.
            let tree = || {
                let mut tree = scene.tree();
                tree.retain(|path, _| path.starts_with(scene.project()));
                tree
            };
            let before = tree();
            let mut answer = run(&payload);
            if target == Target::VsCode {
                // There it is formatted when the agent stops.
                payload["hook_event_name"] = "Stop".into();
                answer = run(&payload);
            }
            let case = format!("{}, {target:?}: {answer:?}", project.formatter);
            assert_eq!(scene.read(project.file.0), expected, "{case}");
            let mut after = tree();
            let file = scene.project().join(project.file.0);
            after.insert(file.clone(), before[&file].clone());
            assert!(before == after, "{case}: something else changed");
            assert!(answer.stdout.contains("Read it again"), "{case}");
        }
    }
}

#[test]
fn the_projects_own_prettier_runs_with_its_configuration_as_code() {
    if !are_there() {
        return;
    }
    let scene = Scene::new();
    fs::remove_file(scene.project().join(".prettierrc")).unwrap();
    fs::remove_file(scene.home().join("bin/prettier")).unwrap();
    scene.write("prettier.config.mjs", "export default { tabWidth: 7, semi: false };\n");
    scene.commit();
    symlink(formatters::node_modules(), scene.project().join("node_modules")).unwrap();
    scene.write("a.ts", "function f(){return 1;}\n");
    let payload = scene.claude("a.ts");
    let node = std::env::var_os("PATH").unwrap();
    let answer = scene.call(&payload).env("PATH", node).run();
    assert_eq!(scene.read("a.ts"), "function f() {\n       return 1\n}\n", "{answer:?}");
}

#[test]
fn dprint_runs_its_plugins_where_it_is_trusted() {
    if !are_there() {
        return;
    }
    let scene = Scene::new();
    fs::remove_file(scene.project().join(".prettierrc")).unwrap();
    let plugin = formatters::node_modules().join("@dprint/typescript/plugin.wasm");
    let settings = json!({"typescript": {"indentWidth": 5}, "plugins": [plugin]});
    scene.write("dprint.json", settings.to_string());
    scene.commit();
    let ugly = "function f(){return 1;}\n";
    scene.write("a.ts", ugly);
    let call = || scene.call(&scene.claude("a.ts")).env("PATH", path()).run();
    let answer = call();
    assert_eq!(scene.read("a.ts"), ugly, "{answer:?}");
    assert!(answer.stdout.contains("dprint was not run"), "{answer:?}");
    scene.trust();
    let answer = call();
    let by_hand = scene.write("b.ts", ugly);
    let dprint = Command::new("dprint")
        .arg("fmt")
        .arg(by_hand)
        .current_dir(scene.project())
        .env("PATH", path())
        .env("HOME", scene.home())
        .output()
        .unwrap();
    assert!(dprint.status.success(), "{dprint:?}");
    assert_ne!(scene.read("b.ts"), ugly);
    assert_eq!(scene.read("a.ts"), scene.read("b.ts"), "{answer:?}");
}

#[test]
fn prek_runs_the_projects_hooks_on_a_copy() {
    if !are_there() {
        return;
    }
    let scene = Scene::new();
    scene.settings("delegate = [\"prek\"]\n");
    scene.trust();
    let entry = "  - repo: local\n    hooks:\n      - id: x\n        name: x\n        language: system\n        \
                 entry: sed -i s/b/prek/\n        files: ^src/\n";
    scene.write(".pre-commit-config.yaml", format!("repos:\n{entry}"));
    scene.commit();
    scene.write("src/a.xyz", "a b\n");
    scene.write("src/other.xyz", "a b\n");
    let answer = scene.call(&scene.claude("src/a.xyz")).env("PATH", path()).run();
    assert_eq!(scene.read("src/a.xyz"), "a prek\n", "{answer:?}");
    assert_eq!(scene.read("src/other.xyz"), "a b\n");
    assert!(told(&answer).contains("prek rewrote src/a.xyz"), "{answer:?}");
    assert_eq!(fs::read_dir(scene.project().join("src")).unwrap().count(), 2, "the copy is gone");
}

#[test]
fn treefmt_runs_the_projects_formatters_on_a_copy() {
    if !are_there() {
        return;
    }
    let scene = Scene::new();
    scene.settings("delegate = [\"treefmt\"]\n");
    scene.trust();
    let formatter = "[formatter.x]\ncommand = \"sed\"\noptions = [\"-i\", \"s/b/treefmt/\"]\nincludes = [\"src/*.xyz\"]\n";
    scene.write("treefmt.toml", formatter);
    scene.commit();
    for file in ["src/a.xyz", "src/other.xyz", "elsewhere/a.xyz"] {
        scene.write(file, "a b\n");
    }
    let by_hand = || {
        let file = scene.write("src/by_hand.xyz", "a b\n");
        let mut treefmt = Command::new("treefmt");
        let output =
            treefmt.arg(file).current_dir(scene.project()).env("PATH", path()).env("HOME", scene.home());
        let output = output.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = scene.read("src/by_hand.xyz");
        fs::remove_file(scene.project().join("src/by_hand.xyz")).unwrap();
        text
    };
    let expected = by_hand();
    assert_eq!(expected, "a treefmt\n");
    let answer = scene.call(&scene.claude("src/a.xyz")).env("PATH", path()).run();
    assert_eq!(scene.read("src/a.xyz"), expected, "{answer:?}");
    assert!(told(&answer).contains("treefmt rewrote src/a.xyz"), "{answer:?}");
    let answer = scene.call(&scene.claude("elsewhere/a.xyz")).env("PATH", path()).run();
    assert_eq!(scene.read("elsewhere/a.xyz"), "a b\n", "its patterns leave it out: {answer:?}");
    assert_eq!(scene.read("src/other.xyz"), "a b\n");
    assert_eq!(fs::read_dir(scene.project().join("src")).unwrap().count(), 2, "the copy is gone");
}

#[test]
fn rustfmt_does_not_rewrite_child_modules() {
    if !are_there() {
        return;
    }
    let project = PROJECTS.iter().find(|project| project.formatter == "rustfmt").unwrap();
    let scene = project.scene();
    scene.write("src/lib.rs", "mod  a;\nmod b ;\n");
    scene.write("src/b.rs", "fn  b( ){}\n");
    let mut call = scene.call(&scene.claude("src/lib.rs")).env("PATH", path());
    for (name, folder) in rustup() {
        call = call.env(name, folder);
    }
    let answer = call.run();
    assert_eq!(scene.read("src/lib.rs"), "mod a;\nmod b;\n", "{answer:?}");
    assert_eq!(scene.read("src/b.rs"), "fn  b( ){}\n");
    assert_eq!(scene.read(project.file.0), project.file.1);
}

#[test]
fn a_syntax_error_is_reported_by_its_first_words() {
    if !are_there() {
        return;
    }
    for project in PROJECTS.iter().filter(|project| !matches!(project.formatter, "clang-format")) {
        let scene = project.scene();
        let broken = "if ( ] {{ \" = \n";
        scene.write(project.file.0, broken);
        let mut call = scene.call(&scene.claude(project.file.0)).env("PATH", path());
        for (name, folder) in rustup() {
            call = call.env(name, folder);
        }
        let answer = call.run();
        let told = told(&answer);
        let name = project.formatter;
        assert!(
            told.contains(&format!("{name} could not format")) && told.lines().count() >= 2,
            "{name}: {answer:?}"
        );
        assert_eq!(scene.read(project.file.0), broken, "{name}");
    }
}
