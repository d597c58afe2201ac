package wording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"sync"

	"milaan/domain"
)

// text is one part of a sentence as english.json has it, in several ways. The
// first way whose values are all known is used, so the last way should need no value
// that may be missing. The notation:
//
//   - {name} stands for a value (values.go, errors.go, files.go).
//   - {name|one line|# lines} is a number with its words: the first form is for the
//     numbers that are singular in the language, and # stands for the number.
//   - [words and {name}] is left out if a value in it is not known.
//   - {{ is a brace.
//   - A value whose name begins with if has no words: it is known only for some readers
//     or files, and so chooses among the ways.
type text []string

// UnmarshalJSON reads a list of ways, or the only one. Most have no escapes, and are cut at
// their quotes: at the start of each command, a decoder for each would be slow.
func (t *text) UnmarshalJSON(data []byte) error {
	if (data[0] == '[' || data[0] == '"') && bytes.IndexByte(data, '\\') < 0 {
		for i, part := range strings.Split(string(data), `"`) {
			if i%2 == 1 {
				*t = append(*t, part)
			}
		}
		return nil
	}
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]string)(t))
	}
	*t = make(text, 1)
	return json.Unmarshal(data, &(*t)[0])
}

func textOf(data []byte) (t text) {
	if err := t.UnmarshalJSON(data); err != nil {
		panic(fmt.Sprintf("wording: %s: %v", data, err))
	}
	return t
}

func decoded[T any](data []byte) (v T) {
	if err := json.Unmarshal(data, &v); err != nil {
		panic(fmt.Sprintf("wording: %s: %v", data, err))
	}
	return v
}

// entries yields the entries of an object as english.json has it: each begins a line, and is indented as
// much as the others. They are cut there, because a decoder would take as long for all texts as it takes
// to compare two small files.
func entries(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		object = bytes.TrimSuffix(object, []byte("\n")) // of the file
		first, end := bytes.IndexByte(object, '"'), bytes.LastIndexByte(object, '\n')
		if first < 0 {
			return
		}
		for entry := range bytes.SplitSeq(object[first+1:end], append([]byte(","), object[1:first+1]...)) {
			name, value, _ := bytes.Cut(entry, []byte(`": `))
			if !yield(string(name), value) {
				return
			}
		}
	}
}

// clause is a text that has been read, and wording is one way of it.
type (
	clause[T any]  []wording[T]
	wording[T any] []piece[T]
)

// piece is words and what follows them; tell is nil if nothing does.
type piece[T any] struct {
	words string
	tell  tell[T]
}

// tell appends a value of a T in the words of a catalogue. It returns false if the T does
// not have the value.
type tell[T any] func(c *Catalogue, dst []byte, of *T) (_ []byte, known bool)

// values are the values of a T by the names that the tables of words use.
type values[T any] struct {
	texts   map[string]tell[T]
	numbers map[string]func(of *T) (n int, known bool)
}

// stringValues makes values of functions that return text. That takes memory, so it
// is not for the reasons of rows.
func stringValues[T any](of map[string]func(*T) (string, bool)) map[string]tell[T] {
	tells := map[string]tell[T]{}
	for name, text := range of {
		tells[name] = func(_ *Catalogue, dst []byte, of *T) ([]byte, bool) {
			s, known := text(of)
			return append(dst, s...), known
		}
	}
	return tells
}

type form struct {
	before, after string
	number        bool // the number itself is said
}

func readText[T any](t text, v values[T]) clause[T] {
	fitsJSON(t...)
	return readAny(t, v)
}

// readAny is readText for texts that are escaped where they go.
func readAny[T any](t text, v values[T]) clause[T] {
	var c clause[T]
	for _, way := range t {
		c = append(c, readWording(way, v))
	}
	return c
}

// later returns the texts of a section by their keys, of which each is read when it is first needed; nil
// if there is none.
func later[K comparable, T any](
	section func() []byte, key func(name string) K, read func(text, values[T]) clause[T], v values[T],
) func(K) clause[T] {
	all := sync.OnceValue(func() map[K]func() clause[T] {
		into := map[K]func() clause[T]{}
		for name, words := range entries(section()) {
			into[key(name)] = sync.OnceValue(func() clause[T] { return read(textOf(words), v) })
		}
		return into
	})
	return func(key K) clause[T] {
		if words, known := all()[key]; known {
			return words()
		}
		return nil
	}
}

// asIs is the key of a text whose name is its key.
func asIs[K ~string](name string) K { return K(name) }

func readWording[T any](way string, v values[T]) wording[T] {
	var w wording[T]
	for rest := way; rest != ""; {
		at := strings.IndexAny(rest, "[{")
		if at < 0 {
			return append(w, piece[T]{words: rest})
		}
		if strings.HasPrefix(rest[at:], "{{") {
			w, rest = append(w, piece[T]{words: rest[:at+1]}), rest[at+2:]
			continue
		}
		read, closing := v.read, "}"
		if rest[at] == '[' {
			read, closing = v.readGroup, "]"
		}
		within, after, closed := strings.Cut(rest[at+1:], closing)
		p := piece[T]{rest[:at], read(within)}
		if !closed || p.tell == nil {
			panic(fmt.Sprintf("wording: %q cannot be read in %q", within, way))
		}
		w, rest = append(w, p), after
	}
	return w
}

// readGroup reads what is left out if a value in it is not known.
func (v values[T]) readGroup(inBrackets string) tell[T] {
	group := readWording(inBrackets, v)
	if group == nil {
		return nil
	}
	return func(c *Catalogue, dst []byte, of *T) ([]byte, bool) {
		dst, _ = group.append(c, dst, of)
		return dst, true
	}
}

// read returns nil if there is no such value.
func (v values[T]) read(inBraces string) tell[T] {
	parts := strings.Split(inBraces, "|")
	number, text := v.numbers[parts[0]], v.texts[parts[0]]
	switch {
	case len(parts) == 1 && text != nil:
		return text
	case len(parts) == 1:
		parts = append(parts, "#", "#")
	}
	if len(parts) != 3 || number == nil {
		return nil
	}
	var forms [2]form
	for i, part := range parts[1:] {
		before, after, said := strings.Cut(part, "#")
		forms[i] = form{before, after, said}
	}
	return func(c *Catalogue, dst []byte, of *T) ([]byte, bool) {
		n, known := number(of)
		f := &forms[1]
		if n == 1 || n == 0 && c.zeroIsSingular {
			f = &forms[0]
		}
		dst = append(dst, f.before...)
		if f.number {
			dst = append(domain.AppendGrouped(dst, n), f.after...)
		}
		return dst, known
	}
}

// append appends the first way whose values are all known. It returns false, and dst as
// it was, if there is none.
func (t clause[T]) append(c *Catalogue, dst []byte, of *T) (_ []byte, known bool) {
	for _, w := range t {
		if dst, known = w.append(c, dst, of); known {
			return dst, true
		}
	}
	return dst, false
}

func (w wording[T]) append(c *Catalogue, dst []byte, of *T) (_ []byte, known bool) {
	start := len(dst)
	for i := range w {
		p := &w[i]
		dst = append(dst, p.words...)
		if p.tell == nil {
			continue
		}
		if dst, known = p.tell(c, dst, of); !known {
			return dst[:start], false
		}
	}
	return dst, true
}
