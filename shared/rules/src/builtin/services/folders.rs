//! What is done to whole folders of someone's: their files rewritten, or served to everyone.

use super::super::has;
use crate::command::Command;
use crate::zone::{Target, Zone};

/// Programs that rewrite the files that they are given, or give them other names.
const REWRITERS: &str = "mogrify jpegoptim optipng oxipng pngquant exiftool exiv2 mp3gain id3v2 eyeD3 metaflac detox \
    convmv rename prename perl-rename file-rename mmv dos2unix unix2dos mat2";

/// Whether it rewrites files that lie in a home folder, outside of what someone works on: `mogrify -resize 10%
/// ~/Photos/*.jpg`.
pub(super) fn rewrites_files(command: &Command<'_>) -> bool {
    if !has(REWRITERS, &command.name) || command.only_asks() {
        return false;
    }
    let writes = match &*command.name {
        // Without a value for a tag, it shows them.
        "exiftool" => command.args().iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('=')),
        "convmv" => command.has_word("--notest"),
        _ => !command.has(&["-n", "--dry-run", "--nono", "--no-act"]),
    };
    let lies_at_home = |target: &Target| matches!(target.zone, Zone::Home | Zone::HomeInside);
    writes && command.targets().iter().any(lies_at_home)
}

/// Whether it serves all of a home folder, or of the machine, to whoever reaches it.
pub(super) fn serves_everything(command: &Command<'_>) -> bool {
    // The letter and the name of the option that says which folder; without one, it is an operand.
    let (serves, options) = match &*command.name {
        "python" | "python3" => (command.has_word("http.server"), Some(("-d", "--directory"))),
        "php" => (command.value(&["-S"]).is_some(), Some(("-t", "--docroot"))),
        "caddy" => (command.sub(&["file-server"]), Some(("-r", "--root"))),
        "filebrowser" => (true, Some(("-r", "--root"))),
        "http-server" | "serve" | "miniserve" | "dufs" | "simple-http-server" => (true, None),
        _ => return false,
    };
    let alone = |text: &str| text.contains("127.0.0.1") || text.contains("localhost");
    if !serves || command.args().iter().any(|arg| alone(&arg.text)) {
        return false;
    }
    let folder = match options {
        Some((letter, name)) => command.value(&[letter, name]),
        None => command.operands().first().map(|arg| arg.text.as_str()),
    };
    let folder = folder.unwrap_or(".");
    matches!(command.target(folder).zone, Zone::Root | Zone::System | Zone::Home | Zone::HomeSettings)
}
