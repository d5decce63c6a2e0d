//! The page: one file that loads nothing.
//!
//! Its policy allows this script and this style, by their digests, and nothing else: no request, no frame, no form, no
//! image. What records say is in it as JSON in which nothing can end the element that holds it, and, for readers without
//! scripts, as text that is escaped.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::proof::Proof;
use crate::story::{About, Story};

const STYLE: &str = include_str!("page/report.css");
const SCRIPT: &str = include_str!("page/report.js");
const BODY: &str = include_str!("page/report.html");

/// How every page of ours begins: a file that begins otherwise is not overwritten.
pub const BEGINNING: &str = "<!doctype html>\n<!-- policy-hooks: audit report -->\n";

/// How many denials are listed for who reads without scripts.
const LISTED: usize = 200;

/// What the page shows.
#[derive(Debug)]
pub enum Page<'p> {
    /// What is known now: a file.
    Whole { story: Story, about: &'p About, proofs: &'p [Proof] },
    /// A frame that asks for its data at the address from which it came: `data`, with a token.
    Live,
}

/// What the page's policy is, where it only asks its own address.
pub fn policy_of_live() -> String {
    format!("{}; connect-src 'self'; frame-ancestors 'none'", policy())
}

fn policy() -> String {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    )
}

/// The page as HTML.
pub fn page(page: Page<'_>) -> String {
    let (live, policy) = match &page {
        // Its server sends the policy as a header, which says more than an element can.
        Page::Live => (" data-live", String::new()),
        Page::Whole { .. } => {
            ("", format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy()))
        }
    };
    let mut html = format!(
        "{BEGINNING}<html lang=\"en\"{live}>\n<head>\n<meta charset=\"utf-8\">\n{policy}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"robots\" content=\"noindex\">\n\
         <title>Audit report</title>\n<style>{STYLE}</style>\n</head>\n{BODY}"
    );
    if let Page::Whole { story, about, proofs } = page {
        without_scripts(&mut html, &story, proofs);
        let data = text_of_script(&story.json(about, proofs));
        let _ = writeln!(html, "<script type=\"application/json\" id=\"data\">{data}</script>");
    }
    let _ = writeln!(html, "<script>{SCRIPT}</script>\n</body>\n</html>");
    html
}

/// JSON that can stand in an element for scripts, whatever its strings hold: nothing in it ends the element, begins a
/// comment, or breaks a line of a program. It means the same: outside of strings JSON has none of these letters.
pub fn text_of_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + json.len() / 16);
    for letter in json.chars() {
        // Also what no one sees, so that who reads the file itself sees it.
        let is_odd = matches!(letter, '<' | '>' | '&' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}');
        if is_odd {
            let _ = write!(text, "\\u{:04x}", u32::from(letter));
        } else {
            text.push(letter);
        }
    }
    text
}

/// Text that is text wherever it stands in HTML. What steers a reader's layout or is not seen is shown as `·`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            '\n' | '\t' => out.push(letter),
            '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' => {
                out.push('·');
            }
            letter => out.push(letter),
        }
    }
    out
}

/// What is seen where scripts do not run, as in a mail program: the proof, and what was denied last.
fn without_scripts(html: &mut String, story: &Story, proofs: &[Proof]) {
    html.push_str("<noscript><div class=\"wrap\">\n");
    for proof in proofs {
        let _ = writeln!(
            html,
            "<p><b>{}</b>: {} {}</p>",
            proof.word(),
            escaped(&proof.said),
            escaped(&proof.anchor)
        );
    }
    html.push_str("<h2>Denied, newest first</h2>\n<table><tr><th>When</th><th>Where</th><th>Rule</th><th>What would have run</th></tr>\n");
    for [when, place, rule, what] in story.denials().take(LISTED) {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"w\">{}</td></tr>",
            escaped(&when),
            escaped(&place),
            escaped(&rule),
            escaped(&what)
        );
    }
    html.push_str("</table>\n</div></noscript>\n");
}

#[cfg(test)]
mod tests {
    use audit::Record;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const HOSTILE: [&str; 12] = [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "]]><img src=x onerror=alert(1)>",
        "\"'` onmouseover=alert(1) x=\"",
        "&lt;script&gt;",
        "</noscript><svg onload=alert(1)>",
        "</STYLE\u{0}><base href=//evil>",
        "\u{202e}txt.exe\u{2066}\u{2069}",
        "a\u{2028}b\u{2029}c\u{0}d\u{1b}[2J",
        "javascript:alert(1)",
        "${alert(1)}`",
        "<\u{200b}/script>",
    ];

    fn story(text: &str) -> Story {
        let mut story = Story::default();
        let value = json!({
            "v": 1, "id": text, "ts": "2026-11-22T05:01:26.123456Z", "kind": "decision", "event": text, "host": text,
            "session": text, "call": text, "machine": text, "user": text, "command": text, "cwd": text,
            "repo": {"root": text, "branch": text}, "tool": {"name": text, "kind": text}, "error": text,
            "decision": {"value": "deny", "rule": text, "reason": text, "approval": text, "enforced": true},
            "by": {"name": text, "version": text, "policy": text}, "files": [{"path": text, "sha256": text}],
        });
        story.add(&Record::parse(value.to_string().as_bytes()).unwrap());
        story
    }

    fn html(text: &str) -> String {
        let about = About { filter: text.to_owned(), version: text.to_owned(), ..About::default() };
        let proofs = [Proof::unknown(text.as_ref(), text)];
        page(Page::Whole { story: story(text), about: &about, proofs: &proofs })
    }

    /// Every element that the page opens, comment and declaration.
    fn tags(html: &str) -> Vec<&str> {
        html.split('<').skip(1).map(|rest| rest.split([' ', '>', '\n']).next().unwrap()).collect()
    }

    #[test]
    fn what_records_say_adds_no_element_and_no_attribute() {
        let plain = html("plain");
        for text in HOSTILE {
            let hostile = html(text);
            assert_eq!(tags(&hostile), tags(&plain), "{text}");
            let hidden =
                |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\0' | '\u{1b}');
            assert!(!hostile.replace(SCRIPT, "").chars().any(hidden), "{text:?}");
        }
    }

    #[test]
    fn the_data_means_what_the_records_say() {
        for text in HOSTILE {
            let html = html(text);
            let (_, rest) = html.split_once("id=\"data\">").unwrap();
            let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
            assert_eq!(data["rows"][0]["decisions"][0]["reason"], text);
            assert_eq!((&data["sessions"][0]["repo"], &data["filter"]), (&text.into(), &text.into()));
        }
    }

    #[test]
    fn the_policy_names_what_stands_in_the_page_and_allows_nothing_else() {
        let html = html("plain");
        let (_, rest) = html.split_once("content=\"").unwrap();
        let policy = rest.split_once('"').unwrap().0;
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"), "{policy}");
        for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
            let inside = html.split_once(open).unwrap().1.split_once(close).unwrap().0;
            assert!(policy.contains(&STANDARD.encode(Sha256::digest(inside))), "{open}");
        }
        // Ahead of everything that it is about.
        assert!(html.find("http-equiv").unwrap() < html.find("<style>").unwrap());
        assert!(policy_of_live().contains("connect-src 'self'"));
        for word in ["http://", "https://", "src=", "@import", "url("] {
            let shell = page(Page::Live);
            let own =
                ["http://www.w3.org/2000/svg"].iter().fold(shell, |text, known| text.replace(known, ""));
            assert!(!own.contains(word), "{word}");
        }
    }

    /// What is put together by the browser is put in as text: these would parse it.
    #[test]
    fn the_script_parses_no_markup() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "DOMParser",
            "srcdoc",
            "setHTML",
            "createContextualFragment",
        ] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_text_stays_text(text in "\\PC{0,40}|[<>&\"'/!\\-a-z\u{2028}\u{202e}\u{0}-\u{1f}]{0,40}") {
            prop_assert!(!escaped(&text).contains(['<', '>', '"', '\'']));
            let json = serde_json::to_string(&text).unwrap();
            let inert = text_of_script(&json);
            let ends = inert.contains(['<', '>', '&', '\u{2028}']);
            prop_assert!(!ends);
            prop_assert_eq!(serde_json::from_str::<String>(&inert).unwrap(), text);
        }
    }
}
