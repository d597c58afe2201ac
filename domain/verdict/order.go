package verdict

import (
	"cmp"
	"slices"
	"sync"

	"milaan/domain"
)

// Fulfilment is the fulfilment status of an order, as far as the rules need it.
type Fulfilment uint8

// The fulfilments that the rules need.
const (
	Unfulfilled Fulfilment = iota // nothing has left the shop, or the export does not say
	FulfilmentOther
	Fulfilled
	Restocked // the goods are back on the shelf
)

// Order is one order of the storefront export.
type Order struct {
	Name           []byte // as exported, such as #1001
	FulfilmentText string // the storefront's word for Fulfilment in lower case; blank: none
	Total          domain.Paise
	Outstanding    domain.Paise
	advance        domain.Paise // by a ledger, what of Total was not to be collected, see keepsAdvance; 0: nothing is known
	CreatedOn      domain.Day
	PaidOn         domain.Day
	FulfilledOn    domain.Day
	CreatedSecond  int32  // of CreatedOn, as in Moment
	Method         TextID // the payment method as exported
	Carrier        TextID // whoever carries the parcel, as exported; 0: not known
	Currency       TextID // the currency as exported, if it is not the rupee; 0: it is
	CurrencyLine   int32  // the physical line with that currency, from 1
	Financial      domain.Financial
	Fulfilment     Fulfilment
	Payment        domain.Payment
	PartPrepaid    bool // the order has several payment methods, or one that says part-paid
	Cancelled      bool
	HasTotal       bool
	HasOutstanding bool
	InRupees       bool // the export states that the currency is the rupee
	rounded        bool // the order has a rounded AWB

	awbs     uint8 // how many reliable AWBs the order has, each counted once
	tracking int32 // where the first AWB cell that is not blank is, see Orders.trackingOf; 0: there is none
	at       int32 // the order's position in Orders.list
	namesake int32 // the next order with the same name; 0: none, because the first order is never the next one
	current  int32 // on the first of several namesakes: the one to which the last row belonged
	first    int32 // position of the first reliable AWB in Orders.noted, if awbs is not 0
}

// TextID is the number of a text that several orders may have; 0 stands for no text.
type TextID int32

// tracked says whether an AWB cell of the order is not blank. knowsAWB says whether
// the order has a reliable AWB.
func (o *Order) tracked() bool  { return o.tracking != 0 }
func (o *Order) knowsAWB() bool { return o.awbs > 0 }

// Status returns the fulfilment status that a result shows.
func (o *Order) Status() string {
	if o.Cancelled {
		return "cancelled"
	}
	return cmp.Or(o.FulfilmentText, "unfulfilled")
}

// OrderedOn returns the day on which the order was created; if it is not known, the day
// on which it was paid, or else fulfilled (guide: verdict 1).
func (o *Order) OrderedOn() domain.Day { return cmp.Or(o.CreatedOn, o.PaidOn, o.FulfilledOn) }

// paysCOD says whether the order's money is to be collected at the door (guide:
// verdict 2, rule 1).
func (o *Order) paysCOD() bool {
	switch o.Payment {
	case domain.PaymentPrepaid, domain.PaymentUnknown:
		return false
	case domain.PaymentManual:
		return o.Financial == domain.FinancialPending
	case domain.PaymentCash:
		return o.Financial == domain.FinancialPending || o.tracked()
	}
	return true
}

// shipped says whether the storefront knows of a shipment.
func (o *Order) shipped() bool { return o.Fulfilment != Unfulfilled }

// calledOff says whether the order is cancelled or its goods are back on the shelf.
func (o *Order) calledOff() bool {
	return o.Cancelled || o.Financial == domain.FinancialVoided || o.Fulfilment == Restocked
}

// dispatchedOn returns the day on which the parcel left, as far as the storefront
// knows: the day of fulfilment, or else the day of the order.
func (o *Order) dispatchedOn() domain.Day { return cmp.Or(o.FulfilledOn, o.OrderedOn()) }

// Orders are the orders of one export, in the order of the export, each once. They store
// copies of everything they need of the export. Reset makes the zero value ready; later
// it empties the Orders and keeps their memory for the next export.
type Orders struct {
	Rows     int              // records of the export below its header
	Warnings []domain.Warning // doubts that reading the export found

	OwnStatuses bool // some FulfilmentText is a copy of the export's, and not a word of the program

	CurrencyColumn string // the name of the column with a currency that is not the rupee; blank: none

	list      []Order
	names     keyIndex
	numbering numbering
	indexed   int // of so many names the index has the place; it gets the others when one is looked for
	namesakes int // how many names several orders have
	texts     arena
	shared    [][]byte // by TextID, from 1

	// AWBs are noted while the export is read, because its cells are in the cache then.
	// They are indexed all at once later, so that the processor can wait for the memory
	// of many slots at the same time.
	noted       []notedAWB
	tokens      int // how many AWBs were found in cells with several
	indexedAWBs bool
	awbs        keyIndex // the keys of noted, at the same positions
	sharers     []sharer // the orders of each shared AWB

	roundedCells []roundedCell

	Ledger LedgerRun // the run that has written the ledger

	// Of a ledger, see Remember.
	foreseen  int
	remembers bool
	exported  int

	exportedAWBs int // how many of noted are of the export

	findings  []Finding
	findingOf []int32 // by order: its place in findings, from 1; shorter than the list of orders

	methodBefore, carrierBefore TextID // of the order that was remembered last

	asking sync.Mutex // by readers: a lookup uses the index's own memory
}

// Reset removes everything.
func (o *Orders) Reset() {
	if o.OwnStatuses || o.remembers || len(o.texts.large) > 0 { // orders that stay in memory must not refer to such texts
		clear(o.list)
	}
	o.list, o.noted, o.Rows, o.tokens = o.list[:0], o.noted[:0], 0, 0
	o.Warnings, o.namesakes, o.OwnStatuses = nil, 0, false
	o.names.reset(&o.texts)
	o.numbering, o.indexed = numbering{}, 0
	o.awbs.reset(&o.texts)
	o.sharers, o.indexedAWBs = o.sharers[:0], false
	o.roundedCells = o.roundedCells[:0]
	clear(o.findings)
	o.Ledger = LedgerRun{}
	o.foreseen, o.remembers, o.findings, o.findingOf = 0, false, o.findings[:0], o.findingOf[:0]
	o.methodBefore, o.carrierBefore = 0, 0
	clear(o.shared) // the same
	o.shared = o.shared[:0]
	o.texts.reset()
}

// Expect makes room for this many orders. Growing step by step would need several
// times the memory, and getting a new page of memory takes longer than storing an
// order there.
func (o *Orders) Expect(orders int) {
	o.list, o.noted = slices.Grow(o.list, orders), slices.Grow(o.noted, orders)
	o.awbs.keys = slices.Grow(o.awbs.keys, orders)
	o.names.expect(orders + o.foreseen)
}

// Foresee says that a ledger with at most so many orders comes after the export. The index of names has room for them from the
// beginning then: to make it larger takes as long as to fill it.
func (o *Orders) Foresee(orders int) { o.foreseen = min(orders, domain.MaxRows) }

// Texts is how many bytes of memory are held for texts, also after Reset. An unusual
// export can make them many.
func (o *Orders) Texts() int { return o.texts.bytes() }

// UsedTexts is how many of these bytes the texts of this export use, with the table
// entries of AWBs beyond one for each order.
func (o *Orders) UsedTexts() int {
	return o.texts.used() + max(len(o.noted)-len(o.list), 0)*awbMemory
}

// awbMemory is how many bytes an AWB needs besides its text: in noted, in the index, in
// sharers and, while it is matched, in shares.
const awbMemory = 200

// Len is the number of orders, with those that only a ledger has.
func (o *Orders) Len() int { return len(o.list) }

func (o *Orders) At(i int) *Order { return &o.list[i] }

// FindOrAdd returns the order with this name, and adds it if there is none. If several
// orders have the name, it returns the one that FindOrAdd or FindOrAddNamesake returned
// last. The pointer is valid until the next call; it is nil for a name without an order
// id.
func (o *Orders) FindOrAdd(name []byte) (order *Order, isNew bool) {
	key := OrderKey(name)
	if len(key) == 0 {
		return nil, false
	}
	at, isNew := o.addName(key)
	if isNew {
		kept := o.texts.put(lasting(name))
		o.names.keys[at] = o.texts.within(kept, key)
		o.list = append(o.list, Order{Name: o.texts.at(kept), at: int32(at)})
	}
	order = &o.list[at]
	if order.current != 0 {
		order = &o.list[order.current]
	}
	return order, isNew
}

// addName returns the place of a name, which it adds if it is new.
func (o *Orders) addName(key []byte) (at int, isNew bool) {
	if o.numbering.continues(key) {
		return o.names.addHidden(0), true
	}
	o.indexNames()
	at, isNew = o.names.add(key)
	o.indexed = len(o.names.keys)
	return at, isNew
}

// findName returns the place of a name, or -1.
func (o *Orders) findName(key []byte) int {
	o.indexNames()
	return o.names.find(key)
}

// indexNames makes all names findable. To do so for many at once takes a fraction of the time, because the processor can wait for the
// memory of several of them.
func (o *Orders) indexNames() {
	if o.indexed == len(o.names.keys) {
		return
	}
	o.names.expect(0)
	for o.indexed < len(o.names.keys) {
		var first [keysAtOnce]int32
		n := min(len(o.names.keys)-o.indexed, keysAtOnce)
		o.names.show(o.indexed, first[:n])
		o.indexed += n
	}
}

// Find returns the position of the order with an id in the form of OrderKey, or -1. If
// no order has the id of a cloned order (1001-C), it means the original order. If
// several orders have the name, Find returns the first.
func (o *Orders) Find(orderID []byte) int {
	if at := o.findName(orderID); at >= 0 {
		return at
	}
	return o.findOriginal(orderID)
}

func (o *Orders) findOriginal(orderID []byte) int {
	if original, cloned := cutClone(orderID); cloned {
		return o.findName(original)
	}
	return -1
}

// MaxNamesakes is how many orders may have one name: an agency may export several
// stores together, which all number their orders from 1001. A column that repeats a
// name more often does not have the names of orders.
const MaxNamesakes = 100

// FindNamesake returns the order that has the same name as another one, or is it, and was
// created at this moment. The pointer is valid until an order is added; it is nil if there
// is none.
func (o *Orders) FindNamesake(of *Order, created domain.Moment) *Order {
	first := &o.list[o.findName(o.names.key(of.at))]
	for at := first; ; at = &o.list[at.namesake] {
		if !created.Differs(at.created()) {
			first.current = at.at
			return at
		}
		if at.namesake == 0 {
			return nil
		}
	}
}

// FindOrAddNamesake is FindNamesake, and adds the order if there is none. The pointer is
// valid until the next call; it is nil if the name would have more than MaxNamesakes orders.
func (o *Orders) FindOrAddNamesake(of *Order, created domain.Moment) *Order {
	if found := o.FindNamesake(of, created); found != nil {
		return found
	}
	key := o.names.key(of.at)
	first := &o.list[o.findName(key)]
	last := first
	for n := 1; last.namesake != 0; n++ {
		if last = &o.list[last.namesake]; n+1 == MaxNamesakes {
			return nil
		}
	}
	if first.namesake == 0 {
		o.namesakes++
	}
	at := o.names.addHidden(o.names.keys[of.at])
	last.namesake, first.current = int32(at), int32(at)
	o.list = append(o.list, Order{Name: of.Name, at: int32(at), CreatedOn: created.Day, CreatedSecond: created.Second})
	return &o.list[at]
}

// Share stores a copy of a text that several orders may have, and returns its number.
func (o *Orders) Share(text []byte) TextID {
	o.shared = append(o.shared, o.texts.keep(text))
	return TextID(len(o.shared))
}

// Text returns the text with a number; nil for 0.
func (o *Orders) Text(id TextID) []byte {
	if id == 0 {
		return nil
	}
	return o.shared[id-1]
}

// exportedNamesakes is how many orders of the export have the name of an order. Reasons of several orders may be asked for at the
// same time.
func (o *Orders) exportedNamesakes(of *Order) (n int) {
	for at := int32(o.FindAsked(o.names.key(of.at))); int(at) < o.Exported(); {
		n++
		if at = o.list[at].namesake; at == 0 {
			break
		}
	}
	return n
}

// Namesakes is how many names several orders have.
func (o *Orders) Namesakes() int { return o.namesakes }

func (o *Order) created() domain.Moment {
	return domain.Moment{Day: o.CreatedOn, Second: o.CreatedSecond}
}

// FindAsked is Find for those of which several may ask at the same time, such as the readers of reports.
func (o *Orders) FindAsked(orderID []byte) int {
	o.asking.Lock()
	defer o.asking.Unlock()
	return o.Find(orderID)
}

// HaveDates says whether some order of the export has a date.
func (o *Orders) HaveDates() bool {
	return slices.ContainsFunc(o.list[:o.Exported()], func(order Order) bool { return order.OrderedOn() != domain.NoDay })
}

// Span returns the first and the latest order date of the export; NoDay if no order has one.
func (o *Orders) Span() (first, latest domain.Day) {
	for i := range o.list[:o.Exported()] {
		on := o.list[i].OrderedOn()
		first, latest = first.Earlier(on), max(latest, on)
	}
	return first, latest
}

// survey goes through all orders of the export once, or of the ledger if there is no export. It returns the latest order date, NoDay
// if no order has a date, or batch_as_of of the ledger; and whether some order is fulfilled, so that the shop fills in that column.
func (o *Orders) survey() (latest domain.Day, fulfils bool) {
	given := o.list[:o.Exported()]
	if len(given) == 0 {
		given = o.list
	}
	for i := range given {
		order := &given[i]
		latest = max(latest, order.OrderedOn())
		fulfils = fulfils || order.Fulfilment == Fulfilled
	}
	if o.Exported() == 0 {
		latest = o.Ledger.AsOf
	}
	return latest, fulfils
}

// refuseCurrency returns the error for an order in another currency. Rupees are never
// added to other money.
func (o *Orders) refuseCurrency(order *Order) error {
	return &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleCurrency, Line: int(order.CurrencyLine), Column: o.CurrencyColumn,
		Value: domain.Quotable(o.Text(order.Currency))}
}
