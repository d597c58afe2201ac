package verdict

import (
	"math"

	"milaan/domain"
)

// mostMoney is the largest sum of all amounts of one file that a run accepts, in
// paise. No sum or difference that a run computes from two such files overflows.
const mostMoney = math.MaxInt64 / 8

// CheckSums returns a *FileError for a file whose amounts add up to more than a run
// accepts. Only files with more than nine million rows of the largest amount do, so
// files of up to MaxRows rows are not checked.
func CheckSums(orders *Orders, remittances *Remittances) error {
	if orders.Rows <= domain.MaxRows && remittances.Rows <= domain.MaxRows {
		return nil
	}
	var sum uint64 // cannot overflow: mostMoney and the amounts of one more row fit into it
	for i := range orders.list {
		o := &orders.list[i]
		if sum += size(o.Total) + size(o.Outstanding); sum > mostMoney {
			return tooMuchMoney(domain.StorefrontFile)
		}
	}
	sum = 0
	for i := range remittances.list {
		l := &remittances.list[i]
		if sum += size(l.Listed) + size(l.Stated) + size(l.Collected) + size(l.Remitted); sum > mostMoney {
			return remittances.tooMuchMoney(l)
		}
		for _, c := range remittances.ChargesOf(l) {
			if sum += size(c.Amount); sum > mostMoney {
				return remittances.tooMuchMoney(l)
			}
		}
	}
	return nil
}

// size returns an amount without its sign.
func size(p domain.Paise) uint64 { return uint64(p.Abs()) }

// tooMuchMoney names the report of the line with which the sum is too large.
func (r *Remittances) tooMuchMoney(line *Remittance) error {
	fault := tooMuchMoney(domain.CourierFile)
	if len(r.reports)-r.remembered > 1 {
		fault.Report = r.number(line.Report)
	}
	return fault
}

func tooMuchMoney(file domain.File) *domain.FileError {
	return &domain.FileError{File: file, Rule: domain.RuleSums, Limit: mostMoney / 100}
}
