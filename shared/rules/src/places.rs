//! Where a command acts, by the names that people give: clusters, databases, hosts.

use shell::{Arg, How, Place};

use crate::builtin::has;
use crate::calls::is_in_production;
use crate::command::Command;
use crate::facts::Content;
use crate::made;
use crate::rule::{Rule, Severity};

/// Families about what lies elsewhere, under a name that people give.
const FAMILIES: &[&str] = &["databases", "containers", "infrastructure", "cloud"];

/// Options that name where a command acts, in the tools of these families.
const TARGETS: &[&str] = &[
    "--context",
    "--kube-context",
    "--cluster",
    "--name",
    "--profile",
    "--project",
    "--subscription",
    "--database",
    "--dbname",
    "--db",
    "--stack",
    "--stage",
    "--env",
    "--environment",
    "--app",
    "--instance",
    "--namespace",
    "--workspace",
];

/// Options that name an app or a stage of it.
const STAGES: &str = "\
    -a --app --app-name -e --env --environment -s --stage --stack -t --target --context --kube-context \
    --cluster -P --project --profile -n --namespace --alias --branch -w --workspace";

/// Clients of which an operand is the name of a database.
const NAMING: &[&str] = &[
    "psql",
    "pgcli",
    "dropdb",
    "createdb",
    "mysql",
    "mariadb",
    "mysqladmin",
    "mongosh",
    "mongo",
    "sqlite3",
    "k3d",
    "kind",
    "minikube",
];

/// Clusters that tools make on this machine, by the contexts that they name; a star is any ending.
const LOCAL_CLUSTERS: &[&str] =
    &["minikube", "docker-desktop", "rancher-desktop", "orbstack", "colima", "kind-*", "k3d-*"];

/// Clients that take the context of `~/.kube/config`.
pub(crate) const KUBE_CLIENTS: &[&str] =
    &["kubectl", "k", "oc", "helm", "istioctl", "flux", "kustomize", "velero"];

/// Whether it matters to a rule where its command acts.
pub fn matter_to(rule: &Rule) -> bool {
    FAMILIES.contains(&rule.family())
}

/// What surely names a command's target: to loosen, nothing else counts.
pub fn named(command: &Command<'_>) -> Vec<String> {
    let options = TARGETS.iter().filter_map(|option| command.value(&[option])).map(str::to_owned);
    let mut names: Vec<String> = options.collect();
    names.extend(operands(command));
    names.retain(|name| !shell::mark::any(name));
    names
}

/// Whether what a rule is about happens to something on this machine that is made and thrown away: a local cluster, a
/// server on this machine. Nothing that is named like production is.
pub(crate) fn is_local(rule: &Rule, command: &Command<'_>) -> bool {
    let matters = matter_to(rule);
    let may_be_made = matters || matches!(rule.family(), "services" | "forges");
    let is_stage = || rule.severity == Severity::Risky && matches!(rule.family(), "cloud" | "databases");
    rule.severity < Severity::Catastrophic
        && may_be_made
        && as_sent(command, |sender| {
            made::is_probably_of_this_text(sender)
                || matters && acts_here(sender) && !names_what_counts(command)
                || is_stage() && is_tried_out(sender)
        })
}

/// Asks about the program that sends a command, if it is a statement of SQL, and about itself otherwise.
pub(crate) fn as_sent(command: &Command<'_>, asks: impl Fn(&Command<'_>) -> bool) -> bool {
    let parent = command.atom.via.filter(|via| via.how == How::Statement);
    let sender = parent.and_then(|via| command.analysis.atoms.get(via.parent as usize));
    match sender {
        Some(atom) => {
            let mut sender = Command::new(command.analysis, atom, command.facts);
            sender.source = command.source;
            asks(&sender)
        }
        None => asks(command),
    }
}

/// Parts of the names that people give to what is only tried out.
pub(crate) const TRIAL: &str = "\
    staging stage stg dev devel development test tests testing preview local localhost sandbox qa demo ci \
    example playground uat minikube vagrant scratch pr e2e";

/// Whether an option names a stage on which things are tried out, and nothing says that it is production.
fn is_tried_out(command: &Command<'_>) -> bool {
    // Engines of containers have letters for other things, and names for what runs on this machine.
    if command.is(&["docker", "podman", "nerdctl", "finch"]) {
        return false;
    }
    let args = command.args().iter().map(|arg| arg.text.as_str());
    // What is promoted leaves the stage.
    if args.clone().any(|arg| arg.ends_with("promote") || arg.ends_with("swap")) {
        return false;
    }
    let values = args.clone().zip(args.clone().skip(1)).filter(|(option, _)| has(STAGES, option));
    let glued = args.filter_map(|arg| arg.split_once('=')).filter(|(option, _)| has(STAGES, option));
    values.chain(glued).any(|(_, name)| is_trial(name)) && !is_in_production(command)
}

/// Whether a name says that what bears it is only tried out.
fn is_trial(name: &str) -> bool {
    let is_name = name.len() < 64 && !name.starts_with(['/', '-']) && !name.contains([' ', '=']);
    let mut parts = name.split(|c: char| !c.is_ascii_alphanumeric());
    is_name && parts.any(|part| has(TRIAL, part.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// Whether an argument may name what is in production. One that is only known at run time may name anything.
fn names_what_counts(command: &Command<'_>) -> bool {
    command.args().iter().any(|arg| arg.text.contains("prod") || arg.text.contains("live"))
}

fn acts_here(command: &Command<'_>) -> bool {
    if names_what_counts(command) || command.has(&["--all", "--purge", "--all-namespaces", "-A"]) {
        return false;
    }
    let context = command.value(&["--context", "--kube-context"]).map(str::to_owned);
    let context = context.or_else(|| current_context(command));
    let is_cluster = |name: String| {
        LOCAL_CLUSTERS.iter().any(|local| match local.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == **local,
        })
    };
    context.is_some_and(is_cluster)
        || is_maker(command)
        || is_client(command)
            && (is_on_this_machine(command) || is_in_local_stack(command) || is_for_development(command))
}

/// Whether a client names no server, and only databases in whose names people say that they are thrown away:
/// `dropdb shop_dev`.
fn is_for_development(command: &Command<'_>) -> bool {
    const WORDS: &str = "dev devel development local scratch sandbox playground throwaway";
    const SERVERS: &str = "PGHOST PGHOSTADDR PGSERVICE MYSQL_HOST DATABASE_URL";
    let is_thrown_away = |name: &String| {
        let mut parts = name.split(|c: char| !c.is_ascii_alphanumeric());
        !name.contains(['/', ':', '=']) && parts.any(|part| has(WORDS, part))
    };
    let mut names = operands(command);
    names.extend(command.value(&["-d", "--dbname", "--database"]).map(str::to_owned));
    has(OF_SERVERS, &command.name)
        && command.atom.place == Place::Here
        && command.value(&SERVER_OPTIONS).is_none()
        && !command.args().iter().any(|arg| arg.text.contains("://"))
        && !leads_elsewhere(command)
        && SERVERS.split_ascii_whitespace().all(|name| command.variable(name).is_none())
        && !names.is_empty()
        && names.iter().all(is_thrown_away)
}

/// Options that name the server of a database.
const SERVER_OPTIONS: [&str; 7] =
    ["-h", "-H", "--host", "--hostname", "--server", "--bootstrap-server", "--bootstrap-servers"];

/// Clients that find their server beside them, where none is named.
const OF_SERVERS: &str = "\
    psql dropdb dropuser pg_restore mysql mariadb mysqladmin mariadb-admin mongosh mongo redis-cli valkey-cli cqlsh \
    clickhouse-client rabbitmqctl rabbitmqadmin cypher-shell influx";

/// The call of an engine of containers that leads to a command.
fn engine<'a>(command: &Command<'a>) -> Option<Command<'a>> {
    let atoms = &command.analysis.atoms;
    let parent = |via: shell::Via| atoms.get(via.parent as usize);
    let mut starters =
        std::iter::successors(command.atom.via.and_then(parent), |atom| atom.via.and_then(parent));
    let engine = starters.find(|atom| has("docker podman nerdctl docker-compose", &atom.program()))?;
    Some(Command::new(command.analysis, engine, command.facts))
}

/// Whether a command runs in a container of an engine on this machine.
fn is_in_engine(command: &Command<'_>) -> bool {
    command.atom.place == Place::Container && engine(command).is_some()
}

/// Whether a client runs in a container of a stack on this machine, or in one for tests: `docker compose exec db psql`,
/// `docker exec pg-test psql`.
fn is_in_local_stack(command: &Command<'_>) -> bool {
    const FOR_TESTS: &str = "test tests testing ci e2e dev local scratch";
    let Some(engine) = engine(command) else { return false };
    let is_for_tests = |name: &&Arg| name.text.split(['-', '_', '.']).any(|part| has(FOR_TESTS, part));
    let is_stack = engine.name == "docker-compose"
        || engine.sub(&["compose"])
        || engine.sub(&["exec"]) && engine.operands().get(1).is_some_and(is_for_tests);
    let elsewhere = ["-H", "--host", "--context", "-c"];
    let mut own = engine.args().iter().map(|arg| arg.text.as_str()).take_while(|arg| *arg != "compose");
    // The client may be sent to another machine from there.
    let host = command.value(&["-h", "--host", "-u", "--uri"]);
    // What an application is connected to, no one sees here.
    is_stack
        && has(OF_SERVERS, &command.name)
        && host.is_none_or(|host| !host.contains('.'))
        && !command.args().iter().any(|arg| arg.text.contains("://"))
        && !own.any(|arg| elsewhere.iter().any(|option| arg.starts_with(option)))
        && !engine.variables().any(|(name, _)| matches!(name, "DOCKER_HOST" | "DOCKER_CONTEXT"))
        && !is_in_production(&engine)
}

/// Whether a program is a client of databases.
pub(crate) fn is_client(command: &Command<'_>) -> bool {
    let databases = const { catalog::family("databases") };
    command.is(NAMING) || command.known.is_some_and(|known| known.families.meet(databases))
}

/// Whether a cluster of this machine is named as one that tests make: nothing is lost with it.
pub(crate) fn is_cluster_for_tests(command: &Command<'_>) -> bool {
    const WORDS: &str = "test tests testing ci e2e it smoke scratch tmp temp throwaway pr";
    let is_for_tests = |name: &str| {
        name.split(['-', '_', '.'])
            .any(|part| has(WORDS, part.trim_end_matches(|c: char| c.is_ascii_digit())))
    };
    if command.has(&["--all", "--purge"]) {
        return false;
    }
    if is_maker(command) {
        let named = command.value(&["--name", "-n", "-p", "--profile"]);
        let operand =
            || command.operands().get(2).filter(|_| command.name == "k3d").map(|arg| arg.text.as_str());
        return named.or_else(operand).is_some_and(is_for_tests);
    }
    let context = command.value(&["--context", "--kube-context"]);
    let name = context.and_then(|name| ["kind-", "k3d-"].iter().find_map(|start| name.strip_prefix(start)));
    command.is(KUBE_CLIENTS) && name.is_some_and(is_for_tests)
}

/// The context that a client of clusters takes where none is named: that of the user's own configuration, unless the
/// same text or the environment may name another.
fn current_context(command: &Command<'_>) -> Option<String> {
    let elsewhere = ["--kubeconfig", "--server", "-s", "--cluster", "--token", "--as"];
    if !command.is(KUBE_CLIENTS) || elsewhere.iter().any(|option| command.value(&[option]).is_some()) {
        return None;
    }
    // What else the text does may choose another one: `kubectl config use-context`, `gcloud … get-credentials`.
    let leaves_it = |atom: &shell::Atom| {
        let is_client = KUBE_CLIENTS.contains(&&*atom.program()) && atom.assigns.is_empty();
        is_client && atom.args.iter().all(|arg| arg.text != "config") || has("cd echo sleep", &atom.program())
    };
    if !command.analysis.atoms.iter().all(leaves_it) || std::env::var_os("KUBECONFIG").is_some() {
        return None;
    }
    let file = format!("{}/.kube/config", command.facts.home?);
    let Content::Text(text) = command.facts.text_of(&file) else { return None };
    let context = text.lines().find_map(|line| line.strip_prefix("current-context:"))?;
    Some(context.trim().trim_matches(['"', '\'']).to_owned())
}

/// Whether the program only makes clusters on this machine.
fn is_maker(command: &Command<'_>) -> bool {
    command.is(&["kind", "k3d", "minikube"])
}

/// Whether a cloud's own tool talks to a stand-in on this machine: `--endpoint-url http://localhost:4566`.
pub(crate) fn is_emulated(command: &Command<'_>) -> bool {
    let set = || {
        // What is set for one service comes first.
        let other = |name: &str| name.starts_with("AWS_ENDPOINT_URL_") || name.starts_with("AWS_IGNORE");
        let alone = !command.variables().any(|(name, _)| other(name));
        command.variable("AWS_ENDPOINT_URL").filter(|_| alone)
    };
    let is_stand_in = |address: &str| {
        server_of(address).is_some_and(|(host, _)| is_here(host) || matches!(host, "localstack" | "0.0.0.0"))
    };
    command.is(&["aws"]) && command.value(&["--endpoint-url"]).or_else(set).is_some_and(is_stand_in)
}

/// Whether the server that a client talks to is named, and is this machine.
fn is_on_this_machine(command: &Command<'_>) -> bool {
    let servers = command.args().iter().filter_map(|arg| server_of(&arg.text));
    let mut addresses = servers.map(|(host, _)| is_here(host)).peekable();
    match command.value(&SERVER_OPTIONS) {
        // Of a pod or another machine, "localhost" is another one.
        _ if leads_elsewhere(command) || command.atom.place != Place::Here && !is_in_engine(command) => false,
        Some(hosts) => {
            let is_one =
                |host: &str| is_here(host) || host.rsplit_once(':').is_some_and(|(host, _)| is_here(host));
            hosts.split(',').all(is_one)
        }
        None => addresses.peek().is_some() && addresses.all(|here| here),
    }
}

/// The host and the port in an address.
pub(crate) fn server_of(address: &str) -> Option<(&str, Option<&str>)> {
    let (_, rest) = address.split_once("://")?;
    let server = rest.split(['/', '?']).next()?;
    let host = server.rsplit_once('@').map_or(server, |(_, host)| host);
    let port = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    Some(port.map_or((host, None), |(name, port)| (name, Some(port))))
}

/// Whether a host is this machine.
pub(crate) fn is_here(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "::1" | "[::1]")
}

/// Whether the same text opens a tunnel, or sets an address that counts before the one that is named.
pub(crate) fn leads_elsewhere(command: &Command<'_>) -> bool {
    command.analysis.atoms.iter().any(|atom| {
        has(TUNNELS, &atom.program())
            || atom.args.iter().any(|arg| has(FORWARDS, &arg.text))
            || atom.assigns.iter().any(|(name, _)| matches!(name.as_str(), "PGHOSTADDR" | "PGSERVICE"))
    })
}

/// Programs that make a port of this machine lead to another one.
const TUNNELS: &str =
    "ssh autossh sshuttle socat stunnel chisel gost cloud-sql-proxy cloud_sql_proxy tsh boundary";

/// The same by a word of programs that do more: `kubectl port-forward`, `aws ssm start-session`.
const FORWARDS: &str = "port-forward proxy tunnel start-session start-iap-tunnel";

/// The operands that are names of databases or clusters, and the database in a URL.
fn operands(command: &Command<'_>) -> Vec<String> {
    let naming = command.is(NAMING);
    let url = |text: &str| {
        let (_, rest) = text.split_once("://")?;
        let (_, database) = rest.split_once('/')?;
        Some(database.split(['?', '/']).next()?.to_owned()).filter(|name| !name.is_empty())
    };
    command
        .operands()
        .iter()
        .filter_map(|arg| url(&arg.text).or_else(|| naming.then(|| arg.text.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use payload::Language;

    use crate::{CommandText, Decision, Facts, judge};

    #[test]
    fn a_cluster_of_this_machine_is_the_current_one_by_the_users_own_configuration() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(".kube")).unwrap();
        let decide = |context: &str, text| {
            let config = format!("apiVersion: v1\ncurrent-context: {context}\nkind: Config\n");
            std::fs::write(home.path().join(".kube/config"), config).unwrap();
            let facts = Facts::here(Some("/"), home.path().to_str());
            judge(&[CommandText { text, language: Language::Posix }], &facts).decision
        };
        for (context, text, decision) in [
            ("kind-dev", "kubectl delete ns dev", Decision::Ask),
            ("\"k3d-x\"", "helm uninstall api", Decision::Ask),
            ("kind-dev", "cd k8s && kubectl delete -f dev.yaml; kubectl delete ns dev", Decision::Ask),
            ("gke_acme_prod", "kubectl delete ns dev", Decision::Deny),
            ("kind-dev", "kubectl delete ns prod", Decision::Deny),
            ("kind-dev", "kubectl --context gke delete ns dev", Decision::Deny),
            ("kind-dev", "kubectl --kubeconfig other delete ns dev", Decision::Deny),
            ("kind-dev", "KUBECONFIG=other kubectl delete ns dev", Decision::Deny),
            ("kind-dev", "export KUBECONFIG=other; kubectl delete ns dev", Decision::Deny),
            ("kind-dev", "kubectl config use-context gke && kubectl delete ns dev", Decision::Deny),
            ("kind-dev", "kubectl --v=1 config use-context gke && kubectl delete ns dev", Decision::Deny),
            ("kind-dev", "kubectx gke; kubectl delete ns dev", Decision::Deny),
            (
                "kind-dev",
                "gcloud container clusters get-credentials p && kubectl delete ns dev",
                Decision::Deny,
            ),
        ] {
            assert_eq!(decide(context, text), Some(decision), "{context}: {text}");
        }
    }
}
