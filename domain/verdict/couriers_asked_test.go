package verdict_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/domain/verdict"
)

// parcel is an order and which report lists it, from 1; 0: none does.
type parcel struct {
	carrier, awb string
	report       int
}

// parcels are some with AWBs that begin with a text and have seven further digits.
func parcels(n int, carrier, begins string, report int) (all []parcel) {
	for i := range n {
		all = append(all, parcel{carrier, fmt.Sprintf("%s%07d", begins, i), report})
	}
	return all
}

// TestTheCourierOfAnUnlistedOrder holds whom the shop asks for the money of an order that
// no report lists, which is the last of the parcels. In the reports is a line of no order.
func TestTheCourierOfAnUnlistedOrder(t *testing.T) {
	delhivery, dtdc := parcels(6, "", "1490260", 1), parcels(6, "", "D", 2)
	one, two := []string{"delhivery"}, []string{"delhivery", "dtdc"}
	join := func(all ...[]parcel) (joined []parcel) {
		for _, p := range all {
			joined = append(joined, p...)
		}
		return joined
	}
	for name, c := range map[string]struct {
		couriers []string
		parcels  []parcel
		want     int
		others   []parcel // of no order of the export
	}{
		"the form of the AWB is one courier's alone": {two, append(join(delhivery, dtdc), parcel{"", "D9999999", 0}), 2, nil},
		"and of another":                                   {two, append(join(delhivery, dtdc), parcel{"", "14902609999999", 0}), 1, nil},
		"the form with its beginning":                      {two, append(join(delhivery, parcels(6, "", "3806100", 2)), parcel{"", "38061009999999", 0}), 2, nil},
		"the beginning is of few, and the form of both":    {two, append(join(delhivery, parcels(6, "", "3806100", 2)), parcel{"", "55061009999999", 0}), 0, nil},
		"both list the form":                               {two, append(join(delhivery, parcels(6, "", "1490261", 2)), parcel{"", "14902629999999", 0}), 0, nil},
		"a form that nobody lists":                         {two, append(join(delhivery, dtdc), parcels(4, "", "XX", 0)...), 0, nil},
		"a form of which two are listed":                   {two, append(join(delhivery, dtdc[:2], parcels(2, "", "D1", 0)), parcel{"", "D9999999", 0}), 0, nil},
		"the reports of one courier are two":               {[]string{"delhivery", "dtdc", "dtdc"}, append(join(delhivery, dtdc[:3], parcels(3, "", "D1", 3)), parcel{"", "D9999999", 0}), 2, nil},
		"no AWB":                                           {two, append(join(delhivery, dtdc), parcel{"", "", 0}), 0, nil},
		"the carrier is listed by one courier alone":       {two, append(join(parcels(6, "Blue", "1", 1), parcels(6, "Red", "2", 2)), parcel{"RED", "19999999", 0}), 2, nil},
		"the carrier is a courier, and nobody lists it":    {two, append(join(delhivery, dtdc), parcel{"DTDC Express", "19999999999999", 0}), 2, nil},
		"what lists the carrier comes before its name":     {two, append(join(parcels(6, "DTDC", "1", 1), dtdc), parcel{"DTDC", "X", 0}), 1, nil},
		"both list the carrier, and one the form":          {two, append(join(parcels(6, "Blue", "1490260", 1), parcels(6, "Blue", "D", 2)), parcel{"Blue", "D9999999", 0}), 2, nil},
		"a carrier of which nothing is known":              {two, append(join(parcels(6, "Blue", "1490260", 1), parcels(6, "Red", "D", 2)), parcel{"Gati", "19999999", 0}), 0, nil},
		"one courier":                                      {one, append(join(delhivery), parcel{"", "14902609999999", 0}), 1, nil},
		"one courier, and a carrier that it does not list": {one, append(join(parcels(6, "Delhivery", "1490260", 1)), parcel{"DTDC", "14902609999999", 0}), 0, nil},
		"one courier, and a form that it does not list":    {one, append(join(delhivery), parcels(4, "", "D", 0)...), 0, nil},
		"one courier that lists nothing":                   {one, parcels(4, "Blue", "D", 0), 1, nil},
		"not known couriers are their reports":             {[]string{"", "custom"}, append(join(delhivery, dtdc), parcel{"", "D9999999", 0}), 2, nil},
		"another courier's lines have the beginning":       {two, append(join(delhivery), parcel{"", "15242609999999", 0}), 2, parcels(3, "", "1524260", 2)},
		"and so have few of them":                          {two, append(join(delhivery), parcel{"", "15242609999999", 0}), 0, parcels(1, "", "1524260", 2)},
		"one parcel of it in several lines":                {two, append(join(delhivery), parcel{"", "15242609999999", 0}), 0, append(parcels(1, "", "1524260", 2), append(parcels(1, "", "1524260", 2), parcels(1, "", "1524260", 2)...)...)},
		"lines of both have the beginning":                 {two, append(join(delhivery), parcel{"", "14902609999999", 0}), 0, parcels(3, "", "1490261", 2)},
		"another courier's lines have the form alone":      {two, append(join(delhivery), parcel{"", "38061009999999", 0}), 0, parcels(3, "", "1524260", 2)},
		"digits alone with a beginning that nobody lists":  {two, append(join(delhivery, dtdc), parcel{"", "38061009999999", 0}), 0, nil},
		"one courier whose other lines have the form":      {one, append(join(delhivery), parcels(4, "", "D", 0)...), 1, parcels(1, "", "D", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := decide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, remittances *verdict.Remittances) {
				carriers := map[string]verdict.TextID{"": 0}
				for i, p := range c.parcels {
					o, _ := orders.FindOrAdd(fmt.Appendf(nil, "#%d", i))
					if _, known := carriers[p.carrier]; !known {
						carriers[p.carrier] = orders.Share([]byte(p.carrier))
					}
					o.Total, o.HasTotal, o.CreatedOn, o.Carrier = rupees(100), true, 20_000, carriers[p.carrier]
					if p.awb != "" {
						orders.Track(o, []byte(p.awb))
					}
				}
				for report, courier := range c.couriers {
					remittances.Begin(courier)
					remittances.Add(verdict.Remittance{AWB: []byte("ELSEWHERE"), RemittedOn: 20_060, Listed: rupees(1), Collected: rupees(1), Remitted: rupees(1), HasRemitted: true})
					for i, p := range c.parcels {
						if p.report == report+1 {
							remittances.Add(verdict.Remittance{AWB: []byte(p.awb), Line: int32(i), RemittedOn: 20_005, Listed: rupees(100), Collected: rupees(100), Remitted: rupees(100), HasRemitted: true})
						}
					}
					for i, p := range c.others {
						if p.report == report+1 {
							remittances.Add(verdict.Remittance{AWB: []byte(p.awb), Line: int32(i), RemittedOn: 20_004 + domain.Day(i), Listed: rupees(100), Collected: rupees(100), Remitted: rupees(100), HasRemitted: true})
						}
					}
				}
			})
			require.NoError(t, err)
			last := len(c.parcels) - 1
			require.Positive(t, r.Asked(last))
			require.Equal(t, c.want, r.CourierReport(last))
			for i, p := range c.parcels {
				if p.report > 0 {
					want := p.report
					if c.couriers[want-1] == c.couriers[max(want-2, 0)] {
						want = max(want-1, 1)
					}
					require.Equal(t, want, r.CourierReport(i))
				}
			}
		})
	}
}

// TestTheCourierOfAnOrderOfALedger is about orders that no export has any more: what an earlier run knew of their courier it may have
// guessed, when it had the reports of one courier alone.
func TestTheCourierOfAnOrderOfALedger(t *testing.T) {
	r, err := decide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, remittances *verdict.Remittances) {
		o, _ := orders.FindOrAdd([]byte("#1"))
		o.Total, o.HasTotal, o.CreatedOn = rupees(100), true, 20_000
		for i, carrier := range []string{"", "DTDC Express", "", "Blue"} {
			require.Empty(t, orders.Remember(&verdict.RememberedOrder{AWBs: []byte([]string{"D0999999", "YY1", "YY2", "D0999998"}[i]), Carrier: []byte(carrier),
				Found: verdict.Finding{Flag: domain.Overdue, Courier: "delhivery"},
				Order: verdict.Order{Name: fmt.Appendf(nil, "#ledger%d", i), Total: rupees(100), HasTotal: true, CreatedOn: 19_900}}))
		}
		for i, of := range [][]parcel{parcels(3, "", "1490260", 1), parcels(3, "", "D", 2)} {
			remittances.Begin([]string{"delhivery", "dtdc"}[i])
			for _, p := range of {
				remittances.Add(verdict.Remittance{AWB: []byte(p.awb), RemittedOn: 20_005, Listed: rupees(100), Collected: rupees(100), Remitted: rupees(100), HasRemitted: true})
			}
		}
	})
	require.NoError(t, err)
	for i, want := range []string{"dtdc", "dtdc", "delhivery", "delhivery"} {
		require.Equal(t, want, r.Item(i+1).Now.Courier, i)
	}
}

// TestHowFarACouriersOwnReportsReach is about two couriers of which one's reports reach further: what is said to a courier, and of
// its order, is of its own.
func TestHowFarACouriersOwnReportsReach(t *testing.T) {
	r, err := decide(domain.TermsFor(nil, 0, nil), func(orders *verdict.Orders, remittances *verdict.Remittances) {
		all := append(parcels(6, "", "1490260", 1), parcels(6, "", "D", 2)...)
		all = append(all, parcel{awb: "14902609999999"}, parcel{awb: "D9999999"}, parcel{awb: "XX123"})
		for i, p := range all {
			o, _ := orders.FindOrAdd(fmt.Appendf(nil, "#%d", i))
			o.Total, o.HasTotal, o.CreatedOn = rupees(100), true, 20_000+domain.Day(i)
			if p.report == 0 {
				o.CreatedOn = 20_017 + domain.Day(i)%2*9 // the windows of two are over, and the reports do not cover them
			}
			orders.Track(o, []byte(p.awb))
		}
		for i, courier := range []string{"xpressbees", "dtdc"} {
			require.Empty(t, orders.Remember(&verdict.RememberedOrder{AWBs: fmt.Appendf(nil, "YY%d", i), Found: verdict.Finding{Flag: domain.Missing, Courier: courier},
				Order: verdict.Order{Name: fmt.Appendf(nil, "#ledger%d", i), Total: rupees(100), HasTotal: true, CreatedOn: 19_900}}))
		}
		for report, courier := range []string{"delhivery", "dtdc", "delhivery"} {
			remittances.Begin(courier)
			for i, p := range all {
				if p.report == report%2+1 {
					remittances.Add(verdict.Remittance{AWB: []byte(p.awb), Line: int32(i), RemittedOn: 20_030 - domain.Day(report), Listed: rupees(100), Collected: rupees(100), Remitted: rupees(100), HasRemitted: true,
						UTR: []byte(courier)})
				}
			}
		}
	})
	require.NoError(t, err)
	const delhivery, dtdc, other, xpressbeesOfLedger, dtdcOfLedger = 12, 13, 14, 15, 16
	require.Equal(t, domain.Day(20_029), r.Guidance.DataThrough)
	require.Equal(t, domain.Behind{Report: 2, Courier: "dtdc"}, r.Guidance.Behind)
	for order, through := range map[int]domain.Day{delhivery: 20_030, dtdc: 20_029, other: 20_029, xpressbeesOfLedger: domain.NoDay, dtdcOfLedger: 20_029} {
		var d verdict.Dispute
		r.Dispute(order, &d)
		require.Equal(t, through, d.Reason.DataThrough)
		reason := r.Another().Reason(order)
		require.Equal(t, domain.Day(20_029), reason.DataThrough, "the run's")
		if reason.Cause == domain.CauseNotCovered {
			require.Equal(t, order == delhivery, reason.BehindIsOther)
		}
	}
	require.Equal(t, domain.CauseNotCovered, r.Reason(delhivery).Cause)
}
