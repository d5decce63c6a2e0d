//! The environment that tools need, without what is secret in it.

use std::ffi::OsString;

/// The variables that every program gets, and those that `wanted` names besides, for output without colours.
pub fn usual(wanted: impl Fn(&str) -> bool) -> Vec<(OsString, OsString)> {
    std::env::vars_os()
        // A name that is not text is none of the list, and stays out with the rest.
        .filter(|(name, _)| name.to_str().is_some_and(|name| is_usual(name) || wanted(name)))
        .chain([("TERM", "dumb"), ("NO_COLOR", "1")].map(|(name, value)| (name.into(), value.into())))
        .collect()
}

/// The variables that every program gets, as they are.
pub fn inherited() -> Vec<(OsString, OsString)> {
    let mut environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    environment.retain(|(name, _)| name.to_str().is_some_and(is_usual));
    environment
}

/// Whether a variable is one that tools need. Tokens and keys have other names than these.
pub fn is_usual(name: &str) -> bool {
    matches!(
        name,
        "PATH" | "HOME" | "USER" | "LOGNAME" | "SHELL" | "LANG" | "LANGUAGE" | "TZ" | "TMPDIR" | "TMP" | "TEMP"
            | "PWD" | "DISPLAY" | "HOSTNAME"
            // Where git looks for a repository no further.
            | "GIT_CEILING_DIRECTORIES"
            // Where toolchains live and build.
            | "CARGO_HOME" | "CARGO_TARGET_DIR" | "RUSTUP_HOME" | "RUSTUP_TOOLCHAIN" | "RUSTFLAGS" | "GOPATH"
            | "GOROOT" | "GOCACHE" | "GOMODCACHE" | "GOFLAGS" | "JAVA_HOME" | "GRADLE_USER_HOME" | "MAVEN_OPTS"
            | "NVM_DIR" | "NODE_PATH" | "NODE_ENV" | "VOLTA_HOME" | "FNM_DIR" | "PNPM_HOME" | "BUN_INSTALL"
            | "PYENV_ROOT" | "PYTHONPATH" | "VIRTUAL_ENV" | "CONDA_PREFIX" | "UV_CACHE_DIR" | "GEM_HOME"
            | "GEM_PATH" | "RBENV_ROOT" | "ASDF_DIR" | "ASDF_DATA_DIR" | "MISE_DATA_DIR" | "SDKMAN_DIR"
            | "DOTNET_ROOT" | "ANDROID_HOME" | "NIX_PATH" | "PKG_CONFIG_PATH" | "LD_LIBRARY_PATH" | "CC" | "CXX"
            | "XDG_CACHE_HOME" | "XDG_CONFIG_HOME" | "XDG_DATA_HOME" | "XDG_STATE_HOME" | "XDG_RUNTIME_DIR"
            // Without these, nothing starts on Windows.
            | "SystemRoot" | "SYSTEMROOT" | "SystemDrive" | "windir" | "ComSpec" | "PATHEXT" | "USERPROFILE"
            | "APPDATA" | "LOCALAPPDATA" | "ProgramData" | "ProgramFiles" | "NUMBER_OF_PROCESSORS"
    ) || name.starts_with("LC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tools_need_is_inherited() {
        let inherited = inherited();
        assert!(inherited.iter().all(|(name, _)| is_usual(name.to_str().unwrap())), "{inherited:?}");
        let path = std::env::var_os("PATH");
        assert_eq!(inherited.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.clone()), path);
    }

    #[test]
    fn the_environment_is_the_usual_one() {
        for name in ["PATH", "HOME", "LC_ALL", "CARGO_HOME"] {
            assert!(is_usual(name), "{name}");
        }
        for name in ["GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "CARGO_REGISTRY_TOKEN", "GIT_DIR", "LD_PRELOAD"]
        {
            assert!(!is_usual(name), "{name}");
        }
    }
}
