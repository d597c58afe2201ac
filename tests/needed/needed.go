// Package needed finds the programs of others that tests drive.
package needed

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Program finds one by its name or its path. Where it is missing the test is passed over, loudly, and fails if All is asked for.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if path = filepath.Join("/usr/sbin", name); exec.Command("test", "-x", path).Run() == nil {
		return path // Debian keeps servers off the path of ordinary users
	}
	if All() {
		t.Fatalf("%v: .ci/run installs it", err)
	}
	t.Skipf("NOT TESTED: %v", err)
	return ""
}

// All says that all tests are asked for, whatever they need.
func All() bool { return os.Getenv("CI") != "" || os.Getenv("MILAAN_TEST_REQUIRE_PROGRAMS") != "" }
