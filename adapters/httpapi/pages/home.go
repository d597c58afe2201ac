package pages

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"milaan/adapters/httpapi/compress"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// home is the home page. Its sample never changes, so it is reconciled only once; after a
// failure it is tried again.
type home struct {
	demo  ports.Demo
	words peers.Wording

	mu   sync.Mutex
	base string
	page *compress.Document // for base; nil: not rendered so far
}

// unknownBase stands for the address of a service that does not know its own.
const unknownBase = "https://milaan.example"

// Home answers with the home page: what the service does, the reconciled sample, and how to
// call the API at base, the service's address, which hardly ever changes; blank: not known. If it
// returns an error, it has written nothing.
func (p *Pages) Home(w http.ResponseWriter, r *http.Request, base string) error {
	page, err := p.home.rendered(r.Context(), cmp.Or(base, unknownBase))
	if err != nil {
		return fmt.Errorf("home page: %w", err)
	}
	setPageHeaders(w.Header(), pagePolicy)
	page.ServeHTTP(w, r)
	return nil
}

func (h *home) rendered(ctx context.Context, base string) (*compress.Document, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.page != nil && h.base == base {
		return h.page, nil
	}
	run, err := h.demo.Sample(ctx)
	if err != nil {
		return nil, err
	}
	defer run.Release()
	h.base, h.page = base, compress.NewDocument(pageType, homePage(base, sampleOf(run.Tally, run, h.words)))
	return h.page, nil
}

func homePage(base string, sample markup) []byte {
	return described("Milaan: did the courier pay you for every order?", "Milaan compares a shop's orders export with a courier's "+
		"remittance report and flags every cash-on-delivery order whose money did not arrive in full.", markupf(`<main id="main" class="wide">
<section class="hero">
<h1>Did the courier pay you for every order?</h1>
<p class="lead">Milaan (<span lang="hi">मिलान</span>, Hindi for tallying accounts) compares your shop’s orders export with `+
		`the courier’s remittance report and flags every cash-on-delivery order whose money did not arrive in full.</p>
<p class="actions"><a class="button" href="/app">Reconcile your own files</a>`+
		`<a class="button quiet" href="/app/results?sample">Open the sample in the dashboard</a></p>
<p class="aside">Drop the export and the reports there, as they are. If the service is not on your own machine, it asks you to sign `+
		`in first. Programs use the API, which the <a href="/docs">documentation</a> describes.</p>
</section>
%v
<section id="call" aria-labelledby="call-title">
<div class="section-head"><h2 id="call-title">Call it</h2>
<p>For programs: JSON in, JSON out. Every field, limit and error is in the <a href="/docs">documentation</a>, and for tools in `+
		`<a href="/openapi.json"><code>openapi.json</code></a>.</p></div>
<ol class="steps">
<li><h3>Try the sample</h3><p>No account, no key.</p>
<pre tabindex="0"><code>curl %[2]v/demo</code></pre></li>
<li><h3>Get a key</h3><p>Create it in the <a href="/app/keys">dashboard</a>, or on the command line, where whoever runs the service `+
		`makes an account and a session token. The key is shown once, and a new one replaces it.</p>
<pre tabindex="0"><code>./milaan account create --email accounts@shop.example --plan pro
SESSION=$(./milaan session --email accounts@shop.example | tail -n 1)
KEY=$(curl -s -X POST %[2]v/generate-api-key -H "Authorization: Bearer $SESSION" -H 'Content-Type: application/json' `+
		`| sed 's/.*"key":"\([^"]*\)".*/\1/')</code></pre></li>
<li><h3>Reconcile your files</h3><p>The orders export and the courier’s report, as they are. Milaan finds the columns by itself.</p>
<pre tabindex="0"><code>./milaan request orders.csv remittance.csv | curl -s -X POST %[2]v/reconcile `+
		`-H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' --data-binary @-</code></pre></li>
</ol>
<p class="aside">No server needed for a single look: <code>./milaan reconcile orders.csv remittance.csv</code> prints the same results.</p>
</section>
</main>`, sample, base))
}

// findings is what the page reads of a finished run.
type findings interface {
	Len() int
	Result(i int) verdict.Result
	Reason(i int) domain.Reason
}

// sampleOf shows a run, the worst of its orders first.
func sampleOf(t domain.Tally, f findings, words peers.Wording) markup {
	var bar, legend markup // the bar is 1000 units wide, and each flag has a segment of it
	seen := 0
	for _, flag := range domain.Flags() {
		if n := t.Flags[flag]; n > 0 {
			from := seen * 1000 / t.Orders
			seen += n
			bar += markupf(`<rect class="f-%v" x="%v" y="0" width="%v" height="14"/>`, flag, from, seen*1000/t.Orders-from)
			legend += markupf(`<li><span class="dot f-%[1]v"></span><b>%[2]v</b> %[1]v</li>`, flag, n)
		}
	}
	type row struct {
		flag  domain.Flag
		short domain.Paise
		markup
	}
	var rows []row
	for i := range f.Len() {
		r, why := f.Result(i), f.Reason(i)
		rows = append(rows, row{r.Flag, r.Shortfall, rowOf(&r, string(words.AppendReason(nil, &why)))})
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.flag, b.flag), cmp.Compare(b.short, a.short)) })
	var flagged, settled markup
	for _, r := range rows {
		if r.flag.IsFlagged() {
			flagged += r.markup
		} else {
			settled += r.markup
		}
	}
	need := t.Flags.Flagged()
	return markupf(`<section class="sample" aria-labelledby="sample-title">
<div class="section-head"><h2 id="sample-title">A sample, reconciled</h2>
<p>%[1]v orders of an invented shop, February and March 2026. The same answer as <a href="/demo"><code>GET /demo</code></a>.</p></div>
<dl class="totals">
<div><dt>Due</dt><dd>%[2]v</dd><dd class="note">cash on delivery, %[1]v orders</dd></div>
<div><dt>Remitted</dt><dd>%[3]v</dd><dd class="note">paid out to the shop so far</dd></div>
<div class="risk"><dt>At risk</dt><dd>%[4]v</dd><dd class="note">%[5]v of %[1]v orders need a look</dd></div>
</dl>
<svg class="bar" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">%[6]v</svg>
<ul class="legend" aria-label="Orders per flag">%[7]v</ul>
%[8]v
<details><summary>%[9]v orders with nothing to do</summary>
%[10]v</details>
</section>
`, t.Orders, t.Due, t.Remitted, t.AtRisk, need, bar, legend, table(need, "that need a look", flagged),
		t.Orders-need, table(t.Orders-need, "with nothing to do", settled))
}

func table(n int, which string, rows markup) markup {
	return markupf(`<div class="scroll" role="region" tabindex="0" aria-label="Orders %[2]v"><table>
<caption>%[1]v orders %[2]v</caption>
<thead><tr><th scope="col">Order</th><th scope="col">Flag</th><th scope="col">Reason</th><th scope="col" class="n">Due</th>`+
		`<th scope="col" class="n">Remitted</th><th scope="col" class="n">Shortfall</th><th scope="col" class="n">Days overdue</th>`+
		`<th scope="col">AWB</th></tr></thead>
<tbody>%[3]v</tbody></table></div>`, n, which, rows)
}

func rowOf(r *verdict.Result, reason string) markup {
	days, awb := markup(`<span class="none">0</span>`), markup(`<span class="none">none</span>`)
	if r.DaysOverdue > 0 {
		days = markupf("%v", r.DaysOverdue)
	}
	if len(r.AWB) > 0 {
		awb = markupf("%v", string(r.AWB))
	}
	return markupf(`<tr><th scope="row">%v%v</th><td><span class="flag f-%[3]v">%[3]v</span></td><td class="reason">%v</td>`+
		`<td class="n">%v</td><td class="n">%v</td><td class="n strong">%v</td><td class="n">%v</td><td class="awb">%v</td></tr>
`, string(r.OrderID), when(r.Status != "fulfilled", markupf(" <small>%v</small>", r.Status)), r.Flag, reason,
		r.Due, r.Remitted, r.Shortfall, days, awb)
}
