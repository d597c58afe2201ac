package arrows_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatementsNameTheirColumnsAndOurTables(t *testing.T) {
	const unnamed, rivers = "all columns that a table has", "names a table of river's"
	for _, c := range []struct{ path, value, breach string }{
		{"adapters/storage/a.go", `"SELECT * FROM runs"`, unnamed},
		{"adapters/storage/a.go", "`\nSELECT p.*, c.account_id\nFROM passes p`", unnamed},
		{"adapters/storage/a.go", "`SELECT c.account_id,\n  p.* FROM passes p`", unnamed},
		{"adapters/jobs/a.go", `"UPDATE jobs SET engine = '' returning *"`, unnamed},
		{"adapters/storage/a.go", `clause.Returning{}`, unnamed},
		{"adapters/jobs/a.go", `"DELETE FROM river_job WHERE id = 1"`, rivers},

		{"adapters/storage/a.go", `"SELECT COUNT(*) FROM runs"`, ""},
		{"adapters/storage/a.go", `"SELECT 2 * position FROM batch_jobs"`, ""},
		{"adapters/storage/a.go", `db.Select("*").Omit("settings").Updates(&row)`, ""},
		{"adapters/jobs/a.go", `fmt.Sprintf("river %d", id)`, ""},
		{"adapters/storage/a.go", `"*.sql"`, ""},
		{"adapters/storage/a.go", `clause.Returning{Columns: columns}`, ""},
		{"adapters/storage/a_test.go", `"SELECT * FROM runs"`, ""},
		{"adapters/wording/a.go", `"SELECT * FROM runs"`, ""},
	} {
		got := breaches(t, c.path, "package a\n\nvar a = "+c.value+"\n")
		if c.breach == "" {
			require.NotContains(t, got, unnamed, c.value)
			require.NotContains(t, got, rivers, c.value)
			continue
		}
		require.Contains(t, got, c.breach, c.value)
	}
}
