package wording

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"milaan/ports/peers"
)

// english.json has each text of the service in English, in the notation of sentence.go, by the
// codes, rules and names of the domain.
//
//go:embed english.json
var englishTexts []byte

// A language other than English is one file, named by its code: the translation of each
// English text of the service, and of each English text of the pages. What has no
// translation stays English. Texts of the service keep their notation, with the same values.
//
//go:embed languages/*.json
var translations embed.FS

type translation struct {
	Name           string            `json:"name"` // in the language itself
	ZeroIsSingular bool              `json:"zero is singular"`
	Service        map[string]string `json:"service"`
	Pages          map[string]string `json:"pages"`
}

// Languages has the words of all languages.
type Languages struct{ known func() languages }

type languages struct {
	all   []peers.Language
	words map[string]func() *Catalogue
	pages map[string]func() []byte
}

// NewLanguages returns the languages that the pages speak. The texts of each are read when it
// is first asked for, because commands need none of them, and most pages one.
func NewLanguages() *Languages { return &Languages{known: sync.OnceValue(listLanguages)} }

func listLanguages() languages {
	l := languages{all: []peers.Language{{Code: "en", Name: "English"}},
		words: map[string]func() *Catalogue{"en": forReaders},
		pages: map[string]func() []byte{"en": func() []byte { return nil }}}
	for code, text := range translationFiles() {
		l.all = append(l.all, peers.Language{Code: code, Name: nameIn(text)})
		l.words[code] = sync.OnceValue(func() *Catalogue { return readTranslation(text).read() })
		l.pages[code] = sync.OnceValue(func() []byte {
			pages, _ := json.Marshal(readTranslation(text).Pages) // texts can always be encoded
			return pages
		})
	}
	slices.SortFunc(l.all[1:], func(a, b peers.Language) int { return strings.Compare(a.Code, b.Code) })
	return l
}

// readForPages is read for people who look at pages, and not for programs.
func readForPages(of texts) *Catalogue {
	c := read(of)
	c.spellsDays = true
	return c
}

func (t translation) read() *Catalogue {
	c := readForPages(t.of())
	c.zeroIsSingular = t.ZeroIsSingular
	return c
}

func (l *Languages) All() []peers.Language { return l.known().all }

func (l *Languages) In(code string) peers.Wording { return l.of(code) }

func (l *Languages) Names(code string) peers.Names { return pageNames{l.of(code)} }

func (l *Languages) Settings(code string) peers.SettingWords { return l.of(code) }

// of returns the words of the language with a code; English if there is none.
func (l *Languages) of(code string) *Catalogue {
	words := l.known().words
	if own, known := words[code]; known {
		return own()
	}
	return words["en"]()
}

func (l *Languages) Pages(code string) []byte {
	if pages, known := l.known().pages[code]; known {
		return pages()
	}
	return nil
}

// translationFiles returns the files of all languages by their codes.
func translationFiles() map[string][]byte {
	files, err := translations.ReadDir("languages")
	if err != nil {
		panic(err) // it is embedded
	}
	all := map[string][]byte{}
	for _, file := range files {
		text, err := translations.ReadFile("languages/" + file.Name())
		if err != nil {
			panic(err) // it is embedded
		}
		all[strings.TrimSuffix(file.Name(), ".json")] = text
	}
	return all
}

// nameIn returns the name of the language of a file without reading its texts, which takes
// longer than all else at the start of a command. So it is the first of what a file says.
func nameIn(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	var name json.Token
	for _, want := range []any{json.Delim('{'), "name", nil} {
		said, err := d.Token()
		if err != nil || want != nil && said != want {
			panic(fmt.Sprintf("wording: the file of a language begins with its name, and not with %v", said))
		}
		name = said
	}
	return name.(string) //nolint:forcetypeassert // or it is no language
}

// readTranslation reads the file of a language. A file that cannot be read is a mistake of
// the program, and stops it.
func readTranslation(text []byte) (t translation) {
	if err := json.Unmarshal(text, &t); err != nil {
		panic(fmt.Sprintf("wording: %s: %v", nameIn(text), err))
	}
	return t
}

// of returns the texts of the service in the language of the translation.
func (t translation) of() texts {
	sections := maps.Collect(entries(translate(func(english string) string { return cmp.Or(t.Service[english], english) })))
	return func(section string) []byte { return sections[section] }
}

// english returns a section of the texts of the service in English.
func english(section string) []byte {
	for name, texts := range entries(englishTexts) {
		if name == section {
			return texts
		}
	}
	panic("wording: english.json has no section " + section)
}

// translate returns english.json with say of each text but those that are in English alone.
func translate(say func(english string) string) []byte {
	var parts map[string]any
	if err := json.Unmarshal(englishTexts, &parts); err != nil {
		panic("wording: english.json: " + err.Error())
	}
	for name, part := range parts {
		if !slices.Contains([]string{"labels", "desk", "mails"}, name) {
			parts[name] = translateIn(part, say)
		}
	}
	var own bytes.Buffer
	encoder := json.NewEncoder(&own)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(parts) // what was JSON can be JSON again
	return own.Bytes()
}

func translateIn(part any, say func(english string) string) any {
	switch part := part.(type) {
	case string:
		return say(part)
	case []any:
		for i := range part {
			part[i] = translateIn(part[i], say)
		}
	case map[string]any:
		for name := range part {
			part[name] = translateIn(part[name], say)
		}
	}
	return part
}
