package processes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
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
	if os.Getenv("CI") != "" || os.Getenv("MILAAN_TEST_REQUIRE_PROGRAMS") != "" {
		t.Fatalf("%v: .ci/run installs it", err)
	}
	t.Skipf("NOT TESTED: %v", err)
	return ""
}

// snippet is the README's block of code after the comment that names it.
func snippet(t *testing.T, name string) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	block := regexp.MustCompile("(?s)<!-- " + name + " -->\n```\\w+\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, block, "README.md has no snippet %s", name)
	return string(block[1])
}
