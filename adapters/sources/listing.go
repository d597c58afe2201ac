package sources

import (
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"milaan/domain"
)

type query struct {
	since   time.Time
	matches func(name string) bool // without folders
	most    int                    // names that a list may have, before any is left out
	leave   func(domain.LeftOutMail)
}

// wants says whether a file is asked for. One without a time is.
func (q query) wants(name string, modified time.Time) bool {
	return (modified.Unix() <= 0 || !modified.Before(q.since)) && q.matches(name)
}

func (q query) tooMany() *domain.ConnectorError {
	return &domain.ConnectorError{Rule: domain.ConnManyFiles, Limit: int64(q.most)}
}

// crowded returns the error of a place with too many files, old ones included. setting is the
// name of the setting that chooses the place.
func (q query) crowded(setting string) *domain.ConnectorError {
	e := q.tooMany()
	e.Setting = setting
	return e
}

// maxPattern is how many bytes a pattern may have.
const maxPattern = 500

func soundPattern(pattern string) bool {
	_, err := path.Match(pattern, "")
	return err == nil && len(pattern) <= maxPattern && utf8.ValidString(pattern) && !strings.ContainsFunc(pattern, unicode.IsControl)
}

// matching returns what tells whether a name matches a pattern, letter case aside. A blank
// pattern matches every name, except that names with a dot in front, which programs give to
// what they have not finished, need a pattern with a dot in front.
func matching(pattern string) func(name string) bool {
	pattern = strings.ToLower(strings.TrimSpace(pattern))
	return func(name string) bool {
		name = path.Base(name)
		switch {
		case strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, "."):
			return false
		case pattern == "":
			return true
		}
		ok, err := path.Match(pattern, strings.ToLower(name))
		return err == nil && ok
	}
}

// shown returns the name of a file as people and the database see it: what is not text
// stands there as its bytes.
func shown(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, domain.IsControl) {
		return name
	}
	var text strings.Builder
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		if r == utf8.RuneError && size == 1 || domain.IsControl(r) {
			fmt.Fprintf(&text, "%%%X", name[:size])
		} else {
			text.WriteString(name[:size])
		}
		name = name[size:]
	}
	return text.String()
}
