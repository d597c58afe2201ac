package processes_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// builtFrom builds the program as it was at a commit. Its sources are those files of the commit.
//
// The go command reads the files of the commit in the place of today's. So it finds in its cache
// what has not changed since then, and from the second time on the program itself.
func builtFrom(t *testing.T, commit string) (program, sources string) {
	t.Helper()
	// The files may belong to another user than the one who runs the tests. A git hook sets
	// variables that name another repository.
	archive := exec.Command("git", "-c", "safe.directory=*", "archive", "--format=tar", commit)
	archive.Dir = root
	archive.Env = slices.DeleteFunc(os.Environ(), func(setting string) bool { return strings.HasPrefix(setting, "GIT_") })
	files, err := archive.Output()
	if err != nil {
		text := "the repository does not have the commit " + commit + ", of which this test builds the program: git fetch --unshallow"
		if os.Getenv("CI") == "" && os.Getenv("MILAAN_TEST_REQUIRE_HISTORY") == "" {
			t.Skip("NOT TESTED: " + text)
		}
		t.Fatal(text)
	}
	today := only.Value(filepath.Abs(root))(t)
	folder, overlay := t.TempDir(), struct{ Replace map[string]string }{map[string]string{}}
	require.NoError(t, filepath.WalkDir(today, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == ".git":
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir():
			overlay.Replace[path] = "" // there is no such file, unless the commit has it
		}
		return nil
	}))
	for from := tar.NewReader(bytes.NewReader(files)); ; {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if header.Typeflag == tar.TypeReg {
			copied := filepath.Join(folder, filepath.FromSlash(header.Name))
			require.NoError(t, os.MkdirAll(filepath.Dir(copied), 0o700))
			require.NoError(t, os.WriteFile(copied, only.Value(io.ReadAll(from))(t), 0o600))
			overlay.Replace[filepath.Join(today, filepath.FromSlash(header.Name))] = copied
		}
	}
	list := only.Value(json.Marshal(overlay))(t)
	replaced := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(replaced, list, 0o600))
	program = filepath.Join(t.TempDir(), "milaan")
	require.NoError(t, link(program, "-overlay="+replaced))
	return program, folder
}
