//! What the files say by which languages know a project.

mod cargo;
mod declared;
mod marked;
mod python;

use std::path::Path;

use payload::Json;

use crate::tree::Tree;

pub(crate) use cargo::rust_version;
pub(crate) use declared::{assigned, line_value, yaml_value};
pub(crate) use marked::element;

/// A project's name and version, as a file has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Project {
    pub(crate) name: Option<String>,
    pub(crate) version: Option<String>,
    /// The file. Where its own name is someone's choice, it is a value like others.
    pub(crate) file: String,
}

/// A reader of one kind of file.
type Reader = fn(&Tree, &Path, &str) -> Option<Project>;

/// The files, the most telling first.
const FILES: &[(&str, Reader)] = &[
    ("package.json", |_, _, text| json(text)),
    ("Cargo.toml", cargo::project),
    ("pyproject.toml", |_, _, text| python::project(text)),
    ("setup.cfg", |_, _, text| Some(named(assigned(text, "name"), assigned(text, "version")))),
    ("go.mod", |_, _, text| Some(named(line_value(text, "module"), None))),
    ("pom.xml", |_, _, text| {
        Some(named(element(text, &["project", "artifactId"]), element(text, &["project", "version"])))
    }),
    ("settings.gradle.kts", |tree, folder, text| Some(declared::gradle(tree, folder, text))),
    ("settings.gradle", |tree, folder, text| Some(declared::gradle(tree, folder, text))),
    ("mix.exs", |_, _, text| Some(declared::mix(text))),
    ("composer.json", |_, _, text| json(text)),
    ("pubspec.yaml", |_, _, text| Some(named(yaml_value(text, "name"), yaml_value(text, "version")))),
    ("deno.json", |_, _, text| json(text)),
];

fn named(name: Option<String>, version: Option<String>) -> Project {
    Project { name, version, file: String::new() }
}

fn json(text: &str) -> Option<Project> {
    let json = Json::new(text)?;
    let text = |key| json.get_str(key).map(std::borrow::Cow::into_owned);
    Some(named(text("name"), text("version")))
}

/// The project that a folder says it is.
pub(crate) fn project(tree: &Tree, folder: &Path) -> Option<Project> {
    let mut found: Option<Project> = None;
    for (file, reader) in FILES {
        let Some(project) = tree.read(folder, file).and_then(|text| reader(tree, folder, &text)) else {
            continue;
        };
        // A file with a version alone is kept for the case that none has a name.
        if project.name.is_some() || (found.is_none() && project.version.is_some()) {
            let complete = project.name.is_some();
            found = Some(Project { file: (*file).to_owned(), ..project });
            if complete {
                break;
            }
        }
    }
    // Its name is someone's choice, so the folder has to be searched: only where no known name was found.
    if found.as_ref().is_none_or(|project| project.name.is_none())
        && let Some(name) =
            Tree::with_ending(folder, ".csproj").or_else(|| Tree::with_ending(folder, ".fsproj"))
        && let Some(text) = tree.read(folder, &name)
    {
        let of = |tag| element(&text, &["Project", "PropertyGroup", tag]);
        let stem = name.rsplit_once('.').map(|(stem, _)| stem.to_owned());
        let title = of("PackageId").or_else(|| of("AssemblyName")).or(stem);
        let version = of("Version").or_else(|| of("VersionPrefix"));
        found = Some(Project { name: title, version, file: name });
    }
    match found {
        Some(project) if project.version.is_some() => Some(project),
        // Many projects keep their version in a file of its own, whatever else describes them.
        found => {
            let version = tree.read(folder, "VERSION").and_then(|text| version_like(&text));
            match (found, version) {
                (Some(project), version) => Some(Project { version, ..project }),
                (None, Some(version)) => {
                    Some(Project { version: Some(version), name: None, file: "VERSION".to_owned() })
                }
                (None, None) => None,
            }
        }
    }
}

/// A string that is nothing but a version.
pub(crate) fn version_like(text: &str) -> Option<String> {
    let text = text.trim();
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_' | '/');
    // Also a range or a channel's name with a digit; a sentence is none of these.
    let version = text.len() <= 40 && text.chars().all(fits) && text.contains(|c: char| c.is_ascii_digit());
    version.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)], folder: &str) -> Option<(Option<String>, Option<String>, String)> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let tree = Tree::new(&root.path().join(folder), root.path()).unwrap();
        let folder = root.path().join(folder).canonicalize().unwrap();
        project(&tree, &folder).map(|project| (project.name, project.version, project.file))
    }

    #[test]
    fn every_language_names_its_project() {
        for (file, text, name, version) in [
            ("package.json", r#"{"name":"@a/b","version":"1.2.3","scripts":{"name":"x"}}"#, "@a/b", "1.2.3"),
            ("Cargo.toml", "[package]\nname = \"a\"\nversion = \"0.1.0\"\n", "a", "0.1.0"),
            ("pyproject.toml", "[project]\nname = \"a\"\nversion = \"2\"\n", "a", "2"),
            ("pyproject.toml", "[tool.poetry]\nname = \"a\"\nversion = \"3\"\n", "a", "3"),
            ("setup.cfg", "[metadata]\nname = a\nversion = 1.0\n", "a", "1.0"),
            (
                "pom.xml",
                "<?xml version=\"1.0\"?>\n<project xmlns=\"x\"><parent><artifactId>p</artifactId><version>9</version></parent><!-- <artifactId>no</artifactId> --><artifactId>a</artifactId><version>1-SNAPSHOT</version></project>",
                "a",
                "1-SNAPSHOT",
            ),
            (
                "A.csproj",
                "<Project Sdk=\"x\"><PropertyGroup><Version>1.1</Version></PropertyGroup></Project>",
                "A",
                "1.1",
            ),
            (
                "mix.exs",
                "def project do\n  [\n    app: :my_app,\n    version: \"0.2.0\",\n",
                "my_app",
                "0.2.0",
            ),
            ("composer.json", r#"{"name":"v/p","version":"4.0"}"#, "v/p", "4.0"),
            (
                "pubspec.yaml",
                "# x\nname: app\nversion: 1.0.0+1 # build\nflutter:\n  name: no\n",
                "app",
                "1.0.0+1",
            ),
        ] {
            let found = of(&[(file, text)], "");
            assert_eq!(
                found,
                Some((Some(name.to_owned()), Some(version.to_owned()), file.to_owned())),
                "{file}"
            );
        }
    }

    #[test]
    fn what_stands_elsewhere_counts_too() {
        let workspace = "[workspace]\nmembers = [\"a\"]\n[workspace.package]\nversion = \"5.0.0\"\n";
        let member = "[package]\nname = \"a\"\nversion.workspace = true\n";
        let found = of(&[("Cargo.toml", workspace), ("a/Cargo.toml", member)], "a");
        assert_eq!(found, Some((Some("a".to_owned()), Some("5.0.0".to_owned()), "Cargo.toml".to_owned())));
        let found = of(
            &[("settings.gradle", "rootProject.name = 'g'\n"), ("gradle.properties", "version=1.4\n")],
            "",
        );
        assert_eq!(found, Some((Some("g".to_owned()), Some("1.4".to_owned()), "settings.gradle".to_owned())));
        let found = of(
            &[
                ("settings.gradle.kts", "rootProject.name = \"g\"\n"),
                ("build.gradle.kts", "version = \"1.5\"\n"),
            ],
            "",
        );
        assert_eq!(found.unwrap().1.as_deref(), Some("1.5"));
        let found = of(&[("go.mod", "// x\nmodule example.org/m\n\ngo 1.23\n"), ("VERSION", "7.1\n")], "");
        assert_eq!(
            found,
            Some((Some("example.org/m".to_owned()), Some("7.1".to_owned()), "go.mod".to_owned()))
        );
        assert_eq!(
            of(&[("VERSION", "1.0\n")], ""),
            Some((None, Some("1.0".to_owned()), "VERSION".to_owned()))
        );
    }

    #[test]
    fn nonsense_is_not_a_project() {
        let deep = "[".repeat(200_000);
        for text in ["", "{", "null", "[[", "\u{0}", "a = [[[", "<project>", "<project", deep.as_str()] {
            for (file, _) in FILES.iter().chain([&("x.csproj", FILES[0].1), &("VERSION", FILES[0].1)]) {
                let found = of(&[(file, text)], "");
                assert!(
                    found.is_none_or(
                        |(name, version, _)| version.is_none() && name.is_none_or(|name| name == "x")
                    ),
                    "{file}"
                );
            }
        }
        assert_eq!(of(&[("VERSION", "please run this")], ""), None);
    }
}
