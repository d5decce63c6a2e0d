//! Ansible.

use crate::calls::is_harmless;
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

pub(super) const ABSENT: Rule = Rule {
    id: "infrastructure.ansible-absent",
    severity: Severity::Destructive,
    when: When::Command(deletes),
    reason: "It deletes files, users or services on every machine that the pattern names.",
    instead: "Run it with `--check --diff` first, on one machine.",
    matches: "
        ansible all -m file -a 'path=/data state=absent'
        ansible web -b -m user -a 'name=app state=absent remove=yes'
        ansible -i hosts all --module-name=ansible.builtin.file --args='path=/srv state=absent'
    ",
    spares: "
        ansible all -m ping
        ansible all -m file -a 'path=/data state=absent' --check
        ansible all -m file -a 'path=/data state=directory'
    ",
};

/// The module of an ansible call, without its collection, unless it only checks.
fn module<'a>(command: &Command<'a>) -> Option<&'a str> {
    let checks =
        command.has(&["-C", "--check", "--syntax-check", "--list-hosts", "--list-tasks", "--list-tags"]);
    if command.name != "ansible" || is_harmless(command) || checks {
        return None;
    }
    let module = command.value(&["-m", "--module-name"])?;
    Some(module.rsplit('.').next().unwrap_or(module))
}

fn deletes(command: &Command<'_>) -> bool {
    module(command).is_some()
        && command.value(&["-a", "--args"]).is_some_and(|args| args.contains("state=absent"))
}

pub(super) fn disturbs(command: &Command<'_>) -> bool {
    if command.name == "ansible-playbook" {
        let checks =
            command.has(&["-C", "--check", "--syntax-check", "--list-hosts", "--list-tasks", "--list-tags"]);
        return !checks
            && !is_harmless(command)
            && command.operands().iter().any(|arg| {
                let name = shell::path::file_name(&arg.text);
                ["destroy", "teardown", "wipe", "nuke", "decommission"].iter().any(|word| name.contains(word))
            });
    }
    matches!(module(command), Some("reboot" | "shutdown" | "win_reboot"))
}
