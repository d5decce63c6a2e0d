//! Programs that take more of their words from a file, or from what they read: `tar -T FILE`, `curl -K FILE`,
//! `rsync --files-from=FILE`, `sed -f FILE`, `cpio -o < FILE`.

use std::borrow::Cow;

use shell_engine::{Arg, Process};

use super::{bundled, operands, option, script_at};

/// Words that are taken from one file.
const MAX_WORDS: usize = 256;

/// Starts the same call with what the file says in place of its name. `None` where it names no file that can be read.
pub(super) fn run(process: &mut Process<'_>) -> Option<String> {
    let (letter, long) = match process.name {
        "tar" | "gtar" | "bsdtar" => ('T', "--files-from"),
        "curl" => ('K', "--config"),
        "rsync" | "rclone" => (' ', "--files-from"),
        "sed" | "gsed" => ('f', "--file"),
        "cpio" | "pax" | "zip" | "7z" | "7za" | "7zz" => return packed(process),
        _ => return None,
    };
    let args = if letter == 'T' { dashed(process.args()) } else { Cow::Borrowed(process.args()) };
    let file = *bundled(process.name, &args, letter, long).first()?;
    let mut words = without(&args, &format!("-{letter}"), long)?;
    let text = script_at(process, file)?;
    match process.name {
        "curl" => words.extend(lines(&text).filter(|line| !line.starts_with('#')).flat_map(setting)),
        "sed" | "gsed" => drop(words.splice(..0, ["-e", text.trim_end()].map(Arg::from))),
        "rsync" | "rclone" => {
            // Each is a path below the source, which stands before the target.
            let target = words.pop()?;
            let source = words.pop()?;
            let source = source.text.trim_end_matches('/');
            words.extend(lines(&text).map(|line| Arg::from(format!("{source}/{line}"))));
            words.push(target);
        }
        _ => words.extend(lines(&text).map(Arg::from)),
    }
    words.insert(0, Arg::from(process.name));
    Some(process.start(&words))
}

/// The lines of a list.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_WORDS)
}

/// Archivers that read the names of the files: each is packed as `tar cf ARCHIVE NAMES` packs it.
fn packed(process: &mut Process<'_>) -> Option<String> {
    let args = process.args();
    let words = operands(process.name, args);
    let has = |letters: &[char], long: &str| {
        args.iter().any(|arg| {
            let text = arg.text.as_str();
            text == long || text.starts_with('-') && !text.starts_with("--") && text.contains(letters)
        })
    };
    let (archive, list) = match process.name {
        "cpio" if has(&['o', 'p'], "--create") => (option(args, "-F", "--file"), "-"),
        "pax" if has(&['w'], "") && words.is_empty() => (option(args, "-f", ""), "-"),
        "zip" if has(&['@'], "--names-stdin") => (words.first().copied(), "-"),
        "7z" | "7za" | "7zz" => {
            let list = words.iter().find_map(|word| word.strip_prefix('@'))?;
            (words.get(1).copied().filter(|_| !has(&['s'], "-so")), list)
        }
        _ => return None,
    };
    let mut program = ["tar", "-c", "-f", archive.unwrap_or("-"), "--"].map(Arg::from).to_vec();
    let text = script_at(process, list)?;
    program.extend(lines(&text).map(Arg::from));
    Some(process.start(&program))
}

/// tar's old form as the new one: `tar cfT - list` is `tar -c -f - -T list`.
fn dashed(args: &[Arg]) -> Cow<'_, [Arg]> {
    let Some((first, rest)) = args.split_first().filter(|(first, _)| !first.text.starts_with('-')) else {
        return Cow::Borrowed(args);
    };
    let valued = catalog::find("tar").map_or(["", ""], |row| [row.values, row.anywhere]);
    let mut rest = rest.iter();
    let mut words = Vec::new();
    for letter in first.text.chars() {
        words.push(Arg::from(format!("-{letter}")));
        if valued.iter().any(|list| catalog::has_letter(list, letter)) {
            words.extend(rest.next().cloned());
        }
    }
    words.extend(rest.cloned());
    Cow::Owned(words)
}

/// The arguments without this option, which may end a bundle: `curl -sK FILE`.
fn without(args: &[Arg], short: &str, long: &str) -> Option<Vec<Arg>> {
    let at = args.iter().position(|arg| {
        let text = arg.text.as_str();
        text.starts_with(short)
            || bundle_before(text, short).is_some()
            || text.strip_prefix(long).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })?;
    let text = args[at].text.as_str();
    let bundle = bundle_before(text, short).map(|letters| Arg::from(letters.to_owned()));
    let alone = bundle.is_some() || text == short || text == long;
    let rest = args.get(at + 1 + usize::from(alone)..).unwrap_or_default();
    Some(args[..at].iter().cloned().chain(bundle).chain(rest.iter().cloned()).collect())
}

/// A bundle of letters without the last one, if that is this option.
fn bundle_before<'t>(text: &'t str, short: &str) -> Option<&'t str> {
    let letters = text.strip_suffix(short.strip_prefix('-')?)?;
    let is_bundle = letters.len() > 1 && letters.starts_with('-') && !letters.starts_with("--");
    (is_bundle && letters[1..].bytes().all(|byte| byte.is_ascii_alphabetic())).then_some(letters)
}

/// A line of curl's settings as words: `form = "file=@x"` is `--form file=@x`.
fn setting(line: &str) -> Vec<Arg> {
    let end = line.find(|c: char| c.is_whitespace() || matches!(c, '=' | ':')).unwrap_or(line.len());
    let (name, value) = line.split_at(end);
    let value = value.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '=' | ':'));
    let value = value.strip_prefix('"').map_or(value, |value| value.split('"').next().unwrap_or(value));
    let name = if name.starts_with('-') { name.to_owned() } else { format!("--{name}") };
    let value = Some(value).filter(|value| !value.is_empty());
    std::iter::once(Arg::from(name)).chain(value.map(Arg::from)).collect()
}
