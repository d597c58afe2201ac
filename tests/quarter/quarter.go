package quarter

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"milaan/domain"
)

// order is an order of the shop, as its latest export has it.
type order struct {
	name, awb, courier, total, financial, fulfilment, created string
	cancelled                                                 string
}

func (o order) row() string {
	fulfilled := ""
	if o.fulfilment != "" {
		fulfilled = o.created
	}
	return strings.Join([]string{o.name, o.financial, o.fulfilment, o.total, o.created, fulfilled, o.cancelled, "Cash on Delivery (COD)", o.awb, o.courier}, ",")
}

const exportHeader = "Name,Financial Status,Fulfillment Status,Total,Created at,Fulfilled at,Cancelled at,Payment Method,Tracking Number,Tracking Company"

// Couriers are three couriers, each with the header of its reports.
var Couriers = []struct{ ID, header string }{
	{"delhivery", "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,UTR,Status"},
	{"dtdc", "AWB Number,Order ID,COD Amount (INR),Remitted Amount,Remittance Date,UTR,Status,Freight,GST"},
	{"shadowfax", "AWB Number,Order ID,COD Amount (INR),Remittance Date,UTR,Status"},
}

// Month is what the shop has at the end of a month: an export, and a report of each courier.
type Month struct {
	orders  []order
	reports [][]string // lines, by courier
}

func (m Month) Export() string {
	rows := []string{exportHeader}
	for _, o := range m.orders {
		rows = append(rows, o.row())
	}
	return strings.Join(rows, "\n")
}

// Report is the report of a courier, by its place among Couriers.
func (m Month) Report(courier int) string {
	return Couriers[courier].header + "\n" + strings.Join(m.reports[courier], "\n") + "\n"
}

// Draw draws a quarter. Payments come in the month after the order or later, in parts, too little or too much, are
// taken back, or never come. Orders are exported again, and reports list lines again.
func Draw(chance *rand.Rand) (months []Month, whole Month) {
	months, whole.reports = make([]Month, 3), make([][]string, len(Couriers))
	for i := range months {
		months[i].reports = make([][]string, len(Couriers))
	}
	one := func(n int) bool { return chance.IntN(n) == 0 }
	for i := range 30 + chance.IntN(60) {
		of := chance.IntN(len(Couriers))
		at := chance.IntN(3)
		day := time.Date(2026, time.Month(1+at), 1+chance.IntN(26), 10, 11, 12, 0, domain.Kolkata)
		total := domain.Paise(100_00 + chance.IntN(400_000))
		o := order{name: fmt.Sprintf("#%d", 1001+i), awb: fmt.Sprintf("%d%010d", 19+of, 4_076_086_893+i*7), courier: Couriers[of].ID,
			total: string(total.AppendRupees(nil)), financial: "pending", fulfilment: "fulfilled", created: day.Format("2006-01-02 15:04:05 -0700")}
		switch {
		case one(15):
			o.cancelled = o.created
		case one(12):
			o.awb = "" // its lines name the order
		}
		latest := at
		months[at].orders = append(months[at].orders, o)
		for later := at + 1; later < 3; later++ {
			if !one(3) {
				continue
			}
			if one(3) {
				o.financial = "paid"
			}
			months[later].orders = append(months[later].orders, o)
			latest = later
		}
		_ = latest
		whole.orders = append(whole.orders, o)
		for n := range chance.IntN(4) {
			in := min(at+chance.IntN(2)+chance.IntN(2), 2)
			paid := []domain.Paise{total, total, total - 40_00, total / 2, -total, 0, total + 10_00}[chance.IntN(7)]
			on := day.AddDate(0, in-at, 3+n).Format(time.DateOnly)
			status := []string{"Delivered", "Delivered", "RTO Delivered", "In Transit", ""}[chance.IntN(5)]
			awb := cmp.Or(o.awb, fmt.Sprintf("77%d", i))
			utr := fmt.Sprintf("U%d-%d", i, n)
			if paid == 0 {
				on, utr = "", ""
			}
			var l string
			switch of {
			case 0:
				l = fmt.Sprintf("%s,%s,%s,%s,%s,%s,%s", awb, o.name, total.AppendRupees(nil), paid.AppendRupees(nil), on, utr, status)
			case 1:
				l = fmt.Sprintf("%s,%s,%s,%s,%s,%s,%s,%s,%s", awb, o.name, total.AppendRupees(nil), paid.AppendRupees(nil), on, utr, status, "30", "10")
			default:
				l = fmt.Sprintf("%s,%s,%s,%s,%s,%s", awb, o.name, paid.AppendRupees(nil), on, utr, status)
			}
			if slices.Contains(whole.reports[of], l) {
				continue
			}
			whole.reports[of] = append(whole.reports[of], l)
			months[in].reports[of] = append(months[in].reports[of], l)
			if in < 2 && one(5) {
				months[in+1].reports[of] = append(months[in+1].reports[of], l)
			}
		}
	}
	// The last month has the latest order, and the latest line of each courier.
	last := order{name: "#9999", awb: "190", courier: "delhivery", total: "100", financial: "pending", fulfilment: "fulfilled", created: "2026-03-31 10:00:00 +0530"}
	for i := range months {
		first := last
		first.name, first.awb, first.created = fmt.Sprintf("#%d", 9000+i), fmt.Sprint(191+i), fmt.Sprintf("2026-%02d-02 10:00:00 +0530", i+1)
		months[i].orders, whole.orders = append(months[i].orders, first), append(whole.orders, first)
	}
	months[2].orders, whole.orders = append(months[2].orders, last), append(whole.orders, last)
	for of, l := range []string{"8880,9999,1,1,2026-04-02,Z,", "8881,9999,1,1,2026-04-02,Z,,,", "8882,9999,1,2026-04-02,Z,"} {
		months[2].reports[of], whole.reports[of] = append(months[2].reports[of], l), append(whole.reports[of], l)
	}
	// Both read the lines of a report where the last report has them.
	for of := range whole.reports {
		var all []string
		for _, m := range months {
			for _, l := range m.reports[of] {
				all = append(slices.DeleteFunc(all, func(k string) bool { return k == l }), l)
			}
		}
		whole.reports[of] = all
	}
	return months, whole
}
