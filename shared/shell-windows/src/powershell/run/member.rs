//! Properties, methods and indices.

use std::rc::Rc;

use shell_engine::mark;

use super::super::ast::Access;
use super::super::value::{MAX_LIST, Value};
use super::Machine;
use super::bind::Passed;

impl Machine<'_> {
    pub(super) fn access(&mut self, base: Value, access: &Access) -> Value {
        match access {
            Access::Index(index) => {
                let index = self.expr(index);
                indexed(&base, &index)
            }
            Access::Member(name) => {
                let name = self.expr(name).string();
                property(base, &name)
            }
            Access::Method(name, arguments) => {
                let name = self.expr(name).string();
                let mut values = Vec::new();
                for argument in arguments.iter().take(MAX_LIST) {
                    values.push(self.expr(argument));
                }
                self.hands_arguments(arguments);
                self.method(base, &name, &values)
            }
        }
    }

    pub(super) fn method(&mut self, base: Value, name: &str, arguments: &[Value]) -> Value {
        let name = name.to_ascii_lowercase();
        if let Value::Type(of) = &base
            && name == "new"
            && let Some(object) = self.made(&Rc::clone(of), arguments)
        {
            return object;
        }
        if let Value::Type(_) | Value::Map(_) = &base
            && let Some(value) = self.own_method(&base, &name, arguments)
        {
            return value;
        }
        match &base {
            Value::Type(of) => {
                let of = Rc::clone(of);
                self.static_method(&of, &name, arguments)
            }
            Value::Block(block) => match name.as_str() {
                "invoke" | "invokereturnasis" | "invokewithcontext" => {
                    let block = Rc::clone(block);
                    self.invoke(&block, Passed { arguments: arguments.to_vec(), named: Vec::new() }, None)
                }
                "getnewclosure" => base,
                _ => Value::text(base.string()),
            },
            Value::Object(kind) => {
                let kind = Rc::clone(kind);
                self.object_method(&kind, &name, arguments)
            }
            Value::Map(_) => match base.entry("#type") {
                Some(kind) => {
                    let kind = kind.string();
                    if name == "start"
                        && matches!(&*kind, "diagnostics.processstartinfo" | "diagnostics.process")
                    {
                        self.start_filled(&base);
                        return Value::Nothing;
                    }
                    self.object_method(&kind, &name, arguments)
                }
                // A plain hash table: its own methods, or a key that holds a block.
                None => match name.as_str() {
                    "add" | "remove" | "clear" => Value::Nothing,
                    _ => {
                        arguments.first().and_then(|key| base.entry(&key.string())).unwrap_or(Value::Nothing)
                    }
                },
            },
            Value::List(values)
                if matches!(
                    name.as_str(),
                    "delete" | "kill" | "stop" | "terminate" | "moveto" | "foreach" | "where"
                ) =>
            {
                let values = values.to_vec();
                if name == "foreach" || name == "where" {
                    return self.each(&values, arguments);
                }
                // A method on a list is called on each of its elements.
                for value in values.into_iter().take(32) {
                    self.method(value, &name, arguments);
                }
                Value::Nothing
            }
            Value::Text(text) if matches!(name.as_str(), "foreach" | "where") => {
                let values = vec![Value::text(&**text)];
                self.each(&values, arguments)
            }
            // `(Get-Process NAME).Kill()`
            Value::Text(_) if matches!(name.as_str(), "kill" | "closemainwindow") => {
                self.cmdlet_atom("Stop-Process", &[("Name", &base.string())], &[]);
                Value::Nothing
            }
            _ => self.text_method(&base, &name, arguments),
        }
    }

    /// `.ForEach({…})`
    fn each(&mut self, values: &[Value], arguments: &[Value]) -> Value {
        let Some(Value::Block(block)) = arguments.first() else { return Value::of(values.to_vec()) };
        let mut printed = Vec::new();
        for value in values.iter().take(24) {
            self.set("_", value.clone());
            printed.extend(self.statements(&block.body).elements());
        }
        Value::of(printed)
    }

    /// A method of a file, a folder, a key or a process whose path or name is `text`; `false` if it is none of them.
    fn file_method(&mut self, text: &str, name: &str, arguments: &[Value]) -> bool {
        let first = || arguments.first().map(Value::string).unwrap_or_default();
        match name {
            "delete" => {
                let deep = arguments.first().is_some_and(|value| !value.is_false());
                self.delete(text, deep);
            }
            "deletesubkeytree" | "deletesubkey" => {
                self.delete(&crate::system::below(text, &first()), true);
            }
            "moveto" => self.cmdlet_atom("Move-Item", &[("Path", text), ("Destination", &first())], &[]),
            "copyto" => self.cmdlet_atom("Copy-Item", &[("Path", text), ("Destination", &first())], &[]),
            // A process or a service that came out of a list.
            "kill" | "closemainwindow" | "stop" if mark::any(text) => {
                self.cmdlet_atom("Stop-Process", &[("InputObject", text)], &[]);
            }
            _ => return false,
        }
        true
    }

    fn text_method(&mut self, base: &Value, name: &str, arguments: &[Value]) -> Value {
        let first = || arguments.first().map(Value::string).unwrap_or_default();
        let number = |at: usize| {
            arguments.get(at).and_then(Value::number).and_then(|number| usize::try_from(number).ok())
        };
        let text = match base {
            Value::List(_) if matches!(name, "tostring" | "contains" | "indexof") => return Value::token(),
            Value::List(_) => base.string(),
            other => other.string(),
        };
        // Letters of a mark are not letters of the text.
        let known = !mark::any(&text);
        if self.file_method(&text, name, arguments) {
            return Value::Nothing;
        }
        match name {
            "tostring" | "trim" | "normalize" | "clone" | "gettype" | "getnewclosure" | "fullname"
            | "trimend" | "trimstart" => {
                let cut: Vec<char> = first().chars().collect();
                let inner = match name {
                    "trim" if cut.is_empty() => text.trim(),
                    "trim" => text.trim_matches(&*cut),
                    "trimend" => text.trim_end_matches(&*cut),
                    "trimstart" => text.trim_start_matches(&*cut),
                    _ => &text,
                };
                Value::text(inner)
            }
            "tolower" | "tolowerinvariant" if known => Value::text(text.to_lowercase()),
            "toupper" | "toupperinvariant" if known => Value::text(text.to_uppercase()),
            "replace" => {
                let to = arguments.get(1).map(Value::string).unwrap_or_default();
                self.replace(&Value::text(text), &first(), &to)
            }
            "split" => {
                let separator = first();
                if separator.is_empty() {
                    return Value::of(text.split_whitespace().take(MAX_LIST).map(Value::text).collect());
                }
                // .NET splits at each of the characters, not at the whole string.
                let cut: Vec<char> = separator.chars().collect();
                Value::of(text.split(&*cut).take(MAX_LIST).map(Value::text).collect())
            }
            "tochararray" if known => {
                Value::of(text.chars().take(MAX_LIST).map(|c| Value::text(c.to_string())).collect())
            }
            "substring" if known => {
                let chars = text.chars().skip(number(0).unwrap_or(0));
                Value::text(match number(1) {
                    Some(count) => chars.take(count).collect::<String>(),
                    None => chars.collect(),
                })
            }
            "remove" if known => {
                let at = number(0).unwrap_or(0);
                let count = number(1).unwrap_or(usize::MAX);
                let kept = text.chars().enumerate().filter(|(index, _)| *index < at || *index - at >= count);
                Value::text(kept.map(|(_, c)| c).collect::<String>())
            }
            "insert" if known => {
                let at = number(0).unwrap_or(0);
                let added = arguments.get(1).map(Value::string).unwrap_or_default();
                let before: String = text.chars().take(at).collect();
                let after: String = text.chars().skip(at).collect();
                Value::text(self.runner.paid(format!("{before}{added}{after}")))
            }
            // Blanks around it change nothing that rules look at.
            "padleft" | "padright" => Value::text(text),
            "invoke" => {
                // `$command.Invoke()`, `'x'.Replace.Invoke(…)`
                Value::text(text)
            }
            _ if text.contains(mark::REMOTE) => Value::mark(mark::REMOTE),
            _ => Value::token(),
        }
    }
}

pub(super) fn property(base: Value, name: &str) -> Value {
    let lower = name.to_ascii_lowercase();
    if let Some(value) = base.entry(name) {
        return value;
    }
    match &base {
        Value::Type(of) => static_member(of, &lower),
        Value::Object(kind) if &**kind == "executioncontext" || &**kind == "invokecommand" => {
            Value::Object(Rc::from("invokecommand"))
        }
        Value::Object(kind) if kind.starts_with("file:") => Value::text(&kind[5..]),
        Value::Object(_) => match lower.as_str() {
            "content" | "responsetext" | "responsebody" | "responsestream" if is_web(&base) => {
                Value::mark(mark::REMOTE)
            }
            _ => base,
        },
        Value::Text(text) => match lower.as_str() {
            "length" | "count" if !mark::any(text) => Value::text(text.chars().count().to_string()),
            "fullname" | "path" | "pspath" | "value" | "providerpath" | "target" | "definition"
            | "content" | "name" | "basename" | "chars" => base.clone(),
            "directory" | "directoryname" | "psparentpath" | "parent" | "parentpath" => {
                let path = crate::system::slashes(text);
                Value::text(path.rsplit_once('/').map_or(".", |(folder, _)| folder))
            }
            _ if text.contains(mark::REMOTE) => base.clone(),
            _ if text.contains(mark::ENTRY) => Value::token(),
            _ if text.chars().all(|c| c == mark::UNKNOWN || c == mark::PASSED) && !text.is_empty() => {
                base.clone()
            }
            _ => Value::token(),
        },
        Value::List(values) => match lower.as_str() {
            "length" | "count" => Value::text(values.len().to_string()),
            _ => {
                let values = values.to_vec();
                Value::of(values.into_iter().map(|value| property(value, name)).collect())
            }
        },
        Value::Map(entries) => match lower.as_str() {
            "keys" => Value::of(entries.iter().map(|(key, _)| Value::text(key.as_str())).collect()),
            "values" => Value::of(entries.iter().map(|(_, value)| value.clone()).collect()),
            _ => Value::Nothing,
        },
        Value::Block(_) | Value::Bytes(_) => base,
        Value::Nothing => Value::Nothing,
    }
}

/// Whether an object talks to other machines.
pub(super) fn is_web(value: &Value) -> bool {
    matches!(value, Value::Object(kind) if is_web_type(kind))
}

pub(super) fn is_web_type(kind: &str) -> bool {
    matches!(
        kind,
        "net.webclient"
            | "net.http.httpclient"
            | "httpclient"
            | "net.webrequest"
            | "net.httpwebrequest"
            | "com:msxml2.xmlhttp"
            | "com:msxml2.xmlhttp.6.0"
            | "com:microsoft.xmlhttp"
            | "com:msxml2.serverxmlhttp"
            | "com:msxml2.serverxmlhttp.6.0"
            | "com:winhttp.winhttprequest.5.1"
            | "com:internetexplorer.application"
            | "net.sockets.tcpclient"
            | "io.streamreader"
            | "io.stream"
    )
}

fn static_member(of: &str, name: &str) -> Value {
    match (of, name) {
        ("string", "empty") => Value::text(""),
        ("io.path", "directoryseparatorchar") => Value::text("\\"),
        ("environment", "newline") => Value::text("\r\n"),
        ("environment", "systemdirectory") => Value::text(r"C:\Windows\System32"),
        ("environment", "currentdirectory") => Value::text("."),
        // `[Text.Encoding]::UTF8`
        ("text.encoding", encoding) => Value::Object(Rc::from(format!("encoding:{encoding}"))),
        ("microsoft.win32.registry", hive) => Value::Object(Rc::from(format!("registry:{hive}"))),
        _ => Value::token(),
    }
}

fn indexed(base: &Value, index: &Value) -> Value {
    if let Value::Map(_) = base {
        return base.entry(&index.string()).unwrap_or(Value::Nothing);
    }
    let elements = match base {
        Value::Text(text) if !mark::any(text) => {
            text.chars().take(4096).map(|c| Value::text(c.to_string())).collect()
        }
        Value::List(values) => values.to_vec(),
        Value::Object(_) => return base.clone(),
        other => return if matches!(index, Value::Nothing) { Value::Nothing } else { other.clone() },
    };
    let at = |index: &Value| {
        let number = index.number()?;
        let place = if number < 0 { i64::try_from(elements.len()).ok()? + number } else { number };
        elements.get(usize::try_from(place).ok()?).cloned()
    };
    Value::of(index.elements().iter().filter_map(at).collect())
}
