// Package jobs is the engine of the work that outlives a request: river, over
// the service's own database, so that a job is added in the transaction that it
// follows from. Nothing of river leaves the package, so that its version can
// move, or another engine take its place.
//
// # What river is trusted with
//
// Jobs are rows of the table river_job. River hands each to one worker of one instance,
// runs as many at once as a queue has workers, calls again after an error, and deletes
// what is done. It notifies the instances by LISTEN and NOTIFY on PostgreSQL and by a
// table of notifications on SQLite; a lost notification is made up for by looking twice
// a second. One instance is its leader, which cleans up, wakes jobs that sleep, and adds
// those that are done regularly. If it dies, another leads within half a minute. A new
// leader begins to count anew, so a job with a period comes late by as much.
//
// # What it is not trusted with
//
// For each of these there is a guard, here or in the application:
//
//   - River writes what became of a job without asking whether the job is still that
//     instance's. So a job may be done twice, and ports.Work is written for that. A job
//     is never lost by it, because only a job that was done is written as done.
//   - River's rescuer looks every 30 seconds, on the leader alone, and goes by the time
//     at which a job was begun, so that it would take a long job for a dead one. It is
//     left as a last resort. heartbeat.go does the work instead: every few seconds each
//     instance renews the leases of the jobs that it does, and hands out again the jobs
//     whose lease has ended. Only the database's clock counts.
//   - River does not know why a job was left behind, and would begin a job that kills
//     every process again and again. So each process writes when it joins, its
//     heartbeats, and when it is told to stop (ledger.go). If the process of a job that is
//     handed out had no heartbeat and was not told to stop, its id is added to the job:
//     that is a death. A process that was only cut off takes its deaths back. An attempt
//     that ended with a death does not count as an attempt. From domain.MaxDeaths on, the
//     application ends the job instead of doing it. It is called until it has done so, so
//     that nothing is lost if a process dies in between.
//   - River begins jobs in the order in which they were added. turns.go stands between it
//     and the database: it begins the jobs of batches in turn by account, and begins alone
//     a job at which processes died.
//   - River keeps the text of every error in the database and in its log. So it is given
//     the same text for all errors; the real one goes to our log.
//   - River logs an error as often as it happens. river_log.go lets the same message
//     through once in some seconds.
package jobs
