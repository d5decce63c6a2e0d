//! The tree of a bash script. Text stays in the source; nodes hold spans of it.

use std::rc::Rc;

use crate::span::Span;

/// A parsed text.
#[derive(Debug)]
pub(crate) struct Tree {
    /// What the spans point into, and the here-documents that redirections name.
    pub(crate) text: Rc<Text>,
    /// The commands, in order.
    pub(crate) body: List,
    /// What could not be understood.
    pub(crate) errors: Vec<Error>,
}

/// The part of a tree that outlives its commands, because functions are called later.
#[derive(Debug)]
pub(crate) struct Text {
    /// The text itself.
    pub(crate) source: String,
    /// Bodies of here-documents, in the order of their operators.
    pub(crate) heredocs: Vec<Word>,
}

/// Why a piece of text is not understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Error {
    pub(crate) kind: ErrorKind,
    /// Where, as a byte offset.
    pub(crate) at: u32,
}

/// What is wrong with a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// A construct that is never closed.
    Unclosed,
    /// A token where none may stand.
    Unexpected,
    /// More nesting than any honest command has.
    TooDeep,
}

/// Commands one after another.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) items: Vec<Item>,
}

/// One pipeline of a list and what follows it.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) pipeline: Pipeline,
    pub(crate) joint: Joint,
}

/// How an item is joined to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// `;`, a newline or the end.
    Then,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `&`
    Background,
}

/// Commands whose output feeds the next one.
#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) stages: Vec<Stage>,
    /// `!`
    pub(crate) negated: bool,
}

/// A command with its redirections.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) command: Command,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) span: Span,
}

/// What kind of command.
#[derive(Debug)]
pub(crate) enum Command {
    /// `A=1 program argument …`
    Simple { assigns: Vec<Assign>, words: Vec<Word> },
    /// `{ …; }`
    Group(List),
    /// `( … )`
    Subshell(List),
    /// `if`, with its conditions and bodies in the order in which they run.
    If(Vec<List>),
    /// `while` and `until`.
    Loop { condition: List, body: List, until: bool },
    /// `for NAME in …` and `select`.
    For { name: Span, words: Option<Vec<Word>>, body: List },
    /// `for ((…))`
    Count { header: Vec<Part>, body: List },
    /// `case`
    Case { subject: Word, arms: Vec<(Vec<Word>, List)> },
    /// `[[ … ]]`
    Test(Vec<Word>),
    /// `(( … ))`
    Arithmetic(Vec<Part>),
    /// A function definition.
    Function { name: String, body: Rc<Stage> },
    /// `coproc`
    Coproc(Option<Span>, Box<Stage>),
}

/// `NAME=value`, `NAME+=value`, `NAME[i]=value`, `NAME=( … )`
#[derive(Debug)]
pub(crate) struct Assign {
    pub(crate) name: Span,
    pub(crate) append: bool,
    pub(crate) value: AssignValue,
}

/// The right side of an assignment.
#[derive(Debug)]
pub(crate) enum AssignValue {
    One(Word),
    Element(Vec<Part>, Word),
    Many(Vec<Word>),
}

/// A redirection.
#[derive(Debug)]
pub(crate) struct Redirect {
    /// The descriptor in front, or the operator's own default.
    pub(crate) fd: Option<u32>,
    /// The variable that gets the descriptor: `{name}>file`.
    pub(crate) name: Option<Span>,
    pub(crate) op: RedirectOp,
    pub(crate) target: RedirectTarget,
}

/// Which way a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RedirectOp {
    /// `<`
    Read,
    /// `>` and `>|`
    Write,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `&>`
    WriteBoth,
    /// `&>>`
    AppendBoth,
    /// `<&`
    DupRead,
    /// `>&`
    DupWrite,
    /// `<<`, `<<-`
    Heredoc,
    /// `<<<`
    HereString,
}

/// What a redirection names.
#[derive(Debug)]
pub(crate) enum RedirectTarget {
    Word(Word),
    /// Index into [`Text::heredocs`].
    Heredoc(usize),
}

/// A word before expansion.
#[derive(Debug, Default)]
pub(crate) struct Word {
    /// Its pieces. None, if it is plain text that means itself: most words are, and then cost no memory.
    pub(crate) parts: Vec<Part>,
    pub(crate) span: Span,
}

/// A piece of a word.
#[derive(Debug)]
pub(crate) enum Part {
    /// Unquoted text: pattern, brace and tilde characters are active.
    Bare(Span),
    /// Text in which nothing is special.
    Quoted(Span),
    /// The same, where the text differs from the source (`$'\x72'`).
    Decoded(String),
    /// `$x`, `${x:-y}`
    Parameter { parameter: Box<Parameter>, quoted: bool },
    /// `$( … )`
    Substitution { body: Box<List>, quoted: bool },
    /// `` ` … ` ``, whose text differs from the source by its backslashes.
    Backquote { tree: Box<Tree>, quoted: bool, span: Span },
    /// `<( … )` and `>( … )`, and where the text between the parentheses stands.
    Process { body: Box<List>, reads: bool, span: Span },
    /// `$(( … ))`
    Arithmetic(Vec<Part>),
}

/// `${…}` taken apart.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// The name: an identifier, digits or one of `@*#?-$!0_`.
    pub(crate) name: Span,
    pub(crate) subscript: Option<Subscript>,
    /// `${!name}`
    pub(crate) indirect: bool,
    pub(crate) op: ParameterOp,
}

/// `[@]`, `[*]` or `[i]`
#[derive(Debug)]
pub(crate) enum Subscript {
    All,
    One(Vec<Part>),
}

/// What `${…}` does with the value.
#[derive(Debug)]
pub(crate) enum ParameterOp {
    Plain,
    /// `${#name}`
    Length,
    /// `-`, `=`, `?` and `+`, with or without a colon.
    Fallback {
        kind: u8,
        colon: bool,
        word: Vec<Part>,
    },
    /// `#`, `##`, `%`, `%%`
    Trim {
        suffix: bool,
        longest: bool,
        pattern: Vec<Part>,
    },
    /// `/`, `//`, `/#`, `/%`
    Replace {
        kind: ReplaceKind,
        pattern: Vec<Part>,
        with: Vec<Part>,
    },
    /// `:offset:length`
    Slice {
        offset: Vec<Part>,
        length: Option<Vec<Part>>,
    },
    /// `^`, `^^`, `,`, `,,`
    Case {
        upper: bool,
        all: bool,
    },
    /// `@Q` and its like, and anything newer.
    Other(Vec<Part>),
}

/// Which matches `${x/…}` replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplaceKind {
    First,
    All,
    Prefix,
    Suffix,
}
