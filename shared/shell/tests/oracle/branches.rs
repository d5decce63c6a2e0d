//! Scripts that decide what they do by their arguments: what is predicted runs, and what does not run is not predicted, as
//! far as nothing but the script and its call decides it.

use super::generator::{Case, Generator};

/// Values of variables and arguments.
const VALUES: &[&str] = &["a", "b", "ab", "0", "1", "2", "3", "", "true", "false", "--x", "-n"];
const NAMES: &[&str] = &["A", "B", "C", "MODE", "FLAG"];
const FLAGS: &[&str] = &["FORCE", "DRY_RUN"];
/// What no script can say of itself: these hold, and the others do not.
const OPEN: &[&str] = &["[ -e . ]", "[ -e none ]", "[[ -d . ]]", "test -f none"];

/// The script in the making.
pub(crate) struct Branches<'g> {
    generator: &'g mut Generator,
    /// Whether nothing but the script decides.
    exact: bool,
    zaps: usize,
    functions: usize,
    depth: usize,
    in_loop: bool,
    in_function: bool,
}

/// A script and its call.
pub(crate) fn case(generator: &mut Generator, open: bool) -> Case {
    let mut branches = Branches {
        generator,
        exact: true,
        zaps: 0,
        functions: 0,
        depth: 0,
        in_loop: false,
        in_function: false,
    };
    let mut script = String::from("#!/bin/bash\n");
    if branches.generator.chance(15) {
        script.push_str(["set -e\n", "set -u\n", "set -eu\n"][branches.generator.below(3)]);
    }
    for flag in FLAGS {
        match branches.generator.below(4) {
            0 => script.push_str(&format!("{flag}=${{{flag}:-{}}}\n", branches.value())),
            1 => script.push_str(&format!("{flag}=false\n")),
            2 => script.push_str(&format!("{flag}={}\n", branches.value())),
            _ => {}
        }
    }
    match branches.generator.below(5) {
        0 => script.push_str(&branches.options()),
        1 => script.push_str(&branches.getopts()),
        _ => {}
    }
    if branches.generator.chance(15) {
        script.push_str(&branches.trap());
    }
    let count = 2 + branches.generator.below(5);
    for _ in 0..count {
        let statement = branches.statement(open);
        script.push_str(&statement);
        script.push('\n');
    }
    let count = branches.generator.below(4);
    let args: Vec<String> = (0..count).map(|_| format!("'{}'", branches.value())).collect();
    let given =
        if branches.generator.chance(20) { format!("FORCE={} ", branches.value()) } else { String::new() };
    let call = match branches.generator.below(4) {
        0 => format!("{given}bash s {}", args.join(" ")),
        1 => format!("chmod_none=1; {given}bash ./s {}", args.join(" ")),
        2 => format!("{given}bash -s -- {} < s", args.join(" ")),
        _ => format!("cat s | {given}bash -s -- {}", args.join(" ")),
    };
    let exact = branches.exact;
    Case { repeats: true, text: format!("cat > s <<'END_OF_SCRIPT'\n{script}END_OF_SCRIPT\n{call}\n"), exact }
}

impl Branches<'_> {
    fn pick(&mut self, from: &[&str]) -> String {
        from[self.generator.below(from.len())].to_owned()
    }

    fn value(&mut self) -> String {
        self.pick(VALUES)
    }

    fn name(&mut self) -> String {
        self.pick(NAMES)
    }

    fn zap(&mut self) -> String {
        self.zaps += 1;
        format!("zap {}", self.zaps)
    }

    /// What runs at the end, wherever that is.
    fn trap(&mut self) -> String {
        let zap = self.zap();
        match self.generator.below(3) {
            0 => format!("trap '{zap}' EXIT\n"),
            1 => format!("at_end() {{ {zap}; }}\ntrap at_end EXIT\n"),
            // Every value on the way counts, as the shell may be killed there.
            _ => {
                self.exact = false;
                format!("trap '[ -n \"{}\" ] && {zap}' EXIT\n", self.word())
            }
        }
    }

    /// A word that holds a value.
    fn word(&mut self) -> String {
        let (name, value) = (self.name(), self.value());
        match self.generator.below(7) {
            0 => format!("${{{name}:-{value}}}"),
            1 => "${1:-}".to_owned(),
            2 => format!("${{2:-{value}}}"),
            3 => "${FORCE:-}".to_owned(),
            4 => format!("${{{name}-}}"),
            5 => "${NEVER:-}".to_owned(),
            _ => format!("${{{name}:-}}"),
        }
    }

    fn condition(&mut self, open: bool) -> String {
        if open && self.generator.chance(25) {
            self.exact = false;
            return self.pick(OPEN);
        }
        let (word, value) = (self.word(), self.value());
        match self.generator.below(16) {
            0 => format!("[ \"{word}\" = \"{value}\" ]"),
            1 => format!("[ \"{word}\" != \"{value}\" ]"),
            2 => format!("[[ {word} == \"{value}\" ]]"),
            3 => format!("[[ {word} == a* ]]"),
            4 => format!("[ -n \"{word}\" ]"),
            5 => format!("[ -z \"{word}\" ]"),
            6 => format!("[[ -z {word} ]]"),
            7 => format!("[ $# -gt {} ]", self.generator.below(3)),
            8 => format!("(( $# == {} ))", self.generator.below(3)),
            9 => "true".to_owned(),
            10 => "false".to_owned(),
            11 => {
                let (one, other) = (self.word(), self.value());
                format!("[[ -n {word} && {one} == \"{other}\" || {word} != b ]]")
            }
            12 => {
                let inner = self.condition(open);
                format!("! {inner}")
            }
            13 => {
                let (one, other) = (self.condition(open), self.condition(open));
                let joint = if self.generator.chance(50) { "&&" } else { "||" };
                format!("{one} {joint} {other}")
            }
            14 => format!("[[ {word} =~ ^[ab]+$ ]]"),
            _ => format!("test \"{word}\" = \"{value}\" -o -n \"{}\"", self.word()),
        }
    }

    fn block(&mut self, open: bool) -> String {
        let count = 1 + self.generator.below(2);
        let lines: Vec<String> = (0..count).map(|_| self.statement(open)).collect();
        lines.join("\n")
    }

    fn statement(&mut self, open: bool) -> String {
        self.depth += 1;
        let made = if self.depth > 4 { self.zap() } else { self.any(open) };
        self.depth -= 1;
        made
    }

    fn any(&mut self, open: bool) -> String {
        match self.generator.below(20) {
            0..=2 => self.zap(),
            3 | 4 => {
                let (name, value) = (self.name(), self.value());
                format!("{name}='{value}'")
            }
            5 => format!("{}=\"{}\"", self.name(), self.word()),
            6 | 7 => {
                let (condition, body) = (self.condition(open), self.block(open));
                match self.generator.below(3) {
                    0 => format!("if {condition}; then\n{body}\nfi"),
                    1 => format!("if {condition}; then\n{body}\nelse\n{}\nfi", self.block(open)),
                    _ => {
                        let (second, other) = (self.condition(open), self.block(open));
                        format!(
                            "if {condition}; then\n{body}\nelif {second}; then\n{other}\nelse\n{}\nfi",
                            self.zap()
                        )
                    }
                }
            }
            8 => format!("{} && {}", self.condition(open), self.zap()),
            9 => format!("{} || {}", self.condition(open), self.zap()),
            10 => {
                let (word, one, other) = (self.word(), self.block(open), self.block(open));
                let rest = self.zap();
                format!("case {word} in\n  a|b) {one} ;;\n  [0-9]|--*) {other} ;;\n  *) {rest} ;;\nesac")
            }
            11 => self.each(open),
            12 => self.counted(open),
            13 => self.function(open),
            14 => self.ends(),
            15 => format!("( {} )", self.block(open)),
            16 => format!("set -- '{}' '{}'", self.value(), self.value()),
            17 => "shift || true".to_owned(),
            18 => self.lines(open),
            _ => format!("{{ {}\n}}", self.block(open)),
        }
    }

    fn each(&mut self, open: bool) -> String {
        let outer = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(open);
        self.in_loop = outer;
        match self.generator.below(3) {
            0 => format!("for x in a b; do\n{body}\ndone"),
            1 => format!("for x in \"$@\"; do\n{body}\nA=$x\ndone"),
            _ => format!("for x in ${{NEVER:-}} a; do\n{body}\nB=$x\ndone"),
        }
    }

    fn counted(&mut self, open: bool) -> String {
        let outer = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(open);
        self.in_loop = outer;
        // A name of its own: nothing in the body sets it.
        self.functions += 1;
        let i = format!("i{}", self.functions);
        match self.generator.below(3) {
            0 => format!("{i}=0; while [ ${i} -lt 2 ]; do {i}=$(({i} + 1))\n{body}\ndone"),
            1 => format!("{i}=0; until (( {i} >= 2 )); do {i}=$(({i} + 1))\n{body}\ndone"),
            _ => format!("for (({i} = 0; {i} < 2; {i}++)); do\n{body}\ndone"),
        }
    }

    fn lines(&mut self, open: bool) -> String {
        let outer = std::mem::replace(&mut self.in_loop, true);
        let body = self.block(open);
        self.in_loop = outer;
        format!("while read -r line; do A=$line\n{body}\ndone <<< $'a\\nb'")
    }

    fn function(&mut self, open: bool) -> String {
        self.functions += 1;
        let name = format!("f{}", self.functions);
        let outer = (self.in_loop, std::mem::replace(&mut self.in_function, true));
        self.in_loop = false;
        let body = self.block(open);
        (self.in_loop, self.in_function) = outer;
        let args = self.value();
        let call = match self.generator.below(4) {
            0 => format!("{name} '{args}'"),
            1 => format!("{name} \"$@\" || true"),
            2 => format!("if {name} '{args}'; then\n{}\nfi", self.zap()),
            _ => format!("{name} '{args}' && {}", self.zap()),
        };
        format!("{name}() {{\n{body}\n}}\n{call}")
    }

    fn ends(&mut self) -> String {
        let condition = self.condition(false);
        let word = match self.generator.below(4) {
            0 if self.in_loop => "break",
            1 if self.in_loop => "continue",
            2 if self.in_function => "return 1",
            3 if self.in_function => "return 0",
            _ => "exit 0",
        };
        format!("if {condition}; then {word}; fi")
    }

    fn options(&mut self) -> String {
        let zap = self.zap();
        format!(
            "while [[ $# -gt 0 ]]; do\n  case $1 in\n    --x) A=$1; shift ;;\n    -n) FLAG=true; shift ;;\n    a) {zap}; shift ;;\n    *) shift ;;\n  esac\ndone\n"
        )
    }

    fn getopts(&mut self) -> String {
        let zap = self.zap();
        format!(
            "while getopts 'na:x' o; do\n  case $o in\n    n) FLAG=1 ;;\n    a) A=$OPTARG ;;\n    *) {zap} ;;\n  esac\ndone\nshift $((OPTIND - 1))\n"
        )
    }
}
