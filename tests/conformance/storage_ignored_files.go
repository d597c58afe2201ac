package conformance

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

func anIgnored(c domain.Connection, name string) domain.IgnoredFile {
	return domain.IgnoredFile{ID: fmt.Sprintf("ignored-%s-%x", c.ID, name), AccountID: c.AccountID, ConnectionID: c.ID, SourceID: "source-2", Name: name, Version: "of " + name,
		Modified: noon.Add(-time.Hour), Sum: inputHashOf(name), At: noon}
}

func ignoring(t *testing.T, s Storage, c domain.Connection, name string) domain.IgnoredFile {
	t.Helper()
	f := anIgnored(c, name)
	require.NoError(t, s.ignore(t, f, domain.SecurityEvent{}))
	return f
}

func (s Storage) ignore(t *testing.T, f domain.IgnoredFile, event domain.SecurityEvent) error {
	t.Helper()
	_, err := s.Ignored.Add(t.Context(), f, event)
	return err
}

var _ = promises.add("an ignored file comes back as it was stored", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "ignoring"), created(t, one, "neighbour")
	c, second := connected(t, one, account, "one"), connected(t, one, account, "two")
	first, later := anIgnored(c, PlainText+".csv"), anIgnored(c, "later.csv")
	later.At, later.Sum = noon.Add(time.Second), [32]byte{}
	require.NoError(t, one.ignore(t, first, anEvent("ignored", noon, domain.SecurityFileIgnored)))
	require.NoError(t, other.ignore(t, later, domain.SecurityEvent{}))
	require.Equal(t, []domain.IgnoredFile{later, first}, storedOf(t, other.Ignored.List, c), "latest first")
	require.Empty(t, storedOf(t, other.Ignored.List, second))
	require.Empty(t, one.Rows(t, PlainText), "names are sealed")
	require.Equal(t, []string{"ignored"}, eventIDs(t, one, account))

	for _, missing := range [][3]string{{account.ID, c.ID, "unknown"}, {account.ID, second.ID, first.ID}, {neighbour.ID, c.ID, first.ID}} {
		event := anEvent("none", noon, domain.SecurityFileTaken)
		require.ErrorIs(t, other.Ignored.Remove(ctx, missing[0], missing[1], missing[2], event), domain.ErrNoIgnored)
	}
	foreign := first
	foreign.AccountID, foreign.ID = neighbour.ID, "foreign"
	require.ErrorIs(t, one.ignore(t, foreign, domain.SecurityEvent{}), domain.ErrNoConnection)
	require.Empty(t, only.Value(one.Ignored.List(ctx, neighbour.ID, c.ID))(t))

	require.NoError(t, other.Ignored.Remove(ctx, account.ID, c.ID, first.ID, anEvent("taken", noon.Add(time.Second), domain.SecurityFileTaken)))
	require.Equal(t, []domain.IgnoredFile{later}, storedOf(t, one.Ignored.List, c))
	require.Equal(t, []string{"taken", "ignored"}, eventIDs(t, one, account))
})

var _ = promises.add("the limit of ignored files is exact", func(t *testing.T, one, other Storage) {
	c := connected(t, one, created(t, one, "files"), "")
	const before = domain.MaxIgnoredFiles - 10
	for i := range before {
		ignoring(t, one, c, fmt.Sprint("before-", i))
	}
	added := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		return s.ignore(t, anIgnored(c, fmt.Sprint(i)), domain.SecurityEvent{})
	}), domain.ErrIgnored)
	require.Len(t, added, domain.MaxIgnoredFiles-before)
	require.Len(t, storedOf(t, one.Ignored.List, c), domain.MaxIgnoredFiles)
})

// People who ignore a file at the same time ignore it once, so that one of them can take it back, and
// nothing stands for a second file that is the same.
var _ = promises.add("a file is ignored once", func(t *testing.T, one, other Storage) {
	account := created(t, one, "once")
	c := connected(t, one, account, "")
	add := func(s Storage, i int) (domain.IgnoredFile, error) {
		f := anIgnored(c, "a.csv")
		f.ID = fmt.Sprint("again-", i)
		return s.Ignored.Add(t.Context(), f, anEvent(f.ID, noon, domain.SecurityFileIgnored))
	}
	requireInParallel(t, one, other, func(s Storage, i int) error {
		_, err := add(s, i)
		return err
	})
	all := storedOf(t, other.Ignored.List, c)
	require.Len(t, all, 1)
	require.Equal(t, []string{all[0].ID}, eventIDs(t, one, account))
	require.Equal(t, all[0], only.Value(add(other, many))(t))
	elsewhere := anIgnored(c, "a.csv")
	elsewhere.ID, elsewhere.SourceID = "elsewhere", "source-1"
	require.NoError(t, one.ignore(t, elsewhere, domain.SecurityEvent{}))
	require.Len(t, storedOf(t, one.Ignored.List, c), 2)
})

var _ = promises.add("an ignored file of a lost secret is none", func(t *testing.T, one, _ Storage) {
	lost := one.LostSecret(t)
	c := connected(t, one, created(t, one, "lost"), "")
	ignoring(t, one, c, "a.csv")
	require.Empty(t, storedOf(t, lost.Ignored.List, c))
	afresh := ignoring(t, lost, c, "b.csv")
	require.Equal(t, []domain.IgnoredFile{afresh}, storedOf(t, lost.Ignored.List, c))
})
