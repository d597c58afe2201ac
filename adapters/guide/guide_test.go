package guide_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/guide"
	"milaan/config"
	"milaan/tests/only"
)

const root = "../.."

// TestChapters holds that each file is a chapter with a title, and each chapter a file.
func TestChapters(t *testing.T) {
	files := only.Value(filepath.Glob("chapters/*.md"))(t)
	all := guide.Chapters()
	require.Len(t, all, len(files))
	for _, c := range all {
		require.NotEmpty(t, c.Topic)
		require.True(t, strings.HasPrefix(c.Markdown(), "# "+c.Title+"\n"), c.Topic)
	}
	_, found := guide.Find("../guide")
	require.False(t, found)
}

var update = flag.Bool("update", false, "write the tables of the chapter settings")

// TestTheChapterOfSettings holds that it has the settings and the variables of OpenTelemetry as
// config lists them. With -update it writes them there.
func TestTheChapterOfSettings(t *testing.T) {
	const file = "chapters/settings.md"
	chapter := only.Value(os.ReadFile(file))(t)
	rows := ""
	for _, s := range config.Settings() {
		unset, text := s.Unset, s.Meaning
		if s.Default != "" {
			unset = "`" + s.Default + "`"
		}
		if s.More != "" {
			text += ". " + s.More
		}
		rows += "| `" + s.Variable() + "` | " + unset + " | " + text + " |\n"
	}
	written := withRows(t, string(chapter), "| setting | default | meaning |\n|---|---|---|\n", rows)
	rows = ""
	for _, v := range config.TelemetryVariables() {
		rows += "| `" + v.Name + "` | " + v.Meaning + " |\n"
	}
	written = withRows(t, written, "| variable | meaning |\n|---|---|\n", rows)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(written), 0o600))
		return
	}
	require.Equal(t, written, string(chapter), "run go generate ./adapters/guide")
}

// withRows replaces the rows of the table that has a head.
func withRows(t *testing.T, chapter, head, rows string) string {
	before, table, found := strings.Cut(chapter, head)
	require.True(t, found)
	_, after, _ := strings.Cut(table, "\n\n")
	return before + head + rows + "\n" + after
}

var (
	link    = regexp.MustCompile(`\]\(([^)]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	inID    = regexp.MustCompile(`[^\p{L}\p{N} -]`)
)

// TestLinksLeadSomewhere holds that the links of the README and of the chapters lead to a file
// and a heading that are there.
func TestLinksLeadSomewhere(t *testing.T) {
	pages := []string{"README.md"}
	for _, c := range guide.Chapters() {
		pages = append(pages, "adapters/guide/chapters/"+c.Topic+".md")
	}
	for _, page := range pages {
		text := only.Value(os.ReadFile(filepath.Join(root, page)))(t)
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			file, anchor, _ := strings.Cut(found[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			target := filepath.Join(root, page)
			if file != "" {
				target = filepath.Join(filepath.Dir(target), file)
			}
			there, err := os.ReadFile(target)
			require.NoError(t, err, "%s links to %s", page, found[1])
			require.True(t, anchor == "" || ids(string(there))[anchor], "%s links to %s", page, found[1])
		}
	}
}

// TestTheREADMEListsTheChapters holds that it leads to each of them, and stays short.
func TestTheREADMEListsTheChapters(t *testing.T) {
	readme := only.Value(os.ReadFile(filepath.Join(root, "README.md")))(t)
	for _, c := range guide.Chapters() {
		require.Contains(t, string(readme), "["+c.Title+"](adapters/guide/chapters/"+c.Topic+".md)")
	}
	require.LessOrEqual(t, strings.Count(string(readme), "\n"), 300)
}

// ids are those by which the forge knows the headings of a text.
func ids(text string) map[string]bool {
	all := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		all[strings.ReplaceAll(strings.ToLower(inID.ReplaceAllString(h[1], "")), " ", "-")] = true
	}
	return all
}

var cited = regexp.MustCompile(`\bguide:\s+(?://\s+)?([a-z]+)((?:,?(?: and)? [0-9])*)`)

// TestComments holds that a comment which cites the guide names a chapter, and sections that it
// has.
func TestComments(t *testing.T) {
	citations := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.Contains(path, "adapters/guide/") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range cited.FindAllStringSubmatch(string(text), -1) {
			citations++
			c, known := guide.Find(found[1])
			if !known {
				t.Errorf("%s cites the chapter %q, which is not there", path, found[1])
			}
			for _, number := range regexp.MustCompile(`[0-9]`).FindAllString(found[2], -1) {
				if !strings.Contains(c.Markdown(), "\n## "+number+". ") {
					t.Errorf("%s cites section %s of the chapter %q, which is not there", path, number, found[1])
				}
			}
		}
		return err
	})
	require.NoError(t, err)
	require.Greater(t, citations, 80)
}

func TestSearch(t *testing.T) {
	require.Empty(t, guide.Search(" "))
	require.Empty(t, guide.Search("payout xyzzy"))
	found := guide.Search("Guessed CODES phone six")
	require.Empty(t, found, "all words are looked for")
	found = guide.Search("six digits PHONE")
	require.NotEmpty(t, found)
	require.Equal(t, "accounts", found[0].Topic)
	require.Equal(t, "Phone numbers", found[0].Heading)
	for _, s := range guide.Search("shell") {
		require.NotContains(t, s.Heading, "=", "what is code is no heading")
	}
}
