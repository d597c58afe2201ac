package pages

import (
	"bytes"
	"fmt"
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
	"milaan/domain"
)

// Guide are the pages of the guide.
type Guide struct{ chapters map[string]http.Handler }

func newGuide() *Guide {
	g := &Guide{chapters: map[string]http.Handler{}}
	for _, c := range guide.Chapters() {
		g.chapters[c.Topic] = newPage(func() []byte { return mustRenderChapter(c) })
		g.chapters[c.Topic+".md"] = newText("text/markdown; charset=utf-8", func() []byte { return []byte(c.Markdown()) })
	}
	return g
}

// overview is what a program that reads texts, such as a language model, should know first, and where the rest
// is. Its form is that of llmstxt.org.
func overview() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Milaan

> Milaan compares a shop's orders export with couriers' remittance reports, order by order, and says for each
> cash-on-delivery order with exactly one flag whether the money came, and if not, what to do.

Amounts are rupees with at most two decimals. Flags: %v.
POST /reconcile takes the two files as texts in JSON, POST /reconcile/files as a form. POST /inspect
says what files are before that. GET /demo is a sample that needs no key.

## API

- [Description](/openapi.json): every path, field, limit and error, as OpenAPI 3.1, also as [YAML](/openapi.yaml)
- [The same, for reading](/docs), with an example of each call in curl, Go, TypeScript and Python
- The same calls as collections: [for Postman](/docs/milaan.postman_collection.json), [for Bruno](/docs/milaan.bruno.zip)

## Guide

`, strings.Trim(fmt.Sprint(domain.Flags()), "[]"))
	for _, c := range guide.Chapters() {
		fmt.Fprintf(&b, "- [%s](/docs/guide/%s.md)\n", c.Title, c.Topic)
	}
	return b.Bytes()
}

// Chapter answers with a chapter, as a page or, if the topic ends in .md, as its Markdown. It returns
// false if there is none of that topic.
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
	h := w.Header()
	h.Set("Content-Type", pageType)
	h.Set("Cache-Control", "no-cache")
	setPageHeaders(h, formPolicy)
	_, _ = w.Write(indexPage(q)) // it fails only if the client has left
}

func indexPage(q string) []byte {
	found := guide.Search(q)
	sections := "sections"
	if len(found) == 1 {
		sections = "section"
	}
	hit := func(s guide.Section) markup {
		address, title := "/docs/guide/"+s.Topic, s.Title
		if s.Heading != "" {
			address += "#" + forgeID(s.Heading)
			title += ": " + s.Heading
		}
		return markupf("<li><a href=\"%v\">%v</a></li>\n", address, title)
	}
	return described(english, "Guide: Milaan", "How Milaan decides, and how it is used and run.", markupf(`<div class="wide">
<main id="main" class="guide">
<h1>Guide</h1>
<form action="/docs/guide" role="search"><label for="q">Search the guide</label> `+
		`<input id="q" name="q" type="search" maxlength="200" value="%v"> <button>Search</button></form>
%v<h2>Chapters</h2>
<ul>%v</ul>
</main>
</div>`, q, when(q != "", markupf(`<h2>%v %v with “%v”</h2>
<ul>%v</ul>
`, len(found), sections, q, each(found, hit))), linksTo("")))
}

// linksTo are the links to the chapters. here is the topic of the one that is shown.
func linksTo(here string) markup {
	return each(guide.Chapters(), func(c guide.Chapter) markup {
		return markupf("<li><a href=\"/docs/guide/%v\"%v>%v</a></li>\n", c.Topic, when(c.Topic == here, ` aria-current="page"`), c.Title)
	})
}

// chapters turns chapters into HTML. Headings have the ids by which the forge knows them too.
var chapters = sync.OnceValue(func() goldmark.Markdown { return newMarkdown(forgeID) })

// newMarkdown turns texts into HTML, and passes no HTML of theirs on. id gives a heading its id.
func newMarkdown(id func(heading string) string) goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(links{id}, 100))))
}

func mustRenderChapter(c guide.Chapter) []byte {
	var b bytes.Buffer
	if err := chapters().Convert([]byte(c.Markdown()), &b); err != nil {
		panic(err) // it writes into memory
	}
	scrolling := strings.NewReplacer("<table>", `<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>`, "</table>",
		"</table></div>", "<pre>", `<pre tabindex="0">`)
	return described(english, c.Title+": Milaan", "A chapter of Milaan's guide.", markupf(`<div class="wide docs">
<nav aria-label="Chapters">
<h2><a href="/docs/guide">Guide</a></h2>
<ul>%v</ul>
</nav>
<main id="main" class="chapter">
%v
</main>
</div>`, linksTo(c.Topic), markup(scrolling.Replace(b.String()))))
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
