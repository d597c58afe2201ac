package domain

import (
	"bytes"
	"cmp"
	"slices"
)

// Fulfilment is how far the goods of an order are, as far as rules look at it.
type Fulfilment uint8

// The fulfilments that rules look at.
const (
	Unfulfilled Fulfilment = iota // nothing has left, or no word about it
	FulfilmentOther
	Fulfilled
	Restocked // the goods are back on the shelf
)

// Order is one order of the storefront export.
type Order struct {
	Name           []byte // as exported, such as #1001
	FulfilmentText string // the storefront's word for Fulfilment in small letters; "": none
	Total          Paise
	Outstanding    Paise
	CreatedOn      Day
	PaidOn         Day
	FulfilledOn    Day
	CreatedSecond  int32  // of CreatedOn, as in Moment
	Method         TextID // the payment method as exported
	Currency       TextID // as exported, where it is not rupees; 0: it is
	CurrencyLine   int32  // where that stands, a physical line from 1
	Financial      Financial
	Fulfilment     Fulfilment
	Payment        Payment
	PartPrepaid    bool // several methods, or one that says part-paid, beside or in Payment
	Cancelled      bool
	HasTotal       bool
	HasOutstanding bool
	InRupees       bool // the export says so
	rounded        bool // it has an AWB that was rounded

	awbs     uint8  // how many AWBs it has that can be relied on, each counted once
	tracking []byte // the first AWB cell that says something, as exported
	at       int32  // its place among the orders
	namesake int32  // the next order of the same name; 0: none, for it cannot be the first order
	current  int32  // of the first order of a name with namesakes: to which of them the last row belonged
	first    int32  // of its AWBs that can be relied on, among those noted
}

// TextID is a text that many orders share; 0 is none.
type TextID int32

// tracked says that the AWB cells have something in them, and knowsAWB that it
// is an AWB that can be relied on.
func (o *Order) tracked() bool  { return len(o.tracking) > 0 }
func (o *Order) knowsAWB() bool { return o.awbs > 0 }

// Status is the fulfilment status that a result shows.
func (o *Order) Status() string {
	switch {
	case o.Cancelled:
		return "cancelled"
	case o.FulfilmentText == "":
		return "unfulfilled"
	}
	return o.FulfilmentText
}

// OrderedOn is the order's date: when it was created, else paid, else
// fulfilled (decisions, section 1).
func (o *Order) OrderedOn() Day {
	switch {
	case o.CreatedOn != NoDay:
		return o.CreatedOn
	case o.PaidOn != NoDay:
		return o.PaidOn
	}
	return o.FulfilledOn
}

// paysCOD says that the order's money is collected at the door (decisions,
// section 2, rule 1).
func (o *Order) paysCOD() bool {
	switch o.Payment {
	case PaymentPrepaid, PaymentUnknown:
		return false
	case PaymentManual:
		return o.Financial == FinancialPending
	case PaymentCash:
		return o.Financial == FinancialPending || o.tracked()
	}
	return true
}

// shipped says that the storefront knows of a shipment.
func (o *Order) shipped() bool { return o.Fulfilment != Unfulfilled }

// calledOff says that the order is cancelled or its goods are back on the shelf.
func (o *Order) calledOff() bool {
	return o.Cancelled || o.Financial == FinancialVoided || o.Fulfilment == Restocked
}

// dispatchedOn is when the parcel left as far as the storefront knows: the
// fulfilment date, else the order's.
func (o *Order) dispatchedOn() Day {
	if o.FulfilledOn != NoDay {
		return o.FulfilledOn
	}
	return o.OrderedOn()
}

// Orders are the orders of one export, in its order, each once. They keep
// copies of what they need of the export. The zero value must be Reset before
// use; Reset keeps the memory for the next export.
type Orders struct {
	Rows     int       // records of the export below its header
	Warnings []Warning // what was doubtful while the export was read

	CurrencyColumn string // the header's name of the column with currencies, if one is not the rupee

	list      []Order
	names     keyIndex
	namesakes int // names that several orders have
	texts     arena
	shared    [][]byte // by TextID, from 1

	// AWBs are noted while the export is read, when its cells are at hand, and
	// indexed in one go, so that the processor waits for many slots at a time.
	noted   []notedAWB
	tokens  int // of AWB cells that were taken apart
	indexed bool
	awbs    keyIndex // of those noted
	sharers []sharer // the orders of each AWB that several bear

	roundedCells []roundedCell // with AWBs that were rounded
}

// roundedCell is a cell of an order with an AWB that was rounded, or that AWB alone.
type roundedCell struct {
	text  []byte
	order int32
	told  bool // which the report alone tells
}

// sharer is one of several orders that bear one AWB, which is told by the first
// place where it is noted.
type sharer struct{ awb, order int32 }

// notedAWB is an AWB that an order bears; its key has the same place in the index.
type notedAWB struct {
	hash  uint32
	order int32
	next  int32 // of the same order's; 0: this is the last

	// Of the first that bears the AWB.
	shared  bool // other orders bear it too
	rounded bool // it names no parcel
	told    bool // which the report alone tells
}

// Reset forgets everything.
func (o *Orders) Reset() {
	for i := range o.list {
		o.list[i].FulfilmentText = "" // the one text that is not among texts
	}
	if len(o.texts.large) > 0 { // or orders would keep them alive
		clear(o.list)
	}
	o.list, o.noted, o.Rows, o.tokens = o.list[:0], o.noted[:0], 0, 0
	o.Warnings, o.namesakes = nil, 0
	o.names.reset()
	o.awbs.reset()
	o.sharers, o.indexed = o.sharers[:0], false
	o.roundedCells = o.roundedCells[:0]
	clear(o.shared) // texts may have gone
	o.shared = o.shared[:0]
	o.texts.reset()
}

// Expect makes room for so many orders. Growing step by step would take several
// times the memory, and a fresh page of it costs more than the order that is put
// there.
func (o *Orders) Expect(orders int) {
	o.list, o.noted = slices.Grow(o.list, orders), slices.Grow(o.noted, orders)
	o.awbs.keys = slices.Grow(o.awbs.keys, orders)
	o.names.expect(orders)
}

// Texts is how many bytes of memory the texts take, Reset or not. An odd export
// can make them many.
func (o *Orders) Texts() int { return o.texts.bytes() }

// UsedTexts is how many of them the texts of this export take, with the places of
// AWBs beyond one an order.
func (o *Orders) UsedTexts() int {
	return o.texts.used() + max(len(o.noted)-len(o.list), 0)*awbMemory
}

// awbMemory is how many bytes an AWB takes beside its text: where it is noted, its
// place in the index, and who bears it.
const awbMemory = 100

// Len is how many orders there are.
func (o *Orders) Len() int { return len(o.list) }

// At is the i-th order.
func (o *Orders) At(i int) *Order { return &o.list[i] }

// Named finds the order with this name, or adds one; of several orders with the
// name it is the one that Named or Namesake gave last. The pointer is good until
// the next call. It is nil for a name that names nothing.
func (o *Orders) Named(name []byte) (order *Order, isNew bool) {
	key := OrderKey(name)
	if len(key) == 0 {
		return nil, false
	}
	at, isNew := o.names.add(key)
	if isNew {
		kept := o.texts.keep(Unwrapped(name))
		o.names.keys[at] = o.texts.within(kept, key)
		o.list = append(o.list, Order{Name: kept, at: int32(at)})
	}
	order = &o.list[at]
	if order.current != 0 {
		order = &o.list[order.current]
	}
	return order, isNew
}

// Find gives the place of the order that an id names, as OrderKey gives it, or -1.
// The id of a cloned order (1001-C) stands for the order itself where nobody bears
// it. Of several orders with the name it is the first.
func (o *Orders) Find(orderID []byte) int {
	at := o.names.find(orderID)
	if original, cloned := cutClone(orderID); at < 0 && cloned {
		return o.names.find(original)
	}
	return at
}

// MaxNamesakes is how many orders may have one name: an agency may export some
// stores together, which all number their orders from 1001. More than this is a
// column that does not hold names.
const MaxNamesakes = 100

// Namesake finds the order that has the same name as another and was created at
// this moment, or adds one. The pointer is good until the next call. It is nil for
// more than MaxNamesakes.
func (o *Orders) Namesake(of *Order, created Moment) *Order {
	key := o.names.keys[of.at]
	first := &o.list[o.names.find(key)]
	last := first
	for n := 1; ; n++ {
		if !created.Differs(last.created()) {
			first.current = last.at
			return last
		}
		if last.namesake == 0 {
			if n == MaxNamesakes {
				return nil
			}
			break
		}
		last = &o.list[last.namesake]
	}
	if first.namesake == 0 {
		o.namesakes++
	}
	at := o.names.addHidden(key)
	last.namesake, first.current = int32(at), int32(at)
	o.list = append(o.list, Order{Name: of.Name, at: int32(at), CreatedOn: created.Day, CreatedSecond: created.Second})
	return &o.list[at]
}

// Share copies a text that many orders have, and keeps it for as long as them.
func (o *Orders) Share(text []byte) TextID {
	o.shared = append(o.shared, o.texts.keep(text))
	return TextID(len(o.shared))
}

// Text is a text that orders share; nothing for 0.
func (o *Orders) Text(id TextID) []byte {
	if id == 0 {
		return nil
	}
	return o.shared[id-1]
}

// Namesakes is how many names there are that several orders have.
func (o *Orders) Namesakes() int { return o.namesakes }

func (o *Order) created() Moment { return Moment{Day: o.CreatedOn, Second: o.CreatedSecond} }

// MaxAWBs is how many AWBs one order may have, and maxTracking how many bytes an
// AWB cell may take. No order has as many parcels; a cell that claims so is not
// one of tracking numbers, and could make every line of a report go through it.
// MaxTokens is how many numbers all the cells together may list that have to be
// taken apart, three for each row that an export may have; one that was read
// without that limit may list three for each of its orders.
const (
	MaxAWBs     = 50
	maxTracking = 4096
	MaxTokens   = 3 * MaxRows
)

// Track notes the AWBs of an order of these: the cell as exported, which may
// hold several. Cells of further rows and columns add theirs. It is false for
// more than MaxAWBs, and where the cells list too many (MaxTokens).
func (o *Orders) Track(order *Order, cell []byte) bool {
	switch {
	case bytes.Equal(order.tracking, cell):
		return true
	case len(cell) > maxTracking:
		return false
	case len(order.tracking) == 0 && isDigit(cell[0]) && plainToken(cell):
		order.tracking = o.texts.keep(cell)
		o.note(order, order.tracking, 0)
		return true
	}
	var kept []byte
	few, rounded := true, false
	EachAWB(cell, func(key []byte, reliable bool) bool {
		if o.tokens++; o.tokens > max(MaxTokens, 3*len(o.list)) {
			few = false
			return false
		}
		if !reliable {
			rounded = true
			return true
		}
		hash := o.names.hash(key)
		if o.bears(order, key, hash) {
			return true
		}
		if order.awbs == MaxAWBs {
			few = false
			return false
		}
		if kept == nil {
			kept = o.texts.keep(cell)
		}
		o.note(order, o.texts.within(kept, key), hash)
		return true
	})
	if kept == nil && (rounded || len(order.tracking) == 0) {
		kept = o.texts.keep(cell)
	}
	if len(order.tracking) == 0 {
		order.tracking = kept
	}
	if rounded {
		order.rounded = true
		o.roundedCells = append(o.roundedCells, roundedCell{text: kept, order: order.at})
	}
	return few
}

// note adds an AWB to those of an order. hash is its key's, or 0 for the only one
// of a cell, whose hash is found when it is asked for.
func (o *Orders) note(order *Order, key []byte, hash uint32) {
	at := o.awbs.addHidden(key)
	o.noted = append(o.noted, notedAWB{hash: hash, order: order.at})
	o.link(order, int32(at))
}

// link makes a noted AWB the last of an order's.
func (o *Orders) link(order *Order, at int32) {
	if order.awbs == 0 {
		order.first = at
	} else {
		last := order.first // of MaxAWBs at most
		for o.noted[last].next != 0 {
			last = o.noted[last].next
		}
		o.noted[last].next = at
	}
	o.noted[at].next = 0
	order.awbs++
}

// unlink takes a noted AWB from an order's.
func (o *Orders) unlink(order *Order, at int32) {
	order.awbs--
	next := o.noted[at].next
	if order.first == at {
		order.first = next
		return
	}
	before := order.first
	for o.noted[before].next != at {
		before = o.noted[before].next
	}
	o.noted[before].next = next
}

// awb is the key of a noted AWB.
func (o *Orders) awb(at int32) []byte { return o.awbs.keys[at] }

// bears says that an order has an AWB whose hash is given.
func (o *Orders) bears(order *Order, key []byte, hash uint32) bool {
	if order.awbs == 0 {
		return false
	}
	for i := order.first; ; {
		n := &o.noted[i]
		if n.hash == 0 {
			n.hash = o.names.hash(o.awb(i))
		}
		if n.hash == hash && sameKey(o.awb(i), key) {
			return true
		}
		if i = n.next; i == 0 {
			return false
		}
	}
}

// listSeparator stands between the AWBs of one order in a result.
const listSeparator = ", "

// AWBs appends the AWBs of an order that can be relied on, each once.
func (o *Orders) AWBs(dst []byte, order *Order) []byte {
	if order.awbs == 0 {
		return dst
	}
	for i := order.first; ; {
		dst = append(dst, o.awb(i)...)
		if i = o.noted[i].next; i == 0 {
			return dst
		}
		dst = append(dst, listSeparator...)
	}
}

// indexAWBs finds out which order each AWB belongs to, once.
func (o *Orders) indexAWBs() {
	if o.indexed {
		return
	}
	o.indexed = true
	o.awbs.expect(0)
	for at, n := range o.noted {
		first := o.awbs.show(at)
		owner := &o.noted[first]
		if owner.order == n.order {
			continue
		}
		if !owner.shared {
			owner.shared = true
			o.sharers = append(o.sharers, sharer{awb: int32(first), order: owner.order})
		}
		o.sharers = append(o.sharers, sharer{awb: int32(first), order: n.order})
	}
	slices.SortFunc(o.sharers, func(a, b sharer) int { return cmp.Or(cmp.Compare(a.awb, b.awb), cmp.Compare(a.order, b.order)) })
}

// Bears says that some order has an AWB, as AWBKey gives it.
func (o *Orders) Bears(awb []byte) bool {
	o.indexAWBs()
	return o.awbs.find(awb) >= 0
}

// sharing are the orders that bear a shared AWB, in the export's order.
func (o *Orders) sharing(awb int32) []sharer {
	from, _ := slices.BinarySearchFunc(o.sharers, awb, func(s sharer, awb int32) int { return cmp.Compare(s.awb, awb) })
	to := from
	for to < len(o.sharers) && o.sharers[to].awb == awb {
		to++
	}
	return o.sharers[from:to]
}

// Latest is the latest order date, the contract's batch_as_of; NoDay if no
// order has one.
func (o *Orders) Latest() Day {
	last := NoDay
	for i := range o.list {
		last = max(last, o.list[i].OrderedOn())
	}
	return last
}

// survey looks over a whole export: the latest order date, NoDay if no order has
// one; whether some order is fulfilled, so that the shop keeps that column; and the
// days of dispatch, which it marks.
func (o *Orders) survey(n *neighbours) (latest Day, fulfils bool) {
	for i := range o.list {
		order := &o.list[i]
		latest = max(latest, order.OrderedOn())
		fulfils = fulfils || order.Fulfilment == Fulfilled
		n.mark(order.dispatchedOn())
	}
	return latest, fulfils
}

// foreign refuses an order in another currency: rupees are never mixed with other
// money.
func (o *Orders) foreign(order *Order) error {
	return &FileError{File: StorefrontFile, Rule: RuleCurrency, Line: int(order.CurrencyLine), Column: o.CurrencyColumn, Value: Quotable(o.Text(order.Currency))}
}
