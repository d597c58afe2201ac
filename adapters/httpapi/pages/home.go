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
	page, err := render("home.html", struct {
		Base   string
		Sample sampleView
	}{base, newSampleView(run.Tally, run, h.words)})
	if err != nil {
		return nil, err
	}
	h.base, h.page = base, compress.NewDocument(pageType, page)
	return h.page, nil
}

// findings is what the page reads of a finished run.
type findings interface {
	Len() int
	Result(i int) verdict.Result
	Reason(i int) domain.Reason
}

// sampleView is the reconciled sample as the page shows it.
type sampleView struct {
	Orders, FlaggedOrders, SettledOrders int

	Due, Remitted, AtRisk string
	Flags                 []flagView
	Flagged, Settled      []rowView // worst first
}

// flagView is one flag's share of the orders. The page shows it as a segment of a bar that
// is 1000 units wide.
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

func newSampleView(t domain.Tally, f findings, words peers.Wording) sampleView {
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
		if !r.Flag.IsFlagged() {
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
