package examples

import (
	"go/format"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// awkward are calls with what languages write otherwise than JSON does.
var awkward = []Call{
	{ID: "get", Method: "GET", Path: "/things", Status: 200, Learns: []Observation{{"things_id", []string{"things", "0", "id"}}}},
	{ID: "change", Method: "PATCH", Path: "/things/{things_id}/parts/{part}?all=a%20b", Token: "session", Status: 200, Headers: []Header{{"If-Match", `"it's"`}},
		JSON: "{\n  \"true\": true,\n  \"text\": \"it's null and \\\"false\\\" \\ud83d\\ude00\",\n  \"none\": [null, false]\n}"},
	{ID: "mark", Method: "PUT", Path: "/marks", Token: "key", JSON: "{\n  \"mark\": \"`\"\n}", Status: 200, SavedAs: "mark.png"},
	{ID: "send", Method: "POST", Path: "/files", Token: "key", Status: 201, Form: []Part{{"file", "x", "file.csv"}, {"note", `it's "so"`, ""}}},
	{ID: "fields", Method: "POST", Path: "/fields", Form: []Part{{"note", "a;b@c", ""}}, Status: 204},
}

// TestGoIsFormatted holds that the programs in Go are ones, in the form that Go has.
func TestGoIsFormatted(t *testing.T) {
	for _, c := range awkward {
		text := golang(c)
		formatted, err := format.Source([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, string(formatted), text)
	}
}

func TestAwkwardTexts(t *testing.T) {
	for text, by := range map[string]struct{ in, has string }{
		"the shell's quotes":       {curl(awkward[1]), `-H 'If-Match: "it'\''s"'`},
		"the shell's variables":    {curl(awkward[1]), `"$MILAAN_URL/things/$THINGS_ID/parts/$PART?all=a%20b"`},
		"a field of curl":          {curl(awkward[4]), `--form-string 'note=a;b@c'`},
		"a file of curl":           {curl(awkward[2]), "--fail -X PUT"},
		"a back quote in Go":       {golang(awkward[2]), `"{\n  \"mark\": \"` + "`" + `\"\n}"`},
		"Go's address":             {golang(awkward[1]), `os.Getenv("MILAAN_URL")+"/things/"+os.Getenv("THINGS_ID")+"/parts/"+os.Getenv("PART")+"?all=a%20b"`},
		"TypeScript's address":     {typescript(awkward[1]), "`${process.env.MILAAN_URL}/things/${process.env.THINGS_ID}/parts/${process.env.PART}?all=a%20b`"},
		"Python's words and texts": {python(awkward[1]), `"true": True,` + "\n      " + `"text": "it's null and \"false\" 😀",` + "\n      " + `"none": [None, False]`},
		"Python's address":         {python(awkward[1]), `os.environ["MILAAN_URL"] + "/things/" + os.environ["THINGS_ID"] + "/parts/" + os.environ["PART"] + "?all=a%20b"`},
		"a field in Python":        {python(awkward[3]), `[("note", "it's \"so\"")]`},
		"a list without an item":   {awkward[0].bruno(1), `res.body?.["things"]?.["0"]?.["id"]`},
		"Bruno's variables":        {awkward[1].bruno(1), "url: {{url}}/things/{{things_id}}/parts/{{part}}?all=a%20b\n"},
	} {
		require.Contains(t, by.in, by.has, text)
	}
	for _, l := range Languages() {
		require.NotContains(t, l.Write(awkward[0]), "MILAAN_KEY", l.Name)
		require.True(t, strings.HasSuffix(l.Write(awkward[0]), "\n"), l.Name)
	}
}
