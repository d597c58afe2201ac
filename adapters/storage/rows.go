package storage

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm/schema"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// The rows, as the migrations define them. Each has a conversion from and to the domain.

type accountRow struct {
	ID              string `gorm:"primaryKey"`
	Email           string
	Plan            string
	Subscription    string
	SubscribedOnDay domain.Day
	PlanSinceDay    domain.Day
	BillingDay      int
	PhoneVerified   bool
	RunCap          *int
	OverdueDays     int
	CreatedAtUs     int64
	EndsAtUs        *int64
	PeriodStartDay  domain.Day
	PeriodEndDay    domain.Day
	AcceptCharges   bool
}

func rowOfAccount(a domain.Account) accountRow {
	return accountRow{ID: a.ID, Email: a.Email, Plan: string(a.Plan), Subscription: string(a.Subscription),
		SubscribedOnDay: a.SubscribedOn, PlanSinceDay: a.PlanSince, BillingDay: a.BillingDay, PhoneVerified: a.PhoneVerified,
		RunCap: a.RunCap, OverdueDays: a.OverdueDays, CreatedAtUs: a.CreatedAt.UnixMicro(),
		EndsAtUs: storedOrNone(a.EndsAt), PeriodStartDay: a.PeriodStart, PeriodEndDay: a.PeriodEnd, AcceptCharges: a.AcceptCharges}
}

func (r accountRow) account() domain.Account {
	return domain.Account{ID: r.ID, Email: r.Email, Plan: domain.Plan(r.Plan), Subscription: domain.Subscription(r.Subscription),
		SubscribedOn: r.SubscribedOnDay, PlanSince: r.PlanSinceDay, BillingDay: r.BillingDay, PhoneVerified: r.PhoneVerified,
		RunCap: r.RunCap, OverdueDays: r.OverdueDays, CreatedAt: moment(r.CreatedAtUs),
		EndsAt: momentOrNone(r.EndsAtUs), PeriodStart: r.PeriodStartDay, PeriodEnd: r.PeriodEndDay, AcceptCharges: r.AcceptCharges}
}

// accountColumns are the columns of accounts, called a, for statements that join other
// tables. appendFields appends what they are scanned into.
var accountColumns = func() string {
	s, err := schema.Parse(&accountRow{}, &sync.Map{}, dialect.Naming)
	if err != nil {
		panic(err)
	}
	return "a." + strings.Join(s.DBNames, ", a.")
}()

func (r *accountRow) appendFields(into []any) []any {
	for _, field := range reflect.ValueOf(r).Elem().Fields() {
		into = append(into, field.Addr().Interface())
	}
	return into
}

// insertion is the statement that stores the rows of one table.
type insertion struct {
	text   string
	fields []*schema.Field
}

func insertionOf(row any) insertion {
	s, err := schema.Parse(row, &sync.Map{}, dialect.Naming)
	if err != nil {
		panic(err)
	}
	i := insertion{text: "INSERT INTO " + s.Table + " (" + strings.Join(s.DBNames, ", ") + ") VALUES (?" +
		strings.Repeat(", ?", len(s.DBNames)-1) + ")"}
	for _, name := range s.DBNames {
		i.fields = append(i.fields, s.FieldsByDBName[name])
	}
	return i
}

// or returns an insertion that does something else for a row that is there.
func (i insertion) or(conflict string) insertion {
	i.text += " " + conflict
	return i
}

func (i insertion) of(row any) *dialect.Statement {
	value, args := reflect.ValueOf(row), make([]any, len(i.fields))
	for n, field := range i.fields {
		args[n], _ = field.ValueOf(context.Background(), value)
	}
	return dialect.NewStatement(i.text, args...)
}

// moment returns a stored time, exact to the microsecond.
func moment(us int64) time.Time { return time.UnixMicro(us).UTC() }

type apiKeyRow struct {
	ID          string `gorm:"primaryKey"`
	AccountID   string
	Kind        string
	Hash        []byte
	Prefix      string
	IssuedAtUs  int64
	RevokedAtUs *int64
	UsedAtUs    *int64
}

func rowOfKey(k domain.APIKey) apiKeyRow {
	return apiKeyRow{ID: k.ID, AccountID: k.AccountID, Kind: string(k.Kind), Hash: k.Hash[:], Prefix: k.Prefix,
		IssuedAtUs: k.IssuedAt.UnixMicro()}
}

func (r apiKeyRow) key() (domain.APIKey, error) {
	k := domain.APIKey{ID: r.ID, AccountID: r.AccountID, Kind: domain.KeyKind(r.Kind), Prefix: r.Prefix, IssuedAt: moment(r.IssuedAtUs)}
	return k, copyHash(k.Hash[:], r.Hash, "key", r.ID)
}

func copyHash(into, stored []byte, of, id string) error {
	if len(stored) != len(into) {
		return fmt.Errorf("the stored hash of %s %s has %d bytes", of, id, len(stored))
	}
	copy(into, stored)
	return nil
}

// windowRow is a rate window. All its columns are null if there is none.
type windowRow struct {
	Admitted       *string
	BlockedUntilUs *int64
	Version        *int64
}

func rowOfWindow(w domain.RateWindow) windowRow {
	admitted := make([]byte, 0, 17*len(w.Admitted))
	for i, t := range w.Admitted {
		if i > 0 {
			admitted = append(admitted, ',')
		}
		admitted = strconv.AppendInt(admitted, t.UnixMicro(), 10)
	}
	text := string(admitted)
	return windowRow{Admitted: &text, BlockedUntilUs: storedOrNone(w.BlockedUntil)}
}

func (r windowRow) window() (domain.RateWindow, error) {
	w := domain.RateWindow{BlockedUntil: momentOrNone(r.BlockedUntilUs)}
	if r.Admitted == nil || *r.Admitted == "" {
		return w, nil
	}
	w.Admitted = make([]time.Time, 0, 1+strings.Count(*r.Admitted, ","))
	for text := range strings.SplitSeq(*r.Admitted, ",") {
		us, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return domain.RateWindow{}, fmt.Errorf("read a stored rate window: %w", err)
		}
		w.Admitted = append(w.Admitted, moment(us))
	}
	return w, nil
}

type runRow struct {
	ID                 string `gorm:"primaryKey"`
	AccountID          string
	Brand              string
	CourierName        string
	Source             string
	AtUs               int64
	TookUs             int64
	Fingerprint        string
	StorefrontRows     int
	CourierRows        int
	Orders             int
	Missing            int
	ShortPaid          int
	Overdue            int
	RTOAnomaly         int
	MinorDiff          int
	Overpaid           int
	Reconciled         int
	AwaitingNextCycle  int
	DuePaise           domain.Paise
	RemittedPaise      domain.Paise
	ShortfallPaise     domain.Paise
	AtRiskPaise        domain.Paise
	Unclaimed          int
	UnclaimedPaidPaise domain.Paise
	Terms              termsRow    `gorm:"embedded;embeddedPrefix:terms_"`
	Guidance           guidanceRow `gorm:"embedded;embeddedPrefix:guidance_"`
	InputHash          []byte      `gorm:"column:digest"` // nil: none
}

type termsRow struct {
	OffsetDays    int
	OffsetSource  string
	MinorGapPaise domain.Paise
}

type guidanceRow struct {
	OffsetDays             int
	OffsetSource           string
	BatchAsOfDay           domain.Day
	CoverageComplete       bool
	DataThroughDay         domain.Day
	GuaranteedCoverageDays int
	AwaitingNextCycle      int
}

func rowOfRun(r domain.Run) runRow {
	t, f, g := r.Tally, r.Tally.Flags, r.Guidance
	return runRow{ID: r.ID, AccountID: r.AccountID, Brand: r.Brand, CourierName: r.CourierName, Source: string(r.Source),
		AtUs: r.At.UnixMicro(), TookUs: r.Took.Microseconds(), Fingerprint: r.Fingerprint(),
		StorefrontRows: t.StorefrontRows, CourierRows: t.CourierRows, Orders: t.Orders,
		Missing: f[domain.Missing], ShortPaid: f[domain.ShortPaid], Overdue: f[domain.Overdue], RTOAnomaly: f[domain.RTOAnomaly],
		MinorDiff: f[domain.MinorDiff], Overpaid: f[domain.Overpaid], Reconciled: f[domain.Reconciled],
		AwaitingNextCycle: f[domain.AwaitingNextCycle],
		DuePaise:          t.Due, RemittedPaise: t.Remitted, ShortfallPaise: t.Shortfall, AtRiskPaise: t.AtRisk,
		Unclaimed: t.Unclaimed, UnclaimedPaidPaise: t.UnclaimedPaid,
		Terms: termsRow{OffsetDays: r.Terms.OffsetDays, OffsetSource: string(r.Terms.OffsetSource), MinorGapPaise: r.Terms.MinorGap},
		Guidance: guidanceRow{OffsetDays: g.OffsetDays, OffsetSource: string(g.OffsetSource), BatchAsOfDay: g.BatchAsOf,
			CoverageComplete: g.CoverageComplete, DataThroughDay: g.DataThrough,
			GuaranteedCoverageDays: g.GuaranteedCoverageDays, AwaitingNextCycle: g.AwaitingNextCycle},
		InputHash: bytesOfHash(r.InputHash)}
}

// bytesOfHash returns the bytes of a hash; nil if there is none.
func bytesOfHash(h domain.InputHash) []byte {
	if h == (domain.InputHash{}) {
		return nil
	}
	return h[:]
}

func (r runRow) run() domain.Run {
	g := r.Guidance
	run := domain.Run{ID: r.ID, AccountID: r.AccountID, Brand: r.Brand, CourierName: r.CourierName, Source: domain.Source(r.Source),
		At: moment(r.AtUs), Took: time.Duration(r.TookUs) * time.Microsecond,
		Tally: domain.Tally{StorefrontRows: r.StorefrontRows, CourierRows: r.CourierRows, Orders: r.Orders,
			Flags: domain.FlagCounts{domain.Missing: r.Missing, domain.ShortPaid: r.ShortPaid, domain.Overdue: r.Overdue,
				domain.RTOAnomaly: r.RTOAnomaly, domain.MinorDiff: r.MinorDiff, domain.Overpaid: r.Overpaid,
				domain.Reconciled: r.Reconciled, domain.AwaitingNextCycle: r.AwaitingNextCycle},
			Due: r.DuePaise, Remitted: r.RemittedPaise, Shortfall: r.ShortfallPaise, AtRisk: r.AtRiskPaise,
			Unclaimed: r.Unclaimed, UnclaimedPaid: r.UnclaimedPaidPaise},
		Terms: domain.Terms{OffsetDays: r.Terms.OffsetDays, OffsetSource: domain.OffsetSource(r.Terms.OffsetSource),
			MinorGap: r.Terms.MinorGapPaise},
		Guidance: domain.Guidance{OffsetDays: g.OffsetDays, OffsetSource: domain.OffsetSource(g.OffsetSource), BatchAsOf: g.BatchAsOfDay,
			CoverageComplete: g.CoverageComplete, DataThrough: g.DataThroughDay,
			GuaranteedCoverageDays: g.GuaranteedCoverageDays, AwaitingNextCycle: g.AwaitingNextCycle}}
	copy(run.InputHash[:], r.InputHash)
	return run
}

type columnMappingRow struct {
	AccountID   string `gorm:"primaryKey"`
	CourierName string `gorm:"primaryKey"`
	Columns     string
	SavedAtUs   *int64
}

// rowOfMapping stores the names of the roles, so that a new role does not shift the old
// ones.
func rowOfMapping(accountID, courierName string, m domain.Mapping, at time.Time) columnMappingRow {
	text, _ := json.Marshal(m.ByRole()) // texts, which cannot fail
	return columnMappingRow{AccountID: accountID, CourierName: courierName, Columns: string(text), SavedAtUs: storedOrNone(at)}
}

func mappingOf(text string) (domain.Mapping, error) {
	var m domain.Mapping
	var columns domain.Columns
	if err := json.Unmarshal([]byte(text), &columns); err != nil {
		return m, fmt.Errorf("read a saved mapping: %w", err)
	}
	byRole, err := columns.Roles()
	if err != nil {
		return m, fmt.Errorf("read a saved mapping: %w", err)
	}
	for role, header := range byRole {
		m[role] = header
	}
	return m, nil
}

type serviceFactRow struct {
	Name  string `gorm:"primaryKey"`
	Value string
}
