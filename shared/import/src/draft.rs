//! Rules of ours, before they are written down.

use crate::{About, Entry, Format, Permission, Place};

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Allow,
    Ask,
    Deny,
}

impl Effect {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What a rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Run(Vec<Run>),
    Path { access: Vec<&'static str>, any: Vec<String>, except: Vec<String> },
    Net { hosts: Vec<String> },
    Mcp { server: String, tool: Option<String> },
    Agent { callee: String },
    Text(String),
}

/// A matcher of `run`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Run {
    pub(crate) program: Vec<String>,
    pub(crate) sub: Vec<String>,
    pub(crate) flags_any: Vec<String>,
    pub(crate) flags_all: Vec<String>,
    pub(crate) written: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Example {
    Command(String),
    Path(&'static str, String),
    Url(String),
    Mcp(String, String),
    Agent(String),
}

/// A rule.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) id: String,
    pub(crate) effect: Effect,
    pub(crate) reason: Option<String>,
    pub(crate) kind: Kind,
    /// What to match instead, should the examples show that `kind` does not.
    pub(crate) fallback: Option<Kind>,
    pub(crate) tools: Vec<&'static str>,
    pub(crate) folders: Vec<String>,
    pub(crate) matches: Vec<Example>,
    pub(crate) spares: Vec<Example>,
    pub(crate) place: Place,
    pub(crate) original: String,
}

impl Draft {
    pub(crate) fn new(Permission { entry, effect }: Permission<'_>, kind: Kind) -> Self {
        Self {
            id: String::new(),
            effect,
            reason: None,
            kind,
            fallback: None,
            tools: Vec::new(),
            folders: Vec::new(),
            matches: Vec::new(),
            spares: Vec::new(),
            place: entry.place,
            original: entry.original.clone(),
        }
    }

    pub(crate) fn entry(&self) -> Entry {
        Entry { place: self.place, original: self.original.clone() }
    }

    pub(crate) fn is_about(&self) -> About {
        match self.kind {
            Kind::Run(_) | Kind::Text(_) => About::Commands,
            Kind::Path { .. } => About::Files,
            Kind::Net { .. } => About::Hosts,
            Kind::Mcp { .. } => About::Mcp,
            Kind::Agent { .. } => About::Agents,
        }
    }

    /// The words that its id is made of.
    fn about(&self) -> String {
        match &self.kind {
            Kind::Run(runs) => runs.first().map_or_else(String::new, |run| {
                let words = run.written.first().cloned().unwrap_or_else(|| {
                    let words = run.program.first().into_iter().chain(&run.sub);
                    words.chain(&run.flags_all).chain(&run.flags_any).cloned().collect::<Vec<_>>().join(" ")
                });
                if words == "*" { "every program".to_owned() } else { words }
            }),
            Kind::Path { access, any, .. } => {
                format!("{} {}", access.join(" "), any.first().map_or("", String::as_str))
            }
            Kind::Net { hosts } => format!("host {}", hosts.first().map_or("", String::as_str)),
            Kind::Mcp { server, tool } => {
                format!("mcp {server} {}", tool.as_deref().unwrap_or_default())
            }
            Kind::Agent { callee } => format!("agent {callee}"),
            Kind::Text(_) => "text".to_owned(),
        }
    }
}

/// Gives every rule an id of its own.
pub(crate) fn number(drafts: &mut [Draft], format: Format) {
    let mut used: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for draft in drafts {
        let mut about = String::new();
        for c in draft.about().chars() {
            if c.is_ascii_alphanumeric() {
                about.push(c.to_ascii_lowercase());
            } else if !about.ends_with('-') && !about.is_empty() {
                about.push('-');
            }
            // Ids are read and typed by people.
            if about.len() >= 40 {
                break;
            }
        }
        let about = about.trim_end_matches('-');
        let base = if about.is_empty() {
            format!("{}.{}", format.as_str(), draft.effect.as_str())
        } else {
            format!("{}.{}-{about}", format.as_str(), draft.effect.as_str())
        };
        let count = used.entry(base.clone()).or_default();
        *count += 1;
        // A number that another rule ends in by itself is taken as well.
        draft.id = if *count == 1 { base } else { format!("{base}.{count}") };
    }
}
