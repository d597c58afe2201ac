// Package verdict compares the export of a shop with the reports of its couriers, and gives
// every order its flag, by the rules of adapters/guide/chapters/verdict.md. Orders and
// Remittances take what adapters read; a Reconciliation is made of both. Its values, such as
// flags and reasons, are those of package domain, which has the glossary too.
//
// # Files
//
// The two files: order.go, order_awbs.go, remittance.go, charges.go, status.go, ids.go, and arena.go, the
// memory that holds their texts. The comparison: matching.go, index.go, folding.go, rounding.go,
// shared.go, beside.go, repeats.go, corrections.go, payments.go, listed_again.go, told.go and parcels.go; policy.go (the decision table),
// neighbours.go, same_courier.go and payout_gap.go; reconciliation.go; sums.go checks that no
// sum overflows. What is added up of the reports: report.go, totals.go. UTRs have one form: utrs.go. What is
// said about the result: explaining.go, hints.go and doubts.go, and dispute.go for documents.
// What runs tell later ones: remembered.go for what is read, next_ledger.go for what is written, open_items.go for what has
// moved between them, and marking.go for what people note.
package verdict
