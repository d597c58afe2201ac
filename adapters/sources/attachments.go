package sources

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/emersion/go-imap/v2"
	"golang.org/x/text/encoding/charmap"

	"milaan/domain"
)

// The limits of one mail.
const (
	mostParts       = 500 // that are looked at
	mostAttachments = 50  // that are taken
	mostPieces      = 100 // of a name that is sent in pieces
)

// attachment is a part of a mail that is a report or an archive.
type attachment struct {
	part     []int  // where it is, as IMAP counts
	name     string // clean, see cleanName
	encoding string
	size     int64 // bytes as it is encoded, as the server states them
}

var errParts = errors.New("imap: a mail has too many parts")

// extensionsOf are the extensions of names by the media types of reports, for attachments
// whose names have none.
var extensionsOf = map[string]string{
	"text/csv": ".csv", "application/csv": ".csv", "text/comma-separated-values": ".csv",
	"application/vnd.ms-excel": ".xls",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
	"application/vnd.oasis.opendocument.spreadsheet":                    ".ods",
	"application/zip": ".zip", "application/x-zip-compressed": ".zip",
}

// attachmentsOf returns the reports and archives among the parts of a mail, and of the mails
// that it forwards as attachments.
func attachmentsOf(mail imap.BodyStructure) ([]attachment, error) {
	w := walk{}
	w.visit(mail, nil)
	if w.parts > mostParts || len(w.found) > mostAttachments {
		return nil, &domain.ConnectorError{Rule: domain.ConnAnswer, Cause: errParts}
	}
	return w.found, nil
}

type walk struct {
	parts int
	found []attachment
}

// visit looks at a part and those in it. at is where it is; nil: it is the mail.
func (w *walk) visit(part imap.BodyStructure, at []int) {
	if w.parts++; w.parts > mostParts {
		return
	}
	switch part := part.(type) {
	case *imap.BodyStructureMultiPart:
		for i, child := range part.Children {
			w.visit(child, append(slices.Clone(at), i+1))
		}
	case *imap.BodyStructureSinglePart:
		if len(at) == 0 {
			at = []int{1}
		}
		if forwarded := part.MessageRFC822; forwarded != nil && forwarded.BodyStructure != nil {
			if _, several := forwarded.BodyStructure.(*imap.BodyStructureMultiPart); !several {
				at = append(slices.Clone(at), 1)
			}
			w.visit(forwarded.BodyStructure, at)
			return
		}
		if name := attachedName(part); name != "" && len(w.found) <= mostAttachments {
			w.found = append(w.found, attachment{part: at, name: name, encoding: part.Encoding, size: int64(part.Size)})
		}
	}
}

// attachedName returns the name of a part that is a report or an archive; blank: it is
// neither. Its media type decides only if its name does not end like that of a file.
func attachedName(part *imap.BodyStructureSinglePart) string {
	var name string
	if d := part.Disposition(); d != nil {
		name = parameter(d.Params, "filename")
	}
	name = cleanName(cmp.Or(name, parameter(part.Params, "name")))
	if isReport(name) || isArchive(name) {
		return name
	}
	extension := extensionsOf[part.MediaType()]
	if extension == "" || looksLikeExtension(extensionOf(name)) {
		return ""
	}
	return cleanName(cmp.Or(name, "attachment") + extension)
}

// looksLikeExtension tells .pdf from the .2026 of a date.
func looksLikeExtension(extension string) bool {
	return len(extension) > 1 && len(extension) <= 6 && !strings.ContainsFunc(extension[1:], func(r rune) bool { return r < 'a' || r > 'z' })
}

// cleanName makes a name safe to be shown: without folders, without characters that cannot be
// seen or that turn text around, and not longer than domain.MaxFileName bytes.
func cleanName(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if len(name) <= domain.MaxFileName {
		return name
	}
	extension := path.Ext(name)
	if len(extension) > 10 {
		extension = ""
	}
	return strings.ToValidUTF8(name[:domain.MaxFileName-len(extension)], "") + extension
}

// words decodes names as RFC 2047 has them, from UTF-8 and the charsets of one byte for a
// character. Any other charset is left as it is, so that the end of the name can still be read: the
// tables of those of East Asia alone have a megabyte.
var words = &mime.WordDecoder{CharsetReader: func(name string, input io.Reader) (io.Reader, error) {
	for _, known := range charmap.All {
		if c, is := known.(*charmap.Charmap); is && lettersAndDigits(c.String()) == lettersAndDigits(name) {
			return c.NewDecoder().Reader(input), nil
		}
	}
	return input, nil
}}

// lettersAndDigits makes iso-8859-1 and ISO_8859-1 the same as the charset is called here: ISO 8859-1.
func lettersAndDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// parameter returns a parameter of a part as RFC 2231 has them: in one piece or several, with
// a charset or without. Encoded words in it are decoded already.
func parameter(params map[string]string, name string) string {
	if text, ok := params[name+"*"]; ok {
		return extended(text)
	}
	var encoded strings.Builder // as one text that extended decodes
	set := false
	for i := range mostPieces {
		key := fmt.Sprintf("%s*%d", name, i)
		if text, ok := params[key+"*"]; ok {
			if i == 0 {
				set = true
			}
			encoded.WriteString(text)
		} else if text, ok := params[key]; ok {
			encoded.WriteString(url.PathEscape(text))
		} else {
			break
		}
	}
	switch {
	case encoded.Len() == 0:
		return params[name]
	case set:
		return extended(encoded.String())
	}
	return unescaped(encoded.String())
}

// extended decodes charset'language'text, the text with %XX for bytes.
func extended(text string) string {
	name, rest, ok := strings.Cut(text, "'")
	if !ok {
		return unescaped(text)
	}
	if _, after, ok := strings.Cut(rest, "'"); ok {
		rest = after
	}
	rest = unescaped(rest)
	in, err := words.CharsetReader(name, strings.NewReader(rest))
	if err != nil {
		return rest
	}
	decoded, err := io.ReadAll(in)
	if err != nil {
		return rest
	}
	return string(decoded)
}

// unescaped decodes %XX, and leaves a text as it is that has another % in it.
func unescaped(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

var errEncoding = errors.New("imap: an unknown encoding of an attachment")

// decoded returns what reads the content of an attachment.
func decoded(encoding string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, onlyBase64{in}), nil
	case "quoted-printable":
		return quotedprintable.NewReader(in), nil
	case "", "7bit", "8bit", "binary":
		return in, nil
	}
	return nil, &domain.ConnectorError{Rule: domain.ConnReport, Cause: errEncoding}
}

// onlyBase64 leaves out what is no base64, such as the ends of lines and blanks.
type onlyBase64 struct{ in io.Reader }

func (o onlyBase64) Read(p []byte) (int, error) {
	for {
		n, err := o.in.Read(p)
		kept := p[:0]
		for _, b := range p[:n] {
			if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '+' || b == '/' || b == '=' {
				kept = append(kept, b)
			}
		}
		if len(kept) > 0 || err != nil || len(p) == 0 {
			return len(kept), err
		}
	}
}
