//! Programs that run a command in a container, a pod or a virtual machine.

use shell_engine::{Arg, Place, Process, Scope};

use super::{joined, mounts};

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (name, call) = (process.name, process.call);
    let args = process.args();
    let composed;
    let program = match name {
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" => {
            // The entry point of an image and the command after it make one program.
            composed = docker(name, args)?;
            &composed
        }
        // `k3s kubectl …` and `microk8s kubectl …` are found by their sub-command as well.
        "kubectl" | "oc" | "k" | "k3s" | "microk8s" => kubectl(args)?,
        "lxc" | "incus" if args.first().is_some_and(|arg| arg.text == "exec") => after_dashes(args)?,
        "multipass" | "limactl" if args.iter().any(|arg| matches!(arg.text.as_str(), "exec" | "shell")) => {
            after_dashes(args).or_else(|| args.get(2..))?
        }
        // Without `-c` it opens a shell for typing.
        "vagrant" if args.first().is_some_and(|arg| arg.text == "ssh") => {
            let line = super::option(args, "-c", "--command")?;
            let mut inner = elsewhere(process.scope, Place::Container);
            // The text has no place of its own in the command: findings point at the whole call.
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
        // It begins with the command that is given.
        "k9s" => {
            let line = super::option(args, "-c", "--command")?;
            return Some(process.text(&format!("kubectl {line}")));
        }
        // WSL sees the files of this machine, so what it runs is not "elsewhere".
        "wsl" => wsl(args)?,
        "adb" => {
            let at = skip_options(args, &["-s -t -H -P -L"]);
            args.get(at).filter(|arg| arg.text == "shell")?;
            let inner = elsewhere(process.scope, Place::Remote);
            return Some(process.text_in(&inner, &joined(&args[at + 1..])));
        }
        _ => return None,
    };
    if program.is_empty() {
        return None;
    }
    // Paths inside a container are its own; what is mounted into it, rules look at themselves.
    let place = if name == "wsl" { process.scope.place } else { Place::Container };
    let mut inner = elsewhere(process.scope, place);
    let folder = super::option(args, "-w", "--workdir").or_else(|| super::option(args, "", "--cwd"));
    if let Some(folder) = folder.filter(|folder| place == Place::Container && folder.starts_with('/')) {
        inner.cwd = folder.into();
    }
    if place != Place::Container || !matches!(name, "docker" | "podman" | "nerdctl") {
        return Some(process.start_in(&mut inner, program));
    }
    for (name, value) in super::variables::given(process) {
        inner.set_text(&name, &value);
        inner.export(&name);
    }
    for set in super::options(args, "-e", "--env") {
        if let Some((variable, value)) = set.split_once('=') {
            inner.set_text(variable, value);
            inner.export(variable);
        }
    }
    let shared = mounts::shared(process.scope, args);
    if shared.folders.is_empty() {
        return Some(process.start_in(&mut inner, program));
    }
    let first = process.runner.analysis.atoms.len();
    let outer = process.runner.share(shared.folders.clone());
    let printed = process.start_in(&mut inner, program);
    process.runner.share(outer);
    mounts::repeat(process, first, &shared);
    Some(printed)
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

/// Steps over options, of which those in `values` take the next argument.
fn skip_options(args: &[Arg], values: &[&str]) -> usize {
    let is_valued = |option: &str| {
        values.iter().flat_map(|values| values.split_ascii_whitespace()).any(|known| known == option)
    };
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text == "--" {
            return at + 1;
        }
        let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
        let takes = if letters.starts_with('-') {
            !text.contains('=') && is_valued(text)
        } else {
            // Of a bundle, the first letter with a value takes what is glued to it: `-v.:/w`.
            let mut letters = letters.chars();
            letters.any(|letter| is_valued(&format!("-{letter}"))) && letters.as_str().is_empty()
        };
        at += if takes { 2 } else { 1 };
    }
    at
}

/// Where the operands of `docker run` begin.
pub(super) fn operand_of_run(args: &[Arg]) -> usize {
    skip_options(args, &[const { catalog::row("docker") }.values_of("run").unwrap_or_default()])
}

fn docker(name: &str, args: &[Arg]) -> Option<Vec<Arg>> {
    let mut at = skip_options(args, &[catalog::values(name)]);
    let compose = name.ends_with("-compose");
    // `docker container run`, `docker compose run`: the group only precedes the verb.
    while !compose && matches!(args.get(at)?.text.as_str(), "container" | "compose") {
        at += 1;
        at += skip_options(&args[at..], &[catalog::values(name)]);
    }
    if !matches!(args.get(at)?.text.as_str(), "run" | "exec" | "create") {
        return None;
    }
    let rest = &args[at + 1..];
    let operand = operand_of_run(rest);
    let inner = rest.get(operand + 1..)?;
    // `--entrypoint sh IMAGE -c …` starts the entry point with what follows the image.
    match super::option(&rest[..operand.min(rest.len())], "", "--entrypoint")
        .or_else(|| entry_of(&rest[operand].text))
    {
        Some(program) => Some([Arg::from(program)].iter().chain(inner).cloned().collect()),
        None => Some(inner.to_vec()),
    }
}

/// Images that start a program with what follows their name, from their Dockerfiles' `ENTRYPOINT`.
const ENTRIES: [(&str, &str); 23] = [
    ("alpine/curl", "curl"),
    ("alpine/git", "git"),
    ("alpine/helm", "helm"),
    ("alpine/socat", "socat"),
    ("amazon/aws-cli", "aws"),
    ("aws-cli/aws-cli", "aws"),
    ("bitnami/kubectl", "kubectl"),
    ("curl/curl", "curl"),
    ("curl-container/curl", "curl"),
    ("curlimages/curl", "curl"),
    ("flyway/flyway", "flyway"),
    ("hashicorp/packer", "packer"),
    ("hashicorp/terraform", "terraform"),
    ("jqlang/jq", "jq"),
    ("liquibase/liquibase", "liquibase"),
    ("migrate/migrate", "migrate"),
    ("mikefarah/yq", "yq"),
    ("minio/mc", "mc"),
    ("opentofu/opentofu", "tofu"),
    ("rancher/kubectl", "kubectl"),
    ("rclone/rclone", "rclone"),
    ("restic/restic", "restic"),
    ("stedolan/jq", "jq"),
];

/// The program that an image starts by itself.
pub(crate) fn entry_of(image: &str) -> Option<&'static str> {
    let name = image.split('@').next().unwrap_or(image);
    // A colon before the last slash belongs to a registry's port.
    let name = name.rsplit_once(':').filter(|(_, tag)| !tag.contains('/')).map_or(name, |(name, _)| name);
    ENTRIES
        .iter()
        .find(|(known, _)| {
            name.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
        .map(|(_, program)| *program)
}

fn kubectl(args: &[Arg]) -> Option<&[Arg]> {
    let at = args.iter().position(|arg| matches!(arg.text.as_str(), "exec" | "run" | "debug"))?;
    // `run` and `debug` take a command only after `--`; `exec` once took it without.
    if let Some(program) = after_dashes(args) {
        return Some(program);
    }
    if args[at].text != "exec" {
        return None;
    }
    let rest = &args[at + 1..];
    let kubectl = const { catalog::row("kubectl") };
    let values = &[kubectl.values, kubectl.values_of("exec").unwrap_or_default()];
    let operand = skip_options(rest, values);
    let rest = rest.get(operand + 1..)?;
    rest.get(skip_options(rest, values)..)
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
