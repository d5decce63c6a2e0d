"""Reads exported files by the schemas of the formats' own authors. Arguments: the folder, the list of ECS fields."""
import csv
import json
import sys
from pathlib import Path

from cefevent.extensions import extension_dictionary
from google.protobuf import json_format
from jsonschema import Draft202012Validator
from ocsf_json_schema import OcsfJsonSchema, get_ocsf_schema
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

folder, ecs_fields = Path(sys.argv[1]), Path(sys.argv[2])


def split(name):
    """By line feeds alone: `splitlines` also parts at U+2028, which may stand in a string of JSON."""
    return (folder / name).read_bytes().decode().removesuffix("\n").split("\n")


lines = split("jsonl")


def documents(name):
    return [json.loads(line) for line in split(name)]


def otlp():
    """Both forms, by opentelemetry-proto: nothing unknown, and the same in both."""
    protobuf = ExportLogsServiceRequest()
    protobuf.ParseFromString((folder / "otlp-protobuf").read_bytes())
    known = ExportLogsServiceRequest()
    known.CopyFrom(protobuf)
    known.DiscardUnknownFields()
    assert known.SerializeToString(deterministic=True) == protobuf.SerializeToString(deterministic=True)
    merged = ExportLogsServiceRequest()
    for document in split("otlp"):
        merged.MergeFrom(json_format.Parse(document, ExportLogsServiceRequest(), ignore_unknown_fields=False))
    assert merged == protobuf
    records = [r for logs in protobuf.resource_logs for scope in logs.scope_logs for r in scope.log_records]
    assert [record.body.string_value for record in records] == lines
    for record in records:
        names = [pair.key for pair in record.attributes]
        assert len(names) == len(set(names)), names
        assert record.time_unix_nano > 1_700_000_000 * 10**9 and 1 <= record.severity_number <= 24
    return len(records)


def ocsf():
    """By the schema that ocsf-json-schema makes of OCSF 1.5.0; what it does not know is an error."""
    schema = OcsfJsonSchema(get_ocsf_schema("1.5.0"))
    validators = {}
    seen = set()
    for event in documents("ocsf"):
        name = {1007: "process_activity", 6003: "api_activity"}[event["class_uid"]]
        seen.add(name)
        if name not in validators:
            made = schema.get_class_schema(class_name=name, profiles=["security_control"])
            # Referenced objects come inside, by their addresses.
            validators[name] = Draft202012Validator(embedded(schema, made))
        errors = [error.message for error in validators[name].iter_errors(event)]
        assert not errors, (errors, event)
    assert seen == {"process_activity", "api_activity"}, seen
    return len(documents("ocsf"))


def embedded(schema, made):
    """A schema with all that it references below `$defs`."""
    definitions = {}

    def walk(value):
        if isinstance(value, list):
            return [walk(one) for one in value]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str) and "/objects/" in reference:
            name = reference.split("/objects/")[1].split("?")[0]
            if name not in definitions:
                definitions[name] = None
                definitions[name] = walk(schema.get_object_schema(object_name=name, profiles=["security_control"]))
            return {**{k: walk(v) for k, v in value.items() if k != "$ref"}, "$ref": f"#/$defs/{name}"}
        return {k: walk(v) for k, v in value.items() if k not in ("$id", "$schema")}

    root = walk(made)
    root.setdefault("$defs", {}).update(definitions)
    return root


def ecs():
    """Every field is in the published list, with its type; ours are below `policy_hooks`."""
    known = {row["field"]: row["type"] for row in csv.DictReader(ecs_fields.open())}
    kinds = {"kind": {"alert", "event"}, "category": {"process", "api"},
             "type": {"start", "info", "denied", "allowed"}, "outcome": {"success", "failure", "unknown"}}

    def leaves(value, path=""):
        for key, inner in value.items():
            name = f"{path}.{key}" if path else key
            if isinstance(inner, dict) and name not in ("labels", "policy_hooks"):
                yield from leaves(inner, name)
            else:
                yield name, inner

    for document in documents("ecs"):
        for name, value in leaves(document):
            if name == "policy_hooks":
                continue
            assert name in known, name
            assert isinstance(value, int if known[name] == "long" else (str, list, dict)), (name, value)
        for key, allowed in kinds.items():
            value = document["event"][key]
            assert set([value] if isinstance(value, str) else value) <= allowed, (key, value)
    return len(documents("ecs"))


def cef():
    """Every key is in ArcSight's dictionary, and within its length; ours begins with the vendor's name."""
    import re
    count = 0
    for line in split("cef"):
        if not line:
            continue
        count += 1
        head = re.match(r"CEF:0((?:\|(?:[^|\\]|\\.)*){6})\|(.*)$", line)
        assert head, line
        parts = re.split(r"(?<!\\)\|", head.group(1))[1:]
        assert parts[5].isdigit() and 0 <= int(parts[5]) <= 10, parts
        rest = head.group(2)
        keys = list(re.finditer(r"(?:^| )([A-Za-z0-9_]+)=", rest))
        # A key inside a value has its equals sign escaped.
        found = {}
        for at, key in enumerate(keys):
            end = keys[at + 1].start() if at + 1 < len(keys) else len(rest)
            value = rest[key.end():end]
            assert not re.search(r"(?<!\\)(?:\\\\)*=", value), value
            found[key.group(1)] = value
        for name, value in found.items():
            if name == "PolicyHooksAuditRecord":
                continue
            assert name in extension_dictionary, name
            room = extension_dictionary[name]["length"]
            plain = re.sub(r"\\(.)", r"\1", value)
            assert not room or len(plain) <= room, (name, room, value)
        record = re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r"}.get(m.group(1), m.group(1)), found["PolicyHooksAuditRecord"])
        assert record == lines[count - 1]
    return count


def cloudevents():
    """The attributes that CloudEvents 1.0 requires, and names of extensions as it allows them."""
    import re
    ids = set()
    for event in documents("cloudevents"):
        assert event["specversion"] == "1.0" and event["id"] and event["source"] and event["type"]
        ids.add((event["source"], event["id"]))
        for name in event:
            assert re.fullmatch(r"[a-z0-9]{1,20}", name), name
    assert len(ids) == len(lines)
    return len(ids)


for check in (otlp, ocsf, ecs, cef, cloudevents):
    count = check()
    assert count == len(lines), (check.__name__, count, len(lines))
    print(check.__name__, count)
