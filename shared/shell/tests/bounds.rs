//! No text makes the analysis slow, wrong or dead. What counts is the work done, never the time: how many atoms
//! there are, and how much text they hold.
//!
//! The stack is that of a main thread on Windows, the smallest of those on which a hook runs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use shell::{Analysis, NoteKind, Surroundings, analyze};

/// The stack of a main thread on Windows.
const STACK: usize = 1024 * 1024;
/// Levels of nesting, and bytes of long commands.
const DEEP: usize = 10_000;
const LONG: usize = 100_000;

/// What an analysis came to.
#[derive(Debug)]
struct Outcome {
    atoms: usize,
    /// Bytes in arguments, redirections and assignments of all atoms.
    text: usize,
    notes: Vec<NoteKind>,
    /// The programs of the last atoms.
    last: Vec<String>,
}

/// Analyses `text` on a small stack.
fn outcome(text: &str) -> Outcome {
    std::thread::scope(|scope| {
        let run = || {
            let analysis = analyze(
                text,
                Surroundings { cwd: Some("/home/user/p"), home: Some("/home/user"), disk: None },
            );
            summary(&analysis)
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).unwrap();
        thread.join().expect("the analysis lives")
    })
}

fn summary(analysis: &Analysis) -> Outcome {
    let mut text = 0;
    for atom in &analysis.atoms {
        text += atom.args.iter().map(|arg| arg.text.len()).sum::<usize>();
        text += atom.redirects.iter().map(|redirect| redirect.target.len()).sum::<usize>();
        text += atom.assigns.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
    }
    let last = analysis.atoms.iter().rev().take(3).map(|atom| atom.program().into_owned()).collect();
    Outcome {
        atoms: analysis.atoms.len(),
        text,
        notes: analysis.notes.iter().map(|note| note.kind).collect(),
        last,
    }
}

/// Analyses `text` and checks that the answer is in proportion to it.
fn bounded(text: &str) -> Outcome {
    let outcome = outcome(text);
    let name: String = text.chars().take(60).collect();
    assert!(outcome.atoms <= text.len() + 1_000, "{name}: {} atoms", outcome.atoms);
    let most = 32 * text.len() + 4 * 1024 * 1024;
    assert!(outcome.text <= most, "{name}: {} bytes of atoms for {} of text", outcome.text, text.len());
    outcome
}

#[test]
fn every_span_lies_in_the_text() {
    // Strings inside a value, such as an index that runs a command, have no place of their own in the command.
    for text in
        ["a=!([$(", "local '$(['", "local 'x[$(rm a)]'", "PS4='$(rm x)' bash -x", "PAGER='rm x' git log"]
    {
        let analysis = analyze(text, Surroundings::default());
        let atoms = analysis.atoms.iter().map(|atom| atom.span);
        for span in atoms.chain(analysis.notes.iter().map(|note| note.span)) {
            assert!(text.get(span.range()).is_some(), "{span:?} of {text}");
        }
    }
}

#[test]
fn long_commands_are_read_to_the_end() {
    for piece in
        ["ls;", "ls\n", "ls&&", "ls|", "a=b;", "ls a 'b c' \"d\" $e;", "# c\n", "ls>f;", "(ls);", "{ ls;};"]
    {
        let text = piece.repeat(LONG / piece.len()) + "rm x";
        let outcome = bounded(&text);
        assert_eq!(outcome.notes, [], "{piece}");
        assert_eq!(outcome.last.first().map(String::as_str), Some("rm"), "{piece}");
    }
    let one_word = format!("rm {}", "x".repeat(LONG));
    assert_eq!(bounded(&one_word).atoms, 1);
    let many_words = format!("rm {}", "x ".repeat(LONG / 2));
    assert_eq!(bounded(&many_words).atoms, 1);
}

/// Openings that nest, and what closes them.
const NESTS: &[(&str, &str)] = &[
    ("$(", ")"),
    ("\"$(", ")\""),
    ("{ ", ";}"),
    ("(", ")"),
    ("((", "))"),
    ("$((", "))"),
    ("$[", "]"),
    ("if ", "; then :; fi"),
    ("if :; then ", "; fi"),
    ("if :; then :; elif ", "; then :; fi"),
    ("if :; then :; else ", "; fi"),
    ("${a:-", "}"),
    ("${a[", "]}"),
    ("${a/", "}"),
    ("\"${a:-", "}\""),
    ("`", "`"),
    ("\\`", "\\`"),
    ("<(", ")"),
    (">(", ")"),
    ("case x in x) ", ";; esac"),
    ("case $(", ") in x) :;; esac"),
    ("while ", "; do :; done"),
    ("while :; do ", "; done"),
    ("until ", "; do :; done"),
    ("for i in $(", "); do :; done"),
    ("for i in a; do ", "; done"),
    ("for ((", ";;)); do :; done"),
    ("select i in a; do ", "; done"),
    ("function f { ", ";}"),
    ("f() { ", ";}"),
    ("f() ( ", ")"),
    ("[[ ", " ]]"),
    ("[[ ( ", " ) ]]"),
    ("a=(", ")"),
    ("a=($(", "))"),
    ("coproc ", ""),
    ("! ", ""),
    ("time ", ""),
    ("eval ", ""),
    ("sudo ", ""),
    ("xargs ", ""),
    ("{a,", "}"),
    ("{", "}"),
    ("@(", ")"),
    ("bash <<E\n", "\nE\n"),
    ("<<E$(", ")"),
    ("cat <<E\n$(", "\n)\nE\n"),
    ("\"", ""),
    ("'", ""),
    ("$'", ""),
    ("$\"", ""),
    ("\\", ""),
    ("~", ""),
    ("<<", ""),
    ("<<< ", ""),
    (">", ""),
    ("&", ""),
    ("|", ""),
    (";;", ""),
    (")", ""),
    ("}", ""),
    ("]]", ""),
    ("fi ", ""),
    ("do ", ""),
    ("esac;", ""),
    ("#", ""),
    ("$", ""),
    ("${", ""),
    ("${!", ""),
    ("${#", ""),
    ("*", ""),
    ("[", ""),
    ("\r\n", ""),
    ("\u{a0}", ""),
    ("é", ""),
];

#[test]
fn deep_nesting_ends_in_an_answer() {
    for (open, close) in NESTS {
        for closed in [true, false] {
            let middle = if closed { format!("rm x{}", close.repeat(DEEP)) } else { "rm x".to_owned() };
            bounded(&(open.repeat(DEEP) + &middle));
            bounded(&("echo ".to_owned() + &open.repeat(DEEP) + &middle));
        }
    }
}

#[test]
fn what_is_too_deep_is_said() {
    for (open, close) in NESTS.iter().filter(|(_, close)| !close.is_empty()) {
        // These nest only as text does.
        if [
            "(",
            "((",
            "$((",
            "for ((",
            "[[ ",
            "[[ ( ",
            "a=(",
            "${a[",
            "{a,",
            "{",
            "@(",
            "`",
            "\\`",
            "bash <<E\n",
        ]
        .contains(open)
        {
            continue;
        }
        let text = open.repeat(DEEP) + "rm x" + &close.repeat(DEEP);
        let outcome = bounded(&text);
        assert!(!outcome.notes.is_empty(), "{open}: nothing was said about {DEEP} levels");
    }
}

#[test]
fn openings_of_different_kinds_nest_as_well() {
    let mut text = String::new();
    for turn in 0..DEEP {
        text.push_str(NESTS[(turn * 7) % NESTS.len()].0);
    }
    bounded(&text);
    let mut text = String::new();
    for turn in 0..DEEP {
        text.push_str(NESTS[(turn * 31 + turn / 5) % NESTS.len()].0);
    }
    bounded(&text);
}

/// A command whose work would grow out of all proportion, with the note that says so.
#[test]
fn bombs_are_defused() {
    let doubling: String = "x=$x$x;".repeat(200);
    let fives = "{1..5}".repeat(20);
    let loops = "for i in {1..64}; do ".repeat(10) + "rm $i; " + &"done; ".repeat(10);
    let pipes = format!("cat <<E {}\n{}\nE\n", "| cat ".repeat(5_000), "x".repeat(50_000));
    let names: String = (0..8_000).map(|number| format!("a{number}=b;")).collect();
    let functions: String = (0..8_000).map(|number| format!("f{number}() {{ g; }};")).collect();
    let folders = "cd aaaaaaaa;".repeat(8_000);
    let longest = "a".repeat(30_000);
    let bombs: &[String] = &[
        format!("x=aaaaaaaa; {doubling} rm \"$x\""),
        format!("x=a; {} rm $x", "x+=$x;".repeat(200)),
        format!("a=(1 2); {} rm \"${{a[@]}}\"", "a+=(\"${a[@]}\");".repeat(200)),
        format!("rm {fives}"),
        format!("rm {}", "{a,b}".repeat(60)),
        format!("rm {{1..1000}}{longest}"),
        format!("rm {}", "{".repeat(50_000)),
        format!("rm {}", "{a,".repeat(20_000)),
        "f() { f \"$*$*\"; }; f x".to_owned(),
        "f() { f \"$@\" \"$@\"; }; f x".to_owned(),
        "f() { f; f; }; f".to_owned(),
        "f() { g; g; }; g() { f; f; }; f".to_owned(),
        "f() { f | f; }; f".to_owned(),
        "f() { echo $(f) $(f); }; f".to_owned(),
        "f() { eval 'f; f'; }; f".to_owned(),
        ":(){ :|:& };:".to_owned(),
        "x='eval \"$x\" \"$x\"'; eval \"$x\"".to_owned(),
        "x='bash -c \"$x\"; bash -c \"$x\"'; export x; bash -c \"$x\"".to_owned(),
        "shopt -s expand_aliases\nalias a='b b' b='a a'\na".to_owned(),
        "shopt -s expand_aliases\nalias a='a ; a'\na".to_owned(),
        "echo '. ./f; . ./f' > f; . ./f".to_owned(),
        "echo './f; ./f' > f; ./f".to_owned(),
        "trap 'trap \"$x\" EXIT' EXIT".to_owned(),
        loops,
        "while x=$x$x; do ".repeat(20) + "rm $x; " + &"done; ".repeat(20),
        format!("parallel rm {} ::: {}", "{} ".repeat(500), "a ".repeat(500)),
        "parallel ".repeat(30) + "rm {} ::: " + &"a ".repeat(64),
        format!("find {} {}", "a ".repeat(10_000), "-delete ".repeat(5_000)),
        format!("find {} {}", "a ".repeat(5_000), "-exec rm {} \\; ".repeat(2_000)),
        format!("sudo {} rm x", "--unknown ".repeat(5_000)),
        format!("seq 9 | {} rm", "xargs -n1 ".repeat(40)),
        format!("set -- {}; {}", "a ".repeat(20_000), "shift;".repeat(5_000)),
        pipes,
        format!("{}cat f", "echo aaaaaaaa >> f;".repeat(4_000)),
        names,
        functions,
        folders,
        format!("x={longest}; rm ${{x//a/$x}}"),
        format!("x={longest}; rm ${{x//a/bb}}"),
        format!("x={}; {}", "a".repeat(4_000), "rm ${x##*a*a*a*b};".repeat(2_000)),
        format!("x={}; {}", "a".repeat(250), "rm ${x//*a*a*b};".repeat(2_000)),
        format!("echo {longest} | sed {}", "-e s/a/aa/g ".repeat(40)),
        format!("echo {longest} | tr {} b", "\\u4e00-\\u9fff".repeat(2_000)),
        format!("echo {longest} | cut -c{}", "1,".repeat(20_000)),
        format!("printf '{}' {longest}", "%s".repeat(20_000)),
        format!("printf '%9999999s%9999999s{}' a", "%9999999s".repeat(2_000)),
        format!("read {} <<< '{}'", "a ".repeat(10_000), "b ".repeat(10_000)),
        format!("rm {}", "$((((((((((1+1".repeat(5_000)),
        format!("rm $(({}1))", "1+".repeat(30_000)),
        format!("{} rm x", "A=b ".repeat(20_000)),
        format!("rm {}", ">f ".repeat(30_000)),
        format!("cat {}\nE\n", "<<E ".repeat(20_000)),
        format!("cat {}\n{}", "<<-E ".repeat(5_000), "\tx\n".repeat(5_000)),
        format!("case x in {} esac", "x) rm y;; ".repeat(10_000)),
        format!("if :; then :; {} fi", "elif :; then rm x; ".repeat(5_000)),
        format!("[[ {} ]]", "a = b && ".repeat(10_000)),
        format!("python3 -c '{}'", "os.system(\"rm x\")\n".repeat(5_000)),
        format!("python3 -c '{}'", "(".repeat(50_000)),
        format!("perl -e '{}'", "`rm x`;".repeat(10_000)),
        format!("node -e '{}'", "`${".repeat(20_000)),
        format!("python3 -c '{}'", "[".repeat(50_000)),
        format!("python3 -c '{}'", "f(x)[".repeat(10_000)),
        format!("python3 -c '{} os.remove(x)'", "x = x + x\n".repeat(2_000)),
        format!("python3 -c 'x = [1]\n{} os.remove(x)'", "x = x + x\n".repeat(2_000)),
        format!("python3 -c 'x = \"aaaaaaaa\"\n{} os.remove(x)'", "x = x * 9\n".repeat(2_000)),
        format!("python3 -c '{}1'", "lambda: ".repeat(20_000)),
        format!("python3 -c '{}1'", "not ".repeat(20_000)),
        format!("python3 -c '{}1'", "- ".repeat(30_000)),
        format!("python3 -c '{}'", "def f():\n f()\n f()\n".repeat(2_000)),
        format!("python3 -c 'def f(x):\n f(x + x)\n f(x + x)\nf(\"aaaa\")\n{}'", "f(1)\n".repeat(5_000)),
        format!("python3 -c '{}'", "[g(x) for x in [1,2,3,4,5,6,7,8,9] for y in [".repeat(1_000)),
        format!("python3 -c '{}'", "for x in range(9):\n ".repeat(5_000)),
        format!("python3 -c '{}'", "f\"{".repeat(10_000)),
        format!("python3 -c 'x = \"exec(x)\"; {}'", "exec(x);".repeat(2_000)),
        format!("python3 -c '{}'", "a = a or b if c else d\n".repeat(3_000)),
        format!("python3 -c '{}'", "if x in y: x = y\n".repeat(4_000)),
        (0..8_000).fold("python3 -c '".to_owned(), |text, number| format!("{text}a{number} = 1\n")) + "'",
        "python3 -c \"import os; os.system('python3 -c ".repeat(2_000),
        format!("node -e '{}1'", "a=>".repeat(20_000)),
        format!("node -e '{}1'", "(a)=>{".repeat(10_000)),
        format!("node -e '{}'", "a.b(c=>".repeat(10_000)),
        format!("node -e '{}'", "a?b:".repeat(20_000)),
        format!("node -e '{}'", "/a/.test(b)&&".repeat(5_000)),
        format!("node -e '{}'", "const {a,b:c}=require(\"fs\");".repeat(2_000)),
        format!("node -e 'x=[1,2,3];{}'", "x=x.map(y=>[y,y]);".repeat(2_000)),
        format!("node -e 'f=x=>f(f(x));{}'", "f(1);".repeat(5_000)),
        format!("perl -e '{}'", "s/a/s,b,c,e/e;".repeat(4_000)),
        format!("perl -e '{}'", "print for f ".repeat(5_000)),
        format!("perl -e '{}'", "<<A;\n".repeat(10_000)),
        format!("perl -e '{}'", "\"@{[".repeat(10_000)),
        format!("ruby -e '{}'", "f { ".repeat(10_000)),
        format!("ruby -e '{}'", "if a then ".repeat(10_000)),
        format!("ruby -e '{}'", "puts \"#{".repeat(10_000)),
        format!("ruby -e '{}'", "f g ".repeat(20_000)),
        format!("php -r '{}'", "$a[".repeat(20_000)),
        format!("php -r '{}'", "\"{$a".repeat(20_000)),
        format!("lua -e '{}'", "function f() ".repeat(8_000)),
        format!("awk '{}'", "a b ".repeat(20_000)),
        format!("awk '{}'", "{print $1 | \"cat\"}".repeat(3_000)),
        format!("groovy -e '{}'", "a { ".repeat(15_000)),
        format!("emacs --eval '{}'", "(".repeat(40_000)),
        format!("echo '{}' | tclsh", "[".repeat(40_000)),
        format!("echo '{}' | tclsh", "if 1 {".repeat(10_000)),
        format!("base64 -d <<< {} | bash", "QUFB".repeat(20_000)),
        format!("{} x", "git -c alias.x=!git\\ x ".repeat(4_000)),
        format!("ssh h {}", "ssh h ".repeat(10_000)),
    ];
    for bomb in bombs {
        bounded(bomb);
    }
}

#[test]
fn what_was_too_much_is_said() {
    for bomb in [
        "f() { f \"$*$*\"; }; f x".to_owned(),
        "for i in {1..64}; do ".repeat(10) + "rm $i; " + &"done; ".repeat(10),
        format!("rm {}", "{a,b}".repeat(14)),
        (0..2_000).map(|number| format!("a{number}=b;")).collect::<String>() + "rm x",
    ] {
        let outcome = bounded(&bomb);
        let said = outcome.notes.iter().any(|kind| matches!(kind, NoteKind::TooMuch | NoteKind::TooDeep));
        assert!(said, "{bomb:.60}: {outcome:?}");
    }
}

/// A disk on which nothing lies.
#[derive(Debug)]
struct Empty;

impl shell::Disk for Empty {
    fn read(&self, _: &str) -> shell::Found {
        shell::Found::Nothing
    }

    fn list(&self, _: &str) -> Vec<shell::Entry> {
        Vec::new()
    }
}

/// What is added to a file promises what stands there already, and a pipe may lead back to who writes to it.
#[test]
fn a_file_that_holds_itself_ends() {
    for text in [
        "echo ls >> a.sh; bash a.sh",
        "exec 4> a.sh; echo ls >&4; bash a.sh",
        "cat a.sh >> a.sh; bash a.sh",
        "cat a.sh >> b.sh; cat b.sh >> a.sh; bash a.sh",
        "echo ls >> a.sh; cp a.sh b.sh; cat b.sh >> a.sh; . ./b.sh",
        "ln -s a.sh b.sh; echo ls >> b.sh; bash a.sh",
        "mkfifo p; sh p & echo 'echo ls > p' > p",
        "exec > >(tee /dev/fd/63); echo ls",
        "exec 5> >(cat >&5); echo ls >&5",
        "coproc bash; echo 'echo ls >&\"${COPROC[1]}\"' >&\"${COPROC[1]}\"",
    ] {
        let run = || {
            let disk: std::rc::Rc<dyn shell::Disk> = std::rc::Rc::new(Empty);
            let surroundings =
                Surroundings { cwd: Some("/home/user/p"), home: Some("/home/user"), disk: Some(&disk) };
            analyze(text, surroundings).atoms.len()
        };
        let atoms = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).unwrap();
            thread.join().expect("the analysis lives")
        });
        assert!((0..10_000).contains(&atoms), "{text}: {atoms}");
    }
}
