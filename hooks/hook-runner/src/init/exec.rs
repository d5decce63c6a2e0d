//! Shipped files whose entries start programs instead of shell commands: no shell is asked what a path means.

use host::installed::command::call;
use host::tree::{self, Member, Node, Value};

use super::style::Style;

/// The file, with `exec` and `args` in place of each command line; `path_of` says where a program is.
pub(super) fn as_programs<'a>(shipped: &str, path_of: &dyn Fn(&str) -> Option<&'a str>) -> String {
    let Ok(mut document) = tree::parse(shipped) else { return shipped.to_owned() };
    if let Value::Object(members) = &mut document.root.value {
        let hooks = members.iter_mut().filter(|member| member.key == "hooks");
        for entry in hooks.flat_map(|hooks| entries(&mut hooks.node)) {
            as_program(entry, path_of);
        }
    }
    Style::new_file().write(&document.root) + "\n"
}

fn as_program<'a>(entry: &mut Node, path_of: &dyn Fn(&str) -> Option<&'a str>) {
    let Some(called) = entry.at("bash").and_then(Node::text).and_then(call) else { return };
    let Some(path) = path_of(called.program) else { return };
    let text = |text: &str| Node { span: 0..0, value: Value::Text(text.to_owned()) };
    let args: Vec<Node> = called.rest.split_whitespace().map(text).collect();
    let member = |key: &str, node| Member { key: key.to_owned(), key_span: 0..0, node };
    let args = Node { span: 0..0, value: Value::List(args) };
    let put = [member("exec", text(path)), member("args", args)];
    if let Value::Object(members) = &mut entry.value {
        let at = members.iter().position(|member| member.key == "bash").unwrap_or(0);
        members.retain(|member| !matches!(member.key.as_str(), "bash" | "powershell"));
        members.splice(at..at, put);
    }
}

/// The entries of every event.
fn entries(events: &mut Node) -> Vec<&mut Node> {
    let Value::Object(events) = &mut events.value else { return Vec::new() };
    let lists = events.iter_mut().filter_map(|event| match &mut event.node.value {
        Value::List(list) => Some(list),
        _ => None,
    });
    lists.flatten().collect()
}
