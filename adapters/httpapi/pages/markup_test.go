package pages

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// TestTextsOfOthersStayTexts holds that what users, buyers and addresses bring into a page changes
// nothing of it but a text: a page with a hostile text is the page with a harmless one, in which
// the escaped text stands instead.
func TestTextsOfOthersStayTexts(t *testing.T) {
	const harmless = "qqqq"
	pages := map[string]func(text string) []byte{
		"search":  indexPage,
		"base":    func(text string) []byte { return homePage(english, text, "") },
		"mails":   func(text string) []byte { return Unsubscription{Email: text}.page() },
		"ended":   func(text string) []byte { return Unsubscription{Email: text, Done: true}.page() },
		"chapter": func(text string) []byte { return described(english, text, text, markupf("<p>%v</p>", text)) },
		"sample": func(text string) []byte {
			row := verdict.Result{OrderID: []byte(text), AWB: []byte(text), Status: text, Flag: domain.Missing}
			return homePage(english, "", sampleOf(english, domain.Tally{Orders: 1}, findingList{row}, words{}))
		},
	}
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			want := string(page(harmless))
			require.Contains(t, want, harmless)
			for _, hostile := range []string{
				`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' autofocus onfocus='alert(1)`, `</title></style><b>`,
				`--><svg/onload=alert(1)>`, `&lt;b&gt; & &#34;`, `javascript:alert(1)`, `%v %s %!d(MISSING) %[9]v`, `{{.Base}}`, "₹ मिलान",
			} {
				got := string(page(hostile))
				require.Equal(t, want, strings.ReplaceAll(got, html.EscapeString(hostile), harmless), hostile)
			}
			require.NotContains(t, string(page("a\x00b")), "\x00")
		})
	}
}

// TestHostileRequestsAreEscaped sees the same in the answers.
func TestHostileRequestsAreEscaped(t *testing.T) {
	const hostile = `"><script>alert('1')</script>`
	index := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL.RawQuery = url.Values{"q": {hostile}}.Encode()
		pagesOf(t, nil).Guide.Index(w, r)
	}))
	mails := httptest.NewRecorder()
	ServeUnsubscription(mails, Unsubscription{Email: hostile, Digests: true})
	home := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.NoError(t, pagesOf(t, &emptySample{}).Home(w, r, "https://"+hostile, "en"))
	}))
	for name, answer := range map[string]*httptest.ResponseRecorder{"index": index, "mails": mails, "home": home} {
		require.Equal(t, pageType, answer.Header().Get("Content-Type"), name)
		require.NotContains(t, answer.Body.String(), "<script", name)
		require.Contains(t, answer.Body.String(), html.EscapeString(hostile), name)
	}
}
