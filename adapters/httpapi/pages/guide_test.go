package pages

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/guide"
)

// chapter is the answer to a request for a chapter.
func chapter(t *testing.T, g *Guide, topic string) *httptest.ResponseRecorder {
	t.Helper()
	return served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { require.True(t, g.Chapter(w, r, topic)) }))
}

// TestChaptersArePages holds that every chapter is a page under the strict policy, whose links
// lead to other pages of the guide, and whose marks for tests are not shown.
func TestChaptersArePages(t *testing.T) {
	g := pagesOf(t, nil).Guide
	linked := regexp.MustCompile(`href="(/docs/guide/[^"#]+)(?:#([^"]+))?"`)
	for _, c := range guide.Chapters() {
		w := chapter(t, g, c.Topic)
		html := w.Body.String()
		require.Equal(t, pagePolicy, w.Header().Get("Content-Security-Policy"))
		require.NotContains(t, html, "<!-- ", c.Topic)
		require.NotContains(t, html, "raw HTML omitted", c.Topic)
		require.NotContains(t, html, " style=", c.Topic)
		require.NotContains(t, html, `.md"`, c.Topic)
		for _, found := range linked.FindAllStringSubmatch(html, -1) {
			there := chapter(t, g, found[1][len("/docs/guide/"):])
			if found[2] != "" {
				require.Contains(t, there.Body.String(), `id="`+found[2]+`"`, "%s links to %s", c.Topic, found[0])
			}
		}
	}
	require.False(t, g.Chapter(nil, nil, "nothing"))
	require.False(t, g.Chapter(nil, nil, "nothing.md"))
	require.Contains(t, chapter(t, g, "commands").Body.String(), `<a href="/docs/guide/accounts#people">people</a>`)
}

// TestProgramsReadTheGuide holds that programs find each chapter, and read it as it was written.
func TestProgramsReadTheGuide(t *testing.T) {
	p := pagesOf(t, nil)
	overview := served(t, p.Overview)
	require.Equal(t, "text/plain; charset=utf-8", overview.Header().Get("Content-Type"))
	found := regexp.MustCompile(`\(/docs/guide/([^)]+)\)`).FindAllStringSubmatch(overview.Body.String(), -1)
	require.Len(t, found, len(guide.Chapters()))
	for i, c := range guide.Chapters() {
		w := chapter(t, p.Guide, found[i][1])
		require.Equal(t, "text/markdown; charset=utf-8", w.Header().Get("Content-Type"))
		require.Equal(t, c.Markdown(), w.Body.String())
	}
}

func TestTheGuideIsSearched(t *testing.T) {
	g := pagesOf(t, nil).Guide
	search := func(q string) *httptest.ResponseRecorder {
		return served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.URL.RawQuery = url.Values{"q": {q}}.Encode()
			g.Index(w, r)
		}))
	}
	w := search("six digits phone")
	require.Contains(t, w.Body.String(), `<a href="/docs/guide/accounts#phone-numbers">Accounts, people and billing: Phone numbers</a>`)
	require.Contains(t, w.Header().Get("Content-Security-Policy"), "form-action 'self'")
	require.Contains(t, search("").Body.String(), `<a href="/docs/guide/verdict">`)
	hostile := search(`"><script>alert(1)</script>` + string(make([]byte, 300)) + "\xff").Body.String()
	require.NotContains(t, hostile, "<script")
	require.Contains(t, hostile, "0 sections")
}
