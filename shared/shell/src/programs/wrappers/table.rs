//! The wrappers and how their own arguments look.

use super::Wrapper;

const fn wrapper(
    flags: &'static str,
    valued: &'static str,
    long_valued: &'static str,
    operands: usize,
) -> Wrapper {
    Wrapper { flags, valued, long_valued, operands, assigns: false }
}

/// The wrapper with this name.
///
/// Options are from the manual pages of coreutils 9, util-linux 2.41, sudo 1.9, procps 4, strace 6 and the
/// tools' own `--help`.
pub(in crate::programs) fn find(name: &str) -> Option<Wrapper> {
    let found = match name {
        // Another user.
        "sudo" | "gosudo" => Wrapper {
            assigns: true,
            ..wrapper(
                "ABbEeHiKklNnPSsVv",
                "aCcDghpRrTtUu",
                "auth-type chdir chroot close-from command-timeout group host login-class other-user prompt role type user",
                0,
            )
        },
        "doas" => wrapper("Lns", "aCu", "", 0),
        "dzdo" | "sudo.ws" => wrapper("AbEHknPSs", "CghprTu", "user group prompt", 0),
        "pkexec" => wrapper("", "", "user", 0),
        "run0" => wrapper("", "ugDE", "user group nice chdir setenv unit property slice description", 0),
        "runuser" => wrapper("lmpf", "ugGsT", "user group supp-group shell", 0),
        "sg" | "newgrp" => wrapper("", "", "", 1),
        "gosu" | "su-exec" | "setuidgid" => wrapper("", "", "", 1),
        "sudo-rs" | "please" => Wrapper { assigns: true, ..wrapper("nkEi", "ug", "user group", 0) },
        // Environment and folders.
        "env" => Wrapper { assigns: true, ..wrapper("i0v", "uCS", "unset chdir argv0", 0) },
        "chroot" => wrapper("", "", "userspec groups", 1),
        "unshare" => wrapper(
            "cfimnpruCTU",
            "RSGlw",
            "root wd setuid setgid propagation monotonic boottime load-interp map-user map-group map-users map-groups",
            0,
        ),
        "nsenter" => wrapper("aCeFimnpruTUZ", "tSGrw", "target setuid setgid", 0),
        "firejail" | "fakechroot" => wrapper("", "", "", 0),
        "proot" => wrapper("0ilS", "rRbqwkv", "rootfs bind cwd qemu kernel-release", 0),
        // What `--bind FROM TO` takes is not a program, and what follows it is found as its own reading.
        "bwrap" => wrapper(
            "",
            "",
            "dev proc tmpfs mqueue dir chdir unsetenv uid gid hostname args seccomp remount-ro lock-file cap-add cap-drop perms size bind@ ro-bind@ dev-bind@ bind-try@ ro-bind-try@ dev-bind-try@ symlink@ setenv@ file@ bind-data@ ro-bind-data@ chmod@",
            0,
        ),
        "arch-chroot" => wrapper("hNrS", "u", "", 1),
        "schroot" | "dchroot" => wrapper("apqv", "cdons", "chroot directory user option namespace shell", 0),
        "aa-exec" => wrapper("vdi", "pn", "profile namespace", 0),
        "runcon" => wrapper("c", "turl", "type user role range", 0),
        "sandbox-exec" => wrapper("", "fpnD", "", 0),
        "flatpak-spawn" => wrapper("v", "", "", 0),
        "host-spawn" | "distrobox-host-exec" => wrapper("", "", "", 0),
        "podman-unshare" => wrapper("", "", "", 0),
        "fakeroot" => wrapper("u", "lsibf", "lib faked", 0),
        "cgexec" => wrapper("", "g", "", 0),
        "setpriv" => wrapper(
            "d",
            "",
            "reuid regid groups inh-caps ambient-caps bounding-set securebits selinux-label apparmor-profile",
            0,
        ),
        "direnv" => wrapper("", "", "", 2),
        // Priority, limits, buffering.
        "nice" => wrapper("0123456789", "n", "adjustment", 0),
        "ionice" => wrapper("t", "cnpPu", "class classdata pid", 0),
        "chrt" => wrapper("abdfimoprRv", "TPD", "sched-runtime sched-period sched-deadline", 1),
        "taskset" => wrapper("apc", "", "", 1),
        "numactl" => wrapper("lasH", "imNCpP", "interleave membind cpunodebind physcpubind preferred", 0),
        "prlimit" => wrapper("", "o", "output", 0),
        "choom" => wrapper("", "np", "adjust pid", 0),
        "uclampset" => wrapper("asR", "mMp", "pid", 0),
        "schedtool" => wrapper("BFRIDNrv", "panM", "", 0),
        "cpulimit" => wrapper("bqvz", "lp", "limit pid", 0),
        "stdbuf" => wrapper("", "ioe", "input output error", 0),
        // BSD's takes a program after its file; `-c TEXT` of the other one is read before.
        "script" | "scriptlive" => wrapper("adefkpqr", "BEFIOTmot", "", 1),
        "unbuffer" => wrapper("p", "", "", 0),
        "nohup" | "setsid" => wrapper("cfw", "", "", 0),
        "timeout" | "gtimeout" => wrapper("fpv", "ks", "kill-after signal", 1),
        "time" | "gtime" => wrapper("apqvl", "fo", "format output", 0),
        "setarch" => wrapper("3BFILRSTXZhv", "", "", 1),
        "linux32" | "linux64" | "i386" | "x86_64" | "uname26" => wrapper("3BFILRSTXZhv", "", "", 0),
        "arch" => wrapper("ic3x", "ed", "", 0),
        "catchsegv" | "eatmydata" | "xvfb-run" | "xvfb-run-safe" => {
            wrapper("al", "ensfpw", "server-num auth-file error-file server-args", 0)
        }
        "dbus-run-session" | "dbus-launch" => wrapper("", "", "config-file", 0),
        "proxychains" | "proxychains4" | "torsocks" | "torify" | "tsocks" => wrapper("qi", "f", "", 0),
        "faketime" | "datefudge" | "libfaketime" => wrapper("mpf", "", "", 1),
        "caffeinate" => wrapper("disum", "tw", "", 0),
        "chpst" => wrapper("vP012", "uUbe/nlLmdoptfcr", "", 0),
        "softlimit" => wrapper("", "adfmopst", "", 0),
        "systemd-run" => wrapper(
            "tPqGrdS",
            "pEHMu",
            "property unit slice description setenv uid gid nice working-directory on-active on-calendar machine host",
            0,
        ),
        "systemd-inhibit" => wrapper("", "", "what who why mode", 0),
        "flock" => wrapper("senuxoF", "wE", "timeout wait conflict-exit-code", 1),
        "sem" => wrapper("", "jP", "jobs id semaphore-name semaphore-timeout", 0),
        "lockfile-run" | "with-lock-ex" | "chronic" | "ts" | "ifne" | "errno" => wrapper("qwve", "", "", 0),
        // Observers.
        "ltrace" => wrapper("bcCfhiLrStTV", "aADeFlnopsuwx", "output demangle config library", 0),
        "strace" => wrapper("cCdfFhiknqrtTvVwxyYzZ", "abeEIoOpPsSuUX", "output trace attach user env", 0),
        "perf" => wrapper("", "eo", "event output", 1),
        "valgrind" | "heaptrack" | "dtruss" | "multitime" => wrapper("qvr", "n", "", 0),
        "rr" | "uftrace" => wrapper("", "", "", 1),
        "gamemoderun" | "mangohud" | "prime-run" | "optirun" | "primusrun" | "graftcp" | "xinit"
        | "startx" | "cage" => wrapper("", "", "", 0),
        // Terminals.
        "xterm"
        | "uxterm"
        | "urxvt"
        | "rxvt"
        | "st"
        | "x-terminal-emulator"
        | "alacritty"
        | "konsole"
        | "lxterminal"
        | "mate-terminal"
        | "terminator"
        | "xfce4-terminal"
        | "tilix"
        | "gnome-terminal"
        | "kgx"
        | "ptyxis"
        | "foot"
        | "kitty"
        | "ghostty"
        | "terminology"
        | "qterminal" => wrapper("exhH", "TtnPO", "title working-directory", 0),
        "abduco" => wrapper("rqv", "ncAe", "", 0),
        "dtach" => wrapper("zE", "ncANreo", "", 0),
        "watch" | "viddy" | "hwatch" => wrapper("bcegtwxrp", "nqd", "interval equexit", 0),
        "watchexec" => {
            wrapper("cWrnpq1", "efiwsdo", "exts filter ignore watch signal shell delay-run stop-signal", 0)
        }
        "reflex" => wrapper("sv", "rgRGd", "regex glob", 0),
        "entr" => wrapper("acdnprsz", "", "", 0),
        "dumb-init" | "tini" | "s6-setuidgid" => wrapper("cgsv", "rpe", "", 0),
        "ld-linux-x86-64.so.2" | "ld-linux.so.2" | "ld-linux-aarch64.so.1" | "ld-musl-x86_64.so.1" => {
            wrapper("", "", "library-path preload argv0 audit inhibit-rpath", 0)
        }
        "busybox" | "toybox" => wrapper("", "", "", 0),
        // Package runners that hand over to a local program.
        "npx" | "bunx" | "pnpx" | "uvx" | "pipx" => wrapper("yq", "pc", "package from with python spec", 0),
        "dotenv" | "env-cmd" | "dotenv-cli" => wrapper("", "ef", "", 0),
        "cross-env" | "cross-env-shell" => Wrapper { assigns: true, ..wrapper("", "", "", 0) },
        "rbenv" | "pyenv" | "nodenv" | "goenv" | "jenv" | "plenv" | "fnm" | "nvm" | "rvm" | "mamba"
        | "micromamba" | "tox" | "lerna" | "nx" | "devbox" | "devenv" | "flox" | "buildah" | "toolbox" => {
            runs_after(name)
        }
        "bundle" | "poetry" | "pipenv" | "hatch" | "pdm" | "rye" | "uv" | "conda" | "mise" | "asdf"
        | "rtx" | "pixi" | "volta" => runs_after(name),
        "winpty" | "rlwrap" => wrapper("", "", "", 0),
        "vboxmanage" | "nix" => return None,
        "xargs" | "parallel" => return None,
        "noglob" | "nocorrect" | "command" | "builtin" => wrapper("pvV", "", "", 0),
        _ => return None,
    };
    Some(found)
}

/// Tools with sub-commands of which one runs another program: `poetry run X`, `bundle exec X`.
fn runs_after(name: &str) -> Wrapper {
    match name {
        "conda" | "mamba" | "micromamba" => wrapper("", "np", "name prefix", 1),
        // `nvm exec VERSION program`, `buildah run CONTAINER program`.
        "nvm" | "buildah" => wrapper("", "", "", 2),
        "uv" => wrapper("", "p", "with python project directory extra group", 1),
        _ => wrapper("", "e", "env environment", 1),
    }
}

/// Whether only a sub-command of a tool runs another program.
pub(super) fn has_subcommands(name: &str) -> bool {
    matches!(
        name,
        "bundle"
            | "poetry"
            | "pipenv"
            | "hatch"
            | "pdm"
            | "rye"
            | "uv"
            | "conda"
            | "mise"
            | "asdf"
            | "rtx"
            | "pixi"
            | "volta"
            | "rbenv"
            | "pyenv"
            | "nodenv"
            | "goenv"
            | "jenv"
            | "plenv"
            | "fnm"
            | "nvm"
            | "rvm"
            | "mamba"
            | "micromamba"
            | "tox"
            | "lerna"
            | "nx"
            | "devbox"
            | "devenv"
            | "flox"
            | "buildah"
            | "toolbox"
    )
}

/// Whether a wrapper's only argument is a command line.
pub(super) fn takes_line(name: &str) -> bool {
    matches!(
        name,
        "watch"
            | "viddy"
            | "hwatch"
            | "flock"
            | "sem"
            | "entr"
            | "watchexec"
            | "dotenv-cli"
            | "devbox"
            | "lerna"
            | "sg"
            | "xterm"
            | "konsole"
            | "terminator"
            | "xfce4-terminal"
            | "tilix"
            | "mate-terminal"
            | "lxterminal"
            | "x-terminal-emulator"
            | "cross-env-shell"
    )
}
