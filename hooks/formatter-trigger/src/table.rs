//! The formatters that are known: one entry each.

use crate::evidence::{self, Evidence};

/// Stands in the arguments where the copy's path goes.
pub(crate) const COPY: &str = "{file}";

#[derive(Debug)]
pub(crate) struct Formatter {
    /// Its name, and that of its program, before any blank.
    pub(crate) name: &'static str,
    /// The files that it is for.
    pub(crate) extensions: &'static [&'static str],
    /// What shows that a folder's project uses it, in the formatter's own order of precedence.
    pub(crate) evidence: &'static [Evidence],
    /// Where a project has its own copy of the program.
    pub(crate) local: &'static [&'static str],
    /// How it reads stdin and writes stdout.
    pub(crate) arguments: &'static [Word],
    /// Where it runs.
    pub(crate) folder: Place,
    /// Files that choose another program in its place, from the file's folder up.
    pub(crate) pinned_by: &'static [&'static str],
    /// Whether it counts only when `delegate` in `format.toml` names it.
    pub(crate) on_request: bool,
    /// Whether the text goes in on stdin; else the program changes a copy, whose path stands for `{file}`.
    pub(crate) stdin: bool,
    /// Whether it takes too long for every edit, and runs when the agent stops.
    pub(crate) at_stop: bool,
}

/// A word of a command line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    /// As it stands.
    Is(&'static str),
    /// The file's absolute path after this, which no option can be mistaken for.
    File(&'static str),
    /// The file's extension after this.
    Extension(&'static str),
    /// The crate's edition, with its option; nothing when there is no crate.
    Edition,
}

/// Where a formatter runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In that of its configuration, where people run it: some look for ignore files there.
    Configuration,
    /// In that of the file: some look for their configuration from there.
    File,
}

use Evidence::{Code, Data, Inside};
use Word::{Edition, Extension, File, Is};

const NODE: &[&str] = &["node_modules/.bin"];
pub(crate) const PYTHON: &[&str] = &[".venv/bin"];

/// What most entries have in common.
const PLAIN: Formatter = Formatter {
    name: "",
    extensions: &[],
    evidence: &[],
    local: &[],
    arguments: &[],
    folder: Place::Configuration,
    pinned_by: &[],
    on_request: false,
    stdin: true,
    at_stop: false,
};

/// All formatters. Where one folder configures several for the same file, the first counts.
pub(crate) const FORMATTERS: &[Formatter] = &[
    Formatter {
        name: "treefmt",
        extensions: &["*"],
        evidence: &[Code("treefmt.toml"), Code(".treefmt.toml")],
        // On stdin it knows the last part of the name only (2.3.1), and patterns with folders match nothing.
        arguments: &[Is("--quiet"), Is("--no-cache"), Is(COPY)],
        on_request: true,
        stdin: false,
        ..PLAIN
    },
    Formatter {
        name: "hk",
        extensions: &["*"],
        evidence: &[Code("hk.pkl"), Code(".config/hk.pkl")],
        arguments: &[Is("fix"), Is(COPY)],
        on_request: true,
        stdin: false,
        ..PLAIN
    },
    Formatter {
        name: "prek",
        extensions: &["*"],
        evidence: &[Code("prek.toml"), Code(".pre-commit-config.yaml"), Code(".pre-commit-config.yml")],
        local: PYTHON,
        // It knows from git what its hooks changed, and git knows nothing of the copy: no failure is made of that.
        arguments: &[Is("run"), Is("--quiet"), Is("--files"), Is(COPY)],
        on_request: true,
        stdin: false,
        ..PLAIN
    },
    Formatter {
        name: "biome",
        extensions: &[
            "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "json", "jsonc", "css", "graphql", "gql",
        ],
        evidence: &[Data("biome.json"), Data("biome.jsonc"), Data(".biome.json"), Data(".biome.jsonc")],
        local: NODE,
        arguments: &[Is("format"), File("--stdin-file-path=")],
        ..PLAIN
    },
    Formatter {
        name: "dprint",
        extensions: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "json", "jsonc", "md", "toml"],
        // Its plugins may be programs that it fetches.
        evidence: &[Code("dprint.json"), Code("dprint.jsonc"), Code(".dprint.json"), Code(".dprint.jsonc")],
        local: NODE,
        arguments: &[Is("fmt"), Is("--stdin"), File("")],
        ..PLAIN
    },
    Formatter {
        name: "prettier",
        extensions: &[
            "js",
            "jsx",
            "mjs",
            "cjs",
            "ts",
            "tsx",
            "mts",
            "cts",
            "json",
            "json5",
            "jsonc",
            "css",
            "scss",
            "less",
            "html",
            "htm",
            "vue",
            "md",
            "markdown",
            "mdx",
            "yaml",
            "yml",
            "graphql",
            "gql",
            "hbs",
            "handlebars",
        ],
        evidence: &[
            Inside("package.json", evidence::package_prettier),
            Inside("package.yaml", evidence::package_yaml),
            Inside(".prettierrc", evidence::prettierrc),
            Inside(".prettierrc.json", evidence::prettierrc),
            Inside(".prettierrc.yaml", evidence::prettierrc),
            Inside(".prettierrc.yml", evidence::prettierrc),
            Inside(".prettierrc.json5", evidence::prettierrc),
            Code(".prettierrc.js"),
            Code(".prettierrc.ts"),
            Code(".prettierrc.mjs"),
            Code(".prettierrc.mts"),
            Code(".prettierrc.cjs"),
            Code(".prettierrc.cts"),
            Code("prettier.config.js"),
            Code("prettier.config.ts"),
            Code("prettier.config.mjs"),
            Code("prettier.config.mts"),
            Code("prettier.config.cjs"),
            Code("prettier.config.cts"),
            Inside(".prettierrc.toml", evidence::prettierrc),
        ],
        local: NODE,
        arguments: &[Is("--stdin-filepath"), File("")],
        ..PLAIN
    },
    Formatter {
        name: "deno",
        extensions: &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "json", "jsonc", "md"],
        evidence: &[Data("deno.json"), Data("deno.jsonc")],
        local: NODE,
        arguments: &[Is("fmt"), Extension("--ext="), Is("-")],
        ..PLAIN
    },
    Formatter {
        name: "rustfmt",
        extensions: &["rs"],
        evidence: &[Data("Cargo.toml"), Data("rustfmt.toml"), Data(".rustfmt.toml")],
        // On stdin it does not know of child modules, which it would rewrite otherwise.
        arguments: &[Edition],
        folder: Place::File,
        pinned_by: &["rust-toolchain", "rust-toolchain.toml"],
        ..PLAIN
    },
    Formatter {
        name: "ruff",
        extensions: &["py", "pyi", "ipynb"],
        evidence: &[Data(".ruff.toml"), Data("ruff.toml"), Inside("pyproject.toml", evidence::ruff)],
        local: PYTHON,
        arguments: &[Is("format"), Is("--force-exclude"), Is("--stdin-filename"), File(""), Is("-")],
        ..PLAIN
    },
    Formatter {
        name: "black",
        extensions: &["py", "pyi"],
        evidence: &[Inside("pyproject.toml", evidence::black)],
        local: PYTHON,
        arguments: &[Is("-q"), Is("--stdin-filename"), File(""), Is("-")],
        ..PLAIN
    },
    Formatter { name: "gofmt", extensions: &["go"], evidence: &[Data("go.mod")], ..PLAIN },
    Formatter {
        name: "shfmt",
        extensions: &["sh", "bash", "bats"],
        evidence: &[Inside(".editorconfig", evidence::shell_style)],
        local: PYTHON,
        arguments: &[Is("--apply-ignore"), Is("--filename"), File("")],
        ..PLAIN
    },
    Formatter {
        name: "clang-format",
        extensions: &[
            "c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "ipp", "inl", "m", "mm", "proto",
            "java", "cu", "cuh",
        ],
        evidence: &[Data(".clang-format"), Data("_clang-format")],
        local: PYTHON,
        arguments: &[Is("--fallback-style=none"), File("--assume-filename=")],
        ..PLAIN
    },
    Formatter {
        name: "taplo",
        extensions: &["toml"],
        evidence: &[Data(".taplo.toml"), Data("taplo.toml")],
        arguments: &[Is("format"), Is("--stdin-filepath"), File(""), Is("-")],
        ..PLAIN
    },
    Formatter {
        name: "stylua",
        extensions: &["lua", "luau"],
        evidence: &[Data("stylua.toml"), Data(".stylua.toml")],
        local: NODE,
        arguments: &[Is("--stdin-filepath"), File(""), Is("-")],
        ..PLAIN
    },
    Formatter {
        name: "terraform",
        extensions: &["tf", "tfvars"],
        evidence: &[Data(".terraform.lock.hcl")],
        arguments: &[Is("fmt"), Is("-")],
        ..PLAIN
    },
    Formatter {
        name: "zig",
        extensions: &["zig"],
        evidence: &[Data("build.zig")],
        arguments: &[Is("fmt"), Is("--stdin")],
        ..PLAIN
    },
    Formatter {
        name: "dart",
        extensions: &["dart"],
        evidence: &[Data("pubspec.yaml")],
        arguments: &[Is("format")],
        folder: Place::File,
        ..PLAIN
    },
    Formatter {
        name: "nixfmt",
        extensions: &["nix"],
        evidence: &[
            Inside("flake.nix", evidence::nixfmt),
            Inside("shell.nix", evidence::nixfmt),
            Inside("default.nix", evidence::nixfmt),
        ],
        ..PLAIN
    },
    Formatter {
        name: "csharpier",
        extensions: &["cs", "csx"],
        evidence: &[
            Data(".csharpierrc"),
            Data(".csharpierrc.json"),
            Data(".csharpierrc.yaml"),
            Data(".csharpierrc.yml"),
        ],
        arguments: &[Is("format"), Is("--stdin-path"), File("")],
        ..PLAIN
    },
    Formatter {
        name: "dotnet format",
        extensions: &["cs"],
        evidence: &[Inside(".editorconfig", evidence::csharp_style)],
        // As a folder of files: a project would be built first, with the code that it brings.
        arguments: &[
            Is("format"),
            Is("whitespace"),
            Is("--folder"),
            Is("--no-restore"),
            Is("--include"),
            Is(COPY),
        ],
        folder: Place::File,
        stdin: false,
        at_stop: true,
        ..PLAIN
    },
];

impl Formatter {
    /// The name of its program.
    pub(crate) fn program(&self) -> &'static str {
        self.name.split(' ').next().unwrap_or(self.name)
    }

    /// Whether it is for files with this extension.
    pub(crate) fn takes(&self, extension: &str) -> bool {
        // Most differ in length or in the first letter, which is cheaper to compare than case.
        let first = extension.as_bytes().first().map(u8::to_ascii_lowercase);
        let same = |known: &&str| {
            known.len() == extension.len()
                && known.as_bytes().first().copied() == first
                && known.eq_ignore_ascii_case(extension)
        };
        self.extensions.first() == Some(&"*") || self.extensions.iter().any(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_complete() {
        for formatter in FORMATTERS {
            let name = formatter.name;
            assert!(
                !name.is_empty() && !formatter.extensions.is_empty() && !formatter.evidence.is_empty(),
                "{name}"
            );
            let on_a_copy =
                formatter.arguments.iter().any(|word| matches!(word, Is(word) if word.contains(COPY)));
            assert_eq!(formatter.stdin, !on_a_copy, "{name}");
            let mut seen = Vec::new();
            for extension in formatter.extensions {
                assert!(!seen.contains(extension), "{name} names {extension} twice");
                seen.push(extension);
            }
        }
    }
}
