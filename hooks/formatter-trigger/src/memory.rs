//! What is remembered of a session: the files that wait, what there is to report, and what was reported.

use std::time::Duration;

use payload::Event;
use serde::{Deserialize, Serialize};
use store::session::{Owner, Record};

use crate::workspace::Workspace;

/// The record's name in the session store.
const NAME: &str = "formatter-trigger.json";

/// How long another call may hold the record.
const PATIENCE: Duration = Duration::from_secs(2);

/// At most as many of each are remembered.
const MOST: usize = 500;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Memory {
    /// The files to be formatted when the agent stops.
    pub(crate) waiting: Vec<String>,
    /// What the model reads with the next prompt.
    pub(crate) news: Vec<String>,
    /// What the person has read.
    pub(crate) told: Vec<String>,
}

/// The record of the event's session; `None` when it names none.
fn record(event: &Event<'_>, workspace: &Workspace) -> Option<Record> {
    let session = event.session_id().filter(|id| !id.is_empty())?;
    Some(workspace.store().record(Owner::Session { host: event.host.as_str(), id: &session }, NAME))
}

/// Whether anything is remembered: a single look at the disk.
pub(crate) fn is_there(event: &Event<'_>, workspace: &Workspace) -> bool {
    record(event, workspace).is_some_and(|record| record.exists())
}

/// Changes what is remembered, and returns what `change` makes of it. `Err` when nothing can be remembered: why.
pub(crate) fn change<T>(
    event: &Event<'_>,
    workspace: &Workspace,
    change: impl FnOnce(&mut Memory) -> T,
) -> Result<T, String> {
    let told = |error: store::session::SessionError| format!("{error}. {}", error.hint());
    let record =
        record(event, workspace).ok_or("the payload names no session, so nothing can be remembered")?;
    let locked = record.lock(PATIENCE).map_err(told)?;
    // What cannot be read is replaced: it only held what hooks remember for a week.
    // Without a brace in front, an array of the right length would be read as the struct, too.
    let bytes = locked.read().ok().flatten().filter(|bytes| bytes.starts_with(b"{"));
    let before: Memory = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    let mut memory = before.clone();
    let result = change(&mut memory);
    for list in [&mut memory.waiting, &mut memory.news, &mut memory.told] {
        let surplus = list.len().saturating_sub(MOST);
        list.drain(..surplus);
    }
    // A write replaces the whole file, which most calls have no cause for.
    if memory != before {
        locked.write(&serde_json::to_vec(&memory).unwrap_or_default()).map_err(told)?;
    }
    Ok(result)
}

impl Memory {
    /// Adds files that wait, each once.
    pub(crate) fn wait(&mut self, files: impl IntoIterator<Item = String>) {
        for file in files {
            if !self.waiting.contains(&file) {
                self.waiting.push(file);
            }
        }
    }

    /// What of `strings` was not reported yet; from now on it was.
    pub(crate) fn untold(&mut self, texts: Vec<String>) -> Vec<String> {
        let new: Vec<String> = texts.into_iter().filter(|text| !self.told.contains(text)).collect();
        self.told.extend(new.iter().cloned());
        new
    }
}
