-- The audit log in ClickHouse 24.8 or later: a table, views, and twelve detections.
--
--   clickhouse-client --multiquery < clickhouse.sql
--   clickhouse-client -q 'SELECT * FROM detect_tried_again'
--
-- The INSERT reads copies from disk; a collector fills the table in its place (vector.toml).

CREATE TABLE IF NOT EXISTS records
(
    ts DateTime64(6, 'UTC') CODEC(Delta, ZSTD),
    id String,
    seq UInt64,
    hash String,
    link UInt64,
    link_before UInt64,
    kind LowCardinality(String),
    host LowCardinality(String),
    event LowCardinality(String),
    session String,
    call String,
    cwd String,
    command String CODEC(ZSTD),
    user LowCardinality(String),
    machine LowCardinality(String),
    level LowCardinality(String),
    latency_us UInt64,
    source LowCardinality(String),
    model LowCardinality(String),
    repo LowCardinality(String),
    branch LowCardinality(String),
    tool LowCardinality(String),
    tool_kind LowCardinality(String),
    decision LowCardinality(String),
    rule LowCardinality(String),
    reason String CODEC(ZSTD),
    approval String,
    enforced Bool,
    program LowCardinality(String),
    version LowCardinality(String),
    policy LowCardinality(String),
    secrets UInt64,
    team LowCardinality(String),
    mode LowCardinality(String),
    managed LowCardinality(String),
    programs_digest LowCardinality(String),
    hooks_digest LowCardinality(String),
    policy_digest LowCardinality(String)
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (machine, ts, id);

-- A line as it stands in the log becomes a row.
INSERT INTO records
SELECT parseDateTime64BestEffort(record.ts, 6, 'UTC') AS ts, record.id AS id, record.seq AS seq, record.hash AS hash,
       reinterpretAsUInt64(unhex(left(record.hash, 16))) AS link,
       reinterpretAsUInt64(unhex(left(record.prev, 16))) AS link_before,
       record.kind AS kind, record.host AS host, record.event AS event, record.session AS session, record.call AS call,
       record.cwd AS cwd, record.command AS command, record.user AS user, record.machine AS machine,
       record.level AS level, record.latency_us AS latency_us, record.source AS source, record.model AS model,
       record.repo.root AS repo, record.repo.branch AS branch, record.tool.name AS tool, record.tool.kind AS tool_kind,
       record.decision.value AS decision, record.decision.rule AS rule, record.decision.reason AS reason,
       record.decision.approval AS approval, record.decision.enforced != 'false' AS enforced,
       record.by.name AS program, record.by.version AS version, record.by.policy AS policy,
       arraySum(record.redactions.n) AS secrets,
       if(record.resource.team = '', '(none)', record.resource.team) AS team,
       record.guard.mode AS mode, record.guard.managed AS managed,
       if(mode = '', '', hex(MD5(record.guard.programs))) AS programs_digest,
       record.guard.hooks.sha256 AS hooks_digest, record.guard.policy.sha256 AS policy_digest
FROM
(
    -- Read once, as a whole: a function for each column would read the line as often.
    SELECT JSONExtract(line, 'Tuple(v Int64, ts String, id String, seq UInt64, hash String, prev String, kind String,
        host String, event String, session String, call String, cwd String, command String, user String,
        machine String, level String, latency_us UInt64, source String, model String,
        repo Tuple(root String, branch String), tool Tuple(name String, kind String),
        decision Tuple(value String, rule String, reason String, approval String, enforced String),
        by Tuple(name String, version String, policy String), redactions Array(Tuple(n UInt64)),
        resource Tuple(team String),
        guard Tuple(mode String, managed String, programs String, hooks Tuple(sha256 String),
            policy Tuple(sha256 String)))') AS record
    FROM file('/var/log/policy-hooks/*.jsonl', LineAsString, 'line String')
    -- A line torn by a crash is not JSON: `audit-logger verify` says what that was.
    WHERE isValidJSON(line)
)
WHERE record.v = 1;

-- What was sent again, as its shipper was killed before it knew of the acknowledgement, is there once. Where a collector
-- fills the table, ClickHouse does the same by and by.
OPTIMIZE TABLE records FINAL;

-- Rules that are catastrophic: `hook-runner rules --json` lists them with their severity.
CREATE TABLE IF NOT EXISTS catastrophic (rule String) ENGINE = ReplacingMergeTree ORDER BY rule;
INSERT INTO catastrophic VALUES
-- catastrophic rules
('containers.delete-mounted'),
('disks.erase'),
('disks.format'),
('disks.hide-system'),
('disks.partition'),
('disks.remove-volume'),
('essentials.remove'),
('essentials.remove-all'),
('files.delete-system'),
('files.delete-unset'),
('guard.own-files'),
('guard.person-only'),
('guard.read-key'),
('guard.remove'),
('network.firewall'),
('overwrite.accounts'),
('overwrite.disk'),
('overwrite.everything'),
('overwrite.kernel'),
('overwrite.login-keys'),
('overwrite.mirror'),
('overwrite.move-away'),
('overwrite.system-program'),
('overwrite.unpack'),
('permissions.recursive-system'),
('permissions.set-user'),
('permissions.system-file'),
('processes.fork-bomb'),
('processes.kill-all'),
('processes.kill-user'),
('remote-code.runs-decoded'),
('remote-code.runs-download'),
('remote-code.shell-for-others'),
('system.boot'),
('system.power'),
('system.protection'),
('system.unmount'),
('system.user'),
('unresolved.hidden-program'),
('windows-code.connects-shell'),
('windows-files.move-away'),
('windows-machine.backups'),
('windows-machine.boot'),
('windows-machine.disk'),
('windows-machine.power'),
('windows-protection.defender'),
('windows-protection.firewall')
-- end of catastrophic rules
;

-- What our programs decided about calls.
CREATE OR REPLACE VIEW decisions AS SELECT * FROM records WHERE kind = 'decision';
-- What held a call back.
CREATE OR REPLACE VIEW denials AS SELECT * FROM decisions WHERE decision IN ('deny', 'block') AND enforced;
-- One row for each session.
CREATE OR REPLACE VIEW sessions AS
SELECT machine, session, any(host) AS host, any(user) AS user, any(repo) AS repo, min(ts) AS first, max(ts) AS last,
       countIf(event = 'PreToolUse' AND kind = 'event') AS calls,
       countIf(kind = 'decision' AND decision IN ('deny', 'block') AND enforced) AS denied,
       countIf(kind = 'decision' AND decision = 'ask' AND enforced) AS asked, max(mode != '') AS has_heartbeat
FROM records WHERE session != '' GROUP BY machine, session;
-- What each machine said of itself when sessions began.
CREATE OR REPLACE VIEW heartbeats AS SELECT * FROM records WHERE mode != '';

-- 1. What is denied, and to whom.
CREATE OR REPLACE VIEW detect_denials_by_rule_and_team AS
SELECT team, rule, count() AS denials, uniqExact(machine) AS machines FROM denials GROUP BY team, rule;

-- 2. An agent that tries the same again under another spelling, within ten minutes of a denial.
CREATE OR REPLACE VIEW detect_tried_again AS
SELECT machine, session, rule, before, command FROM (
    SELECT machine, session, rule, command, ts, lagInFrame(command) OVER w AS before, lagInFrame(ts) OVER w AS before_ts
    FROM denials WINDOW w AS (PARTITION BY machine, session, rule ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
) WHERE before != '' AND command != before AND dateDiff('second', before_ts, ts) <= 600;

-- 3. Who lets what through.
CREATE OR REPLACE VIEW detect_approvals_by_person AS
SELECT user, rule, countIf(decision = 'granted') AS granted, countIf(decision = 'refused') AS refused
FROM records WHERE kind = 'approval' GROUP BY user, rule;

-- 4. Sessions that began without saying what guards them: a program of ours is missing, old, or was removed.
CREATE OR REPLACE VIEW detect_sessions_without_heartbeat AS
SELECT machine, session, countIf(event = 'PreToolUse' AND kind = 'event') AS calls
FROM records WHERE session != '' GROUP BY machine, session HAVING max(mode != '') = 0 AND calls > 0;

-- 5. Machines whose guard only observes or is not called, and what it would have held back.
CREATE OR REPLACE VIEW detect_observing AS
SELECT machine, countIf(mode IN ('observe', 'off')) AS sessions,
       countIf(kind = 'decision' AND NOT enforced AND decision IN ('deny', 'block')) AS would_deny
FROM records WHERE mode IN ('observe', 'off') OR (kind = 'decision' AND NOT enforced) GROUP BY machine;

-- 6. A policy, a program or a hook configuration that is not what it was when the session before began.
CREATE OR REPLACE VIEW detect_changed_digest AS
SELECT machine, session, what, before, after FROM (
    SELECT machine, session, what, after, lagInFrame(after) OVER (
        PARTITION BY machine, what ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before
    FROM (
        SELECT machine, session, ts, pair.1 AS what, pair.2 AS after FROM heartbeats
        ARRAY JOIN [('policy', toString(policy_digest)), ('programs', toString(programs_digest)), ('hooks', toString(hooks_digest))] AS pair
    )
) WHERE before != '' AND after != before;

-- 7. Repositories in which agents handle secrets.
CREATE OR REPLACE VIEW detect_secrets_by_repository AS
SELECT repo, sum(r.secrets) AS secrets, uniqExact(session) AS sessions FROM records AS r WHERE r.secrets > 0 GROUP BY repo;

-- 8. The first use of an MCP server, on each machine.
CREATE OR REPLACE VIEW detect_first_use_of_mcp_server AS
SELECT splitByString('__', tool)[2] AS server, machine, min(ts) AS first FROM records WHERE tool_kind = 'mcp' GROUP BY server, machine;

-- 9. What is catastrophic, at night (UTC): no one may be watching.
CREATE OR REPLACE VIEW detect_catastrophic_at_night AS
SELECT machine, rule, command, ts FROM denials WHERE rule IN (SELECT rule FROM catastrophic) AND (toHour(ts) >= 22 OR toHour(ts) < 6);

-- 10. Machines that went silent: nothing for three days, while others go on.
CREATE OR REPLACE VIEW detect_silent_machines AS
SELECT machine, max(ts) AS last FROM records WHERE machine != '' GROUP BY machine HAVING last < (SELECT max(ts) FROM records) - INTERVAL 3 DAY;

-- 11. Places where the record before did not arrive, by the beginnings of the hashes that chain them. `audit-logger verify`
-- proves it, and says what was changed as well.
CREATE OR REPLACE VIEW detect_missing_records AS
SELECT machine, user, count() AS places FROM records
-- A file that begins after others have expired says so itself.
WHERE link_before != 0 AND kind NOT IN ('begin', 'expired') AND link_before NOT IN (SELECT link FROM records) GROUP BY machine, user;

-- 12. Questions that are waved through: who says yes to all of them.
CREATE OR REPLACE VIEW detect_waved_through AS
WITH asked AS (SELECT machine, session, call, user, rule FROM decisions WHERE decision = 'ask' AND enforced)
SELECT user, rule, count() AS asked, countIf((machine, session, call) IN (
    SELECT machine, session, call FROM records WHERE event = 'PostToolUse' AND session IN (SELECT session FROM asked))) AS ran
FROM asked GROUP BY user, rule HAVING asked >= 3 AND ran = asked;
