//! The tree of a PowerShell text. Chains of operators, members and stages are flat, so that a tree is never
//! deeper than its text is nested.

use std::rc::Rc;

use shell_engine::Span;

/// A script block, or a whole text.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Names of its parameters, with their default values.
    pub(crate) params: Vec<(String, Option<Expr>)>,
    pub(crate) body: Vec<Statement>,
    /// What stands between the braces: native programs get that as their argument.
    pub(crate) text: Rc<str>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Statement {
    Pipeline(Pipeline),
    /// `$a = …`, with what stands on the left.
    Assign {
        target: Expr,
        adds: bool,
        value: Box<Statement>,
    },
    /// Blocks of which one may run, after conditions that all may run: `if`, `switch`, `try`, `while`.
    Branches {
        conditions: Vec<Statement>,
        blocks: Vec<Rc<Block>>,
    },
    /// `foreach ($name in source) {…}`
    ForEach {
        name: String,
        source: Box<Statement>,
        body: Rc<Block>,
    },
    Function {
        name: String,
        block: Rc<Block>,
    },
    /// `class Name { [string]$Field = …; Method($a) {…} }`
    Class {
        name: String,
        fields: Vec<(String, Option<Expr>)>,
        methods: Vec<(String, Rc<Block>)>,
    },
    /// `throw`, `break`, `continue`, with what they hand out.
    Flow(Option<Box<Statement>>),
    /// `return` or `exit`: nothing after it in its block runs.
    Return(Option<Box<Statement>>),
    /// A block that runs as it stands: `begin`, `process`, `end`.
    Plain(Rc<Block>),
}

#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) stages: Vec<Stage>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) kind: StageKind,
    pub(crate) redirects: Vec<Redirection>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StageKind {
    Expression(Expr),
    /// `name argument…`, with `&` or `.` in front of it or without.
    Command {
        words: Vec<Word>,
        called: bool,
    },
}

#[derive(Debug)]
pub(crate) struct Redirection {
    pub(crate) fd: u32,
    pub(crate) append: bool,
    pub(crate) reads: bool,
    pub(crate) target: Expr,
}

/// An argument of a command.
#[derive(Debug)]
pub(crate) enum Word {
    /// `-Name` or `-Name:value`
    Parameter {
        name: String,
        value: Option<Expr>,
    },
    Value(Expr),
    /// `@name`
    Splat(String),
}

#[derive(Debug)]
pub(crate) enum Expr {
    Text(String),
    Number(String),
    /// Pieces that make one text: `"a $b"`, `$a\b`.
    Join(Vec<Expr>),
    Variable(String),
    Block(Rc<Block>),
    List(Vec<Expr>),
    /// `( … )`, `$( … )`, `@( … )`
    Sub(Vec<Statement>),
    Map(Vec<(Expr, Statement)>),
    Type(String),
    Cast(String, Box<Expr>),
    Unary(Operator, Box<Expr>),
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    Access(Box<Expr>, Vec<Access>),
}

#[derive(Debug)]
pub(crate) enum Access {
    Member(Expr),
    Method(Expr, Vec<Expr>),
    Index(Expr),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Format,
    Range,
    Join,
    Split,
    Replace,
    As,
    Xor,
    /// A comparison or test: what it gives says nothing.
    Test,
    /// A comparison, by its name without a dash.
    Compare(&'static str),
    And,
    Or,
    Not,
}
