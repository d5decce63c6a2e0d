//! What `run` is asked: an event from flags, or a payload from stdin.

use std::io::{IsTerminal as _, Read as _};

use host::{Product, Request};
use payload::{EventKind, Hints, parse};

use super::no_host;
use crate::command_line::RunOptions;
use crate::fault::Fault;
use crate::project::Project;

/// The largest payload that is read, in bytes: as much as our own hooks take.
const MAX_PAYLOAD: u64 = 8 << 20;

#[derive(Debug)]
pub(crate) struct Asked {
    /// Of which host.
    pub(crate) product: Product,
    pub(crate) request: Request,
}

/// Reads the flags, or stdin when no flag says what happens.
pub(crate) fn asked(options: &RunOptions, project: &Project) -> Result<Asked, Fault> {
    let cwd = project.root.display().to_string();
    let flags = options.command.is_some()
        || options.edit.is_some()
        || options.stop
        || options.prompt.is_some()
        || options.tool.is_some();
    // An event about nothing more needs no flag but its name.
    let bare = options.event.is_some_and(|kind| !kind.is_about_tool()) && std::io::stdin().is_terminal();
    if !flags && !bare {
        return from_stdin(options, &cwd);
    }
    let product = options.host.ok_or_else(no_host)?;
    let request = from_flags(options, product, &cwd)?;
    if host::event::name(product, request.kind, false).is_none()
        && host::event::name(product, request.kind, true).is_none()
    {
        let message = format!("{} has no event like {}.", product.title, request.kind);
        return Err(Fault::usage(message, format!("It has {}.", product.events.join(", "))));
    }
    Ok(Asked { product, request })
}

fn from_flags(options: &RunOptions, product: Product, cwd: &str) -> Result<Request, Fault> {
    let kind = options.event.unwrap_or(match (options.stop, &options.prompt) {
        (true, _) => EventKind::Stop,
        (_, Some(_)) => EventKind::UserPromptSubmit,
        _ => EventKind::PreToolUse,
    });
    if options.stop || options.prompt.is_some() {
        let mut request = Request::new(kind, cwd);
        if let Some(prompt) = &options.prompt {
            request.subject = host::Subject::Prompt(prompt.clone());
        }
        return Ok(request);
    }
    match (options.tool.as_deref(), &options.command, &options.edit, &options.input) {
        (None | Some("shell"), Some(command), _, _) => Ok(Request::shell(kind, product, command, cwd)),
        (None | Some("edit"), _, Some(path), _) => {
            // Hosts send absolute paths.
            let path = if path.starts_with('/') { path.clone() } else { format!("{cwd}/{path}") };
            Ok(Request::edit(kind, product, &path, cwd))
        }
        (Some(name), Some(command), _, _) => {
            Ok(Request::tool(kind, name, serde_json::json!({ "command": command }), cwd))
        }
        (Some(name), None, None, Some(input)) => {
            let input = serde_json::from_str(input)
                .map_err(|error| Fault::usage(format!("--input is not JSON: {error}."), "Give an object."))?;
            Ok(Request::tool(kind, name, input, cwd))
        }
        (Some("shell"), ..) => Err(Fault::usage("A shell call needs a command.", "Add --command TEXT.")),
        (Some("edit"), ..) => Err(Fault::usage("An edit needs a file.", "Add --edit PATH.")),
        (Some(name), ..) => Err(Fault::usage(
            format!("The input of `{name}` is missing."),
            "Add --input JSON, or --command TEXT.",
        )),
        (None, ..) => Err(Fault::usage("No event given.", "Add --command TEXT, for example.")),
    }
}

fn from_stdin(options: &RunOptions, cwd: &str) -> Result<Asked, Fault> {
    if std::io::stdin().is_terminal() {
        return Err(Fault::usage(
            "No event given.",
            "Add --command TEXT, --edit PATH, --prompt TEXT or --stop, or give a payload on stdin.",
        ));
    }
    let mut bytes = Vec::new();
    let stdin = std::io::stdin().lock();
    stdin
        // One more than may be read, so that what is too large is distinguished from what fits.
        .take(MAX_PAYLOAD + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::usage(format!("Cannot read stdin: {error}."), "Give a payload on stdin."))?;
    if bytes.len() as u64 > MAX_PAYLOAD {
        return Err(Fault::usage(
            format!("The payload is larger than {} MiB.", MAX_PAYLOAD >> 20),
            "Give a smaller one.",
        ));
    }
    // Flags fill in what the payload does not say, as for our own hooks.
    let hints = Hints { host: options.host.map(|product| product.host), event: options.event };
    let event = parse(&bytes, hints)?;
    let product = options.host.or_else(|| Product::of(event.host)).ok_or_else(no_host)?;
    if event.kind == EventKind::Other {
        return Err(Fault::usage(
            "The payload does not name its event.",
            "Add --event, such as --event PreToolUse.",
        ));
    }
    let mut request = Request::of(&event);
    // A payload without a folder is still run somewhere: here.
    if request.cwd.is_empty() {
        cwd.clone_into(&mut request.cwd);
    }
    Ok(Asked { product, request })
}
