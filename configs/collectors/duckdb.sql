-- The audit log in DuckDB 1.2 or later: tables, views, and twelve detections.
--
--   duckdb fleet.db < duckdb.sql
--   duckdb fleet.db -c 'FROM detect_tried_again'
--
-- Put in the place of your copies; a glob takes all of them. What is not a record (a line torn by a crash) is skipped:
-- `audit-logger verify --log DIRECTORY` says what that was.

CREATE OR REPLACE TABLE records AS
SELECT ts, id, seq, hash, ('0x' || hash[:16])::UBIGINT AS link, ('0x' || prev[:16])::UBIGINT AS link_before, kind, host, event, session, call, cwd, command, "user", machine, level, latency_us, source, model,
       repo.root AS repo, repo.branch AS branch, tool.name AS tool, tool.kind AS tool_kind,
       decision.value AS decision, decision.rule AS rule, decision.reason AS reason, decision.approval AS approval,
       coalesce(decision.enforced, true) AS enforced,
       "by".name AS program, "by".version AS version, "by".policy AS policy,
       coalesce(list_sum(list_transform(redactions, lambda one: one.n)), 0)::BIGINT AS secrets,
       coalesce(resource ->> 'team', '(none)') AS team,
       guard.mode AS mode, guard.managed AS managed, md5(guard.programs) AS programs_digest,
       guard.hooks.sha256 AS hooks_digest, guard.policy.sha256 AS policy_digest
FROM read_json('/var/log/policy-hooks/*.jsonl', format = 'newline_delimited', ignore_errors = true, columns = {
    v: 'INTEGER', id: 'VARCHAR', ts: 'TIMESTAMP', kind: 'VARCHAR', host: 'VARCHAR', event: 'VARCHAR', session: 'VARCHAR',
    call: 'VARCHAR', cwd: 'VARCHAR', repo: 'STRUCT(root VARCHAR, branch VARCHAR)', source: 'VARCHAR', model: 'VARCHAR',
    tool: 'STRUCT(name VARCHAR, kind VARCHAR)', command: 'VARCHAR',
    decision: 'STRUCT("value" VARCHAR, rule VARCHAR, reason VARCHAR, enforced BOOLEAN, approval VARCHAR)',
    "user": 'VARCHAR', machine: 'VARCHAR', level: 'VARCHAR', "by": 'STRUCT(name VARCHAR, version VARCHAR, policy VARCHAR)',
    latency_us: 'BIGINT', redactions: 'STRUCT(rule VARCHAR, field VARCHAR, n BIGINT)[]', resource: 'JSON',
    guard: 'STRUCT(programs VARCHAR, hooks STRUCT(sha256 VARCHAR), policy STRUCT(sha256 VARCHAR), mode VARCHAR, managed BOOLEAN)',
    prev: 'VARCHAR', seq: 'BIGINT', hash: 'VARCHAR'
}) WHERE v = 1 AND id IS NOT NULL;

-- What was sent again, as its shipper was killed before it knew of the acknowledgement, is there once.
CREATE OR REPLACE TEMP TABLE again AS SELECT id, min(rowid) AS first FROM records GROUP BY id HAVING count(*) > 1;
DELETE FROM records USING again WHERE records.id = again.id AND records.rowid <> again.first;

-- Rules that are catastrophic: `hook-runner rules --json` lists them with their severity.
CREATE OR REPLACE TABLE catastrophic (rule VARCHAR);
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
CREATE OR REPLACE VIEW decisions AS FROM records WHERE kind = 'decision';
-- What held a call back.
CREATE OR REPLACE VIEW denials AS FROM decisions WHERE decision IN ('deny', 'block') AND enforced;
-- One row for each session.
CREATE OR REPLACE VIEW sessions AS
SELECT machine, session, any_value(host) AS host, any_value("user") AS "user", any_value(repo) AS repo, min(ts) AS first,
       max(ts) AS last, count(*) FILTER (event = 'PreToolUse' AND kind = 'event') AS calls,
       count(*) FILTER (kind = 'decision' AND decision IN ('deny', 'block') AND enforced) AS denied,
       count(*) FILTER (kind = 'decision' AND decision = 'ask' AND enforced) AS asked,
       bool_or(mode IS NOT NULL) AS has_heartbeat
FROM records WHERE session IS NOT NULL GROUP BY machine, session;
-- What each machine said of itself when sessions began.
CREATE OR REPLACE VIEW heartbeats AS FROM records WHERE mode IS NOT NULL;

-- 1. What is denied, and to whom.
CREATE OR REPLACE VIEW detect_denials_by_rule_and_team AS
SELECT team, rule, count(*) AS denials, count(DISTINCT machine) AS machines FROM denials GROUP BY team, rule;

-- 2. An agent that tries the same again under another spelling, within ten minutes of a denial.
CREATE OR REPLACE VIEW detect_tried_again AS
SELECT machine, session, rule, before, command FROM (
    SELECT machine, session, rule, command, ts, lag(command) OVER w AS before, lag(ts) OVER w AS before_ts FROM denials
    WINDOW w AS (PARTITION BY machine, session, rule ORDER BY ts)
) WHERE before IS NOT NULL AND command <> before AND ts - before_ts <= INTERVAL 10 MINUTE;

-- 3. Who lets what through.
CREATE OR REPLACE VIEW detect_approvals_by_person AS
SELECT "user", rule, count(*) FILTER (decision = 'granted') AS granted, count(*) FILTER (decision = 'refused') AS refused
FROM records WHERE kind = 'approval' GROUP BY "user", rule;

-- 4. Sessions that began without saying what guards them: a program of ours is missing, old, or was removed.
CREATE OR REPLACE VIEW detect_sessions_without_heartbeat AS
SELECT machine, session, count(*) AS calls FROM records ANTI JOIN heartbeats USING (machine, session)
WHERE event = 'PreToolUse' AND kind = 'event' AND session IS NOT NULL GROUP BY machine, session;

-- 5. Machines whose guard only observes or is not called, and what it would have held back.
CREATE OR REPLACE VIEW detect_observing AS
SELECT machine, count(*) FILTER (mode IN ('observe', 'off')) AS sessions,
       count(*) FILTER (kind = 'decision' AND NOT enforced AND decision IN ('deny', 'block')) AS would_deny
FROM records WHERE mode IN ('observe', 'off') OR (kind = 'decision' AND NOT enforced) GROUP BY machine;

-- 6. A policy, a program or a hook configuration that is not what it was when the session before began.
CREATE OR REPLACE VIEW detect_changed_digest AS
WITH paired AS (
    SELECT machine, session, policy_digest, programs_digest, hooks_digest, lag(policy_digest) OVER w AS policy_before,
           lag(programs_digest) OVER w AS programs_before, lag(hooks_digest) OVER w AS hooks_before
    FROM heartbeats WINDOW w AS (PARTITION BY machine ORDER BY ts)
)
SELECT machine, session, 'policy' AS what, policy_before AS before, policy_digest AS after FROM paired WHERE policy_before <> policy_digest
UNION ALL
SELECT machine, session, 'programs', programs_before, programs_digest FROM paired WHERE programs_before <> programs_digest
UNION ALL
SELECT machine, session, 'hooks', hooks_before, hooks_digest FROM paired WHERE hooks_before <> hooks_digest;

-- 7. Repositories in which agents handle secrets.
CREATE OR REPLACE VIEW detect_secrets_by_repository AS
SELECT repo, sum(secrets)::BIGINT AS secrets, count(DISTINCT session) AS sessions FROM records WHERE secrets > 0 GROUP BY repo;

-- 8. The first use of an MCP server, on each machine.
CREATE OR REPLACE VIEW detect_first_use_of_mcp_server AS
SELECT split_part(tool, '__', 2) AS server, machine, min(ts) AS first FROM records WHERE tool_kind = 'mcp' GROUP BY server, machine;

-- 9. What is catastrophic, at night (UTC): no one may be watching.
CREATE OR REPLACE VIEW detect_catastrophic_at_night AS
SELECT machine, rule, command, ts FROM denials SEMI JOIN catastrophic USING (rule)
WHERE extract(hour FROM ts) >= 22 OR extract(hour FROM ts) < 6;

-- 10. Machines that went silent: nothing for three days, while others go on.
CREATE OR REPLACE VIEW detect_silent_machines AS
SELECT machine, max(ts) AS last FROM records WHERE machine IS NOT NULL GROUP BY machine
HAVING max(ts) < (SELECT max(ts) FROM records) - INTERVAL 3 DAY;

-- 11. Places where the record before did not arrive, by the beginnings of the hashes that chain them. `audit-logger verify`
-- proves it, and says what was changed as well.
CREATE OR REPLACE VIEW detect_missing_records AS
-- Most records follow the one above; only for the others the one before is looked for.
WITH placed AS (SELECT machine, "user", kind, link_before, lag(link) OVER () AS above FROM records),
     odd AS MATERIALIZED (
         -- A file that begins after others have expired says so itself.
         SELECT * FROM placed WHERE link_before IS DISTINCT FROM above AND link_before <> 0 AND kind NOT IN ('begin', 'expired')
     ),
     known AS (SELECT link FROM records SEMI JOIN odd ON records.link = odd.link_before)
SELECT machine, "user", count(*) AS places FROM odd ANTI JOIN known ON odd.link_before = known.link GROUP BY machine, "user";

-- 12. Questions that are waved through: who says yes to all of them.
CREATE OR REPLACE VIEW detect_waved_through AS
WITH asked AS MATERIALIZED (SELECT machine, session, call, "user", rule FROM decisions WHERE decision = 'ask' AND enforced),
     ran AS (SELECT DISTINCT machine, session, call FROM records WHERE event = 'PostToolUse' AND call IN (SELECT call FROM asked))
SELECT "user", rule, count(*) AS asked, count(ran.call) AS ran
FROM asked LEFT JOIN ran USING (machine, session, call) GROUP BY "user", rule HAVING count(*) >= 3 AND count(ran.call) = count(*);
