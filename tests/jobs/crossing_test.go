package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/ports"
	"milaan/tests/only"
)

// doing is ports.Work whose jobs last until they are let go.
type doing struct{ begun, end chan struct{} }

func (d doing) Do(context.Context, ports.Job, ports.JobAttempt) (time.Duration, error) {
	d.begun <- struct{}{}
	<-d.end
	return 0, nil
}

// A job that is handed out in the moment in which its attempt ends has ended
// all the same, unless another attempt has been begun.
func TestAJobIsHandedOutWhileItEnds(t *testing.T) {
	t.Parallel()
	db := onPostgreSQL(t, clone(t))
	one := db.open(t)
	work := doing{begun: make(chan struct{}), end: make(chan struct{})}
	started(t, one, work)
	require.NoError(t, newAdder(t, one)(t.Context(), true, delivery(1)))
	<-work.begun

	handing := only.Value(plain(one).BeginTx(t.Context(), nil))(t)
	require.NoError(t, only.Err(handing.ExecContext(t.Context(), "UPDATE jobs SET engine = '' WHERE origin IS NULL")))
	work.end <- struct{}{}
	someoneWaits(t, one, "nobody notes the end of the job")
	require.NoError(t, handing.Commit())
	eventually(t, ended(t, one), "the job does not end")
}
