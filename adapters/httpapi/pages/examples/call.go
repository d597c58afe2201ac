// Package examples writes a call of the API as a program that runs as it stands, in four
// languages, and all calls as a collection for Postman and for Bruno. It knows no call: what
// there is comes from the API's description.
package examples

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// Call is a request as somebody makes it who tries the API.
type Call struct {
	ID, Summary string // of the operation
	Group       string // its tag
	Method      string // in capitals

	// Path has its parameters filled in and its query. {NAME} stands for a value that only the
	// service knows, because it gave it in an earlier answer: see Learns.
	Path    string
	Token   string        // what its bearer token is: key or session; blank: it needs none
	Headers []Header      // besides those of the token and the body
	JSON    string        // the body, indented; blank: none of that kind
	Form    []Part        // of a body that is a form; none: no such body
	Status  int           // of an answer to it that says that all is well
	SavedAs string        // the file that the answer is saved as; blank: it is shown
	Learns  []Observation // what later calls need of the answer
}

// Header is a header of a request.
type Header struct{ Name, Value string }

// Part is a field of a form, or a file.
type Part struct {
	Name, Value string
	File        string // its name; blank: it is a field
}

// Observation is a value of an answer that later calls need.
type Observation struct {
	Name   string   // of the variable
	Member []string // where it is in the answer, from outside to inside
}

// Language is a language that a call is written in.
type Language struct {
	Name    string
	File    string // what an example is saved as
	Command string // what runs that file
	Needs   string // what that needs, if it is not what everybody has
	Write   func(Call) string
}

// Languages returns them in the order in which they are shown.
func Languages() []Language {
	return []Language{
		{"curl", "example.sh", "sh example.sh", "", curl},
		{"Go", "example.go", "go run example.go", "", golang},
		{"TypeScript", "example.mts", "node example.mts", "Node 22.18 or later", typescript},
		{"Python", "example.py", "python3 example.py", "", python},
	}
}

var variables = regexp.MustCompile(`\{(\w+)\}`)

// pieces is the address of a call as what stands in the text and what is a variable of the
// environment, one after the other, beginning with the variable of the service's address.
func (c Call) pieces() []string {
	pieces, at := []string{"MILAAN_URL"}, 0
	for _, found := range variables.FindAllStringSubmatchIndex(c.Path, -1) {
		pieces = append(pieces, c.Path[at:found[0]], strings.ToUpper(c.Path[found[2]:found[3]]))
		at = found[1]
	}
	return append(pieces, c.Path[at:])
}

// address writes the address of a call. variable and text write its pieces; blank texts are
// left out.
func (c Call) address(variable, text func(string) string, between string) string {
	var written []string
	for i, piece := range c.pieces() {
		switch {
		case i%2 == 0:
			written = append(written, variable(piece))
		case piece != "":
			written = append(written, text(piece))
		}
	}
	return strings.Join(written, between)
}

// tokenVariable is the variable of the environment that the token stands in.
func (c Call) tokenVariable() string { return "MILAAN_" + strings.ToUpper(c.Token) }

func asWritten(text string) string { return text }

// quoted is a text as Go, JavaScript and Python understand it alike.
func quoted(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text can always be encoded
	return strings.TrimSpace(b.String())
}

// deeper indents all lines but the first.
func deeper(text, by string) string { return strings.ReplaceAll(text, "\n", "\n"+by) }

// lines joins those that are not blank. A line may end others.
func lines(all ...string) string {
	var b strings.Builder
	for _, line := range all {
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
