//! Folders and names that mean the same on every machine.

use shell::path;

use crate::table::{Table, table};

/// The folder of a list in which `path` lies, or which it is.
pub(super) fn holder(list: &'static Table, path: &str) -> Option<&'static str> {
    // Two letters tell most apart, and every path of every command is looked up.
    let second = path.as_bytes().get(1)?;
    list.lines().find(|entry| entry.as_bytes().get(1) == Some(second) && path::is_within(path, entry))
}

/// Folders of Unix systems whose loss breaks the machine. Everything below them counts as system, too.
pub(super) static SYSTEM: Table = table!(
    "
    /bin
    /boot
    /dev
    /etc
    /lib
    /lib32
    /lib64
    /libx32
    /proc
    /sbin
    /sys
    /usr
    /var
    /run
    /System
    /Library
    /Applications
    /private/etc
    /private/var
    /opt/homebrew
    /cores
    /snap
    /nix
    /efi
    /recovery
    /mnt/c/Windows
    /mnt/c/Users
    /mnt/c/Program Files
    /c/Windows
    /c/Users
"
);

/// Where temporary files live: what lies below is no one's loss.
pub(super) static TEMPORARY: Table = table!(
    "
    /tmp
    /var/tmp
    /private/tmp
    /dev/shm
    /var/cache
    /var/folders
    /private/var/folders
    /var/lib/apt/lists
"
);

/// Folders below system folders that hold what people put there themselves. Only what lies in them is theirs.
pub(super) static LOCAL: Table = table!(
    "
    /usr/local
    /var/www
    /usr/share/nginx/html
    /opt/homebrew
"
);

/// Generated names that mean the same outside the working tree.
pub(super) fn is_generated_anywhere(name: &str) -> bool {
    matches!(
        name,
        "node_modules"
            | "target"
            | "build"
            | "dist"
            | "__pycache__"
            | "venv"
            | "coverage"
            | "bower_components"
            | "DerivedData"
    )
}

/// Names of folders and files that tools make again.
pub(super) fn is_generated_name(name: &str) -> bool {
    matches!(
        name,
        "node_modules"
            | "target"
            | "build"
            | "dist"
            | "out"
            | "output"
            | "bin"
            | "obj"
            | "coverage"
            | "htmlcov"
            | "__pycache__"
            | "vendor"
            | "venv"
            | "tmp"
            | "temp"
            | "cache"
            | "logs"
            | "log"
            | "results"
            | "artifacts"
            | "reports"
            | "public"
            | "site"
            | "_site"
            | "_build"
            | "bower_components"
            | "jspm_packages"
            | "elm-stuff"
            | "deps"
            | "Pods"
            | "DerivedData"
            | "wheels"
            | "eggs"
            | "generated"
            | "gen"
            | "storybook-static"
            | "test-results"
            | "playwright-report"
            | "debug"
            | "release"
            | "cmake-build-debug"
            | "cmake-build-release"
            | "zig-out"
            | "zig-cache"
            | "bazel-bin"
            | "bazel-out"
            | "lib-cov"
            | "www"
            | "docs/_build"
    )
}

/// Dot folders of tools that are made again.
pub(super) fn is_generated_dot(name: &str) -> bool {
    matches!(
        name,
        ".next"
            | ".nuxt"
            | ".turbo"
            | ".cache"
            | ".parcel-cache"
            | ".pytest_cache"
            | ".mypy_cache"
            | ".ruff_cache"
            | ".tox"
            | ".nox"
            | ".venv"
            | ".gradle"
            | ".terraform"
            | ".nyc_output"
            | ".svelte-kit"
            | ".angular"
            | ".expo"
            | ".eggs"
            | ".hypothesis"
            | ".ipynb_checkpoints"
            | ".dart_tool"
            | ".zig-cache"
            | ".vite"
            | ".output"
            | ".serverless"
            | ".webpack"
            | ".rollup.cache"
            | ".sass-cache"
            | ".stack-work"
            | ".bundle"
            | ".build"
            | ".coverage"
            | ".eslintcache"
            | ".tmp"
            | ".temp"
            | ".rspec_status"
            | ".docusaurus"
            | ".astro"
            | ".vercel"
            | ".netlify"
            | ".yarn"
            | ".pnpm-store"
            | ".npm"
            | ".metals"
            | ".bloop"
            | ".DS_Store"
    )
}

/// Places in a home folder that are made again: caches, versions of tools, and the plugins of shells and editors, which a
/// list in their settings names.
pub(super) static HOME_CACHES: Table = table!(
    "
    .cache
    .npm/_cacache
    .npm/_npx
    .npm/_logs
    .cargo/registry
    .cargo/advisory-db
    .cargo/advisory-dbs
    .cargo/git
    .gradle/caches
    .m2/repository
    Library/Caches
    .pnpm-store
    .yarn/cache
    .bun/install/cache
    .nuget/packages
    go/pkg/mod
    .local/share/Trash
    .Trash
    .ccache
    .sccache
    .deno
    .npm
    .nvm/versions
    .nvm/.cache
    .fnm/node-versions
    .local/share/fnm
    .volta/tools
    .volta/cache
    .pyenv/versions
    .pyenv/cache
    .rbenv/versions
    .nodenv/versions
    .goenv/versions
    .jenv/versions
    .tfenv/versions
    .asdf/installs
    .asdf/downloads
    .local/share/mise/installs
    .local/share/mise/downloads
    .local/share/rtx/installs
    .sdkman/candidates
    .sdkman/archives
    .sdkman/tmp
    .rustup/toolchains
    .rustup/downloads
    .rustup/tmp
    .ghcup/cache
    .ghcup/ghc
    .stack/programs
    .stack/snapshots
    .cabal/packages
    .cabal/store
    .hex/packages
    .opam/download-cache
    .pub-cache
    .dartServer
    .ivy2/cache
    .sbt/boot
    .coursier/cache
    .gradle/wrapper/dists
    .gradle/daemon
    .gradle/native
    .m2/wrapper
    .android/cache
    .android/build-cache
    .yarn/berry/cache
    .config/yarn/global/node_modules
    .npm-global/lib/node_modules
    .node-gyp
    .electron
    .electron-gyp
    .composer/cache
    .gem/ruby
    .bundle/cache
    .cypress
    .local/share/pnpm/store
    .local/share/virtualenvs
    .local/share/uv
    .local/pipx/venvs
    .local/share/pipx/venvs
    .conda/pkgs
    .conda/envs
    miniconda3/pkgs
    miniconda3/envs
    anaconda3/pkgs
    mambaforge/pkgs
    miniforge3/pkgs
    .terraform.d/plugin-cache
    .minikube/cache
    .kube/cache
    .expo/cache
    .bazel
    .nix-defexpr
    .local/share/nvim/lazy
    .local/share/nvim/mason
    .local/share/nvim/plugged
    .local/share/nvim/site/pack
    .local/state/nvim/swap
    .vim/plugged
    .vim/bundle
    .vim/pack
    .config/nvim/plugged
    .emacs.d/elpa
    .emacs.d/straight
    .oh-my-zsh/custom/plugins
    .oh-my-zsh/cache
    .zinit/plugins
    .local/share/zinit
    .zplug/repos
    .antigen/bundles
    .tmux/plugins
    .config/tmux/plugins
    .vscode/extensions
    .vscode-server
    .vscode-insiders/extensions
    .cursor/extensions
    .cursor-server
    .windsurf/extensions
    Library/Developer/Xcode/DerivedData
"
);
