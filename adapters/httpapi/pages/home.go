package pages

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"milaan/adapters/httpapi/compress"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// home is the home page. Its sample never changes, so it is reconciled only once for each
// language; after a failure it is tried again.
type home struct {
	demo      ports.Demo
	languages peers.Languages

	mu    sync.Mutex
	base  string
	pages map[string]*compress.Document // for base, by language
}

// unknownBase stands for the address of a service that does not know its own.
const unknownBase = "https://milaan.example"

// Home answers with the home page: what the service does, the reconciled sample, and how to
// call the API at base, the service's address, which hardly ever changes; blank: not known. It is
// in the language with a code; English if there is none. If it returns an error, it has written
// nothing.
func (p *Pages) Home(w http.ResponseWriter, r *http.Request, base, code string) error {
	page, err := p.home.rendered(r.Context(), cmp.Or(base, unknownBase), code)
	if err != nil {
		return fmt.Errorf("home page: %w", err)
	}
	setPageHeaders(w.Header(), pagePolicy)
	w.Header().Add("Vary", "Accept-Language")
	page.ServeHTTP(w, r)
	return nil
}

func (h *home) rendered(ctx context.Context, base, code string) (*compress.Document, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.base != base {
		h.base, h.pages = base, map[string]*compress.Document{}
	}
	if page := h.pages[code]; page != nil { // reading a language's texts takes some milliseconds
		return page, nil
	}
	in := languageOf(h.languages, code)
	if page := h.pages[in.code]; page != nil {
		return page, nil
	}
	run, err := h.demo.Sample(ctx)
	if err != nil {
		return nil, err
	}
	defer run.Release()
	h.pages[in.code] = compress.NewDocument(pageType, homePage(in, base, sampleOf(in, run.Tally, run, h.languages.In(in.code))))
	return h.pages[in.code], nil
}

func homePage(in language, base string, sample markup) []byte {
	say := in.say
	question, about := say("Did the courier pay you for every order?"),
		say("Milaan compares your shop’s orders export with the courier’s remittance report.")+" "+
			say("It flags every cash-on-delivery order whose money did not arrive in full.")
	step := func(title, about, commands string, values ...any) markup {
		return markupf(`<li><h3>%v</h3><p>%v</p>
<pre tabindex="0"><code>%v</code></pre></li>
`, title, about, markupf(commands, values...))
	}
	return described(in, "Milaan: "+question, about, markupf(`<main id="main" class="wide">
<section class="hero">
<h1>%v</h1>
<p class="lead">%v</p>
<p class="actions"><a class="button" href="/app">%v</a><a class="button quiet" href="/app/results?sample">%v</a></p>
<p class="aside">%v</p>
</section>
%v
<section id="call" aria-labelledby="call-title">
<div class="section-head"><h2 id="call-title">%v</h2>
<p>%v</p></div>
<ol class="steps">
%v</ol>
<p class="aside">%v <code>./milaan reconcile orders.csv remittance.csv</code></p>
</section>
</main>`, question, about, say("Reconcile your own files"), say("See the sample"),
		say("Drop the export and the reports there, as they are. A service that is not on your machine asks you to sign in first."),
		sample, say("For programs"), say("JSON in, JSON out. Every field, limit and error is in the documentation."),
		step(say("Try the sample"), say("No account, no key."), "curl %v/demo", base)+
			step(say("Get a key"),
				say("Create it in the dashboard, under API keys, or on the command line. It is shown once, and a new one replaces it."),
				`./milaan account create --email accounts@shop.example --plan pro
SESSION=$(./milaan session --email accounts@shop.example | tail -n 1)
KEY=$(curl -s -X POST %v/generate-api-key -H "Authorization: Bearer $SESSION" -H 'Content-Type: application/json' `+
					`| sed 's/.*"key":"\([^"]*\)".*/\1/')`, base)+
			step(say("Reconcile your files"), say("The orders export and the courier’s report, as they are. Milaan finds the columns by itself."),
				`./milaan request orders.csv remittance.csv | curl -s -X POST %v/reconcile `+
					`-H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' --data-binary @-`, base),
		say("No server is needed for a single look. This command prints the same results:")))
}

// findings is what the page reads of a finished run.
type findings interface {
	Len() int
	Result(i int) verdict.Result
	Reason(i int) domain.Reason
}

// sampleOf shows the figures of a run, and of each flag the order that lacks most.
func sampleOf(in language, t domain.Tally, f findings, words peers.Wording) markup {
	var bar, legend markup // the bar is 1000 units wide, and each flag has a segment of it
	seen := 0
	for _, flag := range domain.Flags() {
		if n := t.Flags[flag]; n > 0 {
			from := seen * 1000 / t.Orders
			seen += n
			bar += markupf(`<rect class="f-%v" x="%v" y="0" width="%v" height="14"/>`, flag, from, seen*1000/t.Orders-from)
			legend += markupf(`<li><span class="dot f-%v"></span><b>%v</b> %v</li>`, flag, n, in.flag(flag))
		}
	}
	worst := map[domain.Flag]int{}
	for i := range f.Len() {
		r := f.Result(i)
		if w, seen := worst[r.Flag]; !seen || r.Shortfall > f.Result(w).Shortfall {
			worst[r.Flag] = i
		}
	}
	var rows markup
	for _, flag := range slices.Sorted(maps.Keys(worst)) {
		r, why := f.Result(worst[flag]), f.Reason(worst[flag])
		rows += rowOf(in, &r, string(words.AppendReason(nil, &why)))
	}
	say := in.say
	count := func(text string) string {
		return strings.NewReplacer("{n}", strconv.Itoa(t.Flags.Flagged()), "{all}", strconv.Itoa(t.Orders)).Replace(text)
	}
	return markupf(`<section class="sample" aria-labelledby="sample-title">
<div class="section-head"><h2 id="sample-title">%v</h2>
<p>%v</p></div>
<dl class="totals">
<div><dt>%v</dt><dd>%v</dd><dd class="note">%v</dd></div>
<div><dt>%v</dt><dd>%v</dd><dd class="note">%v</dd></div>
<div class="risk"><dt>%v</dt><dd>%v</dd><dd class="note">%v</dd></div>
</dl>
<svg class="bar" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">%v</svg>
<ul class="legend" aria-label="%v">%v</ul>
<table>
<caption>%v</caption>
<thead><tr>%v</tr></thead>
<tbody>%v</tbody></table>
</section>
`, say("Sample results"), say("The orders of an invented shop, February and March 2026."),
		say("Due"), t.Due.Exact(), count(say("Cash on delivery of {all} orders")),
		say("Remitted"), t.Remitted.Exact(), say("Paid out to the shop so far"),
		say("At risk"), t.AtRisk.Exact(), count(say("Orders that need a look: {n} of {all}")), bar, say("Flags"), legend,
		say("Of each flag, the order that lacks most"),
		each(in.columns(), func(name string) markup { return markupf(`<th scope="col">%v</th>`, name) }), rows)
}

func (in language) flag(f domain.Flag) string {
	translate := in.say // a test reads the literals that are said; the names of flags are translated as labels
	return translate(wording.Flag(f).Name)
}

// columns are those of the table, of which the last five are figures and the AWB.
func (in language) columns() []string {
	say := in.say
	return []string{say("Order"), say("Flag"), say("Reason"), say("Due"), say("Remitted"), say("Shortfall"), say("Days overdue"), say("AWB")}
}

// rowOf names each figure beside it, for a narrow window, where rows have no columns.
func rowOf(in language, r *verdict.Result, reason string) markup {
	names := in.columns()
	figure := func(column int, class string, value any) markup {
		return markupf(`<td class="%v" data-name="%v">%v</td>`, class, names[column], value)
	}
	return markupf(`<tr><th scope="row">%v%v</th><td><span class="flag f-%v">%v</span></td><td class="reason">%v</td>%v</tr>
`, string(r.OrderID), when(r.Status != "fulfilled", markupf(" <small>%v</small>", r.Status)), r.Flag, in.flag(r.Flag), reason,
		figure(3, "n", r.Due.Exact())+figure(4, "n", r.Remitted.Exact())+figure(5, "n strong", r.Shortfall.Exact())+
			figure(6, "n", r.DaysOverdue)+figure(7, "awb", cmp.Or(string(r.AWB), "–")))
}
