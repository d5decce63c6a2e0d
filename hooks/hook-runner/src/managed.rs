//! Hooks that an administrator set in Codex' `requirements.toml`: TOML, which the crate of hosts does without.

use std::fs;
use std::io::ErrorKind;

use host::System;
use host::load::{File, Loaded};
use host::managed::Form;
use host::place::{Folders, Format, Scope};
use host::read::{Reading, Source, read};

/// Adds them in front, where an administrator's hooks are.
pub(crate) fn add(loaded: &mut Loaded, folders: &Folders) {
    let Some(managed) = loaded.product.managed.filter(|managed| managed.form == Form::Requirements) else {
        return;
    };
    let place = managed.place();
    let path = folders.path(&place);
    let written = match fs::read_to_string(&path) {
        Ok(written) => written.parse::<toml::Table>().map_err(|error| error.message().to_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        Err(error) => Err(error.to_string()),
    };
    let only = matches!(&written, Ok(table) if table.get("allow_managed_hooks_only").and_then(toml::Value::as_bool) == Some(true));
    let text = match written {
        Ok(table) => match hooks(&table) {
            Some(text) => Ok(text),
            None if !only => return,
            None => Ok(r#"{"hooks": {}}"#.to_owned()),
        },
        Err(why) => Err(why),
    };
    let reading = text.as_deref().map_or_else(
        |_| Reading { dropped: true, ..Reading::default() },
        |text| {
            let source = Source { file: path.clone(), scope: Scope::Policy, format: Format::Hooks, text };
            // Places in the text are those of JSON that no one wrote.
            Reading { problems: Vec::new(), ..read(loaded.product, &source, System::HERE) }
        },
    );
    if only {
        for file in &mut loaded.files {
            file.reading.hooks.clear();
        }
        let why = format!("`allow_managed_hooks_only` in {}", path.display());
        loaded.switched_off.get_or_insert(why);
    }
    loaded.files.insert(0, File { path, place, text, reading });
}

/// The same hooks as JSON; `None` where there are none.
fn hooks(table: &toml::Table) -> Option<String> {
    // What is beside the events says where programs lie.
    let events: toml::Table = table
        .get("hooks")?
        .as_table()?
        .iter()
        .filter(|(_, value)| value.is_array())
        .map(|(event, groups)| (event.clone(), groups.clone()))
        .collect();
    if events.is_empty() {
        return None;
    }
    serde_json::to_string(&serde_json::json!({ "hooks": events })).ok()
}
