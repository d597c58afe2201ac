package bundle

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/stretchr/testify/require"
)

// TestSourcesImportInNoCircle holds that no source of the dashboard imports itself by way of
// others. Screens that are fetched later count as imported.
func TestSourcesImportInNoCircle(t *testing.T) {
	sources, err := filepath.Abs("../ui")
	require.NoError(t, err)
	o := options(sources)
	o.EntryPoints, o.Splitting, o.Format, o.Metafile = []string{"main.tsx"}, true, api.FormatESModule, true
	built := api.Build(o)
	require.NoError(t, wrong(append(built.Errors, built.Warnings...)))
	var meta struct {
		Inputs map[string]struct {
			Imports []struct {
				Path string `json:"path"`
			} `json:"imports"`
		} `json:"inputs"`
	}
	require.NoError(t, json.Unmarshal([]byte(built.Metafile), &meta))
	require.Greater(t, len(meta.Inputs), 80)
	var path []string
	done := map[string]bool{}
	var visit func(file string)
	visit = func(file string) {
		if at := slices.Index(path, file); at >= 0 {
			t.Errorf("%s imports itself: %s", file, strings.Join(append(path[at:], file), " > "))
			return
		}
		if done[file] {
			return
		}
		path = append(path, file)
		for _, i := range meta.Inputs[file].Imports {
			visit(i.Path)
		}
		path = path[:len(path)-1]
		done[file] = true
	}
	visit("main.tsx")
}
