//! The directories in which the commands of a call may run.

use std::borrow::Cow;

use payload::Event;

/// Where the commands of a call may run: the directories that it names, seen from the session's own, and that one where no
/// other is sure. A call is to be judged in each.
pub fn folders<'e>(event: &'e Event<'_>, home: Option<&str>) -> Vec<Option<Cow<'e, str>>> {
    let cwd = event.cwd();
    let place = |named: Option<Cow<'e, str>>| {
        let Some(named) = named else { return cwd.clone() };
        let folder = shell::windows::folder(&named);
        let folder = match (folder.strip_prefix('~'), home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                format!("{home}{rest}").into()
            }
            _ => folder,
        };
        let base = shell::windows::folder(cwd.as_deref().unwrap_or("."));
        Some(Cow::Owned(shell::path::join(&base, &folder)))
    };
    event.folders().into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use payload::{Hints, parse};

    #[test]
    fn directories_are_seen_from_the_session() {
        for (folder, expected) in [
            ("a/../b", "/p/b"),
            ("/x/", "/x"),
            ("..", "/"),
            ("~/a", "/home/u/a"),
            ("C:\\\\a", "C:/a"),
            (".", "/p"),
        ] {
            let text = format!(
                r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"mcp__t__run","tool_input":{{"command":"ls","cwd":"{folder}"}}}}"#
            );
            let event = parse(text.as_bytes(), Hints::default()).unwrap();
            let found = super::folders(&event, Some("/home/u"));
            assert_eq!(found, [Some(expected.into())], "{folder}");
        }
    }
}
