package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"milaan/domain"
	"milaan/ports"
)

//go:embed pages.css logo.svg *.html
var pageFiles embed.FS

// The pages need no script and no other host; their one style sheet is inline
// and admitted by its hash. The templates are read when the first page is made:
// the commands make none.
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
		"'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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

// render fills one of the page templates.
func render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// staticAnswer is a body that may be kept by whoever asked for it and is
// revalidated by its hash.
type staticAnswer struct {
	contentType string
	body        []byte
	etag        string
}

func newStaticAnswer(contentType string, body []byte) staticAnswer {
	return staticAnswer{contentType: contentType, body: body, etag: `"` + base64Sum(string(body))[:22] + `"`}
}

func newPage(body []byte) staticAnswer { return newStaticAnswer("text/html; charset=utf-8", body) }

func (a staticAnswer) serve(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", a.etag)
	if strings.HasPrefix(a.contentType, "text/html") {
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "no-referrer")
	}
	if strings.Contains(c.GetHeader("If-None-Match"), a.etag) {
		c.Status(http.StatusNotModified)
		return
	}
	c.Data(http.StatusOK, a.contentType, a.body)
}

// homeHandler serves the first page: what this is, the sample reconciled, and
// how to call the API. The sample is constant, so it is run once; a failure is
// not remembered.
func homeHandler(demo ports.Demo, words ports.Wording) gin.HandlerFunc {
	var (
		mu     sync.Mutex
		sample template.HTML
	)
	rendered := func(ctx context.Context) (template.HTML, error) {
		mu.Lock()
		defer mu.Unlock()
		if sample != "" {
			return sample, nil
		}
		outcome, err := demo.Sample(ctx)
		if err != nil {
			return "", err
		}
		defer outcome.Release()
		html, err := render("sample.html", newSampleView(outcome.Tally, outcome, words))
		sample = template.HTML(html) // escaped by its own template
		return sample, err
	}
	return func(c *gin.Context) {
		table, err := rendered(c.Request.Context())
		if err != nil {
			_ = c.Error(fmt.Errorf("home page: %w", err))
			return
		}
		page, err := render("home.html", struct {
			Base   string
			Sample template.HTML
		}{baseAddress(c.Request), table})
		if err != nil {
			_ = c.Error(err)
			return
		}
		newPage(page).serve(c)
	}
}

// baseAddress is how the visitor reached the service, so that the commands on
// the page can be copied as they stand. It trusts the request, and is shown to
// nobody but the one who sent it.
func baseAddress(r *http.Request) string {
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// findings is what the page reads of an outcome.
type findings interface {
	Len() int
	Result(i int) domain.Result
	Reason(i int) domain.Reason
}

// sampleView is the reconciled sample in the words and figures of the page.
type sampleView struct {
	Orders, FlaggedOrders, SettledOrders int

	Due, Remitted, AtRisk string
	Flags                 []flagView
	Flagged, Settled      []rowView // worst first
}

// flagView is one flag's share of the orders: a segment of a bar that is 1000
// units wide.
type flagView struct {
	Flag        string
	Count       int
	From, Width int
}

type rowView struct {
	Flag, Reason            string
	Order, AWB, Status      string
	Due, Remitted, Shortage string
	DaysOverdue             int

	flag  domain.Flag
	short domain.Paise
}

func newSampleView(t domain.Tally, f findings, words ports.Wording) sampleView {
	v := sampleView{
		Orders:        t.Orders,
		FlaggedOrders: t.Flags.Flagged(),
		SettledOrders: t.Orders - t.Flags.Flagged(),
		Due:           t.Due.String(),
		Remitted:      t.Remitted.String(),
		AtRisk:        t.AtRisk.String(),
	}
	seen := 0
	for _, flag := range domain.Flags() {
		if n := t.Flags[flag]; n > 0 {
			from := seen * 1000 / t.Orders
			seen += n
			v.Flags = append(v.Flags, flagView{Flag: flag.String(), Count: n, From: from, Width: seen*1000/t.Orders - from})
		}
	}
	for i := range f.Len() {
		r, why := f.Result(i), f.Reason(i)
		row := rowView{
			Flag: r.Flag.String(), Reason: string(words.AppendReason(nil, &why)),
			Order: string(r.OrderID), AWB: string(r.AWB), Status: r.Status,
			Due: r.Due.String(), Remitted: r.Remitted.String(), Shortage: r.Shortfall.String(),
			DaysOverdue: r.DaysOverdue, flag: r.Flag, short: r.Shortfall,
		}
		if r.Flag.Settled() {
			v.Settled = append(v.Settled, row)
		} else {
			v.Flagged = append(v.Flagged, row)
		}
	}
	worstFirst := func(a, b rowView) int {
		return cmp.Or(cmp.Compare(a.flag, b.flag), cmp.Compare(b.short, a.short))
	}
	slices.SortStableFunc(v.Flagged, worstFirst)
	slices.SortStableFunc(v.Settled, worstFirst)
	return v
}
