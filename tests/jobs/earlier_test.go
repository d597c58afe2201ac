package jobs_test

import (
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"milaan/adapters/jobs"
	"milaan/ports"
	"milaan/tests/only"
)

// A look that is lost, with the process that had it or else, is made up for.
func TestLooksMayBeLost(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1), delivery(2), run("account", 1)))
		say(t, one, "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = "+db.heardNow)
		var work worked
		started(t, one, &work, takeover(3*time.Second))
		eventually(t, ended(t, one), "nobody looks for the jobs")
		require.Equal(t, 3, work.distinct())
		require.Len(t, work.begunAs(), 3)
	})
}

// Looks that have ended leave river's table soon, or it would grow by a row for each job.
func TestLooksThatHaveEndedAreCleanedUp(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
		say(t, one, "DELETE FROM jobs")
		say(t, one, "UPDATE river_job SET state = 'completed', finalized_at = "+db.heardPast)
		started(t, one, &worked{})
		eventually(t, func() bool {
			var left int
			require.NoError(t, plain(one).QueryRowContext(t.Context(), "SELECT count(*) FROM river_job").Scan(&left))
			return left == 0
		}, "the look is still there")
	})
}

// A later version beside this one may add jobs of kinds that this one does not know: they are left to
// it, and keep nothing else waiting.
func TestJobsOfALaterVersionAreLeftToIt(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1), delivery(2), delivery(3)))
		say(t, one, "DELETE FROM river_job")
		say(t, one, "UPDATE jobs SET kind = 'later', due_at_us = "+db.past+" WHERE id = 2")
		say(t, one, "UPDATE jobs SET kind = 'later', engine = 'other', attempts = 100, lease_until_us = "+db.past+" WHERE id = 3")
		var work worked
		started(t, one, &work, takeover(3*time.Second))
		eventually(t, func() bool { return count(t, one, "kind = 'deliver'") == 0 }, "the one that is known is done")
		eventually(t, func() bool { return count(t, one, "kind = 'later' AND engine = ''") == 2 }, "none is given up")
	})
}

// earlier is a job as the version before kept it, in river's own table.
type earlier struct {
	kind      ports.JobKind
	queue     string
	AccountID string `json:"account_id,omitempty"`
	Delivery  string `json:"delivery,omitempty"`
	BatchID   string `json:"batch_id,omitempty"`
	Position  int    `json:"position,omitempty"`
}

func (e earlier) Kind() string { return string(e.kind) }

func (e earlier) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: e.queue, MaxAttempts: 30}
}

func addEarlier(t *testing.T, db jobs.Database, all ...earlier) (ids []int64) {
	t.Helper()
	var many []river.InsertManyParams
	for _, one := range all {
		many = append(many, river.InsertManyParams{Args: one})
	}
	var added []*rivertype.JobInsertResult
	config := &river.Config{Logger: slog.New(slog.DiscardHandler)}
	if db.SQLite != nil {
		client := only.Value(river.NewClient[*sql.Tx](riversqlite.New(db.SQLite), config))(t)
		added = only.Value(client.InsertMany(t.Context(), many))(t)
	} else {
		client := only.Value(river.NewClient[pgx.Tx](riverpgxv5.New(db.Postgres), config))(t)
		added = only.Value(client.InsertMany(t.Context(), many))(t)
	}
	for _, one := range added {
		ids = append(ids, one.Job.ID)
	}
	return ids
}

// in is a value of a database, in its own words.
func in(db jobs.Database, sqlite, postgres string) string {
	if db.SQLite != nil {
		return sqlite
	}
	return postgres
}

// Jobs of the version before are done once by this one, with the attempts and deaths that they had:
// those that waited, and those that its instance had when it died.
func TestJobsOfTheVersionBeforeAreDone(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		waits := earlier{kind: ports.DeliverJob, queue: "deliveries", AccountID: "account", Delivery: "delivery-1"}
		left := earlier{kind: ports.RunJob, queue: "batches", AccountID: "account", BatchID: "batch-account", Position: 1}
		others := earlier{kind: ports.RunJob, queue: "batches", AccountID: "account", BatchID: "batch-account", Position: 2}
		ids := addEarlier(t, one, waits, left, others, earlier{kind: ports.SweepJob, queue: "housekeeping"})
		say(t, one, fmt.Sprintf("UPDATE river_job SET attempt = 19 WHERE id = %d", ids[0]))
		begun := "UPDATE river_job SET state = 'running', attempt = 2, attempted_at = " + db.heardNow + ", attempted_by = " +
			in(one, `jsonb('["%[1]s"]')`, "ARRAY['%[1]s']") + ", metadata = " + in(one, `jsonb('{"deaths":["before"]}')`, `'{"deaths":["before"]}'`) + " WHERE id = %[2]d"
		say(t, one, fmt.Sprintf(begun, "dead", ids[1]))
		say(t, one, fmt.Sprintf(begun, "lives", ids[2]))
		say(t, one, "INSERT INTO job_engines (id, heard_at, stopped) VALUES ('dead', "+db.heardPast+", false), ('lives', "+in(one, "datetime('now', '+1 hour')", "now() + interval '1 hour'")+", false)")
		var work worked
		started(t, one, &work, takeover(3*time.Second))
		eventually(t, func() bool { return work.timesEnded(delivery(1)) == 1 && work.timesEnded(run("account", 1)) == 1 }, "they are done")
		require.ElementsMatch(t, []ports.JobAttempt{{Last: true}, {Deaths: 2}}, work.begunAs(), "one had 19 attempts, one had two deaths")
		require.Zero(t, work.timesBegun(run("account", 2)), "the one that does it lives")
		time.Sleep(3 * time.Second) // heartbeats, which find river's own row of the left one
		require.Len(t, work.begunAs(), 2, "each is done once")
	})
}

// An account that is closed has none of its jobs left, of this version or the one before.
func TestJobsOfAnAccountAreDropped(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		addEarlier(t, one, slices.Repeat([]earlier{{kind: ports.DeliverJob, queue: "deliveries", AccountID: "account", Delivery: "SECRET"}}, 150)...)
		addEarlier(t, one, earlier{kind: ports.DeliverJob, queue: "deliveries", AccountID: "other", Delivery: "d"})
		require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1), run("account", 1), run("other", 1)))
		say(t, one, "UPDATE jobs SET engine = 'some' WHERE kind = 'deliver'")
		outbox := only.Value(jobs.NewOutbox(one))(t)
		if one.SQLite != nil {
			tx := only.Value(one.SQLite.BeginTx(t.Context(), nil))(t)
			require.NoError(t, outbox.Drop(t.Context(), tx, nil, "account"))
			require.NoError(t, tx.Commit())
		} else {
			conn := only.Value(one.Postgres.Acquire(t.Context()))(t)
			require.NoError(t, outbox.Drop(t.Context(), nil, conn.Conn(), "account"))
			conn.Release()
		}
		require.Equal(t, 1, count(t, one, "true"))
		var left int
		require.NoError(t, plain(one).QueryRowContext(t.Context(), "SELECT count(*) FROM river_job WHERE kind <> 'look'").Scan(&left))
		require.Equal(t, 1, left)
	})
}
