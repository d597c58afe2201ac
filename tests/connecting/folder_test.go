package connecting_test

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
)

// operators makes the operator's folder with the folders of two accounts.
func operators(t *testing.T) (root string, r *sources.Registry) {
	root = t.TempDir()
	for _, folder := range []string{account + "/reports/deeper", "another/reports"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	write(t, root, "another/reports/secret.csv")
	write(t, root, "outside.csv")
	return root, registry(func(p *sources.Params) { p.Settings.Folder = root })
}

func write(t *testing.T, path ...string) {
	require.NoError(t, os.WriteFile(filepath.Join(path...), []byte("x"), 0o644))
}

func link(t *testing.T, target string, path ...string) {
	require.NoError(t, os.Symlink(target, filepath.Join(path...)))
}

// Without the operator's folder there is no such connector.
func TestFolderIsTheOperatorsChoice(t *testing.T) {
	ids := func(r *sources.Registry) (ids []domain.Connector) {
		for _, c := range r.Catalogue() {
			ids = append(ids, c.ID)
		}
		require.True(t, slices.IsSorted(ids))
		return ids
	}
	_, with := operators(t)
	require.Contains(t, ids(with), domain.Connector("folder"))
	without := registry()
	require.NotContains(t, ids(without), domain.Connector("folder"))
	source := domain.ReportSource{Connector: "folder", Settings: domain.Settings{"folder": "reports"}}
	require.Empty(t, with.Check(t.Context(), source))
	faults := without.Check(t.Context(), source)
	require.Len(t, faults, 1)
	require.Equal(t, domain.FieldConnector, faults[0].Field)
	require.Equal(t, domain.RuleOneOf, faults[0].Rule)
	_, err := open(t.Context(), without, "folder", source.Settings)
	require.Equal(t, domain.ConnNotAllowed, failure(t, err).Rule)
}

// An account sees its own files and no others.
func TestFolderIsTheAccountsAlone(t *testing.T) {
	root, r := operators(t)
	own := filepath.Join(root, account, "reports")
	write(t, own, "a.csv")
	write(t, own, "deeper/b.csv")
	link(t, "deeper/b.csv", own, "within.csv")
	link(t, "../../another/reports/secret.csv", own, "stolen.csv")
	link(t, filepath.Join(root, "outside.csv"), own, "absolute.csv")
	link(t, "nowhere.csv", own, "lost.csv")
	link(t, "deeper", own, "folder.csv")
	require.NoError(t, syscall.Mkfifo(filepath.Join(own, "pipe.csv"), 0o644))
	reports := domain.Settings{"folder": "reports"}
	require.Equal(t, []string{"a.csv", "within.csv"}, list(t, r, "folder", reports))
	require.Equal(t, []string{"a.csv", "within.csv"}, list(t, r, "folder", domain.Settings{"folder": "./reports/deeper/.."}))
	require.Empty(t, list(t, r, "folder", domain.Settings{"folder": "."}))

	link(t, "../another", root, account, "other")
	link(t, "/etc", root, account, "etc")
	for _, folder := range []string{"../another/reports", "/etc", "reports/../../another", "", "a\x00b"} {
		require.NotEmpty(t, r.Check(t.Context(), domain.ReportSource{Connector: "folder", Settings: domain.Settings{"folder": folder}}), folder)
		_, err := open(t.Context(), r, "folder", domain.Settings{"folder": folder})
		require.Equal(t, domain.ConnRefused, failure(t, err).Rule, folder)
	}
	faults := r.Check(t.Context(), domain.ReportSource{Connector: "folder", Settings: domain.Settings{"folder": "/etc"}})
	require.Equal(t, domain.RuleLocal, faults[0].Rule)
	for _, folder := range []string{"other", "other/reports", "etc", "reports/a.csv", "reports/pipe.csv", "Reports"} {
		_, err := open(t.Context(), r, "folder", domain.Settings{"folder": folder})
		require.Equal(t, domain.ConnNoFolder, failure(t, err).Rule, folder)
	}
	link(t, "another", root, "linked")
	for _, id := range []string{"", ".", "..", "another/reports", "../" + filepath.Base(root) + "/another", "unknown"} {
		_, err := r.Open(t.Context(), ports.SourceAccess{AccountID: id, Source: domain.ReportSource{Connector: "folder", Settings: reports}})
		require.Equal(t, domain.ConnNoFolder, failure(t, err).Rule, id)
	}
}

// A listed file that is replaced by something else is neither read nor waited for.
func TestFolderReadsFilesAlone(t *testing.T) {
	root, r := operators(t)
	file := filepath.Join(root, account, "reports", "a.csv")
	for name, replace := range map[string]func(){
		"a pipe":           func() { require.NoError(t, syscall.Mkfifo(file, 0o644)) },
		"a folder":         func() { require.NoError(t, os.Mkdir(file, 0o755)) },
		"a link out of it": func() { link(t, "../../outside.csv", file) },
		"nothing":          func() {},
	} {
		write(t, file)
		opened, err := open(t.Context(), r, "folder", domain.Settings{"folder": "reports"})
		require.NoError(t, err)
		files, err := opened.List(t.Context(), time.Time{})
		require.NoError(t, err)
		require.Len(t, files, 1)
		require.NoError(t, os.Remove(file))
		replace()
		_, err = opened.Read(t.Context(), files[0], 10)
		require.Equal(t, domain.ConnGone, failure(t, err).Rule, name)
		require.NotContains(t, err.Error(), root)
		require.NoError(t, opened.Close())
		require.NoError(t, os.RemoveAll(file))
	}
}
