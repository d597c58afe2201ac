package jobs

import "strings"

// Our own statements are written once for both databases. What a database writes in
// its own way stands in braces. All times are the database's.
var (
	sqliteWords = strings.NewReplacer(
		"{now}", "datetime('now', 'subsec')",
		"{seconds ago}", "datetime('now', 'subsec', '-' || $1 || ' seconds')",
		"{last engine}", "attempted_by ->> '$[#-1]'",
		"{engines and $1}", "jsonb_insert(coalesce(attempted_by, jsonb('[]')), '$[#]', $1)",
		"{deaths}", "coalesce(json_array_length(metadata, '$.deaths'), 0)",
		"{deaths and}", "jsonb_insert(coalesce(jsonb_extract(metadata, '$.deaths'), jsonb('[]')), '$[#]', ",
		"{deaths but $1}", "(SELECT jsonb_group_array(value) FROM json_each(river_job.metadata, '$.deaths') WHERE value <> $1)",
		"{$1 is in deaths}", "EXISTS (SELECT 1 FROM json_each(river_job.metadata, '$.deaths') WHERE value = $1)",
		"{path of deaths}", "'$.deaths'",
		"{elements of $1}", "json_each($1)",
		"{as state}", "",
		"{seconds since}", "unixepoch('now', 'subsec') - unixepoch(min(scheduled_at) FILTER (WHERE state <> 'running'), 'subsec')",
		"{index}", "INDEXED BY job_turns_waiting",
		"{blank args}", `jsonb('{"account_id": ""}')`,
		"{there}", "sqlite_master WHERE name = 'job_turns_waiting'",
		"{moment}", "TEXT",
	)
	postgresWords = strings.NewReplacer(
		"{now}", "now()",
		"{seconds ago}", "now() - make_interval(secs => $1)",
		"{last engine}", "attempted_by[cardinality(attempted_by)]",
		"{engines and $1}", "array_append(attempted_by, $1::text)",
		"{deaths}", "coalesce(jsonb_array_length(metadata -> 'deaths'), 0)",
		"{deaths and}", "coalesce(metadata -> 'deaths', '[]') || to_jsonb(",
		"{deaths but $1}", "(metadata -> 'deaths') - $1::text",
		"{$1 is in deaths}", "metadata -> 'deaths' ? $1::text",
		"{path of deaths}", "'{deaths}'",
		"{elements of $1}", "jsonb_array_elements($1::text::jsonb)",
		"{as state}", "::river_job_state",
		"{seconds since}", "extract(epoch FROM now() - min(scheduled_at) FILTER (WHERE state <> 'running'))::float8",
		"{index}", "",
		"{blank args}", `'{"account_id": ""}'`,
		"{there}", "pg_class WHERE oid = to_regclass('job_turns_waiting')",
		"{moment}", "TIMESTAMPTZ",
	)
)

// words translates our statements into what the database understands.
func (db Database) words() *strings.Replacer {
	if db.SQLite != nil {
		return sqliteWords
	}
	return postgresWords
}

// The statements of the ledger. Each is a statement of its own, so that it cannot
// change a job that was renewed, ended or begun again meanwhile.
const (
	// writeHeartbeat says that an engine lives.
	writeHeartbeat = `INSERT INTO job_engines (id, heard_at, stopped) VALUES ($1, {now}, false)
		ON CONFLICT (id) DO UPDATE SET heard_at = excluded.heard_at`
	// noteStop says that an engine was told to stop.
	noteStop = `UPDATE job_engines SET stopped = true WHERE id = $1`
	// forgetEngines drops the engines that have had no heartbeat for a number of seconds.
	forgetEngines = `DELETE FROM job_engines WHERE heard_at < {seconds ago}`
	// renewLeases says that attempts are still being made. Its argument is a list of
	// [id, attempt].
	renewLeases = `UPDATE river_job SET attempted_at = {now} WHERE state = 'running' AND (id, attempt) IN
		(SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS INTEGER) FROM {elements of $1} AS leases)`
	// deadEngine is the engine that died while it did a job, or null: one that had no
	// heartbeat for a number of seconds and was not told to stop. An older version of
	// the program has no row in job_engines, so that its jobs have no death.
	deadEngine = `(SELECT e.id FROM job_engines e WHERE e.id = river_job.{last engine}
		AND NOT e.stopped AND e.heard_at < {seconds ago})`
	// handOut has the jobs done again whose lease was not renewed for a number of
	// seconds. If their engine died, its id is added to the deaths of the job, and the
	// attempt does not count.
	handOut = `UPDATE river_job SET scheduled_at = {now},
			state = CASE WHEN ` + deadEngine + ` IS NOT NULL OR attempt < max_attempts THEN 'available' ELSE 'discarded' END{as state},
			finalized_at = CASE WHEN ` + deadEngine + ` IS NOT NULL OR attempt < max_attempts THEN NULL ELSE {now} END,
			max_attempts = max_attempts + CASE WHEN ` + deadEngine + ` IS NULL THEN 0 ELSE 1 END,
			metadata = CASE WHEN ` + deadEngine + ` IS NULL THEN metadata
				ELSE jsonb_set(metadata, {path of deaths}, {deaths and}` + deadEngine + `)) END
		WHERE state = 'running' AND attempted_at < {seconds ago}
		RETURNING id, kind, CAST(state AS TEXT), {deaths}`
	// takeDeathsBack removes an engine from the deaths of jobs: it lives.
	takeDeathsBack = `UPDATE river_job SET metadata = jsonb_set(metadata, {path of deaths}, {deaths but $1})
		WHERE state IN ('available', 'retryable', 'scheduled', 'running') AND {$1 is in deaths}`
	// giveBack has the jobs of an engine done again, as if it had not begun them.
	giveBack = `UPDATE river_job SET state = 'available', scheduled_at = {now}, attempt = CASE WHEN attempt > 0 THEN attempt - 1 ELSE 0 END
		WHERE state = 'running' AND {last engine} = $1`
	// dropJobs deletes the jobs of an account that are not being done, blankJobs takes the
	// account and what the job is about from those that are, and dropTurn deletes its turn.
	// The account stays as a blank text: jobs without one would have no turn.
	dropJobs  = `DELETE FROM river_job WHERE args ->> 'account_id' = $1 AND state <> 'running'`
	blankJobs = `UPDATE river_job SET args = {blank args} WHERE args ->> 'account_id' = $1`
	dropTurn  = `DELETE FROM job_turns WHERE account_id = $1`
	// countJobs counts the jobs of each kind: those that wait, those that are being
	// done, and the seconds since the first of those that wait was due.
	countJobs = `SELECT kind, count(*) FILTER (WHERE state <> 'running'), count(*) FILTER (WHERE state = 'running'), coalesce({seconds since}, 0.0)
		FROM river_job WHERE state IN ('available', 'retryable', 'scheduled', 'running') GROUP BY kind`
)
