package sources_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// keptFiles are files in memory. Connectors only read them.
type keptFiles struct {
	ports.KeptFiles
	files    []domain.KeptFile
	contents map[string]string
	err      error
}

func (k *keptFiles) List(_ context.Context, account, connection string) (files []domain.KeptFile, err error) {
	for _, f := range k.files {
		if f.AccountID == account && f.ConnectionID == connection {
			files = append(files, f)
		}
	}
	return files, k.err
}

func (k *keptFiles) Read(_ context.Context, _, _, id string) ([]byte, error) {
	content, ok := k.contents[id]
	if !ok {
		return nil, domain.ErrNoKeptFile
	}
	return []byte(content), k.err
}

// TestUpload holds that the kept files of one source of a connection are its files, by their
// ids, and that one that was deleted meanwhile is named.
func TestUpload(t *testing.T) {
	file := func(id, name, source string, at time.Time) domain.KeptFile {
		return domain.KeptFile{ID: id, AccountID: "account", ConnectionID: "connection", SourceID: source, Name: name, Bytes: 3, At: at}
	}
	kept := &keptFiles{contents: map[string]string{"1": "abc", "2": string(zips.Of("x.csv", "zip"))}}
	kept.files = []domain.KeptFile{
		file("2", "b.zip", "source", sentAt), file("1", "a.csv", "source", since), file("3", "c.csv", "source", sentAt),
		file("4", "old.csv", "source", since.Add(-time.Second)), file("5", "other.csv", "another source", sentAt),
		{ID: "6", AccountID: "another account", ConnectionID: "connection", SourceID: "source", Name: "d.csv", At: sentAt},
	}
	with := func(p *sources.Params) { p.Kept = kept }
	open := opened(t, registry(t, with), access("upload"))
	files := only.Value(open.List(t.Context(), since))(t)
	require.Equal(t, []ports.SourceFile{
		{Name: "a.csv", Version: "1", Modified: since, Bytes: 3, Most: 3, Settled: true, Handle: "1"},
		{Name: "b.zip", Version: "2", Modified: sentAt, Bytes: 3, Most: 1<<20 + 300, Settled: true, Handle: "2"},
		{Name: "c.csv", Version: "3", Modified: sentAt, Bytes: 3, Most: 3, Settled: true, Handle: "3"},
	}, files)
	for i, want := range []string{"abc", "zip"} {
		require.Equal(t, want, string(only.Value(open.Read(t.Context(), files[i], 1000))(t)))
	}
	_, err := open.Read(t.Context(), files[2], 1000)
	require.Equal(t, "c.csv", failed(t, err, domain.ConnGone).File)
	kept.err = errors.New("the database is away")
	_, err = open.List(t.Context(), since)
	require.ErrorIs(t, err, kept.err)
	failed(t, err, domain.ConnFault)
	_, err = open.Read(t.Context(), files[0], 1000)
	failed(t, err, domain.ConnFault)
}
