package wording

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports/glue"
)

// serviceTexts lists the English texts of the service that have words.
func serviceTexts() (all []string) {
	english().translate(func(text string) string {
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
	for code, language := range readTranslations() {
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
	for code, language := range readTranslations() {
		for text, own := range language.Service {
			require.Equal(t, valuesOf(text), valuesOf(own), "%s.json: %q", code, text)
		}
	}
}

func TestWhatHasNoTranslationStaysEnglish(t *testing.T) {
	none := read(translation{}.of(english()))
	require.Equal(t, New().AppendError(nil, domain.ErrNoKey, nil), none.AppendError(nil, domain.ErrNoKey, nil))
	some := read(translation{Service: map[string]string{"the account has no API key: create one": "कुंजी नहीं"}}.of(english()))
	require.Equal(t, "कुंजी नहीं", string(some.AppendError(nil, domain.ErrNoKey, nil)))
}

func TestLanguagesAreFoundByTheirCodes(t *testing.T) {
	l := NewLanguages(New())
	require.Equal(t, []glue.Language{{Code: "en", Name: "English"}, {Code: "hi", Name: "हिन्दी"}}, l.All())
	require.Same(t, l.In("en"), l.In("xx"))
	require.NotSame(t, l.In("en"), l.In("hi"))
	require.Same(t, l.In("hi"), l.In("hi"))
	require.Nil(t, l.Pages("en"))
	require.Contains(t, string(l.Pages("hi")), `"Sign in":"साइन इन करें"`)
}
