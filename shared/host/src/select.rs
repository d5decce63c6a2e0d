//! Which hooks an event calls.

use crate::event;
use crate::hook::Hook;
use crate::record::Product;
use crate::request::{Request, Subject};

/// The hooks that a host calls for an event, in its order.
///
/// Hooks that only this host skips, such as identical ones on Claude Code, are left out.
pub fn select<'a>(product: Product, hooks: &'a [Hook], request: &Request) -> Vec<&'a Hook> {
    let mut chosen: Vec<&Hook> = Vec::new();
    for hook in hooks {
        let fits = hook.kind == request.kind
            && is_asked(product, hook, request)
            && hook.matcher.matches(&request.names_in(product, event::of_matchers(product, &hook.key)))
            && hook.condition.as_deref().is_none_or(|rule| condition(rule, request));
        // Some hosts run identical commands once.
        let again = product.once.value && chosen.iter().any(|earlier| earlier.action == hook.action);
        if fits && !again {
            chosen.push(hook);
        }
    }
    chosen
}

/// Whether the hook's event is called for the tool of the request.
fn is_asked(product: Product, hook: &Hook, request: &Request) -> bool {
    match &request.subject {
        Subject::Tool { name, .. } => event::is_for(product, &hook.key, name),
        _ => true,
    }
}

/// Claude's `if`: a permission rule such as `Bash(git *)`, where `*` stands for anything.
fn condition(rule: &str, request: &Request) -> bool {
    let Subject::Tool { name, input, .. } = &request.subject else { return false };
    let Some((tool, pattern)) = rule.trim().strip_suffix(')').and_then(|rule| rule.split_once('(')) else {
        // A rule without brackets is a tool's name alone.
        return rule.trim() == name;
    };
    let text = ["command", "file_path", "path", "url"].iter().find_map(|key| input.get(key)?.as_str());
    tool.trim() == name
        // `git:*` is an older way to write the same.
        && text.is_some_and(|text| wildcard(pattern.replace(":*", "*").as_bytes(), text.as_bytes()))
}

/// Whether a string fits a pattern in which `*` stands for anything, without recursion.
fn wildcard(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(byte) if *byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    // The last star takes one letter more; earlier ones never need to be tried again.
                    star = Some((at, from + 1));
                    p = at + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use payload::EventKind;

    #[test]
    fn conditions_look_at_the_command() {
        let call = |command| Request::shell(EventKind::PreToolUse, Product::CLAUDE, command, "/p");
        for (rule, command, expected) in [
            ("Bash", "ls", true),
            ("Edit", "ls", false),
            ("Bash(git *)", "git status", true),
            ("Bash(git:*)", "git status", true),
            ("Bash(git *)", "rm x", false),
            ("Bash(*--force*)", "git push --force origin", true),
            ("Bash(a*b*c)", "axxbyyc", true),
            ("Bash(a*b*c)", "axxbyy", false),
        ] {
            assert_eq!(condition(rule, &call(command)), expected, "{rule} {command}");
        }
        assert!(!condition("Bash(git *)", &Request::new(EventKind::Stop, "/p")));
    }
}
