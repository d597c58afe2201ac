// Package bundle makes the files that browsers get of the dashboard's sources. Only
// go generate and a test import it, so that the program itself has no bundler in it.
package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// licences is put above the script that has the libraries in it, because they ask for their
// notice in every copy.
const licences = "/*! With preact, @preact/signals and @preact/signals-core, (c) Jason Miller and The Preact Authors, MIT " +
	"licence: https://opensource.org/license/mit */\n"

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
		{InputPath: "screens/autopilot/screens.ts", OutputPath: "autopilot"},
		{InputPath: "screens/settings/screens.ts", OutputPath: "settings"},
		{InputPath: "css/app.css", OutputPath: "app"},
	}
	// The screens that are fetched later import the first script, so that it is one file. Else the bundler cuts it into one
	// for each set of scripts that share something: together they are 3 KB larger, and each is a request.
	pages.Plugins = []api.Plugin{{Name: "main", Setup: func(build api.PluginBuild) {
		later := api.OnLoadOptions{Filter: `[\\/](later|screens)\.ts$`}
		build.OnLoad(later, func(file api.OnLoadArgs) (api.OnLoadResult, error) {
			text, err := os.ReadFile(file.Path)
			contents := fmt.Sprintf("%s\nimport %q;", text, filepath.Join(sources, "main"))
			return api.OnLoadResult{Contents: &contents, Loader: api.LoaderTS}, err
		})
	}}}
	pages.Splitting, pages.ChunkNames, pages.Format, pages.Metafile = true, "[hash]", api.FormatESModule, true
	// It runs before the page is painted, which a module does not.
	theme := options(sources)
	theme.EntryPointsAdvanced, theme.Format = []api.EntryPoint{{InputPath: "theme.ts", OutputPath: "theme"}}, api.FormatIIFE

	files := map[string][]byte{}
	var meta metafile
	for _, o := range []api.BuildOptions{pages, theme} {
		built := api.Build(o)
		if err := wrong(append(built.Errors, built.Warnings...)); err != nil {
			return nil, fmt.Errorf("bundle the dashboard: %w", err)
		}
		for _, f := range built.OutputFiles {
			files[filepath.Base(f.Path)] = f.Contents
		}
		if o.Metafile {
			if err := json.Unmarshal([]byte(built.Metafile), &meta); err != nil {
				return nil, fmt.Errorf("bundle the dashboard: %w", err)
			}
		}
	}
	noticed := false
	for path, output := range meta.Outputs {
		if output.Inputs["libraries/preact/dist/preact.mjs"] != nil {
			files[filepath.Base(path)], noticed = append([]byte(licences), files[filepath.Base(path)]...), true
		}
	}
	if !noticed {
		return nil, errors.New("bundle the dashboard: no script has Preact, whose licence asks for a notice")
	}
	delete(files, "app.js") // it only imports what it shares
	files = meta.rename(files)
	for _, name := range []string{"index.html", "logo.svg"} {
		text, err := os.ReadFile(filepath.Join(sources, name))
		if err != nil {
			return nil, fmt.Errorf("bundle the dashboard: %w", err)
		}
		files[name] = []byte(strings.TrimSpace(string(text)) + "\n")
	}
	return files, nil
}

type metafile struct {
	Outputs map[string]struct {
		EntryPoint string         `json:"entryPoint"`
		Inputs     map[string]any `json:"inputs"`
		Imports    []struct {
			Path string `json:"path"`
			Kind string `json:"kind"`
		} `json:"imports"`
	} `json:"outputs"`
}

// rename gives the files that several scripts share a name that says which scripts these
// are, in place of one that changes with every change of the sources; app.js is the first script.
func (m metafile) rename(files map[string][]byte) map[string][]byte {
	users := map[string][]string{} // of each shared file
	for path, output := range m.Outputs {
		if output.EntryPoint == "" || filepath.Ext(path) != ".js" {
			continue
		}
		user := strings.TrimSuffix(filepath.Base(path), ".js")
		seen := map[string]bool{}
		var visit func(path string)
		visit = func(path string) {
			for _, i := range m.Outputs[path].Imports {
				if i.Kind != "import-statement" || seen[i.Path] {
					continue
				}
				seen[i.Path] = true
				users[i.Path] = append(users[i.Path], user)
				visit(i.Path)
			}
		}
		visit(path)
	}
	var renames []string
	for path, of := range users {
		slices.Sort(of)
		if of[0] == "app" {
			of = of[:1]
		}
		renames = append(renames, filepath.Base(path), strings.Join(of, "-")+".js")
	}
	all, renamed := strings.NewReplacer(renames...), map[string][]byte{}
	for name, content := range files {
		name, text := all.Replace(name), all.Replace(string(content))
		// The first script is there once, in whichever folder the browser finds the others. These may be there twice,
		// so no state may live in them.
		renamed[name] = []byte(strings.ReplaceAll(text, `"./app.js"`, `"/app/assets/app.js"`))
	}
	return renamed
}

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
