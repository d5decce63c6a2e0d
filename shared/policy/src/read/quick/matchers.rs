//! The matchers that nearly every rule has.

use crate::model::{Mcp, PathTest, Run, Text};

use super::super::matchers::{ACCESS, no_program};
use super::super::words;
use super::lists::Texts;
use super::{Quick, Seen};

/// A list of a matcher.
type Field<'f> = for<'r> fn(&'r mut Run<'f>) -> &'r mut Vec<Text<'f>>;

impl<'f> Quick<'f, '_> {
    pub(super) fn run(&mut self, all: &mut Vec<Run<'f>>) -> Option<()> {
        // Most matchers are about another program, and none of their lists is kept.
        let mut run: Option<Run<'f>> = None;
        let (mut seen, mut unkept) = (Seen::default(), Vec::new());
        // The list is used again for each matcher that is not kept.
        let mut programs = std::mem::take(&mut self.programs);
        let read = self.inline(|quick, key| {
            use Texts::{Calls, Flags, Patterns, Words};
            let field = |list: Field<'f>| list;
            let (bit, kind, list) = match key {
                b"program" => {
                    seen.once(0)?;
                    // The program itself is always kept, since it says whether the rest has to be.
                    let keeps = std::mem::replace(&mut quick.keeps, true);
                    quick.texts(Patterns, &mut programs)?;
                    let sound = programs.iter().all(|name| no_program(name).is_none());
                    quick.keeps = keeps && quick.about.is_none_or(|about| about.may_be(&programs));
                    return sound.then_some(());
                }
                b"program_path" => (1, Patterns, field(|run| &mut run.program_path)),
                b"sub" => (2, Words, field(|run| &mut run.sub)),
                b"sub_any" => (3, Words, field(|run| &mut run.sub_any)),
                b"flags_any" => (4, Flags, field(|run| &mut run.flags_any)),
                b"flags_all" => (5, Flags, field(|run| &mut run.flags_all)),
                b"flags_none" => (6, Flags, field(|run| &mut run.flags_none)),
                b"args_any" => (7, Patterns, field(|run| &mut run.args_any)),
                b"args_all" => (8, Patterns, field(|run| &mut run.args_all)),
                b"args_none" => (9, Patterns, field(|run| &mut run.args_none)),
                b"env_any" => (10, Patterns, field(|run| &mut run.env_any)),
                b"written" => (11, Patterns, field(|run| &mut run.written)),
                b"flags_only" => (12, Patterns, field(|run| &mut run.flags_only)),
                b"calls" => {
                    quick.has_calls = true;
                    (13, Calls, field(|run| &mut run.calls))
                }
                _ => return None,
            };
            seen.once(bit)?;
            let list = if quick.keeps { list(run.get_or_insert_default()) } else { &mut unkept };
            quick.texts(kind, list)
        });
        // The next matcher of the rule may be about a program of this call.
        let speaks = std::mem::replace(&mut self.keeps, true);
        if speaks {
            let program = std::mem::take(&mut programs);
            all.push(Run { program, ..run.unwrap_or_default() });
        } else {
            programs.clear();
        }
        self.programs = programs;
        // A program, a path or a variable has to be named.
        read.filter(|()| seen.has(0) || seen.has(1) || seen.has(10))
    }

    pub(super) fn path(&mut self, all: &mut Vec<PathTest<'f>>) -> Option<()> {
        let mut path = PathTest::default();
        let mut seen = Seen::default();
        self.inline(|quick, key| match key {
            b"access" => {
                seen.once(0)?;
                path.access = quick.words(ACCESS, words::access)?;
                Some(())
            }
            b"any" => {
                seen.once(1)?;
                quick.texts(Texts::Patterns, &mut path.any)
            }
            b"except" => {
                seen.once(2)?;
                quick.texts(Texts::Patterns, &mut path.except)
            }
            _ => None,
        })?;
        all.push(path);
        seen.has(1).then_some(())
    }

    pub(super) fn mcp(&mut self, all: &mut Vec<Mcp<'f>>) -> Option<()> {
        let mut mcp = Mcp::default();
        let mut seen = Seen::default();
        self.inline(|quick, key| match key {
            b"server" => {
                seen.once(0)?;
                quick.texts(Texts::Patterns, &mut mcp.server)
            }
            b"tool" => {
                seen.once(1)?;
                quick.texts(Texts::Patterns, &mut mcp.tool)
            }
            b"args" => {
                seen.once(2)?;
                let entry = quick.value(key)?;
                // Rare enough for the thorough reader's way.
                quick.reader.arguments(entry, &mut mcp);
                Some(())
            }
            _ => None,
        })?;
        let speaks = !(mcp.server.is_empty() && mcp.tool.is_empty() && mcp.args.is_empty());
        all.push(mcp);
        speaks.then_some(())
    }
}
