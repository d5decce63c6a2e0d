"""Asks an engine every detection of a file of configs/collectors: ask.py duckdb|clickhouse SQL LOG [TIMES].

Prints one JSON object: for each detection its rows, sorted, as strings, and the seconds that it took, the best of so many
times.
"""

import datetime
import json
import re
import sys
import tempfile
import time

PLACE = "'/var/log/policy-hooks/*.jsonl'"


def text(value):
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return str(value)


def duckdb_engine(folder):
    import duckdb

    connection = duckdb.connect(f"{folder}/fleet.db")
    return connection.execute, lambda query: connection.execute(query).fetchall()


def clickhouse_engine(folder):
    from chdb import session

    server = session.Session(folder)

    def rows(query):
        answer = json.loads(str(server.query(query, "JSONCompact")))
        return [[re.sub(r"\.\d+$", "", one) if isinstance(one, str) else one for one in row] for row in answer["data"]]

    def execute(script):
        # One statement at a time: comments may hold semicolons, strings hold none.
        without = "\n".join(line for line in script.splitlines() if not line.lstrip().startswith("--"))
        for statement in without.split(";"):
            if statement.strip():
                server.query(statement)

    return execute, rows


def main():
    engine, path, log = sys.argv[1:4]
    script = open(path, encoding="utf-8").read()
    assert PLACE in script, "the place of the copies is not where it was"
    script = script.replace(PLACE, "'" + log.replace("'", "''") + "'")
    times = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    with tempfile.TemporaryDirectory() as folder:
        execute, rows = {"duckdb": duckdb_engine, "clickhouse": clickhouse_engine}[engine](folder)
        begin = time.perf_counter()
        execute(script)
        took = {"(load)": time.perf_counter() - begin}
        answers = {"(records)": rows("SELECT count(*) FROM records")[0][0]}
        for name in re.findall(r"CREATE OR REPLACE VIEW (detect_\w+)", script):
            took[name] = float("inf")
            for _ in range(times):
                begin = time.perf_counter()
                found = rows(f"SELECT * FROM {name}")
                took[name] = min(took[name], time.perf_counter() - begin)
            answers[name] = sorted([text(value) for value in row] for row in found[:1000])
    json.dump({"answers": answers, "seconds": took}, sys.stdout)


main()
