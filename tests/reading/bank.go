package reading

import (
	"slices"
	"strings"
)

// BankLine is one line of a bank statement, its amounts in paise.
type BankLine struct {
	On, Narration string
	Credit, Debit int64
}

// Transfer is what a statement says of a payout.
type Transfer struct {
	State    string
	Received int64
	Open     bool // the rules do not say which of several payouts has the credit
}

// HoldAgainst holds payouts against a bank statement (guide: verdict 8). couriers has
// the name of each payout's courier as narrations have it.
func HoldAgainst(payouts []Payout, couriers []string, lines []BankLine) (transfers []Transfer, rules map[string]int) {
	rules = map[string]int{}
	transfers = make([]Transfer, len(payouts))
	settled := make([]bool, len(payouts))
	used := make([]bool, len(lines))
	for i, p := range payouts {
		transfers[i].State = "not_in_statement"
		if p.UTR == "" {
			continue
		}
		credits, debits := 0, 0
		var received int64
		for n, l := range lines {
			if !strings.Contains(l.Narration, p.UTR) {
				continue
			}
			used[n] = true
			received += l.Credit - l.Debit
			if l.Credit > 0 {
				credits++
			} else {
				debits++
			}
		}
		switch {
		case credits == 0:
			continue
		case received == p.Paid:
			transfers[i].State = "credited"
		case received == 0 && debits > 0:
			transfers[i].State = "reversed"
		default:
			transfers[i].State = "credited_other_amount"
		}
		settled[i] = true
		transfers[i].Received = received
		if credits > 1 {
			rules["several credits of one UTR"]++
		}
		rules["by UTR: "+transfers[i].State]++
	}
	// fits gives the only credit of an amount for a payout, or -1; the rest is open.
	fits := func(i int, amount int64) (credit int, open bool) {
		var its, nobodys []int
		for n, l := range lines {
			if used[n] || l.Credit != amount || distance(l.On, payouts[i].Date) > 3 {
				continue
			}
			switch {
			case strings.Contains(l.Narration, couriers[i]):
				its = append(its, n)
			case !namesCourier(l.Narration):
				nobodys = append(nobodys, n)
			default:
				rules["a credit names another courier"]++
			}
		}
		switch {
		case len(its) == 1:
			return its[0], false
		case len(its) > 1 && len(nobodys) == 1:
			return -1, true
		case len(its) == 0 && len(nobodys) == 1:
			return nobodys[0], false
		}
		if len(its)+len(nobodys) > 1 {
			rules["several credits of the amount"]++
		}
		return -1, false
	}
	// open leaves all payouts open: what one of them takes decides on the others.
	open := func() ([]Transfer, map[string]int) {
		for i := range transfers {
			transfers[i].Open = true
		}
		return transfers, rules
	}
	for i, p := range payouts {
		var sum int64
		all, free := 0, 0
		for j, other := range payouts {
			if couriers[j] == couriers[i] && other.Date == p.Date {
				sum += other.Paid
				all++
				if !settled[j] {
					free++
				}
			}
		}
		if settled[i] || all < 2 {
			continue
		}
		credit, unclear := fits(i, sum)
		switch {
		case unclear || credit >= 0 && free < all:
			return open()
		case credit < 0:
			continue
		}
		used[credit] = true
		for j, other := range payouts {
			if couriers[j] != couriers[i] || other.Date != p.Date {
				continue
			}
			if one, unclear := fits(j, other.Paid); one >= 0 || unclear {
				return open() // both its own credit and the common one are there
			}
			settled[j] = true
			transfers[j] = Transfer{State: "credited", Received: sum}
			rules["together"]++
		}
	}
	for found := true; found; { // a credit that settles one payout may leave one for another
		found = false
		by := map[int]int{}
		for i, p := range payouts {
			if settled[i] {
				continue
			}
			credit, unclear := fits(i, p.Paid)
			if _, twice := by[credit]; unclear || twice && credit >= 0 {
				return open()
			}
			by[credit] = i
		}
		for credit, i := range by {
			if credit >= 0 {
				used[credit], settled[i], found = true, true, true
				transfers[i] = Transfer{State: "credited", Received: payouts[i].Paid}
				rules["by amount"]++
			}
		}
	}
	return transfers, rules
}

// namesCourier reports whether a narration names one of the couriers of the cases.
func namesCourier(narration string) bool {
	return slices.ContainsFunc([]string{"DELHIVERY", "DTDC", "SHADOWFAX"}, func(name string) bool { return strings.Contains(narration, name) })
}
