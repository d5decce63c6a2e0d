//! Where a path of Windows lies. Letters' case makes no difference there.

use shell::{Place, mark, path, windows};

use super::Zone;
use super::names::{is_generated_anywhere, is_generated_dot};
use super::place::relative_zone;
use crate::facts::Facts;
use crate::table::{Table, table};

/// Folders and files right below a drive without which Windows does not start, or that it manages itself.
static SYSTEM: Table = table!(
    "
    windows
    winnt
    program files
    program files (x86)
    progra~1
    progra~2
    system volume information
    recovery
    boot
    efi
    bootmgr
    bootnxt
    ntldr
    boot.ini
    pagefile.sys
    hiberfil.sys
    swapfile.sys
    $windows.~bt
    documents and settings
"
);

/// Folders for temporary files.
static TEMPORARY: Table = table!(
    "
    windows/temp
    temp
    tmp
"
);

/// Places in a home folder that are caches or temporary.
static CACHES: Table = table!(
    "
    appdata/local/temp
    appdata/local/npm-cache
    appdata/roaming/npm-cache
    appdata/local/pip
    appdata/local/nuget
    appdata/local/yarn
    appdata/local/pnpm
    appdata/local/pnpm-cache
    appdata/local/uv
    appdata/local/go-build
    appdata/local/crashdumps
    appdata/local/microsoft/windows/inetcache
    appdata/local/microsoft/vscode/cache
    .nuget/packages
    .cargo/registry
    .cargo/git
    .gradle/caches
    .m2/repository
    .cache
    .npm
    go/pkg/mod
"
);

/// Drives of PowerShell that hold no files.
const PROVIDERS: &str = "hklm: hkcu: hkcr: hku: hkcc: hkpd: env: function: alias: variable: cert: wsman: registry: ad: iis: sqlserver:";

/// `text` as a path with `/` and active patterns. Nothing for what is not a file: the registry, variables.
pub(super) fn readable(text: &str, cwd: &str) -> Option<String> {
    let path = windows::slashes(text);
    let lower = path.to_ascii_lowercase();
    let provider = |path: &str| PROVIDERS.split_ascii_whitespace().any(|drive| path.starts_with(drive));
    if provider(&lower)
        || lower.contains("registry::")
        // After `cd HKLM:`, relative paths are keys of the registry.
        || provider(&cwd.to_ascii_lowercase()) && !windows::has_drive(&path)
    {
        return None;
    }
    // The names of devices, such as `\\.\PhysicalDrive0`; rules about disks know them below /dev.
    if let Some(device) = path.strip_prefix("//./").or_else(|| path.strip_prefix("//?/")) {
        return Some(format!("/dev/{device}"));
    }
    if lower == "nul" || lower == "con" || lower == "$null" {
        return Some("/dev/null".to_owned());
    }
    // `//localhost/c$/x`: a drive of this machine by way of the network.
    if let Some(share) = lower.strip_prefix("//localhost/").or_else(|| lower.strip_prefix("//127.0.0.1/"))
        && share.get(1..2) == Some("$")
    {
        return Some(format!("{}:{}", &share[..1], &share[2..]));
    }
    // `\x` is on the drive of the current folder.
    let rooted = path.starts_with('/') && !path.starts_with("//") && windows::has_drive(cwd);
    let path = if rooted { format!("{}{path}", &cwd[..2]) } else { path };
    if !path.contains(['*', '?', '[']) {
        return Some(path);
    }
    Some(
        path.chars()
            .map(|c| match c {
                '*' => mark::STAR,
                '?' => mark::ANY,
                '[' => mark::CLASS,
                c => c,
            })
            .collect(),
    )
}

/// The zone of a path below a drive's root.
pub(super) fn zone_of(folder: &str, place: Place, facts: &Facts<'_>) -> Zone {
    let lower = folder.to_lowercase();
    let inside = lower.get(3..).unwrap_or("").trim_end_matches('/');
    if inside.is_empty() {
        return Zone::Root;
    }
    if place == Place::Here
        && let Some(worktree) = facts.worktree().filter(|worktree| windows::has_drive(worktree))
        && facts.home_folder() != Some(worktree)
    {
        let worktree = worktree.to_lowercase();
        // A folder around the working tree counts as the tree, unless it is a home folder, which is worse.
        if path::is_within(&worktree, &lower) && !inside.starts_with("users") {
            return Zone::Worktree;
        }
        if let Some(home) = facts.home_folder().map(str::to_lowercase)
            && path::is_within(&worktree, &lower)
            && !path::is_within(&home, &lower)
        {
            return Zone::Worktree;
        }
        // Compared in lower case: Windows does not tell `C:\Users` from `c:\users`.
        if path::is_within(&lower, &worktree) {
            return relative_zone(lower.get(worktree.len() + 1..).unwrap_or(""), false);
        }
    }
    if TEMPORARY.lines().any(|temporary| path::is_within(inside, temporary)) {
        return Zone::Temporary;
    }
    if let Some(zone) = home_zone(inside, &lower, facts) {
        return zone;
    }
    let first = inside.split('/').next().unwrap_or("");
    if SYSTEM.lines().any(|system| {
        system == first
            // `C:\Win*` means Windows; a shorter pattern fits too much to be sure.
            || first.contains(mark::is_glob) && first.len() > 5 && shell::pattern::matches(first, system)
    }) || inside == "programdata"
        || inside.starts_with("programdata/microsoft")
    {
        return Zone::System;
    }
    let generated =
        |part: &str| is_generated_anywhere(part) || is_generated_dot(part) || matches!(part, "bin" | "obj");
    if inside.split('/').skip(1).any(generated) { Zone::Generated } else { Zone::Elsewhere }
}

fn home_zone(inside: &str, lower: &str, facts: &Facts<'_>) -> Option<Zone> {
    let own = facts.home_folder().map(str::to_lowercase);
    let rest = if let Some(home) = own.as_deref().filter(|home| path::is_within(lower, home)) {
        lower.get(home.len()..).unwrap_or("").trim_start_matches('/')
    } else {
        let below = inside.strip_prefix("users").filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        let below = below.trim_start_matches('/');
        match below.split_once('/') {
            Some((_, rest)) => rest,
            // A whole folder below `Users` is someone's home.
            None => return Some(Zone::Home),
        }
    };
    if rest.is_empty() {
        return Some(Zone::Home);
    }
    if CACHES.lines().any(|cache| path::is_within(rest, cache)) {
        // A cache is made again by its program, so deleting it is as harmless as deleting what a build made.
        return Some(if rest.starts_with("appdata/local/temp") { Zone::Temporary } else { Zone::Generated });
    }
    if rest.starts_with('.') || rest.starts_with("appdata") || rest.starts_with("ntuser") {
        return Some(Zone::HomeSettings);
    }
    let generated = |part: &str| is_generated_anywhere(part) || is_generated_dot(part);
    Some(if rest.split('/').skip(1).any(generated) { Zone::Generated } else { Zone::HomeInside })
}

#[cfg(test)]
mod tests {
    use super::super::Target;
    use super::*;

    #[test]
    fn paths_of_windows_are_placed() {
        let facts = Facts::on_paper(Some(r"C:\Users\me\project"), Some(r"C:\Users\me"));
        for (text, zone) in [
            (r"C:\", Zone::Root),
            ("D:", Zone::Root),
            (r"C:\*", Zone::Root),
            (r"C:\Windows", Zone::System),
            (r"c:\windows\System32\drivers\etc\hosts", Zone::System),
            (r"C:\Program Files\App", Zone::System),
            (r"C:\Windows\Temp\x", Zone::Temporary),
            (r"C:\Users", Zone::Home),
            (r"C:\Users\other", Zone::Home),
            (r"C:\Users\me", Zone::Home),
            (r"..\..", Zone::Home),
            (r"C:\Users\me\Documents", Zone::HomeInside),
            (r"C:\Users\me\.ssh\id_rsa", Zone::HomeSettings),
            (r"C:\Users\me\AppData\Local\Temp\x", Zone::Temporary),
            (".", Zone::Worktree),
            (r".\src", Zone::Inside),
            (r"C:\users\ME\Project\bin", Zone::Generated),
            (".git", Zone::Repository),
            (r"C:\data", Zone::Elsewhere),
            (r"\data", Zone::Elsewhere),
            (r"D:\work\app\node_modules", Zone::Generated),
            (r"\\.\PhysicalDrive0", Zone::Device),
            (r"\\localhost\C$\Windows", Zone::System),
            ("nul", Zone::Sink),
            (r"HKLM:\SOFTWARE", Zone::Sink),
        ] {
            let cwd = "C:/Users/me/project";
            assert_eq!(Target::of_windows(text, cwd, Place::Here, &facts).zone, zone, "{text}");
        }
    }
}
