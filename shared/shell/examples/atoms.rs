//! Prints what a command would run: `cargo run -p shell --example atoms -- [--powershell|--cmd] 'COMMAND'`.

use shell::{Language, Surroundings, analyze_as, mark};

#[expect(clippy::print_stdout, clippy::use_debug, reason = "its output is its purpose")]
fn main() {
    let mut shell = Language::Posix;
    for command in std::env::args().skip(1) {
        match command.as_str() {
            "--powershell" => shell = Language::PowerShell,
            "--cmd" => shell = Language::Cmd,
            _ => {}
        }
        if command.starts_with("--") {
            continue;
        }
        let surroundings =
            Surroundings { cwd: Some("/home/user/project"), home: Some("/home/user"), disk: None };
        let analysis = analyze_as(&command, shell, surroundings);
        for atom in &analysis.atoms {
            let args: Vec<_> = atom.args.iter().map(|arg| mark::readable(&arg.text)).collect();
            let how = atom.via.map(|via| format!("{:?} of {}", via.how, via.parent)).unwrap_or_default();
            println!("{args:?} in {} {how} {:?}", atom.cwd, atom.redirects);
        }
        for note in &analysis.notes {
            println!("note: {:?} at {}", note.kind, note.span.start);
        }
    }
}
