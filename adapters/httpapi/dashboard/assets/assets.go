// Package assets has the files that browsers get of the dashboard, and the list of its
// pages. The files are made of the sources in dashboard/ui by go generate, and a test
// fails if they are not what the sources give.
package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ../bundle/write ../ui dist

//go:embed dist
var dist embed.FS

// At is the path below which the files are served.
const At = "/app/assets/"

// Pages are the routes that answer with the page. Its script reads from the address what
// is to be shown.
var Pages = []string{
	"/app", "/app/mapping", "/app/results", "/app/history", "/app/history/:id", "/app/compare",
	"/app/autopilot", "/app/autopilot/:id", "/app/mappings",
	"/app/keys", "/app/webhooks", "/app/branding", "/app/account", "/app/people", "/app/security",
	"/app/setup", "/app/invitation", "/app/sign-in",
}

// policy lets the page run the scripts and styles that it came with and nothing else. No
// script may make elements of text, so that a text of a file can never become one.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Packing compresses files for the clients that accept it.
type Packing struct {
	Accepted func(*http.Request) bool
	Small    func(text []byte) []byte // in gzip
}

// Assets are the files, ready to be served.
type Assets struct {
	// Files are the handlers of the files by their names, which follow At.
	Files map[string]http.Handler
	page  file
}

// New prepares the files. They are compressed when they are first asked for.
func New(packing Packing) *Assets {
	a := &Assets{Files: map[string]http.Handler{}}
	entries, err := dist.ReadDir("dist")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, e := range entries {
		text, err := dist.ReadFile("dist/" + e.Name())
		if err != nil {
			panic(err) // it is embedded
		}
		if e.Name() == "index.html" {
			a.page = newFile(e.Name(), text, packing)
			continue
		}
		a.Files[e.Name()] = Text(e.Name(), text, packing)
	}
	return a
}

// Page answers with the page, and with status, which is 200, or 404 for an address that is
// no page: the page says so then.
func (a *Assets) Page(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setPageHeaders(w.Header())
		a.page.serve(w, r, status)
	})
}

// Text serves a text as the files are served. The end of name says what it is.
func Text(name string, text []byte, packing Packing) http.Handler {
	f := newFile(name, text, packing)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, http.StatusOK) })
}

func setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
}

// file is a file that browsers keep and revalidate by its hash, which is another one for
// the compressed file.
type file struct {
	contentType, etag string // the etag without its quotes
	text              []byte
	packing           Packing
	packed            func() []byte
}

// types are the media types of the files, because those that the system knows differ
// between machines.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json; charset=utf-8",
}

func newFile(name string, text []byte, packing Packing) file {
	sum := sha256.Sum256(text)
	return file{
		contentType: types[path.Ext(name)], etag: base64.RawURLEncoding.EncodeToString(sum[:15]), text: text, packing: packing,
		packed: sync.OnceValue(func() []byte { return packing.Small(text) }),
	}
}

func (f file) serve(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	packs := false
	if f.packing.Accepted != nil {
		h.Set("Vary", "Accept-Encoding")
		packs = f.packing.Accepted(r)
	}
	etag := `"` + f.etag + `"`
	if packs {
		etag = `"` + f.etag + `-gzip"`
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	if status == http.StatusOK {
		h.Set("ETag", etag)
		if strings.Contains(r.Header.Get("If-None-Match"), etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", f.contentType)
	body := f.text
	if packs {
		h.Set("Content-Encoding", "gzip")
		body = f.packed()
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // it fails only if the client has left
}
