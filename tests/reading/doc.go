// Package reading is a plain second reading of the reconciliation rules, and a
// comparison of it with the engine over all small cases.
//
// The second reading is written from the project's decisions alone, by someone
// who did not look at the engine, in the simplest way there is: texts, maps, a
// loop per rule, no care for speed. It imports nothing of the project. Where both
// say the same of every case, a rule can be wrong only if two readers understood
// it wrongly in the same way.
//
// The cases are not random: every combination of classes of values for up to two
// orders and two lines, in parts, because the whole product is too large. Larger
// random cases follow, for the rules that look at many orders at once, and months of
// several couriers with regular payouts.
//
// Both could understand a rule wrongly in the same way, or the rule could be wrong. So
// the engine also judges months of which the truth is known: who kept which parcel, and
// which report was left out.
//
//	go test ./tests/reading                                # a slice, the same each time
//	MILAAN_SOAK=short go test ./tests/reading              # some twenty times as much
//	MILAAN_SOAK=1 go test ./tests/reading -timeout 30m     # the fuller product
//
// A disagreement is shown with both files and both verdicts, for a person to judge.
//
// # What is left out
//
// How cells are spelled, days and months aside; which column is which; most warnings,
// reasons and the audit history. Money comes as paise, columns by names that are known.
package reading
