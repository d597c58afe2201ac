package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"milaan/adapters/httpapi/compress"
	"milaan/ports"
	"milaan/ports/peers"
)

// Pages are the documents of the service.
type Pages struct {
	Description http.Handler // openapi.json
	Docs        http.Handler // the description as a page to read
	Guide       *Guide
	home        home
}

// New makes the documents for the couriers of the catalogue. The description and the page
// that shows it are made when they are first asked for: filling in the one takes some
// milliseconds of each start, and rendering the other as long as the whole start.
func New(couriers ports.Couriers, demo ports.Demo, words peers.Wording) *Pages {
	text := sync.OnceValue(func() []byte { return mustDescribe(couriers.Catalogue()) })
	description := sync.OnceValue(func() *compress.Document { return compress.NewDocument("application/json; charset=utf-8", text()) })
	return &Pages{
		Description: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { description().ServeHTTP(w, r) }),
		Docs:        newPage(func() []byte { return mustRenderDocs(text()) }),
		Guide:       newGuide(),
		home:        home{demo: demo, words: words},
	}
}

// newPage serves a page that is rendered when it is first asked for.
func newPage(render func() []byte) http.Handler {
	page := sync.OnceValue(func() *compress.Document { return compress.NewDocument(pageType, render()) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setPageHeaders(w.Header(), pagePolicy)
		page().ServeHTTP(w, r)
	})
}

const pageType = "text/html; charset=utf-8"

func setPageHeaders(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
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
	// formPolicy is that of a page whose form leads to itself.
	formPolicy = strings.Replace(pagePolicy, "form-action 'none'", "form-action 'self'", 1)
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
