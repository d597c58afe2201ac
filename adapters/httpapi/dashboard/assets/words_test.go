package assets_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard/bundle"
	"milaan/tests/only"
)

// said finds what the pages say: the English texts, which are keys of the translations.
var (
	said       = regexp.MustCompile(`\bsay\(\s*("(?:[^"\\\n]|\\.)*")`)
	labelled   = regexp.MustCompile(`": "([^"\\]+)"`)
	saidAtAll  = regexp.MustCompile(`\bsay\(`)
	placesOf   = regexp.MustCompile(`\{\w+\}`)
	languages  = filepath.Join("..", "..", "..", "wording", "languages", "*.json")
	definition = "export function say("
)

// textsOfPages returns the texts of the sources, by the file that says them.
func textsOfPages(t *testing.T) map[string]string {
	texts := map[string]string{}
	read := func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && entry.Name() == "libraries" {
			return fs.SkipDir
		}
		if ext := filepath.Ext(path); err != nil || ext != ".ts" && ext != ".tsx" && ext != ".go" || strings.HasSuffix(path, ".test.ts") {
			return err
		}
		source, err := os.ReadFile(path)
		found := said.FindAllStringSubmatch(string(source), -1)
		calls := len(saidAtAll.FindAllString(strings.ReplaceAll(string(source), definition, ""), -1))
		require.Len(t, found, calls, "%s: say takes a literal, so that this test finds it", path)
		for _, literal := range found {
			var text string
			require.NoError(t, json.Unmarshal([]byte(literal[1]), &text), literal[1])
			texts[text] = path
		}
		return err
	}
	for _, root := range []string{filepath.Join("..", "ui"), filepath.Join("..", "..", "pages", "pages.go"), filepath.Join("..", "..", "pages", "home.go")} {
		require.NoError(t, filepath.WalkDir(root, read))
	}
	labels := only.Value(os.ReadFile(filepath.Join("..", "ui", bundle.LabelsFile)))(t)
	for _, text := range labelled.FindAllSubmatch(labels, -1) {
		texts[string(text[1])] = bundle.LabelsFile
	}
	require.Greater(t, len(texts), 300)
	return texts
}

func TestEveryTextOfThePagesIsTranslated(t *testing.T) {
	texts := textsOfPages(t)
	files := only.Value(filepath.Glob(languages))(t)
	require.NotEmpty(t, files)
	for _, file := range files {
		var language struct{ Pages map[string]string }
		require.NoError(t, json.Unmarshal(only.Value(os.ReadFile(file))(t), &language))
		for text, path := range texts {
			own, translated := language.Pages[text]
			if !translated || own == "" {
				t.Errorf("%s does not translate %q of %s", file, text, path)
				continue
			}
			require.Equal(t, places(text), places(own), "%s: the values of %q", file, text)
			require.Equal(t, strings.Count(text, "|"), strings.Count(own, "|"), "%s: the forms of %q", file, text)
		}
		for text := range language.Pages {
			if texts[text] == "" {
				t.Errorf("%s translates %q, which no page says", file, text)
			}
		}
	}
}

// places lists the values of a text.
func places(text string) []string {
	all := placesOf.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}
