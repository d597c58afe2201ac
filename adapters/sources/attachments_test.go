package sources

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-imap/v2"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// one is a part of a mail with the parameters of its disposition, as pairs.
func one(mediaType string, disposition ...string) *imap.BodyStructureSinglePart {
	kind, sub, _ := strings.Cut(mediaType, "/")
	p := &imap.BodyStructureSinglePart{Type: kind, Subtype: sub, Encoding: "base64", Size: 4}
	if len(disposition) > 0 {
		params := map[string]string{}
		for i := 0; i < len(disposition); i += 2 {
			params[disposition[i]] = disposition[i+1]
		}
		p.Extended = &imap.BodyStructureSinglePartExt{Disposition: &imap.BodyStructureDisposition{Value: "attachment", Params: params}}
	}
	return p
}

func several(parts ...imap.BodyStructure) *imap.BodyStructureMultiPart {
	return &imap.BodyStructureMultiPart{Children: parts, Subtype: "mixed"}
}

func forwarded(mail imap.BodyStructure) *imap.BodyStructureSinglePart {
	p := one("message/rfc822")
	p.MessageRFC822 = &imap.BodyStructureMessageRFC822{BodyStructure: mail}
	return p
}

// TestAttachmentsOf holds which parts of a mail are reports, and how IMAP counts them.
func TestAttachmentsOf(t *testing.T) {
	text := one("text/plain")
	csv := one("text/csv", "filename", "a.csv")
	deep := imap.BodyStructure(csv)
	for range 40 {
		deep = several(deep)
	}
	wide := several()
	for range mostParts {
		wide.Children = append(wide.Children, text)
	}
	for name, c := range map[string]struct {
		mail imap.BodyStructure
		want []string // part and name
	}{
		"nothing but a report":        {csv, []string{"1 a.csv"}},
		"a text":                      {text, nil},
		"beside the text":             {several(several(text, text), csv, one("image/png", "filename", "logo.png"), one("application/zip", "filename", "B.ZIP")), []string{"2 a.csv", "4 B.ZIP"}},
		"a forwarded mail":            {several(text, forwarded(several(text, csv))), []string{"2.2 a.csv"}},
		"a forwarded report":          {several(text, forwarded(csv)), []string{"2.1 a.csv"}},
		"forwarded twice":             {several(text, forwarded(several(text, forwarded(several(text, csv))))), []string{"2.2.2 a.csv"}},
		"forwarded as the mail":       {forwarded(several(text, csv)), []string{"1.2 a.csv"}},
		"in many levels":              {deep, []string{strings.TrimSuffix(strings.Repeat("1.", 40), ".") + " a.csv"}},
		"a name in the type":          {&imap.BodyStructureSinglePart{Type: "application", Subtype: "octet-stream", Params: map[string]string{"name": "b.xlsx"}}, []string{"1 b.xlsx"}},
		"no name":                     {one("text/csv"), []string{"1 attachment.csv"}},
		"a name without an extension": {one("application/vnd.ms-excel", "filename", "Remittance 20.11.2026"), []string{"1 Remittance 20.11.2026.xls"}},
		"another extension":           {one("application/vnd.ms-excel", "filename", "invoice.pdf"), nil},
		"too many parts":              {wide, []string{"error"}},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := attachmentsOf(c.mail)
			if err != nil {
				require.Equal(t, c.want, []string{"error"})
				require.ErrorIs(t, err, errParts)
				return
			}
			var got []string
			for _, a := range found {
				got = append(got, dotted(a.part)+" "+a.name)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestNames holds that names are decoded as the standards and the mailers have them, and are
// safe to be shown.
func TestNames(t *testing.T) {
	long := strings.Repeat("₹", 100) + ".csv"
	for name, c := range map[string]struct {
		params map[string]string
		want   string
	}{
		"plain":                             {map[string]string{"filename": "a b.csv"}, "a b.csv"},
		"RFC 2231":                          {map[string]string{"filename*": "UTF-8''%E2%82%B9%20June.csv", "filename": "x.csv"}, "₹ June.csv"},
		"RFC 2231 of another charset":       {map[string]string{"filename*": "iso-8859-1'en'caf%E9.csv"}, "café.csv"},
		"RFC 2231 of a charset of nobody's": {map[string]string{"filename*": "x-none''a.csv"}, "a.csv"},
		"RFC 2231 in pieces":                {map[string]string{"filename*0*": "UTF-8''%E2%82%B9", "filename*1": " 100%", "filename*2*": "%20x.csv"}, "₹ 100% x.csv"},
		"RFC 2231 in pieces, plain":         {map[string]string{"filename*0": "Ju", "filename*1": "ne.csv"}, "June.csv"},
		"a broken escape":                   {map[string]string{"filename*": "UTF-8''100%.csv"}, "100%.csv"},
		"no charset":                        {map[string]string{"filename*": "a%20b.csv"}, "a b.csv"},
		"folders":                           {map[string]string{"filename": `C:\My\..\a.csv`}, "a.csv"},
		"a path":                            {map[string]string{"filename": "../../etc/a.csv"}, "a.csv"},
		"what cannot be seen":               {map[string]string{"filename": "a\u202evsc.\x00b\u200b\r\n.csv"}, "avsc.b  .csv"},
		"no text":                           {map[string]string{"filename": "a\xff.csv"}, "a\uFFFD.csv"},
		"too long":                          {map[string]string{"filename": long}, strings.Repeat("₹", 65) + ".csv"},
	} {
		t.Run(name, func(t *testing.T) {
			p := one("application/octet-stream", "x", "y")
			p.Extended.Disposition.Params = c.params
			got := attachedName(p)
			require.Equal(t, c.want, got)
			require.True(t, utf8.ValidString(got))
			require.LessOrEqual(t, len(got), domain.MaxFileName)
		})
	}
	for encoded, want := range map[string]string{
		"=?x-none?Q?a=2Ecsv?=":              "a.csv",
		"=?UTF-8?B?4oK5IEp1bmUuY3N2?=":      "₹ June.csv",
		"=?ISO-8859-1?Q?caf=E9.csv?=":       "café.csv",
		"=?iso-8859-15?Q?5=A4.csv?=":        "5€.csv",
		"=?Windows-1252?Q?=93June=94.csv?=": "“June”.csv",
		"=?koi8-r?Q?=D4.csv?=":              "т.csv",
		"=?GB2312?B?wfkuY3N2?=":             "\xc1\xf9.csv",
	} {
		require.Equal(t, want, only.Value(words.DecodeHeader(encoded))(t))
	}
}

// TestDistinct holds that attachments with the same name get the day of their mail.
func TestDistinct(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 11, day, 20, 0, 0, 0, time.UTC) } // the next day in India
	long := strings.Repeat("a", domain.MaxFileName-len(".csv")) + ".csv"
	var got []string
	for _, f := range distinct([]ports.SourceFile{
		{Name: "b.csv", Modified: at(2)}, {Name: "a.csv", Modified: at(3)}, {Name: "A.csv", Modified: at(1)}, {Name: "a.csv", Modified: at(3), Version: "2"},
		{Name: "a (2026-11-02).csv", Modified: at(9)}, {Name: long, Modified: at(4)}, {Name: long, Modified: at(5)},
	}) {
		require.LessOrEqual(t, len(f.Name), domain.MaxFileName)
		got = append(got, f.Name)
	}
	cut := long[:domain.MaxFileName-len(" (2026-11-05).csv")]
	require.Equal(t, []string{
		"A (2026-11-02, 2).csv", "b.csv", "a (2026-11-04).csv", "a (2026-11-04, 2).csv", cut + " (2026-11-05).csv", cut + " (2026-11-06).csv", "a (2026-11-02).csv",
	}, got)
}

// TestManyOfOneNameAreTold holds that each attachment of one name gets another name in a few steps, also if the names differ in the
// case of letters, or in what long names lose.
func TestManyOfOneNameAreTold(t *testing.T) {
	const many = 1 << 9
	const lost = " (0001-01-01).csv" // and three bytes more with a number
	long := strings.Repeat("a", domain.MaxFileName-len(lost)-len("fff"))
	for name, named := range map[string]func(i int) string{
		"letters": func(i int) string {
			text := []byte("remittances.csv")
			for at := range 9 {
				text[at] -= byte(i>>at&1) * ('a' - 'A')
			}
			return string(text)
		},
		"long": func(i int) string {
			return fmt.Sprintf("%s%03x%s.csv", long, i/2, strings.Repeat("a", len(lost)-len(".csv")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			var files []ports.SourceFile
			for i := range many {
				files = append(files, ports.SourceFile{Name: named(i), Version: fmt.Sprint(i)})
			}
			var got []ports.SourceFile
			allocated := testing.AllocsPerRun(1, func() { got = distinct(slices.Clone(files)) })
			require.LessOrEqual(t, allocated, 50.0*many)
			names := map[string]bool{}
			for _, file := range got {
				names[strings.ToLower(file.Name)] = true
			}
			require.Len(t, names, many)
		})
	}
}

// TestDecoded holds that attachments are decoded, and that a part of one is an error.
func TestDecoded(t *testing.T) {
	for name, c := range map[string]struct{ encoding, sent, want, fault string }{
		"base64":               {"BASE64", "QVdC\r\n LEFt\tb3Vu dA==\r\n", "AWB,Amount", ""},
		"a part of base64":     {"base64", "QVdCLEFtb3V", "AWB,Amo", "unexpected EOF"},
		"damaged base64":       {"base64", "QV=dC", "", "illegal base64 data at input byte 2"},
		"quoted-printable":     {" Quoted-Printable", "=E2=82=B9=\r\n1\r\n", "₹1\r\n", ""},
		"nothing":              {"", "a", "a", ""},
		"8bit":                 {"8bit", "₹", "₹", ""},
		"an encoding of yours": {"x-uuencode", "a", "", "connector /report: imap: an unknown encoding of an attachment"},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := decoded(c.encoding, strings.NewReader(c.sent))
			var got []byte
			if err == nil {
				got, err = io.ReadAll(in)
			}
			if c.fault != "" {
				require.EqualError(t, err, c.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
		})
	}
}

// FuzzAttachments holds that no parameters and no content of an attachment make names that
// are too long or not safe, or anything panic.
func FuzzAttachments(f *testing.F) {
	f.Add("filename*0*", "UTF-8''%E2%82%B9", "filename*1", "a.csv", "text/csv", "base64", "QVdC")
	f.Add("filename", "=?utf-8?B?4oK5LmNzdg==?=", "name", "\u202e/..\\.zip", "application/zip", "quoted-printable", "=3D=\n")
	f.Fuzz(func(t *testing.T, key, value, other, second, mediaType, encoding, content string) {
		text, err := words.DecodeHeader(value)
		if err != nil {
			text = value
		}
		p := one(mediaType, strings.ToLower(key), text, strings.ToLower(other), second)
		p.Params = map[string]string{"name": second}
		found := only.Value(attachmentsOf(several(p, forwarded(p))))(t)
		var files []ports.SourceFile
		for _, a := range found {
			if !isReport(a.name) && !isArchive(a.name) || len(a.name) > domain.MaxFileName || !utf8.ValidString(a.name) || strings.ContainsAny(a.name, "/\\\x00\n\u202e") {
				t.Fatalf("name %q", a.name)
			}
			files = append(files, ports.SourceFile{Name: a.name, Version: dotted(a.part)})
		}
		for i, file := range distinct(files) {
			if i > 0 && strings.EqualFold(file.Name, files[0].Name) || len(file.Name) > domain.MaxFileName+len(" (0001-01-01, 2)") {
				t.Fatalf("names %q", file.Name)
			}
		}
		if in, err := decoded(encoding, strings.NewReader(content)); err == nil {
			if out, _ := io.ReadAll(in); len(out) > len(content) {
				t.Fatalf("%d bytes of %d", len(out), len(content))
			}
		}
	})
}
