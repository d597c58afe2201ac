package processes_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// leftLine is the line of a log that tells of a job which a process left behind.
var leftLine = regexp.MustCompile(`"msg":"a job [^"]*left behind[^"]*","kind":"([a-z_]+)","job":(\d+),"deaths":(\d+)`)

// deaths says how many processes died at each job of a kind, by its id, as the logs tell.
func (in *installation) deaths(kind ports.JobKind) map[string]int {
	died := map[string]int{}
	for _, j := range in.journals {
		for _, line := range leftLine.FindAllStringSubmatch(j.text(), -1) {
			if n, _ := strconv.Atoi(line[3]); line[1] == string(kind) {
				died[line[2]] = max(died[line[2]], n)
			}
		}
	}
	return died
}

// mostOf returns the largest number of deaths.
func mostOf(died map[string]int) (most int) {
	for _, n := range died {
		most = max(most, n)
	}
	return most
}

// takeoverIsDue has whoever lives take over at once the jobs of a process that was
// killed, as if nothing had been heard of it for a minute; unless the long forms of
// tests were asked for, which wait.
func (in *installation) takeoverIsDue(t *testing.T) {
	t.Helper()
	if longAsked() {
		return
	}
	before := "datetime('now', 'subsec', '-1 minute')"
	if in.database != "" {
		before = "now() - interval '1 minute'"
	}
	in.exec(t, "UPDATE job_engines SET heard_at = "+before)
	in.exec(t, "UPDATE jobs SET lease_until_us = 1 WHERE engine <> ''")
}

func (r *replica) report(t *testing.T, key, id string) batchStatus {
	t.Helper()
	a := r.status(t, key, id)
	require.Equal(t, http.StatusOK, a.status, "%.500s %v", a.body, a.err)
	var report batchStatus
	require.NoError(t, json.Unmarshal(a.body, &report))
	return report
}

// lockingProtocol is what SQLite says to a reader who meets again and again processes that
// open the database after one of them was killed: it may ask again.
const lockingProtocol = 15

// watcher looks for attempts at some jobs that have not ended.
type watcher struct {
	db     *sql.DB
	which  string         // SQL
	killed map[string]int // attempts that have been seen, by job: one that was left behind is called running for a while
}

// sees says that an attempt is being made that it has not seen before. The last
// one, which ends a job without doing it, does not count.
func (w *watcher) sees(t *testing.T) (fresh bool) {
	t.Helper()
	rows, err := w.db.QueryContext(t.Context(), fmt.Sprintf(`SELECT jobs.id, attempts FROM jobs JOIN batch_jobs ON args LIKE '%%"' || batch_id || '"%%' AND ended_at_us IS NULL
		WHERE engine <> '' AND (%s) AND length(deaths) - length(replace(deaths, ' ', '')) < %d`, w.which, domain.MaxDeaths))
	var fault interface{ Code() int }
	if errors.As(err, &fault) && fault.Code() == lockingProtocol {
		return false
	}
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		var attempt int
		require.NoError(t, rows.Scan(&id, &attempt))
		if attempt > w.killed[id] {
			w.killed[id], fresh = attempt, true
		}
	}
	require.NoError(t, rows.Err())
	return fresh
}

// A job whose files kill the process, as we do whenever we see it being done,
// costs five restarts at most. It ends with an error that says so, its batch
// completes and is announced, and whatever ran beside it ends well.
//
// The process goes on for a moment at a time and is looked at while it stands
// still, so that the job, which takes many such moments, cannot end unseen. It gives way to
// everything else: where that lets the next look wait, the job waits too.
func TestAPoisonousJobIsGivenUp(t *testing.T) {
	heavy(t)
	t.Parallel()
	onSQLite(t, func(t *testing.T, in *installation) {
		t.Parallel()
		in.excused = "a job at which the service died again and again is given up"
		const (
			rows       = 27_000 // of the poison: enough to be seen at it
			jobs       = domain.MaxBatch
			perReplica = "GOMAXPROCS=6" // so that three jobs are done at once
		)
		poisons, batches := size(1, 2, 4), size(2, 3, 5)
		endpoint, who := newReceiver(t), in.accounts(t, poisons+batches, -1)
		in.watch(t, endpoint, who...)
		start := func() *replica {
			r := in.start(t, toThisMachine, perReplica)
			require.NoError(t, syscall.Setpriority(syscall.PRIO_PGRP, r.process.Process.Pid, 10))
			return r
		}
		r := start()

		poison, healthy := newCargo(rows, true), newCargo(size(300, 1_000, 1_000), false)
		const undone = `SELECT (SELECT COUNT(*) FROM batches WHERE completed_at_us IS NULL) + (SELECT COUNT(*) FROM deliveries WHERE state = 'pending')`
		db, done := in.open(t)
		defer done()
		watch := &watcher{db: db, killed: map[string]int{}}
		kills, began := 0, time.Now()
		strike := func() (killed bool) {
			require.Less(t, time.Since(began), time.Duration(poisons)*10*time.Minute, "work is left undone after %d kills", kills)
			if kills == domain.MaxDeaths*poisons { // the attempt that gives a job up is none to see
				time.Sleep(glance)
				return false
			}
			r.signal(syscall.SIGSTOP)
			if !watch.sees(t) {
				r.signal(syscall.SIGCONT)
				time.Sleep(2 * time.Millisecond)
				return false
			}
			r.kill()
			kills++
			in.takeoverIsDue(t)
			r = start()
			return true
		}
		ids := make([]string, len(who))
		var running []string                     // SQL: a poison
		for i, a := range slices.Backward(who) { // the poison last: it is watched from when it is there
			if i >= poisons {
				ids[i] = r.submit(t, a, strings.NewReader(healthy.batch(i*jobs, jobs)))
				continue
			}
			body := fmt.Sprintf(`{"webhook_url":%q,%s`, endpoint.url+"/ok/batch", poison.batch(i*jobs, 1)[1:])
			ids[i] = r.submit(t, a, bytes.NewReader([]byte(body)))
			running = append(running, "args LIKE '%"+ids[i]+"%'")
			watch.which = strings.Join(running, " OR ")
			for !strike() { // or it would end while the next one is submitted
			}
		}
		for looks := 0; looks%50 > 0 || in.count(t, undone) > 0; looks++ {
			strike()
		}
		took := time.Since(began)

		died := in.deaths(ports.RunJob)
		require.NotEmpty(t, died, "the logs tell of deaths")
		for id := range watch.killed {
			delete(died, id)
		}
		mostDeaths := mostOf(died)
		t.Logf("%d poisonous jobs beside %d healthy ones: %d kills, all done after %s, at most %d deaths at a healthy job of a batch",
			poisons, batches*jobs, kills, took.Round(time.Second), mostDeaths)
		require.LessOrEqual(t, kills, domain.MaxDeaths*poisons)
		require.LessOrEqual(t, mostDeaths, domain.MaxSharedDeaths)
		for i, a := range who {
			report := r.report(t, a.key, ids[i])
			require.Equal(t, "complete", report.Status)
			for j, result := range report.Results {
				require.Equal(t, brandOf(i*jobs+j), result.Brand)
				require.Equal(t, i < poisons, strings.HasPrefix(result.Error, "Given up: the service broke down 5 times while it was running this job"), result.Error)
				require.Equal(t, i >= poisons, len(result.Results) > 0)
			}
		}
		require.Equal(t, batches*jobs, in.count(t, "SELECT COUNT(*) FROM runs"), "each healthy job ran, once")
		told := 0
		for _, posts := range endpoint.seen() {
			require.LessOrEqual(t, len(posts), domain.MaxAttempts)
			if slices.ContainsFunc(posts, func(p posted) bool { return p.path == "/ok/batch" }) {
				told++
			}
		}
		require.Equal(t, poisons, told, "the batches' webhooks went out")
		r.stop(t)
	})
}
