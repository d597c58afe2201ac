// Package jobs is the engine of the work that outlives a request. Jobs are rows of a table of ours
// in the service's own database, so that a job is added in the transaction that it follows from.
// River, by its public interface alone, tells the instances that there is something to do. Nothing
// of river leaves the package.
//
// # A job
//
// The row of a job says whether an engine holds it, until when, how many attempts have been made,
// and which engines have died at it. An attempt is begun by one statement, which counts it before it
// is made. What becomes of it is written by another, which names the fence of the attempt: an engine
// that was cut off, and whose job another has begun, writes nothing. A job may be done twice all the
// same, because the first may have done it before it was cut off, and ports.Work is written for
// that. It is never lost, because only a job that was done is deleted.
//
// # Looks
//
// A river job says: look whether a job of this kind is due (looks.go). One is added with each job,
// in the same transaction. Its worker makes an attempt at the next job of the kind, in the order in
// which they became due, or by round-robin over the accounts (round_robin.go), whichever job the
// look was added for. River wakes the workers by LISTEN and NOTIFY on PostgreSQL and by a table of
// notifications on SQLite, queries its queues in case a notification was lost, wakes what was
// snoozed, adds looks for periodic kinds, elects a leader for that, and cleans up.
//
// Looks may be lost, doubled or late, because the table says what is due. So they are not unique: a
// unique one whose process was killed would keep others from being added until river's own rescuer
// finds it after an hour. A periodic kind has one job that does not end, which is held by the engine
// that does it, so that two looks do not do it twice.
//
// # Deaths
//
// Every few seconds each instance renews the leases of its attempts, hands out the jobs whose lease
// has ended, and adds looks for jobs that are overdue while it has workers free (heartbeat.go). The
// database's clock alone says what is due and whose lease has ended. Any instance does so, because
// river's leadership may take longer to pass on than a takeover may.
//
// Each process writes when it joins, its heartbeats, and when it is told to stop. If the engine of a
// job whose lease has ended had no heartbeat and was not told to stop, its id is added to the job:
// that is a death. A process that was only cut off takes its deaths back. An attempt that ended with
// a death does not count. From domain.MaxDeaths on, the application ends the job instead of doing
// it. It is called until it has done so, so that nothing is lost if a process dies in between. From
// domain.MaxSharedDeaths on, a job of a batch is done alone.
//
// # Logs
//
// The database has no text of an error: the real one goes to our log. River logs an error as often
// as it happens; river_log.go lets the same message through once in some seconds.
package jobs
