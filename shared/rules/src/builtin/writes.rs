//! The files that a program writes, whichever program it is.

use shell::{Flow, Language, path};

use crate::command::Command;
use crate::zone::Target;

/// In which way a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// It loses its content, and gets another one.
    Empty,
    /// Another file takes its place.
    Replace,
    /// Something is added at its end.
    Append,
    /// It is changed in place.
    Edit,
    /// So it is, and what it was stays in a file beside it.
    EditCopy,
}

/// A file that a program writes.
pub(crate) struct Write {
    pub target: Target,
    /// How.
    pub way: Way,
}

/// How files are edited in place: with `-i.bak`, `-pi.bak` and `--in-place=.bak`, a copy stays.
fn edited(command: &Command<'_>) -> Way {
    let is_suffix = |suffix: &str| suffix.starts_with(['.', '~', '_']);
    let keeps = command.options().any(|arg| match arg.text.strip_prefix("--in-place=") {
        Some(suffix) => is_suffix(suffix),
        None => arg.text.split_once('i').is_some_and(|(_, suffix)| is_suffix(suffix)),
    });
    if keeps { Way::EditCopy } else { Way::Edit }
}

/// Whether a program's arguments name files that it writes; looked up once.
pub(super) fn is_writer(command: &Command<'_>) -> bool {
    *command.is_writer.get_or_init(|| writes_by_arguments(&command.name))
}

fn writes_by_arguments(name: &str) -> bool {
    matches!(
        name,
        "tee"
            | "gtee"
            | "sponge"
            | "cp"
            | "gcp"
            | "mv"
            | "gmv"
            | "install"
            | "ginstall"
            | "ln"
            | "gln"
            | "dd"
            | "gdd"
            | "dcfldd"
            | "dc3dd"
            | "truncate"
            | "gtruncate"
            | "sed"
            | "gsed"
            | "perl"
            | "ruby"
            | "ed"
            | "ex"
            | "red"
            | "curl"
            | "wget"
            | "wget2"
            | "pv"
            | "sort"
            | "patch"
            | "ddrescue"
            | "scp"
            | "rsync"
            | "awk"
            | "gawk"
            | "vim"
            | "vi"
            | "nvim"
            | "New-Item"
            | "Set-Content"
            | "Add-Content"
            | "Clear-Content"
            | "Out-File"
            | "Tee-Object"
            | "Export-Csv"
            | "Export-Clixml"
            | "Copy-Item"
            | "Move-Item"
            | "Rename-Item"
            | "Invoke-WebRequest"
            | "Invoke-RestMethod"
            | "Start-BitsTransfer"
            | "copy"
            | "move"
            | "ren"
            | "xcopy"
    ) || output_options(name).is_some()
}

/// The options that name the file a tool writes, separated by blanks.
fn output_options(name: &str) -> Option<&'static str> {
    Some(match name {
        "gcc" | "cc" | "clang" | "g++" | "c++" | "clang++" | "ld" | "as" | "strip" | "shuf" | "iconv"
        | "nm" | "bison" => "-o --output",
        "gpg" | "gpg2" | "age" => "-o --output",
        "openssl" => "-out",
        "tcpdump" | "tshark" => "-w",
        "strace" | "ltrace" => "-o --output",
        // Not by an option: they write their second operand.
        "xxd" | "uniq" | "objcopy" => "",
        _ => return None,
    })
}

/// The files that redirections and the program itself write.
pub(super) fn writes<'c>(command: &'c Command<'_>) -> &'c [Write] {
    command.writes.get_or_init(|| find(command))
}

fn find(command: &Command<'_>) -> Vec<Write> {
    let mut found = Vec::new();
    for (target, flow) in command.written() {
        let way = match flow {
            Flow::Append => Way::Append,
            // `<>` opens a file and leaves its content.
            Flow::ReadWrite => Way::Edit,
            // The shell empties the file before the program starts, even if that fails.
            Flow::Write | Flow::Read => Way::Empty,
        };
        found.push(Write { target, way });
    }
    if is_writer(command) && !command.only_asks() {
        from_arguments(command, &mut found);
    }
    found
}

fn from_arguments(command: &Command<'_>, found: &mut Vec<Write>) {
    let mut add = |text: &str, way: Way| found.push(Write { target: command.target(text), way });
    match &*command.name {
        "tee" | "gtee" | "sponge" => {
            let way = if command.has(&["-a", "--append"]) { Way::Append } else { Way::Empty };
            command.operands().iter().for_each(|arg| add(&arg.text, way));
        }
        "cp" | "gcp" | "mv" | "gmv" | "install" | "ginstall" | "ln" | "gln" => copied(command, found),
        "dd" | "gdd" | "dcfldd" | "dc3dd" => {
            for text in command.args().iter().filter_map(|arg| arg.text.strip_prefix("of=")) {
                add(text, Way::Empty);
            }
        }
        // One file over another: a folder as the source is someone else's question.
        "scp" | "rsync" if !command.has(&["-n", "--dry-run"]) => {
            let operands = command.operands();
            if let [_, to] = operands
                // With a colon it lies on another machine.
                && !to.text.contains(':')
                // A folder as the target keeps its other files.
                && !to.text.ends_with('/')
            {
                add(&to.text, Way::Replace);
            }
        }
        "ddrescue" => {
            if let [_, to, ..] = command.operands() {
                add(&to.text, Way::Empty);
            }
        }
        "truncate" | "gtruncate" => {
            // `+5` adds, `>5` adds if it is shorter.
            let adds = command.value(&["-s", "--size"]).is_some_and(|size| size.starts_with(['+', '>', '%']));
            let way = if adds { Way::Append } else { Way::Empty };
            command.operands().iter().for_each(|arg| add(&arg.text, way));
        }
        "sed" | "gsed" if command.has(&["-i", "-I", "--in-place"]) => {
            let scripted = command.has(&["-e", "-f", "--expression", "--file"]);
            let operands = command.operands();
            // Without `-e` or `-f`, the first operand is the script.
            operands.iter().skip(usize::from(!scripted)).for_each(|arg| add(&arg.text, edited(command)));
        }
        "perl" | "ruby" if !command.has(&["-i"]) => {}
        "perl" | "ruby" | "ed" | "ex" | "red" => {
            command.operands().iter().for_each(|arg| add(&arg.text, edited(command)));
        }
        // They write when they have an answer; until then the old file stays.
        "curl" | "wget" | "wget2" => {
            let [short, long] =
                if command.name == "curl" { ["-o", "--output"] } else { ["-O", "--output-document"] };
            command.value(&[short, long]).into_iter().for_each(|text| add(text, Way::Replace));
        }
        "pv" | "sort" => {
            command.value(&["-o", "--output"]).into_iter().for_each(|text| add(text, Way::Empty));
        }
        // Without `-i inplace` it only reads.
        "awk" | "gawk" if command.value(&["-i", "--include"]) == Some("inplace") => {
            command.operands().iter().skip(1).for_each(|arg| add(&arg.text, Way::Edit));
        }
        // An editor that gets its commands changes the file without anyone looking.
        "vim" | "vi" | "nvim"
            if command.has(&["-c", "-s"]) || command.args().iter().any(|arg| arg.text.starts_with('+')) =>
        {
            command.operands().iter().for_each(|arg| add(&arg.text, Way::Edit));
        }
        "patch" => {
            // Without one, the patch itself names its files, and the rules about this protection read it.
            if let Some(file) = command.operands().first() {
                add(&file.text, Way::Edit);
            }
        }
        "New-Item" | "Set-Content" | "Add-Content" | "Clear-Content" | "Out-File" | "Tee-Object"
        | "Export-Csv" | "Export-Clixml" | "Copy-Item" | "Move-Item" | "Rename-Item"
        | "Invoke-WebRequest" | "Invoke-RestMethod" | "Start-BitsTransfer" => from_parameters(command, found),
        "copy" | "move" | "ren" | "xcopy" if command.atom.shell == Language::Cmd => {
            let operands: Vec<&str> = command
                .args()
                .iter()
                .map(|arg| arg.text.as_str())
                .filter(|text| !text.starts_with('/'))
                .collect();
            if let [from, .., to] = operands.as_slice() {
                // `copy nul file` is the old way to empty one.
                let way = if from.eq_ignore_ascii_case("nul") { Way::Empty } else { Way::Replace };
                add(to, way);
            }
        }
        // The second operand is what they write.
        "xxd" | "uniq" | "objcopy" => {
            let operands = command.operands();
            if let [_, to] = operands {
                add(&to.text, Way::Empty);
            }
        }
        name => {
            for option in output_options(name).unwrap_or("").split(' ').filter(|option| !option.is_empty()) {
                if let Some(text) = command.value(&[option]) {
                    add(text, Way::Empty);
                }
            }
        }
    }
}

/// The files that a cmdlet writes.
fn from_parameters(command: &Command<'_>, found: &mut Vec<Write>) {
    if command.only_shows() {
        return;
    }
    let name = &*command.name;
    let (names, way): (&[&'static str], Way) = match name {
        "Copy-Item" | "Move-Item" | "Start-BitsTransfer" => (&["Destination"], Way::Replace),
        "Rename-Item" => (&["NewName"], Way::Replace),
        "Invoke-WebRequest" | "Invoke-RestMethod" => (&["OutFile"], Way::Replace),
        // Only `-Force` takes the place of what is there.
        "New-Item" if !command.has_word("-Force") => return,
        "New-Item" => (&["Path"], Way::Replace),
        "Add-Content" => (&["Path", "LiteralPath"], Way::Append),
        _ if command.has_word("-Append") => (&["Path", "LiteralPath", "FilePath"], Way::Append),
        _ => (&["Path", "LiteralPath", "FilePath"], Way::Empty),
    };
    for arg in names.iter().flat_map(|name| command.parameter(name)) {
        found.push(Write { target: command.target(&arg.text), way });
    }
}

/// Where copying programs put what they copy: the last operand, and the same name in it if it is a folder.
fn copied(command: &Command<'_>, found: &mut Vec<Write>) {
    let installs = command.is(&["install", "ginstall"]);
    let links = command.is(&["ln", "gln"]);
    // Folders are made, links that exist are kept, files that exist are kept: nothing is overwritten.
    if installs && command.has(&["-d", "--directory"])
        || links && !command.has(&["-f", "--force"])
        || !installs && !links && command.has(&["-n", "--no-clobber"])
    {
        return;
    }
    let mut operands = command.operands().to_vec();
    let folder = command.value(&["-t", "--target-directory"]);
    let Some(to) = folder
        .or_else(|| (operands.len() > 1).then(|| operands.pop().map(|arg| arg.text.as_str())).flatten())
    else {
        return;
    };
    let target = command.target(to);
    // `cp /dev/null x` leaves an empty file.
    let empties = operands.iter().any(|arg| arg.text == "/dev/null") && !links;
    // `cp -b` leaves what was there beside it.
    let backs_up = !installs && command.has(&["-b", "--backup", "-S", "--suffix"]);
    let way = if backs_up {
        Way::EditCopy
    } else if empties {
        Way::Empty
    } else {
        Way::Replace
    };
    // Whether the target is a folder is not known: the name inside it is noted as well.
    // A device has no names inside it; and eight are enough to see what kind of files they are.
    for from in operands.iter().take(if to.starts_with("/dev/") { 0 } else { 8 }) {
        let name = path::file_name(from.text.trim_end_matches('/'));
        found.push(Write { target: command.target(&[to.trim_end_matches('/'), name].join("/")), way });
    }
    found.push(Write { target, way });
}
