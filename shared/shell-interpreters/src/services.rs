//! Clouds, clusters, stores and forges, reached by their libraries: each call is the command of the service's own program
//! that would do the same, so that the rules about commands hold for it. `client("s3").delete_bucket(Bucket="x")` is
//! `aws s3 delete-bucket --bucket x`.

use std::rc::Rc;

use shell_engine::{Arg, mark};

use super::Language;
use super::database::{MEMORY, addresses, is_all, is_memory};
use super::files::is_true;
use super::follow::Follower;
use super::lex::Token;
use super::libraries::{Asked, Library, destroys, kind_of};
use super::spawn::words_of;
use super::value::{Arguments, Value};

/// How the values of clients begin; no code can write it.
pub(super) const HANDLE: &str = "client ";
/// Clients of one body that are remembered.
const MAX_CLIENTS: usize = 256;

/// A client of a service, and what it has been narrowed to.
#[derive(Clone)]
pub(super) struct Client {
    pub(super) kind: Kind,
    /// The service of a cloud, the address of a store, the repository of a forge, the file of an archive.
    pub(super) about: String,
    /// Its own options: `--endpoint-url http://localhost:4566`.
    pub(super) options: Vec<String>,
    /// Buckets, tables, collections and the like that it was asked for, with their names.
    pub(super) parts: Vec<(String, String)>,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Archive,
    Aws,
    Kubernetes,
    Docker,
    Mongo,
    Redis,
    Elastic,
    Forge,
    Git,
    /// Tables of a database, as `SQLAlchemy` describes them.
    Tables,
    /// All processes, as Java lists them.
    Processes,
    Library(&'static Library),
}

/// What a path of names makes, where that is a client of a service.
fn made_by(language: Language, path: &str) -> Option<Kind> {
    let mut parts = path.rsplitn(3, '.');
    let (last, parent) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let is_api = |name: &str| {
        name.strip_suffix("Api").is_some_and(|group| {
            ["Core", "Apps", "Batch", "Rbac", "Networking", "Custom", "Storage", "Policy", "Autoscaling"]
                .iter()
                .any(|start| group.starts_with(start))
        })
    };
    Some(match (parent, last) {
        ("boto3" | "session" | "Session", "client" | "resource") => Kind::Aws,
        ("Client" | "Resource", "new") if path.starts_with("Aws.") => Kind::Aws,
        ("Client", "new") if path.starts_with("aws_sdk_") => Kind::Aws,
        (_, client) if path.starts_with("Aws.") && client.ends_with("Client") => Kind::Aws,
        (_, client) if path.starts_with("@aws-sdk/") && !client.ends_with("Command") => Kind::Aws,
        (_, "NewFromConfig") => Kind::Aws,
        _ if path.starts_with("aws-sdk.") || path.starts_with("AWS.") && last != "config" => Kind::Aws,
        (_, "makeApiClient") => Kind::Kubernetes,
        (_, api) if is_api(api) => Kind::Kubernetes,
        ("docker", "from_env" | "DockerClient") | ("", "dockerode" | "Docker" | "DockerClient") => {
            Kind::Docker
        }
        (_, "MongoClient" | "AsyncIOMotorClient")
        | ("Client", "new")
        | ("mongo", "Connect" | "NewClient")
            if path.to_ascii_lowercase().contains("mongo") =>
        {
            Kind::Mongo
        }
        (
            "redis" | "ioredis" | "Redis",
            "Redis" | "StrictRedis" | "from_url" | "createClient" | "NewClient" | "new",
        )
        | ("", "ioredis" | "Redis" | "StrictRedis") => Kind::Redis,
        (_, "Elasticsearch" | "OpenSearch" | "AsyncElasticsearch") => Kind::Elastic,
        (_, "Client") if path.contains("elasticsearch") || path.contains("opensearch") => Kind::Elastic,
        ("sqlalchemy" | "schema", "MetaData" | "Table") => Kind::Tables,
        ("git", "Repo") if language == Language::Python => Kind::Git,
        ("simple-git", "simpleGit" | "default" | "gitP") | ("", "simple-git")
            if language == Language::JavaScript =>
        {
            Kind::Git
        }
        (_, "get_repo" | "getRepo" | "get_repos") if language == Language::Python => Kind::Forge,
        ("ProcessHandle", "allProcesses") => Kind::Processes,
        _ => Kind::Library(Library::of(path)?.0),
    })
}

/// Whether Ruby calls a method of a client without anything after its name.
pub(super) fn is_bare_call(path: &str, name: &str) -> bool {
    matches!(name, "delete_all" | "destroy_all" | "flushall" | "flushdb" | "drop")
        || path.starts_with(HANDLE) && destroys(&dashed(name))
}

/// `delete_bucket`, `deleteBucket` and `DeleteBucket` as the programs write it: `delete-bucket`.
pub(super) fn dashed(name: &str) -> String {
    let mut dashed = String::new();
    for c in name.trim_end_matches(['!', '?']).chars() {
        if c == '_' {
            dashed.push('-');
        } else {
            if c.is_ascii_uppercase() && !dashed.is_empty() && !dashed.ends_with('-') {
                dashed.push('-');
            }
            dashed.push(c.to_ascii_lowercase());
        }
    }
    // `DBInstanceIdentifier`
    dashed.replace("d-b-", "db-")
}

/// As many strings of a file are looked through for what it imports.
const MAX_IMPORTS: usize = 64;

/// Where the server is kept to which paramiko is connected. No code can write it.
const SERVER: &str = "()server";

/// Where the address of mongoose's usual connection is kept. No code can write it.
const MONGOOSE: &str = "()mongoose";

impl Follower<'_> {
    /// A call of the library of a service. `None` where it is none.
    pub(super) fn service(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        if let Some(rest) = path.strip_prefix(HANDLE) {
            let (index, members) = rest.split_once('.').unwrap_or((rest, ""));
            let index = index.parse::<usize>().ok()?;
            let client = self.clients.get(index)?.clone();
            if matches!(client.kind, Kind::Archive) {
                return Some(self.of_archive(index, members, arguments));
            }
            // `connect(uri).then((client) => …)`
            if members == "then" {
                let handle = Value::Name(path.trim_end_matches(".then").to_owned());
                for function in arguments.values.iter().flat_map(Value::functions) {
                    self.call_function(&function, vec![handle.clone()]);
                }
                return Some(handle);
            }
            return Some(self.of_client(client, members, arguments));
        }
        if let Some(value) = self.aws_command(path, arguments).or_else(|| self.over_ssh(path, arguments)) {
            return Some(value);
        }
        if super::archives::makes(self.language, path) {
            return self.archive(path, arguments);
        }
        if let Some(value) = self.packs_at_once(path, arguments) {
            return Some(value);
        }
        // What a connection to a database in memory leads to is in memory, too.
        if let Some((MEMORY, member)) = path.split_once('.') {
            let leads = matches!(member, "db" | "collection" | "start" | "with_exposed_ports")
                || member.starts_with("get");
            return leads.then(|| Value::Name(MEMORY.to_owned()));
        }
        // What lives in memory, or in a container that the code has started itself.
        let package = path.split('.').next().unwrap_or(path);
        let is_passing =
            matches!(package, "mongodb-memory-server" | "fakeredis" | "mongomock" | "testcontainers")
                || package.starts_with("@testcontainers/");
        if is_passing && !self.is_of_project(package) {
            return Some(Value::Name(MEMORY.to_owned()));
        }
        // `await MongoClient.connect(uri)`, `mongoose.connect(uri)`
        let maker = path.strip_suffix(".connect").or_else(|| path.strip_suffix(".createConnection"));
        let is_maker = |path: &str| path.ends_with("MongoClient") || path == "mongoose";
        if let Some(maker) = maker.filter(|maker| is_maker(maker)) {
            if maker == "mongoose" {
                let address = match arguments.first() {
                    Some(memory) if is_memory(memory) => memory.clone(),
                    address => Value::from(address.map_or_else(String::new, Value::text)),
                };
                self.assign(MONGOOSE, address);
            }
            return Some(self.client(Kind::Mongo, maker, arguments));
        }
        let imported = self.imported(path);
        let path = imported.as_deref().unwrap_or(path);
        if let Some(kind) = made_by(self.language, path) {
            // `stripe.Customer.delete(id)` needs no client.
            let module = || Client { kind, about: String::new(), options: Vec::new(), parts: Vec::new() };
            let words = Library::of(path).filter(|_| matches!(kind, Kind::Library(_)));
            return Some(
                match words.and_then(|(library, rest)| module().of_library(library, rest, arguments)) {
                    Some(words) => self.start(words.into_iter().map(Arg::from).collect(), None),
                    None => self.client(kind, path, arguments),
                },
            );
        }
        if let Some(value) = self.cluster_path(path, arguments) {
            return Some(value);
        }
        let name = path.rsplit('.').next().unwrap_or(path);
        self.by_name(path, name, arguments)
    }

    /// Files that paramiko and fabric copy to a server.
    fn over_ssh(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let (object, name) = path.rsplit_once('.').filter(|_| self.language == Language::Python)?;
        let is_client = |object: &str| {
            ["SSHClient", "Transport", "fabric.Connection"].iter().any(|end| object.ends_with(end))
        };
        match name {
            "connect" if is_client(object) => {
                self.assign(SERVER, Value::from(arguments.first().or(arguments.named("hostname"))?.text()));
                Some(Value::from(mark::TOKEN))
            }
            "put" | "putfo"
                if object.contains("sftp") || object.contains("SFTPClient") || is_client(object) =>
            {
                let server = self.variable(SERVER).map_or_else(|| mark::UNKNOWN.to_string(), Value::text);
                let to = arguments.values.get(1).map_or_else(String::new, Value::text);
                // An archive in memory holds files, too.
                let source = self.private_in(arguments.first()?, |_| false);
                let held = source.and_then(|source| source.paths().next().map(ToString::to_string));
                let what = held.unwrap_or_else(|| arguments.values[0].text());
                let words = ["scp".to_owned(), what, format!("{server}:{to}")];
                Some(self.start(words.into_iter().map(Arg::from).collect(), None))
            }
            _ => None,
        }
    }

    /// A client that is made here.
    fn client(&mut self, kind: Kind, path: &str, arguments: &Arguments) -> Value {
        if addresses(arguments).any(is_memory) {
            return Value::Name(MEMORY.to_owned());
        }
        let first = arguments.first().map(Value::text).filter(|text| !text.is_empty());
        // Of several places, the one that others have matters.
        let option = |names: &[&str]| {
            let given = names.iter().find_map(|name| arguments.option(name)).map(Value::text);
            let mut choices = arguments.values.iter().flat_map(Value::choices);
            given.or_else(|| {
                let known = |choice: &Value| names.iter().find_map(|name| choice.get(name)).map(Value::text);
                let found: Vec<String> = choices.by_ref().filter_map(known).collect();
                let is_here =
                    |host: &&String| ["localhost", "127.0.0.1"].iter().any(|own| host.contains(own));
                found.iter().find(|host| !is_here(host)).or(found.first()).cloned()
            })
        };
        let about = match kind {
            Kind::Aws => match path.split_once('.') {
                Some(("Aws" | "AWS" | "aws-sdk", rest)) => {
                    let service = rest.split('.').next().unwrap_or_default();
                    service.trim_end_matches("Client").to_ascii_lowercase()
                }
                Some((package, "NewFromConfig")) => package.to_owned(),
                Some((package, _)) if package.contains("aws_sdk_") || package.starts_with("@aws-sdk/") => {
                    let service = package.rsplit(['/', '_']).next().unwrap_or_default();
                    service.trim_start_matches("client-").to_owned()
                }
                _ => first.unwrap_or_else(|| mark::UNKNOWN.to_string()),
            },
            Kind::Forge => first.unwrap_or_else(|| mark::UNKNOWN.to_string()),
            _ => {
                option(&["host", "hosts", "node", "url", "Addr", "working_dir"]).or(first).unwrap_or_default()
            }
        };
        let mut options = Vec::new();
        if let Some(address) = option(&["endpoint_url", "endpoint"]) {
            options.extend(["--endpoint-url".to_owned(), address]);
        }
        let mut parts = Vec::new();
        if let (Kind::Library(_), Some((_, rest))) = (kind, Library::of(path)) {
            if let Some(project) = option(&["project", "projectId", "project_id"]) {
                options.push(project);
            }
            // `google.cloud.compute_v1.InstancesClient()`
            let names = rest.split(['.', '/']).map(|name| name.strip_suffix("Client").unwrap_or(name));
            parts.extend(names.filter(|name| !name.is_empty()).map(|name| (dashed(name), String::new())));
        }
        self.keep_client(Client { kind, about, options, parts })
    }

    pub(super) fn keep_client(&mut self, client: Client) -> Value {
        if self.clients.len() >= MAX_CLIENTS {
            return Value::unknown();
        }
        self.clients.push(client);
        Value::Name(format!("{HANDLE}{}", self.clients.len() - 1))
    }

    /// A method of a client: `members` lead to it, the last one is its name.
    fn of_client(&mut self, mut client: Client, members: &str, arguments: &Arguments) -> Value {
        let (before, name) = members.rsplit_once('.').unwrap_or(("", members));
        if matches!(client.kind, Kind::Tables)
            && !arguments.all().any(is_memory)
            && let Some(value) = self.of_tables(name)
        {
            return value;
        }
        let words = match client.kind {
            Kind::Aws => client.aws(before, name, arguments),
            Kind::Kubernetes => kubectl(name, arguments),
            Kind::Docker => client.docker(before, name),
            Kind::Mongo => client.mongo(before, name, arguments),
            Kind::Redis => client.redis(name, || self.is_every_key(arguments)),
            Kind::Elastic => client.elastic(before, name, arguments),
            Kind::Git => client.git(before, name, arguments),
            Kind::Archive => None,
            Kind::Forge => (name == "delete" && client.parts.is_empty())
                .then(|| vec!["gh".into(), "repo".into(), "delete".into(), client.about.clone()]),
            Kind::Tables => None,
            Kind::Processes => {
                let is_all = client.parts.iter().all(|(part, _)| part != "filter");
                let kills = is_all && matches!(name, "destroy" | "destroyForcibly");
                kills.then(|| ["kill", "-9", "-1"].map(str::to_owned).to_vec())
            }
            Kind::Library(library) => client.of_library(library, members, arguments),
        };
        if let Some(words) = words {
            return self.start(words.into_iter().map(Arg::from).collect(), None);
        }
        if matches!(client.kind, Kind::Library(_)) && super::act::is_statement(name) {
            return self.query(arguments);
        }
        // A part of it, which the next call is about; what narrows a list is not known by its name.
        let narrowed = || (!arguments.named.is_empty()).then(|| mark::UNKNOWN.to_string());
        let part = arguments.first().map(Value::text).or_else(narrowed);
        for member in before.split('.').filter(|member| !member.is_empty()) {
            client.parts.push((member.to_owned(), String::new()));
        }
        client.parts.push((name.to_owned(), part.unwrap_or_default()));
        let handle = self.keep_client(client);
        // `session.execute_write(lambda tx: …)`
        let functions = arguments.values.iter().flat_map(Value::functions).chain(arguments.block.clone());
        for function in functions {
            self.call_function(&function, vec![handle.clone()]);
        }
        handle
    }

    /// Whether a package that is imported by its name is a module of the project, which may do anything.
    fn is_of_project(&mut self, package: &str) -> bool {
        let folders = [self.own_folder(), Rc::clone(&self.scope.cwd)];
        let files = ["", "/__init__"].map(|inner| format!("{package}{inner}.py"));
        let mut paths =
            folders.iter().flat_map(|folder| files.iter().map(move |file| format!("{folder}/{file}")));
        self.language == Language::Python
            && paths.any(|path| self.runner.look_up(self.scope, &path).is_some())
    }

    /// The path of a library's name with what the code imports it from: `storage.NewClient` of
    /// `cloud.google.com/go/storage`, `S3Client` of `Aws\S3`.
    fn imported(&self, path: &str) -> Option<String> {
        if let Language::Php | Language::Jvm = self.language {
            let name = path.strip_suffix(".create").or(path.strip_suffix(".builder")).unwrap_or(path);
            let is_client = name.ends_with("Client") && !name.contains('.');
            let names_aws = |token: &Token| matches!(token, Token::Name(word) if ["Aws", "awssdk", "amazonaws"].iter().any(|aws| word.split(['.', '\\']).any(|part| part == *aws)));
            return (is_client && self.code.tokens.iter().any(names_aws)).then(|| format!("Aws.{name}"));
        }
        let (package, rest) = path.split_once('.').filter(|_| self.language == Language::Go)?;
        let is_it = |import: &&String| {
            let versioned = import.rsplit_once("/v").filter(|(_, version)| version.parse::<u32>().is_ok());
            let import = versioned.map_or(import.as_str(), |(import, _)| import);
            import.rsplit_once('/').is_some_and(|(_, last)| last == package)
        };
        let imports = self.code.tokens.iter().filter_map(|token| match token {
            Token::Text(text) => Some(text),
            _ => None,
        });
        let full = imports.take(MAX_IMPORTS).find(is_it).map(|import| format!("{import}.{rest}"));
        full.filter(|path| Library::of(path).is_some())
    }

    /// What is done to tables that a schema describes.
    fn of_tables(&mut self, name: &str) -> Option<Value> {
        match name {
            "delete" if !self.is_narrowed() => Some(self.send_statement("DELETE FROM rows")),
            "drop" | "drop_all" => Some(self.send_statement("DROP TABLE rows")),
            _ => None,
        }
    }

    /// Whether a store was asked for the names of all its keys, and these are what a method gets.
    fn is_every_key(&self, arguments: &Arguments) -> bool {
        let asked = arguments.values.iter().find_map(|value| match value {
            Value::Name(path) => self.clients.get(path.strip_prefix(HANDLE)?.parse::<usize>().ok()?),
            _ => None,
        });
        asked.and_then(|client| client.parts.last()).is_some_and(|(part, pattern)| {
            let part = part.to_ascii_lowercase();
            (part == "keys" || part.starts_with("scan")) && matches!(pattern.as_str(), "" | "*")
        })
    }

    /// `new DeleteBucketCommand({ Bucket: "x" })`, which is made to be sent.
    fn aws_command(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let (service, command) = path.strip_prefix("@aws-sdk/")?.split_once('.')?;
        let command = command.strip_suffix("Command")?;
        let service = service.trim_start_matches("client-").trim_start_matches("lib-");
        let client =
            Client { kind: Kind::Aws, about: service.to_owned(), options: Vec::new(), parts: Vec::new() };
        let words = client.aws("", command, arguments)?;
        Some(self.start(words.into_iter().map(Arg::from).collect(), None))
    }

    /// Go's `clientset.CoreV1().Pods("default").Delete(ctx, "name", …)`
    fn cluster_path(&mut self, path: &str, arguments: &Arguments) -> Option<Value> {
        let groups = [".CoreV1.", ".AppsV1.", ".BatchV1.", ".NetworkingV1.", ".RbacV1.", ".StorageV1."];
        let (_, rest) = groups.iter().find_map(|group| path.split_once(group))?;
        let Some((kind, verb)) = rest.split_once('.') else {
            // The kind, in a namespace.
            return Some(Value::Name(path.to_owned()));
        };
        let name =
            arguments.values.iter().find_map(Value::known).unwrap_or_else(|| mark::UNKNOWN.to_string());
        let what = match verb {
            "Delete" => name,
            "DeleteCollection" => "--all".to_owned(),
            _ => return None,
        };
        Some(
            self.start(
                ["kubectl", "delete", &kind.to_ascii_lowercase(), &what].map(Arg::from).to_vec(),
                None,
            ),
        )
    }

    /// Methods that are called so in no other library, whatever their client comes from.
    pub(super) fn by_name(&mut self, path: &str, name: &str, arguments: &Arguments) -> Option<Value> {
        let text =
            |at: usize| arguments.values.get(at).map_or_else(|| mark::UNKNOWN.to_string(), Value::text);
        if let Some(statement) = self.of_orm(path, name, arguments) {
            return Some(self.send_statement(statement));
        }
        let line: Vec<String> = match name {
            "flushall" | "flushAll" | "FlushAll" | "flushdb" | "flushDb" | "FlushDB" => {
                ["redis-cli", "FLUSHALL"].map(str::to_owned).to_vec()
            }
            "drop_database" | "dropDatabase" => {
                let address = self.variable(MONGOOSE).filter(|_| path.contains("mongoose"));
                if address.is_some_and(is_memory) {
                    return Some(Value::unknown());
                }
                let address = address.map(Value::text);
                mongosh(&address.unwrap_or_default(), "db.dropDatabase()")
            }
            // Python's `configparser.ConfigParser()`
            "read" if path.ends_with("ConfigParser.read") => {
                let file = Value::File(text(0));
                let data = self.data(&file, super::languages::Format::Sections)?;
                self.assign(path.trim_end_matches(".read"), data);
                return Some(Value::unknown());
            }
            "get" if path.ends_with("ConfigParser.get") => {
                let parsed = self.variable(path.trim_end_matches(".get")).cloned()?;
                return Some(
                    arguments.values.iter().take(2).fold(parsed, |inner, key| self.element_of(&inner, key)),
                );
            }
            "begin_delete" => {
                let group = path.split('.').rev().nth(1).unwrap_or("resource");
                let group = dashed(group.trim_end_matches('s')).replace("resource-group", "group");
                ["az", &group, "delete", "--name", &text(0)].map(str::to_owned).to_vec()
            }
            "recursiveDelete" => ["firebase", "firestore:delete", "-r", &text(0)].map(str::to_owned).to_vec(),
            "Reboot" if path.ends_with("syscall.Reboot") => vec!["reboot".to_owned()],
            "delete" if path.ends_with("repos.delete") => {
                let part = |name: &str| {
                    arguments.option(name).map_or_else(|| mark::UNKNOWN.to_string(), Value::text)
                };
                let repository = format!("{}/{}", part("owner"), part("repo"));
                ["gh", "repo", "delete", &repository].map(str::to_owned).to_vec()
            }
            "get_repos" if self.language == Language::Python => {
                return Some(self.client(Kind::Forge, path, arguments));
            }
            _ => match kubectl(name, arguments) {
                Some(words) if name.contains("amespace") => words,
                _ => return None,
            },
        };
        Some(self.start(line.into_iter().map(Arg::from).collect(), None))
    }

    /// The statement that a method of an ORM sends for all rows, or for a table.
    fn of_orm(&self, path: &str, name: &str, arguments: &Arguments) -> Option<&'static str> {
        const ALL: &str = "DELETE FROM rows";
        let nothing = arguments.values.is_empty() && arguments.named.is_empty() && arguments.block.is_none();
        let of_class = path.starts_with(char::is_uppercase);
        let ends = |end: &str| nothing && path.ends_with(end);
        let python = self.language == Language::Python;
        match name {
            "deleteMany" | "delete_many" => (nothing || is_all(arguments)).then_some(ALL),
            "EnsureDeleted" | "EnsureDeletedAsync" => Some("DROP DATABASE rows"),
            // SQLAlchemy's `session.execute(delete(User))`
            "delete" if path.starts_with("sqlalchemy.") => (!self.is_narrowed()).then_some(ALL),
            // Django's `User.objects.all().delete()`, Tortoise's `User.all().delete()`, Laravel's `User::query()->delete()`
            "delete" if nothing && path.contains(".objects.") || ends(".query.delete") => Some(ALL),
            "delete" if python && ends(".all.delete") => Some(ALL),
            // Peewee's `User.delete().execute()`
            "delete" if python && nothing && self.next_in_chain() == Some("execute") => {
                let class = path.rsplit('.').nth(1)?;
                class.starts_with(char::is_uppercase).then_some(ALL)
            }
            // Rails' `User.delete_all`
            "delete_all" | "destroy_all" => (nothing && of_class).then_some(ALL),
            "truncate" if self.language == Language::Php => {
                (nothing && of_class).then_some("TRUNCATE TABLE rows")
            }
            "drop_all" => (!addresses(arguments).any(is_memory)).then_some("DROP TABLE rows"),
            "drop" | "dropIfExists" | "dropAllTables" if path.starts_with("Schema.") => {
                Some("DROP TABLE rows")
            }
            _ => None,
        }
    }
}

/// Words with which the names of AWS's methods begin that change something.
const ACTS: &[&str] = &[
    "cancel",
    "delete",
    "deregister",
    "detach",
    "disable",
    "empty",
    "modify",
    "purge",
    "put",
    "reboot",
    "release",
    "remove",
    "reset",
    "revoke",
    "schedule",
    "stop",
    "terminate",
    "update",
];

impl Client {
    fn named(&self, part: &str) -> Option<&str> {
        let found = self
            .parts
            .iter()
            .rev()
            .find(|(known, name)| known.eq_ignore_ascii_case(part) && !name.is_empty());
        found.map(|(_, name)| name.as_str())
    }

    /// Resources: `Bucket("x").objects.all().delete()`, `Instance("i").terminate()`, and each of `buckets.all()`.
    fn aws_resource(&self, before: &str, verb: &str, arguments: &Arguments) -> Option<Vec<String>> {
        let of_list = || {
            let nothing = arguments.values.is_empty() && arguments.named.is_empty() && !verb.contains('-');
            let mut parts = self.parts.iter().map(|(part, _)| kind_of(&dashed(part)));
            parts.rfind(|part| nothing && !part.is_empty())
        };
        let one = self.parts.iter().find(|(_, named)| !named.is_empty()).cloned();
        let (resource, named) = one.or_else(|| Some((of_list()?, mark::UNKNOWN.to_string())))?;
        let mut all = before.split('.').chain(self.parts.iter().map(|(part, _)| part.as_str()));
        let resource = dashed(&resource);
        let line = if all.any(|part| part.starts_with("object")) {
            vec!["s3".to_owned(), "rm".to_owned(), format!("s3://{named}"), "--recursive".to_owned()]
        } else if resource == "bucket" {
            vec!["s3".to_owned(), "rb".to_owned(), format!("s3://{named}")]
        } else {
            vec![self.about.clone(), format!("{verb}-{resource}"), format!("--{resource}"), named]
        };
        Some(line)
    }

    fn aws(&self, before: &str, name: &str, arguments: &Arguments) -> Option<Vec<String>> {
        let verb = dashed(name);
        let mut words = vec!["aws".to_owned()];
        words.extend(self.options.iter().cloned());
        if !ACTS.contains(&verb.split('-').next().unwrap_or(&verb)) {
            return None;
        }
        if let Some(line) = self.aws_resource(before, &verb, arguments) {
            words.extend(line);
            return Some(words);
        }
        let service = if self.about == "s3" { "s3api" } else { &self.about };
        words.extend([service.to_owned(), verb]);
        let maps = arguments.values.iter().filter_map(|value| match value {
            Value::Map(entries) => Some(entries),
            _ => None,
        });
        for (name, value) in arguments.named.iter().chain(maps.flatten()) {
            let flag = format!("--{}", dashed(name));
            match value {
                Value::Name(word) if word.eq_ignore_ascii_case("true") || word == crate::options::GIVEN => {
                    words.push(flag);
                }
                value if !is_true(value) => {}
                value => {
                    words.push(flag);
                    words.extend(words_of(std::slice::from_ref(value)).into_iter().map(|word| word.text));
                }
            }
        }
        Some(words)
    }

    /// `GitPython` and simple-git.
    fn git(&self, before: &str, name: &str, arguments: &Arguments) -> Option<Vec<String>> {
        let mut words: Vec<String> = words_of(&arguments.values).into_iter().map(|arg| arg.text).collect();
        let forced = || arguments.option("force").or_else(|| arguments.values.get(1)).is_some_and(is_true);
        let named = |name: &str| arguments.option(name).map(Value::text);
        // simple-git's `{ "--force": null }`
        let of_map = |value: &Value| match value {
            Value::Map(entries) => entries.clone(),
            _ => Vec::new(),
        };
        for (option, value) in arguments.values.iter().flat_map(of_map) {
            let value = value.known().filter(|value| !matches!(value.as_str(), "" | "null" | "true"));
            let option = option.starts_with('-').then(|| option.clone());
            words.extend(
                option.map(|option| value.map_or(option.clone(), |value| format!("{option}={value}"))),
            );
        }
        let verb = match name {
            "raw" => String::new(),
            "deleteLocalBranch" | "deleteLocalBranches" | "delete_head" => {
                words.retain(|word| !matches!(word.as_str(), "true" | "false"));
                words.insert(0, if forced() { "-D" } else { "-d" }.to_owned());
                "branch".to_owned()
            }
            // `repo.remotes.origin.push(refspec="+HEAD:main")`
            "push" => {
                let of_remote = || before.strip_prefix("remotes.").map(str::to_owned);
                let remote = self.named("remote").map(str::to_owned).or_else(of_remote);
                let force = named("force").is_some() && forced();
                let before = remote.into_iter().chain(named("refspec"));
                words.splice(0..0, before.collect::<Vec<_>>());
                words.extend(force.then(|| "--force".to_owned()));
                "push".to_owned()
            }
            // `git.clean("f", ["-d"])`
            "clean" => {
                if let Some(mode) = words.first_mut().filter(|mode| !mode.starts_with('-')) {
                    mode.insert(0, '-');
                }
                "clean".to_owned()
            }
            "reset" | "checkout" | "stash" | "rm" | "branch" | "rebase" | "tag" => name.to_owned(),
            _ => return None,
        };
        let verb = Some(verb).filter(|verb| !verb.is_empty());
        Some(std::iter::once("git".to_owned()).chain(verb).chain(words).collect())
    }

    fn docker(&self, before: &str, name: &str) -> Option<Vec<String>> {
        let (group, _) = self
            .parts
            .first()
            .cloned()
            .unwrap_or_else(|| (before.split('.').next().unwrap_or_default().to_owned(), String::new()));
        let group = kind_of(&dashed(&group));
        let line = match name {
            "prune" | "pruneVolumes" | "pruneContainers" | "pruneImages" => {
                let group = match name.strip_prefix("prune") {
                    Some("") | None => group,
                    Some(kind) => kind.trim_end_matches('s').to_ascii_lowercase(),
                };
                vec![group, "prune".to_owned(), "-f".to_owned()]
            }
            "remove" | "kill" => {
                let named = self.parts.iter().rev().find(|(_, named)| !named.is_empty());
                let named = named.map_or_else(|| mark::UNKNOWN.to_string(), |(_, named)| named.clone());
                let verb = if name == "kill" { "kill" } else { "rm" };
                vec![group, verb.to_owned(), named]
            }
            _ => return None,
        };
        Some(std::iter::once("docker".to_owned()).chain(line).collect())
    }

    fn mongo(&self, before: &str, name: &str, arguments: &Arguments) -> Option<Vec<String>> {
        let collection =
            self.named("collection").unwrap_or_else(|| before.rsplit('.').next().unwrap_or_default());
        let collection = if collection.is_empty() { "rows" } else { collection };
        let filtered = arguments
            .first()
            .is_some_and(|filter| !matches!(filter, Value::Map(entries) if entries.is_empty()));
        let script = match name {
            "drop_database" | "dropDatabase" => "db.dropDatabase()".to_owned(),
            "drop" | "Drop"
                if before.is_empty()
                    && self.parts.iter().all(|(part, _)| part == "db" || part == "database") =>
            {
                "db.dropDatabase()".to_owned()
            }
            "drop" | "Drop" | "drop_collection" | "dropCollection" => format!("db.{collection}.drop()"),
            "delete_many" | "deleteMany" | "DeleteMany" | "remove" if !filtered => {
                format!("db.{collection}.deleteMany({{}})")
            }
            _ => return None,
        };
        Some(mongosh(&self.about, &script))
    }

    /// What a method of the library of a service stands for.
    fn of_library(&self, library: &Library, members: &str, arguments: &Arguments) -> Option<Vec<String>> {
        let mut parts: Vec<(String, String)> =
            self.parts.iter().map(|(part, name)| (dashed(part), name.clone())).collect();
        let (before, name) = members.rsplit_once('.').unwrap_or(("", members));
        parts.extend(
            before.split('.').filter(|part| !part.is_empty()).map(|part| (dashed(part), String::new())),
        );
        let first = arguments.all().find(|value| matches!(value, Value::Text(_))).map(Value::text);
        let has = |option: &str| arguments.option(option).is_some_and(is_true);
        let asked = Asked { method: &dashed(name), parts: &parts, first, has: &has };
        let value = |what: &str| match what {
            "about" => Some(self.about.clone()).filter(|about| !about.is_empty()),
            "project" => self.options.first().cloned(),
            "service" => self.parts.first().map(|(part, _)| part.clone()),
            _ => None,
        };
        library.command(&asked, &value)
    }

    fn redis(&self, name: &str, is_every_key: impl Fn() -> bool) -> Option<Vec<String>> {
        let name = match name.to_ascii_lowercase().as_str() {
            name @ ("flushall" | "flushdb") => name.to_ascii_uppercase(),
            // Every key on its own is all of them.
            "del" | "delete" | "unlink" if is_every_key() => "FLUSHDB".to_owned(),
            _ => return None,
        };
        let address = match self.about.as_str() {
            "" => vec![],
            url if url.contains("://") => vec!["-u".to_owned(), url.to_owned()],
            host => vec!["-h".to_owned(), host.split(':').next().unwrap_or(host).to_owned()],
        };
        Some(["redis-cli".to_owned()].into_iter().chain(address).chain([name]).collect())
    }

    fn elastic(&self, before: &str, name: &str, arguments: &Arguments) -> Option<Vec<String>> {
        let by_query = matches!(name, "delete_by_query" | "deleteByQuery");
        if !by_query && (name != "delete" || !before.ends_with("indices")) {
            return None;
        }
        let index = arguments
            .option("index")
            .or(arguments.first())
            .map_or_else(|| mark::UNKNOWN.to_string(), Value::text);
        // Its port says what answers there.
        let about = self.about.trim_end_matches('/');
        let host = about.rsplit('/').next().unwrap_or(about);
        let port = if host.contains(':') { "" } else { ":9200" };
        let address = format!("{about}{port}/{index}");
        let (method, address) =
            if by_query { ("POST", address + "/_delete_by_query") } else { ("DELETE", address) };
        Some(["curl", "-X", method, &address].map(str::to_owned).to_vec())
    }
}

fn mongosh(address: &str, script: &str) -> Vec<String> {
    let address = (!address.is_empty()).then(|| address.to_owned());
    ["mongosh".to_owned()]
        .into_iter()
        .chain(address)
        .chain(["--eval".to_owned(), script.to_owned()])
        .collect()
}

/// `delete_namespace("x")`, `delete_namespaced_pod("x", "ns")`, `deleteCollectionNamespacedJob({ namespace: "ns" })`
fn kubectl(name: &str, arguments: &Arguments) -> Option<Vec<String>> {
    let verb = dashed(name);
    let kind = verb.strip_prefix("delete-")?;
    let (all, kind) = match kind.strip_prefix("collection-") {
        Some(kind) => (true, kind),
        None => (false, kind),
    };
    let in_namespace = kind.strip_prefix("namespaced-");
    let kind = in_namespace.unwrap_or(kind).replace('-', "");
    let option = |name: &str| arguments.option(name).map(Value::text);
    // `dry_run="All"`
    if option("dry_run").or_else(|| option("dryRun")).is_some_and(|dry| dry == "All") {
        return None;
    }
    let places = arguments.values.iter().filter_map(Value::known).collect::<Vec<_>>();
    let named = || option("name").or(places.first().cloned());
    let what = if all { Some("--all".to_owned()) } else { named() };
    let what = what.unwrap_or_else(|| mark::UNKNOWN.to_string());
    let mut words = ["kubectl", "delete", &kind, &what].map(str::to_owned).to_vec();
    if in_namespace.is_some() {
        let place = places.get(usize::from(!all)).cloned();
        words.extend(option("namespace").or(place).into_iter().flat_map(|space| ["-n".to_owned(), space]));
    }
    Some(words)
}
