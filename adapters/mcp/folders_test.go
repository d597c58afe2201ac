package mcp

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// opened returns the folders of a temporary folder that has a folder "named", and its path.
func opened(t *testing.T) (folders, string) {
	t.Helper()
	base := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(base, "named", "below"), 0o755))
	all := only.Value(openFolders([]string{filepath.Join(base, "named")}))(t)
	t.Cleanup(func() { _ = all[0].root.Close() })
	return all, base
}

func put(t *testing.T, text string, path ...string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(path...), []byte(text), 0o644))
}

func TestNothingOutsideIsRead(t *testing.T) {
	all, base := opened(t)
	put(t, "hush", base, "outside.csv")
	put(t, "inside", base, "named", "below", "in.csv")
	require.NoError(t, os.Mkdir(filepath.Join(base, "named", ".aws"), 0o700))
	put(t, "hush", base, "named", ".aws", "credentials")
	put(t, "hush", base, "named", ".env")
	named := filepath.Join(base, "named")
	for link, target := range map[string]string{
		"out.csv": filepath.Join(base, "outside.csv"), "up.csv": "../outside.csv", "folder": base, "zero": "/dev/zero",
		"chain": "out.csv", "good.csv": "below/in.csv", "loop": "loop", "gone": "nothing",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(named, link)))
	}
	for _, path := range []string{"below/in.csv", "good.csv", "below/../below/in.csv", filepath.Join(named, "below", "in.csv"),
		filepath.Join(named, "..", "named", "below", "in.csv")} {
		room := int64(maxTogether)
		text, _, err := all.read(path, &room)
		require.NoError(t, err, path)
		require.Equal(t, "inside", string(text))
		require.Equal(t, int64(maxTogether-len("inside")), room)
	}
	for path, why := range map[string]string{
		"":                                 "is blank",
		"../outside.csv":                   "not below the folders",
		"below/../../outside.csv":          "not below the folders",
		filepath.Join(base, "outside.csv"): "not below the folders",
		named + "/../outside.csv":          "not below the folders",
		named + "-other/in.csv":            "not below the folders",
		"/etc/passwd":                      "not below the folders",
		"/dev/zero":                        "not below the folders",
		"out.csv":                          "leads out of its folder",
		"up.csv":                           "leads out of its folder",
		"chain":                            "leads out of its folder",
		"folder/outside.csv":               "leads out of its folder",
		"zero":                             "leads out of its folder",
		"loop":                             "leads out of its folder",
		"in.csv":                           "there is no file",
		"gone":                             "there is no file",
		"below/in.csv/more":                "cannot be opened",
		"below":                            "no ordinary file",
		".env":                             "is hidden, and is not read",
		".aws/credentials":                 "is hidden, and is not read",
		"below/../.env":                    "is hidden, and is not read",
		".":                                "no ordinary file",
		"in\x00.csv":                       "cannot be opened",
	} {
		room := int64(maxTogether)
		text, _, err := all.read(path, &room)
		require.ErrorContains(t, err, why, "%q", path)
		require.Empty(t, text)
		require.NotContains(t, err.Error(), filepath.Join(base, "outside.csv"), "what is outside is not told")
		require.NotContains(t, err.Error(), "passwd")
	}
}

// TestOnlyOrdinaryFilesOfSomeSizeAreRead looks at what would never end, or take all memory.
func TestOnlyOrdinaryFilesOfSomeSizeAreRead(t *testing.T) {
	all, base := opened(t)
	pipe(t, filepath.Join(base, "named", "pipe.csv"))
	huge := filepath.Join(base, "named", "huge.csv")
	put(t, "", huge)
	require.NoError(t, os.Truncate(huge, 1<<40))
	put(t, strings.Repeat("x", 100), base, "named", "some.csv")
	for path, why := range map[string]string{"pipe.csv": "no ordinary file", "huge.csv": "more than 25 MB together"} {
		room := int64(maxTogether)
		began := time.Now()
		require.ErrorContains(t, only.Err2(all.read(path, &room)), why)
		require.Less(t, time.Since(began), 10*time.Second)
	}
	room := int64(150)
	require.NoError(t, only.Err2(all.read("some.csv", &room)))
	require.ErrorIs(t, only.Err2(all.read("some.csv", &room)), errTogether)
}

func TestFoldersThatCannotBeOpened(t *testing.T) {
	base := t.TempDir()
	put(t, "", base, "file")
	for _, path := range []string{filepath.Join(base, "nothing"), filepath.Join(base, "file")} {
		require.ErrorContains(t, only.Err(openFolders([]string{base, path})), path)
	}
}

func TestListing(t *testing.T) {
	all, base := opened(t)
	named := filepath.Join(base, "named")
	for _, name := range []string{"a.csv", "B.XLSX", "letter.docx", ".hidden.csv", "below/c.ods", "below/program"} {
		put(t, "x", named, name)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(named, ".git"), 0o755))
	put(t, "x", named, ".git", "d.csv")
	deep := filepath.Join(named, filepath.Join(strings.Split(strings.Repeat("f", mostDepth+1), "")...))
	require.NoError(t, os.MkdirAll(deep, 0o755))
	put(t, "x", deep, "deep.csv")
	require.NoError(t, os.Symlink(base, filepath.Join(named, "folder")))
	require.NoError(t, os.Symlink("a.csv", filepath.Join(named, "link.csv")))
	noon := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	for i, name := range []string{"a.csv", "B.XLSX", "below/c.ods"} {
		require.NoError(t, os.Chtimes(filepath.Join(named, name), noon, noon.Add(time.Duration(i)*time.Hour)))
	}
	files, more := only.Both(all.list(t.Context()))(t)
	require.False(t, more)
	require.Equal(t, []listed{
		{filepath.Join(named, "below", "c.ods"), 1, noon.Add(2 * time.Hour)}, {filepath.Join(named, "B.XLSX"), 1, noon.Add(time.Hour)},
		{filepath.Join(named, "a.csv"), 1, noon},
	}, files)
	for i := range mostListed {
		put(t, "x", named, "below", strings.Repeat("y", i+1)+".csv")
	}
	files, more = only.Both(all.list(t.Context()))(t)
	require.True(t, more)
	require.Len(t, files, mostListed)
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"₹500 नमस्ते \u0915\u094d\u200d\u0937": "₹500 नमस्ते \u0915\u094d\u200d\u0937", "a\u202eb": "ab", "x\U000e0041\U000e0042y": "xy",
		"z\u200bz\ufeff": "zz", "v\ufe01\U000e0100v": "vv", "\u00adp\ue000\u3164": "p",
	} {
		require.Equal(t, want, visible(text))
	}
}

func TestDrafts(t *testing.T) {
	all, base := opened(t)
	named := filepath.Join(base, "named")
	put(t, "old", named, "out", "..", "old.csv")
	put(t, "input", named, "orders.csv")
	require.NoError(t, os.Symlink("../outside.csv", filepath.Join(named, "link.csv")))
	input := only.Value(os.Stat(filepath.Join(named, "orders.csv")))(t)
	write := func(overwrite bool, folder string, names ...string) error {
		to := only.Value(all.at(folder))(t)
		d := newDocumentFiles(t.Context(), to, []os.FileInfo{input}, overwrite)
		defer d.Discard()
		for _, name := range names {
			w, err := d.begin(name)
			if err != nil {
				return all.explainWriting(to, err)
			}
			if _, err := w.Write([]byte("new " + name)); err != nil {
				return err
			}
		}
		if err := d.Publish(); err != nil {
			return all.explainWriting(to, err)
		}
		return nil
	}
	for name, why := range map[string]string{
		"old.csv": "exists, and nothing was written", "orders.csv": "is one of the files that are compared", "link.csv": "is no ordinary file",
		"below": "is no ordinary file", "../x": "cannot be called", "": "cannot be called", "new.csv": "two documents would be called",
	} {
		require.ErrorContains(t, write(false, ".", "new.csv", name), why)
	}
	require.ErrorContains(t, write(true, ".", "orders.csv"), "is one of the files that are compared")
	require.NoError(t, os.Symlink(base, filepath.Join(named, "away")))
	require.ErrorContains(t, write(true, "away", "new.csv"), "leads out of its folder")
	require.ErrorContains(t, write(true, "away/further", "new.csv"), "leads out of its folder")
	require.ErrorContains(t, write(true, "orders.csv", "new.csv"), "nothing can be written in")
	left := func() (names []string) {
		require.NoError(t, filepath.WalkDir(base, func(path string, entry os.DirEntry, err error) error {
			if entry.Type().IsRegular() {
				names = append(names, filepath.Base(path))
			}
			return err
		}))
		return names
	}
	require.Equal(t, []string{"old.csv", "orders.csv"}, left(), "nothing was written")
	require.NoError(t, write(false, "further/out", "new.csv", "other.csv"))
	require.NoError(t, write(true, ".", "old.csv"))
	require.Equal(t, []string{"new.csv", "other.csv", "old.csv", "orders.csv"}, left())
	require.Equal(t, "new old.csv", string(only.Value(os.ReadFile(filepath.Join(named, "old.csv")))(t)))
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		require.NoError(t, os.Chmod(filepath.Join(named, "below"), 0o500))
		require.ErrorContains(t, write(false, "below", "x.csv"), "may not write")
	}
}
