package accounts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/admission"
	"milaan/tests/fakes/storage"
)

func TestChangesHaveARate(t *testing.T) {
	t.Parallel()
	b := storage.New(t, storage.ProAccount())
	changing := admission.Gate{Windows: b.Windows, Clock: b.Clock}
	for range 30 {
		require.NoError(t, changing.CountChange(t.Context(), "account-1"))
	}
	storage.RequireWait(t, changing.CountChange(t.Context(), "account-1"), time.Minute)
	require.NoError(t, changing.CountChange(t.Context(), "account-2"))
	b.Now = b.Now.Add(time.Minute)
	require.NoError(t, changing.CountChange(t.Context(), "account-1"))
}
