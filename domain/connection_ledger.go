package domain

import "time"

// KeptLedger is the ledger of a connection whose owner has said to keep its open items (guide: autopilot).
type KeptLedger struct {
	Since time.Time // when its owner said so
	Text  []byte    // a ledger as a file; nil: no pass has written one yet
	// Marks are what people have noted since Text was written. Each stands in place of the one in Text.
	Marks   []KeptMark
	Version int // counts the changes of Text and Marks since Since, from 0
	// Oldest is the first of the days on which orders of Text were last seen, and which its lines of no order have; NoDay: it has
	// neither.
	Oldest    Day
	WrittenAt time.Time // of Text; zero: there is none
}

// KeptMark is a mark of an order that a kept ledger has.
type KeptMark struct {
	MarkedOrder
	Created Moment // of the order: one that comes later may have its name, and no AWB either
}

// ItemsKeptFor is how many days after it was last seen an order of a kept ledger is deleted.
const ItemsKeptFor = 180
