package processes_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// month is the invented month of the README: an export, three reports of each of two
// couriers, and a bank statement.
func month(t *testing.T) (export string, reports []string, bank string) {
	t.Helper()
	folder := only.Value(filepath.Abs(filepath.Join(root, "tests", "month")))(t)
	for _, courier := range []string{"delhivery", "xpressbees"} {
		of := only.Value(filepath.Glob(filepath.Join(folder, courier+"-*")))(t)
		reports = append(reports, of...)
	}
	require.Len(t, reports, 6)
	return filepath.Join(folder, "orders.csv"), reports, filepath.Join(folder, "bank.csv")
}
