package domain

import "math"

// mostMoney is the largest sum of the amounts of one file that a run takes, in
// paise: no sum or difference of what is made of two such files overflows.
const mostMoney = math.MaxInt64 / 8

// CheckSums returns a *FileError for a file whose amounts add up to more than a
// run can. It takes more than nine million rows of the largest amount, so files
// of up to MaxRows rows need no check.
func CheckSums(orders *Orders, remittances *Remittances) error {
	if orders.Rows <= MaxRows && remittances.Rows <= MaxRows {
		return nil
	}
	var sum uint64 // each row adds far less than what is left of it above mostMoney
	for i := range orders.list {
		o := &orders.list[i]
		if sum += size(o.Total) + size(o.Outstanding); sum > mostMoney {
			return tooMuchMoney(StorefrontFile)
		}
	}
	sum = 0
	for i := range remittances.list {
		l := &remittances.list[i]
		if sum += size(l.Listed) + size(l.Stated) + size(l.Collected) + size(l.Remitted); sum > mostMoney {
			return tooMuchMoney(CourierFile)
		}
	}
	return nil
}

// size is an amount without its sign.
func size(p Paise) uint64 {
	if p < 0 {
		p = -p
	}
	return uint64(p)
}

func tooMuchMoney(file File) error {
	return &FileError{File: file, Rule: RuleSums, Limit: mostMoney / 100}
}
