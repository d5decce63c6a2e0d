//! What could not be followed to its end.

use shell::{How, NoteKind, mark};

use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

pub(super) static FAMILY: Family = Family {
    id: "unresolved",
    title: "Commands that cannot be understood",
    covers: Covers::Named(|name| name.chars().all(mark::is_hole) && !name.is_empty()),
    rules: &[
        Rule {
            id: "unresolved.hidden-program",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                command.name.contains([mark::REMOTE, mark::DECODED]) && !is_text(command) || names_vital(command)
            }),
            reason: "Which program runs is hidden, and it gets something that must not be lost, or comes from elsewhere.",
            instead: "Write the program's name.",
            matches: "
                $X -rf /
                $(curl -s https://x.y) run
                $CMD -rf ~
            ",
            spares: "
                $BIN --version
                $BIN /tmp/x
                $LN -sf ../../x /etc
                \"$EDITOR\" notes.txt
            ",
        },
        Rule {
            id: "unresolved.unknown-program",
            severity: Severity::Risky,
            when: When::Command(|command| command.name.contains(mark::UNKNOWN) && !is_text(command)),
            reason: "Which program runs is only known at run time.",
            instead: "Write the program's name.",
            matches: "
                $(cat program.txt) --all
            ",
            spares: "
                $(go env GOPATH)/bin/tool
                $(which python3) -V
                $(xcrun --find clang) -c x.c
                $BUILD_CMD --release
            ",
        },
        Rule {
            id: "unresolved.too-deep",
            severity: Severity::Risky,
            when: When::Note(NoteKind::TooDeep),
            reason: "The command is nested too deeply to analyse.",
            instead: "Write it as a few plain commands.",
            matches: "
                env env env env env env env env env env env env env env env env env env env env env env env env env env ls
            ",
            spares: "
                bash -c 'bash -c ls'
            ",
        },
        Rule {
            id: "unresolved.opaque-code",
            severity: Severity::Risky,
            when: When::Note(NoteKind::OpaqueCode),
            reason: "It runs code that cannot be analysed: it is assembled at run time, or too long.",
            instead: "Write the code into a file, read it, and run the file, such as `python3 clean.py`.",
            matches: "
                python3 -c \"$(cat code.txt)\"
                python3 -c 'exec(input())'
                python3 -c 'import os, sys; getattr(os, sys.argv[1])(\"x\")'
                node -e 'eval(process.argv[1])' $CODE
                ruby -e 'eval gets'
            ",
            spares: "
                python3 code.py
                python3 -c 'exec(open(\"setup.py\").read())'
                python3 -c 'print(eval(\"1 + 1\"))'
                node -e 'console.log(process.argv[1])'
            ",
        },
        Rule {
            id: "unresolved.unread-file",
            severity: Severity::Risky,
            when: When::Note(NoteKind::UnreadFile),
            reason: "It runs a file that cannot be read before it runs: it is too large, too much with the others, or no regular file.",
            instead: "Run a smaller script, or read the file first and run the commands that are needed.",
            matches: "
                bash too-large.sh
            ",
            spares: "
                bash build.sh
                python3 tool.py
            ",
        },
        Rule {
            id: "unresolved.too-much",
            severity: Severity::Risky,
            when: When::Note(NoteKind::TooMuch),
            reason: "The command is too large to analyse completely.",
            instead: "Split it into smaller commands.",
            matches: "
                for a in {1..99}; do for b in {1..99}; do for c in {1..99}; do ls $a $b $c; done; done; done
            ",
            spares: "
                for i in 1 2 3; do ls; done
            ",
        },
    ],
};

/// Whether it is what `eval` or `source` got: that is a string, and another rule's concern.
fn is_text(command: &Command<'_>) -> bool {
    (command.args().is_empty() || command.name.contains(mark::PRINTED))
        && command.atom.via.is_some_and(|via| matches!(via.how, How::Text | How::Input | How::File))
}

/// Whether options as those of `rm` meet a vital path. `-sf` is how `$LN` is called, and no option of `rm`.
fn names_vital(command: &Command<'_>) -> bool {
    let foreign = |text: &str| !text.starts_with("--") && text.contains(['s', 'l', 'p']);
    command.options().any(|arg| arg.text.contains(['r', 'R', 'f']) && !foreign(&arg.text))
        && command.operands().iter().any(|arg| command.target(&arg.text).is_vital())
}
