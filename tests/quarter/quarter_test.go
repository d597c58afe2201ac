package quarter

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents"
	"milaan/adapters/documents/ledger"
	"milaan/adapters/statement"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
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

// couriersOfTheShop are three couriers, each with the header of its reports.
var couriersOfTheShop = []struct{ id, header string }{
	{"delhivery", "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,UTR,Status"},
	{"dtdc", "AWB Number,Order ID,COD Amount (INR),Remitted Amount,Remittance Date,UTR,Status,Freight,GST"},
	{"shadowfax", "AWB Number,Order ID,COD Amount (INR),Remittance Date,UTR,Status"},
}

// month is what the shop has at the end of a month: an export, and a report of each courier.
type month struct {
	orders  []order
	reports [][]string // lines, by courier
}

func (m month) request() ports.Request {
	rows := []string{exportHeader}
	for _, o := range m.orders {
		rows = append(rows, o.row())
	}
	req := ports.Request{Storefront: []byte(strings.Join(rows, "\n")), Workbooks: true}
	for i, lines := range m.reports {
		c := couriersOfTheShop[i]
		req.Reports = append(req.Reports, ports.Report{CourierName: c.id, Courier: []byte(c.header + "\n" + strings.Join(lines, "\n") + "\n")})
	}
	return req
}

// draw draws a quarter. Payments come in the month after the order or later, in parts, too little or too much, are
// taken back, or never come. Orders are exported again, and reports list lines again.
func draw(chance *rand.Rand) (months []month, whole month) {
	months, whole.reports = make([]month, 3), make([][]string, len(couriersOfTheShop))
	for i := range months {
		months[i].reports = make([][]string, len(couriersOfTheShop))
	}
	one := func(n int) bool { return chance.IntN(n) == 0 }
	for i := range 30 + chance.IntN(60) {
		of := chance.IntN(len(couriersOfTheShop))
		at := chance.IntN(3)
		day := time.Date(2026, time.Month(1+at), 1+chance.IntN(26), 10, 11, 12, 0, domain.Kolkata)
		total := domain.Paise(100_00 + chance.IntN(400_000))
		o := order{name: fmt.Sprintf("#%d", 1001+i), awb: fmt.Sprintf("%d%010d", 19+of, 4_076_086_893+i*7), courier: couriersOfTheShop[of].id,
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

// reconciling compares files as the program does.
func reconciling() *runs.Reconciling {
	tables := table.New()
	return runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), ReadStatement: statement.New(tables).Read,
		OpenLedger: ledger.New(table.NewWithin(table.Settings{MaxRows: ledger.MaxRows})).Open, Clock: time.Now})
}

func reconcile(t testing.TB, r *runs.Reconciling, req ports.Request) *ports.FinishedRun {
	t.Helper()
	run, err := r.Preview(t.Context(), req)
	if file, is := err.(*domain.FileError); is {
		t.Fatalf("%+v", file)
	}
	require.NoError(t, err)
	t.Cleanup(run.Release)
	return run
}

// files writes the documents of a run in a format.
func files(t testing.TB, run *ports.FinishedRun, format domain.Format) map[string][]byte {
	t.Helper()
	written := map[string]*bytes.Buffer{}
	for _, reporter := range documents.New(documents.Params{Couriers: couriers.New(table.New()), Languages: wording.NewLanguages(), Clock: time.Now}) {
		if reporter.Format() != format {
			continue
		}
		require.NoError(t, reporter.Write(func(name string) (io.Writer, error) {
			written[name] = new(bytes.Buffer)
			return written[name], nil
		}, run, domain.Branding{}))
	}
	all := map[string][]byte{}
	for name, b := range written {
		all[name] = b.Bytes()
	}
	return all
}

// money is what an order ends with.
type money struct{ due, remitted, accepted, shortfall domain.Paise }

func ends(run *ports.FinishedRun) map[string]money {
	all := map[string]money{}
	for i := range run.All() {
		r := run.Result(i)
		all[string(r.OrderID)] = money{r.Due, r.Remitted, r.Accepted, r.Shortfall}
	}
	return all
}

// byMonths reconciles a quarter month by month. carry turns a run into the file for the next one.
func byMonths(t testing.TB, months []month, charges domain.Charges, carry func(*ports.FinishedRun) []byte) *ports.FinishedRun {
	r := reconciling()
	var previous []byte
	for i, m := range months {
		req := m.request()
		req.Previous, req.Charges = previous, charges
		run := reconcile(t, r, req)
		if i == len(months)-1 {
			return run
		}
		previous = carry(run)
	}
	return nil
}

func requireSameEnd(t testing.TB, months []month, whole month, charges domain.Charges, carry func(*ports.FinishedRun) []byte) {
	t.Helper()
	req := whole.request()
	req.Charges = charges
	require.Equal(t, ends(reconcile(t, reconciling(), req)), ends(byMonths(t, months, charges, carry)))
}

func asCSV(t testing.TB) func(*ports.FinishedRun) []byte {
	return func(run *ports.FinishedRun) []byte { return files(t, run, domain.FormatCSV)["ledger.csv"] }
}

func asWorkbook(t testing.TB) func(*ports.FinishedRun) []byte {
	return func(run *ports.FinishedRun) []byte { return files(t, run, domain.FormatXLSX)["milaan.xlsx"] }
}

func TestMonthByMonthEndsAsAtOnce(t *testing.T) {
	chance := rand.New(rand.NewPCG(26, 1))
	for range 60 {
		months, whole := draw(chance)
		charges := domain.FlagCharges
		if chance.IntN(2) == 0 {
			charges = domain.AcceptCharges
		}
		requireSameEnd(t, months, whole, charges, asCSV(t))
		requireSameEnd(t, months, whole, charges, asWorkbook(t))
	}
}

// TestSavedByLibreOffice opens the ledger between the months with LibreOffice and saves it again, as workbooks of three kinds
// and as CSV.
func TestSavedByLibreOffice(t *testing.T) {
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("NOT TESTED with LibreOffice: install libreoffice-calc")
	}
	home := t.TempDir()
	for _, to := range []string{"xlsx", "ods", "xls", "csv"} {
		months, whole := draw(rand.New(rand.NewPCG(26, 2)))
		requireSameEnd(t, months, whole, domain.FlagCharges, func(run *ports.FinishedRun) []byte {
			from, text := filepath.Join(t.TempDir(), "month.xlsx"), asWorkbook(t)(run)
			if to == "csv" {
				from, text = filepath.Join(filepath.Dir(from), "month.csv"), asCSV(t)(run)
			}
			require.NoError(t, os.WriteFile(from, text, 0o600))
			saved := filepath.Join(t.TempDir(), "saved")
			out, err := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+home, "--headless", "--convert-to", to, "--outdir", saved, from).CombinedOutput()
			require.NoError(t, err, string(out))
			again, err := os.ReadFile(filepath.Join(saved, "month."+to))
			require.NoError(t, err, string(out))
			return again
		})
	}
}
