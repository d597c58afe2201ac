// Package assets has the files that browsers get of the dashboard, and the list of its
// pages. The files are made of the sources in dashboard/ui by go generate, and a test
// fails if they are not what the sources give.
package assets

import (
	"embed"
	"net/http"
	"path"

	"milaan/adapters/httpapi/compress"
)

//go:generate go run ../bundle/write ../ui dist

//go:embed dist
var dist embed.FS

// At is the path below which the files are served. A page that could not load one of them asks
// for it below Again: at the first path, a browser would not try again.
const (
	At    = "/app/assets/"
	Again = At + "again/:failures/"
)

// Pages are the routes that answer with the page. Its script reads from the address what
// is to be shown.
var Pages = []string{
	"/app", "/app/mapping", "/app/results", "/app/history", "/app/history/:id", "/app/compare",
	"/app/autopilot", "/app/autopilot/:id", "/app/autopilot/:id/open-items", "/app/mappings",
	"/app/keys", "/app/webhooks", "/app/branding", "/app/books", "/app/account", "/app/people", "/app/security",
	"/app/setup", "/app/invitation", "/app/sign-in",
}

// policy lets the page run the scripts and styles that it came with and nothing else. No
// script may make elements of text, so that a text of a file can never become one.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Assets are the files, ready to be served.
type Assets struct {
	// Files are the handlers of the files by their names, which follow At.
	Files map[string]http.Handler
	page  *compress.Document
}

// New prepares the files.
func New() *Assets {
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
		file := compress.NewDocument(types[path.Ext(e.Name())], text)
		if e.Name() == "index.html" {
			a.page = file
			continue
		}
		a.Files[e.Name()] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
			file.ServeHTTP(w, r)
		})
	}
	return a
}

// Page answers with the page, and with status, which is 200, or 404 for an address that is
// no page: the page says so then.
func (a *Assets) Page(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setPageHeaders(w.Header())
		a.page.Serve(w, r, status)
	})
}

func setPageHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// types are the media types of the files, because those that the system knows differ
// between machines.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}
