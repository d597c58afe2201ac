package pages

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"milaan/tests/only"
)

// sameAsYAML fails unless the YAML of a JSON text says the same.
func sameAsYAML(t require.TestingT, text []byte) {
	var want, got any
	require.NoError(t, json.Unmarshal(text, &want))
	require.NoError(t, yaml.Unmarshal(mustYAML(text), &got), "%s", mustYAML(text))
	again := only.Value(json.Marshal(got))(t)
	got = nil
	require.NoError(t, json.Unmarshal(again, &got))
	require.Equal(t, want, got, "%s", mustYAML(text))
}

func TestTheYAMLSaysWhatTheJSONSays(t *testing.T) {
	p := pagesOf(t, nil)
	sameAsYAML(t, served(t, p.Description).Body.Bytes())
	w := served(t, p.DescriptionYAML)
	require.Equal(t, string(mustYAML(served(t, p.Description).Body.Bytes())), w.Body.String())
	require.Equal(t, "application/yaml", w.Header().Get("Content-Type"))
	require.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
	require.Equal(t, 304, served(t, p.DescriptionYAML, "If-None-Match", w.Header().Get("ETag")).Code)
	require.Contains(t, w.Body.String(), "\n  /reconcile:\n    post:\n      operationId: \"reconcile\"\n")
	require.Contains(t, w.Body.String(), "\n        \"200\":\n")
}

// Texts that look like something else, and shapes within shapes.
func TestYAMLOfAnyJSON(t *testing.T) {
	texts := rapid.OneOf(rapid.StringMatching("[ \\-:#|>\"'{}\\[\\],&*!%@`~?a\n0-9]{0,12}"), rapid.String(),
		rapid.SampledFrom([]string{"true", "No", "null", "~", "1e3", "0x1", "2026-03-02", "=", "<<", "a\n", "a\n\n", "\na", " a\nb", "a \nb", "a\n b\n", "a\tb\nc"}))
	var values func(depth int) *rapid.Generator[any]
	values = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			switch rapid.IntRange(0, 5+min(1, depth)*2).Draw(t, "kind") {
			case 0:
				return nil
			case 1:
				return rapid.Bool().Draw(t, "bool")
			case 2:
				return rapid.IntRange(-1e6, 1e6).Draw(t, "number")
			case 3, 4, 5:
				return texts.Draw(t, "text")
			case 6:
				return rapid.SliceOfN(values(depth-1), 0, 3).Draw(t, "list")
			}
			return rapid.MapOfN(texts, values(depth-1), 0, 3).Draw(t, "object")
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		sameAsYAML(t, only.Value(json.Marshal(map[string]any{"value": values(4).Draw(t, "value")}))(t))
	})
}
