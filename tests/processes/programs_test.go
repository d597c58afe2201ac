package processes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/guide"
)

// needed finds a program that a test drives. Where it is missing the test is
// passed over, loudly, and fails if CI or MILAAN_TEST_REQUIRE_PROGRAMS is set.
func needed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if path = filepath.Join("/usr/sbin", name); exec.Command("test", "-x", path).Run() == nil {
		return path // Debian keeps servers off the path of ordinary users
	}
	if required() {
		t.Fatalf("%v: .ci/run installs it", err)
	}
	t.Skipf("NOT TESTED: %v", err)
	return ""
}

// required says that all tests are asked for, whatever they need.
func required() bool {
	return os.Getenv("CI") != "" || os.Getenv("MILAAN_TEST_REQUIRE_PROGRAMS") != ""
}

// heavy passes a test over that keeps a processor busy for seconds, where not all tests are asked
// for: what it shows of the whole program is tested part by part.
//
//soak:same
func heavy(t *testing.T) {
	t.Helper()
	if !required() && !longAsked() {
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
