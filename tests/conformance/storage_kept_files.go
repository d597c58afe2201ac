package conformance

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func aFile(c domain.Connection, name string, content string) domain.KeptFile {
	return domain.KeptFile{ID: "file-" + c.ID + name + content, AccountID: c.AccountID, ConnectionID: c.ID, SourceID: "source-2", Name: name, Bytes: int64(len(content)), At: noon}
}

func keeping(t *testing.T, s Storage, c domain.Connection, name, content string) domain.KeptFile {
	t.Helper()
	f := aFile(c, name, content)
	require.NoError(t, s.KeptFiles.Add(t.Context(), f, []byte(content)))
	return f
}

func storedOf[T any](t *testing.T, list func(context.Context, string, string) ([]T, error), c domain.Connection) []T {
	t.Helper()
	return only.Value(list(t.Context(), c.AccountID, c.ID))(t)
}

var _ = promises.add("a kept file comes back as it was stored", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "keeping"), created(t, one, "neighbour")
	c, second := connected(t, one, account, "one"), connected(t, one, account, "two")
	first := keeping(t, one, c, PlainText+".csv", PlainText)
	later := aFile(c, "later.csv", "b")
	later.At = noon.Add(time.Second)
	require.NoError(t, one.KeptFiles.Add(ctx, later, []byte("b")))
	require.Equal(t, []domain.KeptFile{later, first}, storedOf(t, other.KeptFiles.List, c), "latest first")
	require.Empty(t, storedOf(t, other.KeptFiles.List, second))
	require.Equal(t, PlainText, string(only.Value(other.KeptFiles.Read(ctx, account.ID, c.ID, first.ID))(t)))

	for _, missing := range [][3]string{{account.ID, c.ID, "unknown"}, {account.ID, second.ID, first.ID}, {neighbour.ID, c.ID, first.ID}} {
		require.ErrorIs(t, only.Err(other.KeptFiles.Read(ctx, missing[0], missing[1], missing[2])), domain.ErrNoKeptFile)
		require.ErrorIs(t, other.KeptFiles.Remove(ctx, missing[0], missing[1], missing[2]), domain.ErrNoKeptFile)
	}
	foreign := first
	foreign.AccountID, foreign.ID = neighbour.ID, "foreign"
	require.ErrorIs(t, one.KeptFiles.Add(ctx, foreign, nil), domain.ErrNoConnection)
	require.Empty(t, only.Value(one.KeptFiles.List(ctx, neighbour.ID, c.ID))(t))

	replacing := keeping(t, other, c, first.Name, "other content")
	require.Equal(t, []domain.KeptFile{later, replacing}, storedOf(t, one.KeptFiles.List, c), "the same name again")
	require.ErrorIs(t, only.Err(one.KeptFiles.Read(ctx, account.ID, c.ID, first.ID)), domain.ErrNoKeptFile)
	ofAnother := aFile(c, first.Name, "of another source")
	ofAnother.SourceID = "source-3"
	require.NoError(t, one.KeptFiles.Add(ctx, ofAnother, []byte("of another source")))
	require.Len(t, storedOf(t, one.KeptFiles.List, c), 3)

	require.NoError(t, one.KeptFiles.Remove(ctx, account.ID, c.ID, later.ID))
	require.ErrorIs(t, one.KeptFiles.Remove(ctx, account.ID, c.ID, later.ID), domain.ErrNoKeptFile)
	require.Len(t, storedOf(t, other.KeptFiles.List, c), 2)
})

// The limit of bytes is exact, however many add at the same time, and what is replaced does
// not count. One file is as large as a file may be. The others are only said to be large,
// because a database needs seconds to write what fills the limit.
var _ = promises.add("the limit of kept bytes is exact", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	c, neighbour := connected(t, one, created(t, one, "bytes"), ""), connected(t, one, created(t, one, "neighbour"), "")
	large := bytes.Repeat([]byte("x"), domain.MaxKeptFile)
	add := func(s Storage, c domain.Connection, name, id string, content []byte) error {
		f := aFile(c, name, "")
		f.ID, f.Bytes = id, int64(len(content))
		return s.KeptFiles.Add(ctx, f, content)
	}
	addAsIf := func(name string, size int64) {
		require.NoError(t, add(one, c, name, name, []byte("x")))
		one.SetKeptBytes(t, name, size)
	}
	addAsIf("a", domain.MaxKeptFile)
	addAsIf("b", domain.MaxKeptFile)
	left := int64(domain.MaxKeptBytes - 2*domain.MaxKeptFile)
	require.ErrorIs(t, add(one, c, "c", "c", large[:left+1]), domain.ErrKeptFiles)
	require.NoError(t, add(one, c, "b", "b-again", large), "it takes the place of another")
	const parts, part = 10, 1000
	addAsIf("c", left-parts*part)
	kept := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		return add(s, c, fmt.Sprint(i), fmt.Sprint("part-", i), large[:part])
	}), domain.ErrKeptFiles)
	require.Len(t, kept, parts)
	require.NoError(t, add(one, neighbour, "a", "neighbours", large[:part]))
	require.True(t, bytes.Equal(large, only.Value(other.KeptFiles.Read(ctx, c.AccountID, c.ID, "b-again"))(t)))
})

var _ = promises.add("the limit of kept files is exact", func(t *testing.T, one, other Storage) {
	c := connected(t, one, created(t, one, "files"), "")
	const before = domain.MaxKeptFiles - 10
	for i := range before {
		keeping(t, one, c, fmt.Sprint("before-", i), "x")
	}
	kept := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		return s.KeptFiles.Add(t.Context(), aFile(c, fmt.Sprint(i), "x"), []byte("x"))
	}), domain.ErrKeptFiles)
	require.Len(t, kept, domain.MaxKeptFiles-before)
	require.Len(t, storedOf(t, one.KeptFiles.List, c), domain.MaxKeptFiles)
})

var _ = promises.add("old kept files are swept away", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	c := connected(t, one, created(t, one, "sweeping"), "")
	const files = 45 // more than are deleted at once
	for i := range files {
		f := aFile(c, fmt.Sprint(i), "x")
		f.At = noon.Add(time.Duration(i) * time.Second)
		require.NoError(t, one.KeptFiles.Add(ctx, f, []byte("x")))
	}
	require.NoError(t, other.Sweep(ctx, ports.Expiry{}), "a zero time deletes nothing")
	require.Len(t, storedOf(t, one.KeptFiles.List, c), files)
	require.NoError(t, other.Sweep(ctx, ports.Expiry{KeptFiles: noon.Add((files - 2) * time.Second)}))
	require.Len(t, storedOf(t, one.KeptFiles.List, c), 2)
	require.NoError(t, other.Sweep(ctx, ports.Expiry{KeptFiles: noon.Add(time.Hour)}))
	require.Empty(t, storedOf(t, one.KeptFiles.List, c))
})

// A file that cannot be opened any more is absent, and gives way to others.
var _ = promises.add("a kept file of a lost secret is none", func(t *testing.T, one, _ Storage) {
	ctx := t.Context()
	lost := one.LostSecret(t)
	c := connected(t, one, created(t, one, "lost"), "")
	gone := keeping(t, one, c, "a.csv", "a")
	require.Empty(t, storedOf(t, lost.KeptFiles.List, c))
	require.ErrorIs(t, only.Err(lost.KeptFiles.Read(ctx, c.AccountID, c.ID, gone.ID)), domain.ErrNoKeptFile)
	afresh := keeping(t, lost, c, "b.csv", "b")
	require.Equal(t, []domain.KeptFile{afresh}, storedOf(t, lost.KeptFiles.List, c))
	require.ErrorIs(t, only.Err(one.KeptFiles.Read(ctx, c.AccountID, c.ID, gone.ID)), domain.ErrNoKeptFile, "it was deleted")
})
