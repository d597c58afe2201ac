package multipart

import (
	"bytes"
	"errors"
	"mime"
	"strings"
	"unicode"
)

// The limits of a body.
const (
	MaxParts  = 100
	maxHeader = 4 << 10 // bytes of the header of one part
)

// Part is one part of a form.
type Part struct {
	Name     string
	FileName string // as the header states it; blank: it states none
	Content  []byte // a slice of the body, with no room behind it
}

// The faults of a body.
var (
	ErrStart    = errors.New("the body does not begin with its boundary")
	ErrCutShort = errors.New("the body ends before its last boundary")
	ErrAfter    = errors.New("the body goes on after its last boundary")
	ErrMany     = errors.New("the body has more than MaxParts parts")
	ErrHeader   = errors.New("the header of a part cannot be read")
	ErrNested   = errors.New("a part is itself of several parts")
	ErrEncoded  = errors.New("a part is encoded for transfer")
)

var lineEnd = []byte("\r\n")

// Split splits a body by its boundary. After an error there are no parts.
func Split(body []byte, boundary string) ([]Part, error) {
	delimiter := []byte("\r\n--" + boundary)
	rest := bytes.TrimPrefix(body, lineEnd) // some programs begin with an empty line
	if boundary == "" || !bytes.HasPrefix(rest, delimiter[len(lineEnd):]) {
		return nil, ErrStart
	}
	rest, end := afterDelimiter(rest[len(delimiter)-len(lineEnd):])
	if end == noDelimiter {
		return nil, ErrStart
	}
	var all []Part
	for end == goesOn {
		if len(all) == MaxParts {
			return nil, ErrMany
		}
		var part Part
		var err error
		if part, rest, err = header(rest); err != nil {
			return nil, err
		}
		if part.Content, rest, end = content(rest, delimiter); end == noDelimiter {
			return nil, ErrCutShort
		}
		all = append(all, part)
	}
	if len(bytes.Trim(rest, "\r\n")) > 0 {
		return nil, ErrAfter
	}
	return all, nil
}

// ending says what follows a boundary.
type ending uint8

const (
	noDelimiter ending = iota // it is no boundary, but content that begins like one
	goesOn                    // another part
	isLast                    // nothing
)

// afterDelimiter looks at what follows a boundary. It returns what follows its line.
func afterDelimiter(rest []byte) ([]byte, ending) {
	if after, last := bytes.CutPrefix(rest, []byte("--")); last {
		blanks := bytes.TrimLeft(after, " \t")
		if len(blanks) == 0 || bytes.HasPrefix(blanks, lineEnd) {
			return blanks, isLast
		}
		return nil, noDelimiter
	}
	if after, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t"), lineEnd); ok {
		return after, goesOn
	}
	return nil, noDelimiter
}

// content takes the content of a part. The line end before a boundary belongs to the boundary,
// but for a part without content, whose boundary may follow its header.
func content(body, delimiter []byte) (part, rest []byte, end ending) {
	if after, empty := bytes.CutPrefix(body, delimiter[len(lineEnd):]); empty {
		if rest, end = afterDelimiter(after); end != noDelimiter || mistakable(after) {
			return nil, rest, end
		}
	}
	for from := 0; ; {
		at := bytes.Index(body[from:], delimiter)
		if at < 0 {
			return nil, nil, noDelimiter
		}
		at += from
		after := body[at+len(delimiter):]
		if rest, end = afterDelimiter(after); end != noDelimiter {
			return body[:at:at], rest, end
		}
		if mistakable(after) {
			return nil, nil, noDelimiter
		}
		from = at + len(delimiter)
	}
}

// mistakable looks at what follows a text that is no boundary here, and says whether some
// readers would take the text for one.
func mistakable(after []byte) bool {
	return len(after) > 0 && bytes.IndexByte([]byte(" \t\r\n-"), after[0]) >= 0
}

// header reads the header of a part. It returns the part without its content, and the rest of
// the body from the end of the header on.
func header(body []byte) (part Part, rest []byte, err error) {
	found := map[string]string{}
	for start := body; ; {
		line, after, ended := bytes.Cut(body, lineEnd)
		switch {
		case !ended && len(body) <= maxHeader:
			return Part{}, nil, ErrCutShort
		case !ended || len(start)-len(after) > maxHeader:
			return Part{}, nil, ErrHeader
		}
		if body = after; len(line) == 0 {
			break
		}
		field, value, ok := bytes.Cut(line, []byte(":"))
		key := strings.ToLower(string(field))
		_, twice := found[key]
		if !ok || twice || len(field) == 0 || bytes.ContainsFunc(field, notInName) || bytes.ContainsFunc(value, unicode.IsControl) {
			return Part{}, nil, ErrHeader
		}
		found[key] = strings.TrimSpace(string(value))
	}
	if encoding := strings.ToLower(found["content-transfer-encoding"]); encoding != "" && encoding != "binary" && encoding != "8bit" &&
		encoding != "7bit" {
		return Part{}, nil, ErrEncoded
	}
	if strings.HasPrefix(strings.ToLower(found["content-type"]), "multipart/") {
		return Part{}, nil, ErrNested
	}
	kind, params, err := mime.ParseMediaType(found["content-disposition"])
	if err != nil || kind != "form-data" || params["name"] == "" {
		return Part{}, nil, ErrHeader
	}
	return Part{Name: params["name"], FileName: params["filename"]}, body, nil
}

// notInName says whether a character may not stand in the name of a header's field.
func notInName(r rune) bool {
	return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}
