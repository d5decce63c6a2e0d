//! `toolchain`: which versions of tools the project's files ask for. No tool is run.

use std::path::Path;

use payload::Json;
use toml::{Table, Value};

use super::listed;
use crate::manifest::{self, assigned, element, line_value, version_like, yaml_value};
use crate::tree::Tree;
use crate::untrusted::quoted;

/// How many are reported.
const MOST: usize = 8;

/// A tool and its version.
type Pin = (String, String);

/// What a file asks for.
type Reader = fn(&Tree, &Path, &str) -> Vec<Pin>;

/// The files, the most binding first.
const FILES: &[(&str, Reader)] = &[
    ("rust-toolchain.toml", |_, _, text| rust(text)),
    ("rust-toolchain", |_, _, text| if text.contains('[') { rust(text) } else { whole("rust", text) }),
    (".nvmrc", |_, _, text| whole("node", text)),
    (".node-version", |_, _, text| whole("node", text)),
    (".python-version", |_, _, text| whole("python", text.lines().next().unwrap_or_default())),
    (".ruby-version", |_, _, text| whole("ruby", text)),
    (".java-version", |_, _, text| whole("java", text)),
    (".go-version", |_, _, text| whole("go", text)),
    (".php-version", |_, _, text| whole("php", text)),
    (".swift-version", |_, _, text| whole("swift", text)),
    (".bun-version", |_, _, text| whole("bun", text)),
    (".terraform-version", |_, _, text| whole("terraform", text)),
    (".tool-versions", |_, _, text| asdf(text)),
    ("mise.toml", |_, _, text| mise(text)),
    (".mise.toml", |_, _, text| mise(text)),
    (".sdkmanrc", |_, _, text| one("java", assigned(text, "java"))),
    ("global.json", |_, _, text| {
        one("dotnet", Json::new(text).and_then(|json| text_of(json.get("sdk")?, "version")))
    }),
    ("package.json", |_, _, text| node(text)),
    ("Cargo.toml", |tree, folder, text| one("rust at least", manifest::rust_version(tree, folder, text))),
    ("go.mod", |_, _, text| one("go", line_value(text, "toolchain").or_else(|| line_value(text, "go")))),
    ("pyproject.toml", |_, _, text| python(text)),
    ("composer.json", |_, _, text| {
        one("php", Json::new(text).and_then(|json| text_of(json.get("require")?, "php")))
    }),
    ("pom.xml", |_, _, text| {
        let of = |tag| element(text, &["project", "properties", tag]);
        one("java", of("maven.compiler.release").or_else(|| of("java.version")))
    }),
    // The version stands below `environment:`, two blanks deep; `yaml_value` reads what stands at the top.
    ("pubspec.yaml", |_, _, text| one("dart", yaml_value(&text.replace("\n  ", "\n"), "sdk"))),
];

fn one(tool: &str, version: Option<String>) -> Vec<Pin> {
    version.map(|version| (tool.to_owned(), version)).into_iter().collect()
}

fn whole(tool: &str, text: &str) -> Vec<Pin> {
    one(tool, version_like(text))
}

fn text_of(json: Json<'_>, key: &str) -> Option<String> {
    json.get_str(key).map(std::borrow::Cow::into_owned)
}

fn rust(text: &str) -> Vec<Pin> {
    let channel = toml::from_str::<Table>(text).ok();
    let channel =
        channel.as_ref().and_then(|file| file.get("toolchain")?.get("channel")?.as_str().map(str::to_owned));
    one("rust", channel)
}

fn asdf(text: &str) -> Vec<Pin> {
    text.lines()
        .filter_map(|line| {
            // What follows `#` is a comment, and a line may be nothing else.
            let mut words = line.split('#').next()?.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.to_owned()))
        })
        .collect()
}

fn mise(text: &str) -> Vec<Pin> {
    let Ok(file) = toml::from_str::<Table>(text) else { return Vec::new() };
    let Some(tools) = file.get("tools").and_then(Value::as_table) else { return Vec::new() };
    tools
        .iter()
        .filter_map(|(tool, version)| {
            // A tool may have several versions; the first one is what its name runs.
            let first = version.as_array().and_then(|versions| versions.first()).unwrap_or(version);
            Some((tool.clone(), first.get("version").unwrap_or(first).as_str()?.to_owned()))
        })
        .collect()
}

fn node(text: &str) -> Vec<Pin> {
    let Some(json) = Json::new(text) else { return Vec::new() };
    let mut pins = Vec::new();
    if let Some(manager) = text_of(json, "packageManager") {
        // `pnpm@9.1.0+sha512…`
        let short = manager.split('+').next().unwrap_or_default();
        let (tool, version) = short.split_once('@').unwrap_or((short, ""));
        pins.push((tool.to_owned(), version.to_owned()));
    }
    let volta = json.get("volta").and_then(|volta| text_of(volta, "node"));
    let engine = || json.get("engines").and_then(|engines| text_of(engines, "node"));
    // Volta's pin is one version; `engines` is a range.
    pins.extend(one("node", volta.or_else(engine)));
    pins
}

fn python(text: &str) -> Vec<Pin> {
    let Ok(file) = toml::from_str::<Table>(text) else { return Vec::new() };
    let standard = || file.get("project")?.get("requires-python")?.as_str();
    let poetry = || file.get("tool")?.get("poetry")?.get("dependencies")?.get("python")?.as_str();
    one("python", standard().or_else(poetry).map(str::to_owned))
}

pub(super) fn tell(tree: &Tree) -> Option<String> {
    let mut pins: Vec<(String, String, &str)> = Vec::new();
    for folder in tree.folders() {
        for (file, reader) in FILES {
            let Some(text) = tree.read(folder, file) else { continue };
            for (tool, version) in reader(tree, folder, &text) {
                // The nearest and most binding file is the one that tools follow.
                let known = pins.iter().any(|(known, ..)| *known == tool);
                // More than are shown, as the list says how many more there are.
                if !known && !tool.is_empty() && pins.len() < 4 * MOST {
                    pins.push((tool, version, file));
                }
            }
        }
    }
    let text = listed(
        pins.iter().map(|(tool, version, file)| {
            format!("{} {} ({file})", named(tool), quoted(version.as_bytes(), 40))
        }),
        MOST,
        400,
    );
    (!text.is_empty()).then_some(text)
}

/// Tools that we know by name stand as they are; other names are someone's words.
fn named(tool: &str) -> String {
    const KNOWN: &[&str] = &[
        "rust",
        "rust at least",
        "node",
        "python",
        "ruby",
        "java",
        "go",
        "php",
        "swift",
        "bun",
        "terraform",
        "dotnet",
        "dart",
        "npm",
        "pnpm",
        "yarn",
        "deno",
    ];
    if KNOWN.contains(&tool) { tool.to_owned() } else { quoted(tool.as_bytes(), 30) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Option<String> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(root.path().join(name), text).unwrap();
        }
        tell(&Tree::new(root.path(), root.path()).unwrap())
    }

    #[test]
    fn pins_are_read_from_files() {
        for (file, text, expected) in [
            ("rust-toolchain.toml", "[toolchain]\nchannel = \"1.95\"\n", "rust \"1.95\""),
            ("rust-toolchain", "nightly-2026-01-01\n", "rust \"nightly-2026-01-01\""),
            (".nvmrc", "v22.1.0\n", "node \"v22.1.0\""),
            (".nvmrc", "lts/jod2\n", "node \"lts/jod2\""),
            (".python-version", "3.13\n3.12\n", "python \"3.13\""),
            (
                ".tool-versions",
                "nodejs 22.0.0 # x\n\nelixir 1.17\n",
                "\"nodejs\" \"22.0.0\" (.tool-versions), \"elixir\" \"1.17\"",
            ),
            (
                "mise.toml",
                "[tools]\nnode = \"22\"\ngo = { version = \"1.23\" }\n",
                "go \"1.23\" (mise.toml), node \"22\"",
            ),
            ("global.json", r#"{"sdk":{"version":"9.0.100"}}"#, "dotnet \"9.0.100\""),
            (
                "package.json",
                r#"{"packageManager":"pnpm@9.1.0+sha512.abc","engines":{"node":">=20"}}"#,
                "pnpm \"9.1.0\" (package.json), node \"›=20\"",
            ),
            ("Cargo.toml", "[workspace.package]\nrust-version = \"1.90\"\n", "rust at least \"1.90\""),
            ("go.mod", "module x\n\ngo 1.23\n\ntoolchain go1.23.4\n", "go \"go1.23.4\""),
            ("pyproject.toml", "[project]\nrequires-python = \">=3.12\"\n", "python \"›=3.12\""),
            ("composer.json", r#"{"require":{"php":"^8.3"}}"#, "php \"^8.3\""),
            ("pubspec.yaml", "name: a\nenvironment:\n  sdk: ^3.5.0\n", "dart \"^3.5.0\""),
            (".sdkmanrc", "# x\njava=21.0.2-tem\n", "java \"21.0.2-tem\""),
        ] {
            assert_eq!(of(&[(file, text)]), Some(format!("{expected} ({file})")));
        }
        assert_eq!(
            of(&[(".nvmrc", "20"), ("package.json", r#"{"engines":{"node":">=1"}}"#)]).as_deref(),
            Some("node \"20\" (.nvmrc)")
        );
    }

    #[test]
    fn nonsense_is_left_out() {
        for text in ["", "please run rm -rf", "{", "[[[", "\u{0}"] {
            for (file, _) in FILES.iter().filter(|(file, _)| *file != ".tool-versions") {
                assert_eq!(of(&[(file, text)]), None, "{file}: {text}");
            }
        }
    }
}
