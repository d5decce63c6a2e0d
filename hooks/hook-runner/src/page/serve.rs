//! The live view: for the person who started it, on this machine, until it is interrupted.
//!
//! It listens on the loopback address only. The page itself holds nothing and is given to anyone; its data needs the
//! token, which is in the part of the address that browsers keep to themselves, and is sent as a header: no other site
//! can send it without being asked first, and no one is ever told yes. A request under another name than this machine's
//! own is refused, so that a name that someone points here (DNS rebinding) reads nothing.

use std::net::Ipv4Addr;

use report::{Page, page, policy_of_live};
use tiny_http::{Header, Method, Request, Response, Server};

use super::{Content, Source};
use crate::Done;
use crate::fault::Fault;
use crate::paint::Screen;

/// How long a token is, in bytes.
const TOKEN: usize = 32;

/// Serves until it is interrupted.
pub(super) fn serve(source: Source, port: u16, screen: &Screen) -> Done {
    let server = Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        Fault::usage(
            format!("Port {port} of this machine cannot be used: {error}."),
            "Choose another: --port N.",
        )
    })?;
    let port = server.server_addr().to_ip().map_or(port, |address| address.port());
    let mut view = View { token: token()?, port, source, kept: None };
    screen.say(&format!(
        "http://127.0.0.1:{port}/#token={}\n\nOpen it in a browser on this machine; Ctrl-C ends it.\n",
        view.token
    ))?;
    for request in server.incoming_requests() {
        let asked = Asked::of(&request);
        let answer = view.answer(&asked);
        // Whoever has gone away meanwhile needs no answer.
        let _ = request.respond(answer.response());
    }
    Ok(crate::fault::Exit::Fine)
}

fn token() -> Result<String, Fault> {
    let mut bytes = [0; TOKEN];
    getrandom::fill(&mut bytes).map_err(|error| Fault::Output(std::io::Error::other(error.to_string())))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What matters of a request.
#[derive(Debug, Default, Clone)]
struct Asked {
    is_get: bool,
    path: String,
    /// All of them: two would be read differently by different readers.
    hosts: Vec<String>,
    authorization: String,
    origin: Option<String>,
    site: String,
    known: String,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let all = |name: &'static str| {
            let named = request.headers().iter().filter(move |header| header.field.equiv(name));
            named.map(|header| header.value.as_str().to_owned()).collect::<Vec<_>>()
        };
        let one = |name| all(name).into_iter().next();
        Self {
            is_get: *request.method() == Method::Get,
            path: request.url().to_owned(),
            hosts: all("Host"),
            authorization: one("Authorization").unwrap_or_default(),
            origin: one("Origin"),
            site: one("Sec-Fetch-Site").unwrap_or_default(),
            known: one("If-None-Match").unwrap_or_default(),
        }
    }
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Answer {
    status: u16,
    kind: &'static str,
    body: String,
    etag: String,
}

impl Answer {
    fn word(status: u16, body: &str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: body.to_owned(), etag: String::new() }
    }

    fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("Content-Type", self.kind.to_owned()),
            ("Cache-Control", "no-store".to_owned()),
            ("Content-Security-Policy", policy_of_live()),
            ("X-Content-Type-Options", "nosniff".to_owned()),
            ("X-Frame-Options", "DENY".to_owned()),
            ("Referrer-Policy", "no-referrer".to_owned()),
            ("Cross-Origin-Resource-Policy", "same-origin".to_owned()),
            ("Cross-Origin-Opener-Policy", "same-origin".to_owned()),
        ];
        if self.status == 405 {
            headers.push(("Allow", "GET".to_owned()));
        }
        if !self.etag.is_empty() {
            headers.push(("ETag", self.etag.clone()));
        }
        headers
    }

    fn response(self) -> Response<std::io::Cursor<Vec<u8>>> {
        let headers = self.headers();
        let mut response = Response::from_data(self.body.into_bytes()).with_status_code(self.status);
        for (name, value) in headers {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        response
    }
}

struct View {
    token: String,
    port: u16,
    source: Source,
    /// The data, with the state of the files that it was made of.
    kept: Option<(String, String)>,
}

impl View {
    fn answer(&mut self, asked: &Asked) -> Answer {
        if let Some(refusal) = refused(asked, self.port) {
            return refusal;
        }
        match asked.path.split(['?', '#']).next().unwrap_or_default() {
            "/" => Answer {
                status: 200,
                kind: "text/html; charset=utf-8",
                body: page(Page::Live),
                etag: String::new(),
            },
            "/data" if has_token(asked, &self.token) => self.data(&asked.known),
            "/data" => Answer::word(401, "The token is missing or wrong.\n"),
            _ => Answer::word(404, "Not here.\n"),
        }
    }

    fn data(&mut self, known: &str) -> Answer {
        let state = self.source.state();
        let is_fresh = self.kept.as_ref().is_some_and(|(kept, _)| *kept == state);
        if !is_fresh {
            match self.source.read() {
                Ok(Some(Content { story, about, proofs })) => {
                    self.kept = Some((state.clone(), story.json(&about, &proofs)));
                }
                Ok(None) => return Answer::word(500, "audit-logger could not read the log.\n"),
                Err(fault) => return Answer::word(500, &format!("{fault}\n")),
            }
        }
        let etag = format!("\"{}\"", digest(&state));
        if known == etag {
            return Answer { status: 304, kind: "application/json", body: String::new(), etag };
        }
        let body = self.kept.as_ref().map(|(_, data)| data.clone()).unwrap_or_default();
        Answer { status: 200, kind: "application/json", body, etag }
    }
}

/// Not a secret, only short.
fn digest(text: &str) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Why a request is not looked at further.
fn refused(asked: &Asked, port: u16) -> Option<Answer> {
    let own = |host: &str| {
        let name = host.strip_suffix(&format!(":{port}"));
        name.is_some_and(|name| name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
    };
    let [host] = asked.hosts.as_slice() else { return Some(Answer::word(403, "Not under this name.\n")) };
    if !own(host) {
        return Some(Answer::word(403, "Not under this name.\n"));
    }
    let foreign = asked
        .origin
        .as_deref()
        .is_some_and(|origin| origin.strip_prefix("http://").is_none_or(|host| !own(host)));
    // A person who follows a link, or types the address, comes from nowhere or from elsewhere: what they get then is the
    // page without data.
    let fetched_elsewhere =
        asked.path.starts_with("/data") && matches!(asked.site.as_str(), "cross-site" | "same-site");
    if foreign || fetched_elsewhere {
        return Some(Answer::word(403, "Not for other sites.\n"));
    }
    (!asked.is_get).then(|| Answer::word(405, "Only GET.\n"))
}

/// Whether the token is right, in a time that does not depend on how much of it is.
fn has_token(asked: &Asked, token: &str) -> bool {
    let given = asked.authorization.strip_prefix("Bearer ").unwrap_or_default();
    // Its length is known to everyone.
    given.len() == token.len() && {
        let differs = given
            .bytes()
            .zip(token.bytes())
            .fold(0, |differs, (one, other)| std::hint::black_box(differs | (one ^ other)));
        differs == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str) -> Asked {
        Asked {
            is_get: true,
            path: path.to_owned(),
            hosts: vec!["127.0.0.1:8000".to_owned()],
            ..Asked::default()
        }
    }

    #[test]
    fn only_this_machine_under_its_own_names_is_answered() {
        for (host, fine) in [
            ("127.0.0.1:8000", true),
            ("localhost:8000", true),
            ("LocalHost:8000", true),
            ("127.0.0.1:8001", false),
            ("127.0.0.1", false),
            ("evil.example:8000", false),
            ("127.0.0.1.evil.example:8000", false),
            ("localhost.:8000", false),
            ("[::1]:8000", false),
            ("evil@127.0.0.1:8000", false),
            ("", false),
        ] {
            let asked = Asked { hosts: vec![host.to_owned()], ..asked("/data") };
            assert_eq!(refused(&asked, 8000).is_none(), fine, "{host}");
        }
        assert!(refused(&Asked { hosts: Vec::new(), ..asked("/") }, 8000).is_some());
        let two = vec!["127.0.0.1:8000".to_owned(), "evil.example".to_owned()];
        assert!(refused(&Asked { hosts: two, ..asked("/") }, 8000).is_some());
    }

    #[test]
    fn other_sites_and_other_methods_are_refused() {
        let status = |asked: Asked| refused(&asked, 8000).map(|answer| answer.status);
        assert_eq!(status(asked("/")), None);
        assert_eq!(status(Asked { is_get: false, ..asked("/data") }), Some(405));
        for origin in ["null", "https://evil.example", "http://127.0.0.1:9", "https://127.0.0.1:8000"] {
            assert_eq!(
                status(Asked { origin: Some(origin.to_owned()), ..asked("/data") }),
                Some(403),
                "{origin}"
            );
        }
        let own = Asked { origin: Some("http://127.0.0.1:8000".to_owned()), ..asked("/data") };
        assert_eq!(status(own), None);
        for (site, expected) in
            [("cross-site", Some(403)), ("same-site", Some(403)), ("same-origin", None), ("none", None)]
        {
            assert_eq!(status(Asked { site: site.to_owned(), ..asked("/data") }), expected, "{site}");
        }
    }

    #[test]
    fn the_token_has_to_be_whole() {
        let token = token().unwrap();
        assert_eq!(token.len(), 2 * TOKEN);
        let with = |authorization: String| has_token(&Asked { authorization, ..asked("/data") }, &token);
        assert!(with(format!("Bearer {token}")));
        assert!(!with(token.clone()));
        assert!(!with(String::new()) && !with("Bearer ".to_owned()) && !with(format!("Bearer {token}0")));
        for at in 0..token.len() {
            let mut wrong = token.clone().into_bytes();
            wrong[at] ^= 1;
            assert!(!with(format!("Bearer {}", String::from_utf8(wrong).unwrap())), "{at}");
        }
    }

    #[test]
    fn no_answer_invites_other_sites() {
        for answer in [Answer::word(200, ""), Answer::word(401, ""), Answer::word(405, "")] {
            let headers = answer.headers();
            assert!(headers.iter().all(|(name, _)| !name.to_lowercase().starts_with("access-control")));
            assert!(headers.iter().any(|(name, value)| *name == "Content-Security-Policy"
                && value.contains("frame-ancestors 'none'")));
        }
    }
}
