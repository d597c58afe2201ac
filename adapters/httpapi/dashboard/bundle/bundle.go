// Package bundle makes the files that browsers get of the dashboard's sources. Only
// go generate and a test import it, so that the program itself has no bundler in it.
package bundle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// licences is put above the script, because the libraries in it ask for their notice in
// every copy.
const licences = "/*! With preact, @preact/signals and @preact/signals-core, (c) Jason Miller and The Preact Authors, MIT licence: https://opensource.org/license/mit */"

// Files bundles the sources in the folder sources. It returns the content of each file by
// its name. The same sources give the same bytes on every machine. The error names the
// lines that could not be read.
func Files(sources string) (map[string][]byte, error) {
	sources, err := filepath.Abs(sources)
	if err != nil {
		return nil, fmt.Errorf("find the sources: %w", err)
	}
	built := api.Build(api.BuildOptions{
		AbsWorkingDir: sources,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "main.tsx", OutputPath: "app"},
			{InputPath: "theme.ts", OutputPath: "theme"},
			{InputPath: "css/app.css", OutputPath: "app"},
		},
		Outdir:           "out", // names the files only: nothing is written
		NodePaths:        []string{filepath.Join(sources, "libraries")},
		Bundle:           true,
		Format:           api.FormatESModule,
		Target:           api.ES2022,
		Charset:          api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		JSX: api.JSXAutomatic, JSXImportSource: "preact",
		Banner:        map[string]string{"js": licences},
		LegalComments: api.LegalCommentsNone,
		// A warning is a mistake in our sources, such as a style that no browser knows.
		LogLevel: api.LogLevelSilent,
	})
	var wrong []error
	for _, m := range append(built.Errors, built.Warnings...) {
		place := ""
		if m.Location != nil {
			place = fmt.Sprintf("%s:%d: ", m.Location.File, m.Location.Line)
		}
		wrong = append(wrong, errors.New(place+m.Text))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, fmt.Errorf("bundle the dashboard: %w", err)
	}
	files := map[string][]byte{}
	for _, f := range built.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	for _, name := range []string{"index.html", "logo.svg"} {
		text, err := os.ReadFile(filepath.Join(sources, name))
		if err != nil {
			return nil, fmt.Errorf("bundle the dashboard: %w", err)
		}
		files[name] = []byte(strings.TrimSpace(string(text)) + "\n")
	}
	return files, nil
}
