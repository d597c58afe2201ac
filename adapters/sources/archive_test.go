package sources

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/zips"
)

// TestUnpack holds that the only report of an archive is read, and that everything else is
// an error of the archive.
func TestUnpack(t *testing.T) {
	const report = "AWB,Amount\n1,2\n"
	encrypted := zips.Of("a.csv", report)
	encrypted[6] |= 1
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	damaged := zips.Of("a.csv", report)
	damaged[len("PK\x03\x04")+26+len("a.csv")+2] ^= 0xff
	many := make([]string, 0, 2*(mostEntries+1))
	for range mostEntries + 1 {
		many = append(many, "x.pdf", "")
	}
	for name, c := range map[string]struct {
		content []byte
		limit   int64
		cause   error
	}{
		"one report":                {zips.Of("a.csv", report), 100, nil},
		"in a folder":               {zips.Of("June/", "", "June/a.CSV", report), 100, nil},
		"beside what is no report":  {zips.Of("read me.txt", "x", "a.csv", report, "__MACOSX/._a.csv", "x", "__MACOSX/a.csv", "x", "._a.csv", "y"), 100, nil},
		"exactly as long as it may": {zips.Of("a.csv", report), int64(len(report)), nil},
		"a byte too long":           {zips.Of("a.csv", report), int64(len(report)) - 1, errArchiveLarge},
		"two reports":               {zips.Of("a.csv", report, "b.xlsx", report), 100, errArchiveReports},
		"no report":                 {zips.Of("a.pdf", report), 100, errArchiveReports},
		"an archive in it":          {zips.Of("a.zip", string(zips.Of("a.csv", report))), 100, errArchiveReports},
		"nothing":                   {zips.Of(), 100, errArchiveReports},
		"not an archive":            {[]byte(report), 100, errArchiveForm},
		"cut":                       {zips.Of("a.csv", report)[:60], 100, errArchiveForm},
		"encrypted":                 {encrypted, 100, errArchiveEncrypted},
		"damaged":                   {damaged, 100, errArchiveForm},
		"too many entries":          {zips.Of(many...), 100, errArchiveEntries},
		"a bomb":                    {zips.Of("a.csv", strings.Repeat("0", 8<<20)), 64 << 20, errArchiveLarge},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := unpack("Mail.zip", c.content, c.limit)
			if c.cause == nil {
				require.NoError(t, err)
				require.Equal(t, report, string(got))
				return
			}
			var failure *domain.ConnectorError
			require.ErrorAs(t, err, &failure)
			require.Equal(t, domain.ConnArchive, failure.Rule)
			require.Equal(t, "Mail.zip", failure.File)
			require.ErrorIs(t, err, c.cause)
		})
	}
}

// FuzzUnpack holds that no archive makes unpack panic or return more than it may.
func FuzzUnpack(f *testing.F) {
	f.Add(zips.Of("a.csv", "AWB,Amount\n1,2\n"))
	f.Add(zips.Of("a.csv", strings.Repeat("0", 1<<16), "b.zip", "PK"))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, content []byte) {
		const limit = 1 << 12
		got, err := unpack("a.zip", content, limit)
		if len(got) > limit {
			t.Fatalf("%d bytes", len(got))
		}
		var failure *domain.ConnectorError
		if err != nil && !errors.As(err, &failure) {
			t.Fatal(err)
		}
	})
}
