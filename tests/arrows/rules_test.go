package arrows_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"milaan/tests/arrows"
	"milaan/tests/only"
)

// breaches judges a tree of one file, to which a package comment is added. It
// gives what was found, one breach a line.
func breaches(t *testing.T, path, text string) string {
	t.Helper()
	files := only.Value(arrows.Read(fstest.MapFS{path: {Data: []byte("// Comment.\n" + text)}}))(t)
	var found []string
	for _, b := range arrows.Check(files) {
		found = append(found, b.String())
	}
	return strings.Join(found, "\n")
}

func TestTheRulesFindWrongArrows(t *testing.T) {
	for _, c := range []struct {
		path, pkg, target string
		breach            string // a part of the message; "" if the arrow is right
	}{
		{"domain/a.go", "domain", "strings", ""},
		{"domain/a.go", "domain", "milaan/ports", "of ours it may import nothing"},
		{"domain/a.go", "domain", "github.com/google/uuid", "standard library only"},
		{"domain/a_test.go", "domain", "pgregory.net/rapid", ""},
		{"domain/a_test.go", "domain_test", "milaan/domain", ""},
		{"domain/a_test.go", "domain_test", "milaan/ports", "imports milaan/ports"},
		{"domain/a_test.go", "domain_test", "github.com/google/uuid", "standard library only"},
		{"domain/a.go", "domain", "milaan/domain/verdict", "of ours it may import nothing"},
		{"domain/verdict/a.go", "verdict", "milaan/domain", ""},
		{"domain/verdict/a.go", "verdict", "milaan/ports", "imports milaan/ports"},
		{"domain/verdict/a.go", "verdict", "milaan/domain/bank", "imports milaan/domain/bank"},
		{"domain/bank/a.go", "bank", "milaan/domain/verdict", ""},

		{"ports/a.go", "ports", "milaan/domain", ""},
		{"ports/a.go", "ports", "milaan/app", "imports milaan/app"},
		{"ports/a.go", "ports", "milaan/ports/peers", "imports milaan/ports/peers"},
		{"ports/peers/a.go", "peers", "milaan/ports", ""},
		{"ports/peers/a.go", "peers", "milaan/config", "imports milaan/config"},
		{"couriers/a.go", "couriers", "milaan/ports/peers", ""},
		{"adapters/cli/a.go", "cli", "milaan/adapters/view", ""},
		{"adapters/cli/terminal/a.go", "terminal", "milaan/domain", "knows neither commands"},
		{"adapters/view/a.go", "view", "milaan/adapters/wording", "imports milaan/adapters/wording"},
		{"adapters/table/a.go", "table", "milaan/ports/peers", ""},
		{"ports/a.go", "ports", "go.uber.org/fx", "imports the library"},

		{"app/a.go", "app", "milaan/domain", ""},
		{"app/a.go", "app", "milaan/ports", ""},
		{"app/a.go", "app", "milaan/ports/peers", "imports milaan/ports/peers"},
		{"app/a_test.go", "app_test", "milaan/ports/peers", "and not ports/peers"},
		{"app/a.go", "app", "go.uber.org/fx", ""},
		{"app/a.go", "app", "milaan/config", "imports milaan/config"},
		{"app/a.go", "app", "milaan/couriers", "imports milaan/couriers"},
		{"app/a.go", "app", "milaan/adapters/storage", "through a port"},
		{"app/a_test.go", "app", "milaan/adapters/storage", "through a port"},
		{"app/a_test.go", "app_test", "milaan/adapters/storage", ""},
		{"app/a_test.go", "app_test", "milaan/couriers", ""},
		{"app/a_test.go", "app_test", "milaan/tests/conformance", "only what lies in tests"},

		{"app/billing/a.go", "billing", "milaan/app/admission", ""},
		{"app/billing/a.go", "billing", "milaan/app/accounts", "only the other topics that tests/arrows names"},
		{"app/billing/a.go", "billing", "milaan/app", "only the other topics that tests/arrows names"},
		{"app/billing/a_test.go", "billing_test", "milaan/app/accounts", ""},
		{"app/mails/a.go", "mails", "milaan/app/accounts", ""},
		{"app/ids/a.go", "ids", "milaan/app/runs", "only the other topics that tests/arrows names"},

		{"couriers/a.go", "couriers", "milaan/ports", ""},
		{"couriers/a.go", "couriers", "go.uber.org/fx", ""},
		{"couriers/a.go", "couriers", "golang.org/x/text/cases", "imports the library"},
		{"couriers/a.go", "couriers", "milaan/adapters/table", "imports milaan/adapters/table"},
		{"couriers/a_test.go", "couriers_test", "milaan/adapters/table", ""},

		{"adapters/module.go", "adapters", "milaan/adapters/table", ""},
		{"adapters/module.go", "adapters", "milaan/app", "imports milaan/app"},
		{"adapters/table/a.go", "table", "milaan/config", ""},
		{"adapters/table/a.go", "table", "milaan/adapters/table/dialect", ""},
		{"adapters/table/dialect/a.go", "dialect", "milaan/adapters/table", ""},
		{"adapters/table/a.go", "table", "milaan/adapters/storage", "another adapter"},
		{"adapters/table/a.go", "table", "milaan/adapters/tables", "another adapter"},
		{"adapters/table/a.go", "table", "milaan/adapters", "another adapter"},
		{"adapters/table/a.go", "table", "milaan/app", "another adapter"},
		{"adapters/table/a.go", "table", "milaan/couriers", "another adapter"},
		{"adapters/storefront/a_test.go", "storefront_test", "milaan/adapters/table", ""},
		{"adapters/storefront/a_test.go", "storefront", "milaan/adapters/table", "another adapter"},
		{"adapters/table/a_test.go", "table_test", "milaan/app", "another adapter"},

		{"adapters/httpapi/a.go", "httpapi", "milaan/adapters/httpapi/intake", ""},
		{"adapters/httpapi/intake/a.go", "intake", "milaan/ports", ""},
		{"adapters/httpapi/intake/a.go", "intake", "golang.org/x/sync/semaphore", ""},
		{"adapters/httpapi/intake/a.go", "intake", "milaan/adapters/httpapi", "takes bytes in"},
		{"adapters/httpapi/intake/a.go", "intake", "milaan/adapters/httpapi/pages", "takes bytes in"},
		{"adapters/httpapi/intake/a.go", "intake", "milaan/adapters/httpapi/jsonbody", "takes bytes in"},
		{"adapters/httpapi/intake/a_test.go", "intake_test", "milaan/adapters/httpapi", "takes bytes in"},
		{"adapters/httpapi/intake/a.go", "intake", "github.com/gin-gonic/gin", "imports the library"},
		{"adapters/httpapi/pages/a.go", "pages", "milaan/adapters/httpapi", "pages are documents"},
		{"adapters/httpapi/pages/a.go", "pages", "milaan/adapters/httpapi/intake", "pages are documents"},
		{"adapters/httpapi/pages/a.go", "pages", "github.com/gin-gonic/gin", "imports the library"},
		{"adapters/httpapi/jsonbody/a.go", "body", "milaan/adapters/httpapi/intake", "the decoder knows"},
		{"adapters/httpapi/jsonbody/a.go", "body", "github.com/gin-gonic/gin", "imports the library"},

		{"config/a.go", "config", "milaan/domain", "before anything of ours exists"},

		{"main.go", "main", "milaan/app", ""},
		{"main.go", "main", "milaan/adapters", ""},
		{"main.go", "main", "milaan/tests/service", "only what lies in tests"},
		{"adapters/webhook/a_test.go", "webhook_test", "milaan/tests/fakes/network", ""},
		{"adapters/webhook/a.go", "webhook", "milaan/tests/fakes/network", "only what lies in tests"},
		{"app/a_test.go", "app", "milaan/tests/only", ""},
		{"domain/a_test.go", "domain", "milaan/tests/worked", ""},
		{"app/a.go", "app", "milaan/tests/only", "only what lies in tests"},
		{"tests/service/a.go", "service", "milaan/adapters/storage", ""},
		{"tests/service/a.go", "service", "milaan/tests/postgres", ""},
		{"adapters/storage/a_test.go", "storage_test", "milaan/tests/conformance", "only what lies in tests"},

		{"adapters/storage/a.go", "storage", "gorm.io/gorm", ""},
		{"adapters/storage/sqlite/a.go", "sqlite", "milaan/adapters/storage/dialect", ""},
		{"adapters/storage/sqlite/a.go", "sqlite", "milaan/adapters/storage/postgres", "a room of its own"},
		{"adapters/storage/postgres/a.go", "postgres", "milaan/adapters/storage", "a room of its own"},
		{"adapters/storage/sqlite/a.go", "sqlite", "modernc.org/sqlite/lib", ""},
		{"adapters/storage/sqlite/a.go", "sqlite", "github.com/jackc/pgx/v5", "at home in adapters/storage/postgres"},
		{"adapters/storage/postgres/a.go", "postgres", "github.com/jackc/pgx/v5", ""},
		{"adapters/storage/postgres/a.go", "postgres", "github.com/libtnb/sqlite", "at home in adapters/storage/sqlite alone"},
		{"adapters/storage/a.go", "storage", "modernc.org/sqlite/lib", "at home in adapters/storage/sqlite alone"},
		{"adapters/storage/a.go", "storage", "github.com/jackc/pgx/v5", "at home in adapters/storage/postgres"},
		{"adapters/storage/a.go", "storage", "gorm.io/driver/postgres", "at home in adapters/storage/postgres alone"},
		{"adapters/jobs/a.go", "jobs", "gorm.io/gorm", "at home in adapters/storage alone"},
		{"app/a.go", "app", "gorm.io/gorm", "at home in adapters/storage alone"},
		{"app/a.go", "app", "github.com/gin-gonic/gin", "at home in adapters/httpapi alone"},
		{"app/a.go", "app", "github.com/spf13/cobra", "at home in adapters/cli alone"},
		{"app/a.go", "app", "net/http", "at home in adapters alone"},
		{"adapters/httpapi/a.go", "httpapi", "github.com/gin-gonic/gin/binding", ""},
		{"adapters/cli/a.go", "cli", "github.com/gin-gonic/gin", "at home in adapters/httpapi alone"},
		{"tests/service/a_test.go", "service_test", "gorm.io/gorm", ""},

		{"adapters/httpapi/a.go", "httpapi", "github.com/stretchr/testify/require", "belongs to tests"},
		{"adapters/httpapi/a.go", "httpapi", "net/http/httptest", "belongs to tests"},
		{"adapters/httpapi/a.go", "httpapi", "testing", "belongs to tests"},
		{"tests/postgres/a.go", "postgres", "testing", ""},

		{"domain/a.go", "domain", "io", ""},
		{"domain/a.go", "domain", "net/mail", ""},
		{"domain/a.go", "domain", "net", "no clock and no input"},
		{"domain/a.go", "domain", "os", "no clock and no input"},
		{"domain/a.go", "domain", "io/ioutil", "no clock and no input"},
		{"domain/a.go", "domain", "context", "no clock and no input"},
		{"domain/a.go", "domain", "log/slog", "no clock and no input"},
		{"domain/a_test.go", "domain_test", "os", ""},

		{"adapters/answer/a.go", "answer", "unsafe", "the compiler cannot vouch for"},
		{"tests/powercut/a.go", "powercut", "unsafe", ""},
		{"tests/service/a.go", "service", "unsafe", "the compiler cannot vouch for"},
	} {
		t.Run(c.path+" of "+c.pkg+" to "+c.target, func(t *testing.T) {
			found := breaches(t, c.path, "package "+c.pkg+"\n\nimport _ \""+c.target+"\"\n")
			if c.breach == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, found, c.breach)
			require.True(t, strings.HasPrefix(found, c.path+":4: "), "no place in: %s", found)
		})
	}
}

func TestCodeRules(t *testing.T) {
	const (
		now    = "package %\n\nimport \"time\"\n\nvar Clock = time.Now\n"
		ticker = "package %\n\nimport zeit \"time\"\n\nfunc wait() { <-zeit.After(1) }\n"
		spans  = "package %\n\nimport \"time\"\n\nconst Span = 30 * time.Second\n"
		float  = "package %\n\nvar Rupees float64\n"
		inits  = "package %\n\nfunc init() {}\n"
		method = "package %\n\ntype x struct{}\n\nfunc (x) init() {}\n"
		json   = "package %\n\ntype x struct {\n\tA int `json:\"a\"`\n}\n"
		gorm   = "package %\n\ntype x struct {\n\tA int `gorm:\"primaryKey\"`\n}\n"
		plain  = "package %\n"
		five   = "package %\n\ntype x interface{ A(); B(); C(); D(); E() }\n"
		six    = "package %\n\ntype x interface{ A(); B(); C(); D(); E(); F() }\n"
		hiding = "package %\n\ntype x interface{ y }\n"
	)
	for _, c := range []struct {
		name, path, pkg, text string
		breach                string // a part of the message; "" if the file keeps the rules
	}{
		{"clock in domain", "domain/a.go", "domain", now, "uses time.Now"},
		{"clock in app", "app/a.go", "app", now, "uses time.Now"},
		{"renamed clock", "app/a.go", "app", ticker, "uses time.After"},
		{"clock in a test", "app/a_test.go", "app", now, ""},
		{"clock in an adapter", "adapters/jobs/a.go", "jobs", now, ""},
		{"durations", "domain/a.go", "domain", spans, ""},

		{"float in domain", "domain/a.go", "domain", float, "money is never a float"},
		{"float in a courier", "couriers/a.go", "couriers", float, "money is never a float"},
		{"float in an adapter", "adapters/httpapi/a.go", "httpapi", float, ""},

		{"init in app", "app/a.go", "app", inits, "has an init function"},
		{"init in a test", "app/a_test.go", "app", inits, "has an init function"},
		{"init in couriers", "couriers/a.go", "couriers", inits, ""},
		{"init in storefront", "adapters/storefront/a.go", "storefront", inits, ""},
		{"method named init", "app/a.go", "app", method, ""},

		{"json in domain", "domain/a.go", "domain", json, `struct tag "json"`},
		{"json in app", "app/a.go", "app", json, `struct tag "json"`},
		{"json in storage", "adapters/storage/a.go", "storage", json, `struct tag "json"`},
		{"json in httpapi", "adapters/httpapi/a.go", "httpapi", json, ""},
		{"json in a test", "app/a_test.go", "app", json, ""},
		{"gorm in httpapi", "adapters/httpapi/a.go", "httpapi", gorm, `struct tag "gorm"`},
		{"gorm in storage", "adapters/storage/a.go", "storage", gorm, ""},

		{"a port of five methods", "ports/a.go", "ports", five, ""},
		{"a port of six methods", "ports/a.go", "ports", six, "an interface of 6 methods, and 5 are the most"},
		{"what adapters are to each other, of six methods", "ports/peers/a.go", "peers", six, "an interface of 6 methods"},
		{"a port that embeds", "ports/a.go", "ports", hiding, "embeds an interface"},
		{"use cases of six methods", "ports/a.go", "ports", strings.Replace(six, "type x", "type Gate", 1), ""},
		{"six methods elsewhere", "adapters/cli/a.go", "cli", six, ""},

		{"package util", "app/util/a.go", "util", plain, "says nothing of what it owns"},
		{"package helpers", "tests/helpers/a.go", "helpers", plain, "says nothing of what it owns"},
		{"package models_test", "app/models/a_test.go", "models_test", plain, "says nothing of what it owns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := breaches(t, c.path, strings.ReplaceAll(c.text, "%", c.pkg))
			if c.breach == "" {
				require.Empty(t, found)
				return
			}
			require.Contains(t, found, c.breach)
		})
	}
}

func TestRetiredWords(t *testing.T) {
	for text, want := range map[string]string{
		"// x waits for a permit.\nvar x int":              "a limiter has places",
		"var testPermit int":                               "a limiter has places",
		"func f(passPermits int) {}":                       "a limiter has places",
		"// X fills ports.Runs.\ntype X int":               "say what it does",
		"// x is asked, for it is there.\nvar x int":       "write because",
		"// x has so many bytes of text.\nvar x int":       "write because, or a number",
		"// x says what is permitted, for all.\nvar x int": "",
	} {
		if got := breaches(t, "app/runs/a.go", "// Package runs is a package.\npackage runs\n\n"+text+"\n"); want == "" {
			require.Empty(t, got, text)
		} else {
			require.Contains(t, got, want, text)
		}
	}
}

func TestPackagesNeedAComment(t *testing.T) {
	files := only.Value(arrows.Read(fstest.MapFS{
		"app/doc.go":           {Data: []byte("// Package app does.\npackage app\n")},
		"app/a.go":             {Data: []byte("package app\n")},
		"ports/a.go":           {Data: []byte("//go:build linux\n\npackage ports\n")},
		"config/a.go":          {Data: []byte("//\npackage config\n")},
		"app/testdata/x.go":    {Data: []byte("package x\n")},
		".cache/y.go":          {Data: []byte("package y\n")},
		"domain/notes.txt":     {Data: []byte("package domain\n")},
		"tests/kill/a_test.go": {Data: []byte("// Package kill kills.\npackage kill\n")},
	}))(t)
	var found []string
	for _, b := range arrows.Check(files) {
		require.Contains(t, b.Text, "has no comment")
		found = append(found, b.Path)
	}
	require.Equal(t, []string{"config", "ports"}, found)
}

func TestATreeThatDoesNotParseIsAnError(t *testing.T) {
	require.ErrorContains(t, only.Err(arrows.Read(fstest.MapFS{"app/a.go": {Data: []byte("package\n")}})), "app/a.go")
}

func TestStrangersAtTheTop(t *testing.T) {
	require.Empty(t, arrows.Strangers([]string{"main.go", ".github/CONTRIBUTING.md", ".ci/run", "tests/arrows/doc.go", "go.sum"}))
	require.Equal(t, []string{"docs", "Makefile"},
		arrows.Strangers([]string{"docs/a.md", "docs/b.md", "Makefile", "domain/run.go"}))
}

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

func TestMessagesAreReadByPeopleAlone(t *testing.T) {
	const reads = "reads the message of an error"
	for _, c := range []struct{ path, body, breach string }{
		{"app/a.go", `strings.Contains(err.Error(), "refused")`, reads},
		{"app/a.go", `strings.Cut("x"+err.Error(), " ")`, reads},
		{"app/a.go", `strings.TrimPrefix(strings.TrimSpace(e.cause.Error()), "pq: ")`, reads},
		{"app/a.go", `bytes.HasPrefix([]byte(err.Error()), nil)`, reads},
		{"app/a.go", `regexp.MatchString("x", err.Error())`, reads},
		{"adapters/storage/a.go", `locked.MatchString(err.Error())`, reads},
		{"adapters/cli/a.go", `inFlags.Replace(e.Text)`, reads},
		{"adapters/cli/a.go", `strings.Cut(e.Text, " ")`, reads},
		{"couriers/a.go", `_ = err.Error() == "no column"`, reads},
		{"couriers/a.go", `switch err.Error() {}`, reads},
		{"domain/a.go", `_ = err.Error()[:5]`, reads},
		{"adapters/httpapi/a.go", "text := err.Error()\n_, _, _ = strings.Cut(text, \": \")", reads},

		{"adapters/cli/a.go", `strings.Replace(err.Error(), "open", "", 1)`, reads},

		{"adapters/cli/a.go", `strings.Replace(err.Error(), cause.Error(), "plain", 1)`, ""},
		{"app/a.go", `strings.Compare(a.Error(), b.Error())`, ""},
		{"app/a.go", `strings.Join(strings.Fields(err.Error()), " ")`, ""},
		{"app/a.go", `log.Info(err.Error())`, ""},
		{"app/a.go", `fmt.Fprint(w, e.Text)`, ""},
		{"app/a.go", `strings.Cut(name, " ")`, ""},
		{"adapters/cli/a.go", `_ = out.Error() != nil`, ""},
		{"adapters/cli/a.go", `b.WriteString(err.Error())`, ""},
		{"app/a.go", `http.Error(w, "text", 500)`, ""},
		{"app/a_test.go", `strings.Contains(err.Error(), "refused")`, ""},
		{"tests/service/a.go", `strings.Contains(err.Error(), "refused")`, ""},
	} {
		got := breaches(t, c.path, "package a\n\nimport (\n\"strings\"\n\"bytes\"\n\"regexp\"\n)\n\nfunc f() {\n"+c.body+"\n}\n")
		if c.breach == "" {
			require.NotContains(t, got, "message", c.body)
			continue
		}
		require.Contains(t, got, c.breach, c.body)
	}
}

func TestWhatIsWrongWithAFileIsData(t *testing.T) {
	require.Contains(t, breaches(t, "domain/a.go", "package domain\n\ntype FileError struct {\n\tLine int\n\tColumn, Advice string\n}\n"),
		"has the text Advice in FileError")
	require.Empty(t, breaches(t, "domain/a.go", "package domain\n\ntype FileError struct {\n\tColumn, Value string\n\tFound []string\n}\n"))
	require.Empty(t, breaches(t, "domain/a.go", "package domain\n\ntype Error struct{ Text string }\n"))
}
