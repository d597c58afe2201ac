package jobs

import "strings"

// Our own statements are written once for both databases. What a database writes in
// its own way stands in braces. All times are the database's: microseconds since 1970,
// but for job_engines.heard_at, which an earlier version writes too.
var (
	sqliteWords = strings.NewReplacer(
		"{now}", "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)",
		"{heard now}", "datetime('now', 'subsec')",
		"{seconds ago}", "datetime('now', 'subsec', '-' || $1 || ' seconds')",
		"{elements of $1}", "json_each($1)",
		"{unlocked}", "",
		"{index}", "INDEXED BY jobs_waiting",
		"{there}", "sqlite_master WHERE name = 'job_versions'",
		"{moment}", "TEXT",
		"{numbered}", "INTEGER PRIMARY KEY AUTOINCREMENT",
	)
	postgresWords = strings.NewReplacer(
		"{now}", "CAST(extract(epoch FROM statement_timestamp()) * 1000000 AS BIGINT)",
		"{heard now}", "now()",
		"{seconds ago}", "now() - make_interval(secs => $1)",
		"{elements of $1}", "jsonb_array_elements($1::text::jsonb)",
		"{unlocked}", "FOR UPDATE SKIP LOCKED",
		"{index}", "",
		"{there}", "pg_class WHERE oid = to_regclass('job_versions')",
		"{moment}", "TIMESTAMPTZ",
		"{numbered}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
	)
)

// words translates our statements into what the database understands.
func (db Database) words() *strings.Replacer {
	if db.SQLite != nil {
		return sqliteWords
	}
	return postgresWords
}

const (
	// addJobs adds jobs that are due at once. Its argument is a list of [kind, account, args].
	addJobs = `INSERT INTO jobs (kind, account_id, args, due_at_us)
		SELECT value ->> 0, value ->> 1, value ->> 2, {now} FROM {elements of $1} AS added`
	// dropJobs deletes the jobs of an account, also those that are being done: the end of such an
	// attempt finds no row.
	dropJobs = `DELETE FROM jobs WHERE account_id = $1`
	dropTurn = `DELETE FROM job_turns WHERE account_id = $1`
)

// The statements of an engine. Each is a statement of its own that names the fence of the attempt
// which it is about, so that it cannot change a job that was taken over, ended or dropped meanwhile.
const (
	writeHeartbeat = `INSERT INTO job_engines (id, heard_at, stopped) VALUES ($1, {heard now}, false)
		ON CONFLICT (id) DO UPDATE SET heard_at = excluded.heard_at`
	noteStop = `UPDATE job_engines SET stopped = true WHERE id = $1`
	// forgetEngines drops the engines that have had no heartbeat for a number of seconds.
	forgetEngines = `DELETE FROM job_engines WHERE heard_at < {seconds ago}`
	// deadEngine is true for an engine, named as a column, that had no heartbeat for a number of
	// seconds and was not told to stop.
	deadEngine = `EXISTS (SELECT 1 FROM job_engines e WHERE e.id = jobs.engine AND NOT e.stopped AND e.heard_at < {seconds ago})`

	// taking is what is written when an engine begins an attempt: who makes it, and that it counts.
	// Its arguments are the engine and how long the lease lasts.
	taking = `UPDATE jobs SET engine = $1, lease_until_us = {now} + $2, attempts = attempts + 1, fence = fence + 1
		WHERE engine = '' AND id = `
	taken = ` RETURNING id, account_id, args, attempts, fence, deaths`
	// takeNext begins the job of a kind that has been due for the longest, and passes over those
	// that others are just beginning.
	takeNext = taking + `(SELECT id FROM jobs WHERE kind = $3 AND engine = '' AND due_at_us <= {now}
		ORDER BY due_at_us, id LIMIT 1 {unlocked})` + taken
	// takeOne begins one job, unless somebody is just changing it.
	takeOne = taking + `(SELECT id FROM jobs WHERE id = $3 {unlocked})` + taken
	// nextDue is in how many microseconds the next job of a kind is due that nobody does.
	nextDue = `SELECT min(due_at_us) - {now} FROM jobs WHERE kind = $1 AND engine = ''`

	// renewLeases says that attempts are still being made. Its arguments are a list of
	// [id, fence], and how long the lease lasts.
	renewLeases = `UPDATE jobs SET lease_until_us = {now} + $2 WHERE id IN
		(SELECT id FROM jobs WHERE engine <> '' AND (id, fence) IN
			(SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT) FROM {elements of $1} AS leases) ORDER BY id {unlocked})`
	// leftJobs are those whose lease has ended, and whether their engine died: $1 is after how
	// many seconds without a heartbeat it counts as dead.
	leftJobs = `SELECT id, kind, fence, lease_until_us, attempts, deaths, engine, ` + deadEngine + `
		FROM jobs WHERE engine <> '' AND lease_until_us < {now}`
	// unchanged is true for a job that is still as leftJobs has found it.
	unchanged = ` WHERE engine <> '' AND id = $1 AND fence = $2 AND lease_until_us = $3`
	// handOut has a job that was left done again, with the death that it had.
	handOut = `UPDATE jobs SET engine = '', due_at_us = {now}, deaths = deaths || $4` + unchanged
	// giveUp ends a job that was left.
	giveUp = `DELETE FROM jobs` + unchanged
	// takeDeathsBack removes an engine from the deaths of jobs: it lives.
	takeDeathsBack = `UPDATE jobs SET deaths = replace(deaths, $1, '') WHERE deaths <> '' AND deaths LIKE '%' || $1 || '%'`
	// giveBack has the jobs of an engine done again, as if it had not begun them.
	giveBack = `UPDATE jobs SET engine = '', due_at_us = {now}, attempts = attempts - 1 WHERE engine = $1 RETURNING kind`

	// endJob and doAgain say what became of an attempt: the job has ended, or is done again in
	// some microseconds ($3), with a number of attempts behind it ($4). The deaths at a periodic job
	// are those of one round.
	endJob  = `DELETE FROM jobs WHERE id = $1 AND fence = $2`
	doAgain = `UPDATE jobs SET engine = '', due_at_us = {now} + $3, attempts = $4, deaths = CASE WHEN origin IS NULL THEN deaths ELSE '' END
		WHERE engine <> '' AND id = $1 AND fence = $2`

	// addRound adds the job of a periodic kind, due in some microseconds at the latest.
	addRound = `INSERT INTO jobs (kind, account_id, args, due_at_us, origin) VALUES ($1, '', '{}', {now} + $2, 'round ' || $1)
		ON CONFLICT (origin) DO UPDATE SET due_at_us = CASE WHEN jobs.due_at_us < excluded.due_at_us THEN jobs.due_at_us ELSE excluded.due_at_us END`
	// overdueJobs counts the jobs of each kind that nobody does and that have been due for longer
	// than some microseconds: nothing has been told to look for them, or it is late.
	overdueJobs = `SELECT kind, count(*) FROM jobs WHERE engine = '' AND due_at_us < {now} - $1 GROUP BY kind`
	// countJobs counts the jobs of each kind: those that wait, those that are being done, and the
	// microseconds since the first of those that wait was due. A periodic job waits from when it is due.
	countJobs = `SELECT kind, count(*) FILTER (WHERE engine = ''), count(*) FILTER (WHERE engine <> ''),
			coalesce({now} - min(due_at_us) FILTER (WHERE engine = ''), 0)
		FROM jobs WHERE engine <> '' OR origin IS NULL OR due_at_us <= {now} GROUP BY kind`
)
