//! Connections: what is sent through them, and who gets a shell at their other end.

use std::rc::Rc;

use shell_engine::{Arg, Flow, How, Redirect, Stage, Via, mark};

use super::act::Call;
use super::follow::Follower;
use super::value::{Arguments, Source, Value};

/// Whether this option of a request signs someone in: it is not what is sent.
fn signs(name: &str) -> bool {
    matches!(name, "headers" | "auth" | "cookies" | "cert" | "verify" | "proxies")
}

/// The same, for any function that gets an address: `new Client({ url, apiKey })`.
fn may_sign(name: &str) -> bool {
    const WORDS: [&str; 8] =
        ["header", "auth", "cookie", "cert", "token", "secret", "password", "credential"];
    let name = name.to_ascii_lowercase();
    name.contains("key") || WORDS.iter().any(|word| name.contains(word))
}

/// A value, or the fields of a map but for those that sign someone in.
fn unsigned(value: &Value, signs: fn(&str) -> bool) -> Vec<&Value> {
    match value {
        Value::Map(entries) => {
            entries.iter().filter(|(name, _)| !signs(name)).map(|(_, value)| value).collect()
        }
        value => vec![value],
    }
}

/// Whether what a request sends is computed in a way that is not followed, and no one signs in with something like it.
fn may_hold_anything(inputs: &[Value], arguments: &Arguments) -> bool {
    // The address comes first.
    let values = || inputs.iter().skip(1).chain(arguments.all());
    let fields = values().filter_map(|value| match value {
        Value::Map(entries) => Some(entries),
        _ => None,
    });
    let named = arguments.named.iter().map(|(name, value)| (name.as_str(), value));
    let mut all =
        fields.flat_map(|entries| entries.iter().map(|(name, value)| (&**name, value))).chain(named);
    !all.any(|(name, value)| signs(name) && value.is_opaque()) && values().any(Value::is_opaque)
}

/// Whether a path is that of a file of settings that are secret: `.env`, `.env.production`.
fn is_environment(path: &str) -> bool {
    shell_engine::path::file_name(path).starts_with(".env")
}

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
            "send" | "sendmail" | "send_message" | "sendall" | "write" | "puts" | "print" | "sendto"
            | "end" | "syswrite" => {
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
            _ => {
                let address = self.connected.clone().unwrap_or_default();
                if let Some(source) = arguments.all().find_map(|value| self.private_in(value, signs)) {
                    self.hand_to(&address, &source);
                }
                self.callbacks(call, Value::Socket)
            }
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
        let named = || ["url", "uri"].iter().find_map(|name| arguments.named(name));
        let url = inputs.first().or_else(named).map(|value| match value {
            Value::Map(_) => value.get("url").map_or_else(String::new, Value::text),
            Value::Name(class) => {
                let made = self.addresses.iter().find(|(known, _)| **known == **class);
                made.map_or_else(|| value.text(), |(_, address)| address.to_string())
            }
            value => value.text(),
        });
        let mut url = url.unwrap_or_default();
        // `client = httpx.Client(base_url=…)`, then `client.delete("/x")`
        if url.starts_with('/')
            && let Some((_, base)) = self.addresses.last()
        {
            url.insert_str(0, base.trim_end_matches('/'));
        }
        let named = arguments.named.iter().filter(|(name, _)| !signs(name)).map(|(_, value)| value);
        let mut source = None;
        for value in inputs.iter().chain(&arguments.values).chain(named) {
            let found = || unsigned(value, signs).into_iter().find_map(Value::source);
            source = Source::among([source, found()].into_iter()).or_else(|| self.private_in(value, signs));
        }
        let curl = |rest: &[&str]| -> Vec<Arg> {
            let mut words = vec![Arg::from("curl"), Arg::from("-s")];
            words.extend(rest.iter().map(|&word| Arg::from(word)));
            words
        };
        // What is computed in a way that is not followed may hold what was read before. A token is for the head.
        if source.is_none() && !self.private.is_empty() && may_hold_anything(inputs, arguments) {
            for path in self.private.clone() {
                self.pipe_out(&Source::part(path), curl(&["--data-binary", "@-", &url]));
            }
        }
        // An address that a file names is no less deleted.
        let changes = match source {
            Some(_) => method == "DELETE",
            None => matches!(method.as_str(), "DELETE" | "PUT" | "POST"),
        };
        if let Some(source) = source {
            self.pipe_out(&source, curl(&["--data-binary", "@-", &url]));
        }
        if changes {
            self.start(curl(&["-X", &method, &url]), None);
        }
        Value::from(mark::REMOTE)
    }

    /// A function that no one knows gets an address, and something of a file of the home folder: a client of its own.
    pub(super) fn hand_out(
        &mut self,
        subject: Option<&Value>,
        (path, name): (&str, &str),
        arguments: &Arguments,
    ) {
        let lower = name.to_ascii_lowercase();
        let sends =
            ["post", "put", "patch", "send", "request", "upload", "publish", "body", "json", "form", "write"];
        let sends = sends.iter().any(|verb| lower.contains(verb));
        let signs = if sends { signs } else { may_sign };
        let named = arguments.named.iter().filter(|(name, _)| !signs(name)).map(|(_, value)| value);
        let mut values = subject.into_iter().chain(&arguments.values).chain(named);
        let known = values.find_map(|value| self.private_in(value, signs));
        let any = || self.private.first().filter(|_| sends && may_hold_anything(&[], arguments));
        let any = || any().map(|path| Source::part(Rc::clone(path)));
        let Some(source) = known.or_else(any) else { return };
        let made = || {
            let known = self.addresses.iter().find(|(class, _)| path.starts_with(&**class));
            known
                .map(|(_, to)| Rc::clone(to))
                .or_else(|| self.connected.as_deref().filter(|_| sends).map(Rc::from))
        };
        match subject.into_iter().chain(arguments.all()).find_map(Value::address).or_else(made) {
            Some(address) => self.hand_to(&address, &source),
            // `form.append("k", key)`: the object holds it from now on.
            None if !path.is_empty() => {
                self.holders.extend(source.paths().map(|held| (Rc::from(path), Rc::clone(held))));
            }
            None => {}
        }
    }

    /// Sends something of a file to an address, once.
    fn hand_to(&mut self, address: &str, source: &Source) {
        let handed = source.paths().map(|path| (Rc::from(address), Rc::clone(path)));
        let new: Vec<(Rc<str>, Rc<str>)> = handed.filter(|one| !self.handed.contains(one)).collect();
        if !new.is_empty() {
            self.handed.extend(new);
            let words = ["curl", "-s", "--data-binary", "@-", address];
            self.pipe_out(source, words.into_iter().map(Arg::from).collect());
        }
    }

    /// What a value has of a file of the home folder, but for fields that sign someone in.
    pub(super) fn private_in(&self, value: &Value, signs: fn(&str) -> bool) -> Option<Source> {
        unsigned(value, signs).into_iter().find_map(|value| {
            let source = match value {
                Value::Map(_) => return self.private_in(value, signs),
                // One of several files.
                Value::Any(values) => {
                    return Source::among(values.iter().map(|value| self.private_in(value, signs)));
                }
                Value::Name(class) => {
                    let holds = self.holders.iter().filter(|(holder, _)| holder.starts_with(class.as_str()));
                    Source::among(holds.map(|(_, path)| Some(Source::part(Rc::clone(path)))))
                }
                // Its path alone is enough for those who send a file.
                Value::Text(text) if self.is_private(&text.text) => Some(Source::whole(text.text.as_str())),
                value => value.source(),
            };
            source.filter(|source| source.paths().any(|path| self.is_private(path) || is_environment(path)))
        })
    }

    /// Whether a path leads to a hidden file of the home folder, outside of the folder that is worked in.
    pub(super) fn is_private(&self, path: &str) -> bool {
        let homes = [&*self.home.own, &*self.scope.home, "~"];
        let Some(inside) = homes.into_iter().find_map(|home| path.strip_prefix(home)) else {
            return false;
        };
        // Of `~/.ssh/*`, the folder is known.
        let known = inside.find(mark::is_mark).map_or(inside, |at| &inside[..at]);
        inside.starts_with("/.")
            && !inside.contains("/../")
            && (known == inside || known[1..].contains('/'))
            && !shell_engine::path::is_within(path, &self.scope.cwd)
    }

    /// What a program prints of a file of the home folder: `check_output(["cat", key])`.
    pub(super) fn printed_of_private(&mut self, inputs: &[Value]) -> Option<Source> {
        let words = super::spawn::words_of(inputs);
        let words: Vec<&str> = words.iter().flat_map(|word| word.text.split_ascii_whitespace()).collect();
        let (name, rest) = words.split_first()?;
        let path = rest.iter().find(|word| self.is_private(word))?;
        let prints = catalog::is(shell_engine::path::file_name(name), const { catalog::kind("printer") });
        let path = prints.then(|| self.scope.absolute(&path.replacen('~', &self.scope.home, 1)))?;
        self.note_private(&path);
        Some(Source::part(path))
    }

    /// A program that sends what it reads gets something of a file of the home folder, as its input or among its words.
    pub(super) fn hand_to_program(&mut self, inputs: &[Value], arguments: &Arguments) {
        let input = ["input", "stdin"].iter().filter_map(|name| arguments.option(name));
        let flat = inputs.iter().flat_map(|value| match value {
            Value::List(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        });
        let mut read = flat.chain(input).filter_map(Value::source);
        let Some(source) = read.find(|source| self.is_private(&source.path)) else { return };
        let words = super::spawn::words_of(inputs);
        let words: Vec<&str> = words.iter().flat_map(|word| word.text.split_ascii_whitespace()).collect();
        let name = words.first().map_or("", |word| shell_engine::path::file_name(word));
        if !catalog::is(name, const { catalog::kind("sender") }) {
            return;
        }
        match words.iter().find(|word| word.contains("://")) {
            Some(address) => self.hand_to(address.trim_matches(['"', '\'']), &source),
            None => self.pipe_out(&source, words.into_iter().map(Arg::from).collect()),
        }
    }

    /// `cat FILE | program`
    fn pipe_out(&mut self, source: &Source, words: Vec<Arg>) {
        // The environment has no file; the program that prints it stands for it.
        let reads = if &*source.path == "env" { vec![Arg::from("env")] } else { source.read_out() };
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
