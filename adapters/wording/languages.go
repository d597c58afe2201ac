package wording

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"milaan/ports/glue"
)

// A language other than English is one file, named by its code: the translation of each
// English text of the service, and of each English text of the pages. What has no
// translation stays English. Texts of the service keep the notation of sentence.go, with
// the same values.
//
//go:embed languages/*.json
var translations embed.FS

// translation is the file of a language.
type translation struct {
	Name           string            `json:"name"` // in the language itself
	ZeroIsSingular bool              `json:"zero is singular"`
	Service        map[string]string `json:"service"`
	Pages          map[string]string `json:"pages"`
}

// Languages has the words of all languages. It fills glue.Languages.
type Languages struct{ known func() languages }

type languages struct {
	all   []glue.Language
	words map[string]func() *Catalogue
	pages map[string][]byte
}

// NewLanguages returns the languages that the pages speak. Their files are read when the first
// of them is asked for, and the sentences of each when it is.
func NewLanguages() *Languages { return &Languages{known: sync.OnceValue(readLanguages)} }

func readLanguages() languages {
	l := languages{all: []glue.Language{{Code: "en", Name: "English"}}, pages: map[string][]byte{},
		words: map[string]func() *Catalogue{"en": sync.OnceValue(func() *Catalogue { return readForPages(english()) })}}
	for code, t := range readTranslations() {
		l.all = append(l.all, glue.Language{Code: code, Name: t.Name})
		l.words[code] = sync.OnceValue(func() *Catalogue { return readForPages(t.of(english())) })
		l.pages[code], _ = json.Marshal(t.Pages) // texts can always be encoded
	}
	slices.SortFunc(l.all[1:], func(a, b glue.Language) int { return strings.Compare(a.Code, b.Code) })
	return l
}

// readForPages is read for people who look at pages, and not for programs.
func readForPages(l language) *Catalogue {
	c := read(l)
	c.spellsDays = true
	return c
}

func (l *Languages) All() []glue.Language { return l.known().all }

func (l *Languages) In(code string) glue.Wording { return l.of(code) }

func (l *Languages) Names(code string) glue.Names { return pageNames{l.of(code)} }

func (l *Languages) Settings(code string) glue.SettingWords { return l.of(code) }

// of returns the words of the language with a code; English if there is none.
func (l *Languages) of(code string) *Catalogue {
	words := l.known().words
	if own, known := words[code]; known {
		return own()
	}
	return words["en"]()
}

func (l *Languages) Pages(code string) []byte { return l.known().pages[code] }

// readTranslations reads the files of all languages by their codes. A file that cannot be
// read is a mistake of the program, and stops it.
func readTranslations() map[string]translation {
	files, err := translations.ReadDir("languages")
	if err != nil {
		panic(err) // it is embedded
	}
	all := map[string]translation{}
	for _, file := range files {
		var t translation
		text, err := translations.ReadFile("languages/" + file.Name())
		if err == nil {
			err = json.Unmarshal(text, &t)
		}
		if err != nil {
			panic(fmt.Sprintf("wording: %s: %v", file.Name(), err))
		}
		all[strings.TrimSuffix(file.Name(), ".json")] = t
	}
	return all
}

// of returns a table of words with the texts of the translation.
func (t translation) of(l language) language {
	if t.ZeroIsSingular {
		l.singular = func(n int) bool { return n == 0 || n == 1 }
	}
	return l.translate(func(english string) string {
		if own, has := t.Service[english]; has {
			return own
		}
		return english
	})
}

// translate returns the table with say of each text. What a courier reads of a dispute stays
// English, as the letter is.
func (l language) translate(say func(english string) string) language {
	all := func(texts []string) {
		for i := range texts {
			texts[i] = say(texts[i])
		}
	}
	in := func(t text) text {
		t = slices.Clone(t)
		all(t)
		return t
	}
	each := func(texts []text) {
		for i := range texts {
			texts[i] = in(texts[i])
		}
	}
	l.separator, l.colon, l.only, l.reads, l.blank, l.itsName = say(l.separator), say(l.colon), say(l.only), say(l.reads), say(l.blank), say(l.itsName)
	for _, pair := range []*[2]string{&l.brackets, &l.quotes, &l.list, &l.or, &l.cut} {
		all(pair[:])
	}
	all(l.files[:])
	all(l.months[:])
	all(l.phrases[:])
	l.pages = l.pages.translate(say)
	l.types = translateMap(l.types, say)
	each(l.figures[:])
	each(l.unlisted[:])
	each(l.causes[:])
	each(l.advice[:])
	l.window, l.listed = in(l.window), in(l.listed)
	l.guidance = slices.Clone(l.guidance)
	each(l.guidance)
	l.notes = translateMap(l.notes, in)
	l.warnings = translateMap(l.warnings, in)
	l.about = in(l.about)
	l.faults = translateMap(l.faults, func(f faultText) faultText { return faultText{in(f.wrong), in(f.remedy)} })
	l.errors = translateMap(l.errors, in)
	l.fields = translateMap(l.fields, in)
	l.sourceName = say(l.sourceName)
	l.connections = translateMap(l.connections, in)
	l.connectors = translateMap(l.connectors, func(w connectorWords) connectorWords { return w.translate(say) })
	return l
}

func translateMap[K comparable, T any](from map[K]T, say func(T) T) map[K]T {
	into := make(map[K]T, len(from))
	for key, t := range from {
		into[key] = say(t)
	}
	return into
}
