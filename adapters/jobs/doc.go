// Package jobs is the engine of the work that outlives a request: river, over
// the service's own database, so that a job is added in the transaction that it
// follows from. Nothing of river leaves the package, so that its version can
// move, or another engine take its place.
//
// # What river is trusted with
//
// Jobs are rows of the table river_job. River hands each to one worker of one
// copy of the service, runs as many at once as a queue has workers, calls again
// after an error, and deletes what is done. It wakes the copies by LISTEN and
// NOTIFY on PostgreSQL and by a table of notifications on SQLite; what is missed
// is found by looking twice a second. One instance is its leader, which cleans up,
// wakes jobs that sleep, and adds those that are done regularly; if it dies, another
// leads within half a minute. A new leader begins to count anew, so a job with a
// period comes late by as much.
//
// # What it is not trusted with
//
// Each is fenced here, or by whoever does the job:
//
//   - River says what became of a job without asking whether it is still that
//     copy's (0.47; later versions do not work with SQLite). So a job may be done
//     twice, and ports.Work is written for that. A job is never lost by it, for
//     nothing is called done that was not.
//   - Its rescuer looks every 30 seconds, on the leader alone, and goes by the
//     time of the beginning, so that a long job would be taken for a dead one.
//     It is left as a last resort. keeper.go does it instead: every copy says
//     every few seconds which jobs it is at, and hands out again those of which
//     nobody has said so for a while. Only the database's clock counts there.
//   - It does not know why a job was left behind, and does one that kills whoever
//     does it for ever. So each process says when it joins, that it lives, and when
//     it is told to stop (ledger.go). Who hands out the jobs of one that is not
//     heard of any more, and was not told to stop, notes its id with each of them:
//     that is a death. A process that was only cut off takes its deaths back. An
//     attempt that a death ended counts for nothing else. From domain.MaxDeaths on
//     the application ends the job instead of doing it; it is called until it has
//     done so, so that nothing is lost if a process dies in between.
//   - It begins jobs in the order in which they were added. turns.go stands between
//     it and the database and begins those of batches by account, and one that has
//     killed twice alone.
//   - It keeps the text of every error in the database and in its log. So it is
//     given the same text for all of them; the real one goes to our log.
//   - It logs each error, however often it comes. calm.go lets one through now
//     and then.
package jobs
