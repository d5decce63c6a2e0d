//! No text makes the analysis of PowerShell and cmd slow, wrong or dead. What counts is the work done, never the
//! time. The stack is that of a main thread on Windows.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use shell::{Language, NoteKind, Surroundings, analyze, analyze_as};

/// The stack of a main thread on Windows.
const STACK: usize = 1024 * 1024;
/// Levels of nesting, and bytes of long commands.
const DEEP: usize = 10_000;
const LONG: usize = 100_000;

const BOTH: [Language; 2] = [Language::PowerShell, Language::Cmd];

struct Outcome {
    notes: Vec<NoteKind>,
    last: String,
}

/// Analyses `text` on a small stack, and checks that the answer is in proportion to it.
fn bounded(text: &str, shell: Language) -> Outcome {
    std::thread::scope(|scope| {
        let run = || {
            let surroundings =
                Surroundings { cwd: Some(r"C:\Users\me\p"), home: Some(r"C:\Users\me"), disk: None };
            let analysis = analyze_as(text, shell, surroundings);
            let name: String = text.chars().take(60).collect();
            assert!(analysis.atoms.len() <= text.len() + 1_000, "{name}: {} atoms", analysis.atoms.len());
            let size: usize =
                analysis.atoms.iter().flat_map(|atom| atom.args.iter()).map(|arg| arg.text.len()).sum();
            assert!(size <= 32 * text.len() + 4 * 1024 * 1024, "{name}: {size} bytes of atoms");
            Outcome {
                notes: analysis.notes.iter().map(|note| note.kind).collect(),
                last: analysis.atoms.last().map_or_else(String::new, |atom| atom.program().into_owned()),
            }
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).unwrap();
        thread.join().expect("the analysis lives")
    })
}

#[test]
fn every_span_lies_in_the_text() {
    // A block made from a string has no place of its own.
    for text in
        ["\u{fdd1}([scriptblock]'m", "é & ([scriptblock]::Create('rm x'))", "é$x=[scriptblock]'rm x'; & $x"]
    {
        let analysis = analyze_as(text, Language::PowerShell, Surroundings::default());
        let atoms = analysis.atoms.iter().map(|atom| atom.span);
        for span in atoms.chain(analysis.notes.iter().map(|note| note.span)) {
            assert!(text.get(span.range()).is_some(), "{span:?} of {text}");
        }
    }
}

#[test]
fn long_texts_are_read_to_the_end() {
    for piece in [
        "ls;",
        "ls\n",
        "ls | % { $_ };",
        "$a='b';",
        "ls 'b c' \"d $e\";",
        "# c\n",
        "ls > f;",
        "(ls);",
        "@(1,2);",
        "& { ls };",
        "if (1) { ls };",
        "<# c #>",
        "[int]1;",
        "foo -a:b -c d;",
        "@{a=1};",
        "$a.b(1)[2];",
        "\"$(ls)\";",
    ] {
        let outcome = bounded(&(piece.repeat(LONG / piece.len()) + "\nremove-item x"), Language::PowerShell);
        assert_eq!(outcome.notes, [], "{piece}");
        assert_eq!(outcome.last, "Remove-Item", "{piece}");
    }
    for piece in [
        "dir&",
        "dir\n",
        "dir&&",
        "dir|",
        "set a=b&",
        "(dir)&",
        "rem x\n",
        "dir>f&",
        "if a==b dir&",
        "for %a in (b) do dir&",
        "d^ir&",
        "echo %a%&",
        "call x&",
    ] {
        let outcome = bounded(&(piece.repeat(LONG / piece.len()) + "\nrd x"), Language::Cmd);
        assert_eq!(outcome.notes, [], "{piece}");
        assert_eq!(outcome.last, "rd", "{piece}");
    }
}

/// Openings that nest, and what closes them.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("$(", ")"),
    ("@(", ")"),
    ("\"$(", ")\""),
    ("{ ", "}"),
    ("& { ", "}"),
    ("@{a=", "}"),
    ("if (1) { ", "}"),
    ("if (", ") {}"),
    ("if (1) {} elseif (", ") {}"),
    ("foreach ($a in ", ") {}"),
    ("foreach ($a in 1) { ", "}"),
    ("for (", ";;) {}"),
    ("while (1) { ", "}"),
    ("switch (1) { 1 { ", "} }"),
    ("try { ", "} catch {}"),
    ("function f { ", "}"),
    ("$a[", "]"),
    ("$a.b(", ")"),
    ("[a]::b(", ")"),
    ("function f($a = ", ") {}"),
    ("param($a = ", ")"),
    ("[a]", ""),
    ("[a[", "]]"),
    ("!", ""),
    ("- ", ""),
    (",", ""),
    ("-join ", ""),
    ("$a = ", ""),
    ("return ", ""),
    ("1 + (", ")"),
    ("1, (", ")"),
    ("a | ", ""),
    ("a -b:", ""),
    ("a | % { ", "}"),
    ("iex '", "'"),
    ("icm { ", "}"),
    ("powershell -c ", ""),
    ("cmd /c ", ""),
    ("cmd /c \"", "\""),
    ("start ", ""),
    ("call ", ""),
    ("if a==b ", ""),
    ("if a==b (", ")"),
    ("if a==b (x) else ", ""),
    ("for %a in (b) do ", ""),
    ("for %a in (", ") do x"),
    ("for /f %a in ('", "') do x"),
    ("forfiles /c \"", "\""),
    ("wsl ", ""),
    ("bash -c ", ""),
    ("%a:", "%"),
    ("!a", "!"),
    ("^", ""),
    ("`", ""),
    ("\"", ""),
    ("'", ""),
    ("@'\n", "\n'@"),
    ("@\"\n$(", ")\n\"@"),
    ("<#", "#>"),
    ("[", "]"),
    ("${", "}"),
    ("$", ""),
    (">", ""),
    ("2>&1 ", ""),
    (")", ""),
    ("}", ""),
    ("&", ""),
    ("|", ""),
    ("@", ""),
    ("--% ", ""),
    ("é", ""),
    ("\u{201c}", ""),
];

#[test]
fn deep_nesting_ends_in_an_answer() {
    for (open, close) in NESTS {
        for shell in BOTH {
            for tail in [close.repeat(DEEP), String::new()] {
                bounded(&(open.repeat(DEEP) + "rd x" + &tail), shell);
                bounded(&("echo ".to_owned() + &open.repeat(DEEP) + "rd x" + &tail), shell);
            }
        }
    }
}

#[test]
fn what_is_too_deep_is_said() {
    for (open, close) in NESTS.iter().take(20) {
        let outcome = bounded(&(open.repeat(DEEP) + "ls" + &close.repeat(DEEP)), Language::PowerShell);
        assert!(outcome.notes.contains(&NoteKind::TooDeep), "{open}: {:?}", outcome.notes);
    }
    for (open, close) in [("(", ")"), ("if a==b ", ""), ("for %a in (b) do ", "")] {
        let outcome = bounded(&(open.repeat(DEEP) + "dir" + &close.repeat(DEEP)), Language::Cmd);
        assert!(outcome.notes.contains(&NoteKind::TooDeep), "{open}");
    }
}

#[test]
fn openings_of_different_kinds_nest_as_well() {
    for step in [7, 11, 31] {
        let text: String = (0..DEEP).map(|turn| NESTS[(turn * step + turn / 5) % NESTS.len()].0).collect();
        for shell in BOTH {
            bounded(&text, shell);
        }
    }
}

#[test]
fn bombs_are_defused() {
    let longest = "a".repeat(30_000);
    let powershell = [
        format!("$x='aaaaaaaa'; {} ri $x", "$x=$x+$x;".repeat(200)),
        format!("$x='aaaaaaaa'; {} ri $x", "$x+=$x;".repeat(200)),
        format!("$x='aaaaaaaa'; {} ri $x", "$x=\"$x$x\";".repeat(200)),
        format!("$x=1,2; {} ri $x", "$x+=$x;".repeat(200)),
        format!("$x=1,2; {} ri $x", "$x=$x,$x;".repeat(200)),
        "function f { f; f }; f".to_owned(),
        "function f { g; g }; function g { f; f }; f".to_owned(),
        "function f { & { f } | % { f } }; f".to_owned(),
        "$f = { & $f; & $f }; & $f".to_owned(),
        "$x='iex $x; iex $x'; iex $x".to_owned(),
        "Set-Alias a b; Set-Alias b a; a".to_owned(),
        "1..64 | % { ".repeat(10) + "ri $_" + &"}".repeat(10),
        "foreach ($i in 1..64) { ".repeat(10) + "ri $i" + &"}".repeat(10),
        format!("'a' * 99999999; ('{longest}' * 30000)"),
        format!("'{longest}' -replace 'a','{longest}'"),
        format!("'{longest}' -split 'a' | % {{ ri $_ }}"),
        format!("'{}' -f '{longest}'", "{0}".repeat(20_000)),
        format!("1{}", "+1".repeat(50_000)),
        format!("$a{}", ".b".repeat(50_000)),
        format!("a {}", "-b ".repeat(30_000)),
        format!("ri {}", "a,".repeat(30_000)),
        format!("ri {}", "> a ".repeat(30_000)),
        format!("{} ri a", "if (1) { $x='a' } else { $x='b' };".repeat(2_000)),
        format!("if (1) {{ $x='a' }} else {{ $x='b' }};{}", "ri $x $x $x;".repeat(3_000)),
        (0..8_000).map(|n| format!("$a{n}='b';")).collect::<String>(),
        (0..8_000).map(|n| format!("function f{n} {{ ls }};")).collect::<String>(),
        format!("{} gc f | iex", "'aaaaaaaa' >> f;".repeat(4_000)),
        "'. ./f.ps1; . ./f.ps1' > f.ps1; ./f.ps1".to_owned(),
        "cd aaaaaaaa;".repeat(8_000),
        format!("iex \"{}\"", "ls;".repeat(20_000)),
        format!("@{{ {} }}", "a=1;".repeat(20_000)),
        format!("a @{}", "x @x ".repeat(20_000)),
    ];
    for bomb in &powershell {
        bounded(bomb, Language::PowerShell);
    }
    let cmd = [
        format!("set x=aaaaaaaa& {} rd %x%", "set x=%x%%x%& ".repeat(200)),
        "set x=call %x% ^& call %x%& call %x%".to_owned(),
        "set x=%x%^&%x%& %x%".to_owned(),
        "for %a in (1 2 3 4 5 6 7 8 9) do ".repeat(12) + "rd %a",
        "for /f %a in ('cmd /c dir') do ".repeat(12) + "rd %a",
        format!("set x={longest}& {}", "echo %x:a=bb%& ".repeat(2_000)),
        format!("rd {}", "a ".repeat(30_000)),
        format!("rd {}", ">a ".repeat(30_000)),
        format!("rd {}", "%a%".repeat(30_000)),
        format!("rd {}", "%".repeat(100_000)),
        format!("rd {}", "!".repeat(100_000)),
        format!("rd {}", "/s".repeat(30_000)),
        format!("for %a in ({}) do rd %a", "a ".repeat(30_000)),
        "echo x.bat > x.bat & x.bat".to_owned(),
        "echo call x.bat ^& call x.bat > x.bat & x.bat".to_owned(),
        format!("{} x.bat", "echo aaaaaaaa >> x.bat &".repeat(3_000)),
        "cd aaaaaaaa&".repeat(8_000),
    ];
    for bomb in &cmd {
        bounded(bomb, Language::Cmd);
    }
}

#[test]
fn shells_that_start_each_other_end() {
    let mut text = "ls".to_owned();
    for turn in 0..200 {
        text = match turn % 3 {
            0 => format!("powershell -c {text}"),
            1 => format!("cmd /c {text}"),
            _ => format!("bash -c '{text}'"),
        };
    }
    for shell in BOTH {
        bounded(&text, shell);
    }
    assert!(analyze(&text, Surroundings::default()).atoms.len() < 2_000);
}

#[test]
fn text_that_is_nothing_is_nothing() {
    for text in ["", " ", "\n", "\r\n", "\0", "\u{feff}", "\u{fdd0}", "#", "::", ";", "^", "`"] {
        for shell in BOTH {
            bounded(text, shell);
        }
    }
}
