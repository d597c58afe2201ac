package app

import (
	"runtime"
	"sync"

	"milaan/domain"
)

// bench is the memory of one run, used again by the next.
type bench struct {
	orders         domain.Orders
	remittances    domain.Remittances
	reconciliation domain.Reconciliation
}

func (b *bench) reset() {
	b.orders.Reset()
	b.remittances.Reset()
	b.reconciliation.Reset()
}

// rowMemory is how many bytes an order or a line takes beside its texts, with its
// places in the indexes and what is concluded of it.
const rowMemory = 256

// memory is how many bytes a finished run holds.
func (b *bench) memory() int64 {
	rows := b.reconciliation.Tally.StorefrontRows + b.reconciliation.Tally.CourierRows
	return int64(b.orders.UsedTexts()) + int64(b.remittances.UsedTexts()) + int64(rows)*rowMemory
}

// benches keeps benches for further runs. Twice as many as there are cores are
// kept for good, for runs that compare and runs whose answer is being sent: a
// bench of 50,000 orders is 20 MB, and a pool that the garbage
// collector empties would have it made anew for every other run, whose garbage
// calls the collector.
type benches struct {
	kept    chan *bench
	surplus sync.Pool
}

func newBenches() benches {
	return benches{kept: make(chan *bench, 2*runtime.GOMAXPROCS(0))}
}

// keptTexts is up to how many bytes of texts a bench is kept: 50,000 orders and
// as many lines take 8 MB.
const keptTexts = 16 << 20

func (p *benches) get() *bench {
	select {
	case b := <-p.kept:
		return b
	default:
	}
	if b, ok := p.surplus.Get().(*bench); ok {
		return b
	}
	b := new(bench)
	b.reset()
	return b
}

func (p *benches) put(b *bench) {
	b.reset()
	if b.orders.Texts()+b.remittances.Texts() > keptTexts {
		return
	}
	select {
	case p.kept <- b:
	default:
		p.surplus.Put(b)
	}
}
