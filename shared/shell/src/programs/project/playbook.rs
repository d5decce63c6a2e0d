//! Playbooks of Ansible: the commands of their tasks, and those that stand for what their modules do.

use shell_engine::text::data;
use shell_engine::{Arg, arguments, mark};

use super::indented::{Given, YAML_MARKS, below, entries, filled_in, indent, push_command, variables};
use super::recipe::{Recipe, offset};
use super::testers;
use crate::programs::{QUOTES, options};

/// Values that one loop goes through.
const MAX_ITEMS: usize = 16;

/// Which tasks a call runs: `--tags`, `--skip-tags` and the tags of the role in which they stand, `--check`.
#[derive(Debug, Clone, Default)]
pub(super) struct Tags {
    /// Only those that say `check_mode: false` do anything.
    only_checks: bool,
    only: Vec<String>,
    skipped: Vec<String>,
    inherited: Vec<String>,
}

impl Tags {
    pub(super) fn of(args: &[Arg]) -> Self {
        let list = |short: &'static str, long: &'static str| {
            let lists = options(args, short, long).flat_map(|list| list.split(','));
            lists.map(|tag| tag.trim().to_owned()).filter(|tag| tag != "all").collect()
        };
        Self {
            only_checks: args.iter().any(|arg| matches!(arg.text.as_str(), "--check" | "-C")),
            only: list("-t", "--tags"),
            skipped: list("", "--skip-tags"),
            inherited: Vec::new(),
        }
    }

    /// For handlers, which run because a task notifies them.
    pub(super) fn of_handlers(&self) -> Self {
        Self { only_checks: self.only_checks, ..Self::default() }
    }

    /// Those for what stands inside of something that has tags itself.
    pub(super) fn inside(&self, tags: &[String]) -> Self {
        Self { inherited: [&self.inherited, tags].concat(), ..self.clone() }
    }

    /// Whether what has these tags is left out.
    fn leave_out(&self, own: &[String]) -> bool {
        let mut all = self.inherited.iter().chain(own);
        let has = |list: &[String]| self.inherited.iter().chain(own).any(|tag| list.contains(tag));
        if has(&self.skipped) {
            return true;
        }
        if self.only.is_empty() {
            all.any(|tag| tag == "never")
        } else {
            !has(&self.only) && !all.any(|tag| tag == "always")
        }
    }
}

/// The tags of a task: a list on its line or below, or a word.
fn tags_of(task: &str) -> Vec<String> {
    let Some(head) =
        task.lines().find(|line| line.trim_start().trim_start_matches("- ").starts_with("tags:"))
    else {
        return Vec::new();
    };
    let own = head.split_once(':').map_or("", |(_, list)| list).trim().trim_matches(['[', ']']);
    let below = below(task, offset(task, head)).filter_map(|line| line.trim().strip_prefix("- "));
    let words = own.split(',').chain(below.filter(|_| own.is_empty()));
    words.map(|word| word.trim_matches(YAML_MARKS).to_owned()).filter(|word| !word.is_empty()).collect()
}

/// What a playbook runs, with the variables of the command line. What is not for this machine goes over ssh.
pub(super) fn playbook(text: &str, (local, tags): (bool, &Tags), given: &[Given]) -> Vec<Recipe> {
    let local = local || is_local(text);
    // A block may have the tags of its tasks.
    let has_blocks = text.contains("block:");
    let mut found = Vec::new();
    for line in text.lines() {
        let entry = line.trim_start().trim_start_matches("- ");
        let Some((key, command)) = entry.split_once(':') else { continue };
        // `kubernetes.core.k8s`
        let (key, command) = (key.trim().rsplit('.').next().unwrap_or(key), command.trim());
        let is_module = MODULES.iter().any(|(module, ..)| *module == key);
        if !is_module && !matches!(key, "shell" | "command" | "raw" | "script") {
            continue;
        }
        let task = task_of(text, line);
        let known = variables_of(text, task, given);
        if is_skipped(task, &known)
            || !has_blocks && tags.leave_out(&tags_of(task))
            || tags.only_checks && ![text, task].iter().any(|part| acts_in_checks(part, task))
        {
            continue;
        }
        for item in items(task, &known) {
            let fill = |line: &str| filled_in(line, |name| value_of(name, item, &known));
            if is_module {
                found.extend(done(text, (line, key, command), fill));
                continue;
            }
            let first = found.len();
            push_command((text, line), command, fill, &mut found);
            // `shell:`, then `cmd: …` or `argv: […]` below it.
            let below = below(text, offset(text, line)).filter(|_| command.is_empty());
            for line in below {
                match line.trim().split_once(':') {
                    Some(("cmd", command)) => push_command((text, line), command.trim(), fill, &mut found),
                    Some(("argv", list)) => {
                        let words: Vec<Arg> =
                            listed(text, (line, list)).map(|word| Arg::from(fill(word))).collect();
                        let line = arguments::quoted(&words).replace("'$HOME", "\"$HOME\"'");
                        found.push(Recipe { at: offset(text, list), text: line });
                    }
                    _ => {}
                }
            }
            // A script of this machine's.
            for recipe in found[first..].iter_mut().filter(|_| key == "script") {
                recipe.text.insert_str(0, "sh ");
            }
        }
    }
    for recipe in found.iter_mut().filter(|_| !local) {
        let words = ["ssh", "managed-host", &recipe.text].map(Arg::from);
        recipe.text = arguments::quoted(&words);
    }
    found
}

/// The items of a list on its line, or below it.
fn listed<'t>(text: &'t str, (line, list): (&'t str, &'t str)) -> impl Iterator<Item = &'t str> {
    let own = list.trim().strip_prefix('[').map(|list| list.trim_end_matches(']').split(','));
    let below = below(text, offset(text, line)).filter_map(|line| line.trim().strip_prefix("- "));
    own.into_iter().flatten().chain(below).map(|word| word.trim().trim_matches(QUOTES))
}

/// Whether a task's condition is one that surely does not hold: a variable, or its opposite.
fn is_skipped(task: &str, known: &[Given]) -> bool {
    let asked = task.lines().find_map(|line| line.trim_start().strip_prefix("when:"));
    let Some(asked) = asked.map(|asked| asked.trim().trim_matches(QUOTES)) else { return false };
    let (negated, asked) = asked.strip_prefix("not ").map_or((false, asked), |asked| (true, asked));
    let name = asked.split('|').next().unwrap_or(asked).trim();
    let value = known.iter().find(|(own, _)| own == name).map_or(name, |(_, value)| value);
    match value.to_ascii_lowercase().as_str() {
        "false" | "no" | "off" | "0" => !negated,
        "true" | "yes" | "on" | "1" => negated,
        _ => false,
    }
}

/// Whether what is around a task, or the task itself, says that it runs with `--check` as well.
fn acts_in_checks(part: &str, task: &str) -> bool {
    let says = |line: &&str| {
        let said = line.trim_start().trim_start_matches("- ").strip_prefix("check_mode:");
        said.is_some_and(|value| !matches!(value.trim(), "true" | "yes" | "True" | "Yes"))
    };
    // Of other lines, only those less deep are around it.
    part.lines().filter(says).any(|line| part.len() == task.len() || indent(line) <= indent(task))
}

/// Whether a task that may run tells a handler of its changes.
pub(super) fn notifies(text: &str, given: &[Given]) -> bool {
    let mut heads = text.lines().filter(|line| line.trim_start().starts_with("notify:"));
    heads.any(|line| {
        let task = task_of(text, line);
        !is_skipped(task, &variables_of(text, task, given))
    })
}

/// Whether a playbook is for this machine.
pub(super) fn is_local(text: &str) -> bool {
    ["hosts: localhost", "hosts: 127.0.0.1", "connection: local"].iter().any(|sign| text.contains(sign))
}

/// The lines of the task in which a line stands: from its dash on.
fn task_of<'t>(text: &'t str, line: &'t str) -> &'t str {
    let deep = indent(line);
    let before = &text[..offset(text, line)];
    let begins = |above: &&str| above.trim_start().starts_with("- ") && indent(above) < deep;
    let is_first = line.trim_start().starts_with("- ");
    let head = before.lines().rev().find(begins).filter(|_| !is_first).unwrap_or(line);
    let start = offset(text, head);
    let end = below(text, start).last().map_or(start + head.len(), |last| offset(text, last) + last.len());
    &text[start..end]
}

/// The variables that a task sees, the nearest first: of the command line, its own, and those of the file.
fn variables_of(text: &str, task: &str, given: &[Given]) -> Vec<Given> {
    given.iter().cloned().chain(own_variables(task)).chain(own_variables(text)).collect()
}

/// The variables that stand in a playbook, or in a task.
pub(super) fn own_variables(text: &str) -> Vec<Given> {
    let heads = text.lines().filter(|line| line.trim().trim_start_matches("- ").starts_with("vars:"));
    let mut own: Vec<Given> = heads.flat_map(|head| variables(text, head)).collect();
    if let serde_json::Value::Array(plays) = data::yaml(text) {
        own.extend(
            plays.iter().filter_map(|play| play.get("vars")?.as_object()).flatten().filter_map(list_of),
        );
    }
    own
}

/// A list among variables, with an item on each line.
fn list_of((name, value): (&String, &serde_json::Value)) -> Option<Given> {
    let items: Vec<&str> = value.as_array()?.iter().filter_map(serde_json::Value::as_str).collect();
    Some((name.clone(), items.join("\n")))
}

fn value_of(name: &str, item: Option<&str>, known: &[Given]) -> Option<String> {
    // `{{ target | default('x') }}`
    let (name, filter) =
        name.split_once('|').map_or((name, ""), |(name, filter)| (name.trim(), filter.trim()));
    let own = known.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone());
    let usual = || {
        let usual = filter.strip_prefix("default(")?.strip_suffix(')')?.split(',').next()?;
        Some(usual.trim().trim_matches(QUOTES).to_owned())
    };
    match name {
        "item" => item.map(str::to_owned),
        // `loop: [{ path: /x }]`
        _ if name.starts_with("item.") => {
            let mut parts = item?.split(',').filter_map(|part| part.split_once(':'));
            let (_, value) = parts.find(|(key, _)| key.trim_matches(YAML_MARKS) == &name["item.".len()..])?;
            Some(value.trim_matches(YAML_MARKS).to_owned())
        }
        "ansible_env.HOME"
        | "ansible_user_dir"
        | "ansible_facts.env.HOME"
        | "ansible_facts.user_dir"
        | "lookup('env', 'HOME')"
        | "lookup('env','HOME')" => Some("$HOME".to_owned()),
        "playbook_dir" | "inventory_dir" => Some(".".to_owned()),
        _ => own.or_else(usual),
    }
}

/// What a task loops over: `loop: [a, b]`, a list below it, or one that a variable names. One nothing where it does not.
fn items<'t>(task: &'t str, known: &'t [Given]) -> Vec<Option<&'t str>> {
    let is_loop = |line: &&str| {
        let key = line.trim_start().split(':').next().unwrap_or("");
        key == "loop" || key == "with_items" || key == "with_list"
    };
    let Some(head) = task.lines().find(is_loop) else { return vec![None] };
    let value = head.split_once(':').map_or("", |(_, value)| value.trim());
    let listed = value.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let variable = value.trim_matches(QUOTES).strip_prefix("{{").and_then(|name| name.strip_suffix("}}"));
    let named = variable.and_then(|name| known.iter().find(|(own, _)| own == name.trim()));
    let lines: Vec<&str> = match listed {
        Some(list) => list.split(',').collect(),
        None if let Some((_, list)) = named => list.lines().collect(),
        // A list may stand as deep as its key.
        None => task[offset(task, head)..]
            .lines()
            .skip(1)
            .map_while(|line| line.trim_start().strip_prefix("- ").filter(|_| indent(line) >= indent(head)))
            .collect(),
    };
    // `{{ name }}` is not a map of YAML's.
    let plain = |line: &'t str| {
        if line.contains("{{") { line.trim_matches([' ', '"', '\'']) } else { line.trim_matches(YAML_MARKS) }
    };
    let items: Vec<Option<&str>> = lines.into_iter().map(|line| Some(plain(line))).take(MAX_ITEMS).collect();
    if items.is_empty() { vec![None] } else { items }
}

/// What modules do, other than those that run a command: the module, what it is given for that, and the command that does the same.
///
/// `{a|b}` is what the task gives under the first of these keys. Without any, an option goes without its value, and there is
/// no such task where the word is no option's, or has a `!`.
const MODULES: &[(&str, &str, &str)] = &[
    ("azure_rm_resourcegroup", "state=absent", "az group delete --yes --name {name}"),
    ("docker_container", "state=absent", "docker rm -f {name}"),
    ("docker_prune", "volumes=true|yes", "docker volume prune --force"),
    ("docker_volume", "state=absent", "docker volume rm {volume_name|name}"),
    ("ec2_instance", "state=absent|terminated", "aws ec2 terminate-instances --instance-ids {instance_ids}"),
    ("file", "state=absent", "rm -rf {path|dest|name}"),
    ("filesystem", "force=true|yes", "mkfs -t {fstype|type} {dev|device}"),
    ("filesystem", "state=absent", "wipefs -a {dev|device}"),
    ("gcp_storage_bucket", "state=absent", "gcloud storage rm -r gs://{name}"),
    ("group", "state=absent", "groupdel {name}"),
    ("helm", "state=absent", "helm uninstall {name|release_name} --namespace {release_namespace|namespace}"),
    ("k8s", "state=absent", "kubectl --context {context} delete {kind} {name} --namespace {namespace}"),
    ("k8s", "state=absent", "kubectl --context {context} delete --filename {!src}"),
    ("lvg", "state=absent", "vgremove -f {vg}"),
    ("lvol", "state=absent", "lvremove -f {vg}/{lv}"),
    ("mysql_db", "state=absent", "mysqladmin --host {login_host} drop {name|db}"),
    ("mysql_query", "", "mysql --host {login_host} --database {login_db} --execute {!query}"),
    ("parted", "state=absent", "parted -s {device} rm {number}"),
    ("postgresql_db", "state=absent", "dropdb --host {login_host} {name|db}"),
    ("postgresql_query", "", "psql --host {login_host} --dbname {login_db|db} --command {!query}"),
    (
        "rds_instance",
        "state=absent|deleted",
        "aws rds delete-db-instance --db-instance-identifier {!db_instance_identifier|id}",
    ),
    ("redis", "command=flush", "redis-cli -h {login_host} flushall"),
    ("s3_bucket", "state=absent", "aws s3 rb --force s3://{name}"),
    ("terraform", "state=absent", "terraform -chdir={project_path} destroy -auto-approve"),
    ("user", "state=absent", "userdel -r {name}"),
    ("zfs", "state=absent", "zfs destroy -r {name}"),
];

/// What a task of such a module does.
fn done(
    text: &str,
    (line, module, command): (&str, &str, &str),
    fill: impl Fn(&str) -> String,
) -> Option<Recipe> {
    let mut lines = vec![command.trim_start_matches('{').trim_end_matches('}')];
    lines.extend(below(text, offset(text, line)));
    let parts: Vec<&str> = lines.iter().flat_map(|line| testers::parts(line)).collect();
    // `file: path=/x state=absent`, or a key on each line.
    let short = || command.split_whitespace().filter_map(|word| word.split_once('='));
    let value = |name: &str| {
        let long = entries(parts.iter().copied()).find(|(key, _)| *key == name);
        long.or_else(|| short().find(|(key, _)| *key == name)).map(|(_, value)| value)
    };
    let is_given = |condition: &str| {
        let Some((name, values)) = condition.split_once('=') else { return true };
        value(name).is_some_and(|given| values.split('|').any(|wanted| given.eq_ignore_ascii_case(wanted)))
    };
    let any_of = |keys: &str| {
        let given = keys.trim_start_matches('!').split('|').find_map(value);
        given.filter(|given| !given.is_empty()).map(&fill)
    };
    let known = MODULES.iter().filter(|(name, condition, _)| *name == module && is_given(condition));
    let words = known.map(|(.., line)| words_of(line, any_of)).find_map(|words| words)?;
    let at = offset(text, line) + indent(line);
    // A variable of the shell stays one.
    Some(Recipe { at, text: arguments::quoted(&words).replace("'$HOME", "\"$HOME\"'") })
}

/// The words of a command with the values of what stands in braces.
fn words_of(line: &str, any_of: impl Fn(&str) -> Option<String>) -> Option<Vec<Arg>> {
    let mut words: Vec<Arg> = Vec::new();
    for word in line.split_whitespace() {
        let mut filled = String::new();
        let mut rest = word;
        let mut is_known = true;
        let mut needs = false;
        while let Some((before, after)) = rest.split_once('{') {
            let (keys, after) = after.split_once('}')?;
            filled.push_str(before);
            needs |= keys.starts_with('!');
            match any_of(keys) {
                Some(value) => filled.push_str(&value),
                None => is_known = false,
            }
            rest = after;
        }
        filled.push_str(rest);
        if is_known {
            words.push(Arg::from(filled));
            continue;
        }
        // `--context {context}`
        let is_of_option = words.last().is_some_and(|before| before.text.starts_with('-'));
        if needs || !is_of_option {
            return None;
        }
        words.pop();
    }
    Some(words)
}

/// The variables of a file, or of `-e`: YAML with a name on each line, JSON, or `name=value` with blanks between.
pub(super) fn variables_in(text: &str) -> Vec<Given> {
    if let Ok(serde_json::Value::Object(all)) = serde_json::from_str(text) {
        let plain = all.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_owned())));
        return plain.collect();
    }
    if text.contains('=') && !text.contains(": ") {
        let words = text.split_whitespace().filter_map(|word| word.split_once('='));
        return words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    }
    let mut values: Vec<Given> =
        entries(text.lines()).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    // A list has an item on each line.
    if let serde_json::Value::Object(all) = data::yaml(text) {
        values.splice(..0, all.iter().filter_map(list_of));
    }
    values
}

/// A role that a playbook has: its name, its tags, and the variables that it is given.
pub(super) struct Role {
    pub(super) name: String,
    pub(super) tags: Vec<String>,
    pub(super) given: Vec<Given>,
}

/// The roles that a playbook has: `roles: [x]`, `- role: x`, `import_role: name=x`.
pub(super) fn roles(text: &str, tags: &Tags) -> Vec<Role> {
    let serde_json::Value::Array(plays) = data::yaml(text) else { return Vec::new() };
    let listed = plays.iter().filter_map(|play| play.get("roles")?.as_array()).flatten().filter_map(role);
    let brought = entries(text.lines()).filter(|(key, _)| {
        matches!(key.trim_start_matches("ansible.builtin."), "import_role" | "include_role")
    });
    let brought = brought.filter_map(|(_, value)| {
        Some(value.split_once("name")?.1.trim_matches(['=', ':', ' ', '}']).to_owned())
    });
    let brought = brought.map(|name| Role { name, tags: Vec::new(), given: Vec::new() });
    listed.chain(brought).filter(|role| !tags.leave_out(&role.tags)).collect()
}

/// `x`, `{ role: x, tags: [y], dir: /z }`
fn role(role: &serde_json::Value) -> Option<Role> {
    let named = ["role", "name"].iter().find_map(|key| role.get(key)?.as_str());
    let name = role.as_str().or(named)?.to_owned();
    let tags = match role.get("tags") {
        Some(serde_json::Value::Array(tags)) => {
            tags.iter().filter_map(|tag| Some(tag.as_str()?.to_owned())).collect()
        }
        tag => tag.and_then(serde_json::Value::as_str).map(str::to_owned).into_iter().collect(),
    };
    let maps = [Some(role), role.get("vars")].into_iter().flatten().filter_map(serde_json::Value::as_object);
    let given = maps
        .flatten()
        .filter_map(|entry| list_of(entry).or_else(|| Some((entry.0.clone(), entry.1.as_str()?.to_owned()))));
    Some(Role { name, tags, given: given.collect() })
}

/// What an inventory says of this machine: whether its hosts are this one, and their variables.
pub(super) fn inventory(text: &str) -> (bool, Vec<Given>) {
    let is_local =
        ["ansible_connection: local", "ansible_connection=local"].iter().any(|sign| text.contains(sign));
    let words = text.split_whitespace().filter_map(|word| word.split_once('='));
    let plain = entries(text.lines().filter(|line| line.contains(": ")));
    let values =
        words.chain(plain).map(|(name, value)| (name.to_owned(), value.trim_matches(QUOTES).to_owned()));
    (is_local, values.collect())
}

/// The files of variables that a playbook names: `vars_files`, `include_vars`.
pub(super) fn files_of_variables(text: &str) -> Vec<&str> {
    let is_head = |line: &&str| {
        let entry = line.trim().trim_start_matches("- ").trim_start_matches("ansible.builtin.");
        entry.starts_with("vars_files:") || entry.starts_with("include_vars:")
    };
    let named = text.lines().filter(is_head).flat_map(|head| {
        let own =
            head.split_once(':').map_or("", |(_, value)| value).trim().trim_matches(['[', ']']).split(',');
        own.chain(below(text, offset(text, head)).filter_map(|line| line.trim().strip_prefix("- ")))
    });
    named.map(|file| file.trim_matches(YAML_MARKS)).filter(|file| file.contains('.')).collect()
}

/// The files of tasks that a playbook, or another one, brings in.
pub(super) fn brought_in(text: &str) -> Vec<&str> {
    let words = ["import_tasks", "include_tasks", "import_playbook", "include"];
    let files = entries(text.lines())
        .filter(|(key, _)| words.contains(&key.trim_start_matches("ansible.builtin.")))
        .map(|(_, file)| file);
    files.filter(|file| file.contains(".y") && !file.contains(mark::TOKEN) && !file.contains("{{")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, local: bool, given: &[Given]) -> Vec<String> {
        playbook(text, (local, &Tags::default()), given).into_iter().map(|recipe| recipe.text).collect()
    }

    #[test]
    fn tasks_go_over_ssh_unless_they_are_for_this_machine() {
        let file = "- hosts: all\n  tasks:\n    - name: x\n      shell: rm -rf /\n";
        assert_eq!(texts(file, false, &[]), ["'ssh' 'managed-host' 'rm -rf /'"]);
        assert_eq!(texts(file, true, &[]), ["rm -rf /"]);
    }

    #[test]
    fn variables_are_those_of_the_call_then_of_the_task_then_of_the_play() {
        let file = "- hosts: localhost\n  vars:\n    d: a\n  tasks:\n    - command: rm {{ d }}\n    - command: rm {{ d }}\n      vars:\n        d: b\n";
        assert_eq!(texts(file, true, &[]), ["rm a", "rm b"]);
        assert_eq!(texts(file, true, &[("d".to_owned(), "c".to_owned())]), ["rm c", "rm c"]);
    }

    #[test]
    fn a_loop_runs_for_each_of_its_items() {
        let file = "- hosts: localhost\n  tasks:\n    - file:\n        path: \"{{ item }}\"\n        state: absent\n      loop:\n        - /a\n        - /b\n    - file: path=/c state=absent\n";
        assert_eq!(texts(file, true, &[]), ["'rm' '-rf' '/a'", "'rm' '-rf' '/b'", "'rm' '-rf' '/c'"]);
    }
}
