package processes_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/guide"
	"milaan/tests/needed"
)

// heavy passes a test over that keeps a processor busy for seconds, where not all tests are asked
// for: what it shows of the whole program is tested part by part.
//
//soak:same
func heavy(t *testing.T) {
	t.Helper()
	if !needed.All() && !longAsked() {
		t.Skip("NOT TESTED: it keeps a processor busy for seconds; set MILAAN_TEST_REQUIRE_PROGRAMS")
	}
}

// documentation is the README and the guide.
func documentation(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	text := string(readme)
	for _, c := range guide.Chapters() {
		text += "\n" + c.Markdown()
	}
	return text
}

// snippet is the block of code of the README or the guide after the comment that names it.
func snippet(t *testing.T, name string) string {
	t.Helper()
	block := regexp.MustCompile("(?s)<!-- " + name + " -->\n```\\w+\n(.*?)```").FindStringSubmatch(documentation(t))
	require.NotNil(t, block, "neither the README nor the guide has a snippet %s", name)
	return block[1]
}
