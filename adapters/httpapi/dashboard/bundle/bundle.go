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
	pages := options(sources)
	pages.EntryPointsAdvanced = []api.EntryPoint{
		{InputPath: "main.tsx", OutputPath: "app"},
		{InputPath: "screens/later.ts", OutputPath: "later"},
		{InputPath: "css/app.css", OutputPath: "app"},
	}
	// What both scripts need is in a third one, whose name stays the same.
	pages.Splitting, pages.ChunkNames, pages.Format = true, "shared", api.FormatESModule
	pages.Banner = map[string]string{"js": licences}
	// It runs before the page is painted, which a module does not.
	theme := options(sources)
	theme.EntryPointsAdvanced, theme.Format = []api.EntryPoint{{InputPath: "theme.ts", OutputPath: "theme"}}, api.FormatIIFE

	files := map[string][]byte{}
	for _, o := range []api.BuildOptions{pages, theme} {
		built := api.Build(o)
		if err := wrong(append(built.Errors, built.Warnings...)); err != nil {
			return nil, fmt.Errorf("bundle the dashboard: %w", err)
		}
		for _, f := range built.OutputFiles {
			files[filepath.Base(f.Path)] = f.Contents
		}
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

// options are those of all scripts and styles.
func options(sources string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:    sources,
		Outdir:           "out", // names the files only: nothing is written
		NodePaths:        []string{filepath.Join(sources, "libraries")},
		Bundle:           true,
		Target:           api.ES2022,
		Charset:          api.CharsetUTF8,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		JSX: api.JSXAutomatic, JSXImportSource: "preact",
		LegalComments: api.LegalCommentsNone,
		LogLevel:      api.LogLevelSilent,
	}
}

// wrong makes an error of what the bundler says. A warning is a mistake in our sources too,
// such as a style that no browser knows.
func wrong(messages []api.Message) error {
	var all []error
	for _, m := range messages {
		place := ""
		if m.Location != nil {
			place = fmt.Sprintf("%s:%d: ", m.Location.File, m.Location.Line)
		}
		all = append(all, errors.New(place+m.Text))
	}
	return errors.Join(all...)
}
