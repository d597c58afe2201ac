package jobs

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// River's rescuer leaves jobs alone that have no timeout: looks of killed processes would stay.
func TestLooksOfKilledProcessesAreRescued(t *testing.T) {
	require.Greater(t, (&lookWorker{}).Timeout(nil), rescueAfter)
}

func TestEveryKindHasAWholeRow(t *testing.T) {
	queues, settings := map[string]bool{}, Settings{}.WithDefaults()
	for _, k := range kinds {
		require.Equal(t, string(k.name), argsOf(ports.Job{Kind: k.name}).Kind())
		require.False(t, queues[k.queue], "%s has a queue of its own", k.name)
		queues[k.queue] = true
		require.Positive(t, k.workers(settings))
		require.Positive(t, k.attempts)
		require.Positive(t, k.limit)
		if k.period != nil {
			require.LessOrEqual(t, k.period(settings), time.Minute, "what is to be deleted by a certain time is gone soon after")
		}
	}
}

// Whoever adds a kind says whether its jobs have something sent or asked: while the service is held, they wait.
func TestWhichKindsSend(t *testing.T) {
	for _, k := range kinds {
		require.Equal(t, k.name != ports.RunJob && k.name != ports.SweepJob, k.sends, k.name)
	}
}

// What a job is about survives the way through the database.
func TestAJobComesBackAsItWasAdded(t *testing.T) {
	for _, job := range []ports.Job{
		{Kind: ports.DeliverJob, AccountID: "a", Delivery: "d"},
		{Kind: ports.RunJob, AccountID: "a", Run: domain.BatchJob{BatchID: "b", Position: 3}},
		{Kind: ports.PassJob, AccountID: "a", Pass: "p"},
		{Kind: ports.MailJob, AccountID: "a", Mail: "m"},
		{Kind: ports.BillingJob, Billed: "s", BilledPlan: "p"}, {Kind: ports.BillingRoundJob},
		{Kind: ports.ScheduleJob}, {Kind: ports.AlarmJob}, {Kind: ports.SweepJob},
	} {
		text, err := json.Marshal(argsOf(job))
		require.NoError(t, err)
		var kept args
		require.NoError(t, json.Unmarshal(text, &kept))
		require.Equal(t, job, kept.job(job.Kind, job.AccountID))
	}
}
