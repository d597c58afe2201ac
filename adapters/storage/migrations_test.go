package storage

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// beforeExpanding is the last migration beside which the version before need not go on.
const beforeExpanding = "00014_people.sql"

// The log of the first start is what a newcomer sees first.
func TestANewDatabaseIsOneLineOfTheLog(t *testing.T) {
	var log bytes.Buffer
	s := only.Value(Open(t.Context(), Settings{DataDir: t.TempDir()}, slog.New(slog.NewTextHandler(&log, nil))))(t)
	require.NoError(t, s.Migrate(t.Context()))
	require.NoError(t, s.Close())
	last := only.Value(Schema())(t)
	require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	require.Contains(t, log.String(), fmt.Sprintf(`msg="migrated the database" from=0 version=%d took=`, last))
}

// The version before serves beside each migration, and some time after it.
func TestMigrationsExpand(t *testing.T) {
	for _, folder := range []string{"postgres", "sqlite"} {
		files := only.Value(fs.Glob(migrations, "migrations/"+folder+"/*.sql"))(t)
		require.NotEmpty(t, files)
		for _, file := range files {
			if path.Base(file) <= beforeExpanding {
				continue
			}
			text := only.Value(fs.ReadFile(migrations, file))(t)
			for _, breach := range contractions(string(text)) {
				t.Errorf("%s: %s: see .github/CONTRIBUTING.md, Changing the tables", file, breach)
			}
		}
	}
}

func TestContractionsAreFound(t *testing.T) {
	for statement, breach := range map[string]string{
		"ALTER TABLE runs DROP COLUMN orders":                                        takesAway,
		"DROP TABLE runs":                                                            takesAway,
		"ALTER TABLE runs RENAME COLUMN orders TO o":                                 takesAway,
		"ALTER TABLE runs ALTER COLUMN orders TYPE BIGINT":                           changesColumn,
		"ALTER TABLE runs ALTER COLUMN\n  orders SET NOT NULL":                       changesColumn,
		"ALTER TABLE runs ADD CONSTRAINT some CHECK (orders > 0)":                    changesColumn,
		"CREATE UNIQUE INDEX one ON runs (orders)":                                   changesColumn,
		"ALTER TABLE runs ADD COLUMN a TEXT, ADD COLUMN b NUMERIC(10, 2) NOT NULL":   demandsColumn,
		"ALTER TABLE runs ADD COLUMN a TEXT NOT NULL, ADD COLUMN b TEXT DEFAULT ''":  demandsColumn,
		"CREATE TABLE more (account_id TEXT REFERENCES accounts (id))":               holdsRow,
		"ALTER TABLE runs ADD COLUMN a TEXT REFERENCES accounts (id)":                holdsRow,
		"-- contract: 1.2 was the last to read it\nALTER TABLE runs DROP COLUMN old": "",
		"-- We do not DROP TABLE runs\nALTER TABLE runs ADD COLUMN a TEXT":           "",
		"ALTER TABLE runs ADD COLUMN a TEXT NOT NULL DEFAULT '', ADD COLUMN b TEXT":  "",
		"CREATE TABLE more (account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE);\nCREATE UNIQUE INDEX one ON more (account_id)": "",
		"CREATE INDEX some ON runs (orders)":                                                          "",
		"ALTER TABLE runs ALTER COLUMN orders SET STORAGE EXTERNAL":                                   "",
		"ALTER TABLE runs ALTER COLUMN orders SET STORAGE EXTERNAL, ALTER COLUMN orders SET NOT NULL": changesColumn,
		"DROP INDEX some": "",
		"UPDATE runs SET orders = 0 WHERE orders IS NULL":               "",
		"ALTER TABLE runs ADD COLUMN a TEXT\n;\n-- +goose Down\nDROP x": "",
	} {
		found := strings.Join(contractions("-- +goose Up\n"+statement+";\n"), "\n")
		if breach == "" {
			require.Empty(t, found, statement)
			continue
		}
		require.Contains(t, found, breach, statement)
	}
}

// What a statement does that the version before does not bear.
const (
	takesAway     = "takes away or renames what the version before uses"
	changesColumn = "demands of a column, or makes of it, what the version before does not know of"
	demandsColumn = "adds a column that the version before would have to give"
	holdsRow      = "refers to a row without ON DELETE CASCADE, and the version before does not know what to delete first"
)

var (
	takingAway     = regexp.MustCompile(`(?i)^DROP TABLE\b|\bDROP COLUMN\b|\bRENAME\b`)
	changingColumn = regexp.MustCompile(`(?i)\bALTER COLUMN\b|\bADD (CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN)\b`)
	storing        = regexp.MustCompile(`(?i)^ALTER TABLE \w+ ALTER COLUMN \w+ SET STORAGE \w+$`) // no statement sees it
	addedColumn    = regexp.MustCompile(`(?i)\bADD COLUMN\b`)
	demanding      = regexp.MustCompile(`(?i)\bNOT NULL\b`)
	given          = regexp.MustCompile(`(?i)\bDEFAULT\b`)
	goingWith      = regexp.MustCompile(`(?i)\bREFERENCES \w+ ?\(\w+\) ON DELETE CASCADE\b`)
	referring      = regexp.MustCompile(`(?i)\bREFERENCES\b`)
	newTable       = regexp.MustCompile(`(?i)^CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)
	uniqueIndex    = regexp.MustCompile(`(?i)^CREATE UNIQUE INDEX .*?\bON (\w+)`)
	comment        = regexp.MustCompile(`--[^\n]*`)
)

// contractions are the statements of a migration beside which the version before does not go
// on, each with what it does. Those that say of themselves that they contract are left out.
func contractions(migration string) (found []string) {
	up, _, _ := strings.Cut(migration, "-- +goose Down")
	made := map[string]bool{}
	for written := range strings.SplitSeq(up, ";") {
		statement := strings.Join(strings.Fields(comment.ReplaceAllString(written, "")), " ")
		if table := newTable.FindStringSubmatch(statement); table != nil {
			made[table[1]] = true
		}
		if does := contraction(statement, made); does != "" && !strings.Contains(written, "-- contract:") {
			found = append(found, statement+": "+does)
		}
	}
	return found
}

// contraction is what a statement does, or blank. made are the tables of its migration.
func contraction(statement string, made map[string]bool) string {
	index := uniqueIndex.FindStringSubmatch(statement)
	switch {
	case storing.MatchString(statement):
		return ""
	case takingAway.MatchString(statement):
		return takesAway
	case changingColumn.MatchString(statement), index != nil && !made[index[1]]:
		return changesColumn
	case referring.MatchString(goingWith.ReplaceAllString(statement, "")):
		return holdsRow
	}
	for _, column := range addedColumn.Split(statement, -1)[1:] {
		if demanding.MatchString(column) && !given.MatchString(column) {
			return demandsColumn
		}
	}
	return ""
}
