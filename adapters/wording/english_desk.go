package wording

import "milaan/domain"

// englishDesk returns what the shop says to the courier's desk about an order of each flag
// that can be disputed.
func englishDesk() [flagCount]text {
	short := text{
		"{if loss}{if nothing due}You took back {taken back} more than you remitted, although nothing is due for this order.",
		"{if loss}You took back {taken back} more than you remitted, and {due} is due.",
		"You remitted {remitted}[ by {remitted on}], and {due} is due. Your report states charges of {charged}[ ({charges})]; {unexplained} is not explained.",
		"You remitted {remitted}[ by {remitted on}], and {due} is due.",
	}
	return [flagCount]text{
		domain.Missing: {
			"Your reports[, which reach {through},] have no line with its AWB or its order id. {due} was due by {due by}[, {window}].",
			"Your reports have no line with its AWB or its order id. {due} is due.",
		},
		domain.Overdue: {
			"{if listed}You paid {undone} for it and took that back.[ Your report lists it as {status}.] {due} was due by {due by}[, {window}].",
			"{if listed}Your report lists it as {status}[, with the remittance status {money status}], but nothing was remitted. {due} was due by {due by}[, {window}].",
			"{if listed}Your report lists it[ with the remittance status {money status}], but nothing was remitted. {due} was due by {due by}[, {window}].",
			"{if listed}Your report lists it, but nothing was remitted. {due} is due.",
			"We have found no line with its AWB or its order id in your reports so far[, which reach {through}]. {due} was due by {due by}[, {window}].",
			"We have found no line with its AWB or its order id in your reports so far. {due} is due.",
		},
		domain.ShortPaid: short,
		domain.MinorDiff: short,
		domain.RTOAnomaly: {
			"{if collected}Your report lists it as {status}, with {listed}, but nothing was remitted.",
			"{if collected}Your report lists it as returned, with a COD amount, but nothing was remitted.",
			"Your report lists it as {status}, but the customer has paid by our records, and nothing was remitted.",
			"Your report lists it as returned, but the customer has paid by our records, and nothing was remitted.",
		},
	}
}

// englishDeskNotes returns the sentences that follow for notes that matter to the desk.
func englishDeskNotes() map[domain.Notes]text {
	return map[domain.Notes]text{
		domain.NoteReturnedParcel: {"{returned} of its {parcels|# parcel|# parcels} {returned|was|were} returned."},
		domain.NoteRefund:         {"{refund} that you took back is subtracted."},
		domain.NoteCollected:      {"You list it with {listed}."},
		domain.NoteContradiction:  {"The line with its AWB has the order id of {other}."},
	}
}
