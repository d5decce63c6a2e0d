//! What shows that a project uses a formatter: files of a folder, read no further than needed.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::folder::Folder;

/// The largest configuration that is looked into, in bytes.
const LARGEST: u64 = 256 * 1024;

/// What shows that a project uses a formatter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Evidence {
    /// A file of plain settings.
    Data(&'static str),
    /// A file that is a program, or names programs to run.
    Code(&'static str),
    /// A file that tells by its content.
    Inside(&'static str, fn(&str) -> Tells),
}

/// What a file's content tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tells {
    /// It is about something else.
    Nothing,
    /// It configures the formatter.
    Data,
    /// It makes the formatter run code.
    Code,
}

/// A configuration that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) config: PathBuf,
    /// Whether it makes the formatter run code.
    pub(crate) is_code: bool,
}

impl Evidence {
    /// Looks into `folder`.
    pub(crate) fn look(self, folder: &Folder) -> Option<Found> {
        let (Self::Data(name) | Self::Code(name) | Self::Inside(name, _)) = self;
        if !folder.has_file(name) {
            return None;
        }
        let config = folder.join(name);
        let is_code = match self {
            Self::Data(_) => false,
            Self::Code(_) => true,
            // What cannot be read here may be read by the formatter.
            Self::Inside(_, tells) => match read(&config).map_or(Tells::Code, |text| tells(&text)) {
                Tells::Nothing => return None,
                told => told == Tells::Code,
            },
        };
        Some(Found { config, is_code })
    }
}

/// The text of a configuration; `None` when it is not one, or too large.
pub(crate) fn read(path: &Path) -> Option<String> {
    let mut text = String::with_capacity(4096);
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|facts| facts.is_file()))?;
    file.take(LARGEST + 1).read_to_string(&mut text).ok()?;
    // Half of a configuration may say something else than the whole.
    Some(text).filter(|text| text.len() as u64 <= LARGEST)
}

/// The sections and assignments of a string in the manner of TOML and INI: section, key, value. A section's head comes
/// with an empty key.
pub(crate) fn pairs(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut section = "";
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(head) = line.strip_prefix('[') {
            // The last bracket: editorconfig has brackets in its patterns.
            section =
                head.split_once(" #").map_or(head, |(head, _)| head).trim_end().strip_suffix(']')?.trim();
            return Some((section, "", ""));
        }
        let (key, value) = line.split_once('=').filter(|_| !line.starts_with(['#', ';']))?;
        Some((section, key.trim(), value.trim()))
    })
}

/// Whether a TOML text has the table `name`, or one below it.
pub(crate) fn has_table(text: &str, name: &str) -> bool {
    pairs(text).any(|(section, key, _)| {
        let inside =
            |path: &str| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        if key.is_empty() { inside(section) } else { section.is_empty() && inside(key) }
    })
}

/// `pyproject.toml`, for ruff: where black formats, ruff only checks, unless its settings say to format.
pub(crate) fn ruff(text: &str) -> Tells {
    let formats = has_table(text, "tool.ruff.format") || !has_table(text, "tool.black");
    if has_table(text, "tool.ruff") && formats { Tells::Data } else { Tells::Nothing }
}

/// `pyproject.toml`, for black.
pub(crate) fn black(text: &str) -> Tells {
    if has_table(text, "tool.black") { Tells::Data } else { Tells::Nothing }
}

/// `.editorconfig`, for shfmt: it says how shell scripts are indented.
pub(crate) fn shell_style(text: &str) -> Tells {
    const KEYS: &[&str] = &[
        "indent_style",
        "indent_size",
        "shell_variant",
        "binary_next_line",
        "switch_case_indent",
        "space_redirects",
        "keep_padding",
        "function_next_line",
    ];
    let about_shell = |section: &str| {
        let mut words = section.split(|c: char| !c.is_ascii_alphanumeric());
        section == "*" || words.any(|word| matches!(word, "sh" | "bash" | "shell" | "mksh" | "bats"))
    };
    let tells = pairs(text).any(|(section, key, value)| {
        about_shell(section)
            && KEYS.contains(&&*key.to_ascii_lowercase())
            && !value.eq_ignore_ascii_case("unset")
    });
    if tells { Tells::Data } else { Tells::Nothing }
}

/// `.editorconfig`, for `dotnet format`: it says how C# is laid out.
pub(crate) fn csharp_style(text: &str) -> Tells {
    let about_csharp = |section: &str| {
        section.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| matches!(word, "cs" | "csx"))
    };
    if pairs(text).any(|(section, key, _)| about_csharp(section) && !key.is_empty()) {
        Tells::Data
    } else {
        Tells::Nothing
    }
}

/// A file of Nix, for nixfmt: it names it as the project's formatter.
pub(crate) fn nixfmt(text: &str) -> Tells {
    if text.contains("nixfmt") { Tells::Data } else { Tells::Nothing }
}

/// `package.json`, for prettier.
pub(crate) fn package_prettier(text: &str) -> Tells {
    let Some(package) = payload::Json::new(text) else {
        return if text.contains("prettier") || text.contains('\\') { Tells::Code } else { Tells::Nothing };
    };
    // Of two members of one name readers choose differently.
    let mut members = package.members().filter(|(key, _)| &**key == "prettier").map(|(_, value)| value);
    match (members.next(), members.next()) {
        (None, _) => Tells::Nothing,
        // A string names a package whose code says how to format.
        (Some(prettier), None)
            if prettier.kind() == payload::JsonType::Object && !loads_code(prettier.text()) =>
        {
            Tells::Data
        }
        _ => Tells::Code,
    }
}

/// `package.yaml`, for prettier.
pub(crate) fn package_yaml(text: &str) -> Tells {
    let plain = !text.contains("prettier") && !text.contains('\\') && !text.contains("!!");
    if plain { Tells::Nothing } else { Tells::Code }
}

/// `.prettierrc` in its data forms: it may name plugins, or be the name of a package.
pub(crate) fn prettierrc(text: &str) -> Tells {
    let blank = |line: &&str| line.is_empty() || line.starts_with('#') || *line == "---";
    let Some(first) = text.lines().map(str::trim).find(|line| !blank(line)) else { return Tells::Data };
    let name_of = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest = first.trim_start_matches(name_of).trim_start();
    let assigns =
        rest.len() < first.len() && (rest == ":" || rest.starts_with(": ") || rest.starts_with('='));
    let is_object = first.starts_with('{') || first.starts_with("[[") || assigns;
    if is_object && !loads_code(text) { Tells::Data } else { Tells::Code }
}

/// Whether prettier's settings may name code: plugins, or a parser in a file. What is written with escapes may, too.
fn loads_code(settings: &str) -> bool {
    ["plugin", "parser", "\\", "!!"].iter().any(|part| settings.contains(part))
}

/// The crate's edition for `file` by the `Cargo.toml` files of the folders above it, the nearest first.
pub(crate) fn edition<'p>(folders: impl Iterator<Item = &'p Path>) -> Option<String> {
    let mut inherits = false;
    for folder in folders {
        let Some(text) = read(&folder.join("Cargo.toml")) else { continue };
        let unquoted = |value: &str| value.split(['"', '\'']).nth(1).map(str::to_owned);
        let is_package = has_table(&text, "package");
        let wanted = if is_package && !inherits { "package" } else { "workspace.package" };
        let mut own = None;
        for (section, key, value) in pairs(&text) {
            let key = if section.is_empty() {
                key.strip_prefix(wanted).and_then(|key| key.strip_prefix('.'))
            } else {
                Some(key)
            };
            if section != wanted && !section.is_empty() {
                continue;
            }
            match key {
                Some("edition") if value.contains("workspace") => inherits = true,
                Some("edition") => own = unquoted(value),
                Some("edition.workspace") => inherits |= value.starts_with("true"),
                _ => {}
            }
        }
        if own.is_some() {
            return own;
        }
        if is_package && !inherits {
            // What cargo takes for a package that does not say.
            return Some("2015".to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn tables_are_found_however_they_are_written() {
        for (text, found) in [
            ("[tool.ruff]\n", true),
            ("[tool.ruff] # why\n", true),
            ("[ tool.ruff ]\n", true),
            ("[tool.ruff.lint]\nselect = []\n", true),
            ("tool.ruff.line-length = 1\n", true),
            ("[tool.ruffian]\n", false),
            ("# [tool.ruff]\n", false),
            ("[project]\nname = \"tool.ruff\"\n", false),
        ] {
            assert_eq!(has_table(text, "tool.ruff"), found, "{text}");
        }
    }

    #[test]
    fn black_formats_where_both_are_configured() {
        assert_eq!(ruff("[tool.ruff]\nx = 1\n"), Tells::Data);
        assert_eq!(ruff("[tool.ruff.lint]\n[tool.black]\n"), Tells::Nothing);
        assert_eq!(ruff("[tool.ruff.format]\n[tool.black]\n"), Tells::Data);
        assert_eq!(black("[tool.black]\n"), Tells::Data);
        assert_eq!(black("[project]\n"), Tells::Nothing);
    }

    #[test]
    fn an_editorconfig_counts_when_it_says_how_to_indent_scripts() {
        for (text, tells) in [
            ("root = true\n[*]\nindent_style = space\n", true),
            ("[*.sh]\nindent_size = 2\n", true),
            ("[*.{sh,bash}]\nIndent_Style = tab\n", true),
            ("[[shell]]\nswitch_case_indent = true\n", true),
            ("[*]\ncharset = utf-8\n", false),
            ("[*.js]\nindent_size = 2\n", false),
            ("[*.sh]\nindent_size = unset\n", false),
        ] {
            assert_eq!(shell_style(text) == Tells::Data, tells, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_csharp_and_nix_counts() {
        for (text, tells) in [
            ("[*.cs]\nindent_size = 4\n", true),
            ("[*.{cs,vb}]\ncsharp_new_line_before_open_brace = all\n", true),
            ("[*.cs]\n[*]\nindent_size = 4\n", false),
            ("[*.css]\nindent_size = 4\n", false),
        ] {
            assert_eq!(csharp_style(text) == Tells::Data, tells, "{text}");
        }
        assert_eq!(nixfmt("{ formatter = pkgs.nixfmt-rfc-style; }"), Tells::Data);
        assert_eq!(nixfmt("{ formatter = pkgs.alejandra; }"), Tells::Nothing);
    }

    #[test]
    fn prettiers_data_may_be_code() {
        for (text, tells) in [
            ("{}", Tells::Data),
            ("", Tells::Data),
            ("semi: false\n", Tells::Data),
            ("# why\n---\nsemi: false\n", Tells::Data),
            ("semi = false\n", Tells::Data),
            (r#"{"plugins":["./evil.js"]}"#, Tells::Code),
            (r#"{"pl\u0075gins":["./evil.js"]}"#, Tells::Code),
            (r#""./ev:il.js""#, Tells::Code),
            ("--- ./evil.js", Tells::Code),
            ("./evil.js\nsemi: false\n", Tells::Code),
            ("parser: ./evil.js\n", Tells::Code),
            (r#""@company/prettier-config""#, Tells::Code),
            ("@company/prettier-config\n", Tells::Code),
        ] {
            assert_eq!(prettierrc(text), tells, "{text}");
        }
        assert_eq!(package_yaml("prettier: ./evil.js\n"), Tells::Code);
        assert_eq!(package_yaml("name: x\n"), Tells::Nothing);
        for (text, tells) in [
            ("{}", Tells::Nothing),
            ("no json", Tells::Nothing),
            ("no json, but prettier", Tells::Code),
            (r#"{"prettier":{},"prettier":"./evil.js"}"#, Tells::Code),
            (r#"{"pr\u0065ttier":"./evil.js"}"#, Tells::Code),
            (r#"{"prettier":{"pl\u0075gins":[]}}"#, Tells::Code),
            (r#"{"prettier":{"semi":false}}"#, Tells::Data),
            (r#"{"prettier":"@company/config"}"#, Tells::Code),
            (r#"{"prettier":{"overrides":[{"options":{"plugins":["x"]}}]}}"#, Tells::Code),
        ] {
            assert_eq!(package_prettier(text), tells, "{text}");
        }
    }

    #[test]
    fn the_edition_is_the_crates_own() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        let inner = top.join("crates/a");
        fs::create_dir_all(&inner).unwrap();
        let edition_of = |outer: &str, own: &str| {
            fs::write(top.join("Cargo.toml"), outer).unwrap();
            fs::write(inner.join("Cargo.toml"), own).unwrap();
            edition(
                [inner.join("src"), inner.clone(), top.join("crates"), top.to_owned()]
                    .iter()
                    .map(PathBuf::as_path),
            )
        };
        let workspace = "[workspace]\n[workspace.package]\nedition = \"2024\"\n";
        for (outer, own, expected) in [
            (workspace, "[package]\nedition = \"2021\"\n", Some("2021")),
            (workspace, "[package]\nedition.workspace = true\n", Some("2024")),
            (workspace, "[package]\nedition = { workspace = true }\n", Some("2024")),
            (workspace, "[package]\nname = \"a\"\n", Some("2015")),
            (workspace, "package.edition = '2018'\n", Some("2018")),
            (workspace, "", Some("2024")),
            ("", "", None),
        ] {
            assert_eq!(edition_of(outer, own).as_deref(), expected, "{own}");
        }
    }
}
