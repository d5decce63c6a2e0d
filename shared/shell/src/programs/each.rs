//! Programs that run another one for each thing they find or read: find, fd, xargs, parallel.

use shell_engine::text::pattern;
use shell_engine::{Arg, Call, Flow, How, Process, Redirect, Scope, Via, mark};

use super::{emptied, joined, listed, quoted};

pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let name = process.name;
    match name {
        "rsync" | "tar" | "gtar" | "bsdtar" | "zip" | "7z" | "7za" | "7zz" | "sed" | "gsed" | "truncate"
        | "gtruncate" => {
            // As the command that does the same, so that every rule about `rm` holds.
            if let Some(gone) = emptied::by(name, process.args()).filter(|gone| !gone.is_empty()) {
                let mut delete = ["rm", "-r", "-f", "--"].map(Arg::from).to_vec();
                delete.extend(gone);
                process.start(&delete);
            }
            listed::run(process)
        }
        "curl" | "cpio" | "pax" | "rclone" => listed::run(process),
        "find" | "gfind" | "bfs" => find(process),
        "fd" | "fdfind" => fd(process),
        "xargs" | "gxargs" => Some(xargs(process)),
        "parallel" | "rush" => Some(parallel(process)),
        "mkfifo" | "mknod" => {
            for pipe in process.args().iter().filter(|arg| !arg.text.starts_with('-')) {
                process.runner.add_reader(process.scope, &pipe.text, "");
            }
            None
        }
        "run-parts" => run_parts(process),
        _ => None,
    }
}

/// What `find` goes through: its starting points and the pattern that narrows them.
struct Search<'a> {
    roots: Vec<&'a str>,
    /// The last `-name`, `-path` or the like that is not negated; the name after the path, where both are given.
    pattern: Option<String>,
    /// The last `-path` or the like.
    folder: Option<String>,
    /// Some other test narrows the search (`-mtime`, `-size`, `-empty` …).
    narrowed: bool,
    /// `-maxdepth 0`: only the starting points themselves.
    roots_only: bool,
    /// What it finds holds nothing: folders, of which `-delete` takes only empty ones, empty files, links that lead nowhere.
    hollow: bool,
}

fn search(args: &[Arg]) -> Search<'_> {
    let mut at = 0;
    // Only these stand in front of the starting points.
    while args.get(at).is_some_and(|arg| matches!(arg.text.as_str(), "-H" | "-L" | "-P" | "-E" | "-X" | "-d"))
    {
        at += 1;
    }
    let mut roots = Vec::new();
    while let Some(arg) = args.get(at)
        && !(arg.text.starts_with('-') || matches!(arg.text.as_str(), "(" | ")" | "!"))
    {
        // `find $DIR -name x` without a value searches the folder that it runs in.
        let gone = !arg.text.is_empty() && arg.text.chars().all(|c| c == mark::UNSET);
        roots.push(if gone { "." } else { arg.text.as_str() });
        at += 1;
    }
    if roots.is_empty() {
        roots.push(".");
    }
    let mut found =
        Search { roots, pattern: None, folder: None, narrowed: false, roots_only: false, hollow: false };
    let (mut negated, mut either) = (false, false);
    while let Some(arg) = args.get(at) {
        let value = args.get(at + 1).map(|arg| arg.text.as_str());
        match arg.text.as_str() {
            "-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-regex" | "-iregex" | "-lname" => {
                if let Some(value) = value.filter(|value| !negated && !matches!(*value, "*" | ".*" | "*.*")) {
                    // A pattern that matches every name narrows nothing, and `! -name x` leaves out one of
                    // many.
                    found.narrow(&arg.text, value);
                }
                at += 1;
            }
            "-maxdepth" => {
                found.roots_only |= value == Some("0");
                at += 1;
            }
            "-mtime" | "-mmin" | "-ctime" | "-cmin" | "-atime" | "-amin" | "-size" | "-newer" | "-user"
            | "-group" | "-perm" | "-inum" | "-uid" | "-gid" | "-newermt" | "-samefile" | "-links" => {
                found.narrowed |= !negated;
                at += 1;
            }
            "-empty" | "-nouser" | "-nogroup" => {
                found.narrowed |= !negated;
                found.hollow |= !negated && arg.text == "-empty";
            }
            "-type" | "-xtype" => {
                // Links are few; files and folders are everything.
                let is_link = value == Some("l");
                found.narrowed |= !negated && is_link;
                found.hollow |= !negated && (value == Some("d") || is_link && arg.text == "-xtype");
                at += 1;
            }
            // What stands before `-o` says nothing about what follows it.
            "-o" | "-or" | "," => {
                found.pattern = None;
                found.folder = None;
                found.narrowed = false;
                either = true;
            }
            // Words after it are those of another program.
            "-exec" | "-execdir" | "-ok" | "-okdir" => break,
            _ => {}
        }
        negated = matches!(arg.text.as_str(), "!" | "-not");
        at += 1;
    }
    found.hollow &= !either;
    found
}

impl Search<'_> {
    /// Takes one more test of names or paths.
    fn narrow(&mut self, test: &str, value: &str) {
        let pattern = match test {
            // The regular expressions that people write for find are patterns in other signs.
            "-regex" | "-iregex" => pattern::active(&value.replace(".*", "*").replace("\\.", ".")),
            _ => pattern::active(value),
        };
        let folder = self.folder.as_deref().and_then(|folder| folder.strip_suffix(mark::STAR));
        if test.ends_with("name") && test != "-wholename" {
            // `-path './.github/*' -name '*.json'`
            self.pattern = Some(format!("{}{pattern}", folder.unwrap_or("")));
        } else {
            self.folder = Some(pattern.clone());
            self.pattern = Some(pattern);
        }
    }

    /// The paths that the search stands for, as arguments with marks.
    fn targets(&self) -> Vec<String> {
        self.roots
            .iter()
            .map(|root| {
                if self.roots_only {
                    return (*root).to_owned();
                }
                let root = if *root == "/" { "" } else { root.trim_end_matches('/') };
                match &self.pattern {
                    Some(pattern) => {
                        format!("{root}/{}/{}", mark::ENTRY, pattern.trim_start_matches('/'))
                    }
                    // Some entries and not all of them: a name that is not known stands for the choice.
                    None if self.narrowed => format!("{root}/{}{}", mark::ENTRY, mark::TOKEN),
                    None => format!("{root}/{}", mark::ENTRY),
                }
            })
            .collect()
    }
}

/// What `find` prints.
pub(crate) fn found(scope: &Scope, args: &[Arg]) -> String {
    let mut printed = String::new();
    let format = shell_engine::arguments::option(args, "-printf", "");
    for target in search(args).targets() {
        if let Some(format) = format {
            // The directives that name what was found; the others are numbers and dates.
            let path = scope.absolute(&target);
            let (folder, name) = path.rsplit_once('/').unwrap_or((".", &path));
            let line =
                format.replace("%p", &path).replace("%f", name).replace("%h", folder).replace("%P", name);
            printed.push_str(&shell_engine::text::escapes::printf(&line));
            continue;
        }
        printed.push_str(&scope.absolute(&target));
        printed.push('\n');
    }
    printed
}

fn find(process: &mut Process<'_>) -> Option<String> {
    let call = process.call;
    let args = process.args();
    let mut acts = false;
    let mut printed = String::new();
    let search = search(args);
    let targets = search.targets();
    let mut at = 0;
    while let Some(arg) = args.get(at)
        && !process.runner.stopped()
    {
        match arg.text.as_str() {
            "-delete" => {
                acts = true;
                // As the command that does the same, so that every rule about `rm` holds.
                let words: &[&str] = if search.hollow { &["rmdir", "--"] } else { &["rm", "-r", "-f", "--"] };
                let mut delete: Vec<Arg> = words.iter().copied().map(Arg::from).collect();
                delete.extend(targets.iter().map(|target| Arg::from(target.as_str())));
                process.runner.start(
                    process.scope,
                    Via { parent: process.index, how: How::Each },
                    call.with_args(delete),
                );
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                acts = true;
                let end = args[at + 1..]
                    .iter()
                    .position(|arg| matches!(arg.text.as_str(), ";" | "+"))
                    .map_or(args.len(), |width| at + 1 + width);
                // Each starting point has a run of its own: rules look at one path after the other.
                for target in &targets {
                    let inner: Vec<Arg> = args[at + 1..end]
                        .iter()
                        .map(|arg| Arg::from(arg.text.replace("{}", target)))
                        .collect();
                    if !inner.is_empty() {
                        let output = process.runner.start(
                            process.scope,
                            Via { parent: process.index, how: How::Each },
                            call.with_args(inner),
                        );
                        process.runner.append(&mut printed, output);
                    }
                }
                at = end;
            }
            "-fprint" | "-fprint0" | "-fprintf" | "-fls" => {
                if let Some(file) = args.get(at + 1) {
                    let redirect = Redirect { fd: 1, flow: Flow::Write, target: file.text.clone() };
                    // A redirection without a program, as `> file` is one.
                    let mut writes = call.with_args(Vec::new());
                    writes.redirects.push(redirect);
                    process.runner.start(
                        process.scope,
                        Via { parent: process.index, how: How::Each },
                        writes,
                    );
                    if arg.text == "-fprintf" {
                        // What `-printf` would print goes into the file.
                        let mut prints = args[..at].to_vec();
                        prints.push(Arg::from("-printf"));
                        prints.extend(args.get(at + 2).cloned());
                        let text = found(process.scope, &prints);
                        process.runner.put_file(process.scope, &file.text, &text);
                    }
                }
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    acts.then_some(printed)
}

fn fd(process: &mut Process<'_>) -> Option<String> {
    let call = process.call;
    let args = process.args();
    let at =
        args.iter().position(|arg| matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"))?;
    let mut operands = Vec::new();
    let mut extension = None;
    let mut words = args[..at].iter();
    while let Some(arg) = words.next() {
        match arg.text.as_str() {
            "-e" | "--extension" => extension = words.next().map(|arg| arg.text.as_str()),
            "-t" | "--type" | "-E" | "--exclude" | "-d" | "--max-depth" | "-S" | "--size" | "-c"
            | "--color" | "-j" | "--threads" | "--changed-within" | "--changed-before" | "-o" | "--owner"
            | "--min-depth" => {
                words.next();
            }
            text if text.starts_with('-') => {}
            text => operands.push(text),
        }
    }
    let pattern = operands.first().copied().unwrap_or(".");
    let root = operands.get(1).copied().unwrap_or(".");
    let narrow = !matches!(pattern, "." | ".*" | "");
    let target = match extension {
        Some(extension) => format!("{root}/{}/{}.{extension}", mark::ENTRY, mark::STAR),
        None if narrow => format!("{root}/{}/{}{pattern}{}", mark::ENTRY, mark::STAR, mark::STAR),
        None => format!("{root}/{}", mark::ENTRY),
    };
    let mut inner: Vec<Arg> =
        args[at + 1..].iter().map(|arg| Arg::from(arg.text.replace("{}", &target))).collect();
    // fd appends what it finds where no placeholder says otherwise.
    if !args[at + 1..].iter().any(|arg| arg.text.contains('{')) {
        inner.push(Arg::from(target));
    }
    Some(process.runner.start(
        process.scope,
        Via { parent: process.index, how: How::Each },
        call.with_args(inner),
    ))
}

/// `run-parts FOLDER` starts what lies in the folder.
fn run_parts(process: &mut Process<'_>) -> Option<String> {
    let shows = |arg: &Arg| matches!(arg.text.as_str(), "--test" | "--list");
    if !process.runner.has_disk() || process.args().iter().any(shows) {
        return None;
    }
    let folder = process.args().iter().rfind(|arg| !arg.text.starts_with('-'))?;
    let all = format!("{}/{}", folder.text.trim_end_matches('/'), mark::STAR);
    for path in process.runner.paths(process.scope, &all) {
        process.start(&[path.into()]);
    }
    None
}

/// Items that one run of a program may get; the others are alike.
const MAX_ITEMS: usize = 64;

fn xargs(process: &mut Process<'_>) -> String {
    let call = process.call;
    let args = process.args();
    let mut replace: Option<String> = None;
    let mut delimiter: Option<String> = None;
    let mut per_run = usize::MAX;
    let mut by_line = false;
    let mut file: Option<String> = None;
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        let next = || args.get(at + 1).map(|arg| arg.text.clone());
        // `-n1` and `-n 1` are the same.
        let value = |width: usize| if text.len() > width { Some(text[width..].to_owned()) } else { next() };
        let taken = if text.len() > 2 { 1 } else { 2 };
        match text {
            "--" => {
                at += 1;
                break;
            }
            // The list comes from `find -print0`: blanks and quotes are part of the names.
            "-0" | "--null" | "-0r" | "-r0" => {
                delimiter = Some("\0".to_owned());
                at += 1;
            }
            // BSD's `-J` puts all items where its mark stands; as for `-I`, the mark is gone in what runs.
            _ if text.starts_with("-I") || text.starts_with("-J") => {
                replace = value(2);
                at += taken;
            }
            // Their value is optional, and never the next argument.
            _ if text.starts_with("--replace") || text == "-i" => {
                replace = Some(text.split_once('=').map_or("{}", |(_, value)| value).to_owned());
                at += 1;
            }
            _ if text.starts_with("-d") => {
                delimiter = value(2).map(|value| shell_engine::text::escapes::printf(&value));
                at += taken;
            }
            _ if text.starts_with("--delimiter=") => {
                delimiter = Some(shell_engine::text::escapes::printf(&text[12..]));
                at += 1;
            }
            _ if text.starts_with("-n") || text.starts_with("-L") => {
                by_line = text.starts_with("-L");
                // A number that is not known: everything in one run, which hides nothing.
                per_run = value(2).and_then(|value| value.parse().ok()).unwrap_or(usize::MAX);
                at += taken;
            }
            _ if text.starts_with("-a") => {
                file = value(2);
                at += taken;
            }
            "--arg-file" => {
                file = next();
                at += 2;
            }
            _ if text.starts_with("--arg-file=") => {
                file = Some(text[11..].to_owned());
                at += 1;
            }
            _ if ["-E", "-P", "-s", "-R", "-S"].iter().any(|option| text.starts_with(option)) => {
                at += taken;
            }
            "--max-args" | "--max-procs" | "--max-lines" | "--max-chars" | "--process-slot-var" => at += 2,
            _ if text.starts_with('-') && text.len() > 1 => at += 1,
            _ => break,
        }
    }
    let (own, program) = args.split_at(at.min(args.len()));
    // These names lead back to standard input.
    let file = file.filter(|file| file != "-" && !shell_engine::path::is_stdin(file));
    let input =
        file.map(|file| process.runner.read_file(process.scope, &file)).or_else(|| call.io.stdin.clone());
    // The items of a file are words of the command.
    let input = input.map(|text| {
        let held = process.runner.fulfilled(process.scope, &text);
        held.map_or(text, |held| held.text)
    });
    // A list that is not known is one item that may be anything.
    let unknown = mark::UNKNOWN.to_string();
    let stdin = input.as_deref().unwrap_or(&unknown);
    let items = items(stdin, delimiter.as_deref(), replace.is_some());
    let inner = Call {
        // xargs has read its input: what it starts gets none of it.
        io: shell_engine::Io { stdin: None, capture: call.io.capture, ..shell_engine::Io::default() },
        ..call.with_args(Vec::new())
    };
    let mut output = String::new();
    if let Some(pattern) = replace {
        for item in items.iter().take(MAX_ITEMS) {
            let args: Vec<Arg> =
                program.iter().map(|arg| Arg::from(arg.text.replace(&pattern, item))).collect();
            // Each run is a process of its own: a folder that it changes to stays its own.
            let mut scope = process.scope.clone();
            let printed = process.with(&inner).start_in(&mut scope, &args);
            process.runner.append(&mut output, printed);
        }
        return output;
    }
    // GNU xargs runs its program once though there is nothing to give to it, unless `-r` is there.
    let always = items.is_empty() && !own.iter().any(|arg| no_run_if_empty(&arg.text));
    let groups: Vec<Vec<String>> = if by_line {
        let lines: Vec<&str> = stdin.lines().filter(|line| !line.trim().is_empty()).collect();
        lines.chunks(per_run.clamp(1, 512)).map(|lines| unquoted_items(&lines.join("\n"))).collect()
    } else {
        items.chunks(per_run.clamp(1, 512)).map(<[String]>::to_vec).collect()
    };
    for group in groups.into_iter().chain(always.then(Vec::new)).take(MAX_ITEMS) {
        let mut args = program.to_vec();
        if args.is_empty() {
            // Without a program, xargs prints.
            args.push(Arg::from("echo"));
        }
        args.extend(group.iter().map(|item| Arg::from(item.as_str())));
        let mut scope = process.scope.clone();
        let printed = process.with(&inner).start_in(&mut scope, &args);
        process.runner.append(&mut output, printed);
    }
    output
}

/// Whether an option of xargs says that without input nothing runs.
fn no_run_if_empty(option: &str) -> bool {
    option == "--no-run-if-empty" || option.starts_with("-r") || option.starts_with("-0r")
}

/// The items of xargs' input. Without a delimiter of its own it takes quotes and backslashes away.
fn items(text: &str, delimiter: Option<&str>, lines: bool) -> Vec<String> {
    match delimiter.and_then(|delimiter| delimiter.chars().next()) {
        Some(delimiter) => {
            // A NUL separates the items, but what we follow is text, in which names end with their line.
            text.split([delimiter, if delimiter == '\0' { '\n' } else { delimiter }])
                .filter(|item| !item.is_empty())
                .map(str::to_owned)
                .collect()
        }
        None if lines => {
            let lines = text.lines().map(|line| unquoted(line.trim_start(), |_| false).concat());
            lines.filter(|item| !item.is_empty()).collect()
        }
        None => unquoted_items(text),
    }
}

/// What blanks separate, with quotes and backslashes taken away.
fn unquoted_items(text: &str) -> Vec<String> {
    unquoted(text, |c| matches!(c, ' ' | '\t' | '\n'))
}

/// The pieces between separators that neither quotes nor a backslash protect.
fn unquoted(text: &str, separates: impl Fn(char) -> bool) -> Vec<String> {
    let mut items = Vec::new();
    let mut item: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None) => item.get_or_insert_default().extend(chars.next()),
            ('\'' | '"', None) => {
                quote = Some(c);
                item.get_or_insert_default();
            }
            (c, None) if separates(c) => items.extend(item.take()),
            (c, Some(open)) if c == open => quote = None,
            (c, _) => item.get_or_insert_default().push(c),
        }
    }
    items.extend(item);
    items
}

/// The items after each `:::`, and the lines of the files after `::::`: every item of one with every item of the others.
fn listed(process: &mut Process<'_>, sources: &[Arg]) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut files = false;
    for arg in sources {
        if arg.text.starts_with(":::") {
            files = arg.text.starts_with("::::");
            groups.push(Vec::new());
        } else if files {
            let text = process.runner.read_file(process.scope, &arg.text);
            let held = process.runner.fulfilled(process.scope, &text);
            let text = held.map_or(text, |held| held.text);
            groups.last_mut().into_iter().for_each(|group| group.extend(text.lines().map(str::to_owned)));
        } else {
            groups.last_mut().into_iter().for_each(|group| group.push(arg.text.clone()));
        }
    }
    let mut rows: Vec<Vec<String>> = vec![Vec::new()];
    for group in groups {
        let longer = |row: &Vec<String>, item: &String| [&row[..], std::slice::from_ref(item)].concat();
        rows = rows
            .iter()
            .flat_map(|row| group.iter().map(move |item| longer(row, item)))
            .take(MAX_ITEMS)
            .collect();
    }
    rows
}

/// The line that `parallel` runs for a row of items: in the places that marks name, else at the end.
fn filled(command: &str, row: &[String]) -> String {
    if command.is_empty() {
        return row.join(" ");
    }
    let word = |item: &String| {
        // An item stays one word, whatever is in it.
        if item.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b)) {
            item.clone()
        } else {
            quoted(&[Arg::from(item.as_str())])
        }
    };
    let words: Vec<String> = row.iter().map(word).collect();
    let mut line = command.replace("{}", &words.join(" "));
    for (at, word) in words.iter().enumerate() {
        line = line.replace(&format!("{{{}}}", at + 1), word);
    }
    if line == command { format!("{command} {}", words.join(" ")) } else { line }
}

fn parallel(process: &mut Process<'_>) -> String {
    let call = process.call;
    let args = process.args();
    let valued = const { catalog::row("parallel") }.anywhere;
    let mut at = 0;
    while let Some(arg) = args.get(at)
        && arg.text.starts_with('-')
    {
        at += if valued.split_ascii_whitespace().any(|option| option == arg.text) { 2 } else { 1 };
    }
    let own = &args[..at.min(args.len())];
    let rest = &args[at.min(args.len())..];
    let split = rest.iter().position(|arg| arg.text.starts_with(":::")).unwrap_or(rest.len());
    let (program, sources) = rest.split_at(split);
    let command = joined(program);
    if own.iter().any(|arg| matches!(arg.text.as_str(), "--dry-run" | "--dryrun" | "--citation")) {
        // It prints the lines that it would run.
        return String::new();
    }
    let inner = Call {
        io: shell_engine::Io { stdin: None, capture: call.io.capture, ..shell_engine::Io::default() },
        ..call.with_args(Vec::new())
    };
    if own.iter().any(|arg| matches!(arg.text.as_str(), "--pipe" | "--pipepart" | "--spreadstdin")) {
        // The program reads what others would get as arguments.
        return process.text(&command);
    }
    let file =
        super::option(own, "-a", "--arg-file").map(|file| process.runner.read_file(process.scope, file));
    let rows: Vec<Vec<String>> = if sources.is_empty() {
        let input = file.or_else(|| call.io.stdin.clone());
        let held = input.as_deref().and_then(|text| process.runner.fulfilled(process.scope, text));
        let input = held.map(|held| held.text).or(input);
        // `--colsep ' '`: the fields of a line have places of their own.
        let separator = super::option(own, "-C", "--colsep").and_then(|text| text.chars().next());
        let row = |line: &str| match separator {
            Some(separator) => line.split(separator).map(str::to_owned).collect(),
            None => vec![line.to_owned()],
        };
        input.as_deref().unwrap_or("").lines().map(row).collect()
    } else {
        listed(process, sources)
    };
    let mut output = String::new();
    for row in rows.iter().take(MAX_ITEMS) {
        let line = filled(&command, row);
        let printed = process.with(&inner).text(&line);
        process.runner.append(&mut output, printed);
    }
    output
}
