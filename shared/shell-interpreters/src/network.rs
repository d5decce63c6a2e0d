//! Connections: what is sent through them, and who gets a shell at their other end.

use std::rc::Rc;

use shell_engine::{Arg, Flow, How, Redirect, Stage, Via, mark};

use super::act::Call;
use super::follow::Follower;
use super::value::{Arguments, Source, Value};

impl Follower<'_> {
    /// Opens a connection, or waits for one.
    pub(super) fn connect(&mut self, name: &str, arguments: &Arguments) {
        let mut address = Vec::new();
        for value in arguments.all() {
            match value {
                Value::List(parts) => address.extend(parts.iter().map(Value::text)),
                Value::Map(_) => {
                    address.extend(
                        ["host", "hostname", "port"].iter().filter_map(|key| value.get(key)).map(Value::text),
                    );
                }
                Value::Text(_) | Value::Number(_) => address.push(value.text()),
                _ => {}
            }
        }
        let anywhere = matches!(name, "accept" | "listen" | "bind");
        if address.is_empty() && !anywhere && name.is_empty() {
            return;
        }
        self.connected = Some(address.join("/"));
    }

    /// A method of a connection.
    pub(super) fn talk(&mut self, name: &str, arguments: &Arguments) -> Value {
        let call = Call::of(&Value::Socket, name, arguments);
        match name {
            "connect" | "bind" | "listen" | "accept" | "connect_ex" => {
                self.connect(name, arguments);
                let result = if name == "accept" {
                    Value::List(vec![Value::Socket, Value::unknown()])
                } else {
                    Value::Socket
                };
                self.callbacks(call, result)
            }
            "send" | "sendall" | "write" | "puts" | "print" | "sendto" | "end" | "syswrite" => {
                let address = self.connected.clone().unwrap_or_default();
                let source = arguments.all().find_map(Value::source);
                if let Some(source) = source {
                    let mut words = vec![Arg::from("nc")];
                    words.extend(address.split('/').map(Arg::from));
                    self.pipe_out(&source, words);
                }
                Value::from(mark::TOKEN)
            }
            "recv" | "read" | "gets" | "readline" | "makefile" | "readlines" | "receive" | "recvfrom"
            | "readpartial" | "each_line" | "getline" | "read_until" | "getInputStream" | "on"
            | "sysread" | "recv_into" | "readLine" => self.callbacks(call, Value::from(mark::REMOTE)),
            "setsockopt" | "settimeout" | "close" | "shutdown" | "getsockname" | "fileno" => {
                Value::from(mark::TOKEN)
            }
            _ => self.callbacks(call, Value::Socket),
        }
    }

    /// Asks an address, with whatever is sent along.
    pub(super) fn send(&mut self, name: &str, inputs: &[Value], arguments: &Arguments) -> Value {
        let mut inputs = inputs;
        // `requests.request("DELETE", url)`
        let mut method = match name {
            "delete" | "put" | "post" | "patch" => name.to_ascii_uppercase(),
            _ => "GET".to_owned(),
        };
        if let [Value::Text(first), rest @ ..] = inputs
            && matches!(
                first.text.to_ascii_uppercase().as_str(),
                "GET" | "POST" | "PUT" | "DELETE" | "PATCH" | "HEAD"
            )
        {
            method = first.text.to_ascii_uppercase();
            inputs = rest;
        }
        if let Some(named) = arguments.option("method").and_then(Value::known) {
            method = named.to_ascii_uppercase();
        }
        let url = inputs.first().map(|value| match value {
            Value::Map(_) => value.get("url").map_or_else(String::new, Value::text),
            value => value.text(),
        });
        let url = url.unwrap_or_default();
        // What signs someone in is not what is sent.
        let signs =
            |name: &str| matches!(name, "headers" | "auth" | "cookies" | "cert" | "verify" | "proxies");
        let named = arguments.named.iter().filter(|(name, _)| !signs(name)).map(|(_, value)| value);
        let mut source = None;
        for value in inputs.iter().chain(&arguments.values).chain(named) {
            let found = match value {
                Value::Map(entries) => {
                    entries.iter().filter(|(name, _)| !signs(name)).find_map(|(_, value)| value.source())
                }
                value => value.source(),
            };
            source = source.or(found);
        }
        let curl = |rest: &[&str]| -> Vec<Arg> {
            let mut words = vec![Arg::from("curl"), Arg::from("-s")];
            words.extend(rest.iter().map(|&word| Arg::from(word)));
            words
        };
        if let Some(source) = source {
            self.pipe_out(&source, curl(&["--data-binary", "@-", &url]));
        } else if matches!(method.as_str(), "DELETE" | "PUT" | "POST") {
            self.start(curl(&["-X", &method, &url]), None);
        }
        Value::from(mark::REMOTE)
    }

    /// `cat FILE | program`
    fn pipe_out(&mut self, source: &Source, words: Vec<Arg>) {
        // The environment has no file; the program that prints it stands for it.
        let reads = if &*source.path == "env" {
            vec![Arg::from("env")]
        } else {
            vec![Arg::from("cat"), Arg::from(source.path.to_string())]
        };
        let pipeline = self.runner.next_pipeline();
        for (index, words) in [reads, words].into_iter().enumerate() {
            let mut call = self.call_of(words);
            call.stage = Stage { pipeline, index: u32::try_from(index).unwrap_or(0) };
            call.io.stdin = (index > 0).then(|| Rc::from(mark::UNKNOWN.to_string()));
            self.runner.start(&mut self.scope.clone(), Via { parent: self.index, how: How::Arguments }, call);
        }
    }

    /// A shell that was started while there is a connection talks to its other end: as if it had been redirected.
    pub(super) fn hand_over_shells(&mut self, first_atom: usize) {
        let Some(address) = self.connected.clone() else { return };
        for atom in self.runner.analysis.atoms.iter_mut().skip(first_atom) {
            let rest = atom.args.get(1..).unwrap_or(&[]);
            // `sh -c "line"` runs its line and does not talk to anyone.
            let interactive = rest.iter().all(|arg| {
                arg.text.starts_with('-') && !arg.text.trim_start_matches('-').contains('c')
                    || arg.text == "-"
            });
            if shell_engine::is_shell(&atom.program())
                && interactive
                && (atom.stdin.is_none() || rest.iter().any(|arg| arg.text == "-i"))
            {
                let target = format!("/dev/tcp/{address}");
                atom.redirects.push(Redirect { fd: 0, flow: Flow::ReadWrite, target });
            }
        }
    }
}
