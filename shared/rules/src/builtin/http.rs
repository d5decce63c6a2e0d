//! Requests that a command line sends: curl, wget, `HTTPie` and the like.

use std::borrow::Cow;

use crate::command::Command;

/// What a request asks of a server.
pub(super) struct Request<'a> {
    /// `GET`, `DELETE` …, in capitals.
    pub(super) method: Cow<'a, str>,
    /// Everything that may be its address.
    pub(super) urls: Vec<&'a str>,
    /// What it sends.
    pub(super) bodies: Vec<&'a str>,
}

impl<'a> Request<'a> {
    /// The request of a program that sends one.
    pub(super) fn of(command: &Command<'a>) -> Option<Self> {
        if !command.is_kind(const { catalog::kind("http-client") }) || command.only_asks() {
            return None;
        }
        let mut request = Self { method: Cow::Borrowed("GET"), urls: Vec::new(), bodies: Vec::new() };
        if command.name.starts_with("Invoke-") {
            request.ask(
                command
                    .parameter("Method")
                    .chain(command.parameter("CustomMethod"))
                    .next()
                    .map(|arg| &*arg.text),
            );
            request.urls.extend(command.parameter("Uri").map(|arg| arg.text.as_str()));
            request.bodies.extend(command.parameter("Body").map(|arg| arg.text.as_str()));
            return Some(request);
        }
        let mut args = command.args().iter().map(|arg| arg.text.as_str());
        while let Some(text) = args.next() {
            if let Some(long) = text.strip_prefix("--") {
                let (name, inline) =
                    long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                match name {
                    "request" | "method" => request.ask(inline.or_else(|| args.next())),
                    "url" => request.urls.extend(inline.or_else(|| args.next())),
                    "data" | "data-raw" | "data-binary" | "data-urlencode" | "json" | "form"
                    | "body-data" | "post-data" => {
                        request.bodies.extend(inline.or_else(|| args.next()));
                    }
                    "header" | "user" | "output" | "user-agent" | "cookie" | "max-time" | "cacert"
                    | "cert" | "key" | "proxy" | "retry" | "write-out" | "connect-timeout" | "config"
                        if inline.is_none() =>
                    {
                        args.next();
                    }
                    _ => {}
                }
            } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                // `-sX DELETE`, `-XDELETE`, `-d body`: the first letter with a value takes the rest.
                let Some(at) = letters.find(|c| "XdFHuoAebcTmxUErCQtwyzDKP".contains(c)) else { continue };
                let rest = &letters[at + 1..];
                let value = if rest.is_empty() { args.next() } else { Some(rest) };
                match letters.as_bytes()[at] {
                    b'X' => request.ask(value),
                    b'd' | b'F' => request.bodies.extend(value),
                    _ => {}
                }
            } else if !matches!(&*command.name, "curl" | "wget")
                && (text.chars().all(|c| c.is_ascii_uppercase())
                    || matches!(text, "delete" | "put" | "patch"))
            {
                // `HTTPie` has the method as its first operand.
                request.ask(Some(text));
            } else {
                request.urls.push(text);
            }
        }
        Some(request)
    }

    fn ask(&mut self, method: Option<&'a str>) {
        if let Some(method) = method {
            self.method = Cow::Owned(method.to_ascii_uppercase());
        }
    }

    /// Whether it deletes what its address names.
    pub(super) fn deletes(&self) -> bool {
        self.method == "DELETE"
    }

    /// Whether its address holds one of the strings of a list, between which there are blanks.
    pub(super) fn reaches(&self, list: &str) -> bool {
        self.urls.iter().any(|url| list.split_ascii_whitespace().any(|part| url.contains(part)))
    }

    /// Whether its address holds one of these strings.
    pub(super) fn goes_to(&self, parts: &[&str]) -> bool {
        self.urls.iter().any(|url| parts.iter().any(|part| url.contains(part)))
    }
}
