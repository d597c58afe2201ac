package autopilot_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents"
	"milaan/adapters/documents/ledger"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app/autopilot"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// delhiveryHead is the header of a report.
const delhiveryHead = "AWB No,COD Amount,Remittance Date\n"

// soldOrder is an order of a shop in memory.
type soldOrder struct {
	name, awb string
	rupees    int
	at        time.Time
}

// shopInMemory has the orders of all shops.
type shopInMemory struct {
	*storage.Store
	orders []soldOrder
	fault  error
	grown  int64       // bytes that Fetch says the orders take
	during func()      // is called while orders are fetched
	mu     sync.Mutex  // of what follows
	asked  domain.Shop // the last that was tested or fetched
	days   int
}

func (s *shopInMemory) Catalogue() []ports.ConnectorInfo {
	return []ports.ConnectorInfo{{ID: "stall", Name: "Stall", Settings: []ports.SettingInfo{
		{Name: "shop", Required: true}, {Name: "token", Secret: true, Required: true}, {Name: "theme", KeepsSecrets: true},
	}}}
}

func (s *shopInMemory) Check(_ context.Context, shop domain.Shop) (faults domain.Faults) {
	faults.Add(shop.Connector != "stall", domain.Fault{Field: domain.FieldConnector, Rule: domain.RuleOneOf, Options: []string{"stall"}})
	for _, name := range []string{"shop", "token"} {
		faults.Add(shop.Settings[name] == "", domain.Fault{Field: domain.FieldSetting, Setting: name, Rule: domain.RuleMissing})
	}
	return faults
}

func (s *shopInMemory) Host(shop domain.Shop) string { return shop.Settings["shop"] + ":443" }

func (s *shopInMemory) Test(_ context.Context, shop domain.Shop, days int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.days = shop, days
	return s.fault
}

func (s *shopInMemory) Fetch(_ context.Context, shop domain.Shop, q ports.OrdersQuery) (*ports.FetchedOrders, error) {
	return storage.Try(s.Store, "fetch orders", func() (*ports.FetchedOrders, error) {
		s.mu.Lock()
		s.asked = shop
		s.mu.Unlock()
		if s.during != nil {
			s.during()
		}
		if s.grown > 0 {
			if err := q.Grown(s.grown); err != nil {
				return nil, err
			}
		}
		if s.fault != nil {
			return nil, s.fault
		}
		var export strings.Builder
		export.WriteString("Name,Total,Created at,AWB\n")
		n := 0
		for _, o := range s.orders {
			if !o.at.Before(q.From) && o.at.Before(q.To) {
				n++
				fmt.Fprintf(&export, "%s,%d,%s,%s\n", o.name, o.rupees, o.at.In(domain.Kolkata).Format("2006-01-02 15:04:05 -0700"), o.awb)
			}
		}
		if n > q.Most {
			return nil, &domain.ConnectorError{Rule: domain.ConnManyOrders, Connector: "stall", Limit: int64(q.Most), Days: 31}
		}
		return &ports.FetchedOrders{Orders: storefront.New(table.New()).Orders(ports.Content{Bytes: []byte(export.String())}), Count: n, Hash: sha256.Sum256([]byte(export.String()))}, nil
	})
}

// fileInMemory is a file of a source.
type fileInMemory struct {
	name, content string
	series        string // of files of which the latest counts
	numbering     string // what begins the version
	version       int
	modified      time.Time
	settled       bool
	most          int64                // bytes that it may become; 0: as many as it has
	inline        bool                 // it comes with the list
	other         domain.ConnectorRule // why it is plainly no report; blank: it may be one
}

func (f fileInMemory) versionNow() string { return fmt.Sprint(f.numbering, f.version) }

// place is what a report source in memory has.
type place struct {
	files    []fileInMemory
	fault    error  // of Open
	listing  error  // of List
	reading  error  // of Read
	during   func() // is called while it is listed
	left     []domain.LeftOutMail
	former   bool // its settings are of an earlier version
	drips    bool // a list does not end before its context does
	open     int  // connections now
	mostOpen int
}

// sourcesInMemory has report sources. A source has the place that its setting names.
type sourcesInMemory struct {
	*storage.Store
	mu     sync.Mutex
	places map[string]*place
	hosts  map[string]string // by place; none: a host of its own
}

func (s *sourcesInMemory) Catalogue() []ports.ConnectorInfo {
	return []ports.ConnectorInfo{
		{ID: "shelf", Name: "Shelf", Files: true, Settings: []ports.SettingInfo{{Name: "place", Required: true}, {Name: "password", Secret: true}, {Name: "folder", Default: ".", KeepsSecrets: true}}},
		{ID: "upload", Name: "Upload", Files: true, Kept: true},
	}
}

func (s *sourcesInMemory) Check(_ context.Context, source domain.ReportSource) (faults domain.Faults) {
	_, err := path.Match(source.Pattern, "")
	faults.Add(err != nil, domain.Fault{Field: domain.FieldPattern, Rule: domain.RulePattern})
	faults.Add(source.Connector == "shelf" && source.Settings["place"] == "", domain.Fault{Field: domain.FieldSetting, Setting: "place", Rule: domain.RuleMissing})
	return faults
}

func (s *sourcesInMemory) Host(source domain.ReportSource) string {
	name := source.Settings["place"]
	if name == "" {
		return ""
	}
	return cmp.Or(s.hosts[name], name+":22")
}

func (s *sourcesInMemory) Former(source domain.ReportSource) bool {
	p := s.places[source.Settings["place"]]
	return p != nil && p.former
}

func (s *sourcesInMemory) Open(ctx context.Context, access ports.SourceAccess) (ports.OpenSource, error) {
	open, err := storage.Try(s.Store, "open source", func() (ports.OpenSource, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		p := s.places[access.Source.Settings["place"]]
		if p.fault != nil {
			return nil, p.fault
		}
		if p.former && !access.Former {
			return nil, &domain.ConnectorError{Rule: domain.ConnFormer, Setting: "place"}
		}
		p.open++
		p.mostOpen = max(p.mostOpen, p.open)
		return &openPlace{in: s, place: p, ctx: ctx}, nil
	})
	if err != nil && open != nil {
		return nil, errors.Join(err, open.Close())
	}
	return open, err
}

type openPlace struct {
	in    *sourcesInMemory
	place *place
	ctx   context.Context
}

func (o *openPlace) List(ctx context.Context, since time.Time) ([]ports.SourceFile, error) {
	return storage.Try(o.in.Store, "list source", func() (files []ports.SourceFile, err error) {
		if o.place.during != nil {
			o.place.during()
		}
		if o.place.drips {
			<-ctx.Done()
		}
		o.in.mu.Lock()
		defer o.in.mu.Unlock()
		if o.place.listing != nil {
			return nil, o.place.listing
		}
		if err := errors.Join(o.ctx.Err(), ctx.Err()); err != nil {
			return nil, err
		}
		for _, f := range o.place.files {
			if !f.modified.Before(since) {
				files = append(files, ports.SourceFile{Name: f.name, Series: f.series, Numbering: f.numbering, Version: f.versionNow(), Modified: f.modified, Bytes: int64(len(f.content)), Most: max(int64(len(f.content)), f.most), Settled: f.settled})
				if f.inline {
					files[len(files)-1].Content = []byte(f.content)
				}
			}
		}
		slices.SortFunc(files, func(a, b ports.SourceFile) int { return strings.Compare(a.Name, b.Name) })
		return files, nil
	})
}

func (o *openPlace) Folders() []string { return nil }

func (o *openPlace) LeftOut() []domain.LeftOutMail { return o.place.left }

func (o *openPlace) Read(ctx context.Context, file ports.SourceFile, limit int64) ([]byte, error) {
	return storage.Try(o.in.Store, "read file", func() ([]byte, error) {
		o.in.mu.Lock()
		defer o.in.mu.Unlock()
		if o.place.reading != nil {
			return nil, o.place.reading
		}
		if err := errors.Join(o.ctx.Err(), ctx.Err()); err != nil {
			return nil, err
		}
		for _, f := range o.place.files {
			switch {
			case f.name == file.Name && f.other != "":
				return nil, &domain.ConnectorError{Rule: f.other, File: f.name}
			case f.name != file.Name:
			case f.versionNow() != file.Version:
				return nil, &domain.ConnectorError{Rule: domain.ConnGrowing, File: f.name}
			case int64(len(f.content)) > limit:
				return nil, &domain.ConnectorError{Rule: domain.ConnManyBytes, File: f.name, Limit: limit}
			default:
				return []byte(f.content), nil
			}
		}
		return nil, &domain.ConnectorError{Rule: domain.ConnGone, File: file.Name}
	})
}

func (o *openPlace) Close() error {
	o.in.mu.Lock()
	defer o.in.mu.Unlock()
	o.place.open--
	return nil
}

// passBench is an account with a shop and report sources in memory.
type passBench struct {
	*storage.Store
	shop    *shopInMemory
	sources *sourcesInMemory
	log     strings.Builder

	background ports.Background
	memory     ports.Memory // nil: nobody shares it
	passing    *autopilot.Passing
	managing   *autopilot.ManagingConnections
	keeping    *autopilot.KeepingFiles
	ignoring   *autopilot.IgnoringFiles
	items      *autopilot.KeepingItems
	scheduling autopilot.Scheduling
}

func newPassBench(t testing.TB, account domain.Account) *passBench {
	b := &passBench{Store: storage.New(t, account), background: ports.Background{Retention: time.Hour, RunRetention: 400 * 24 * time.Hour}}
	b.Now = time.Date(2026, time.November, 20, 6, 30, 0, 0, time.UTC) // noon in India
	b.shop = &shopInMemory{Store: b.Store}
	b.sources = &sourcesInMemory{Store: b.Store, places: map[string]*place{}, hosts: map[string]string{}}
	t.Cleanup(func() {
		for name, p := range b.sources.places {
			require.Zero(t, p.open, "connections to %s that nobody closed", name)
		}
	})
	b.restart()
	return b
}

// restart begins another process: only what is stored is left.
func (b *passBench) restart() {
	tables := table.New()
	reconciling := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), Runs: b.Runs, Named: b.Mappings, Clock: b.Clock, MaxRows: domain.MaxRows,
		OpenLedger: ledger.New(table.NewWithin(table.Settings{MaxRows: ledger.MaxRows})).Open})
	b.passing = autopilot.NewPassing(autopilot.PassingParams{
		Passes: b.Passes, PassLog: b.Passes, Runs: b.Runs, Shops: b.shop, Sources: b.sources, Ignored: b.Ignored, Ledgers: b.Ledgers, Reconciling: reconciling, WriteLedger: ledger.WriteText, Subkeys: b.Secrets,
		Clock: b.Clock, Background: b.background, Memory: b.memory, Log: slog.New(slog.NewTextHandler(&b.log, nil)),
	})
	b.managing = autopilot.NewManagingConnections(autopilot.ManagingConnectionsParams{
		Accounts: b.Accounts, Connections: b.Connections, Passes: b.Passes, PassLog: b.Passes, KeptFiles: b.Kept, Ignored: b.Ignored, Shops: b.shop, Sources: b.sources,
		Reconciling: reconciling, Windows: b.Windows, Clock: b.Clock, Background: b.background,
	})
	b.keeping = &autopilot.KeepingFiles{Accounts: b.Accounts, Connections: b.Connections, Files: b.Kept, Sources: b.sources, Reconciling: reconciling, Clock: b.Clock}
	b.ignoring = &autopilot.IgnoringFiles{Connections: b.Connections, PassLog: b.Passes, Ignored: b.Ignored, Clock: b.Clock}
	b.items = &autopilot.KeepingItems{Accounts: b.Accounts, Connections: b.Connections, Ledgers: b.Ledgers, Reconciling: reconciling, WriteLedger: ledger.WriteText,
		Documents: runs.Documents{Reconciling: reconciling, Brandings: b.Brandings, Reporters: documents.New(documents.Params{Couriers: couriers.New(tables), Languages: wording.NewLanguages(), Clock: b.Clock})},
		Clock:     b.Clock, Log: slog.New(slog.NewTextHandler(&b.log, nil))}
	b.scheduling = autopilot.Scheduling{Passes: b.Passes, Clock: b.Clock, Background: b.background}
}

// change is a connection of the shop with sources at places, of couriers ("" for any).
func (b *passBench) changeOf(brand string, places ...string) ports.ConnectionChange {
	c := ports.ConnectionChange{Brand: brand, ConnectionTerms: domain.ConnectionTerms{WindowDays: 30}, Shop: domain.Shop{Connector: "stall", Settings: domain.Settings{"shop": "asha", "token": "t0ken"}}}
	for _, at := range places {
		name, courier, _ := strings.Cut(at, "/")
		if b.sources.places[name] == nil {
			b.sources.places[name] = &place{}
		}
		c.Sources = append(c.Sources, ports.SourceChange{Connector: "shelf", Settings: domain.Settings{"place": name, "password": "pa55"}, Courier: courier})
	}
	return c
}

// connectedPass returns a bench whose account has one connection.
func connectedPass(t testing.TB, account domain.Account, places ...string) (*passBench, domain.Connection) {
	b := newPassBench(t, account)
	return b, b.connect("Asha", places...)
}

func (b *passBench) connect(brand string, places ...string) domain.Connection {
	c := only.Value(b.managing.Save(context.Background(), b.Account.ID, "", domain.ByDashboard, b.changeOf(brand, places...)))(b.T)
	return c
}

// ask has a person ask for a pass, never at the very start of a period: the pass that is due in it
// would be no other one, and in which second it is due is drawn with the connection's id.
func (b *passBench) ask(c domain.Connection) ports.Job {
	b.Now = b.Now.Add(time.Second + time.Microsecond)
	p := only.Value(b.managing.Run(context.Background(), b.Account.ID, c.ID))(b.T)
	return ports.Job{Kind: ports.PassJob, AccountID: b.Account.ID, Pass: p.ID}
}

// due moves the clock to when the next pass is due, and returns its job.
func (b *passBench) due(c domain.Connection) ports.Job {
	before := len(b.Jobs())
	b.Now = domain.NextPass(c.ID, b.Now, time.Hour)
	require.NoError(b.T, b.scheduling.Schedule(context.Background()))
	jobs := b.Jobs()[before:]
	require.Len(b.T, jobs, 1)
	return jobs[0]
}

// make does a job until it is done, as the engine does, and returns how the pass ended.
func (b *passBench) make(job ports.Job) domain.Pass {
	for range 50 {
		again := only.Value(b.passing.Make(context.Background(), job, ports.JobAttempt{}))(b.T)
		if again == 0 {
			return b.pass(job)
		}
		b.Now = b.Now.Add(again)
	}
	require.Fail(b.T, "the pass does not end")
	return domain.Pass{}
}

func (b *passBench) pass(job ports.Job) domain.Pass {
	for _, c := range b.all() {
		for _, p := range only.Value(b.Passes.Latest(context.Background(), b.Account.ID, c.ID, 10_000))(b.T) {
			if p.ID == job.Pass {
				return p
			}
		}
	}
	require.Fail(b.T, "no such pass")
	return domain.Pass{}
}

func (b *passBench) all() []domain.Connection {
	return only.Value(b.managing.List(context.Background(), b.Account.ID))(b.T)
}

func (b *passBench) status(c domain.Connection) domain.Connection {
	return only.Value(b.Connections.Find(context.Background(), c.AccountID, c.ID))(b.T)
}

// sell adds an order that was created the given number of days ago.
func (b *passBench) sell(name string, rupees, daysAgo int) soldOrder {
	o := soldOrder{name: name, awb: "14900" + strings.TrimPrefix(name, "#"), rupees: rupees, at: b.Now.AddDate(0, 0, -daysAgo)}
	b.shop.orders = append(b.shop.orders, o)
	return o
}

// put puts a report of orders that are paid on a day into a place.
func (b *passBench) put(at, file string, paid domain.Day, orders ...soldOrder) *fileInMemory {
	p := b.sources.places[at]
	p.files = append(p.files, fileInMemory{name: file, content: reportOf(paid, orders...), version: 1, modified: b.Now.Add(-2 * time.Hour)})
	return &p.files[len(p.files)-1]
}

// reportOf is a report with columns of Delhivery.
func reportOf(paid domain.Day, orders ...soldOrder) string {
	var text strings.Builder
	text.WriteString(delhiveryHead)
	for _, o := range orders {
		fmt.Fprintf(&text, "%s,%d,%s\n", o.awb, o.rupees, paid)
	}
	return text.String()
}
