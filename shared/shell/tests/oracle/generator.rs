//! Commands whose control flow is certain, made from a seed.

use super::words::{base64, double, single};

/// Programs that are replaced by the recorder.
pub(crate) const RECORDERS: &[&str] =
    &["rm", "ls", "cp", "git", "curl", "mkfs", "chmod", "dd", "shred", "kubectl", "unlink", "zap"];

/// Strings of arguments. None of them does harm, even if a real program should get it.
const VALUES: &[&str] = &[
    "a1", "b2", "c3", "-x", "-zf", "--y=z", "c d", "7", "42", "UP", "name", "e*f", "g?h", "q'r", "s\"t",
    "u\\v", "é€", "", "~", "#x", "{k,l}", "w;x", "m&n", "[z]", "!n", "$i", "`j", "l1\nl2", "(p)", "<o>",
    "a|b", "  two", "zz/yy",
];

/// A generated command.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) text: String,
    /// Exactly what is predicted runs, and nothing else; otherwise, more may be predicted than runs.
    pub(crate) exact: bool,
    /// What runs again and again with the same arguments may be predicted once.
    pub(crate) repeats: bool,
}

/// Makes commands from a seed.
pub(crate) struct Generator {
    state: u64,
    count: usize,
    pub(crate) depth: usize,
    pub(crate) exact: bool,
    /// Statements that the words of the command being made need before it.
    pub(crate) before: Vec<String>,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed | 1, count: 0, depth: 0, exact: true, before: Vec::new() }
    }

    /// The next command.
    pub(crate) fn case(&mut self) -> Case {
        self.exact = true;
        self.count = 0;
        let text = if self.chance(4) { self.aliased() } else { self.list() };
        Case { text, exact: self.exact, repeats: false }
    }

    /// xorshift64*
    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap();
        usize::try_from(self.next() % limit).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub(crate) fn number(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    pub(crate) fn name(&mut self) -> String {
        format!("v{}", self.number())
    }

    /// One to three statements.
    fn list(&mut self) -> String {
        let count = 1 + self.below(if self.depth == 0 { 3 } else { 2 });
        let mut list = String::new();
        for index in 0..count {
            if index > 0 {
                self.end(&mut list);
            }
            let statement = self.statement();
            list.push_str(&statement);
        }
        list
    }

    /// Ends a statement so that another one, or a closing word, may follow.
    fn end(&mut self, text: &mut String) {
        if !text.ends_with('\n') {
            text.push_str(self.pick(&["; ", "\n", ";", " ; ", " # it's (a \"comment\n", "\n\n"]));
        }
    }

    /// A list that a closing word may follow.
    fn body(&mut self) -> String {
        let mut list = self.list();
        self.end(&mut list);
        list
    }

    fn statement(&mut self) -> String {
        self.depth += 1;
        let statement = if self.depth > 4 || self.chance(45) {
            self.simple()
        } else if self.chance(35) {
            self.compound()
        } else if self.chance(40) {
            self.text_runner()
        } else {
            self.program_runner()
        };
        self.depth -= 1;
        statement
    }

    /// A simple command with what must stand before it.
    fn simple(&mut self) -> String {
        let command = self.command();
        self.after_before(command)
    }

    #[expect(clippy::needless_pass_by_value, reason = "it takes the place of the command")]
    fn after_before(&mut self, command: String) -> String {
        let mut text = String::new();
        for statement in std::mem::take(&mut self.before) {
            text.push_str(&statement);
            self.end(&mut text);
        }
        text + &command
    }

    /// A recorder with arguments, all spelled in some way.
    fn command(&mut self) -> String {
        let program = self.pick(RECORDERS);
        let mut command = self.spell(program);
        if self.chance(5) {
            command = format!("A=1 B='x y' {command}");
        }
        for _ in 0..self.below(4) {
            let word = if self.chance(20) {
                self.several()
            } else {
                let value = self.pick(VALUES);
                self.spell(value)
            };
            let blank = if self.chance(5) { " \\\n " } else { " " };
            command.push_str(blank);
            command.push_str(&word);
        }
        if self.chance(12) {
            let redirect =
                self.pick(&[">out", "2>&1", "</dev/null", "> out 2>err", "&>out", ">>out", "<<<zz", "3>&1"]);
            command = format!("{command} {redirect}");
        }
        command
    }

    /// A word that becomes several arguments, or one that is not spelled from a value.
    fn several(&mut self) -> String {
        let array = |generator: &mut Self| {
            let name = generator.name();
            let value = generator.plain("k l");
            generator.before.push(format!("{name}=(a1 {value} c3)"));
            name
        };
        match self.below(16) {
            0 => "{a,b}{1,2}".to_owned(),
            1 => "x{1..3}y".to_owned(),
            2 => "{c..a}".to_owned(),
            3 => "pre{,.bak}".to_owned(),
            4 => format!("\"${{{}[@]}}\"", array(self)),
            5 => format!("\"${{{}[*]}}\"", array(self)),
            6 => format!("${{{}[@]}}", array(self)),
            7 => format!("\"${{{}[@]:1:2}}\"", array(self)),
            8 => format!("${{#{}[@]}}", array(self)),
            9 => format!("\"${{{}[@]/a/Z}}\"", array(self)),
            10 => format!("${}", self.assign("'x y  z'")),
            11 => "~/t".to_owned(),
            12 => "*.nothing".to_owned(),
            13 => format!("${{#{}}}", self.assign("four")),
            14 => format!("${{{}[-1]}}", array(self)),
            _ => "$(echo p q)".to_owned(),
        }
    }

    fn compound(&mut self) -> String {
        let body = self.body();
        let number = self.number();
        match self.below(24) {
            0 => format!("{{ {body}}}"),
            1 => format!("( {body})"),
            2 => format!("if true; then {body}fi"),
            3 => format!("if false\nthen :\nelse {body}fi"),
            4 => format!("if [ a = b ]; then :; elif true; then {body}fi"),
            5 => format!("for i{number} in one 'two 2'; do {body}zap \"$i{number}\"; done"),
            6 => format!("while true; do {body}break; done"),
            7 => format!("until false; do {body}break\ndone"),
            8 => format!("case ab in x) ;; a*) {}\n;; *) ;; esac", self.list()),
            9 => format!("case 'x' in (x|y) {body}\nesac"),
            10 => format!("[[ a == a && -z '' ]] && {{ {body}}}"),
            11 => format!("(( 3 > 2 )) && {{ {body}}}"),
            12 => format!("true && {{ {body}}}"),
            13 => format!("false || {{ {body}}}"),
            14 => format!("f{number}() {{ {body}}}; f{number}"),
            15 => format!("function f{number} {{ {body}zap \"$@\" $#; }}; f{number} 'a b' c"),
            16 => format!("f{number} () (\n{body})\nf{number} x"),
            17 => format!("for ((i = 0; i < 1; i++)); do {body}done"),
            18 => format!("{{ {body}}} > out 2>&1"),
            19 => format!("! {{ {body}}}"),
            20 => format!("{{ {body}}} | cat"),
            21 => format!("{{ {body}}} &\nwait"),
            22 => format!("time {{ {body}}}"),
            _ => {
                self.exact = false;
                let other = self.body();
                let condition =
                    self.pick(&["[ 1 = 1 ]", "[ 1 = 2 ]", "test -n ''", "[[ a < b ]]", "(( 0 ))"]);
                match self.below(4) {
                    0 => format!("if {condition}; then {body}else {other}fi"),
                    1 => format!("x=1\nif {condition}; then x=2; fi\nzap $x\n{}", self.list()),
                    2 => format!("case $nope in '') {}\n;; *) {}\n;; esac", self.list(), self.list()),
                    _ => format!("{condition} && {{ {body}}} || {{ {other}}}"),
                }
            }
        }
    }

    /// Something that runs a string.
    fn text_runner(&mut self) -> String {
        let body = self.list();
        let number = self.number();
        let quoted = if self.chance(50) { single(&body) } else { double(&body) };
        let mut way = self.below(22);
        if matches!(way, 9..=11 | 20) && body.contains("<<") {
            // bash 5.2 loses a separator after a here-document in a substitution.
            way = 0;
        }
        // It also leaves a subshell behind some strings that it has sourced there, and runs less than it should.
        self.exact &= !(matches!(way, 7 | 13) && self.depth > 1);
        match way {
            0 => format!("eval {quoted}"),
            1 => format!("bash -c {quoted}"),
            2 => format!("sh -c {quoted} name arg"),
            3 => format!("echo {} | base64 -d | bash", base64(body.as_bytes())),
            4 => format!("printf %s {quoted} | bash"),
            5 => format!("bash <<'E{number}'\n{body}\nE{number}\n"),
            6 => format!("bash <<< {quoted}"),
            7 => format!("printf '%s\\n' {quoted} > s{number}.sh\n. ./s{number}.sh"),
            8 => format!("cat > s{number}.sh <<\\E{number}\n{body}\nE{number}\nbash s{number}.sh"),
            9 => format!(": $({body}\n)"),
            10 => format!(": \"$({body}\n)\" \"$(:)\""),
            11 => format!("cat <({body}\n)"),
            12 => format!("bash <(printf %s {quoted})"),
            13 => format!("source /dev/stdin <<< {quoted}"),
            14 => format!("(trap {quoted} EXIT; zap in)"),
            15 => format!("coproc {{ {body}\n}}\nwait"),
            16 => format!("printf %s {} | rev | bash", single(&reversed(&body))),
            17 => format!("bash -s x y <<'E{number}'\n{body}\nzap \"$1\" $2\nE{number}\n"),
            18 => format!("s{number}={quoted}\neval \"$s{number}\""),
            19 => format!("bash -e -c {quoted}"),
            20 => format!("`{}\n`", protected(&body)),
            _ => format!("cat <<E{number} | bash\n{}\nE{number}\n", protected(&body)),
        }
    }

    /// Something that runs a program.
    fn program_runner(&mut self) -> String {
        let command = self.command();
        let runner = match self.below(18) {
            0 => format!("env A=1 {command}"),
            1 => format!("timeout 5 {command}"),
            2 => format!("nice -n 5 {command}"),
            3 => format!("command {command}"),
            4 => format!("(exec {command})"),
            5 => format!("nohup {command}"),
            6 => format!("env timeout -k 1 9 nice {command}"),
            7 => format!("exec 9>&1; {command}"),
            8 => format!("printf '%s\\n' k l | xargs {command}"),
            9 => "printf '%s\\n' 'k l' m | xargs -I{} zap x{} {}".to_owned(),
            10 => "printf 'k l m' | xargs -n 2 rm -x".to_owned(),
            11 => "printf 'k k\\0l\\0' | xargs -0 rm".to_owned(),
            12 => format!("find . -maxdepth 0 -exec {command} \\;"),
            13 => format!("stdbuf -o0 {command}"),
            14 => format!("set -- 'a b' c d; zap \"$@\" \"$*\" $1 $#; shift; zap $1 \"$@\"\n{command}"),
            15 => format!("while read -r line; do zap \"$line\"; done <<< 'k l'\n{command}"),
            16 => format!("setsid -w {command}"),
            _ => format!("mapfile -t lines <<< $'k l\\nm'; zap \"${{lines[@]}}\"\n{command}"),
        };
        // An `A=1` in front of the program would be a program's name after a wrapper.
        let runner = runner.replace(" A=1 B='x y' ", " ");
        self.after_before(runner)
    }

    /// Aliases take effect on the lines that follow, in the text itself only.
    fn aliased(&mut self) -> String {
        let rest = self.simple();
        format!("shopt -s expand_aliases\nalias go='zap -q' x2='rm '\ngo a1\nx2 b\ngo; {rest}")
    }
}

/// Each line backwards, as `rev` makes it.
fn reversed(text: &str) -> String {
    text.split('\n').map(|line| line.chars().rev().collect::<String>()).collect::<Vec<_>>().join("\n")
}

/// With a backslash before what backquotes and here-documents would expand.
fn protected(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('`', "\\`")
}
