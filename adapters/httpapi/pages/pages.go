package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"milaan/ports"
	"milaan/ports/glue"
)

// Pages are the documents of the service.
type Pages struct {
	Description http.Handler // openapi.json
	Docs        http.Handler // the description as a page to read
	Guide       *Guide
	home        home
}

// Packing compresses documents for the clients that accept it. The zero value compresses
// none.
type Packing struct {
	Accepted func(*http.Request) bool
	Small    func(text []byte) []byte // in gzip
}

// New makes the documents for the couriers of the catalogue. The description and the page
// that shows it are made when they are first asked for: filling in the one takes some
// milliseconds of each start, and rendering the other as long as the whole start.
func New(couriers ports.Couriers, demo ports.Demo, words glue.Wording, packing Packing) *Pages {
	text := sync.OnceValue(func() []byte { return mustDescribe(couriers.Catalogue()) })
	description := sync.OnceValue(func() document { return newDocument("application/json; charset=utf-8", text(), packing) })
	docs := sync.OnceValue(func() document { return newPage(mustRenderDocs(text()), packing) })
	return &Pages{
		Description: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { description().ServeHTTP(w, r) }),
		Docs:        http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { docs().ServeHTTP(w, r) }),
		Guide:       newGuide(packing),
		home:        home{demo: demo, words: words},
	}
}

// document is a body that clients may cache. They revalidate it by its hash, which is
// another one for the compressed body.
type document struct {
	contentType, policy string // a blank policy: the one of all answers
	body                []byte
	packing             Packing
	packed              func() []byte
	etag                string // without its quotes
}

func newDocument(contentType string, body []byte, packing Packing) document {
	return document{
		contentType: contentType, body: body, etag: base64Sum(string(body))[:22], packing: packing,
		packed: sync.OnceValue(func() []byte { return packing.Small(body) }),
	}
}

func newPage(body []byte, packing Packing) document {
	page := newDocument("text/html; charset=utf-8", body, packing)
	page.policy = pagePolicy
	return page
}

func (d document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	packs := false
	if d.packing.Accepted != nil {
		h.Set("Vary", "Accept-Encoding")
		packs = d.packing.Accepted(r)
	}
	etag := `"` + d.etag + `"`
	if packs {
		etag = `"` + d.etag + `-gzip"`
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	if d.policy != "" {
		h.Set("Content-Security-Policy", d.policy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	if strings.Contains(r.Header.Get("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", d.contentType)
	body := d.body
	if packs {
		h.Set("Content-Encoding", "gzip")
		body = d.packed()
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // it fails only if the client has left
}

//go:embed pages.css logo.svg *.html
var pageFiles embed.FS

// The pages need no script and no other host. Their one style sheet is inline, and the policy
// admits it by its hash. The templates are parsed when the first page is rendered, because
// most commands render none.
var (
	pageStyle     = mustRead("pages.css")
	pageLogo      = mustRead("logo.svg")
	pageTemplates = sync.OnceValue(func() *template.Template {
		return template.Must(template.New("pages").Funcs(template.FuncMap{
			"prose": prose,
			"style": func() template.HTML { return template.HTML("<style>" + pageStyle + "</style>") },
			"logo":  func() template.HTML { return template.HTML(pageLogo) },
			"icon": func() template.URL {
				return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(pageLogo)))
			},
		}).ParseFS(pageFiles, "*.html"))
	})
	pagePolicy = "default-src 'none'; style-src 'sha256-" + base64Sum(pageStyle) +
		"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)

func mustRead(name string) string {
	text, err := pageFiles.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return strings.TrimSpace(string(text))
}

func base64Sum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// render executes one of the page templates.
func render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return b.Bytes(), nil
}
