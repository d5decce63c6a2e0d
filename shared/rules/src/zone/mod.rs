//! What a path is to its owner.

mod names;
mod place;
mod windows;

use shell::{Place, mark, path};

use crate::facts::Facts;
use names::is_generated_anywhere;
use place::zone_of;
pub(crate) use place::{is_generated, may_be_tracked, may_hold_work};

/// A path that a command touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Absolute as far as the text tells, with marks.
    pub path: String,
    /// Where it lies.
    pub zone: Zone,
    /// Whether it names everything in the folder rather than one thing: the folder itself, `folder/*`, or what
    /// a search without a filter goes through.
    pub whole: bool,
    /// Whether something narrows a search below it: `find . -name '*.pyc' -delete`, but not `find . -delete`.
    pub filtered: bool,
    /// How much of the path is the user's home folder, wherever that lies; 0 where it is not below it.
    home: usize,
}

/// Where a path lies, from the most to the least important.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// The root folder, everything in it, or a pattern that matches it.
    Root,
    /// A folder of the operating system, or below one.
    System,
    /// A block device.
    Device,
    /// A home folder, or the folder of all home folders.
    Home,
    /// Settings, keys and shell profiles in a home folder.
    HomeSettings,
    /// Other things in the home folder, outside the working tree.
    HomeInside,
    /// The working tree's root, or a folder that holds it.
    Worktree,
    /// git's own folder in the working tree.
    Repository,
    /// Something in the working tree.
    Inside,
    /// Something in the working tree, or a cache elsewhere, that a tool makes again.
    Generated,
    /// Below a folder for temporary files.
    Temporary,
    /// Any other place.
    Elsewhere,
    /// A sink such as `/dev/null`.
    Sink,
    /// Only known at run time.
    Unknown,
}

impl Target {
    /// Places `text` as a command of PowerShell or cmd in the folder `cwd` would.
    pub(crate) fn of_windows(text: &str, cwd: &str, place: Place, facts: &Facts<'_>) -> Self {
        let Some(path) = windows::readable(text, cwd) else {
            return Self { path: text.to_owned(), zone: Zone::Sink, whole: false, filtered: false, home: 0 };
        };
        Self::of(&path, cwd, place, facts)
    }

    /// Places `text` as a command in the folder `cwd` would.
    pub fn of(text: &str, cwd: &str, place: Place, facts: &Facts<'_>) -> Self {
        let home = facts.home_folder().filter(|_| place == Place::Here);
        // Git Bash and Windows' own programs take `C:\x` as well.
        let slashed =
            (text.contains('\\') && shell::windows::has_drive(text)).then(|| shell::windows::slashes(text));
        let text = slashed.as_deref().unwrap_or(text);
        let mut full = path::join(cwd, text);
        if let (Some(rest), Some(home)) = (full.strip_prefix('~'), home)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            full = format!("{home}{rest}");
        }
        // `/proc/self/root` is another name of the root.
        if let Some((_, rest)) = full.strip_prefix("/proc/").and_then(|process| process.split_once("/root"))
            && (rest.is_empty() || rest.starts_with('/'))
        {
            full = if rest.is_empty() { "/".to_owned() } else { rest.to_owned() };
        }
        let target = Self::placed(&full, text, place, facts);
        // A link may lead to a place that matters more. `rm link` takes the link, `rm -r link/` what it leads to.
        let leads = !mark::any(&full) && place == Place::Here;
        if leads
            && let Some(real) = facts.real_path(if text.ends_with('/') { &full } else { parent_of(&full) })
        {
            let real = if text.ends_with('/') { real } else { path::join(&real, path::file_name(&full)) };
            if real != full {
                let followed = Self::placed(&real, text, place, facts);
                if followed.zone.weight() > target.zone.weight() {
                    return followed;
                }
            }
        }
        target
    }

    fn placed(full: &str, text: &str, place: Place, facts: &Facts<'_>) -> Self {
        let (folder, whole, filtered) = folder_and_reach(full);
        let mut zone = zone_of(folder, whole, text, place, facts);
        // `../dist` from one package to the next: a relative path stays in what someone works on.
        let relative = matches!(zone, Zone::HomeInside | Zone::Elsewhere) && text.starts_with("../");
        if relative && is_generated_anywhere(path::file_name(folder)) {
            zone = Zone::Generated;
        }
        let home = facts.home_folder().filter(|home| place == Place::Here && *home != "/");
        let home = home.filter(|home| path::is_within(full, home)).map_or(0, str::len);
        Self { path: full.to_owned(), zone, whole, filtered, home }
    }

    /// The part below someone's home folder.
    pub(crate) fn in_home(&self) -> Option<&str> {
        self.below_home(&self.path)
    }

    /// The same of this path, or of a folder that it is in.
    pub(crate) fn below_home<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.home {
            0 => in_home(path),
            home => path.get(home..)?.strip_prefix('/'),
        }
    }

    /// Whether losing it, with everything below, is a catastrophe: the system, a home folder, a disk.
    pub(crate) fn is_vital(&self) -> bool {
        matches!(self.zone, Zone::Root | Zone::System | Zone::Device | Zone::Home)
    }

    /// Whether losing it is worse than losing `other`.
    pub(crate) fn outweighs(&self, other: &Self) -> bool {
        self.zone.weight() > other.zone.weight()
    }

    /// The folder that is meant as a whole, without the pattern at the path's end; else the path itself.
    pub fn folder(&self) -> &str {
        folder_and_reach(&self.path).0
    }

    /// The path seen from the working tree, for what lies in it.
    pub fn inside<'t>(&'t self, facts: &Facts<'_>) -> Option<&'t str> {
        match facts.worktree() {
            Some(worktree) => self.path.strip_prefix(worktree)?.strip_prefix('/'),
            None => Some(&self.path),
        }
    }

    /// The last part of the path.
    pub fn file_name(&self) -> &str {
        path::file_name(&self.path)
    }
}

impl Zone {
    /// How much it matters, for choosing between two readings of a path.
    fn weight(self) -> u8 {
        match self {
            Self::Root => 10,
            Self::System | Self::Device => 9,
            Self::Home => 8,
            Self::HomeSettings => 7,
            Self::Worktree | Self::Repository => 6,
            Self::HomeInside | Self::Elsewhere => 5,
            // What is not known weighs more than a file of the project, whose loss git may undo, and less
            // than any place that is known to matter.
            Self::Unknown => 3,
            Self::Inside => 2,
            Self::Generated | Self::Temporary | Self::Sink => 1,
        }
    }
}

fn parent_of(full: &str) -> &str {
    match full.rfind('/') {
        Some(0) | None => "/",
        Some(slash) => &full[..slash],
    }
}

/// The part of a path below someone's home folder.
pub(crate) fn in_home(path: &str) -> Option<&str> {
    if let Some(inside) = path.strip_prefix("~/").or_else(|| path.strip_prefix("/root/")) {
        return Some(inside);
    }
    if path.starts_with('~') {
        return path.split_once('/').map(|(_, inside)| inside);
    }
    let drive = path.get(2..).filter(|_| shell::windows::has_drive(path));
    let rest = path
        .strip_prefix("/home/")
        .or_else(|| path.strip_prefix("/Users/"))
        .or_else(|| drive?.strip_prefix("/Users/").or_else(|| drive?.strip_prefix("/users/")))?;
    rest.split_once('/').map(|(_, inside)| inside)
}

/// Takes the pattern or the search at the end of a path away: the folder, whether all of it is meant, and
/// whether a filter narrows it.
fn folder_and_reach(full: &str) -> (&str, bool, bool) {
    if !mark::any(full) {
        return (full, false, false);
    }
    if let Some(at) = full.find(mark::ENTRY) {
        let folder = if at <= 1 { "/" } else { full[..at].trim_end_matches('/') };
        let rest = &full[at + mark::ENTRY.len_utf8()..];
        // What lies below is everything, however often that is said: `for folder, … in os.walk(x): … for name in names`.
        return (folder, true, rest.chars().any(|c| !matches!(c, '/' | mark::ENTRY)));
    }
    let name = path::file_name(full);
    // `*`, `*.*`, `.*`, `.[!.]*`, `{,.}*`: everything, or all hidden things.
    let everything = name.starts_with(mark::STAR) && name.chars().all(|c| c == mark::STAR || c == '.')
        || name.starts_with('.')
            && name.chars().skip(1).all(|c| mark::is_glob(c) || "[!.]^".contains(c))
            && name.len() > 2
        || name.ends_with(mark::STAR) && name.starts_with(mark::CLASS);
    if everything && name.contains(mark::is_glob) {
        let parent = parent_of(full);
        let parent =
            if full.starts_with('/') { parent } else { full.trim_end_matches(name).trim_end_matches('/') };
        // `**/*`: everything in everything.
        let parent = match path::file_name(parent) {
            above if !above.is_empty() && above.chars().all(|c| c == mark::STAR) => {
                folder_and_reach(parent).0
            }
            _ => parent,
        };
        return (parent, true, false);
    }
    (full, false, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_is_one_wherever_it_lies() {
        for (home, text, zone) in [
            ("/tmp/me", "/tmp/me/Documents", Zone::HomeInside),
            ("/tmp/me", "/tmp/me/.ssh", Zone::HomeSettings),
            ("/tmp/me", "/tmp/me", Zone::Home),
            ("/tmp/me", "/tmp/mean", Zone::Temporary),
            ("/tmp/me", "/tmp/me/.cache/x", Zone::Generated),
            ("/tmp", "/tmp/x", Zone::Temporary),
            ("/", "/tmp/x", Zone::Temporary),
        ] {
            let facts = Facts::on_paper(Some("/srv/project"), Some(home));
            assert_eq!(Target::of(text, "/srv/project", Place::Here, &facts).zone, zone, "{home} {text}");
        }
    }

    #[test]
    fn paths_are_placed() {
        let facts = Facts::on_paper(Some("/home/user/project"), Some("/home/user"));
        let cases = [
            ("/", Zone::Root),
            ("//", Zone::Root),
            ("/tmp/..", Zone::Root),
            ("/proc/self/root", Zone::Root),
            ("/proc/1/root/etc/x", Zone::System),
            ("/etc", Zone::System),
            ("/usr/lib/x", Zone::System),
            ("/dev/sda", Zone::Device),
            ("/dev/null", Zone::Sink),
            ("~", Zone::Home),
            ("/home/other", Zone::Home),
            ("/home", Zone::Home),
            ("~/.ssh/id_rsa", Zone::HomeSettings),
            ("~/.cache/x", Zone::Generated),
            ("~/Documents", Zone::HomeInside),
            (".", Zone::Worktree),
            ("src/..", Zone::Worktree),
            ("../..", Zone::Home),
            ("..", Zone::Home),
            (".git", Zone::Repository),
            ("src", Zone::Inside),
            ("node_modules", Zone::Generated),
            ("packages/a/dist", Zone::Generated),
            ("/tmp/x", Zone::Temporary),
            ("/opt/app", Zone::Elsewhere),
        ];
        for (text, zone) in cases {
            let full =
                if text.starts_with('~') { text.replacen('~', "/home/user", 1) } else { text.to_owned() };
            assert_eq!(Target::of(&full, "/home/user/project", Place::Here, &facts).zone, zone, "{text}");
        }
    }

    #[test]
    fn a_project_in_a_folder_of_the_system_is_what_that_is() {
        let facts = Facts::on_paper(Some("/usr/src/x"), Some("/home/user"));
        for (text, zone) in
            [(".", Zone::System), ("..", Zone::System), ("build", Zone::Generated), ("a", Zone::Inside)]
        {
            assert_eq!(Target::of(text, "/usr/src/x", Place::Here, &facts).zone, zone, "{text}");
        }
    }

    #[test]
    fn patterns_name_everything() {
        let facts = Facts::on_paper(Some("/work/project"), Some("/home/user"));
        let star = mark::STAR;
        let target = |text: &str| Target::of(text, "/work/project", Place::Here, &facts);
        assert_eq!(target(&format!("/{star}")).zone, Zone::Root);
        assert!(target(&format!("./{star}")).whole);
        assert_eq!(target(&format!("./{star}")).zone, Zone::Worktree);
        assert_eq!(target(&format!("{}/{star}", mark::UNSET)).zone, Zone::Root);
        assert_eq!(target(&format!("{}/", mark::UNSET)).zone, Zone::Unknown);
        assert_eq!(target(&format!("{}/x", mark::UNKNOWN)).zone, Zone::Inside);
    }
}
