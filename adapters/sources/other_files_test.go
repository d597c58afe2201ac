package sources_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/tests/fakes/zips"
)

// png begins like a picture.
const png = "\x89PNG\r\n\x1a\nIHDR"

// TestFilesThatArePlainlyNoReports holds which files are told to be none, by their bytes, and that
// every other one is read, or is an error that stops a pass.
func TestFilesThatArePlainlyNoReports(t *testing.T) {
	signed := "\x30\x82\x01\x00\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02rest"
	none := domain.ConnectorRule("")
	for _, c := range []struct {
		name, content string
		want          domain.ConnectorRule
	}{
		{"logo.png", png, domain.ConnPicture},
		{"photo", "\xff\xd8\xff\xe0..JFIF", domain.ConnPicture},
		{"scan.heic", "\x00\x00\x00\x18ftypheic", domain.ConnPicture},
		{"scan.bmp", "BM\x08\x00\x00\x00xx", domain.ConnPicture},
		{"letter.pdf", "%PDF-1.7\n", domain.ConnPDF},
		{"invite.ics", "BEGIN:VCALENDAR\r\n", domain.ConnCard},
		{"asha.vcf", "BEGIN:VCARD\r\n", domain.ConnCard},
		{"smime.p7s", signed, domain.ConnCard},
		{"read me.txt", "Dear seller,\nthis message is confidential, private and yours alone.\n", domain.ConnText},
		{"a.zip", string(zips.Of("letter.pdf", "%PDF-1.7", "pictures/logo.png", png, "__MACOSX/._logo.png", "x", "pictures/", "", "note.txt", "Hello")), domain.ConnPacked},

		{"report.csv", png, none}, // it is called like a report
		{"report.xlsx", "%PDF-1.7\n", none},
		{"smime.p7m", signed, none}, // may hold a mail with a report
		{"BM.txt", "BM,1,2\n", none},
		{"report.txt", "AWB No\tCOD Amount\n1\t2\n", none},
		{"report.txt", "AWB No      Paid\n149001      500.00\n", none},
		{"list.txt", "149001 paid\n", none},
		{"odd.txt", "a,1,2\n", none},
		{"empty.txt", "", none},
		{"odd.bin", "\x00\x01\x02", none},
		{"b.zip", string(zips.Of("letter.pdf", "%PDF-1.7", "report.csv", "AWB\n")), none},
		{"c.zip", string(zips.Of("letter.pdf", "%PDF-1.7", "inner.zip", "PK\x03\x04")), domain.ConnArchive},
		{"d.zip", string(zips.Of("letter.pdf", "%PDF-1.7", "odd.bin", "\x00")), domain.ConnArchive},
		{"e.zip", string(zips.Of("letter.pdf", "AWB,COD Amount\n")), domain.ConnArchive},
		{"f.zip", string(zips.Of()), domain.ConnArchive},
		{"g.zip", string(zips.Of("a.csv", "AWB\n", "b.csv", "AWB\n")), domain.ConnArchive},
	} {
		root := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(root, "account"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, "account", c.name), []byte(c.content), 0o600))
		open := opened(t, registry(t, func(p *sources.Params) { p.Settings.Folder = root }), access("folder", map[string]string{"folder": "."}))
		files, err := open.List(t.Context(), since)
		require.NoError(t, err)
		require.Len(t, files, 1)
		content, err := open.Read(t.Context(), files[0], 1<<20)
		if c.want == none {
			require.NoError(t, err, "%s: %q", c.name, c.content)
			continue
		}
		require.Nil(t, content)
		require.Equal(t, c.name, failed(t, err, c.want).File)
		require.Equal(t, c.want != domain.ConnArchive, c.want.IsLeftOut())
	}
}
