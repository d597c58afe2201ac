package arrows_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
