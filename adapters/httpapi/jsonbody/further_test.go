package jsonbody

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFurtherTexts(t *testing.T) {
	for text, want := range map[string][2]string{
		`{"format":"pdf"}`: {"pdf", ""},
		` {"format":"csv","shopify":"a","format":"p\u0064f"}`: {"pdf", ""},
		`{"f\u006frmat":"pdf","Format":"csv"}`:                {"pdf", ""},
		`{"shopify":"\"format\":1","x":{"format":1}}`:         {"", ""},
		`{"format":null}`:             {"", ""},
		`{"format":7,"format":null}`:  {"", ""},
		`{"format":["pdf"]}`:          {"", "array"},
		`{"format":"pdf","format":7}`: {"", "number"},
		`{}`:                          {"", ""},
	} {
		var d Decoder
		require.NoError(t, d.Finish([]byte(text), new(Fields)), text)
		got, wrong := d.Text("format")
		require.Equal(t, want, [2]string{got, wrong}, text)
	}
	var d Decoder
	require.NoError(t, d.Finish([]byte(`{"format":"`+strings.Repeat("x", 1<<20)+`"}`), new(Fields)))
	got, _ := d.Text("format")
	require.Regexp(t, "^x{1000,}$", got)
}
