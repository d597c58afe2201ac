package assets_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard/assets"
	"milaan/adapters/httpapi/dashboard/bundle"
	"milaan/tests/only"
)

// TestTheFilesAreWhatTheSourcesGive holds that nobody changes the sources, or the files,
// without the other.
func TestTheFilesAreWhatTheSourcesGive(t *testing.T) {
	for name, want := range bundle.Made() {
		got := only.Value(os.ReadFile(filepath.Join("..", "ui", name)))(t)
		require.Equal(t, string(want), string(got), "run: go generate ./adapters/httpapi/dashboard/assets")
	}
	made := only.Value(bundle.Files("../ui"))(t)
	kept := only.Value(os.ReadDir("dist"))(t)
	require.Len(t, kept, len(made), "run: go generate ./adapters/httpapi/dashboard/assets")
	for name, want := range made {
		got := only.Value(os.ReadFile("dist/" + name))(t)
		require.True(t, bytes.Equal(want, got), "dist/%s is not what the sources give: run go generate ./adapters/httpapi/dashboard/assets", name)
	}
}

// The budget of a first visit, in bytes on the wire: a phone on a slow network gets it in
// two seconds.
const (
	mostFirst = 40 << 10 // of script, until the first screen can be used
	mostVisit = 83 << 10 // in all, with the screens that are fetched after it
	// The screens of the autopilot, and those of the account and its people, are scripts of
	// their own, which are fetched when one of their screens is opened: that is not on a
	// first visit.
	mostScript = 87 << 10 // with the autopilot's
	mostOpened = 13 << 10 // each of them
)

// opened are the scripts that are fetched when one of their screens is opened.
var opened = []string{"autopilot.js", "settings.js"}

func TestAFirstVisitIsSmall(t *testing.T) {
	a := assets.New()
	page := get(a.Page(http.StatusOK), "gzip").Body.Len()
	index := get(a.Page(http.StatusOK), "").Body.String()
	first, script, visit := 0, 0, page
	for name, h := range a.Files {
		n := get(h, "gzip").Body.Len()
		if path.Ext(name) == ".js" && name != "settings.js" {
			script += n
			if strings.Contains(index, `"`+assets.At+name+`"`) {
				first += n
			}
		}
		if slices.Contains(opened, name) {
			require.LessOrEqual(t, n, mostOpened, name)
			continue
		}
		visit += n
	}
	t.Logf("first script: %d bytes, all scripts: %d bytes, first visit in all: %d bytes", first, script, visit)
	require.Greater(t, first, 10<<10, "the page names its scripts")
	require.LessOrEqual(t, first, mostFirst)
	require.LessOrEqual(t, script, mostScript)
	require.LessOrEqual(t, visit, mostVisit)
}

func TestAFileIsRevalidatedByItsHash(t *testing.T) {
	a := assets.New()
	for name, h := range a.Files {
		plain, packed := get(h, ""), get(h, "gzip")
		require.Equal(t, "no-cache", plain.Header().Get("Cache-Control"), name)
		require.NotEmpty(t, plain.Header().Get("Content-Type"), name)
		require.NotEqual(t, plain.Header().Get("ETag"), packed.Header().Get("ETag"), name)
		require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"), name)
		unpacked := only.Value(gzip.NewReader(packed.Body))(t)
		require.True(t, bytes.Equal(plain.Body.Bytes(), only.Value(io.ReadAll(unpacked))(t)), name)

		r := httptest.NewRequest(http.MethodGet, assets.At+name, nil)
		r.Header.Set("If-None-Match", plain.Header().Get("ETag"))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, http.StatusNotModified, w.Code, name)
		require.Empty(t, w.Body.Bytes(), name)
	}
}

func TestThePageHasTheStrictPolicy(t *testing.T) {
	a := assets.New()
	for _, status := range []int{http.StatusOK, http.StatusNotFound} {
		w := get(a.Page(status), "")
		require.Equal(t, status, w.Code)
		require.Equal(t, "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "+
			"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
			w.Header().Get("Content-Security-Policy"))
		require.Equal(t, "same-origin", w.Header().Get("Cross-Origin-Opener-Policy"))
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
		require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
	}
	require.Empty(t, get(a.Page(http.StatusNotFound), "").Header().Get("ETag"), "a browser would keep the page as that of a good address")
}

func get(h http.Handler, accepts string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", accepts)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestThePagesVerifySignaturesAsTheGuideDoes holds that the examples on the webhooks' screen
// are those of the guide, which are run by its own test.
func TestThePagesVerifySignaturesAsTheGuideDoes(t *testing.T) {
	chapter := only.Value(os.ReadFile("../../../guide/chapters/webhooks.md"))(t)
	shown := only.Value(os.ReadFile("../ui/screens/verify.ts"))(t)
	for _, language := range []string{"go", "js", "python"} {
		_, after, found := strings.Cut(string(chapter), "<!-- verify "+language+" -->\n```"+language+"\n")
		require.True(t, found, language)
		example, _, found := strings.Cut(after, "\n```")
		require.True(t, found, language)
		require.Contains(t, string(shown), "`"+example+"`", "ui/screens/verify.ts differs from the guide in %s", language)
	}
}
