package runs

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// unread is a report that is to be read, and then what has come of it.
type unread struct {
	reader   ports.RemittancesReader
	courier  string // id, or blank
	source   int    // the report source that it is of, from 1; 0: it is of a request
	sourceID string // its id
	rows     int
	err      error
}

// unreadBytes is how large the reports are together.
func (w *workspace) unreadBytes() (n int64) {
	for i := range w.unread {
		n += w.unread[i].reader.Size()
	}
	return n
}

// How reports are read at the same time as the orders and as other reports.
const (
	// worthAnotherCore is from how many bytes on reports are read at the same time as
	// something else: for less, waking another core takes longer than it saves.
	worthAnotherCore = 256 << 10
	// mostLanes is how many lanes there are at most. Each may take as many rows as a
	// whole run may have, before it is known that all have too many.
	mostLanes = 4
)

// readInto reads the orders and the reports into a workspace. If no core is free, or the
// reports are small, all are read one after the other, straight into the remittances.
// Else the reports are divided into lanes of neighbours, which are read at the same time,
// and then the lines of the other lanes are added to those of the first. If several files
// are faulty, the fault of the first is returned: the orders, then the reports as they
// are given. The reports may have maxRows rows together; 0: any number.
func (r *Reconciling) readInto(ctx context.Context, w *workspace, orders ports.OrdersReader, maxRows int) (err error) {
	step := ports.SpanOf(ctx).Step(ports.StepRead)
	defer func() { step.End(err) }()
	read := make(chan *verdict.Orders, 1) // the run's orders, or nil
	wait := sync.OnceValue(func() *verdict.Orders { return <-read })
	readOrders := func() {
		defer close(read) // after a panic as well: nil
		w.orders.Foresee(w.ledger.Rows())
		if err = orders.Read(&w.orders); err == nil {
			err = w.ledger.Orders(&w.orders)
		}
		if err == nil {
			read <- &w.orders
		}
	}
	cores := r.reserveCores(w)
	defer r.reading.Add(-int32(cores))
	others := 0 // lanes besides the first
	if cores == 1 {
		if readOrders(); err == nil {
			w.readLane(lane{to: len(w.unread)}, maxRows, wait)
		}
	} else {
		lanes := w.divide(orders.Size(), cores)
		begun := lanes[:min(len(lanes), cores-1)]
		others = len(lanes) - 1
		verdict.AtOnce(func() {
			if readOrders(); err == nil && len(begun) < len(lanes) {
				w.readLane(lanes[len(begun)], maxRows, wait)
			}
		}, len(begun), func(i int) { w.readLane(begun[i], maxRows, wait) })
	}
	if err == nil {
		err = w.firstFault(maxRows)
	}
	if err != nil {
		return err
	}
	for _, lane := range w.lanes[:others] {
		w.remittances.Append(lane)
	}
	return nil
}

// maxRowsOf is how many rows the reports of a task may have together; 0: any number.
func (r *Reconciling) maxRowsOf(t *task) int {
	if t.Sandbox {
		return domain.SandboxRows
	}
	return int(r.in.MaxRows)
}

// reserveCores reserves the cores on which a workspace is read, as far as they are free;
// at least one. The caller gives them back.
func (r *Reconciling) reserveCores(w *workspace) int {
	lanes := min(w.unreadBytes()/worthAnotherCore, int64(len(w.unread)), mostLanes)
	wanted := 1 + int32(lanes)
	surplus := r.reading.Add(wanted) - int32(runtime.GOMAXPROCS(0))
	if surplus = min(surplus, wanted-1); surplus > 0 {
		r.reading.Add(-surplus)
		wanted -= surplus
	}
	return int(wanted)
}

// lane is a range of reports that are read one after the other.
type lane struct {
	number   int // the first lane is read into the remittances of the workspace
	from, to int
}

// divide divides the reports into lanes that take about as long as each other. There are
// at most as many lanes as cores. If there are as many, the last one is read after the
// orders, on the same core.
func (w *workspace) divide(orders int64, cores int) []lane {
	reports := w.unreadBytes()
	most, share := min(cores, mostLanes), (orders+reports)/int64(cores)
	if orders >= share {
		most, share = cores-1, reports/int64(cores-1)
	}
	lanes, filled := make([]lane, 1, most), int64(0)
	for i := range w.unread {
		size := w.unread[i].reader.Size()
		if last := len(lanes) - 1; lanes[last].to > lanes[last].from && filled+size/2 > share && len(lanes) < most {
			lanes, filled = append(lanes, lane{number: len(lanes), from: i}), 0
		}
		filled += size
		lanes[len(lanes)-1].to = i + 1
	}
	for len(w.lanes) < len(lanes)-1 {
		added := new(verdict.Remittances)
		added.Reset()
		w.lanes = append(w.lanes, added)
	}
	return lanes
}

// readLane reads the reports of a lane up to the first that is faulty, or with which the
// lane has too many rows.
func (w *workspace) readLane(l lane, maxRows int, orders func() *verdict.Orders) {
	into := &w.remittances
	if l.number > 0 {
		into = w.lanes[l.number-1]
	} else if w.ledgerFault = w.ledger.Lines(into); w.ledgerFault != nil {
		return
	}
	for i := l.from; i < l.to; i++ {
		report, before := &w.unread[i], into.Rows
		into.Begin(report.courier)
		into.SetSource(report.source, report.sourceID)
		var mapping domain.Mapping
		if mapping, report.err = report.reader.Read(orders, into); report.err != nil {
			return
		}
		into.SetMapping(mapping)
		report.rows = into.Rows - before
		if maxRows > 0 && into.Rows > maxRows {
			return
		}
	}
}

// firstFault returns the fault of the first report that is faulty, or with which the
// reports have more rows than they may have together. It names the report if there are
// several.
func (w *workspace) firstFault(maxRows int) error {
	if w.ledgerFault != nil {
		return w.ledgerFault
	}
	several, rows := len(w.unread) > 1, 0
	for i := range w.unread {
		fault := w.unread[i].err
		if rows += w.unread[i].rows; fault == nil && several && maxRows > 0 && rows > maxRows {
			fault = &domain.FileError{File: domain.CourierFile, Rule: domain.RuleRowsTogether, Limit: maxRows}
		}
		if file, ok := errors.AsType[*domain.FileError](fault); ok && several {
			file.Report = i + 1
		}
		if fault != nil {
			return fault
		}
	}
	return nil
}
