package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// mustYAML returns a JSON text as YAML, with its members in their order and its longer texts line
// by line. A library would add only weight: every text is in quotes, unless it has several lines
// that can stand as they are. It panics if the text is no JSON.
func mustYAML(text []byte) []byte {
	w := yamlWriter{in: json.NewDecoder(bytes.NewReader(text))}
	w.in.UseNumber()
	w.value(w.token(), "\n")
	return append(bytes.TrimLeft(w.out.Bytes(), "\n "), '\n')
}

type yamlWriter struct {
	in  *json.Decoder
	out bytes.Buffer
}

func (w *yamlWriter) token() json.Token {
	token, err := w.in.Token()
	if err != nil {
		panic(fmt.Errorf("write YAML: %w", err))
	}
	return token
}

// value writes the value that begins with a token. newline is a line's end and the indentation of
// what the value has inside.
func (w *yamlWriter) value(first json.Token, newline string) {
	switch first := first.(type) {
	case json.Delim:
		w.several(first, newline)
	case string:
		w.text(first, newline)
	case nil:
		w.out.WriteString(" null")
	default:
		fmt.Fprint(&w.out, " ", first)
	}
}

func (w *yamlWriter) several(open json.Delim, newline string) {
	if !w.in.More() {
		fmt.Fprintf(&w.out, " %v%v", open, w.token())
		return
	}
	for w.in.More() {
		w.out.WriteString(newline)
		if open == '[' {
			w.out.WriteByte('-')
		} else {
			w.out.WriteString(yamlKey(w.token().(string)) + ":")
		}
		w.value(w.token(), newline+"  ")
	}
	w.token()
}

var (
	// plainKey finds names that need no quotes. Those of one letter are none: y and n are truth values
	// for older readers.
	plainKey = regexp.MustCompile(`^[/$A-Za-z][/A-Za-z0-9_.{}-]+$`)
	// truthKey finds those that are no text without quotes.
	truthKey = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|null)$`)
)

func yamlKey(name string) string {
	if plainKey.MatchString(name) && !truthKey.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

func (w *yamlWriter) text(text, newline string) {
	lines, ends := strings.CutSuffix(text, "\n")
	if !stands(text) || strings.HasSuffix(lines, "\n") {
		w.out.WriteString(" " + strconv.Quote(text)) // YAML has all escapes of Go
		return
	}
	w.out.WriteString(" |")
	if !ends {
		w.out.WriteByte('-')
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if line == "" {
			w.out.WriteByte('\n')
			continue
		}
		w.out.WriteString(newline + line)
	}
}

// stands is true for a text of several lines that can stand as it is.
func stands(text string) bool {
	return strings.Contains(text, "\n") && text[0] != '\n' && text[0] != ' ' &&
		!strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) })
}
