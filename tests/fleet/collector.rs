//! A receiver over HTTP that does what a test wants: takes, refuses, babbles, is slow.

use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use tiny_http::{Header, Response, Server};

/// What a receiver answers.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// Takes it.
    Take,
    /// Takes it, and answers with this body.
    Say(&'static str),
    /// Takes nothing, with this status and perhaps a header.
    Refuse(u16, Option<(&'static str, &'static str)>),
    /// Takes it, and answers with what is not HTTP.
    TakeAndBabble,
    /// Takes nothing, and answers with what is not HTTP.
    Babble,
    /// Takes it after a while.
    Slow(Duration),
}

/// A request that was taken.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

pub(super) struct Collector {
    pub(super) port: u16,
    taken: Arc<Mutex<Vec<Taken>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Collector {
    /// Answers the request with the number n, from 0, as `answer` says.
    pub(super) fn start(answer: impl Fn(usize, &Taken) -> Reply + Send + 'static) -> Self {
        Self::start_at("127.0.0.1:0", answer)
    }

    pub(super) fn start_at(address: &str, answer: impl Fn(usize, &Taken) -> Reply + Send + 'static) -> Self {
        let server = Server::http(address).unwrap();
        let port = server.server_addr().to_ip().unwrap().port();
        let (taken, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (kept, ended) = (Arc::clone(&taken), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            let mut number = 0;
            while !ended.load(Ordering::Relaxed) {
                let Ok(Some(mut request)) = server.recv_timeout(Duration::from_millis(20)) else { continue };
                let mut body = Vec::new();
                let whole = request.body_length();
                // A shipper that is killed while it sends leaves a part, which no receiver takes.
                if request.as_reader().read_to_end(&mut body).is_err()
                    || whole.is_some_and(|whole| whole != body.len())
                {
                    continue;
                }
                let headers = request.headers().iter();
                let headers =
                    headers.map(|header| (header.field.to_string().to_lowercase(), header.value.to_string()));
                let headers: Vec<(String, String)> = headers.collect();
                if headers.iter().any(|(name, value)| name == "content-encoding" && value == "gzip") {
                    let mut plain = Vec::new();
                    flate2::read::GzDecoder::new(body.as_slice()).read_to_end(&mut plain).unwrap();
                    body = plain;
                }
                let asked = Taken { path: request.url().to_owned(), headers, body };
                let reply = answer(number, &asked);
                number += 1;
                let takes =
                    matches!(reply, Reply::Take | Reply::Say(_) | Reply::TakeAndBabble | Reply::Slow(_));
                if takes {
                    kept.lock().unwrap().push(asked);
                }
                let answer = match reply {
                    Reply::Take => Response::from_string(""),
                    Reply::Say(text) => Response::from_string(text),
                    Reply::Refuse(status, header) => {
                        let answer = Response::from_string("no").with_status_code(status);
                        match header {
                            Some((name, value)) => {
                                answer.with_header(Header::from_bytes(name, value).unwrap())
                            }
                            None => answer,
                        }
                    }
                    Reply::Slow(pause) => {
                        std::thread::sleep(pause);
                        Response::from_string("")
                    }
                    Reply::Babble | Reply::TakeAndBabble => {
                        let _ = request.into_writer().write_all(b"220 mail.example.com ESMTP\r\n\r\n");
                        continue;
                    }
                };
                let _ = request.respond(answer);
            }
        });
        Self { port, taken, stop, thread: Some(thread) }
    }

    pub(super) fn taken(&self) -> Vec<Taken> {
        self.taken.lock().unwrap().clone()
    }

    /// How many records were taken as OTLP, each as often as it came.
    pub(super) fn count(&self) -> usize {
        let taken = self.taken.lock().unwrap();
        // Each has its line in the body, which says its number once.
        taken.iter().map(|taken| memchr::memmem::find_iter(&taken.body, b"policy_hooks.seq").count()).sum()
    }

    /// The log's lines in what was taken as OTLP, in protobuf or JSON.
    pub(super) fn lines(&self) -> Vec<String> {
        self.taken().iter().flat_map(lines).collect()
    }
}

/// The log's lines in one request.
pub(super) fn lines(taken: &Taken) -> Vec<String> {
    let is_protobuf = taken.headers.iter().any(|(_, value)| value == "application/x-protobuf");
    if !is_protobuf {
        return super::lines_of(&taken.body);
    }
    let mut lines = Vec::new();
    let visit = |line: &[u8]| lines.push(String::from_utf8(line.to_vec()).unwrap());
    assert_eq!(export::back::protobuf(taken.body.as_slice(), visit).unwrap(), 0);
    lines
}

impl Drop for Collector {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
