//! What a text makes itself and then acts on. Of a cluster of this machine or a server on an unusual port nothing is lost.
//! A thing of a service, or a container, may have been there before: whoever makes it a second time may not notice.

use shell::{Atom, mark};

use crate::builtin::has;
use crate::calls::{is_harmless, is_in_production};
use crate::command::Command;
use crate::places;
use crate::rule::{Rule, Severity};
use crate::zone::Zone;

/// Words that choose another cluster than the one that was made.
const CHOOSERS: &str =
    "use-context set-context use get-credentials update-kubeconfig kubectx kctx kubie login";

/// Engines of containers.
const ENGINES: &str = "\
    docker podman nerdctl finch";

/// Servers that a text may start for itself.
const SERVERS: &str = "\
    mongod postgres pg_ctl mysqld mysqld_safe mariadbd redis-server valkey-server memcached";

/// Words with which a tool makes something that is not there yet.
const CREATES: &str = "create new mb mk install launch init";

/// Options that say which of several things is meant.
const NAMING: &str = "\
    --name -n --namespace -p --project --profile -a --app -g --resource-group --context --kube-context --region \
    --host -h --cluster";

/// Whether what a rule is about happens to something that the same text has made, and that no one else has.
pub(crate) fn is_of_this_text(rule: &Rule, command: &Command<'_>) -> bool {
    rule.severity < Severity::Catastrophic
        && (places::matter_to(rule) || matches!(rule.family(), "services" | "forges"))
        && places::as_sent(command, |command| {
            is_in_own_cluster(command)
                || is_on_own_server(command)
                || places::is_cluster_for_tests(command)
                || places::is_emulated(command)
        })
}

/// Whether it happens to something that the same text has made, unless it was there before.
pub(crate) fn is_probably_of_this_text(command: &Command<'_>) -> bool {
    is_in_own_container(command) || takes_own_away(command)
}

/// The command that starts an atom, and so on.
fn ancestors<'a>(command: &Command<'a>) -> impl Iterator<Item = &'a Atom> + use<'a> {
    let atoms = &command.analysis.atoms;
    let parent = |atom: &&'a Atom| atoms.get(atom.via?.parent as usize);
    std::iter::successors(Some(command.atom), parent)
}

/// What runs before a command, as commands of their own.
fn before<'a>(command: &Command<'a>) -> impl Iterator<Item = Command<'a>> + use<'a> {
    let (analysis, facts) = (command.analysis, command.facts);
    let own = analysis.atoms.iter().position(|atom| std::ptr::eq(atom, command.atom));
    // A trap runs at the end, wherever it is set.
    let at_end = ancestors(command).any(|atom| atom.program() == "trap");
    let end = own.filter(|_| !at_end).unwrap_or(analysis.atoms.len());
    let source = command.source;
    analysis.atoms[..end].iter().map(move |atom| {
        let mut command = Command::new(analysis, atom, facts);
        command.source = source;
        command
    })
}

/// The context of the cluster on this machine that a call of its maker is about.
fn context(command: &Command<'_>) -> Option<String> {
    // How its contexts begin, and what it calls a cluster without a name.
    let (start, usual) = match &*command.name {
        "kind" => ("kind-", "kind"),
        "k3d" => ("k3d-", "k3s-default"),
        "minikube" => ("", "minikube"),
        "ctlptl" => ("", "kind-kind"),
        _ => return None,
    };
    let named = command.value(&["--name", "-n", "-p", "--profile"]);
    // Of the others, a word is the value of an option: `kind create cluster --config kind.yaml`.
    let operand = || command.operands().get(2).filter(|_| command.name == "k3d").map(|arg| arg.text.as_str());
    Some(format!("{start}{}", named.or_else(operand).unwrap_or(usual)))
}

/// The context of the cluster that a command makes on this machine.
fn cluster(command: &Command<'_>) -> Option<String> {
    let context = context(command)?;
    let makes = command.operands().iter().take(2).any(|arg| matches!(arg.text.as_str(), "create" | "start"));
    (makes && !is_harmless(command)).then_some(context)
}

/// Whether what a maker of clusters deletes is one that the same text has made.
pub(crate) fn takes_own_cluster(command: &Command<'_>) -> bool {
    context(command)
        .is_some_and(|context| before(command).any(|maker| cluster(&maker).as_ref() == Some(&context)))
}

/// Whether a client talks to a cluster that was made before: by its context, or by a configuration of the text's own
/// that only knows this one.
fn is_in_own_cluster(command: &Command<'_>) -> bool {
    if !command.is(places::KUBE_CLIENTS) {
        return false;
    }
    let mut made = before(command).filter_map(|maker| Some((cluster(&maker)?, maker))).peekable();
    if made.peek().is_none() {
        return false;
    }
    if let Some(context) = command.value(&["--context", "--kube-context"]) {
        return made.any(|(own, _)| own == context);
    }
    let chooses = |atom: &Atom| atom.args.iter().take(4).any(|arg| has(CHOOSERS, &arg.text));
    let Some(file) = configuration(command) else { return false };
    !command.analysis.atoms.iter().any(chooses)
        && (command.target(file).zone == Zone::Temporary
            || made.any(|(_, maker)| configuration(&maker) == Some(file)))
}

/// The file of contexts that is named for a command.
fn configuration<'a>(command: &Command<'a>) -> Option<&'a str> {
    command.value(&["--kubeconfig"]).or_else(|| command.variable("KUBECONFIG"))
}

/// The arguments of `docker run` or `docker create`, if it keeps nothing outside of the container.
fn started(engine: &Command<'_>) -> bool {
    let keeps = |value: &str| {
        let inside = value.rsplit(':').next().unwrap_or(value);
        value.contains("/data") || inside.contains("/var/lib")
    };
    engine.is_in(ENGINES)
        && (engine.sub(&["run|create"]) || engine.sub(&["container", "run|create"]))
        && !engine.values_of(&["-v", "--volume", "--mount"]).any(keeps)
}

/// Whether a command runs in a container that was made before.
fn is_in_own_container(command: &Command<'_>) -> bool {
    let names = |atom: &Atom| {
        let engine = Command::new(command.analysis, atom, command.facts);
        let operands = engine.operands();
        let at = operands.iter().position(|arg| arg.text == "exec").filter(|_| engine.is_in(ENGINES))?;
        Some(operands.get(at + 1)?.text.clone())
    };
    ancestors(command).skip(1).find_map(names).is_some_and(|name| {
        before(command).any(|engine| started(&engine) && engine.value(&["--name"]) == Some(&*name))
    })
}

/// Whether a client talks to a server on this machine by the port on which one was started before.
fn is_on_own_server(command: &Command<'_>) -> bool {
    if command.name == "pg_ctl"
        && command.value(&["-D", "--pgdata"]).is_some_and(|folder| lies_in_temporary(command, folder))
    {
        return true;
    }
    // A server that was there before has the usual one.
    let Some(port) = port(command).filter(|port| !has("5432 3306 6379 27017", port)) else { return false };
    !places::leads_elsewhere(command) && before(command).any(|server| listens(&server, port))
}

/// The port of this machine at which a client finds its server.
fn port<'a>(command: &Command<'a>) -> Option<&'a str> {
    let addresses = command.args().iter().map(|arg| arg.text.as_str());
    let set =
        command.variables().filter(|(name, _)| ["URL", "URI", "DSN"].iter().any(|end| name.ends_with(end)));
    let mut addresses = addresses.chain(set.map(|(_, value)| value)).filter(|text| text.contains("://"));
    if let Some(address) = addresses.next() {
        let (host, port) = places::server_of(address)?;
        let alone = addresses.all(|other| places::server_of(other) == Some((host, port)));
        return (alone && places::is_here(host)).then_some(port?);
    }
    let host = command.value(&["-h", "--host", "--hostname"]);
    if !places::is_client(command) || host.is_some_and(|host| !places::is_here(host)) {
        return None;
    }
    command.value(&["--port", "-p", "-P"]).or_else(|| command.variable("PGPORT"))
}

/// Whether a command starts a server on the port, which keeps its data nowhere but among temporary files.
fn listens(server: &Command<'_>, port: &str) -> bool {
    if started(server) {
        // `5433:5432`, `127.0.0.1:5433:5432`
        let outside = |value: &str| value.rsplit(':').nth(1).is_some_and(|outside| outside == port);
        return server.values_of(&["-p", "--publish"]).any(outside);
    }
    if !server.is_in(SERVERS) {
        return false;
    }
    let folder = server.value(&["-D", "--dbpath", "--datadir", "--dir", "--pgdata"]);
    let keeps_none = has("redis-server valkey-server memcached", &server.name);
    let on_port = |text: &str| {
        let mut words = text.split([' ', '=']).skip_while(|word| !matches!(*word, "-p" | "--port" | "port"));
        words.nth(1) == Some(port)
    };
    let is_named =
        server.value(&["--port", "-p"]) == Some(port) || server.values_of(&["-o", "--options"]).any(on_port);
    is_named && folder.map_or(keeps_none, |folder| lies_in_temporary(server, folder))
}

fn lies_in_temporary(command: &Command<'_>, folder: &str) -> bool {
    command.target(folder).zone == Zone::Temporary
}

/// Whether an earlier call of the same tool has made what this one takes away: all operands but the verb are those of
/// that call, and the last one is a name.
fn takes_own_away(command: &Command<'_>) -> bool {
    let operands = command.operands();
    if operands.is_empty() || is_in_production(command) {
        return false;
    }
    let named = || NAMING.split(' ').filter_map(|option| Some((option, command.value(&[option])?)));
    // What only exists at run time may be another name each time.
    if operands.iter().any(|arg| mark::any(&arg.text)) || named().any(|(_, value)| mark::any(value)) {
        return false;
    }
    let makes = |maker: &Command<'_>| {
        let is_name = |name: &str| operands.iter().any(|arg| arg.text == name);
        maker.name == "createdb" && maker.operands().first().is_some_and(|name| is_name(&name.text))
    };
    if command.name == "dropdb" {
        return before(command).any(|maker| makes(&maker));
    }
    before(command).filter(|maker| maker.name == command.name).any(|maker| {
        let made = maker.operands();
        let creates =
            made.iter().take(3).any(|arg| arg.text.split([':', '-']).any(|part| has(CREATES, part)));
        let mut others = operands.iter().filter(|arg| !made.iter().any(|other| other.text == arg.text));
        let verb = others.next();
        let last = operands.last().filter(|last| verb.is_some_and(|verb| !std::ptr::eq(*verb, **last)));
        creates
            && verb.is_some()
            && others.next().is_none()
            && named().all(|(option, value)| maker.value(&[option]) == Some(value))
            && (operands.len() > 1 && last.is_some()
                || named().any(|(option, _)| matches!(option, "--name" | "-n")))
            && !is_harmless(&maker)
    })
}
