//! Stores that are asked over HTTP: Elasticsearch, `CouchDB`, vector stores.

use super::super::http::Request;
use super::sql::is_for_tests;
use crate::rule::{Rule, Severity, When};

/// Ports on which nothing but such a store listens.
const PORTS: &[&str] = &[
    ":9200", ":9243", ":5984", ":6333", ":8983", ":8086", ":8529", ":7700", ":8108", ":19530", ":2379",
    ":8200", ":15672",
];

/// Names of hosts and paths that give such a store away.
const SIGNS: &[&str] = &[
    "elastic",
    "opensearch",
    ".es.",
    "//es:",
    "//es/",
    "couchdb",
    "/_all",
    "/_index_template/",
    "/_snapshot/",
    "/_data_stream/",
    "/collections/",
    "/v1/kv/",
    "/v1/secret/",
    "/solr/",
    "meili",
    "grafana",
    "typesense",
    "qdrant",
    "weaviate",
];

pub(super) const DELETE: Rule = Rule {
    id: "databases.http-delete",
    severity: Severity::Destructive,
    when: When::Command(|command| {
        let Some(request) = Request::of(command) else { return false };
        let by_query = request.goes_to(&["/_delete_by_query", "/tsdb/delete_series"])
            || request.goes_to(&["/alter"]) && request.bodies.iter().any(|body| body.contains("drop_all"))
            || request.goes_to(&["/solr/"]) && request.bodies.iter().any(|body| body.contains("<delete>"));
        let all = request.urls.iter().any(|url| {
            let path = url.split('?').next().unwrap_or(url);
            path.ends_with("/*") || path.ends_with("/_all")
        });
        // Giving up a search context deletes nothing.
        let passing = request.goes_to(&["/_search/scroll", "/_pit", "/_async_search"]);
        let for_tests = !request.urls.is_empty() && request.urls.iter().all(|url| is_test_here(url));
        by_query
            || request.deletes()
                && !passing
                && !for_tests
                && (all || request.goes_to(PORTS) || request.goes_to(SIGNS))
    }),
    reason: "It deletes an index, a collection or keys of a store.",
    instead: "Check with a GET request first, and let a person delete it.",
    matches: "
        curl -X DELETE localhost:9200/logs-2024
        curl -sXDELETE 'http://es:9200/_all'
        curl -X POST 'http://search.example.org/users/_delete_by_query' -d '{}'
        curl --request DELETE http://couch:5984/app
        http DELETE :6333/collections/docs
    ",
    spares: "
        curl localhost:9200/_cat/indices
        curl -X DELETE localhost:3000/api/users/1
        curl -X DELETE localhost:9200/_search/scroll
        curl -X DELETE localhost:9200/test-index
        curl -X POST localhost:9200/logs/_search -d '{}'
    ",
};

/// Whether an address names something for tests, of a store on this machine: `localhost:9200/test-index`.
fn is_test_here(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let Some((host, path)) = rest.split_once('/') else { return false };
    let name = path.split(['/', '?']).next().unwrap_or("");
    matches!(host.split(':').next(), Some("localhost" | "127.0.0.1"))
        && is_for_tests(name)
        && !name.contains('*')
}
