package processes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/fakes/web"
	"milaan/tests/postgres"
)

// Settings that would let requests in over plain HTTP, or turn out not to work,
// stop the start; the message says what to set. config has each that it refuses.
func TestUnsafeSettingsStopTheStart(t *testing.T) {
	t.Parallel()
	_, key, _ := web.Certificate(t)
	const password = "pa55-not-to-be-told"
	for _, c := range []struct {
		name     string
		settings []string
		says     []string
	}{
		{"plain HTTP for all", []string{"MILAAN_ADDR=0.0.0.0:0"}, []string{"MILAAN_ADDR", "MILAAN_TLS_CERT", "MILAAN_TRUSTED_PROXIES", "127.0.0.1"}},
		{"certificate that is none", []string{"MILAAN_TLS_CERT=" + key, "MILAAN_TLS_KEY=" + key}, []string{"certificate"}},
		{"database out of reach", []string{"MILAAN_DATABASE_URL=postgres://milaan:" + password + "@127.0.0.1:1/milaan"}, []string{"cannot reach PostgreSQL at 127.0.0.1, port 1", "check the database URL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := newInstallation(t, "")
			in.hide("a database password", password)
			r := in.launch(t, c.settings...)
			require.Equal(t, 1, r.exitCode(t), r.journal.text())
			for _, words := range c.says {
				require.Contains(t, r.journal.text(), words)
			}
			require.Empty(t, r.journal.address(), "it must not listen")
		})
	}
}

// A user who may not come in is told so at once, without the password.
func TestUnknownDatabaseStopsTheStart(t *testing.T) {
	postgres.OnlyWithBoth(t)
	alongside(t)
	in := newInstallation(t, postgres.Database(t)+"&database=not_there")
	r := in.launch(t)
	require.Equal(t, 1, r.exitCode(t))
	require.NotContains(t, r.journal.text(), "waiting for the database", "what does not mend itself is not waited for")
	require.Contains(t, r.journal.text(), "not_there")
}
