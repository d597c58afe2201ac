package sources

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"milaan/domain"
)

// Files that are plainly no reports are told by their bytes, and only if they are not called like
// reports: a report that is left out by mistake is money that nobody misses (guide: autopilot).

// mostProse is how many bytes a text may have that is looked through for a table.
const mostProse = 64 << 10

// otherFile says what a file is that is plainly no report, as a rule of domain; blank: it may be
// one. start is its content, or the first mostProse bytes of it, and size how many it has.
func otherFile(name string, start []byte, size int64) domain.ConnectorRule {
	switch {
	case isReport(name) || isArchive(name):
	case isPicture(start, size):
		return domain.ConnPicture
	case bytes.HasPrefix(bytes.TrimLeft(start, "\r\n\t "), []byte("%PDF-")):
		return domain.ConnPDF
	case isCard(name, start):
		return domain.ConnCard
	case extensionOf(name) == ".txt" && size <= mostProse && int64(len(start)) == size && isProse(start):
		return domain.ConnText
	}
	return ""
}

var pictures = lazily(`^(?s:\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF....WEBP|II\*\x00|MM\x00\*|....ftyp(?:heic|heix|hevc|mif1|avif))`)

func isPicture(start []byte, size int64) bool {
	// A regular expression reads UTF-8, so it gets each byte as a letter.
	head := make([]rune, min(len(start), 16))
	for i := range head {
		head[i] = rune(start[i])
	}
	// A text may begin with BM, but not with its own length after it.
	bitmap := len(start) > 6 && start[0] == 'B' && start[1] == 'M' && int64(binary.LittleEndian.Uint32(start[2:])) == size
	return bitmap || pictures().MatchString(string(head))
}

// isCard says whether a file is an invitation, a contact, or the signature of a mail. A .p7m may
// hold the mail itself, so it is none.
func isCard(name string, start []byte) bool {
	text := bytes.ToUpper(start[:min(len(start), 40)])
	for _, begins := range []string{"BEGIN:VCALENDAR", "BEGIN:VCARD", "-----BEGIN PGP SIGNATURE"} {
		if bytes.HasPrefix(text, []byte(begins)) {
			return true
		}
	}
	// The object identifier of signed data stands within the first bytes of a PKCS #7 file.
	return extensionOf(name) == ".p7s" && len(start) > 0 && start[0] == 0x30 &&
		bytes.Contains(start[:min(len(start), 32)], []byte{0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02})
}

// ofMoney are words that a text about money or parcels has.
var ofMoney = lazily(`(?i)awb|bill|docket|consignment|tracking|amount|\bamt\b|\bcod\b|remit|payout|payment|\butr\b|settle|order|₹|₨|\brs\b|\binr\b|rupee|कुल|रुपये|\d{6}`)

// isProse says whether a text has no table, and no word of money.
func isProse(text []byte) bool {
	if !utf8.Valid(text) || len(bytes.TrimSpace(text)) == 0 || bytes.ContainsAny(text, "\t|;\x00") || ofMoney().Match(text) {
		return false
	}
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if bytes.Count(line, []byte(",")) > 1 && bytes.ContainsAny(line, "0123456789") {
			return false
		}
	}
	return true
}

// mostOthers is how many entries an archive without a report may have to be looked through.
const mostOthers = 100

// holdsOthers says whether an archive has files, and none of them may be a report.
func holdsOthers(archive *zip.Reader) bool {
	if len(archive.File) > mostOthers {
		return false
	}
	found := false
	for _, entry := range archive.File {
		name := strings.ReplaceAll(entry.Name, `\`, "/")
		base := path.Base(name)
		if strings.HasSuffix(name, "/") || isAside(name) || base == "Thumbs.db" {
			continue
		}
		start, err := startOf(entry, mostProse)
		if err != nil || otherFile(base, start, int64(entry.UncompressedSize64)) == "" {
			return false
		}
		found = true
	}
	return found
}

// lazily compiles an expression when it is first needed, and not at each start of a command.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
