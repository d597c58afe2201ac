package pages

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// emptySample is a demo whose sample has no orders, for what does not depend
// on them.
type emptySample struct {
	mu             sync.Mutex
	runs, released int
	err            error
}

func (d *emptySample) Demo(context.Context, string) (*ports.FinishedRun, error) {
	return nil, errors.New("a page is not counted towards the demo's rate")
}

func (d *emptySample) Sample(context.Context) (*ports.FinishedRun, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runs++
	if d.err != nil {
		return nil, d.err
	}
	return ports.NewFinishedRun(&verdict.Reconciliation{}, domain.Run{}, domain.Mapping{}, func() { d.released++ }), nil
}

// findingList is findings by hand; a finding's reason is its order's name.
type findingList []verdict.Result

func (l findingList) Len() int                    { return len(l) }
func (l findingList) Result(i int) verdict.Result { return l[i] }
func (l findingList) Reason(i int) domain.Reason  { return domain.Reason{Other: l[i].OrderID} }

type words struct{ peers.Wording }

func (words) AppendReason(dst []byte, r *domain.Reason) []byte { return append(dst, r.Other...) }

// languages are English and one into which a single text is translated.
type languages struct{ peers.Languages }

func (languages) All() []peers.Language {
	return []peers.Language{{Code: "en", Name: "English"}, {Code: "hi", Name: "हिन्दी"}}
}
func (languages) In(string) peers.Wording { return words{} }
func (languages) Pages(string) []byte     { return []byte(`{"Due":"देय"}`) }

func finding(order string, flag domain.Flag, short domain.Paise) verdict.Result {
	return verdict.Result{OrderID: []byte(order), AWB: []byte("19041200300137"), Due: 12999950, Shortfall: short, Flag: flag, Status: "fulfilled"}
}

func TestSampleShowsTheWorstOfEachFlag(t *testing.T) {
	list := findingList{
		finding("#1", domain.Reconciled, 0),
		finding("#2", domain.Overpaid, -500),
		finding("#3", domain.Missing, 100),
		finding("#4", domain.AwaitingNextCycle, 0),
		finding("#5", domain.Missing, 900),
		finding("#6", domain.Reconciled, 0),
	}
	tally := domain.Tally{Orders: len(list), Due: 77999700, AtRisk: 1000}
	for _, f := range list {
		tally.Flags[f.Flag]++
	}
	whole := string(sampleOf(english, tally, list, words{}))

	page := whole
	for _, in := range []string{
		"₹7,79,997.00", "Orders that need a look: 3 of 6",
		`<rect class="f-MISSING" x="0" y="0" width="333" height="14"/><rect class="f-OVERPAID" x="333" y="0" width="167" height="14"/>` +
			`<rect class="f-RECONCILED" x="500" y="0" width="333" height="14"/><rect class="f-AWAITING_NEXT_CYCLE" x="833" y="0" width="167" height="14"/>`,
		"<b>2</b> Missing",
		"the order that lacks most", ">#5<", "₹1,29,999.50", ">#2<", "-₹5.00", ">#1<", ">#4<",
	} {
		_, rest, found := strings.Cut(page, in)
		require.True(t, found, in)
		page = rest
	}
	require.NotContains(t, whole, ">#3<")
}

// homeOf is the first page, of which no failure is expected.
func homeOf(t *testing.T, p *Pages) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.NoError(t, p.Home(w, r, "http://127.0.0.1:8080", "en"))
	})
}

func TestHomeRunsTheSampleOnceAndReleasesIt(t *testing.T) {
	demo := &emptySample{}
	h := homeOf(t, pagesOf(t, demo))
	for range 3 {
		w := served(t, h)
		require.Equal(t, http.StatusOK, w.Code)
		require.Contains(t, w.Body.String(), "मिलान")
		require.Contains(t, w.Body.String(), "curl http://127.0.0.1:8080/demo")
		require.Contains(t, w.Body.String(), "<dt>Due</dt>")
		require.Contains(t, w.Body.String(), `href="/docs"`)
		require.Contains(t, w.Body.String(), `href="/openapi.json"`)
	}
	require.Equal(t, 1, demo.runs)
	require.Equal(t, 1, demo.released)
}

func TestHomePassesAFailureOnAndTriesAgain(t *testing.T) {
	demo := &emptySample{err: errors.New("no memory")}
	p := pagesOf(t, demo)
	w := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { require.ErrorIs(t, p.Home(w, r, "", "en"), demo.err) }))
	require.Empty(t, w.Body.String())

	demo.err = nil
	require.Contains(t, served(t, homeOf(t, p)).Body.String(), "Sample results")
	require.Equal(t, 2, demo.runs)
}

func TestHomeNamesTheAddressOfTheService(t *testing.T) {
	p := pagesOf(t, &emptySample{})
	for base, shown := range map[string]string{"https://milaan.shop.example": "https://milaan.shop.example", "": "https://milaan.example"} {
		w := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { require.NoError(t, p.Home(w, r, base, "en")) }))
		require.Contains(t, w.Body.String(), "<code>curl "+shown+"/demo</code>")
	}
}

// TestHomeSpeaksTheLanguageOfItsReader holds that what has no translation stays English, and that each language leads to the others.
func TestHomeSpeaksTheLanguageOfItsReader(t *testing.T) {
	p := pagesOf(t, &emptySample{})
	for code, shown := range map[string][]string{
		"en": {`<html lang="en-IN">`, "<dt>Due</dt>", `<a href="/?lang=hi" lang="hi" hreflang="hi">हिन्दी</a>`},
		"hi": {`<html lang="hi">`, "<dt>देय</dt>", "<dt>Remitted</dt>", `<a href="/?lang=en" lang="en" hreflang="en">English</a>`},
		"xx": {`<html lang="en-IN">`, "<dt>Due</dt>"},
	} {
		w := served(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { require.NoError(t, p.Home(w, r, "", code)) }))
		require.Contains(t, w.Header().Values("Vary"), "Accept-Language")
		for _, text := range shown {
			require.Contains(t, w.Body.String(), text, code)
		}
	}
	p.home.languages = nil // the texts are read for the first reader of a language alone
	require.NoError(t, p.Home(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil), "", "hi"))
}

var (
	foreignHost = regexp.MustCompile(`(?i)(?:src|href|action)\s*=\s*"(?:https?:)?//`)
	inlineStyle = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
)

// TestPagesAreSelfContained holds that the pages work under their own strict
// policy: no script, no other host, the one style sheet admitted by its hash.
func TestPagesAreSelfContained(t *testing.T) {
	p := pagesOf(t, &emptySample{})
	for name, h := range map[string]http.Handler{"home": homeOf(t, p), "docs": p.Docs} {
		t.Run(name, func(t *testing.T) {
			w := served(t, h)
			html := w.Body.String()
			require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
			require.NotContains(t, html, "<script")
			require.NotContains(t, html, " style=")
			require.NotRegexp(t, `(?i)\son[a-z]+=`, html)
			require.NotRegexp(t, foreignHost, html)
			require.NotRegexp(t, `url\(|@import`, html)
			require.Contains(t, html, `<html lang="en-IN">`)

			styles := inlineStyle.FindAllStringSubmatch(html, -1)
			require.Len(t, styles, 1)
			sum := sha256.Sum256([]byte(styles[0][1]))
			policy := w.Header().Get("Content-Security-Policy")
			require.Contains(t, policy, "default-src 'none'")
			require.Contains(t, policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
			require.NotContains(t, policy, "unsafe")

			again := served(t, h, "If-None-Match", w.Header().Get("ETag"))
			require.Equal(t, http.StatusNotModified, again.Code)
		})
	}
}

// TestHomeSaysWhatTheReadmeSays holds that both lead through the same four
// commands, word by word but for the files.
func TestHomeSaysWhatTheReadmeSays(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	readme := strings.NewReplacer("couriers/testdata/delhivery/payout.orders.csv", "orders.csv",
		"couriers/testdata/delhivery/payout.csv", "remittance.csv").Replace(string(text))
	page := served(t, homeOf(t, pagesOf(t, &emptySample{}))).Body.String()
	steps := 0
	for _, block := range regexp.MustCompile(`(?s)<pre[^>]*><code>(.*?)</code></pre>`).FindAllStringSubmatch(page, -1) {
		for _, command := range strings.Split(html.UnescapeString(block[1]), "\n") {
			if !strings.HasSuffix(command, "/demo") {
				require.Contains(t, readme, "\n"+command+"\n")
				steps++
			}
		}
	}
	require.Equal(t, 4, steps)
}

// TestDocsShowEverything holds that nothing of the description is lost on the
// page.
func TestDocsShowEverything(t *testing.T) {
	html := served(t, pagesOf(t, nil).Docs).Body.String()
	doc := loadedDescription(t)
	for p, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			require.Contains(t, html, `id="`+op.OperationID+`"`, "%s %s", method, p)
			require.Contains(t, html, "<code>"+p+"</code>")
		}
	}
	for event, item := range doc.Webhooks {
		require.Contains(t, html, `id="`+item.Post.OperationID+`"`, event)
		require.Contains(t, html, ">Event "+event+"</a>", "it is no path of ours")
		for _, p := range item.Post.Parameters {
			require.Contains(t, html, "<code>"+p.Value.Name+"</code>")
		}
	}
	for name, s := range doc.Components.Schemas {
		require.Contains(t, html, `id="shape-`+name+`"`)
		for field := range s.Value.Properties {
			require.Contains(t, html, "<code>"+field+"</code>")
		}
	}
	for _, text := range []string{"26,214,400", "Rate limit exceeded", "From 1 to 30.", "string (date)", "string (date) or null", "array of BatchResult", "<h4>Headers</h4>", "429 Too Many Requests", "pigeon_post",
		`>CycleGuidance</a> <span class="must">required</span></span></th><td><p>How far the courier`} {
		require.Contains(t, html, text)
	}
	for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(html, -1) {
		require.Contains(t, html, `id="`+link[1]+`"`, "a link that leads nowhere")
	}
	require.NotContains(t, html, "**")
	require.NotContains(t, html, "## ")

	var view apiDocument
	require.NoError(t, json.Unmarshal([]byte(writtenDescription), &view))
	require.Equal(t, "/reconcile", view.Paths[0].Name, "members keep their order")
	require.Equal(t, "awb", view.Components.Schemas.get("OrderResult").Properties[0].Name)
}

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"One.\n\nTwo `a<b`.":     "<p>One.</p><p>Two <code>a&lt;b</code>.</p>",
		"**Rate.** 10 & more":    "<p><strong>Rate.</strong> 10 &amp; more</p>",
		"Either:\n\n- `a`\n- b":  "<p>Either:</p><ul><li><code>a</code></li><li>b</li></ul>",
		"## A < b\n\nOne.":       `<h2 id="guide-a-b">A &lt; b</h2><p>One.</p>`,
		"`<img src=x onerror=1>": "<p>`<!-- raw HTML omitted --></p>",
	} {
		require.Equal(t, want, strings.ReplaceAll(string(prose(text)), "\n", ""), strings.TrimSpace(text))
	}
}
