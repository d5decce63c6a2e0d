//! Libraries of services, and the commands of the services' own programs that do what their methods do.

use shell_engine::mark;

/// A library.
pub(super) struct Library {
    /// How the paths of its names begin, in any language; what follows is a part of its own.
    packages: &'static str,
    /// Methods, and what they stand for. The first row that fits counts.
    ///
    /// A method is written with hyphens; `*` is any that destroys something, after the kind of thing if only that is
    /// meant, and `+recurse` asks for an option. Of a command, `{kind}`, `{name}`, `{about}`, `{service}` and `{text}` are
    /// filled in, and a word whose `{project}` no one has named is left out.
    methods: &'static [(&'static str, &'static str)],
}

static LIBRARIES: &[Library] = &[
    Library { packages: "hcloud", methods: &[("*", "hcloud {kind} delete {name}")] },
    Library {
        packages: "google.cloud.storage @google-cloud/storage cloud.google.com/go/storage Google.Cloud.Storage",
        methods: &[
            ("delete-blobs", "gcloud storage rm -r gs://{name}"),
            ("delete-files", "gcloud storage rm -r gs://{name}"),
            ("*", "gcloud storage rm -r gs://{name}"),
        ],
    },
    Library {
        packages: "google.cloud.firestore @google-cloud/firestore",
        methods: &[("recursive-delete", "firebase firestore:delete -r {name}")],
    },
    Library {
        packages: "google.cloud @google-cloud googleapiclient.discovery Google.Cloud cloud.google.com/go",
        methods: &[("*", "gcloud {service} {kind} delete {name} --project={project}")],
    },
    Library {
        packages: "azure.mgmt azure.storage azure.keyvault azure.cosmos @azure",
        methods: &[("*", "az {kind} delete --name {name} --yes")],
    },
    Library {
        packages: "pydo digitalocean DropletKit godo do-wrapper",
        methods: &[("*", "doctl compute {kind} delete {name} -f")],
    },
    Library {
        packages: "linode_api4 linodego @linode/api-v4",
        methods: &[("*", "linode-cli {kind} delete {name}")],
    },
    Library { packages: "openstack", methods: &[("*", "openstack {kind} delete {name}")] },
    Library { packages: "scaleway", methods: &[("*", "scw {kind} delete {name}")] },
    Library { packages: "stripe", methods: &[("*", "stripe {kind} delete {name}")] },
    Library { packages: "consul", methods: &[("delete+recurse", "consul kv delete -recurse {name}")] },
    Library { packages: "etcd3", methods: &[("delete-prefix", "etcdctl del {name} --prefix")] },
    Library {
        packages: "hvac",
        methods: &[
            ("disable-secrets-engine", "vault secrets disable {name}"),
            ("delete-metadata-and-all-versions", "vault kv metadata delete {name}"),
        ],
    },
    Library {
        packages: "kafka confluent_kafka kafkajs",
        methods: &[("delete-topics", "kafka-topics --delete --topic {name}")],
    },
    Library {
        packages: "pika amqplib",
        methods: &[
            ("queue-delete", "rabbitmqadmin delete queue name={name}"),
            ("queue-purge", "rabbitmqadmin purge queue name={name}"),
            ("delete-queue", "rabbitmqadmin delete queue name={name}"),
            ("purge-queue", "rabbitmqadmin purge queue name={name}"),
        ],
    },
    Library { packages: "minio", methods: &[("remove-bucket", "mc rb --force {about}/{name}")] },
    Library { packages: "gitlab @gitbeaker", methods: &[("project *", "glab repo delete {name}")] },
    Library {
        packages: "python_terraform tfexec",
        methods: &[("destroy", "terraform -chdir={about} destroy -auto-approve")],
    },
    Library {
        packages: "influxdb_client influxdb-client",
        methods: &[
            ("delete-bucket", "influx bucket delete -n {name}"),
            ("delete+bucket", "influx delete --bucket {name}"),
        ],
    },
    Library {
        packages: "neo4j neo4j-driver",
        methods: &[
            ("run", "cypher-shell -a {about} {text}"),
            ("query", "cypher-shell -a {about} {text}"),
            ("execute-query", "cypher-shell -a {about} {text}"),
        ],
    },
    Library {
        packages: "qdrant_client pinecone chromadb weaviate @qdrant @pinecone-database",
        methods: &[
            ("delete-all", "curl -X DELETE {about}/collections/all"),
            ("*", "curl -X DELETE {about}/collections/{name}"),
        ],
    },
];

/// Words with which the names of methods begin that destroy something.
const DESTROYS: &[&str] =
    &["delete", "destroy", "remove", "drop", "purge", "terminate", "truncate", "erase", "wipe"];

/// Words around them, which say how.
const HOW: &[&str] = &[
    "and", "async", "batch", "begin", "bulk", "by", "contents", "force", "id", "result", "wait", "with",
    "request",
];

/// Words with which the names of methods begin that list what there is, or name one of it.
const LISTS: &[&str] = &[
    "all", "describe", "each", "fetch", "filter", "find", "get", "items", "iter", "iterator", "list", "page",
    "pages", "paginate", "search",
];

/// Things of which there are many, so that one of them is an everyday matter.
const SMALL: &[&str] = &[
    "api", "blob", "comment", "doc", "document", "entity", "event", "file", "item", "label", "message",
    "metadata", "object", "point", "record", "row", "tag", "vector",
];

/// What a method of a client is called with.
pub(super) struct Asked<'a> {
    /// The method, with hyphens: `delete-bucket`.
    pub(super) method: &'a str,
    /// What it is reached through, with the names that were given: `("bucket", "acme")`.
    pub(super) parts: &'a [(String, String)],
    /// The first text among its arguments.
    pub(super) first: Option<String>,
    /// Whether an option is on.
    pub(super) has: &'a dyn Fn(&str) -> bool,
}

impl Library {
    /// The library that a path belongs to, and what of the path is left.
    pub(super) fn of(path: &str) -> Option<(&'static Self, &str)> {
        let rest_of = |package: &'static str| {
            let rest = path.strip_prefix(package)?;
            let rest = rest.strip_prefix(['.', '/', '-']).unwrap_or(rest);
            (rest.len() < path.len() - package.len()).then_some(rest)
        };
        LIBRARIES
            .iter()
            .find_map(|library| library.packages.split(' ').find_map(rest_of).map(|rest| (library, rest)))
    }

    /// The command that a method stands for, if it does something that matters.
    pub(super) fn command(
        &self,
        asked: &Asked<'_>,
        value: &dyn Fn(&str) -> Option<String>,
    ) -> Option<Vec<String>> {
        let destroyed = destroyed(asked);
        let fits = |(row, _): &&(&str, &str)| {
            let (row, option) = row.split_once('+').unwrap_or((row, ""));
            let (kind, method) = row.rsplit_once(' ').unwrap_or(("", row));
            let names = match method {
                "*" => destroyed
                    .as_ref()
                    .is_some_and(|(known, is_small)| !is_small && (kind.is_empty() || kind == known)),
                method => method == asked.method,
            };
            names && (option.is_empty() || (asked.has)(option))
        };
        let (_, command) = self.methods.iter().find(fits)?;
        let unknown = || mark::UNKNOWN.to_string();
        let named =
            || asked.parts.iter().rev().find(|(_, name)| !name.is_empty()).map(|(_, name)| name.clone());
        let fill = |word: &str| -> Option<Option<String>> {
            let (Some(open), Some(close)) = (word.find('{'), word.find('}')) else {
                return Some(Some(word.to_owned()));
            };
            let filled = match &word[open + 1..close] {
                "kind" => destroyed.as_ref().map_or_else(unknown, |(kind, _)| kind.clone()),
                "name" => asked.first.clone().or_else(named).unwrap_or_else(unknown),
                // Without it, nothing is known of what is done.
                "text" => asked.first.clone()?,
                "about" => value("about").unwrap_or_else(unknown),
                other => match value(other) {
                    Some(filled) => filled,
                    None => return Some(None),
                },
            };
            Some(Some([&word[..open], &filled, &word[close + 1..]].concat()))
        };
        let words: Option<Vec<Option<String>>> = command.split(' ').map(fill).collect();
        Some(words?.into_iter().flatten().collect())
    }
}

/// What kind of thing a method destroys, and whether that is only one of many.
fn destroyed(asked: &Asked<'_>) -> Option<(String, bool)> {
    let mut words: Vec<&str> = asked.method.split('-').filter(|word| !HOW.contains(word)).collect();
    if !destroys(words.first()?) {
        return None;
    }
    words.remove(0);
    if words.last() == Some(&"all") {
        words.pop();
    }
    // All of a list go, where nothing narrows it.
    let lists = |part: &str| part.split('-').next().is_some_and(|word| LISTS.contains(&word));
    let all = asked.parts.last().is_some_and(|(part, name)| lists(part) && name.is_empty());
    let of_part = || {
        let kinds = asked.parts.iter().rev().map(|(part, _)| {
            part.split('-').filter(|word| !LISTS.contains(word)).collect::<Vec<_>>().join("-")
        });
        kinds.into_iter().find(|kind| !kind.is_empty())
    };
    let kind = if words.is_empty() { of_part().unwrap_or_default() } else { words.join("-") };
    let kind = singular(&kind);
    let is_small = SMALL.iter().any(|small| kind.rsplit('-').next() == Some(*small));
    Some((kind, is_small && !all))
}

/// Whether a method's name begins with a word that says that it destroys something.
pub(super) fn destroys(method: &str) -> bool {
    method.split('-').next().is_some_and(|word| DESTROYS.contains(&word))
}

/// `servers`, `policies` and `addresses` as one of them.
pub(super) fn singular(kind: &str) -> String {
    match (kind.strip_suffix("ies"), kind.strip_suffix("sses"), kind.strip_suffix('s')) {
        (Some(start), _, _) => format!("{start}y"),
        (_, Some(start), _) => format!("{start}ss"),
        (_, _, Some(start)) if !start.ends_with('s') => start.to_owned(),
        _ => kind.to_owned(),
    }
}

/// A part of a client by its kind: `list_buckets`, `getBucket` and `buckets` lead to a bucket.
pub(super) fn kind_of(part: &str) -> String {
    let words: Vec<&str> = part.split('-').filter(|word| !LISTS.contains(word)).collect();
    singular(&words.join("-"))
}
