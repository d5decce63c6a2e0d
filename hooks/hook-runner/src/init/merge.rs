//! Our groups in a file that others write, too: put in and taken out, with every other byte as it was.
//!
//! What is put in is one piece per place, in the file's own style, so that removing it leaves what was there. A
//! container that was there empty has our first element right after its bracket, one that we made has white space there:
//! so the file alone tells which of them stay.

use std::ops::Range;
use std::path::Path;

use host::installed::command::{Call, call};
use host::tree::{self, Member, Node, Value};

use super::style::{Style, quoted};
use crate::fault::{Fault, place};
use crate::project::Project;

/// Where in a file hooks stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// The key that they stand below; `None` where events stand at the top.
    pub(super) below: Option<&'static str>,
    /// The number that a new file has as `version`. It comes last: a version that stands in front is someone else's.
    pub(super) version: Option<u32>,
}

impl Frame {
    /// That of most hosts.
    pub(super) const USUAL: Self = Self { below: Some("hooks"), version: None };

    /// A whole file with this event.
    fn file(self, event: &str, groups: Node) -> Node {
        let events = object(event, groups);
        let mut file = self.below.map_or_else(|| events.clone(), |key| object(key, events.clone()));
        if let (Some(version), Value::Object(members)) = (self.version, &mut file.value) {
            let number = node(Value::Number(version.to_string()));
            members.push(Member { key: "version".to_owned(), key_span: 0..0, node: number });
        }
        file
    }
}

/// What is to be in the file.
pub(super) struct Wanted<'a> {
    /// The shipped configurations: name and text.
    pub(super) shipped: &'a [(&'a str, &'a str)],
    /// The hooks of them that are meant.
    pub(super) hooks: &'a [&'a str],
    /// The command by which a program is to be called; `None` leaves it as it is.
    pub(super) command: &'a dyn Fn(&Call) -> Option<String>,
    pub(super) frame: Frame,
}

/// Why a string cannot be changed, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) message: String,
    /// Where, in bytes.
    pub(super) span: Range<usize>,
}

impl Trouble {
    /// For the person whose file it is.
    pub(super) fn fault(self, project: &Project, path: &Path, text: &str) -> Fault {
        let message = format!("This cannot be changed: {}.", self.message);
        Fault::refused_at(place(project, path, text, self.span.start), &message, "Fix it by hand.")
    }
}

/// A piece of a string, and what comes in its place.
type Edit = (Range<usize>, String);

/// The text with our groups for these hooks, each once; a file that is not there has no text.
///
/// # Errors
///
/// Why the text cannot be changed.
pub(super) fn with(text: Option<&str>, wanted: &Wanted<'_>) -> Result<Option<String>, Trouble> {
    // Each group is put in on its own, into the text as the last one left it: places move.
    let mut text = text.map(str::to_owned);
    for (_, shipped) in wanted.shipped {
        for event in parse(shipped)?.at("hooks").map(Node::members).unwrap_or_default() {
            for group in event.node.elements().unwrap_or_default() {
                let Some(call) = handlers(group).iter().find_map(called) else { continue };
                if !wanted.hooks.contains(&call.program) {
                    continue;
                }
                let group = (wanted.command)(&call)
                    .map_or_else(|| group.clone(), |command| with_command(group, &command));
                match &mut text {
                    Some(text) if !is_blank(text) => {
                        if let Some((place, piece)) = addition(text, &event.key, &group, &call, wanted)? {
                            text.replace_range(place, &piece);
                        }
                    }
                    Some(blank) => {
                        // With a space after the bracket, so that it is known from a file that was not there.
                        let file = wanted.frame.file(&event.key, list(group));
                        let members = file.members().iter().map(|member| {
                            format!("{}: {}", quoted(&member.key), Style::new_file().write(&member.node))
                        });
                        let members: Vec<String> = members.collect();
                        let at = blank.len() - blank.trim_start_matches('\u{feff}').len();
                        blank.insert_str(at, &format!("{{ {} }}", members.join(", ")));
                    }
                    None => {
                        let whole = wanted.frame.file(&event.key, list(group));
                        text = Some(Style::new_file().write(&whole) + "\n");
                    }
                }
            }
        }
    }
    Ok(text)
}

/// The text without anything that runs these hooks and nothing else; `None` when the file was made for them.
///
/// # Errors
///
/// Why the text cannot be changed.
pub(super) fn without(text: &str, hooks: &[&str], frame: Frame) -> Result<Option<String>, Trouble> {
    // An empty file is not ours to remove: we write none.
    if is_blank(text) {
        return Ok(Some(text.to_owned()));
    }
    let root = parse(text)?;
    if !root.is_object() {
        return Ok(Some(text.to_owned()));
    }
    let mut cuts = Vec::new();
    let mut events = |node: &Node| -> Vec<(Range<usize>, bool)> {
        let members = node.members().iter();
        members.map(|event| (whole(event), cut_event(text, &event.node, hooks, &mut cuts))).collect()
    };
    let members = match frame.below {
        None => events(&root),
        Some(key) => {
            // Without them there is nothing of ours, and the file keeps its bytes.
            let Some(all) = root.get(key) else { return Ok(Some(text.to_owned())) };
            let events = events(&all.node);
            let gone = cut(text, &all.node, &events, &mut cuts);
            // The version that we wrote stands after what it is of.
            let version = match root.members() {
                [first, second] if gone && frame.version.is_some() && second.key == "version" => {
                    (whole(first) == whole(all)).then(|| whole(second))
                }
                _ => None,
            };
            let is_gone = |span: &Range<usize>| gone && *span == whole(all) || version.as_ref() == Some(span);
            root.members().iter().map(whole).map(|span| (span.clone(), is_gone(&span))).collect()
        }
    };
    // An object of someone else's that has nothing in it.
    if members.is_empty() {
        return Ok(Some(text.to_owned()));
    }
    if cut(text, &root, &members, &mut cuts) {
        // Nothing but ours, in an object that we made.
        let inside = &text[root.span.start + 1..members[0].0.start];
        if inside.contains('\n') && text[root.span.end..].trim().is_empty() {
            return Ok(None);
        }
        // The file stays, with an empty object: someone had made it.
        cuts = vec![root.span.clone()];
    }
    Ok(Some(apply(text, cuts)))
}

/// The key of Claude Code's status line.
const STATUS_LINE: &str = "statusLine";

/// The text with our status line, by this command; `None` where there is another one.
///
/// # Errors
///
/// Why the text cannot be changed.
pub(super) fn with_status_line(text: &str, command: &str) -> Result<Option<String>, Trouble> {
    let root = parse(text)?;
    if !root.is_object() {
        return Err(Trouble { message: "the file does not contain an object".to_owned(), span: root.span });
    }
    let text_of = |text: &str| node(Value::Text(text.to_owned()));
    let member = |key: &str, node: Node| Member { key: key.to_owned(), key_span: 0..0, node };
    let line = vec![member("type", text_of("command")), member("command", text_of(command))];
    let Some(there) = root.get(STATUS_LINE) else {
        let (place, piece) = inserted(text, &root, &root, Some(STATUS_LINE), &node(Value::Object(line)));
        let mut text = text.to_owned();
        text.replace_range(place, &piece);
        return Ok(Some(text));
    };
    // Ours from another folder is brought up to date.
    Ok(our_line(&there.node).map(|there| {
        let mut text = text.to_owned();
        text.replace_range(there, &quoted(command));
        text
    }))
}

/// The text without our status line.
///
/// # Errors
///
/// Why the text cannot be changed.
pub(super) fn without_status_line(text: &str) -> Result<String, Trouble> {
    let root = parse(text)?;
    let members: Vec<(Range<usize>, bool)> = root
        .members()
        .iter()
        .map(|member| (whole(member), member.key == STATUS_LINE && our_line(&member.node).is_some()))
        .collect();
    let mut cuts = Vec::new();
    if members.iter().any(|(_, ours)| *ours) && cut(text, &root, &members, &mut cuts) {
        return Ok("{}".to_owned() + &text[root.span.end..]);
    }
    Ok(apply(text, cuts))
}

/// Where the command of our status line stands, if it is ours.
fn our_line(line: &Node) -> Option<Range<usize>> {
    let command = line.at("command")?;
    // Quoted where its path needs it, and called by `&` in PowerShell.
    let program =
        command.text()?.strip_suffix(" statusline")?.trim_start_matches(['&', ' ']).trim_matches(['\'', '"']);
    let name = program.rsplit(['/', '\\']).next()?;
    (name.trim_end_matches(".exe") == "hook-runner").then(|| command.span.clone())
}

/// Nothing but white space, perhaps after a byte order mark.
fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

fn parse(text: &str) -> Result<Node, Trouble> {
    let document =
        tree::parse(text).map_err(|broken| Trouble { message: broken.message, span: broken.span })?;
    Ok(document.root)
}

/// The hooks of a group, or the entry that is one itself.
fn handlers(group: &Node) -> &[Node] {
    group.at("hooks").and_then(Node::elements).unwrap_or(std::slice::from_ref(group))
}

/// The keys of a command: the second is for Windows.
const COMMANDS: [&str; 2] = ["command", "powershell"];

/// What a handler calls, where it is one of our programs and nothing else, or a script that `init` wrote around one.
fn called(handler: &Node) -> Option<Call> {
    COMMANDS.iter().find_map(|key| call(handler.at(key)?.text()?))
}

fn whole(member: &Member) -> Range<usize> {
    member.key_span.start..member.node.span.end
}

fn node(value: Value) -> Node {
    Node { span: 0..0, value }
}

fn object(key: &str, value: Node) -> Node {
    node(Value::Object(vec![Member { key: key.to_owned(), key_span: 0..0, node: value }]))
}

fn list(element: Node) -> Node {
    node(Value::List(vec![element]))
}

/// A group whose handlers run this command.
fn with_command(group: &Node, command: &str) -> Node {
    let mut group = group.clone();
    if let Value::Object(members) = &mut group.value {
        if let Some(member) = members.iter_mut().find(|member| COMMANDS.contains(&&*member.key)) {
            member.node.value = Value::Text(command.to_owned());
        }
        if let Some(hooks) = members.iter_mut().find(|member| member.key == "hooks")
            && let Value::List(handlers) = &mut hooks.node.value
        {
            *handlers = handlers.iter().map(|handler| with_command(handler, command)).collect();
        }
    }
    group
}

/// A value as the last one of a container, in the container's style.
fn inserted(text: &str, root: &Node, container: &Node, key: Option<&str>, value: &Node) -> Edit {
    let elements: Vec<Range<usize>> = match &container.value {
        Value::List(list) => list.iter().map(|element| element.span.clone()).collect(),
        _ => container.members().iter().map(whole).collect(),
    };
    let style = Style::of(text, root, &container.span, &elements);
    let piece = key.map_or_else(String::new, |key| format!("{}: ", quoted(key))) + &style.write(value);
    match elements.last() {
        Some(last) => (last.end..last.end, format!(",{}{piece}", style.gap())),
        None => (container.span.start + 1..container.span.start + 1, piece),
    }
}

/// What has to be changed for a group; `None` when it is there.
fn addition(
    text: &str,
    event: &str,
    group: &Node,
    call: &Call,
    wanted: &Wanted<'_>,
) -> Result<Option<Edit>, Trouble> {
    let root = parse(text)?;
    let trouble = |node: &Node, what: &str| Trouble { message: what.to_owned(), span: node.span.clone() };
    if !root.is_object() {
        return Err(trouble(&root, "the file does not contain an object"));
    }
    let insert =
        |container: &Node, key: Option<&str>, value: &Node| inserted(text, &root, container, key, value);
    let hooks = match wanted.frame.below {
        None => &root,
        Some(key) => {
            let Some(hooks) = root.at(key) else {
                let value = object(event, list(group.clone()));
                return Ok(Some(insert(&root, Some(key), &value)));
            };
            if !hooks.is_object() {
                return Err(trouble(hooks, &format!("`{key}` is not an object")));
            }
            hooks
        }
    };
    let Some(groups) = hooks.at(event) else {
        return Ok(Some(insert(hooks, Some(event), &list(group.clone()))));
    };
    let Some(elements) = groups.elements() else {
        return Err(trouble(groups, &format!("`{event}` is not an array")));
    };
    // Once per event, in whichever group a person has put it.
    let there = elements.iter().flat_map(handlers).find_map(|handler| {
        called(handler).filter(|there| there.program == call.program).map(|there| (handler, there))
    });
    let Some((handler, there)) = there else { return Ok(Some(insert(groups, None, group))) };
    // A command that is not a string is the person's to fix.
    let command = COMMANDS.iter().find_map(|key| handler.at(key).filter(|command| command.text().is_some()));
    let meant = (wanted.command)(&there);
    Ok(command
        .zip(meant)
        // Nothing to change: the file keeps its bytes.
        .filter(|(command, meant)| command.text() != Some(meant))
        .map(|(command, meant)| (command.span.clone(), quoted(&meant))))
}

/// Takes our handlers out of an event's groups; whether the event goes with them.
fn cut_event(text: &str, event: &Node, hooks: &[&str], cuts: &mut Vec<Range<usize>>) -> bool {
    let groups: Vec<(Range<usize>, bool)> = event
        .elements()
        .unwrap_or_default()
        .iter()
        .map(|group| {
            let ours = |handler: &Node| called(handler).is_some_and(|call| hooks.contains(&call.program));
            let handlers: Vec<(Range<usize>, bool)> =
                handlers(group).iter().map(|handler| (handler.span.clone(), ours(handler))).collect();
            let all = !handlers.is_empty() && handlers.iter().all(|(_, ours)| *ours);
            // Other handlers stand in the same group: only ours leave it.
            if !all && let Some(list) = group.at("hooks") {
                cut(text, list, &handlers, cuts);
            }
            (group.span.clone(), all)
        })
        .collect();
    cut(text, event, &groups, cuts)
}

/// Takes elements out of a container; whether the container goes with them, as it was made for them.
fn cut(
    text: &str,
    container: &Node,
    elements: &[(Range<usize>, bool)],
    cuts: &mut Vec<Range<usize>>,
) -> bool {
    let inner = container.span.start + 1;
    let Some((first, _)) = elements.first() else { return false };
    if elements.iter().all(|(_, gone)| *gone) {
        if first.start > inner {
            return true;
        }
        cuts.push(inner..elements[elements.len() - 1].0.end);
        // With our first element right after the bracket, the container was there before us.
        return false;
    }
    for (index, (span, gone)) in elements.iter().enumerate() {
        if !gone {
            continue;
        }
        let before = index.checked_sub(1).map(|before| elements[before].0.end..span.start);
        let after = elements.get(index + 1).map(|(next, _)| span.end..next.start);
        // Those that come first leave no one in front of them.
        let leads = elements[..=index].iter().all(|(_, gone)| *gone);
        let gap = if leads { after } else { before };
        let Some(gap) = gap else { continue };
        if text[gap.clone()].chars().all(|c| c == ',' || c.is_whitespace()) {
            cuts.push(gap.start.min(span.start)..gap.end.max(span.end));
        } else {
            // A comment stays.
            let comma = comma(text, &gap);
            cuts.extend([span.clone(), comma..comma + 1]);
        }
    }
    false
}

/// Where the comma stands in what is between two elements; comments may hold others.
fn comma(text: &str, gap: &Range<usize>) -> usize {
    let bytes = text.as_bytes();
    let mut at = gap.start;
    while at < gap.end && bytes[at] != b',' {
        let skip = match &bytes[at..gap.end] {
            [b'/', b'/', ..] => text[at..gap.end].find('\n'),
            [b'/', b'*', ..] => text[at..gap.end].find("*/").map(|end| end + 2),
            _ => Some(1),
        };
        at += skip.unwrap_or(gap.end - at);
    }
    at
}

/// The text without these pieces; those inside others are part of them.
fn apply(text: &str, mut cuts: Vec<Range<usize>>) -> String {
    // The outer one first: what lies inside of it has gone with it.
    cuts.sort_by_key(|cut| (cut.start, std::cmp::Reverse(cut.end)));
    let mut kept = String::new();
    let mut at = 0;
    for cut in cuts {
        if cut.start > at {
            kept += &text[at..cut.start];
        }
        at = at.max(cut.end);
    }
    kept + &text[at..]
}

#[cfg(test)]
mod tests;
