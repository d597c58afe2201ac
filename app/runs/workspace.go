package runs

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// workspace is the memory of one run, used again by the next.
type workspace struct {
	orders         verdict.Orders
	remittances    verdict.Remittances
	lanes          []*verdict.Remittances // of reports that are read beside others; remittances have their lines in the end
	unread         []unread               // the reports, and what has come of reading them
	reconciliation verdict.Reconciliation
	place          *place

	ledger      ports.Ledger // of an earlier run
	ledgerFault error        // of adding its lines
}

func (w *workspace) reset() {
	w.orders.Reset()
	w.remittances.Reset()
	for _, lane := range w.lanes {
		lane.Reset()
	}
	clear(w.unread)
	w.unread = w.unread[:0]
	w.reconciliation.Reset()
	w.ledger, w.ledgerFault = noLedger{}, nil
}

// rowMemory is how many bytes an order or a line takes besides its texts, with its places
// in the indexes and its result.
const rowMemory = 256

// memory is how many bytes a finished run holds.
func (w *workspace) memory() int64 {
	rows := w.reconciliation.Tally.StorefrontRows + w.reconciliation.Tally.CourierRows + w.remittances.Remembered() + w.orders.Len() -
		w.orders.Exported()
	texts := w.orders.UsedTexts() + w.remittances.UsedTexts()
	for _, lane := range w.lanes {
		if lane.Len() > 0 {
			texts += lane.UsedTexts()
		}
	}
	return int64(texts) + int64(rows)*rowMemory
}

// texts is how many bytes of memory are held for texts, also after reset.
func (w *workspace) texts() int {
	texts := w.orders.Texts() + w.remittances.Texts()
	for _, lane := range w.lanes {
		texts += lane.Texts()
	}
	return texts
}

// room is for how many lines memory is held, also after reset.
func (w *workspace) room() int {
	lines := w.remittances.Room()
	for _, lane := range w.lanes {
		lines += lane.Room()
	}
	return lines
}

// workspaces keeps the workspaces of runs that have ended for later runs. Twice as many as
// there are cores are kept: for runs that have a place or need none, and for runs whose client
// takes its answer slowly. A workspace of 50,000 orders is 20 MB, so all are let go if no run of large files ends
// for a while. A sync.Pool alone would not do: the garbage collector empties it, so that every second run would
// allocate a new workspace, and that starts the collector.
type workspaces struct {
	kept    chan *workspace
	surplus sync.Pool
	ended   atomic.Int64 // runs of large files
}

func newWorkspaces() workspaces {
	return workspaces{kept: make(chan *workspace, 2*runtime.GOMAXPROCS(0))}
}

// unusedFor is how long workspaces are kept after the last run of large files.
const unusedFor = time.Minute

// letGoLater notes that a run of large files has ended, and lets go of what is kept if no other one ends within unusedFor.
func (p *workspaces) letGoLater() {
	ended := p.ended.Add(1)
	limited, cancel := context.WithTimeout(context.Background(), unusedFor)
	context.AfterFunc(limited, func() {
		cancel()
		for p.ended.Load() == ended {
			select {
			case <-p.kept:
			default:
				return
			}
		}
	})
}

// keptTexts is how many bytes of texts a workspace may have to be kept: 50,000 orders and
// as many lines take 8 MB.
const keptTexts = 16 << 20

// keptRoom is for how many lines a workspace may have memory to be kept. Lanes and what they
// are put together in take twice domain.MaxRows, and some lists grow by a quarter. Reports
// that are refused because together they have too many rows may have taken several times as
// much.
const keptRoom = 3 * domain.MaxRows

func (p *workspaces) get() *workspace {
	select {
	case w := <-p.kept:
		return w
	default:
	}
	if w, ok := p.surplus.Get().(*workspace); ok {
		return w
	}
	w := new(workspace)
	w.reset()
	return w
}

// put takes a workspace back, and ends its place.
func (p *workspaces) put(w *workspace) {
	defer w.place.end()
	w.place = nil
	w.reset()
	if w.texts() > keptTexts || w.room() > keptRoom {
		return
	}
	select {
	case p.kept <- w:
	default:
		p.surplus.Put(w)
	}
}
