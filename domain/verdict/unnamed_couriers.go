package verdict

import (
	"slices"

	"milaan/domain"
)

// unnamedCouriers warns of reports that count as those of one courier because nothing says whose they are, although their AWBs say
// that there are several couriers: then one of these would be asked for the orders of all.
func (r *Reconciliation) unnamedCouriers() (doubts []domain.Warning) {
	reports := r.remittances.Reports()
	for i := range reports {
		var same []int
		for k := range reports {
			if !isKnown(reports[i].Courier) && reports[i].together(&reports[k]) {
				same = append(same, k)
			}
		}
		if len(same) < 2 || same[0] != i {
			continue
		}
		if one, other := r.unlike(same); one != other {
			doubts = append(doubts, domain.Warning{Code: domain.WarnUnnamedCouriers, Count: len(same), Report: one + 1, By: other + 1})
		}
	}
	return doubts
}

// unlike returns two of some reports whose AWBs have no form and beginning in common, not even by way of the others. Of each, or of
// those that are like it, at least fewestListed parcels show that. The two are the same if there are none.
func (r *Reconciliation) unlike(reports []int) (one, other int) {
	var keys couriersOf // for keyOf alone
	like := make([]int, len(reports))
	for i := range like {
		like[i] = i
	}
	first := map[string]int{} // by form and beginning
	r.eachParcel(reports, func(i int, awb []byte) bool {
		keys.keyOf(awb)
		k, found := first[string(keys.key)]
		if !found {
			first[string(keys.key)] = i
		} else if from, to := max(like[i], like[k]), min(like[i], like[k]); from != to {
			for at := range like {
				if like[at] == from {
					like[at] = to
				}
			}
		}
		return true
	})
	shown := make([][][]byte, len(reports)) // by the first of those that are alike: some AWBs
	r.eachParcel(reports, func(i int, awb []byte) bool {
		of := &shown[like[i]]
		if !slices.ContainsFunc(*of, func(known []byte) bool { return sameKey(known, awb) }) {
			*of = append(*of, awb)
		}
		return len(*of) < fewestListed
	})
	one = -1
	for i, of := range shown {
		switch {
		case len(of) < fewestListed:
		case one < 0:
			one = i
		default:
			return reports[one], reports[i]
		}
	}
	return 0, 0
}

// eachParcel calls do for the lines of some reports that have a reliable AWB, of each report until do returns false.
func (r *Reconciliation) eachParcel(reports []int, do func(i int, awb []byte) bool) {
	for i, report := range reports {
		lines := r.remittances.linesOf(r.remittances.remembered + report)
		for l := range lines {
			if lines[l].tellsParcel() && !do(i, lines[l].AWB) {
				break
			}
		}
	}
}
