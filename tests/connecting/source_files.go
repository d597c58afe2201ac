package connecting

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// limit is more than any file of the suite has.
const limit = 1 << 20

var _ = sourceCases.add("the bytes are those of the disk", func(t *testing.T, w *world) {
	large := make([]byte, 300_000)
	noise := rand.NewChaCha8([32]byte{})
	_, _ = noise.Read(large)
	disk := map[string][]byte{
		"delhivery.csv":       []byte("waybill,amount\n1,2\n"),
		"a report (1) ₹.csv":  []byte("waybill,amount\n"),
		"workbook.XLSX":       large,
		"2026-11-20 #7%&.csv": {0xff, 0xfe, 0, '\r', '\n'},
	}
	expected := map[string][]byte{}
	for name, content := range disk {
		w.Put(name, content, now)
		expected[w.listed(name)] = content
	}
	opened := w.mustOpen()
	files := w.mustList(opened, now.Add(-time.Hour))
	require.Len(t, files, len(disk))
	require.True(t, slices.IsSorted(names(files)))
	// In any order, and more than once.
	slices.Reverse(files)
	for _, f := range slices.Concat(files, files[:1]) {
		content, err := opened.Read(t.Context(), f, limit)
		require.NoError(t, err, f.Name)
		require.True(t, bytes.Equal(expected[f.Name], content), f.Name)
		require.Contains(t, []int64{0, int64(len(content))}, f.Bytes)
		require.Equal(t, w.Settled, f.Settled)
		require.NotEmpty(t, f.Version)
		require.WithinDuration(t, now, f.Modified, 24*time.Hour)
	}
})

var _ = sourceCases.add("a pattern chooses files, letter case aside", func(t *testing.T, w *world) {
	for _, name := range []string{"COD_1.CSV", "cod_2.csv", "invoice.csv", "cod.xls", ".cod_3.csv"} {
		w.Put(name, []byte("x"), now)
	}
	for pattern, expected := range map[string][]string{
		"":             {"COD_1.CSV", "cod.xls", "cod_2.csv", "invoice.csv"},
		"Cod_*.csv":    {"COD_1.CSV", "cod_2.csv"},
		"cod_[0-1].*":  {"COD_1.CSV"},
		".cod*":        {".cod_3.csv"},
		"nothing*.csv": nil,
	} {
		for i, name := range expected {
			expected[i] = w.listed(name)
		}
		slices.Sort(expected)
		w.Source.Pattern = pattern
		require.Empty(t, w.registry().Check(t.Context(), w.Source))
		opened := w.mustOpen()
		require.Equal(t, expected, names(w.mustList(opened, now.Add(-time.Hour))), pattern)
	}
	for _, pattern := range []string{"[", "a\\", strings.Repeat("a", 501), "a\n", "\xff"} {
		w.Source.Pattern = pattern
		require.Equal(t, domain.Faults{{Field: domain.FieldPattern, Rule: domain.RulePattern}}, w.registry().Check(t.Context(), w.Source), pattern)
	}
})

var _ = sourceCases.add("old files are left out", func(t *testing.T, w *world) {
	w.Put("old.csv", []byte("x"), now.Add(-72*time.Hour))
	w.Put("new.csv", []byte("x"), now)
	opened := w.mustOpen()
	require.Equal(t, []string{w.listed("new.csv")}, names(w.mustList(opened, now.Add(-24*time.Hour))))
	require.Len(t, w.mustList(opened, now.Add(-100*time.Hour)), 2)
	require.Empty(t, w.mustList(opened, now.Add(72*time.Hour)))
})

var _ = sourceCases.add("a version changes with the content alone", func(t *testing.T, w *world) {
	w.Put("a.csv", []byte("one"), now.Add(-time.Minute))
	w.Put("b.csv", []byte("one"), now.Add(-time.Minute))
	look := func() (versions []string) {
		for _, f := range w.mustList(w.mustOpen(), w.recent()) {
			versions = append(versions, f.Version)
		}
		require.Len(t, versions, 2)
		return versions
	}
	first := look()
	require.Equal(t, first, look())
	w.Put("b.csv", []byte("two"), now)
	second := look()
	require.Equal(t, first[0], second[0])
	require.NotEqual(t, first[1], second[1])
	require.Equal(t, second, look())
})

var _ = sourceCases.add("a long file is refused", func(t *testing.T, w *world) {
	content := bytes.Repeat([]byte("a"), 100_000)
	w.Put("a.csv", content, now)
	opened := w.mustOpen()
	file := w.mustList(opened, longAgo)[0]
	for _, bytes := range []int64{file.Bytes, 0} { // as if the length were not known
		file.Bytes = bytes
		_, err := opened.Read(t.Context(), file, int64(len(content))-1)
		if bytes == 0 {
			w.fails(err, domain.ConnManyBytes, domain.ConnGrowing)
			continue
		}
		e := w.fails(err, domain.ConnManyBytes)
		require.EqualValues(t, len(content)-1, e.Limit)
		require.Equal(t, w.listed("a.csv"), e.File)
	}
	opened = w.mustOpen()
	got, err := opened.Read(t.Context(), w.mustList(opened, longAgo)[0], int64(len(content)))
	require.NoError(t, err)
	require.Len(t, got, len(content))
})

var _ = sourceCases.add("a long list is refused", func(t *testing.T, w *world) {
	w.limits.Names = 7
	for i := range 7 {
		w.Put(fmt.Sprintf("%d.csv", i), []byte{'a' + byte(i)}, now)
	}
	require.Len(t, w.mustList(w.mustOpen(), longAgo), 7)
	w.Put("8.csv", []byte("more"), now)
	_, err := w.mustOpen().List(t.Context(), longAgo)
	require.EqualValues(t, 7, w.fails(err, domain.ConnManyFiles).Limit)
})

var _ = sourceCases.add("a file that vanishes is gone", func(t *testing.T, w *world) {
	w.Put("a.csv", []byte("a"), now)
	w.Put("b.csv", []byte("b"), now)
	opened := w.mustOpen()
	files := w.mustList(opened, longAgo)
	w.Remove("b.csv")
	_, err := opened.Read(t.Context(), files[1], limit)
	require.Equal(t, w.listed("b.csv"), w.fails(err, domain.ConnGone).File)
	content, err := opened.Read(t.Context(), files[0], limit)
	require.NoError(t, err, "the source is still open")
	require.Equal(t, "a", string(content))
	require.Len(t, w.mustList(opened, longAgo), 1)
})

var _ = sourceCases.add("a file that changes after the list is not read", func(t *testing.T, w *world) {
	w.Put("a.csv", []byte("one"), now.Add(-time.Minute))
	opened := w.mustOpen()
	files := w.mustList(opened, longAgo)
	for _, other := range []string{"one and more", "two"} {
		w.Put("a.csv", []byte(other), now)
		_, err := opened.Read(t.Context(), files[0], limit)
		require.Equal(t, w.listed("a.csv"), w.fails(err, domain.ConnGrowing).File)
	}
})
