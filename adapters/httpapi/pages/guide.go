package pages

import (
	"bytes"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"milaan/adapters/guide"
)

// Guide are the pages of the guide.
type Guide struct{ chapters map[string]http.Handler }

func newGuide() *Guide {
	g := &Guide{chapters: map[string]http.Handler{}}
	for _, c := range guide.Chapters() {
		g.chapters[c.Topic] = newPage(func() []byte { return mustRenderChapter(c) })
	}
	return g
}

// Chapter answers with a chapter, or returns false if there is none of that topic.
func (g *Guide) Chapter(w http.ResponseWriter, r *http.Request, topic string) bool {
	page, found := g.chapters[topic]
	if found {
		page.ServeHTTP(w, r)
	}
	return found
}

// longestQuery is how many bytes of a query are looked for.
const longestQuery = 200

// Index answers with the list of chapters or, if the address has a query q, with the sections
// that have its words.
func (g *Guide) Index(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query().Get("q")
	q = strings.ToValidUTF8(q[:min(len(q), longestQuery)], "")
	v := guideView{Query: q, Chapters: guide.Chapters()}
	for _, s := range guide.Search(q) {
		hit := hitView{Title: s.Title, Heading: s.Heading, Address: "/docs/guide/" + s.Topic}
		if s.Heading != "" {
			hit.Address += "#" + forgeID(s.Heading)
		}
		v.Found = append(v.Found, hit)
	}
	page, err := render("guide.html", v)
	if err != nil {
		panic(err) // the template is broken, which its test would have found
	}
	h := w.Header()
	h.Set("Content-Type", pageType)
	h.Set("Cache-Control", "no-cache")
	setPageHeaders(h, formPolicy)
	_, _ = w.Write(page) // it fails only if the client has left
}

// The data of the templates.
type (
	guideView struct {
		Query    string
		Found    []hitView
		Chapters []guide.Chapter
	}
	hitView     struct{ Title, Heading, Address string }
	chapterView struct {
		guide.Chapter
		HTML     template.HTML
		Chapters []guide.Chapter
	}
)

// chapters turns chapters into HTML. Headings have the ids by which the forge knows them too.
var chapters = sync.OnceValue(func() goldmark.Markdown { return newMarkdown(forgeID) })

// newMarkdown turns texts into HTML, and passes no HTML of theirs on. id gives a heading its id.
func newMarkdown(id func(heading string) string) goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(links{id}, 100))))
}

func mustRenderChapter(c guide.Chapter) []byte {
	var b bytes.Buffer
	if err := chapters().Convert([]byte(c.Markdown), &b); err != nil {
		panic(err) // it writes into memory
	}
	scrolling := strings.NewReplacer("<table>", `<div class="scroll" role="region" tabindex="0" aria-label="Table"><table>`, "</table>",
		"</table></div>", "<pre>", `<pre tabindex="0">`)
	text := template.HTML(scrolling.Replace(b.String())) //nolint:gosec // of our own chapters
	page, err := render("chapter.html", chapterView{c, text, guide.Chapters()})
	if err != nil {
		panic(err)
	}
	return page
}

// forgeID returns the id by which the forge knows a heading, so that links between chapters are
// the same there.
func forgeID(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// links gives headings their ids, makes links between chapters those between pages, and
// leaves out the comments that mark what tests run.
type links struct{ id func(heading string) string }

func (l links) Transform(document *ast.Document, reader text.Reader, _ parser.Context) {
	var marks []ast.Node
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.SetAttributeString("id", []byte(l.id(string(n.Lines().Value(reader.Source())))))
		case *ast.Link:
			if u, err := url.Parse(string(n.Destination)); err == nil && u.Host == "" && strings.HasSuffix(u.Path, ".md") {
				u.Path = "/docs/guide/" + strings.TrimSuffix(u.Path, ".md")
				n.Destination = []byte(u.String())
			}
		case *ast.HTMLBlock:
			marks = append(marks, n)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range marks {
		n.Parent().RemoveChild(n.Parent(), n)
	}
}
