//! Mercurial, Subversion, Jujutsu, Perforce and friends.

use crate::calls::{Table, calls};
use crate::rule::{Rule, Severity, When};

/// What throws away work or history.
pub(super) static DISCARDS: Table = calls!(
    "
    hg sl chg rhg:
        strip|debugstrip|rollback
        update|up|checkout|co|goto -C|--clean
        revert|uncommit -a|--all
        revert -C|--no-backup
        revert .
        purge|clean !-p !--print
        prune|hide
    svn:
        revert !--help
        cleanup --remove-unversioned|--remove-ignored
        delete|del|remove|rm -m|--message
        delete|del|remove|rm --force
    jj:
        op|operation abandon
        util gc --expire=now
        git push --deleted|--all
    p4:
        revert !-n !-k
        obliterate -y
        clean !-n
        client|depot|branch|label -d
    fossil:
        revert
        clean -f|--force
        purge
        undo
    bzr brz:
        revert
        uncommit
        clean-tree --force
    darcs:
        obliterate|unpull|unrecord|revert
    repo:
        sync --force-sync
    cvs:
        update|up -C
        admin -o
    git hub yadm:
        clear|force-clone|delete-submodule
        undo -h|--hard
    git-clear git-force-clone git-delete-submodule:
        !--help
    cvs:
        release -d
    p4:
        sync -f
        change -d -f
"
);

/// What can be undone with some work.
pub(super) static RISKS: Table = calls!(
    "
    hg sl chg rhg:
        push -f|--force
        histedit
        shelve -d|--delete
        hide
        bookmark|bookmarks|book -d|--delete|-D
        phase -f|--force
        uncommit --no-keep
        cloud delete
    jj:
        abandon
        bookmark delete|forget
        workspace forget
        git remote remove
        restore
        op|operation restore
        git push --force|--allow-backwards
        bookmark|b|tag delete|d|forget|f
        bookmark|b set|s|move|m -B|--allow-backwards
        tag set|s --allow-move
        git push --allow-backwards
        discard
        --ignore-immutable
    gt:
        delete|del|dl -f|--force
        branch|b delete|dl
        submit|ss|s -f|--force
        abort|fold|pop
        undo -f|--force
        sync -f|--force
        repo init --reset
        delete -c|--close
    but:
        undo|restore|uncommit
        oplog restore
    git-branchless:
        hide|undo
    git hub yadm:
        hide|undo|clear-soft|delete-branch|delete-tag|delete-merged-branches|delete-squashed-branches|reset-file
        branchless hide|undo
        town delete|kill
        flow * delete -f|--force|-D|--force_delete|-r|--remote
        svn reset
        spice branch|stack|upstack|downstack delete
        spice repo sync --force
        machete delete-unmanaged
        lfs unlock --force
    git-town:
        delete|kill
    git-spice:
        branch|b|stack|s|upstack|us|downstack|ds delete|del|rm|d
        repo sync --force
    git-machete:
        delete-unmanaged
    git-delete-branch git-delete-tag git-delete-merged-branches git-clear-soft git-undo git-reset-file:
        !--help
"
);

pub(super) const DISCARD: Rule = Rule {
    id: "git.other-discard",
    severity: Severity::Destructive,
    when: When::calls(&DISCARDS),
    reason: "It throws away uncommitted work or history of the working copy.",
    instead: "Commit or shelve the changes first, and check them with the status command.",
    matches: "
        svn revert -R .
        hg strip tip
        hg update -C default
        hg revert --all
        p4 revert //...
        jj op abandon ..@-
    ",
    spares: "
        svn update
        svn status
        hg update default
        hg purge --print
        hg revert src/lib.rs
        jj undo
        p4 revert -n //...
    ",
};

pub(super) const RISK: Rule = Rule {
    id: "git.other-risk",
    severity: Severity::Risky,
    when: When::calls(&RISKS),
    reason: "It drops changes, or overwrites what others see.",
    instead: "Check the log first, and undo with `jj undo` if it went wrong.",
    matches: "
        jj abandon -r 'all()'
        jj bookmark delete main
        jj restore
        gt delete -f feature
        gt sync -f
        but oplog restore 4f2a
        git-branchless hide abc
        git hide abc
        git branchless undo
        hg push --force
    ",
    spares: "
        jj log
        jj squash
        git smartlog
        git branchless init
        gt delete feature
        gt submit
        hg push
    ",
};
