package processes_test

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"milaan/adapters/secrets"
	"milaan/adapters/storage"
	"milaan/domain"
	unruly "milaan/tests/fakes/network"
	"milaan/tests/fakes/s3"
	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/shopify"
	"milaan/tests/only"
)

// hurried is a program whose autopilot can be told to have short periods: the one that people get, built with one more file.
var hurried = sync.OnceValues(func() (string, error) {
	from, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	const file = "hurried.go"
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(from, "adapters", file): filepath.Join(from, "tests", "processes", "testdata", "hurried", file)}})
	if err != nil {
		return "", err
	}
	named := filepath.Join(filepath.Dir(binary), "overlay.json")
	if err := os.WriteFile(named, overlay, 0o600); err != nil {
		return "", err
	}
	made := binary + "-hurried"
	return made, link(made, "-overlay", named)
})

// pace is how a hurried program differs from the one that people get.
type pace struct {
	period   time.Duration // from one pass of a connection to the next
	timeouts int           // by which the connectors' usual timeouts are divided
	schedule time.Duration // between two looks for passes that are due; 0: as usual
	takeover time.Duration // of the lease of a job; 0: as usual
	each     time.Duration // every instance looks for passes that are due so often, and not only the one that leads; 0: as usual
}

// environment has what tells a process so, and lets it reach this machine.
func (p pace) environment() []string {
	e := []string{"MILAAN_CONNECTION_ALLOW_LOOPBACK=true", toThisMachine, "HURRIED_PERIOD=" + p.period.String(), fmt.Sprintf("HURRIED_TIMEOUTS=%d", p.timeouts)}
	if p.schedule > 0 {
		e = append(e, "HURRIED_SCHEDULE="+p.schedule.String())
	}
	if p.takeover > 0 {
		e = append(e, "HURRIED_TAKEOVER="+p.takeover.String())
	}
	if p.each > 0 {
		e = append(e, "HURRIED_EACH="+p.each.String())
	}
	return e
}

// manner is how the shop or the source of a connection behaves.
type manner string

const (
	healthy    manner = "healthy"
	deadShop   manner = "shop that says nothing"
	deadSource manner = "source that says nothing"
	slowShop   manner = "slow shop"
)

// staged is a connection whose shop and sources are servers of the test.
type staged struct {
	id     string
	manner manner
	shop   *shopify.Shop
	put    []func(content string) // replaces the report of each source
}

// autopilotStage is servers on this machine, and the connections to them.
type autopilotStage struct {
	shops       *shopify.Fake
	buckets     []*s3.Server
	servers     []*sftp.Server
	connections []*staged
	orders      []shopify.Order // of which every shop has the first ones
	began       time.Time
	// What a client of each shop may cost at once, and how much of it comes back in a second.
	bucket, restored float64
}

// sharing is how many connections have their reports on one server.
const sharing = 20

func newStage(t *testing.T, orders int) *autopilotStage {
	s := &autopilotStage{shops: shopify.New(t), began: time.Now().Truncate(time.Second), bucket: 1e6, restored: 1e6}
	from := s.began.Add(-40 * 24 * time.Hour)
	for i := range orders {
		created := from.Add(time.Duration(i) * 30 * 24 * time.Hour / time.Duration(orders))
		s.orders = append(s.orders, shopify.Order{
			ID: int64(7_000_000 + i), Name: fmt.Sprintf("#ORDER-%d", 77001+i), CreatedAt: created, Financial: "PENDING", Fulfilment: "FULFILLED",
			Gateways: []string{"Cash on Delivery (COD)"}, Total: 149_900, Outstanding: 149_900,
			Fulfilments: []shopify.Fulfilment{{CreatedAt: created.Add(time.Hour), Tracking: []shopify.Tracking{{Number: fmt.Sprintf("1904120%07d", i), Company: "Delhivery"}}}},
		})
	}
	return s
}

// report has a number of lines, from an order on.
func (s *autopilotStage) report(first, lines int) string {
	var b strings.Builder
	b.WriteString("AWB No,COD Amount,Remitted Amount,Remittance Date\n")
	for i := range lines {
		o := s.orders[(first+i)%len(s.orders)]
		fmt.Fprintf(&b, "%s,1499.00,1499.00,%s\n", o.Fulfilments[0].Tracking[0].Number, domain.DayOf(o.CreatedAt.Add(9*24*time.Hour)))
	}
	return b.String()
}

// shop adds a shop at an address of its own.
func (s *autopilotStage) shop(t *testing.T, name string, orders int) (*shopify.Shop, domain.Settings) {
	shop := s.shops.Add(name, s.orders[:orders]).SetBucket(s.bucket, s.restored, 1000)
	base := only.Value(s.shops.Listen("127.0.0.1"))(t)
	settings := shop.Settings()
	settings["base_url"] = shop.URLAt(base)
	return shop, settings
}

// bucketSource adds a folder in a bucket that other connections use too.
func (s *autopilotStage) bucketSource(t *testing.T, nth int, name string) (domain.ReportSource, func(string)) {
	for nth/sharing >= len(s.buckets) {
		s.buckets = append(s.buckets, s3.New(t))
	}
	bucket := s.buckets[nth/sharing]
	settings := domain.Settings(bucket.Settings())
	settings["prefix"] = name + "/"
	put := func(content string) {
		bucket.Put(t, name+"/remittance.csv", []byte(content), time.Now().Add(-time.Minute))
	}
	return domain.ReportSource{ID: uuid.NewString(), Connector: "s3", Settings: settings, Courier: "delhivery"}, put
}

// folderSource adds a folder on an SFTP server that other connections use too.
func (s *autopilotStage) folderSource(t *testing.T, nth int, name string) (domain.ReportSource, func(string)) {
	for nth/sharing >= len(s.servers) {
		s.servers = append(s.servers, sftp.New(t, sftp.Options{}))
	}
	server := s.servers[nth/sharing]
	server.Put(name, sftp.File{Folder: true})
	settings := domain.Settings(server.Settings())
	settings["folder"] = name
	put := func(content string) {
		server.Put(name+"/remittance.csv", sftp.File{Content: []byte(content), Modified: time.Now().Add(-time.Minute)})
	}
	return domain.ReportSource{ID: uuid.NewString(), Connector: "sftp", Settings: settings, Courier: "delhivery"}, put
}

// silent is the address of a server that accepts and says nothing.
func (s *autopilotStage) silent(t *testing.T) string {
	u := unruly.NewUnruly(t)
	u.Behave(unruly.Manners{Silent: true})
	swallow(u)
	return u.Addr().String()
}

// silentSource is an SFTP server that accepts and says nothing.
func (s *autopilotStage) silentSource(t *testing.T) domain.ReportSource {
	host, port := only.Both(net.SplitHostPort(s.silent(t)))(t)
	return domain.ReportSource{ID: uuid.NewString(), Connector: "sftp", Settings: domain.Settings{"host": host, "port": port, "user": "acme", "password": sftp.Password, "host_key": "SHA256:" + strings.Repeat("A", 43)}}
}

// swallow takes connections and reads what they say until the test ends.
func swallow(u *unruly.Unruly) {
	go func() {
		for {
			conn, err := u.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(io.Discard, conn) }()
		}
	}()
}

// add stores a connection of an account past the service, which is due at a time.
func (s *autopilotStage) add(t *testing.T, connections *storage.Connections, of *staged, accountID string, shop domain.Settings, sources []domain.ReportSource, due time.Time) {
	of.id = cmp.Or(of.id, uuid.NewString())
	require.NoError(t, connections.Add(t.Context(), domain.Connection{
		ID: of.id, AccountID: accountID, Brand: fmt.Sprintf("brand-%06d", len(s.connections)), Shop: domain.Shop{Connector: "shopify", Settings: shop}, Sources: sources,
		ConnectionTerms: domain.ConnectionTerms{WindowDays: domain.DefaultWindow}, Revision: 1, CreatedAt: s.began, ChangedAt: s.began,
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, NextPassAt: due},
	}, domain.SecurityEvent{}))
	s.connections = append(s.connections, of)
}

// connectionsOf opens the connections past the service, until done.
func (in *installation) connectionsOf(t *testing.T) (_ *storage.Connections, done func()) {
	t.Helper()
	master := only.Value(hex.DecodeString(in.secret))(t)
	store, done := in.store(t)
	return storage.New[storage.Connections](store, secrets.New(master)), done
}

// requests counts what the servers were asked so far. Of SFTP servers it counts who signed in.
func (s *autopilotStage) requests() (n int) {
	for _, c := range s.connections {
		if c.shop != nil {
			n += c.shop.Requests()
		}
	}
	for _, b := range s.buckets {
		n += b.Requests()
	}
	for _, f := range s.servers {
		n += f.Logins()
	}
	return n
}

// slowly makes a shop wait before each answer.
func slowly(d time.Duration) func(http.ResponseWriter, *http.Request) bool {
	return func(_ http.ResponseWriter, r *http.Request) bool {
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
		return false
	}
}

// dice draws numbers that differ from one run of the tests to the next.
func dice(n int) int { return rand.IntN(cmp.Or(n, 1)) }
