//! A member of an administrator's settings that keeps users from switching hooks off. It stands right after the first
//! bracket, where no one else writes without a blank: so it is known again, and taken out to the byte.

use host::tree;

/// The settings with it; what an administrator says there already stays.
pub(super) fn with(text: String, member: Option<&str>) -> String {
    let Some((member, start)) = member.zip(inside(&text)) else { return text };
    let key = member.split('"').nth(1).unwrap_or_default();
    let is_there = tree::parse(&text).is_ok_and(|document| document.root.get(key).is_some());
    if is_there { text } else { format!("{}{member},{}", &text[..start], &text[start..]) }
}

/// The settings without it.
pub(super) fn without(text: &str, member: Option<&str>) -> String {
    let Some((member, start)) = member.zip(inside(text)) else { return text.to_owned() };
    let rest = text[start..].strip_prefix(member).and_then(|rest| rest.strip_prefix(','));
    rest.map_or_else(|| text.to_owned(), |rest| format!("{}{rest}", &text[..start]))
}

/// Where the outermost object begins inside.
fn inside(text: &str) -> Option<usize> {
    let document = tree::parse(text).ok()?;
    document.root.is_object().then_some(document.root.span.start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: Option<&str> = Some(r#""a": {"on": true}"#);

    #[test]
    fn what_is_put_in_is_taken_out_to_the_byte() {
        for text in
            ["{ \"hooks\": {} }", "\u{feff}{\n  // why\n  \"hooks\": {}\n}\n", "{\"b\":1,\"hooks\":{}}"]
        {
            let pinned = with(text.to_owned(), MEMBER);
            assert!(tree::parse(&pinned).unwrap().root.at("a").is_some(), "{pinned}");
            assert_eq!(with(pinned.clone(), MEMBER), pinned);
            assert_eq!(without(&pinned, MEMBER), text);
        }
    }

    #[test]
    fn what_an_administrator_says_stays() {
        for text in
            ["{\"a\": {\"on\": false}, \"hooks\": {}}", "{\"hooks\": {}, \"a\": {\"on\": true}}", "[]", "{"]
        {
            assert_eq!(with(text.to_owned(), MEMBER), text);
            assert_eq!(without(text, MEMBER), text);
        }
        assert_eq!(with("{\"b\": 1}".to_owned(), None), "{\"b\": 1}");
    }
}
