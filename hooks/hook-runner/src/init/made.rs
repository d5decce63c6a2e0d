//! What is shipped for hosts whose configurations follow from their records: which hook is asked at which event, and the
//! files in the host's form.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use host::layout::{Layout, MARK, PLUGIN_HOOKS, SCRIPT_CALLS};
use host::record::{Nesting, Unit};
use host::tools::Deed;
use host::{Format, Product, System, event};
use payload::EventKind as E;
use serde_json::{Map, Value, json};

use super::merge::Frame;

/// When each hook is asked, and how many seconds it may take.
const HOOKS: &[(&str, &[(E, u64)])] = &[
    ("audit-logger", &[]),
    ("command-blocker", &[(E::PreToolUse, 10)]),
    ("approval-gate", &[(E::PreToolUse, 10), (E::PermissionRequest, 10)]),
    ("context-injector", &[(E::SessionStart, 10), (E::SubagentStart, 10)]),
    ("formatter-trigger", &[(E::PostToolUse, 30)]),
    (
        "stop-guard",
        &[(E::UserPromptSubmit, 10), (E::PostToolUse, 10), (E::PostToolUseFailure, 10), (E::Stop, 120)],
    ),
];

/// Events that carry the whole conversation, or come for every piece of it.
const UNRECORDED: [E; 4] = [E::MessageDisplay, E::BeforeModel, E::AfterModel, E::BeforeToolSelection];

/// One entry: a hook at an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) event: &'static str,
    pub(super) kind: E,
    pub(super) hook: &'static str,
    /// What is run, as the host's shell reads it.
    pub(super) command: String,
    seconds: u64,
    /// Whether a call must not run without its answer.
    decides: bool,
}

impl Entry {
    /// Its members as YAML writes them.
    pub(super) fn scalars(&self, product: Product) -> Vec<(String, String)> {
        let Value::Object(members) = value(product, self) else { return Vec::new() };
        let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || " -_./".contains(c));
        members
            .into_iter()
            .map(|(key, value)| match value {
                Value::String(text) if plain(&text) => (key, text),
                // A string of JSON is one of YAML.
                value => (key, value.to_string()),
            })
            .collect()
    }
}

/// Whether a host's configurations are made here.
pub(super) fn is_for(product: Product) -> bool {
    product.host.is_late()
}

/// The entries of these hooks; `program` is how a hook's program is called.
pub(super) fn entries(product: Product, hooks: &[&str], program: &dyn Fn(&str) -> String) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (hook, kinds) in HOOKS.iter().filter(|(hook, _)| hooks.contains(hook)) {
        for event in product.events {
            let kind = E::from_name(event);
            let seconds = match kinds {
                [] if UNRECORDED.contains(&kind) => None,
                [] => Some(10),
                kinds => kinds.iter().find(|(of, _)| *of == kind).map(|(_, seconds)| *seconds),
            };
            let Some(seconds) = seconds.filter(|_| is_asked(product, hook, event, kind)) else { continue };
            let arguments = product.written.arguments.replace("$EVENT", event);
            entries.push(Entry {
                event,
                kind,
                hook,
                command: program(hook) + &arguments,
                seconds,
                decides: matches!(*hook, "command-blocker" | "approval-gate"),
            });
        }
    }
    entries
}

/// Whether a hook has something to do at an event of this host.
fn is_asked(product: Product, hook: &str, event: &str, kind: E) -> bool {
    let traits = product.host;
    let fits = match hook {
        // What it says has to be heard.
        "context-injector" => traits.takes_context(kind),
        "stop-guard" => traits.obeys_block(E::Stop),
        _ => true,
    };
    let of_tools = |event: &str| product.written.of_tools.iter().find(|(of, _)| *of == event);
    let general = product.events.iter().any(|other| E::from_name(other) == kind && of_tools(other).is_none());
    let tab = |tools: &[&str]| tools.iter().all(|tool| tool.starts_with("Tab")) && !tools.is_empty();
    fits && match of_tools(event) {
        None => true,
        // Completion in an editor belongs to a person.
        Some((_, tools)) if tab(tools) => false,
        // A guard is asked wherever it may be: not every client of a host calls the general event.
        Some(_) if kind.is_before_tool() && hook != "audit-logger" => true,
        Some(_) if general => false,
        // A formatter looks at edits alone.
        Some(_) if hook == "formatter-trigger" => {
            event::is_for(product, event, (product.call)(Deed::Edit("", "", "")).0)
        }
        Some(_) => true,
    }
}

/// An entry as the host's files have it.
fn value(product: Product, entry: &Entry) -> Value {
    let mut own = Map::new();
    let reads = |key: &str| product.keys.contains(&key);
    let in_group = product.nesting.value == Nesting::Groups
        || matches!(product.written.layout, Layout::Named(_)) && entry.kind.is_about_tool();
    if in_group {
        own.insert("type".to_owned(), "command".into());
    }
    if reads("powershell") && System::HERE == System::Windows {
        own.insert("powershell".to_owned(), entry.command.clone().into());
    } else {
        own.insert("command".to_owned(), entry.command.clone().into());
    }
    if let Some(key) = product.limit_keys.value.first() {
        let unit = if product.unit.value == Unit::Milliseconds { 1000 } else { 1 };
        own.insert((*key).to_owned(), (entry.seconds * unit).into());
    }
    if let Some(key) = product.written.closes.filter(|_| entry.decides && entry.kind.is_before_tool()) {
        own.insert(key.to_owned(), true.into());
    }
    if reads("show_output") {
        own.insert("show_output".to_owned(), true.into());
    }
    if in_group { json!({ "hooks": [own] }) } else { Value::Object(own) }
}

/// Entries below their events.
fn events(entries: &[Entry], value: impl Fn(&Entry) -> Value) -> Value {
    let mut events = Map::new();
    for entry in entries {
        if let Value::Array(list) = events.entry(entry.event).or_insert_with(|| json!([])) {
            list.push(value(entry));
        }
    }
    Value::Object(events)
}

/// Where in a file of the host events stand.
pub(super) fn frame(product: Product, format: Format) -> Frame {
    let below = match product.written.layout {
        Layout::Named(name) => Some(name),
        Layout::EventsAnywhere if format == Format::Hooks => None,
        _ => Some("hooks"),
    };
    Frame { below, version: product.written.version }
}

/// The entries as a file of the host has them, whatever else is in it: name and text.
pub(super) fn texts(product: Product, entries: &[Entry]) -> Vec<(String, String)> {
    let of = |text: String| vec![("hooks.json".to_owned(), text)];
    match product.written.layout {
        Layout::Yaml => of(super::yaml::block(product, entries)),
        Layout::Named(name) => {
            of(json!({ name: events(entries, |entry| value(product, entry)) }).to_string())
        }
        Layout::Events | Layout::EventsAnywhere => of(groups(product, entries)),
        Layout::List | Layout::Scripts | Layout::Plugin(_) => files(product, entries),
    }
}

/// The entries in the form from which [`super::merge`] takes them.
pub(super) fn groups(product: Product, entries: &[Entry]) -> String {
    json!({ "hooks": events(entries, |entry| value(product, entry)) }).to_string()
}

/// The files that are ours as a whole: name and text.
pub(super) fn files(product: Product, entries: &[Entry]) -> Vec<(String, String)> {
    if entries.is_empty() {
        return Vec::new();
    }
    match product.written.layout {
        Layout::List => vec![("policy-hooks.json".to_owned(), list(product, entries))],
        Layout::Plugin(called) => vec![("policy-hooks.js".to_owned(), plugin(entries, called))],
        Layout::Scripts => {
            let names: BTreeSet<&str> = entries.iter().map(|entry| entry.event).collect();
            let of = |name: &str| entries.iter().filter(|entry| entry.event == name).collect::<Vec<_>>();
            names.into_iter().map(|name| (name.to_owned(), script(&of(name)))).collect()
        }
        Layout::Events | Layout::EventsAnywhere | Layout::Named(_) | Layout::Yaml => Vec::new(),
    }
}

/// The names that such files may have.
pub(super) fn names(product: Product) -> Vec<&'static str> {
    match product.written.layout {
        Layout::List => vec!["policy-hooks.json"],
        Layout::Plugin(_) => vec!["policy-hooks.js"],
        Layout::Scripts => product.events.to_vec(),
        Layout::Events | Layout::EventsAnywhere | Layout::Named(_) | Layout::Yaml => Vec::new(),
    }
}

fn list(product: Product, entries: &[Entry]) -> String {
    let hook = |entry: &Entry| {
        json!({
            "name": format!("{} at {}", entry.hook, entry.event),
            "trigger": entry.event,
            "action": {"type": "command", "command": entry.command},
            product.limit_keys.value[0]: entry.seconds,
        })
    };
    let hooks: Vec<Value> = entries.iter().map(hook).collect();
    format!("{:#}\n", json!({"version": "v1", "hooks": hooks}))
}

/// What every plugin begins with: how programs are asked.
const PLUGIN: &str = include_str!("plugin.js");

/// A plugin, with what its host calls.
fn plugin(entries: &[Entry], called: &str) -> String {
    let entry = |entry: &Entry| {
        let words = host::installed::command::words(&entry.command);
        let (program, arguments) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
        json!({"exec": program, "args": arguments, "timeout": entry.seconds})
    };
    let (before, after) = PLUGIN_HOOKS;
    let hooks = format!("{:#}", events(entries, entry));
    let asks = PLUGIN.replace("MARK", MARK);
    asks.replace(&format!("{before}{{}}{after}"), &format!("{before}{hooks}{after}")) + "\n" + called
}

/// What a script begins with. An answer is one that is JSON: whatever else comes denies.
const SCRIPT: &str = r#"payload=$(cat)
denied='{"cancel":true,"errorMessage":"policy-hooks: a hook did not answer, so the call is denied."}'
watch() { printf '%s' "$payload" | "$@" >/dev/null 2>&1; }
tell() { printf '%s' "$payload" | "$@" 2>/dev/null; }
ask() {
  answer=$(printf '%s' "$payload" | "$@")
  case $answer in
    "{"*) printf '%s' "$answer" ;;
    *) printf '%s' "$denied" ;;
  esac
}
"#;

/// The script of an event: the one that answers comes last, as there is one answer.
fn script(entries: &[&Entry]) -> String {
    let (ask, tell, watch) = SCRIPT_CALLS;
    let mut text = format!("#!/bin/sh\n# {MARK}. What the last program says is the answer.\n{SCRIPT}");
    let answers = |entry: &&&Entry| entry.hook != "audit-logger" && (entry.hook != "stop-guard");
    let last = entries.iter().filter(|entry| entry.decides).chain(entries.iter().filter(answers)).next();
    for entry in entries.iter().filter(|entry| Some(*entry) != last) {
        let _ = writeln!(text, "{watch}{}", entry.command);
    }
    if let Some(entry) = last {
        let call = if entry.decides { ask } else { tell };
        let _ = writeln!(text, "{call}{}", entry.command);
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;
    use std::path::{Path, PathBuf};

    use host::place::Scope;

    use super::super::{merge, yaml};
    use super::*;

    /// What is shipped for a host: paths below its folder of `configs`, and texts.
    fn shipped(product: Product) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for (hook, _) in HOOKS {
            let entries = entries(product, &[hook], &|hook| hook.to_owned());
            if entries.is_empty() {
                continue;
            }
            let files = files(product, &entries);
            match product.written.layout {
                Layout::Scripts => {
                    all.extend(files.into_iter().map(|(name, text)| (format!("{hook}/{name}"), text)));
                }
                Layout::List => all.push((format!("{hook}.json"), files[0].1.clone())),
                Layout::Plugin(_) => all.push((format!("{hook}.js"), files[0].1.clone())),
                Layout::Yaml => all.push((format!("{hook}.yaml"), yaml::block(product, &entries))),
                Layout::Events | Layout::EventsAnywhere | Layout::Named(_) => {
                    let format = product.place(Scope::User).unwrap().format;
                    let wanted = merge::Wanted {
                        shipped: &[("", &groups(product, &entries))],
                        hooks: &[hook],
                        command: &|_| None,
                        frame: frame(product, format),
                    };
                    all.push((format!("{hook}.json"), merge::with(None, &wanted).unwrap().unwrap()));
                }
            }
        }
        all
    }

    fn under(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        entries.flat_map(|path| if path.is_dir() { under(&path) } else { vec![path] }).collect()
    }

    /// With `UPDATE_CONFIGS` set, writes them.
    #[test]
    fn the_shipped_configurations_are_the_made_ones() {
        let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
        for product in Product::ALL.into_iter().filter(|product| is_for(*product)) {
            let folder = configs.join(product.configs.unwrap());
            let made = shipped(product);
            if std::env::var_os("UPDATE_CONFIGS").is_some() {
                let _ = fs::remove_dir_all(&folder);
                for (name, text) in &made {
                    let path = folder.join(name);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(&path, text).unwrap();
                    #[cfg(unix)]
                    if text.starts_with("#!") {
                        use std::os::unix::fs::PermissionsExt as _;
                        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
                    }
                }
            }
            let mut there: Vec<PathBuf> = under(&folder);
            there.sort();
            let mut names: Vec<PathBuf> = made.iter().map(|(name, _)| folder.join(name)).collect();
            names.sort();
            assert_eq!(there, names, "UPDATE_CONFIGS=1 cargo test -p hook-runner made writes them");
            for (name, text) in made {
                let shipped = fs::read_to_string(folder.join(&name)).unwrap();
                assert_eq!(
                    shipped, text,
                    "{product}/{name}: UPDATE_CONFIGS=1 cargo test -p hook-runner made"
                );
            }
        }
    }

    #[test]
    fn every_made_file_is_what_its_host_reads() {
        for product in Product::ALL.into_iter().filter(|product| is_for(*product)) {
            let format = product.place(Scope::User).unwrap().format;
            for (name, text) in shipped(product) {
                let source = host::read::Source {
                    file: PathBuf::from(&name),
                    scope: Scope::User,
                    format,
                    text: &text,
                };
                let reading = host::read(product, &source, System::HERE);
                let hook = name.split(['.', '/']).next().unwrap();
                assert!(
                    reading.problems.is_empty() && !reading.dropped,
                    "{product}: {name}: {:?}",
                    reading.problems
                );
                assert!(!reading.hooks.is_empty(), "{product}: {name}");
                for read in reading.hooks {
                    let called = host::installed::plain_program(&read.action.describe());
                    assert_eq!(called, Some(hook), "{product}: {name}: {read:?}");
                }
            }
        }
    }
}
