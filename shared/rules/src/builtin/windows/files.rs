//! Files on Windows: writing over the system, moving it away, mirroring, attributes and permissions.

use shell::{Flow, Language};

use crate::builtin::files::is_source_pattern;
use crate::builtin::writes::{Way, Write, writes};
use crate::calls::windows::{has, holds, plain};
use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};
use crate::zone::{Target, Zone};

pub(in crate::builtin) static FAMILY: Family = Family {
    id: "windows-files",
    title: "Files on Windows: overwriting, mirroring, owners",
    // A redirection may follow any program; rules look at the shell first.
    covers: Covers::Every,
    rules: &[
        Rule {
            id: "windows-files.move-away",
            severity: Severity::Catastrophic,
            when: When::Command(moves_away),
            reason: "It moves or renames what Windows, an account or the repository needs.",
            instead: "Move only files of the project, by name.",
            matches: r"
                C:\> move C:\Windows C:\x
                C:\> ren C:\Windows\System32\ntdll.dll x.dll
                PS> Move-Item C:\Users\alice D:\old
                PS> Rename-Item -Path C:\Windows -NewName Old
                PS> mi .git ..\x
            ",
            spares: r"
                C:\> move a.txt b.txt
                PS> Move-Item .\dist .\public -Force
                PS> Rename-Item a.txt b.txt
            ",
        },
        Rule {
            id: "windows-files.write-system",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                on_windows(command)
                    && writes_any(command, |write| {
                        write.way != Way::Append
                            && write.target.zone == Zone::System
                            && is_drive_path(&write.target)
                    })
            }),
            reason: "It overwrites a file of Windows or of an installed program.",
            instead: "Write inside the project, and let a person change system files.",
            matches: r"
                PS> Set-Content -Path C:\Windows\System32\drivers\etc\hosts -Value ''
                PS> 'x' | Out-File $env:SystemRoot\win.ini
                PS> Copy-Item evil.dll C:\Windows\System32\
                PS> [IO.File]::WriteAllText('C:\Windows\System32\drivers\etc\hosts', '')
                C:\> echo x > C:\Windows\System32\drivers\etc\hosts
                C:\> copy evil.dll %SystemRoot%\System32
            ",
            spares: r"
                PS> Set-Content .\out.txt 'x'
                PS> Get-Content C:\Windows\win.ini
                C:\> type C:\Windows\System32\drivers\etc\hosts
                PS> 'x' | Out-File C:\Windows\Temp\x.log
            ",
        },
        Rule {
            id: "windows-files.mirror",
            severity: Severity::Destructive,
            when: When::Command(|command| {
                mirrors(command, |zone| {
                    matches!(
                        zone,
                        Zone::Root | Zone::System | Zone::Home | Zone::HomeSettings | Zone::Worktree
                    )
                })
            }),
            reason: "It deletes everything in the second folder that the first one does not have.",
            instead: "Copy without `/MIR`, and check the list first with `/L`.",
            matches: r"
                C:\> robocopy empty C:\Users /MIR
                C:\> robocopy C:\empty . /purge
                PS> robocopy empty C:\ /mir
            ",
            spares: r"
                C:\> robocopy src dist /MIR
                C:\> robocopy empty C:\Users /MIR /L
                C:\> robocopy a b /E
            ",
        },
        Rule {
            id: "windows-files.owners",
            severity: Severity::Destructive,
            when: When::Command(|command| changes_owners(command, is_vital)),
            reason: "It changes who owns or may change the system, a drive or a home folder.",
            instead: "Change permissions of single files in the project.",
            matches: r"
                C:\> takeown /f C:\ /r /d y
                C:\> icacls C:\Windows /grant Everyone:F /T
                C:\> cacls C:\ /t /e /g everyone:f
                C:\> attrib -r -s -h C:\*.* /s /d
                PS> Get-Acl x | Set-Acl -Path C:\Windows
                PS> icacls $env:SystemDrive\ /reset /t
            ",
            spares: r"
                C:\> icacls C:\Windows
                C:\> attrib +r build\x.txt
                C:\> takeown /f build /r
                PS> Get-Acl C:\Windows
            ",
        },
        Rule {
            id: "windows-files.mirror-elsewhere",
            severity: Severity::Risky,
            when: When::Command(|command| {
                mirrors(command, |zone| matches!(zone, Zone::Elsewhere | Zone::HomeInside | Zone::Unknown))
            }),
            reason: "It deletes everything in a folder outside the project that the first one does not have.",
            instead: "Copy without `/MIR`, and check the list first with `/L`.",
            matches: r"
                C:\> robocopy C:\empty C:\data /PURGE
                C:\> robocopy dist \\server\www /MIR
            ",
            spares: r"
                C:\> robocopy dist C:\deploy /E
            ",
        },
        Rule {
            id: "windows-files.open-to-all",
            severity: Severity::Risky,
            when: When::Command(|command| {
                changes_owners(command, |target| {
                    matches!(target.zone, Zone::Elsewhere | Zone::HomeInside | Zone::HomeSettings)
                }) || command.is(&["icacls"]) && !command.only_shows() && opens_to_all(command)
            }),
            reason: "It changes who may read or change files, possibly for everyone.",
            instead: "Grant one account what it needs, on one folder.",
            matches: r"
                C:\> icacls data /grant Everyone:(OI)(CI)F /T
                C:\> takeown /f D:\shares /r /d y
            ",
            spares: r"
                C:\> icacls data /grant alice:R
                C:\> icacls data
            ",
        },
        Rule {
            id: "windows-files.empty",
            severity: Severity::Risky,
            when: When::Command(|command| on_windows(command) && empties(command)),
            reason: "It empties a file outside the project.",
            instead: "Change only files of the project.",
            matches: r"
                PS> Clear-Content C:\important.txt
                PS> Set-Content D:\data\x.txt -Value ''
                PS> $null > C:\data\x.txt
                C:\> copy nul C:\important.txt
                C:\> echo. > C:\important.txt
                C:\> type nul > C:\important.txt
            ",
            spares: r"
                PS> Clear-Content .\build\x.log
                C:\> type nul > empty.txt
                PS> Get-Date | Out-File C:\data\now.txt
            ",
        },
        Rule {
            id: "windows-files.change-system",
            severity: Severity::Risky,
            when: When::Command(|command| {
                on_windows(command)
                    && writes_any(command, |write| {
                        write.target.zone == Zone::System && is_drive_path(&write.target)
                            || is_startup(&write.target.path)
                    })
            }),
            reason: "It changes a file of Windows, or one that runs by itself.",
            instead: "Let a person change files of the system.",
            matches: r"
                PS> Add-Content C:\Windows\System32\drivers\etc\hosts '127.0.0.1 x'
                C:\> echo 127.0.0.1 x >> C:\Windows\System32\drivers\etc\hosts
                PS> Add-Content $PROFILE 'Set-Alias k kubectl'
            ",
            spares: r"
                PS> Add-Content notes.txt 'x'
                PS> Test-Path $PROFILE
            ",
        },
    ],
};

fn on_windows(command: &Command<'_>) -> bool {
    command.atom.shell != Language::Posix && !command.only_shows()
}

fn writes_any(command: &Command<'_>, matches: fn(&Write) -> bool) -> bool {
    writes(command).iter().any(matches)
}

fn is_drive_path(target: &Target) -> bool {
    shell::windows::has_drive(&target.path)
}

fn is_vital(target: &Target) -> bool {
    matches!(target.zone, Zone::Root | Zone::System | Zone::Home)
}

/// Files that run at the next start of a shell or session.
fn is_startup(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.contains("/start menu/programs/startup/")
        || path.ends_with("_profile.ps1")
        || path.ends_with("/profile.ps1")
}

fn moves_away(command: &Command<'_>) -> bool {
    let vital = |text: &str| {
        let target = command.target(text);
        matches!(target.zone, Zone::Root | Zone::Home)
            // `/etc` and its like on a Windows shell are some folder of the current drive.
            || target.zone == Zone::System && is_drive_path(&target)
            // What is in it is gone for git, although no file is lost.
            || target.zone == Zone::Repository && target.file_name() == ".git"
    };
    match (&*command.name, command.atom.shell) {
        ("move" | "ren", Language::Cmd) => on_windows(command) && plain(command).next().is_some_and(vital),
        ("Move-Item" | "Rename-Item", _) => {
            !command.only_shows()
                && ["Path", "LiteralPath"]
                    .into_iter()
                    .flat_map(|name| command.parameter(name))
                    .any(|arg| vital(&arg.text))
        }
        _ => false,
    }
}

fn mirrors(command: &Command<'_>, lossy: fn(Zone) -> bool) -> bool {
    command.is(&["robocopy"])
        && (has(command, "/MIR") || has(command, "/PURGE"))
        // `/L` only lists.
        && !has(command, "/L")
        // Only the second folder loses files.
        && plain(command).nth(1).is_some_and(|to| lossy(shown(command, to).zone))
}

/// Where a path lies for a program of Windows, whatever shell starts it.
fn shown(command: &Command<'_>, text: &str) -> Target {
    if command.atom.shell == Language::Posix {
        return command.target(&shell::windows::slashes(text));
    }
    command.target(text)
}

fn changes_owners(command: &Command<'_>, matters: fn(&Target) -> bool) -> bool {
    if command.only_shows() {
        return false;
    }
    let any = |given: &[&str]| given.iter().any(|switch| has(command, switch));
    let paths: Vec<&str> = match &*command.name {
        "takeown" => {
            let args = command.args();
            // It names its file by this switch only.
            let at = args.iter().position(|arg| arg.text.eq_ignore_ascii_case("/f"));
            at.and_then(|at| args.get(at + 1)).map(|arg| arg.text.as_str()).into_iter().collect()
        }
        "icacls"
            if any(&[
                "/grant",
                "/deny",
                "/reset",
                "/setowner",
                "/remove",
                "/inheritance",
                "/restore",
                "/grant:r",
                "/setintegritylevel",
            ]) =>
        {
            plain(command).take(1).collect()
        }
        // The words after the first are accounts and rights.
        "cacls" | "xcacls" if any(&["/g", "/d", "/p", "/r", "/s"]) => plain(command).take(1).collect(),
        // Single files with another attribute are everyday work.
        "attrib" if has(command, "/s") => {
            plain(command).filter(|text| !text.starts_with(['+', '-'])).collect()
        }
        "Set-Acl" => command
            .parameter("Path")
            .chain(command.parameter("LiteralPath"))
            .map(|arg| arg.text.as_str())
            .collect(),
        _ => return false,
    };
    paths.iter().any(|path| matters(&shown(command, path)))
}

fn opens_to_all(command: &Command<'_>) -> bool {
    has(command, "/grant")
        && command.args().iter().any(|arg| {
            // Windows in other languages has other names for the group; its number is the same in all.
            ["everyone:", "*s-1-1-0:", "jeder:", "users:"].iter().any(|who| holds(&arg.text, who))
                && (arg.text.contains(":F")
                    || arg.text.contains(")F")
                    || arg.text.contains("(F)")
                    // F is full control and M modify; to let everyone read is not this rule's matter.
                    || arg.text.contains(":M"))
        })
}

fn empties(command: &Command<'_>) -> bool {
    let outside =
        |zone: Zone| matches!(zone, Zone::Elsewhere | Zone::HomeInside | Zone::HomeSettings | Zone::Root);
    let name = &*command.name;
    let nothing = match name {
        "Clear-Content" => true,
        "Set-Content" => command.parameter("Value").any(|arg| arg.text.is_empty()),
        "copy" => plain(command).next().is_some_and(|from| from.eq_ignore_ascii_case("nul")),
        "type" => plain(command).next().is_some_and(|from| from.eq_ignore_ascii_case("nul")),
        "echo" => command.args().iter().all(|arg| matches!(arg.text.as_str(), "" | ".")),
        // A redirection without a command: `$null > file`, `> file`.
        "" => true,
        _ => false,
    };
    let redirected = command.atom.redirects.iter().any(|redirect| redirect.flow == Flow::Write);
    nothing
        // These three write nothing by themselves.
        && (redirected || !matches!(name, "" | "echo" | "type"))
        && writes(command).iter().any(|write| {
            (outside(write.target.zone) || is_source_pattern(write.target.file_name())) && write.way != Way::Append
        })
}
