//! Words of the call, as code asks for them: whether one is there, which one stands first, and what counts where it is
//! missing.

use std::rc::Rc;

use shell_engine::mark;

use super::Follower;
use super::decided::is_words;
use crate::Language;
use crate::lex::Token;
use crate::value::Value;

/// Tokens of one question that are read.
const MAX_QUESTION: usize = 48;

fn is(token: Option<&Token>, words: &[&str]) -> bool {
    match token {
        Some(Token::Op(op)) => words.contains(op),
        Some(Token::Name(word)) => words.contains(&word.as_str()),
        _ => false,
    }
}

/// Methods that look for an element.
const HAS: [&str; 9] =
    ["includes", "include?", "contains", "Contains", "has", "member?", "delete", "exists", "includes?"];

/// Methods that ask each element.
const ASKS_EACH: [&str; 8] = ["some", "any", "any?", "exists", "anyMatch", "Any", "find", "exists?"];

/// What makes another list of the same elements.
const COPIES: [&str; 14] = [
    "set",
    "list",
    "tuple",
    "frozenset",
    "Set",
    "Array",
    "HashSet",
    "setOf",
    "listOf",
    "iter",
    "hashSetOf",
    "collect",
    "MapSet",
    "Vec",
];

/// What such a list is made of: `new Set(xs)`, `set(xs)`, `Set.new(xs)`, `Array.from(xs)`, `[...xs]`, `xs.toSet()`.
pub(super) fn contents(mut tokens: &[Token]) -> &[Token] {
    for _ in 0..4 {
        let inner = match tokens {
            [Token::Name(new), rest @ ..] if new == "new" => rest,
            [Token::Op("*" | "&" | "\\"), rest @ ..] => rest,
            [Token::Name(copy), Token::Op("("), rest @ .., Token::Op(")")]
                if COPIES.contains(&copy.as_str()) =>
            {
                rest
            }
            [
                Token::Name(class),
                Token::Op("." | "::"),
                Token::Name(make),
                Token::Op("("),
                rest @ ..,
                Token::Op(")"),
            ] if COPIES.contains(&class.as_str()) && matches!(make.as_str(), "new" | "from" | "of") => rest,
            [Token::Op("["), Token::Op("..." | "*"), rest @ .., Token::Op("]")] => rest,
            [rest @ .., Token::Op("."), Token::Name(copy), Token::Op("("), Token::Op(")")]
                if matches!(
                    copy.as_str(),
                    "toSet"
                        | "toList"
                        | "collect"
                        | "copy"
                        | "to_vec"
                        | "clone"
                        | "iter"
                        | "slice"
                        | "values"
                        | "ToList"
                        | "ToArray"
                        | "toHashSet"
                        | "into_iter"
                ) =>
            {
                rest
            }
            [rest @ .., Token::Op("."), Token::Name(copy)]
                if matches!(copy.as_str(), "to_set" | "to_a" | "dup" | "toSet" | "freeze") =>
            {
                rest
            }
            [
                Token::Name(class),
                Token::Op("."),
                Token::Name(make),
                Token::Op("("),
                rest @ ..,
                Token::Op(")"),
            ] if matches!(class.as_str(), "Arrays" | "List" | "Set" | "Stream")
                && matches!(make.as_str(), "asList" | "of" | "stream") =>
            {
                rest
            }
            // Swift's
            [words @ Token::Name(class), Token::Op("."), Token::Name(arguments)]
                if class == "CommandLine" && arguments == "arguments" =>
            {
                return std::slice::from_ref(words);
            }
            // `getopt.getopt(sys.argv[1:], "f", ["force"])`
            [
                Token::Name(module),
                Token::Op("."),
                Token::Name(_),
                Token::Op("("),
                rest @ ..,
                Token::Op(")"),
            ] if module == "getopt" => {
                let comma = rest.iter().position(|token| *token == Token::Op(","));
                &rest[..comma.unwrap_or(rest.len())]
            }
            // Rust's `env::args()`, Elixir's `System.argv()`
            [rest @ .., words @ Token::Name(name), Token::Op("("), Token::Op(")")]
                if rest.len() < 5 && matches!(name.as_str(), "args" | "argv") =>
            {
                return std::slice::from_ref(words);
            }
            _ => return tokens,
        };
        tokens = inner;
    }
    tokens
}

/// The only text among these tokens, where nothing else than what copies it stands around it: `&"--yes".to_string()`.
fn only_text(tokens: &[Token]) -> Option<&String> {
    let mut texts = tokens.iter().filter_map(|token| match token {
        Token::Text(text) => Some(text),
        _ => None,
    });
    let is_plain = |token: &Token| match token {
        Token::Text(_) | Token::Op("&" | "." | "(" | ")" | "::") => true,
        Token::Name(word) => {
            matches!(word.as_str(), "to_string" | "to_owned" | "into" | "String" | "from" | "as_str" | "true")
        }
        _ => false,
    };
    texts.next().filter(|_| texts.next().is_none() && tokens.iter().all(is_plain))
}

impl Follower<'_> {
    /// `"--force" in sys.argv`, `process.argv.includes("--force")`, `new Set(argv).has("--force")`,
    /// `args.iter().any(|word| word == "--force")`, `argv.indexOf("--force") >= 0`
    pub(super) fn contained(&self, from: usize, to: usize) -> Option<bool> {
        if to.saturating_sub(from) < 3 || to - from > MAX_QUESTION || !self.is_known_call() {
            return None;
        }
        let tokens = self.code.tokens.get(from..to)?;
        let (literal, holds) = self.sought(tokens)?;
        Some(self.given.arguments.contains(&literal) == holds)
    }

    /// The word that these tokens look for among those of the call, and whether they hold where it is there.
    fn sought(&self, tokens: &[Token]) -> Option<(String, bool)> {
        let words = |tokens: &[Token]| self.is_all(tokens);
        match tokens {
            [Token::Text(literal), Token::Name(word), rest @ ..] if word == "in" && words(rest) => {
                return Some((literal.clone(), true));
            }
            // Kotlin's `"x" !in args` comes as two tokens.
            [Token::Text(literal), Token::Name(not), Token::Name(word), rest @ ..]
                if not == "not" && word == "in" && words(rest) =>
            {
                return Some((literal.clone(), false));
            }
            [Token::Text(literal), Token::Op("!"), Token::Name(word), rest @ ..]
                if word == "in" && words(rest) =>
            {
                return Some((literal.clone(), false));
            }
            [Token::Text(literal), Token::Op("%"), Token::Name(word), Token::Op("%"), rest @ ..]
                if word == "in" && words(rest) =>
            {
                return Some((literal.clone(), true));
            }
            // Perl's `grep { $_ eq "x" } @ARGV`
            [
                Token::Name(asks),
                Token::Op("{"),
                Token::Variable(_),
                Token::Name(eq),
                Token::Text(literal),
                Token::Op("}"),
                rest @ ..,
            ] if matches!(asks.as_str(), "grep" | "any" | "first") && eq == "eq" && words(rest) => {
                return Some((literal.clone(), true));
            }
            // `in_array("x", $argv, true)`, Go's `slices.Contains(os.Args, "x")`, Elixir's `Enum.member?(args, "x")`
            [head @ .., Token::Op(")")] => {
                let open = tokens.iter().position(|token| *token == Token::Op("("));
                if let Some(open) = open
                    && let Some(Token::Name(function)) = tokens.get(open.wrapping_sub(1))
                    && matches!(
                        function.as_str(),
                        "in_array"
                            | "Contains"
                            | "member?"
                            | "contains"
                            | "ContainsString"
                            | "array_search"
                            | "any"
                            | "grep"
                    )
                    && let Some((literal, true)) = self.among_arguments(&head[open + 1..])
                {
                    return Some((literal, true));
                }
            }
            _ => {}
        }
        self.sought_by_method(tokens)
    }

    /// One argument is the word, the other one all words of the call.
    fn among_arguments(&self, arguments: &[Token]) -> Option<(String, bool)> {
        let mut depth = 0;
        let comma = arguments.iter().position(|token| {
            match token {
                Token::Op("(" | "[" | "{") => depth += 1,
                Token::Op(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
            depth == 0 && *token == Token::Op(",")
        })?;
        let (one, other) = (&arguments[..comma], super::decided::without_strictness(&arguments[comma + 1..]));
        let is_all = |tokens: &[Token]| self.is_all(tokens);
        match (only_text(one), only_text(other)) {
            (Some(literal), _) if is_all(other) => Some((literal.clone(), true)),
            (_, Some(literal)) if is_all(one) => Some((literal.clone(), true)),
            _ => None,
        }
    }

    /// `words.includes("x")`, `words.some((word) => word === "x")`, `words.indexOf("x") !== -1`
    fn sought_by_method(&self, tokens: &[Token]) -> Option<(String, bool)> {
        // The method is the last one that stands in no brackets.
        let mut depth = 0;
        let mut method = None;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Op("." | "?.") if depth == 0 => method = Some(at),
                Token::Op("(" | "[" | "{") => depth += 1,
                Token::Op(")" | "]" | "}") => depth -= 1,
                _ => {}
            }
        }
        let dot = method.filter(|&dot| self.is_all(&tokens[..dot]))?;
        let Some(Token::Name(name)) = tokens.get(dot + 1) else { return None };
        let rest = &tokens[dot + 2..];
        match rest {
            [Token::Op("("), inner @ .., Token::Op(")")]
                if HAS.contains(&name.as_str()) && only_text(inner).is_some() =>
            {
                Some((only_text(inner)?.clone(), true))
            }
            [Token::Op("(" | "{"), inner @ .., Token::Op(")" | "}")]
                if ASKS_EACH.contains(&name.as_str()) =>
            {
                let compares = |pair: &[Token]| match pair {
                    [Token::Op("==" | "===") | Token::Name(_), Token::Text(text)] => {
                        (!matches!(&pair[0], Token::Name(word) if word != "eq")).then(|| text.clone())
                    }
                    _ => None,
                };
                let is_one = inner.iter().filter(|token| matches!(token, Token::Text(_))).count() == 1
                    && !inner.iter().any(|token| is(Some(token), &["||", "&&", "or", "and", "!", "not"]));
                inner.windows(2).find_map(compares).filter(|_| is_one).map(|text| (text, true))
            }
            [Token::Op("("), .., Token::Number(number)] if matches!(name.as_str(), "indexOf" | "IndexOf") => {
                let close = rest.iter().position(|token| *token == Token::Op(")"))?;
                let holds = match (&rest[close + 1..rest.len() - 1], number.as_str()) {
                    ([Token::Op("!==" | "!=" | ">"), Token::Op("-")], "1") | ([Token::Op(">=")], "0") => true,
                    ([Token::Op("===" | "=="), Token::Op("-")], "1") | ([Token::Op("<")], "0") => false,
                    _ => return None,
                };
                Some((only_text(&rest[1..close])?.clone(), holds))
            }
            _ => None,
        }
    }

    /// The word of the call for which these tokens ask by its place, or what counts where the call does not give it:
    /// `args.firstOrNull() ?: "plan"`, `get(ARGS, 1, "plan")`, `env::args().nth(1).unwrap_or_default()`.
    pub(super) fn asked_word(&mut self, from: usize, to: usize) -> Option<Value> {
        if to.saturating_sub(from) < 3 || to - from > MAX_QUESTION || !self.is_known_call() {
            return None;
        }
        let code = Rc::clone(&self.code);
        let tokens = code.tokens.get(from..to)?;
        let names = tokens.iter().take(6).position(|token| {
            is_words(self.language, token)
                || matches!(token, Token::Name(name) | Token::Variable(name) if self.all_of_call.contains(name))
        })?;
        let is_path = |token: &Token| matches!(token, Token::Name(_) | Token::Op("." | "::" | "&"));
        // `get(ARGS, 1, "plan")`, Elixir's `Enum.at(System.argv(), 0)`
        let function = tokens[..names].iter().rposition(|token| *token == Token::Op("("));
        let asks = |word: Option<&Token>| is(word, &["get", "at", "hd", "first", "next", "fetch", "Arg"]);
        if let Some(open) = function
            && open > 0
            && asks(tokens.get(open - 1))
        {
            // All of it is this one call.
            if !tokens[..open].iter().all(is_path) {
                return None;
            }
            let inner = tokens.get(open + 1..code.mate(from + open).checked_sub(from)?)?;
            let comma = inner.iter().position(|token| *token == Token::Op(","));
            let list = from + open + 1;
            let end = comma.map_or(list + inner.len(), |comma| list + comma);
            let rest = comma.map_or(&[][..], |comma| &inner[comma + 1..]);
            let (place, default) = match rest {
                [] => (0, &[][..]),
                [Token::Number(place)] => (place.parse().ok()?, &[][..]),
                [Token::Number(place), Token::Op(","), default @ ..] => (place.parse().ok()?, default),
                default => (0, default),
            };
            let after = tokens.get(code.mate(from + open) + 1 - from..)?;
            let place = if self.language == Language::Julia { usize::checked_sub(place, 1)? } else { place };
            if !after.is_empty() && !default.is_empty() {
                return None;
            }
            let default = if default.is_empty() { after } else { default };
            return self.word_or((list, end), place, default);
        }
        if !tokens[..names].iter().all(is_path) {
            return None;
        }
        let (words, place, rest) = place_asked(tokens, names)?;
        // Each takes the next one.
        let shifts = |token: &&Token| matches!(token, Token::Name(word) if word == "shift");
        let in_turns = || ["while", "until", "loop", "each", "times"].iter().any(|word| self.names(word));
        if tokens.iter().any(|token| shifts(&token))
            && (in_turns() || code.tokens.iter().filter(shifts).count() > 1)
        {
            return None;
        }
        self.word_or((from, from + words), place, rest)
    }

    /// The word at a place of these words, or the text that counts where it is missing.
    fn word_or(&mut self, (from, to): (usize, usize), place: usize, default: &[Token]) -> Option<Value> {
        let is_unwrapped = |token: &Token| match token {
            Token::Op("." | "(" | ")" | "||" | "??" | "?:" | "//" | "|" | "{" | "}" | "!" | "!!")
            | Token::Text(_) => true,
            Token::Name(word) => matches!(
                word.as_str(),
                "unwrap"
                    | "unwrap_or"
                    | "unwrap_or_else"
                    | "unwrap_or_default"
                    | "to_string"
                    | "to_owned"
                    | "into"
                    | "String"
                    | "from"
                    | "or"
                    | "orElse"
                    | "getOrElse"
                    | "as_deref"
                    | "as_str"
                    | "trim"
                    | "expect"
                    | "clone"
                    | "orEmpty"
                    | "get"
                    | "to_sym"
            ),
            _ => false,
        };
        if !default.iter().all(is_unwrapped) {
            return None;
        }
        let mut texts = default.iter().filter_map(|token| match token {
            Token::Text(text) => Some(text),
            _ => None,
        });
        let is_empty = default.iter().any(|token| is(Some(token), &["unwrap_or_default", "orEmpty"]));
        let expects = default.iter().any(|token| is(Some(token), &["expect"]));
        let default = texts.next().filter(|_| !expects);
        if texts.next().is_some() {
            return None;
        }
        if !self.is_all(self.code.tokens.get(from..to)?) {
            return None;
        }
        let list = self.inside(Rc::clone(&self.code), from, to, Self::assignment);
        let given = match &list {
            Value::List(words) => words.get(place).and_then(Value::known),
            _ if self.given.arguments.is_empty() => None,
            _ => return None,
        };
        let missing = || match default {
            Some(text) => Value::from(text.as_str()),
            None if is_empty => Value::from(""),
            None => Value::from(mark::UNSET),
        };
        Some(given.map_or_else(missing, Value::from))
    }
}

/// How many of these tokens name the words, of which the first one stands at `names`; the place that is asked for; and
/// what follows: `args.getOrNull(0) ?: "x"`.
fn place_asked(tokens: &[Token], names: usize) -> Option<(usize, usize, &[Token])> {
    let mut at = names + 1;
    if is(tokens.get(at), &["("]) && is(tokens.get(at + 1), &[")"]) {
        at += 2;
    }
    let words = at;
    let mut skipped = 0;
    while let [Token::Op("."), Token::Name(skips), Token::Op("("), Token::Number(number), Token::Op(")"), ..] =
        tokens.get(at..)?
        && matches!(skips.as_str(), "skip" | "drop" | "Skip")
    {
        skipped += number.parse::<usize>().ok()?;
        at += 5;
    }
    let (place, width) = match tokens.get(at..)? {
        [Token::Op("." | "?."), Token::Name(first), Token::Op("("), Token::Op(")"), ..]
            if matches!(
                first.as_str(),
                "firstOrNull" | "first" | "FirstOrDefault" | "head" | "findFirst"
            ) || first == "next" && skipped > 0 =>
        {
            (0, 4)
        }
        [Token::Op("." | "?."), Token::Name(first), ..]
            if matches!(first.as_str(), "first" | "headOption" | "shift") =>
        {
            (0, 2)
        }
        [Token::Op("." | "?."), Token::Name(asks), Token::Op("("), Token::Number(number), rest @ ..]
            if matches!(
                asks.as_str(),
                "nth"
                    | "getOrNull"
                    | "elementAtOrNull"
                    | "get"
                    | "at"
                    | "ElementAtOrDefault"
                    | "fetch"
                    | "getOrElse"
                    | "elementAt"
                    | "lift"
                    | "dig"
            ) =>
        {
            let place = number.parse::<usize>().ok()?;
            // `fetch(0, "plan")`
            match rest {
                [Token::Op(")"), ..] => (place, 5),
                [Token::Op(","), Token::Text(_), Token::Op(")")] => {
                    return Some((words, place + skipped, &rest[1..2]));
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    // Rust's `.map(|word| word.as_str())`
    let rest = match tokens.get(at + width..)? {
        [
            Token::Op("."),
            Token::Name(map),
            Token::Op("("),
            Token::Op("|"),
            Token::Name(_),
            Token::Op("|"),
            Token::Name(_),
            Token::Op("."),
            Token::Name(_),
            Token::Op("("),
            Token::Op(")"),
            Token::Op(")"),
            rest @ ..,
        ]
        | [
            Token::Op("."),
            Token::Name(map),
            Token::Op("("),
            Token::Name(_),
            Token::Op("." | "::"),
            Token::Name(_),
            Token::Op(")"),
            rest @ ..,
        ] if map == "map" => rest,
        rest => rest,
    };
    Some((words, place + skipped, rest))
}
