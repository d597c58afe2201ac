package jobs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/ports"
)

// Jobs that were done leave the database soon, those that were given up after
// days in which somebody may look at them.
func TestJobsThatHaveEndedAreCleanedUp(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		const longAgo = "'2020-01-01 00:00:00'"
		ended := []struct {
			state, at string
			stays     bool
		}{
			{"completed", db.past, false},
			{"completed", db.now, true},
			{"discarded", db.past, true},
			{"discarded", longAgo, false},
			{"cancelled", db.past, true},
			{"cancelled", longAgo, false},
		}
		one, all := db.open(t), make([]ports.Job, len(ended))
		for i := range ended {
			all[i] = delivery(i)
		}
		require.NoError(t, newAdder(t, one)(t.Context(), true, all...))
		var stay, leave []string
		for i, job := range ended {
			id := fmt.Sprint(i + 1) // the database was empty
			say(t, one, fmt.Sprintf("UPDATE river_job SET state = '%s', finalized_at = %s WHERE id = %s", job.state, job.at, id))
			if job.stays {
				stay = append(stay, id)
			} else {
				leave = append(leave, id)
			}
		}
		var work worked
		started(t, one, &work)
		eventually(t, func() bool { return count(t, one, "id IN ("+strings.Join(leave, ",")+")") == 0 }, "what is old is gone")
		require.Equal(t, len(stay), count(t, one, "id IN ("+strings.Join(stay, ",")+")"), "the rest is still there")
		require.Zero(t, work.distinct(), "none of them is done again")
	})
}
