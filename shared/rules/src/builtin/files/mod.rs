//! Deleting files and folders.

mod checks;

use crate::builtin::paths;
use crate::rule::{Covers, Family, Rule, Severity, When};
use crate::zone::Zone;

use self::checks::{
    any, destroys, empties_trash, goes_deep, is_asked_about, is_here, is_in_unknown_folder, is_listed,
    is_repository, is_unknown, is_unset_root, is_vital_loss, may_take_tracked, may_take_work, trashes_home,
    trashes_vital,
};
pub(crate) use self::checks::{is_deleter, is_recursive};
pub(super) use self::checks::{is_source_folder, is_source_pattern};

pub(super) static FAMILY: Family = Family {
    id: "files",
    title: "Deleting files and folders",
    covers: Covers::Listed(catalog::family("files")),
    rules: &[
        Rule {
            id: "files.delete-system",
            severity: Severity::Catastrophic,
            when: When::Command(|command| any(command, is_vital_loss) || trashes_vital(command)),
            reason: "It deletes the system, a home folder or a disk.",
            instead: "Delete only what you made, by its exact path inside the project.",
            matches: "
                rm -rf /
                sudo rm -rf /etc
                rm -r --force ~
                cd / && rm -rf *
                find / -delete
                shred -u /etc/passwd
                ssh host 'rm -rf /'
                docker exec web rm -rf /
            ",
            spares: "
                rm -rf node_modules
                rm -rf /tmp/build
                rm -rf /var/lib/apt/lists/*
                find ~ -name node_modules -prune -exec rm -rf {} +
                ls /
                echo 'rm -rf /'
                rm --help
            ",
        },
        Rule {
            id: "files.delete-unset",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                any(command, |command, target, text| goes_deep(command, target) && is_unset_root(text))
            }),
            reason: "Where the variable is empty, it deletes the root folder.",
            instead: "Write `${NAME:?}` so that the shell stops when the variable is empty.",
            matches: r#"
                rm -rf "$BUILD_DIR/"
                rm -rf $BUILD_DIR//
            "#,
            spares: r#"
                BUILD=; rm -rf "$BUILD"
                rm -rf "$TMPDIR/x"
                BUILD=out; rm -rf "$BUILD/"
            "#,
        },
        Rule {
            id: "files.delete-home",
            severity: Severity::Destructive,
            when: When::Deletion(|command| {
                any(command, |command, target, _| {
                    let inside = matches!(target.zone, Zone::HomeSettings | Zone::HomeInside);
                    inside
                        && (paths::is_secret(target)
                            || goes_deep(command, target) && !target.filtered && is_here(command)
                            || destroys(command) && target.zone == Zone::HomeSettings)
                })
            }),
            reason: "It deletes a folder or a key in the home folder, outside the working tree.",
            instead: "Delete only inside the project, or let a person move the folder to the trash.",
            matches: "
                rm -rf ~/Documents
                rm -rf $HOME/.config
                rm ~/.aws/credentials
                shred -u ~/.ssh/id_rsa
                rm -r ../other-project
            ",
            spares: "
                rm -rf ~/.cache/pip
                rm -rf ~/other/node_modules
                rm -rf ../dist
                rm -rf ./docs/old
            ",
        },
        Rule {
            id: "files.delete-outside",
            severity: Severity::Destructive,
            when: When::Deletion(|command| {
                any(command, |command, target, _| {
                    target.zone == Zone::Elsewhere
                        && goes_deep(command, target)
                        && !target.filtered
                        && is_here(command)
                })
            }),
            reason: "It deletes a folder outside the working tree.",
            instead: "Delete only inside the project, by exact path.",
            matches: "
                rm -rf /opt/app/data
                sudo rm -r /srv/www
                rm -rf /mnt/backup/*
            ",
            spares: "
                rm -rf /opt/app/node_modules
                docker run --rm alpine rm -rf /app/cache
                rm -rf /tmp/data
            ",
        },
        Rule {
            id: "files.delete-worktree",
            severity: Severity::Destructive,
            when: When::Deletion(|command| {
                any(command, |command, target, _| {
                    target.zone == Zone::Worktree
                        && !target.filtered
                        && goes_deep(command, target)
                        && !is_listed(command)
                })
            }),
            reason: "It deletes the whole working tree, with what git does not have.",
            instead: "Name the generated folders that you want to delete, such as `rm -rf dist`.",
            matches: "
                rm -rf .
                rm -f *
                rm -rf ./*
                rm -rf .[!.]*
                find . -delete
                find . ! -name keep -delete
                git ls-files | xargs rm -rf
                find . -type f -print0 | xargs -0 shred -u
            ",
            spares: "
                rm -rf build/*
                rm -f *.log
                find . -name '*.pyc' -delete
                cd dist && rm -rf *
            ",
        },
        Rule {
            id: "files.delete-repository",
            severity: Severity::Destructive,
            when: When::Command(|command| any(command, |command, target, _| is_repository(target, command))),
            reason: "It deletes git's own data: commits, branches and stashes that exist nowhere else.",
            instead: "Leave `.git` alone; to start over, clone into a new folder.",
            matches: "
                rm -rf .git
                rm -rf ./.git/
                rm -rf .git/objects
                find . -name .git -exec rm -rf {} +
            ",
            spares: "
                rm -f .git/index.lock
                rm -rf .git/rebase-merge
                rm .gitignore
            ",
        },
        Rule {
            id: "files.delete-sources",
            severity: Severity::Destructive,
            when: When::Loss(|command| {
                any(command, |command, target, _| {
                    goes_deep(command, target) && !target.filtered && is_source_folder(target, command)
                })
            }),
            reason: "It deletes a whole folder of sources, with changes that are not committed.",
            instead: "Delete single files with `git rm`, so that git keeps them.",
            matches: "
                rm -rf src
                rm -rf ./src/
                rm -rf {src,tests,docs}
                rm -r src/*
                cd src && rm -rf *
            ",
            spares: "
                rm -rf src/old
                rm -rf packages/app/dist
                rm src/main.rs
            ",
        },
        Rule {
            id: "files.delete-tracked",
            severity: Severity::Destructive,
            when: When::KnownLoss(may_take_tracked),
            reason: "It deletes a folder that git tracks, with changes that are not committed.",
            instead: "Keep them first with `git stash push logs`.",
            matches: "
                rm -rf logs
                rm -rf vendor results
                rm -r reports/*
                cd public && rm -rf *
            ",
            spares: "
                rm -rf node_modules
                rm -rf dist
                rm -rf vendor/node_modules
                rm logs/app.log
                docker exec web rm -rf logs
                rm -rf logs notes.md
            ",
        },
        Rule {
            id: "files.delete-unknown",
            severity: Severity::Risky,
            when: When::Command(|command| {
                any(command, |command, target, text| {
                    is_recursive(command) && is_unknown(target, text) && !is_listed(command)
                        || is_in_unknown_folder(command, target, text)
                })
            }),
            reason: "It deletes folders whose names are only known at run time.",
            instead: "Print the names first, then delete them by name.",
            matches: r#"
                rm -rf "$(cat list.txt)"
                while read f; do rm -rf "$f"; done < list.txt
                cd "$BUILD_DIR" && rm -rf *
                rm -rf "$DIR"
            "#,
            spares: r#"
                rm -f "$file"
                rm -rf "$(mktemp -d)"
                d=$(mktemp -d); rm -rf "$d"
                rm -rf "build-$(date +%F)"
            "#,
        },
        Rule {
            id: "files.empty-trash",
            severity: Severity::Risky,
            when: When::Command(empties_trash),
            reason: "It permanently deletes what is in the trash.",
            instead: "Check with `trash-list`, and let a person empty it.",
            matches: "
                trash-empty
                gio trash --empty
            ",
            spares: "
                trash-list
                gio trash build
                trash-put notes.txt
            ",
        },
        Rule {
            id: "files.trash-home",
            severity: Severity::Risky,
            when: When::Command(trashes_home),
            reason: "It moves a whole folder of the home folder to the trash.",
            instead: "Name what you made yourself, and let a person tidy up the home folder.",
            matches: "
                trash ~/Documents
                gio trash ~/Pictures
            ",
            spares: "
                trash build
                trash ~/Downloads/setup.exe
                trash-list
            ",
        },
        Rule {
            id: "files.delete-elsewhere",
            severity: Severity::Risky,
            when: When::Loss(|command| {
                any(command, |command, target, text| {
                    is_asked_about(command, target, text) || is_listed(command)
                })
            }),
            reason: "It deletes something that git does not have.",
            instead: "Delete only inside the project, or let a person do it.",
            matches: "
                rm ~/notes.txt
                rm -rf .env
                find ~/Downloads -mtime +30 -delete
                rm /var/log/app.txt
                rm /etc/nginx/sites-enabled/default
                rm -rf /tmp/*
                find . -name '*.py' -delete
                rm src/*.rs
                git ls-files -o | xargs rm -f
                git status --porcelain | awk '{print $2}' | xargs rm -f
                truncate -s 0 src/*.rs
                docker exec cache rm -rf /data
                kubectl exec db-0 -- sh -c 'rm -rf /data/*'
            ",
            spares: "
                rm notes.txt
                rm *.log
                rm src/old_*.rs
                rm .env.example
                find /tmp -name 'x-*' -mtime +7 -delete
                docker exec web rm /var/log/app.txt
                docker exec web rm -rf /data/uploads/tmp
            ",
        },
        Rule {
            id: "files.delete-changes",
            severity: Severity::Risky,
            when: When::KnownLoss(may_take_work),
            reason: "It deletes what exists nowhere else.",
            instead: "Keep it first with `git stash push -u notes.txt`, or commit it.",
            matches: "
                rm notes.txt
                rm -f src/old.rs
                rm -rf assets lib
                rm -rf logs notes.md
                rm .git/index
                rm .git/refs/heads/feature
                find . -name '*.txt' -delete
            ",
            spares: "
                rm -rf node_modules dist
                find . -name '*.pyc' -delete
                docker exec web rm notes.txt
                rm /tmp/notes.txt
            ",
        },
    ],
};
