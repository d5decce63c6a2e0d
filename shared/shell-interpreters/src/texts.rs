//! Texts that calls make of others: decoded, joined, turned round, filled in.

use shell_engine::mark;
use shell_engine::text::encoding;

use super::Language;
use super::act::Call;
use super::compute::{characters, decoded, join, number, rotated, shell_words};
use super::follow::{Follower, path_of, printed};
use super::languages::Effect;
use super::value::{Arguments, Value};

impl Follower<'_> {
    /// A string made of others, or what one decodes to.
    pub(super) fn text(&mut self, effect: Effect, call: Call<'_>, inputs: &[Value]) -> Value {
        let Call { subject, name, .. } = call;
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        // All variables of the environment stay what they are, put together in whatever way.
        let puts_together = matches!(effect, Effect::Join | Effect::JoinFirst | Effect::Format);
        if puts_together
            && let Some(whole) = subject.into_iter().chain(inputs).find(|value| is_environment(value))
        {
            return whole.clone();
        }
        match effect {
            // The format decides what comes out; that it was packed is all that matters here.
            Effect::Unpack => Value::from(mark::DECODED),
            Effect::Pack => self.pack(name, subject, inputs),
            Effect::Characters => match inputs {
                [value @ Value::Text(_), ..] if value.number().is_none() => value.clone(),
                [Value::List(values)] => characters(values),
                values => characters(values),
            },
            Effect::Codes => {
                let place =
                    if subject.is_some() { inputs.get(1).and_then(Value::number).unwrap_or(0) } else { 0 };
                let text = first().known().unwrap_or_default();
                let c = usize::try_from(place).ok().and_then(|place| text.chars().nth(place));
                c.map_or_else(Value::unknown, |c| Value::Number(i64::from(u32::from(c))))
            }
            Effect::Join => joined(subject, inputs),
            Effect::JoinFirst => self.joined_first(call, inputs),
            Effect::Reverse => match first() {
                Value::List(values) => Value::List(values.into_iter().rev().collect()),
                // A string of JavaScript has no `reverse`, and marks would be torn apart.
                Value::Text(text) if self.language == Language::JavaScript || mark::any(&text.text) => {
                    Value::Text(text)
                }
                value => {
                    let turned = |value: Value| value.map(|text| text.chars().rev().collect());
                    if inputs.len() == 1 {
                        return turned(value);
                    }
                    // Perl's list is one turned round, and one string of it where one is asked for.
                    let list = Value::List(inputs.iter().rev().cloned().collect());
                    Value::any(vec![turned(join(&Value::List(inputs.to_vec()), "")), list])
                }
            },
            Effect::Format => match inputs {
                [format, rest @ ..] => printed(&format.text(), rest),
                [] => Value::unknown(),
            },
            Effect::Method(method) => {
                let rest = Arguments::of(inputs.get(1..).unwrap_or(&[]).to_vec());
                let result = self.text_method(&first(), method, &rest);
                result.unwrap_or_else(|| Value::computed(inputs.iter()))
            }
            Effect::Substitute | Effect::SubstituteIn => self.substituted(effect, inputs),
            Effect::Number => first()
                .known()
                .and_then(|text| number(&text, inputs.get(1)))
                .map_or_else(|| Value::from(mark::TOKEN), Value::Number),
            Effect::Braces => {
                self.braced(&first(), &Arguments::of(inputs.get(1..).unwrap_or_default().to_vec()))
            }
            Effect::Parts => {
                let separator = Arguments::of(inputs.first().cloned().into_iter().collect());
                let text = inputs.get(1).cloned().unwrap_or_else(Value::unknown);
                let parts = self.text_method(&text, "split", &separator);
                parts.unwrap_or_else(|| Value::computed(inputs.iter()))
            }
            Effect::Words => match first() {
                Value::Text(text) => {
                    Value::List(shell_words(&text.text).into_iter().map(Value::from).collect())
                }
                value => value,
            },
            _ => unpacked(effect, inputs),
        }
    }

    /// The first argument between the elements of the others, as each language has it.
    fn joined_first(&self, Call { subject, name, arguments, .. }: Call<'_>, inputs: &[Value]) -> Value {
        let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
        match (subject, self.language) {
            // `Pathname("/srv").join("tmp", name)`
            (Some(_), Language::Ruby)
                if inputs.len() > 1
                    && matches!(&inputs[0], Value::Text(path) if path.text.starts_with('/')) =>
            {
                path_of(inputs)
            }
            (Some(_), _) => join(
                &first(),
                &inputs.get(1).map_or_else(
                    // Without a separator, Ruby puts nothing between, and JavaScript a comma.
                    || if self.language == Language::Ruby { String::new() } else { ",".to_owned() },
                    Value::text,
                ),
            ),
            (None, Language::R) => {
                let separator = arguments.named("sep").or_else(|| arguments.named("collapse"));
                let separator = separator.map_or_else(
                    // `paste0` puts nothing between.
                    || if name == "paste" { " ".to_owned() } else { String::new() },
                    Value::text,
                );
                join(&Value::List(inputs.to_vec()), &separator)
            }
            (None, _) => match inputs {
                [list @ Value::List(_)] => join(list, ""),
                [separator, list @ Value::List(_)] | [list @ Value::List(_), separator] => {
                    join(list, &separator.text())
                }
                [separator, rest @ ..] => join(&Value::List(rest.to_vec()), &separator.text()),
                [] => Value::unknown(),
            },
        }
    }
}

/// Elements with a separator between them.
/// Whether a value is the environment as a whole.
fn is_environment(value: &Value) -> bool {
    matches!(value, Value::Name(_)) && value.source().is_some_and(|source| &*source.path == "env")
}

fn joined(subject: Option<&Value>, inputs: &[Value]) -> Value {
    // Python: the separator's method. Others: the list first.
    let (list, separator) = match (subject, inputs) {
        (Some(Value::List(_)), [list, rest @ ..]) => {
            (list.clone(), rest.first().map_or_else(String::new, Value::text))
        }
        (_, [list @ Value::List(_), rest @ ..]) => {
            (list.clone(), rest.first().map_or_else(String::new, Value::text))
        }
        (_, [separator, list, ..]) => (list.clone(), separator.text()),
        (_, rest) => (rest.first().cloned().unwrap_or_else(Value::unknown), String::new()),
    };
    join(&list, &separator)
}

/// What a call decodes.
fn unpacked(effect: Effect, inputs: &[Value]) -> Value {
    let first = || inputs.first().cloned().unwrap_or_else(Value::unknown);
    match effect {
        Effect::Base64 => {
            first().map(|text| decoded(encoding::base64(&text.replace('-', "+").replace('_', "/")), text))
        }
        Effect::Hex => first().map(|text| decoded(encoding::hex(text), text)),
        Effect::Rotate => first().map(rotated),
        Effect::Decode => match inputs.get(1).map(Value::text).as_deref() {
            Some("rot13" | "rot_13" | "rot-13") => first().map(rotated),
            Some("base64" | "base64_codec" | "base64url") => {
                first().map(|text| decoded(encoding::base64(&text.replace('-', "+").replace('_', "/")), text))
            }
            Some("hex" | "hex_codec") => first().map(|text| decoded(encoding::hex(text), text)),
            _ => match first() {
                Value::List(values) => characters(&values),
                value => value,
            },
        },
        Effect::Percent => first().map(|text| {
            if mark::any(text) { text.to_owned() } else { mark::scrub(&encoding::percent(text)).into_owned() }
        }),
        _ => Value::unknown(),
    }
}
