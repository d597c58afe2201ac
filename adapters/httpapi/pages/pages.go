package pages

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // the style sheet and the logo
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"milaan/adapters/httpapi/compress"
	"milaan/adapters/httpapi/pages/examples"
	"milaan/ports"
	"milaan/ports/peers"
)

// Pages are the documents of the service.
type Pages struct {
	Description     http.Handler // openapi.json
	DescriptionYAML http.Handler // openapi.yaml
	Docs            http.Handler // the description as a page to read
	Overview        http.Handler // llms.txt
	Postman         http.Handler // all calls, as a collection
	Bruno           http.Handler // the same for Bruno, as an archive
	Guide           *Guide
	home            home
}

// language is that in which a page is written. say has the translation of an English text.
type language struct {
	code   string
	say    func(english string) string
	others []peers.Language
}

var english = language{code: "en-IN", say: func(text string) string { return text }}

// languageOf returns the language with a code; English if there is none.
func languageOf(all peers.Languages, code string) language {
	in := english
	for _, l := range all.All() {
		switch {
		case l.Code != code:
			in.others = append(in.others, l)
		case code != "en":
			var texts map[string]string
			_ = json.Unmarshal(all.Pages(code), &texts) // what has no translation stays English
			in.code, in.say = code, func(text string) string { return cmp.Or(texts[text], text) }
		}
	}
	return in
}

// New makes the documents for the couriers of the catalogue. The description and the page
// that shows it are made when they are first asked for: filling in the one takes some
// milliseconds of each start, and rendering the other as long as the whole start.
func New(couriers ports.Couriers, demo ports.Demo, languages peers.Languages) *Pages {
	text := sync.OnceValue(func() []byte { return mustDescribe(couriers.Catalogue()) })
	collection := func() examples.Collection { return mustRead(text()).collection() }
	return &Pages{
		Description:     newText("application/json; charset=utf-8", text),
		DescriptionYAML: newText("application/yaml", func() []byte { return mustYAML(text()) }),
		Docs:            newPage(func() []byte { return mustRead(text()).page() }),
		Overview:        newText("text/plain; charset=utf-8", overview),
		Postman:         newText("application/json; charset=utf-8", func() []byte { return examples.Postman(collection()) }),
		Bruno:           newText("application/zip", func() []byte { return examples.Bruno(collection()) }),
		Guide:           newGuide(),
		home:            home{demo: demo, languages: languages},
	}
}

// newText serves a document for programs, which is made when it is first asked for.
func newText(mediaType string, write func() []byte) http.Handler {
	document := sync.OnceValue(func() *compress.Document { return compress.NewDocument(mediaType, write()) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { document().ServeHTTP(w, r) })
}

// newPage serves a page that is rendered when it is first asked for.
func newPage(render func() []byte) http.Handler {
	page := newText(pageType, render)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setPageHeaders(w.Header(), pagePolicy)
		page.ServeHTTP(w, r)
	})
}

const pageType = "text/html; charset=utf-8"

func setPageHeaders(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// The pages need no script and no other host. Their one style sheet is inline, and the policy
// admits it by its hash.
var (
	//go:embed pages.css
	styleFile string
	//go:embed logo.svg
	logoFile string

	pageStyle = strings.TrimSpace(styleFile)
	pageLogo  = strings.TrimSpace(logoFile)
	// formPolicy is that of a page whose form leads to itself.
	formPolicy = strings.Replace(pagePolicy, "form-action 'none'", "form-action 'self'", 1)
	pagePolicy = "default-src 'none'; style-src 'sha256-" + base64Sum(pageStyle) +
		"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)

func base64Sum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// frame is a whole page. more is for its head, beside its title.
func frame(in language, title string, more, body markup) []byte {
	return []byte(markupf(`<!DOCTYPE html>
<html lang="%v">
<head>
<title>%v</title>
%v<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml;base64,%v">
<style>%v</style>
</head>
<body>
<a class="skip" href="#main">%v</a>
<header class="top"><div class="wide">
<a class="brand" href="/">%v<span>Milaan</span><span class="hindi" lang="hi">मिलान</span></a>
<nav aria-label="Milaan"><a href="/docs">%v</a><a href="/docs/guide">%v</a><a href="/openapi.json">OpenAPI</a>
<a href="/app/sign-in">%v</a>%v</nav>
</div></header>
%v</body>
</html>
`, in.code, title, more, base64.StdEncoding.EncodeToString([]byte(pageLogo)), markup(pageStyle), in.say("Skip to the content"), markup(pageLogo),
		in.say("Documentation"), in.say("Guide"), in.say("Sign in"), each(in.others, func(other peers.Language) markup {
			return markupf(`<a href="/?lang=%[1]v" lang="%[1]v" hreflang="%[1]v">%v</a>`, other.Code, other.Name)
		}), body))
}

// described is a page that search engines may list, with its foot.
func described(in language, title, about string, body markup) []byte {
	return frame(in, title, markupf("<meta name=\"description\" content=\"%v\">\n", about), markupf(`%v
<footer class="bottom"><div class="wide"><p>%v</p></div></footer>
`, body, in.say("Milaan keeps only counts and sums of the files that it compares. All data on this page is invented.")))
}
