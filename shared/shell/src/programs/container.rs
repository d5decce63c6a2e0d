//! Programs that run a command in a container, a pod or a virtual machine.

use super::joined;
use crate::atom::{Arg, Place};
use crate::engine::{Process, Scope};

/// Options of `docker run` and `docker exec` that take a value as the next argument (Docker 28, Podman 5).
const DOCKER_VALUED: &str = "a add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cidfile cpu-period \
     cpu-quota cpu-shares c cpus cpuset-cpus cpuset-mems device detach-keys dns dns-option dns-search domainname e \
     entrypoint env env-file expose gpus group-add h health-cmd health-interval health-retries health-timeout hostname \
     ip ip6 ipc isolation kernel-memory l label label-file link log-driver log-opt m mac-address memory \
     memory-reservation memory-swap mount name net network network-alias oom-score-adj p pid pids-limit platform \
     publish pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs u ulimit \
     user userns uts v volume volume-driver volumes-from w workdir index f file project-name scale";
/// The same for `kubectl exec`, `kubectl run` and `kubectl debug`.
const KUBECTL_VALUED: &str = "c container f filename n namespace context cluster kubeconfig image s server token user as \
     pod-running-timeout target profile";

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = process.args();
    let composed;
    let program = match name {
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => {
            composed = docker(name, args)?;
            &composed
        }
        "kubectl" | "oc" | "k" | "k3s" | "microk8s" => kubectl(args)?,
        "lxc" | "incus" if args.first().is_some_and(|arg| arg.text == "exec") => after_dashes(args)?,
        "multipass" | "limactl" if args.iter().any(|arg| matches!(arg.text.as_str(), "exec" | "shell")) => {
            after_dashes(args).or_else(|| args.get(2..))?
        }
        "vagrant" if args.first().is_some_and(|arg| arg.text == "ssh") => {
            let line = super::option(args, "-c", "--command")?;
            let mut inner = elsewhere(process.scope, Place::Container);
            inner.origin = inner.origin.or(Some(call.span));
            return Some(process.text_in(&inner, line));
        }
        "machinectl" | "systemd-nspawn" | "apptainer" | "singularity" | "toolbox" | "distrobox" => {
            let at = args
                .iter()
                .position(|arg| matches!(arg.text.as_str(), "shell" | "exec" | "run" | "enter" | "--"))?;
            args.get(at + 1..)?
                .iter()
                .position(|arg| !arg.text.starts_with('-'))
                .and_then(|skip| args.get(at + 2 + skip..))?
        }
        "wsl" => wsl(args)?,
        "adb" if args.first().is_some_and(|arg| arg.text == "shell") => {
            let inner = elsewhere(process.scope, Place::Remote);
            return Some(process.text_in(&inner, &joined(&args[1..])));
        }
        _ => return None,
    };
    if program.is_empty() {
        return None;
    }
    let place = if name == "wsl" { process.scope.place } else { Place::Container };
    let mut inner = elsewhere(process.scope, place);
    let folder = super::option(args, "-w", "--workdir").or_else(|| super::option(args, "", "--cwd"));
    if let Some(folder) = folder.filter(|folder| place == Place::Container && folder.starts_with('/')) {
        inner.cwd = folder.into();
    }
    Some(process.start_in(&mut inner, program))
}

/// A scope in which paths mean something else.
fn elsewhere(scope: &Scope, place: Place) -> Scope {
    let mut inner = scope.clone();
    if place != scope.place {
        inner.place = place;
        inner.home = "/root".into();
        inner.cwd = "/work".into();
    }
    inner
}

/// Steps over options, of which those in `valued` take the next argument.
fn skip_options(args: &[Arg], valued: &str) -> usize {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text == "--" {
            return at + 1;
        }
        let name = text.trim_start_matches('-');
        if name.len() == text.len() || name.is_empty() {
            break;
        }
        let is_valued =
            |name: &str| valued.split_ascii_whitespace().any(|valued| valued.trim_start_matches('-') == name);
        let takes = if text.starts_with("--") {
            !name.contains('=') && is_valued(name)
        } else {
            // Of a bundle, the first letter with a value takes what is glued to it: `-v.:/w`.
            let mut letters = name.char_indices();
            let found = letters.find(|(at, letter)| is_valued(&name[*at..at + letter.len_utf8()]));
            found.is_some_and(|(at, letter)| at + letter.len_utf8() == name.len())
        };
        at += if takes { 2 } else { 1 };
    }
    at
}

fn docker(name: &str, args: &[Arg]) -> Option<Vec<Arg>> {
    let mut at = skip_options(args, catalog::values(name));
    let compose = name.ends_with("-compose");
    while !compose && matches!(args.get(at)?.text.as_str(), "container" | "compose") {
        at += 1;
        at += skip_options(&args[at..], "f file p project-name profile env-file");
    }
    if !matches!(args.get(at)?.text.as_str(), "run" | "exec" | "create") {
        return None;
    }
    let rest = &args[at + 1..];
    let operand = skip_options(rest, DOCKER_VALUED);
    let inner = rest.get(operand + 1..)?;
    // `--entrypoint sh IMAGE -c …` starts the entry point with what follows the image.
    match super::option(&rest[..operand.min(rest.len())], "", "--entrypoint") {
        Some(program) => Some([Arg::from(program)].iter().chain(inner).cloned().collect()),
        None => Some(inner.to_vec()),
    }
}

fn kubectl(args: &[Arg]) -> Option<&[Arg]> {
    let at = args.iter().position(|arg| matches!(arg.text.as_str(), "exec" | "run" | "debug"))?;
    if let Some(program) = after_dashes(args) {
        return Some(program);
    }
    if args[at].text != "exec" {
        return None;
    }
    let rest = &args[at + 1..];
    let operand = skip_options(rest, KUBECTL_VALUED);
    let rest = rest.get(operand + 1..)?;
    rest.get(skip_options(rest, KUBECTL_VALUED)..)
}

fn after_dashes(args: &[Arg]) -> Option<&[Arg]> {
    let at = args.iter().position(|arg| arg.text == "--")?;
    args.get(at + 1..)
}

fn wsl(args: &[Arg]) -> Option<&[Arg]> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.text.as_str() {
            "-d" | "--distribution" | "-u" | "--user" | "--cd" | "--shell-type" => at += 2,
            "-e" | "--exec" | "--" => {
                at += 1;
                break;
            }
            text if text.starts_with('-') => return None,
            _ => break,
        }
    }
    args.get(at..)
}
