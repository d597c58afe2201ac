package arrows_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"milaan/tests/arrows"

	"github.com/stretchr/testify/require"
)

// root is the repository, seen from this folder.
var root = filepath.Join("..", "..")

func TestTheTreeKeepsTheRules(t *testing.T) {
	files, err := arrows.Read(os.DirFS(root))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no Go files below %s", root)
	for _, breach := range arrows.Check(files) {
		t.Error(breach)
	}
}

func TestTheTopLevelIsFixed(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root, ".git")); os.IsNotExist(err) {
		t.Skip("this tree was unpacked and not cloned: it says nothing of what is kept in the repository")
	}
	// The files may belong to another user than the one who runs the tests, of
	// which git would not say a word without the setting.
	list := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z")
	list.Dir = root
	// A git hook sets variables that name another repository.
	list.Env = slices.DeleteFunc(os.Environ(), func(setting string) bool { return strings.HasPrefix(setting, "GIT_") })
	out, err := list.Output()
	require.NoError(t, err, "list the files of the repository")
	paths := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	require.Contains(t, paths, "go.mod")
	for _, stranger := range arrows.Strangers(paths) {
		t.Errorf("%s lies at the top of the repository, where nothing may be added: find it a place in one of the folders", stranger)
	}
}
