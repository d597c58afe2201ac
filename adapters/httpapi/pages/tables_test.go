package pages

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"

	"milaan/adapters/guide"
)

// TestTablesAreThoseOfGoldmark holds for all that the pages show that its tables are what goldmark's extension
// makes of them.
func TestTablesAreThoseOfGoldmark(t *testing.T) {
	extended := goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(links{forgeID}, 100))))
	texts := []string{"|a|\n|-|\n", "| a | b |\n|---|---|\n| `c` | **d** |\n| | e |\n", "| no | table |\n", "none\nat all\n", "a\n\n| b |\n|---|\n| c |\n\nd\n",
		"- a\n\n  | b |\n  |---|\n  | c |\n"}
	for _, c := range guide.Chapters() {
		texts = append(texts, c.Markdown)
	}
	texts = append(texts, textsIn(t, []byte(writtenDescription))...)
	for _, markdown := range texts {
		var want, got bytes.Buffer
		require.NoError(t, extended.Convert([]byte(markdown), &want))
		require.NoError(t, chapters().Convert([]byte(markdown), &got))
		require.Equal(t, want.String(), got.String())
	}
}

func textsIn(t *testing.T, document []byte) (all []string) {
	t.Helper()
	var within func(any)
	within = func(v any) {
		switch v := v.(type) {
		case string:
			all = append(all, v)
		case []any:
			for _, each := range v {
				within(each)
			}
		case map[string]any:
			for _, each := range v {
				within(each)
			}
		}
	}
	var v any
	require.NoError(t, json.Unmarshal(document, &v))
	within(v)
	return all
}
