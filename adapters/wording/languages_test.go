package wording

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports/peers"
)

// serviceTexts lists the English texts of the service that have words.
func serviceTexts() (all []string) {
	translate(func(text string) string {
		if strings.ContainsFunc(text, unicode.IsLetter) && !slices.Contains(all, text) {
			all = append(all, text)
		}
		return text
	})
	return all
}

func TestEveryTextOfTheServiceIsTranslated(t *testing.T) {
	texts := serviceTexts()
	require.Greater(t, len(texts), 200)
	for code, file := range translationFiles() {
		language := readTranslation(file)
		for _, text := range texts {
			if language.Service[text] == "" {
				t.Errorf("%s.json does not translate %q", code, text)
			}
		}
		for text := range language.Service {
			if strings.ContainsFunc(text, unicode.IsLetter) && !slices.Contains(texts, text) {
				t.Errorf("%s.json translates %q, which nobody says", code, text)
			}
		}
	}
}

var valueOfText = regexp.MustCompile(`\{([^{|}]+)`)

// A translation says what the English text says: it has the same values and is left out
// for the same readers.
func TestTranslationsHaveTheValuesOfTheirTexts(t *testing.T) {
	valuesOf := func(text string) (names []string) {
		for _, found := range valueOfText.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, found[1]) {
				names = append(names, found[1])
			}
		}
		slices.Sort(names)
		return names
	}
	for code, file := range translationFiles() {
		language := readTranslation(file)
		for text, own := range language.Service {
			require.Equal(t, valuesOf(text), valuesOf(own), "%s.json: %q", code, text)
		}
	}
}

// The program itself reads them in the quickest way, which passes over what it does not know.
func TestEveryTextHasAPlace(t *testing.T) {
	var words fixedWords
	var found labels
	var mails mailTexts
	var connectors map[domain.Connector]connectorWords
	for name, into := range map[string]any{"words": &words, "labels": &found, "mails": &mails, "connectors": &connectors} {
		d := json.NewDecoder(bytes.NewReader(english(name)))
		d.DisallowUnknownFields()
		require.NoError(t, d.Decode(into), name)
	}
	names := func(object []byte) (all []string) {
		for name := range entries(object) {
			all = append(all, name)
		}
		return all
	}
	require.ElementsMatch(t, []string{"words", "reasons", "guidance", "warnings", "about", "files", "errors", "fields", "connections",
		"connectors", "labels", "desk", "mails"}, names(englishTexts))
	require.ElementsMatch(t, []string{"phrases", "figures", "window", "unlisted", "causes", "notes", "advice", "listed"}, names(english("reasons")))
	require.ElementsMatch(t, []string{"flags", "notes", "shared_money", "reminder", "dispute"}, names(english("desk")))
	for _, fault := range entries(english("files")) {
		require.Subset(t, []string{"wrong", "remedy"}, names(fault))
	}
}

// entries takes english.json, and what is translated, for what a decoder takes them for.
func TestEntriesAreReadAsJSON(t *testing.T) {
	var same func(want map[string]any, object []byte)
	same = func(want map[string]any, object []byte) {
		n := 0
		for name, entry := range entries(object) {
			n++
			var got any
			require.NoError(t, json.Unmarshal(entry, &got), "%s", entry)
			require.Equal(t, want[name], got)
			if within, is := got.(map[string]any); is {
				same(within, entry)
			}
		}
		require.Len(t, want, n)
	}
	for _, texts := range [][]byte{englishTexts, translate(func(english string) string { return "<" + english + ">" })} {
		var all map[string]any
		require.NoError(t, json.Unmarshal(texts, &all))
		same(all, texts)
	}
}

// A mistake in words that are read late stops the program too, so here all are read.
func TestEveryLanguageCanBeRead(t *testing.T) {
	l := NewLanguages()
	for _, language := range l.All() {
		c := l.of(language.Code)
		require.NotEmpty(t, c.desk().flags[domain.ShortPaid], language.Code)
		require.NotEmpty(t, c.faults().of, language.Code)
		require.NotEmpty(t, c.guidance(), language.Code)
		require.NotEmpty(t, c.connectors(), language.Code)
		for name := range entries(english("warnings")) {
			require.NotEmpty(t, c.warnings(domain.WarningCode(name)), language.Code)
		}
		for name := range entries(english("errors")) {
			require.NotEmpty(t, c.errors(readErrorKind(name)), language.Code)
		}
		for name := range entries(english("fields")) {
			require.NotEmpty(t, c.fields(readFaultKind(name)), language.Code)
		}
		for name := range entries(english("connections")) {
			require.NotEmpty(t, c.connections(readConnectorKind(name)), language.Code)
		}
	}
}

func TestTextsAreReadAsJSON(t *testing.T) {
	for _, as := range []string{`""`, `"one"`, `["one"]`, `[ "one, two" ,"[{three}]" ]`, `"a \"quoted\" one"`, `["tab\t", "₹\u0031"]`} {
		var got, want text
		require.NoError(t, json.Unmarshal([]byte(as), &got))
		if json.Unmarshal([]byte(as), (*[]string)(&want)) != nil {
			want = make(text, 1)
			require.NoError(t, json.Unmarshal([]byte(as), &want[0]))
		}
		require.Equal(t, want, got, as)
	}
	require.Error(t, json.Unmarshal([]byte(`{"a": "b"}`), new(text)))
}

func TestWhatHasNoTranslationStaysEnglish(t *testing.T) {
	none := translation{}.read()
	require.Equal(t, New().Message(domain.ErrNoKey, nil), none.Message(domain.ErrNoKey, nil))
	some := translation{Service: map[string]string{"the account has no API key: create one": "कुंजी नहीं"}}.read()
	require.Equal(t, "कुंजी नहीं", some.Message(domain.ErrNoKey, nil))
}

func TestLanguagesAreFoundByTheirCodes(t *testing.T) {
	l := NewLanguages()
	require.Equal(t, []peers.Language{{Code: "en", Name: "English"}, {Code: "hi", Name: "हिन्दी"}}, l.All())
	require.Same(t, l.In("en"), l.In("xx"))
	require.NotSame(t, l.In("en"), l.In("hi"))
	require.Same(t, l.In("hi"), l.In("hi"))
	require.Nil(t, l.Pages("en"))
	require.Contains(t, string(l.Pages("hi")), `"Sign in":"साइन इन करें"`)
}

// Pages write days as people in India do; programs get them as they always did.
func TestDaysOnPagesHaveTheNamesOfTheirMonths(t *testing.T) {
	l := NewLanguages()
	for day, want := range map[string][2]string{
		"2026-03-05": {"5 Mar 2026", "5 मार्च 2026"}, "2026-12-31": {"31 Dec 2026", "31 दिस॰ 2026"}, "2026-09-10": {"10 Sept 2026", "10 सित॰ 2026"},
	} {
		at, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		d := domain.DayOf(at)
		require.Equal(t, day, string(New().appendDay(nil, d)))
		require.Equal(t, want[0], string(l.of("en").appendDay(nil, d)))
		require.Equal(t, want[1], string(l.of("hi").appendDay(nil, d)))
	}
	require.Empty(t, string(l.of("en").appendDay(nil, domain.NoDay)))
	full := domain.ErrRunCap(10, domain.BillingCycle(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), 21), time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	require.Equal(t, "the runs of this month (10) are used up: the next cycle begins on 21 Dec 2026", l.In("en").Message(full, l.Names("en")))
}
