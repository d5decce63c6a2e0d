//! What a host wants of its own settings, for all who read them.

/// The top-level keys of Claude Code's settings, and the JSON Schema of each without what no one checks: one value of
/// another type drops the whole file, every hook with it.
///
/// [run] Claude Code 2.1.330: its skill `/update-config` shows the model the schema with which it checks settings. Each
/// key was then played with values that do not fit, in a file with a hook: keys whose hook ran all the same are not here,
/// and `"type": ["boolean", "null"]` stands where `null` alone is taken. `hooks` is the schema of one entry of an event.
pub static CLAUDE_SETTINGS: &str = include_str!("../data/claude-settings.tsv");
