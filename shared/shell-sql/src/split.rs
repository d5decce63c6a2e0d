//! Where one statement ends and the next begins.

use super::flavor::Flavor;
use super::token::{Kind, Token};

/// How far a statement is searched for its first verb.
const MAX_HEAD: usize = 64;

/// The first statement of `tokens`, and how many of them it takes, with what ends it.
pub(super) fn first<'a, 't>(tokens: &'a [Token<'t>], flavor: Flavor) -> (&'a [Token<'t>], usize) {
    let defines = is_definition(tokens);
    // Their bodies go on to the end of the batch.
    let whole_batch = defines && matches!(flavor, Flavor::SqlServer | Flavor::Oracle);
    let mut depth = 0u32;
    let mut brackets = 0u32;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Client => return (&tokens[..at], at.max(1)),
            Kind::End => return (&tokens[..at], at + 1),
            // Inside `BEGIN … END` of a routine, semicolons belong to its body.
            Kind::Semi if depth == 0 && !whole_batch => return (&tokens[..at], at + 1),
            Kind::Symbol if token.text == "(" => brackets += 1,
            Kind::Symbol if token.text == ")" => brackets = brackets.saturating_sub(1),
            // Only a routine has a body with statements of its own; elsewhere `BEGIN` starts a transaction.
            Kind::Word if defines => {
                if token.is_one("begin case") {
                    depth += 1;
                } else if token.is("end")
                    // `END IF` closes what was not counted when it opened.
                    && !tokens.get(at + 1).is_some_and(|next| next.is_one("if loop while repeat for"))
                {
                    depth = depth.saturating_sub(1);
                }
            }
            Kind::Word
                if flavor == Flavor::SqlServer
                    && at > 0
                    && brackets == 0
                    && begins_without_semicolon(tokens, at) =>
            {
                return (&tokens[..at], at);
            }
            _ => {}
        }
    }
    (tokens, tokens.len())
}

/// Whether a statement defines a routine, whose statements run when someone calls it.
pub(super) fn is_definition(tokens: &[Token<'_>]) -> bool {
    let [first, rest @ ..] = tokens else { return false };
    if !first.is_one("create alter replace") {
        return false;
    }
    // `CREATE OR REPLACE DEFINER=x@y SQL SECURITY INVOKER FUNCTION f`: the word may come late, but before the
    // first bracket.
    let head = rest.iter().take(10).take_while(|token| !token.is_symbol("(") && !token.ends());
    for token in head {
        if token.is_one("function procedure proc trigger event package") {
            // `ALTER TABLE t DISABLE TRIGGER`, `ALTER EVENT` change something else.
            return !(first.is("alter") && token.is_one("trigger event"));
        }
        if token.is_one("table view index database schema user role type system") {
            return false;
        }
    }
    false
}

/// SQL Server needs no semicolons: a statement also begins with its verb.
fn begins_without_semicolon(tokens: &[Token<'_>], at: usize) -> bool {
    let token = &tokens[at];
    let verb = token.is_one(
        "drop truncate delete update insert exec execute use declare if while print alter create grant revoke deny \
         restore backup shutdown kill merge set select",
    );
    if !verb {
        return false;
    }
    let before = &tokens[at - 1];
    // After these, the verb is part of what has begun: `ON DELETE CASCADE`, `GRANT UPDATE`.
    let belongs = before.is_one(
        "on for after before of then else begin to as union all except intersect and or not with exists if instead \
         grant revoke deny",
    ) || before.is_symbol(",")
        || before.is_symbol("(")
        || before.is_symbol(".");
    if belongs {
        return false;
    }
    let begins_with = |words: &str| tokens[0].is_one(words);
    if begins_with("if while begin else") {
        // The verb is what they lead to, until there has been one.
        let led = |token: &&Token<'_>| {
            token.is_one("drop truncate delete update insert exec execute print alter create set select")
        };
        return tokens[1..at.min(MAX_HEAD)].iter().any(|token| led(&token))
            && !token.is("set")
            && !token.is("select");
    }
    match () {
        // `SET` begins a statement only on a new line: else it belongs to UPDATE, MERGE or ALTER.
        () if token.is("set") => token.leads && !begins_with("update merge alter"),
        () if token.is("select") => token.leads && !begins_with("insert with create declare merge"),
        () if begins_with("alter") => token.leads && !token.is_one("drop alter set"),
        () if begins_with("grant revoke deny create merge") => {
            token.leads && !token.is_one("update delete insert")
        }
        () if begins_with("insert") => !token.is_one("exec execute"),
        // What follows a common table expression belongs to it.
        () if begins_with("with") => false,
        () => true,
    }
}
