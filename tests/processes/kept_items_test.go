package processes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/shopify"
	"milaan/tests/fakes/smtp"
	"milaan/tests/only"
)

// TestItemsOverSixtyDays follows the open items that a connection keeps through sixty days of two couriers, of which some money
// comes after fifty. Each day a process that makes the pass is killed in another step of it, and on Mondays one that mails the
// digest. Nothing is lost, and nothing there twice: after each day the items are those of an instance that was never killed.
func TestItemsOverSixtyDays(t *testing.T) {
	soaking(t)
	program := only.Value(hurried())(t)
	now := time.Now().In(domain.Kolkata)
	began := time.Date(now.Year(), now.Month(), now.Day()-int(now.Weekday()), 12, 0, 0, 0, domain.Kolkata) // a Sunday
	var want []string
	onSQLite(t, func(t *testing.T, in *installation) {
		in.program = program
		t.Run("never killed", func(t *testing.T) { want = newKeeping(t, in, began).through(t, sixtyDays) })
	})
	if want == nil {
		return // it says why
	}
	onBoth(t, func(t *testing.T, in *installation) {
		in.program = program
		k := newKeeping(t, in, began)
		k.killed = size(0, 4, 1)
		got := k.through(t, sixtyDays)
		for day := range want {
			require.Equal(t, want[day], got[day], "day %d", day)
		}
		require.Subset(t, k.reached, slices.Concat(passSteps, mailSteps))
		t.Logf("killed in %v", k.reached)
	})
}

// sixtyDays are the days, and on another one the sums are looked at.
const sixtyDays = 61

// The steps of a pass, and of mailing a digest, at which a process stops (testdata/hurried).
var (
	passSteps = []string{"orders", "reports", "compare", "write", "store", "stored"}
	mailSteps = []string{"mail", "mailed"}
)

// keeping is a connection that keeps its open items, on days that the test lets go by.
type keeping struct {
	*installation
	stage      *autopilotStage
	began      time.Time // noon of day 0
	clock      string    // a file that says how far the clock of the processes is ahead
	steps      string    // a folder that says where they stop
	office     *smtp.Server
	account    account
	connection *staged
	replicas   []*replica
	killed     int // on every such day a process is killed; 0: on none
	reached    []string
}

func newKeeping(t *testing.T, in *installation, began time.Time) *keeping {
	dir := t.TempDir()
	k := &keeping{installation: in, stage: newStage(t, 0), began: began, clock: filepath.Join(dir, "clock"), steps: dir, office: smtp.New(t, "", ""),
		account: in.accounts(t, 1, -1)[0], connection: &staged{manner: healthy, id: uuid.NewString()}}
	// Each day has one pass: no other one becomes due while the test is at it.
	for domain.NextPass(k.connection.id, began, domain.PassPeriod).Sub(began) < 25*time.Minute {
		k.connection.id = uuid.NewString()
	}
	shop, settings := k.stage.shop(t, "keeping", 0)
	shop.SetOrders(k.sold())
	first, _ := k.stage.bucketSource(t, 0, "delhivery")
	second, _ := k.stage.bucketSource(t, 0, "dtdc")
	second.Courier = "dtdc"
	stored, done := in.connectionsOf(t)
	defer done()
	k.stage.add(t, stored, k.connection, k.account.id, settings, []domain.ReportSource{first, second}, k.noon(0))
	in.exec(t, "INSERT INTO connection_ledgers (connection_id, since_us, version) SELECT id, 1, 0 FROM connections")
	return k
}

func (k *keeping) noon(day int) time.Time { return k.began.AddDate(0, 0, day) }

// parcel is an order, and what becomes of its money.
type parcel struct {
	n, day, paidOn int // paidOn: the day on which its courier pays
	remitted       int // in rupees
	courier        string
}

// Of nine orders one is never paid, one is short, and one is paid after fifty days.
const (
	perDay    = 3
	inAnOrder = 1499
	shortage  = 100
	never     = 1000
)

// parcels are all orders from thirty days before day 0.
func parcels() (all []parcel) {
	for day := -29; day < sixtyDays; day++ {
		for range perDay {
			n := len(all)
			p := parcel{n: n, day: day, paidOn: max(day+9, 0), remitted: inAnOrder, courier: []string{"delhivery", "dtdc"}[n%2]}
			switch n % 9 {
			case 0:
				p.paidOn = never
			case 4:
				p.remitted -= shortage
			case 8:
				p.paidOn = day + 50
			}
			all = append(all, p)
		}
	}
	return all
}

func (p parcel) name() string { return fmt.Sprintf("#ORDER-%d", 77001+p.n) }

func (p parcel) awb() string { return fmt.Sprintf("1904120%07d", p.n) }

func (k *keeping) sold() (orders []shopify.Order) {
	for _, p := range parcels() {
		created := k.noon(p.day).Add(-time.Hour)
		orders = append(orders, shopify.Order{ID: int64(7_000_000 + p.n), Name: p.name(), CreatedAt: created, Financial: "PENDING", Fulfilment: "FULFILLED",
			Gateways: []string{"Cash on Delivery (COD)"}, Total: inAnOrder * domain.Rupee, Outstanding: inAnOrder * domain.Rupee,
			Fulfilments: []shopify.Fulfilment{{CreatedAt: created.Add(time.Minute), Tracking: []shopify.Tracking{{Number: p.awb(), Company: p.courier}}}}})
	}
	return orders
}

// pay puts the reports of a day.
func (k *keeping) pay(t *testing.T, day int) {
	lines := map[string]string{"delhivery": "AWB No,COD Amount,Remitted Amount,Remittance Date\n", "dtdc": "CN Number,COD Amount (INR),Remitted Amount,Remittance Date\n"}
	for _, p := range parcels() {
		if p.paidOn == day {
			lines[p.courier] += fmt.Sprintf("%s,%d,%d,%s\n", p.awb(), inAnOrder, p.remitted, domain.DayOf(k.noon(day)))
		}
	}
	for courier, content := range lines {
		if strings.Count(content, "\n") > 1 {
			k.stage.buckets[0].Put(t, fmt.Sprintf("%s/%d.csv", courier, day), []byte(content), k.noon(day).Add(-2*time.Hour))
		}
	}
}

// setClock makes it a time for all processes.
func (k *keeping) setClock(t *testing.T, at time.Time) {
	ahead := time.Until(at).Round(time.Microsecond)
	require.NoError(t, os.WriteFile(k.clock+".new", []byte(ahead.String()), 0o600))
	require.NoError(t, os.Rename(k.clock+".new", k.clock))
}

func (k *keeping) start(t *testing.T) *replica {
	speed := pace{period: domain.PassPeriod, timeouts: 10, takeover: time.Second, each: 100 * time.Millisecond}
	return k.installation.start(t, append(speed.environment(), "HURRIED_CLOCK="+k.clock, "HURRIED_STEPS="+k.steps,
		"MILAAN_SMTP_URL=smtp://"+k.office.Addr, "MILAAN_MAIL_FROM=Milaan <milaan@milaan.example>", "MILAAN_PUBLIC_URL=http://127.0.0.1:1")...)
}

// through lets the days go by, and returns the open items after each of them.
func (k *keeping) through(t *testing.T, days int) (items []string) {
	k.setClock(t, k.noon(0).Add(-time.Hour))
	k.replicas = append(k.replicas, k.start(t))
	if k.database != "" {
		k.replicas = append(k.replicas, k.start(t))
	}
	owner := k.people(t, k.account)[0]
	digests := 0
	for day := range days {
		step := passSteps[day/max(k.killed, 1)%len(passSteps)]
		monday := k.noon(day).Weekday() == time.Monday
		if monday {
			step = mailSteps[digests%2]
			digests++
		}
		// Somebody marks an order while a pass is under way, which ends only the second time. A session lasts that long unused,
		// whatever day of the week it began on.
		marks := day == 3 || day == 9
		if marks {
			step = "write"
		}
		kills := k.killed > 0 && (day%k.killed == 0 || monday || marks)
		k.pay(t, day)
		if kills {
			require.NoError(t, os.WriteFile(filepath.Join(k.steps, step), nil, 0o600))
		}
		if marks && !kills {
			k.mark(t, k.replicas[0], owner, items[day-1])
		}
		k.setClock(t, k.noon(day))
		if kills {
			r, file := k.stopped(t, step)
			if marks {
				k.mark(t, r, owner, items[day-1])
			}
			if day != 9 {
				k.kill(t, r, step)
			}
			require.NoError(t, os.Remove(file))
		}
		await(t, fmt.Sprintf("the pass of day %d", day), func() bool {
			return k.count(t, "SELECT COUNT(*) FROM runs") > day && k.count(t, "SELECT COUNT(*) FROM passes WHERE ended_at_us IS NULL") == 0
		})
		await(t, "the digest", func() bool { return len(k.mailed(t)) >= digests })
		items = append(items, k.list(t, k.replicas[day%len(k.replicas)]))
	}
	require.Equal(t, days, k.count(t, "SELECT COUNT(*) FROM runs"))
	require.Len(t, k.mailed(t), digests, "each digest under one id")
	for _, r := range k.replicas {
		r.stop(t)
	}
	k.checkSums(t, items[len(items)-1], days-1)
	return items
}

// stopped waits for a process to stop at a step. It goes on if the file is removed.
func (k *keeping) stopped(t *testing.T, step string) (r *replica, file string) {
	var reached []string
	await(t, "a process to come to "+step, func() bool {
		reached, _ = filepath.Glob(filepath.Join(k.steps, step+".*"))
		return len(reached) > 0
	})
	id := only.Value(strconv.Atoi(strings.TrimPrefix(filepath.Ext(reached[0]), ".")))(t)
	at := slices.IndexFunc(k.replicas, func(r *replica) bool { return r.process.Process.Pid == id })
	require.GreaterOrEqual(t, at, 0)
	return k.replicas[at], reached[0]
}

// kill kills a process that has stopped at a step, and starts another one.
func (k *keeping) kill(t *testing.T, r *replica, step string) {
	r.kill()
	k.reached = append(k.reached, step)
	k.replicas[slices.Index(k.replicas, r)] = k.start(t)
}

// keptItem is an open item, as far as it is looked at here.
type keptItem struct {
	OrderID   string  `json:"order_id"`
	State     string  `json:"state"`
	Flag      string  `json:"flag"`
	Shortfall float64 `json:"shortfall"`
}

// list lists the open items and their sums, without the times at which they were written.
func (k *keeping) list(t *testing.T, r *replica) string {
	got := send(browser, request(t, http.MethodGet, r.url+"/connections/"+k.connection.id+"/open-items", nil, "Authorization", "Bearer "+k.account.key))
	require.Equal(t, http.StatusOK, got.status, string(got.body))
	var page map[string]any
	require.NoError(t, json.Unmarshal(got.body, &page))
	require.Nil(t, page["next"])
	delete(page, "kept_since")
	delete(page, "written_at")
	return string(only.Value(json.MarshalIndent(page, "", " "))(t))
}

func itemsIn(t *testing.T, list string) []keptItem {
	var page struct {
		Items []keptItem `json:"items"`
	}
	require.NoError(t, json.Unmarshal([]byte(list), &page))
	return page.Items
}

// mark notes that the first order without a mark of those that are never paid is disputed.
func (k *keeping) mark(t *testing.T, r *replica, owner person, list string) {
	unpaid := map[string]bool{}
	for _, p := range parcels() {
		unpaid[p.name()] = p.paidOn == never
	}
	for _, item := range itemsIn(t, list) {
		if item.State == "" && unpaid[item.OrderID] {
			order := fmt.Sprintf(`"order_id":%q`, item.OrderID)
			body := fmt.Sprintf(`{"was":[{%s}],"marks":[{%s,"state":"disputed","note":"by telephone"}]}`, order, order)
			got := r.asPage(t, http.MethodPost, "connections/"+k.connection.id+"/open-items/marks", owner.cookie, "application/json", []byte(body))
			require.Equal(t, http.StatusNoContent, got.status, string(got.body))
			return
		}
	}
	require.Fail(t, "there is no order to mark")
}

// mailed are the texts of the digests so far, by id.
func (k *keeping) mailed(t *testing.T) map[string]string {
	all := map[string]string{}
	for _, m := range k.office.Mails() {
		mail := only.Value(mail.ReadMessage(strings.NewReader(m.Data)))(t)
		id, text := mail.Header.Get("Message-ID"), m.Data
		require.NotContains(t, text, "ORDER-77", "a mail names an order")
		require.Contains(t, text, "/open-items", "a digest says where the list is")
		all[id] = text
	}
	return all
}

// checkSums holds what is claimed at the end of a day against what couriers owe.
func (k *keeping) checkSums(t *testing.T, list string, today int) {
	want, got, marked := map[string]float64{}, map[string]float64{}, 0
	for _, p := range parcels() {
		switch {
		case today <= p.day+7: // it may still come in time
		case p.paidOn > today:
			want[p.name()] = inAnOrder
		case p.remitted < inAnOrder:
			want[p.name()] = shortage
		}
	}
	for _, item := range itemsIn(t, list) {
		if item.Flag != domain.AwaitingNextCycle.String() {
			got[item.OrderID] = item.Shortfall
		}
		if item.State == "disputed" {
			marked++
		}
	}
	require.Equal(t, want, got)
	require.Equal(t, 2, marked)
}
