//! Files that a cmdlet of PowerShell touches.

use shell::mark;

use super::touch::{Touch, beside, within};
use crate::command::Command;

/// The files of a cmdlet, by the names of its parameters.
pub(super) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let verb = command.name.split('-').next().unwrap_or("");
    let item = command.is(&["Copy-Item", "Move-Item"]);
    let from = || command.parameter("Path").chain(command.parameter("LiteralPath"));
    match verb {
        "Remove" | "Clear" => from().for_each(|arg| add(&arg.text, Touch::Away)),
        "Move" | "Rename" => {
            from().for_each(|arg| add(&arg.text, Touch::Away));
            for name in command.parameter("NewName") {
                from().for_each(|arg| add(&beside(&arg.text, &name.text), Touch::Write));
            }
        }
        "Set" | "Add" | "Out" | "Export" | "Tee" | "Start" => {
            // Their verbs say that they write, but no file is meant.
            if command.is(&["Set-Location", "Add-Type", "Set-Variable", "Start-Process"]) {
                return;
            }
            // A file that its program may no longer read, or that is hidden, counts as gone.
            let locks = command.is(&["Set-Acl", "Set-ItemProperty"]);
            let files = from().chain(command.parameter("FilePath"));
            files.for_each(|arg| add(&arg.text, if locks { Touch::Away } else { Touch::Write }));
        }
        "New" => {
            let kind = command.parameter("ItemType").next().map_or("", |arg| arg.text.as_str());
            let links = kind.to_ascii_lowercase().contains("link") || kind.eq_ignore_ascii_case("junction");
            // A new folder replaces nothing.
            if kind.eq_ignore_ascii_case("directory") {
                return;
            }
            // What a link leads to may change later, without any write to the link.
            let touch = if links { Touch::Away } else { Touch::Write };
            from().for_each(|arg| add(&arg.text, touch));
            for name in command.parameter("Name") {
                from().for_each(|arg| add(&format!("{}/{}", arg.text, name.text), touch));
            }
            if links {
                command
                    .parameter("Target")
                    .chain(command.parameter("Value"))
                    .for_each(|arg| add(&arg.text, touch));
            }
        }
        "Expand" => command.parameter("DestinationPath").for_each(|arg| add(&arg.text, Touch::Pour)),
        _ => {}
    }
    if item {
        for to in command.parameter("Destination") {
            add(&to.text, Touch::Write);
            from().for_each(|arg| add(&within(&to.text, &arg.text), Touch::Write));
            // Without it, only the files right in the folder are copied.
            let deep = command.has_word("-Recurse");
            if deep || from().any(|arg| arg.text.ends_with(['*', mark::STAR])) {
                add(&to.text, if deep { Touch::Pour } else { Touch::Fill });
            }
        }
    }
}
