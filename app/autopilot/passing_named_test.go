package autopilot_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/storage"
)

// TestAPassByNamedMappings reads the reports of a source without a courier by the mapping with
// their header.
func TestAPassByNamedMappings(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north")
	awb := b.sell("#1", 500, 20).awb
	b.sources.places["north"].files = []fileInMemory{{name: "odd.csv", version: 1, settled: true, content: "Docket,Door,Bank,Sent On\n" + awb + ",500,450,2026-11-01\n", modified: b.Now.Add(-2 * time.Hour)}}
	require.Equal(t, domain.ConnHeader, b.make(b.due(c)).Failure.Rule)

	save := func(name, paid string) {
		require.NoError(t, b.Mappings.Save(t.Context(), b.Account.ID, domain.NamedMapping{Name: name, SavedAt: b.Now,
			Header:  domain.HashHeader([]string{"Docket", "Door", "Bank", "Sent On"}),
			Mapping: domain.Mapping{domain.RoleAWB: "Docket", domain.RoleRemittedAmount: paid, domain.RoleRemittanceDate: "Sent On"}},
			false, domain.SecurityEvent{}))
	}
	flags := func(want domain.Flag) {
		t.Helper()
		pass := b.make(b.due(c))
		require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
		run, err := b.History.Run(t.Context(), b.Account.ID, pass.RunID)
		require.NoError(t, err)
		require.Equal(t, 1, run.Tally.Flags[want])
	}
	save("by bank", "Bank")
	flags(domain.ShortPaid)
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)
	save("by door", "Door")
	failed := b.make(b.due(c))
	require.Equal(t, domain.PassFailed, failed.Outcome, "which of the two is not known")
	require.Equal(t, domain.ConnectorError{Rule: domain.ConnMappings, Connector: "shelf", Source: 1, File: "odd.csv"}, *failed.Failure)
	require.NoError(t, b.Mappings.RemoveNamed(t.Context(), b.Account.ID, "by bank", domain.SecurityEvent{}))
	flags(domain.Reconciled)
}
