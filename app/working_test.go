package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/app"
	"milaan/ports"
)

func TestUnknownKindOfJob(t *testing.T) {
	_, err := (&app.Working{}).Do(t.Context(), ports.Job{Kind: "dance"}, ports.JobAttempt{})
	require.ErrorContains(t, err, `"dance"`)
}
