package bench

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// shopColumns are those of a lean export, and moreColumns stand between them in
// a full one: Shopify writes 79.
var (
	shopColumns = []string{"Name", "Email", "Financial Status", "Paid at", "Fulfillment Status", "Fulfilled at", "Currency", "Subtotal",
		"Shipping", "Taxes", "Total", "Discount Amount", "Created at", "Lineitem quantity", "Lineitem name", "Lineitem price"}
	lastColumns = []string{"Cancelled at", "Payment Method", "Outstanding Balance", "Tracking Number"}
	courierHead = []string{"AWB No", "Order ID", "COD Amount", "Remitted Amount", "Remittance Date", "Delivered Date", "Status", "UTR"}
)

const fullColumns = 79

// wideCells and usualCells are what stands in columns that nobody reads.
var (
	wideCells  = []string{"", "", "0.00", "Old Palasia", "Maharashtra", "381, Lake View Layout", "call before delivery,\nplease"}
	usualCells = append([]string{"", "", "", "", "", ""}, wideCells...)
)

// day0 is the day of the newest order.
var day0 = time.Date(2026, time.March, 31, 12, 0, 0, 0, time.FixedZone("IST", 19800))

// Files are the two files of one run, invented.
type Files struct {
	Orders, Remittances []byte
}

// Draw invents the files of a shop with this many export rows, always the same
// for the same arguments: most orders paid, some of every flag, one in seven of
// several rows, the courier's lines in an order of their own.
func Draw(rows int, full bool) Files { return draw(rows, full, 8, wideCells) }

// DrawOrders invents the files of a shop with this many orders of one row each, as long as
// Shopify's own: an export of 50,000 has 31 MB.
func DrawOrders(orders int) Files { return draw(orders, true, 1, usualCells) }

// draw is Draw. One in seven orders has several rows if most is 8, and none if it is 1.
func draw(rows int, full bool, most int, cells []string) Files {
	r := rand.New(rand.NewPCG(uint64(rows), 7))
	head := append([]string{}, shopColumns...)
	if full {
		for i := len(shopColumns) + len(lastColumns); i < fullColumns; i++ {
			head = append(head, "Column "+strconv.Itoa(i))
		}
	}
	head = append(head, lastColumns...)
	at := map[string]int{}
	for i, c := range head {
		at[c] = i
	}
	var orders, remittances bytes.Buffer
	shop := csv.NewWriter(&orders)
	must(shop.Write(head))
	var lines [][]string
	for written, number := 0, 100_000+rows; written < rows; number-- {
		o := drawOrder(r, number, written*60/rows)
		lines = append(lines, o.lines(r)...)
		for item := 0; item < 1+r.IntN(most)/7 && written < rows; item++ {
			must(shop.Write(o.row(r, head, at, item, cells)))
			written++
		}
	}
	shop.Flush()
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	courier := csv.NewWriter(&remittances)
	courier.UseCRLF = true
	must(courier.Write(courierHead))
	must(courier.WriteAll(lines))
	return Files{Orders: orders.Bytes(), Remittances: remittances.Bytes()}
}

// must stops the drawing: a buffer takes everything.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// drawn is one invented order.
type drawn struct {
	name, awb       string
	total, remitted int // paise
	ordered         int // days before day0, as the next two
	shipped         int
	delivered       int
	listed, rto     bool
}

func drawOrder(r *rand.Rand, number, ago int) drawn {
	o := drawn{name: "#" + strconv.Itoa(number), total: (199+r.IntN(1800))*100 + r.IntN(2)*r.IntN(100), ordered: ago, shipped: ago - 1 - r.IntN(2)}
	o.delivered = o.shipped - 2 - r.IntN(3)
	if o.shipped >= 0 && r.IntN(16) > 0 {
		o.awb = fmt.Sprintf("3806%010d", r.IntN(10_000_000_000))
	}
	o.listed, o.remitted = o.delivered >= 1, o.total
	switch kind := r.IntN(100); {
	case ago <= 7:
		o.remitted, o.listed = 0, o.delivered >= 0 && r.IntN(2) == 0
	case ago < 17 || kind >= 22: // younger parcels may still be paid
	case kind < 6:
		o.remitted -= 201 + r.IntN(o.total/2)
	case kind < 10:
		o.remitted -= 1 + r.IntN(200)
	case kind < 12:
		o.remitted += 1 + r.IntN(50_000)
	case kind < 16:
		o.remitted, o.listed = 0, false
	case kind < 19:
		o.remitted = 0
	default:
		o.remitted, o.rto = 0, true
	}
	if !o.listed {
		o.remitted = 0
	}
	return o
}

func stamp(ago int) string { return day0.AddDate(0, 0, -ago).Format("2006-01-02 15:04:05 -0700") }

func (o drawn) row(r *rand.Rand, head []string, at map[string]int, item int, others []string) []string {
	cells := make([]string, len(head))
	set := func(column, value string) { cells[at[column]] = value }
	set("Name", o.name)
	set("Email", "shopper"+o.name[1:]+"@example.com")
	set("Lineitem quantity", "1")
	set("Lineitem name", []string{"Cotton Kurta - Blue / M", "Running Shoes, Size 9", "Steel Bottle 750 ml", `Wall Poster 12" x 18"`}[r.IntN(4)])
	set("Lineitem price", rupees(o.total))
	set("Created at", stamp(o.ordered))
	if item > 0 {
		return cells
	}
	set("Financial Status", "pending")
	set("Fulfillment Status", "unfulfilled")
	if o.shipped >= 0 {
		set("Fulfillment Status", "fulfilled")
		set("Fulfilled at", stamp(o.shipped))
	}
	for _, c := range []string{"Subtotal", "Total", "Outstanding Balance"} {
		set(c, rupees(o.total))
	}
	set("Currency", "INR")
	set("Payment Method", "Cash on Delivery (COD)")
	set("Tracking Number", o.awb)
	for i := len(shopColumns); i < len(head)-len(lastColumns); i++ {
		cells[i] = others[r.IntN(len(others))]
	}
	return cells
}

func (o drawn) lines(r *rand.Rand) [][]string {
	if !o.listed {
		return nil
	}
	parts := []int{o.remitted}
	if o.remitted > 1000 && r.IntN(20) == 0 { // a split payout
		parts = []int{500, o.remitted - 500}
	}
	awb := o.awb
	if awb == "" {
		awb = fmt.Sprintf("1419%010d", r.IntN(10_000_000_000))
	}
	var lines [][]string
	for i, part := range parts {
		line := []string{awb, o.name, rupees(o.total), rupees(part), "", day0.AddDate(0, 0, -max(o.delivered, 0)).Format("02-01-2006"), "Delivered", ""}
		if o.rto {
			line[6] = "RTO"
		}
		if o.remitted > 0 {
			line[4] = day0.AddDate(0, 0, -max(o.delivered-1-i, 0)).Format("02-01-2006")
			line[7] = fmt.Sprintf("IN%012d", r.IntN(1_000_000_000_000))
		}
		lines = append(lines, line)
	}
	return lines
}

func rupees(paise int) string { return fmt.Sprintf("%d.%02d", paise/100, paise%100) }

// Body is the request that carries the files.
func (f Files) Body() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(e.Encode(map[string]string{"shopify": string(f.Orders), "courier": string(f.Remittances)}))
	return bytes.TrimRight(b.Bytes(), "\n")
}

// label names a set in the benchmarks.
func label(rows int, full bool) string {
	return strings.TrimSuffix(map[bool]string{true: "full/", false: "lean/"}[full]+strconv.Itoa(rows), "/")
}
