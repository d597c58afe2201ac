package storage

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"milaan/domain"
)

// The rows of the autopilot, as the migrations define them, and what their sealed columns
// hold, in JSON. A field of these texts, of domain.Warning, SkippedFile, CourierSum and OrderSum may be
// added but never renamed, because an instance may read what an earlier version has written.

type connectionRow struct {
	ID             string `gorm:"primaryKey"`
	AccountID      string
	Brand          string
	Settings       []byte
	WindowDays     int
	OverdueDays    *int
	MinorGap       *int
	AlertPaise     domain.Paise
	Revision       int
	CreatedAtUs    int64
	ChangedAtUs    int64
	State          string
	NextPassAtUs   int64
	PassID         *string
	ResultPassID   *string
	EndedAtUs      *int64
	CheckedAtUs    *int64
	FailingSinceUs *int64
	Failure        []byte
	LastRunID      *string
	LastRunAtUs    *int64
	AtRiskPaise    domain.Paise
	AboveSinceUs   *int64
	LeftOrders     int
	LeftPaise      domain.Paise
	Charges        string
}

// fill fills in all columns but the sealed ones and those of its passes.
func (r *connectionRow) fill(c domain.Connection) {
	r.ID, r.AccountID, r.Brand = c.ID, c.AccountID, c.Brand
	r.WindowDays, r.OverdueDays, r.MinorGap, r.AlertPaise = c.WindowDays, c.OverdueDays, c.MinorGap, c.AlertAbove
	r.Charges = string(c.Charges)
	r.Revision, r.CreatedAtUs, r.ChangedAtUs = c.Revision, c.CreatedAt.UnixMicro(), c.ChangedAt.UnixMicro()
	r.fillStatus(c.ConnectionStatus)
}

func (r *connectionRow) fillStatus(s domain.ConnectionStatus) {
	r.State, r.NextPassAtUs = string(s.State), s.NextPassAt.UnixMicro()
	r.CheckedAtUs, r.FailingSinceUs = storedOrNone(s.CheckedAt), storedOrNone(s.FailingSince)
	r.LastRunID, r.LastRunAtUs, r.AtRiskPaise = orNull(s.LastRunID), storedOrNone(s.LastRunAt), s.AtRisk
	r.AboveSinceUs, r.LeftOrders, r.LeftPaise = storedOrNone(s.AboveSince), s.Left.Orders, s.Left.Amount
}

// connection returns the connection of a row without its sealed columns.
func (r *connectionRow) connection() domain.Connection {
	return domain.Connection{ID: r.ID, AccountID: r.AccountID, Brand: r.Brand,
		ConnectionTerms: domain.ConnectionTerms{WindowDays: r.WindowDays, OverdueDays: r.OverdueDays, MinorGap: r.MinorGap,
			Charges: domain.Charges(r.Charges), AlertAbove: r.AlertPaise},
		Revision: r.Revision, CreatedAt: moment(r.CreatedAtUs), ChangedAt: moment(r.ChangedAtUs),
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionState(r.State), NextPassAt: moment(r.NextPassAtUs),
			CheckedAt: momentOrNone(r.CheckedAtUs), FailingSince: momentOrNone(r.FailingSinceUs),
			LastRunID: orZero(r.LastRunID), LastRunAt: momentOrNone(r.LastRunAtUs), AtRisk: r.AtRiskPaise, AboveSince: momentOrNone(r.AboveSinceUs),
			Left: domain.OrderSum{Orders: r.LeftOrders, Amount: r.LeftPaise}}}
}

type passStateRow struct {
	ConnectionID string `gorm:"primaryKey"`
	Remembered   []byte
}

type passRow struct {
	ID           string `gorm:"primaryKey"`
	ConnectionID string
	SlotUs       int64
	Asked        bool
	DueAtUs      int64
	StartedAtUs  *int64
	LookedAtUs   *int64
	EndedAtUs    *int64
	Outcome      string
	RunID        *string
	Snapshots    []byte `gorm:"column:looks"`
	Details      []byte
}

// rowOfNewPass returns the row of a pass that waits, even if p has a result.
func rowOfNewPass(p domain.Pass) passRow {
	return passRow{ID: p.ID, ConnectionID: p.ConnectionID, SlotUs: p.Slot.UnixMicro(), Asked: p.Asked, DueAtUs: p.Due.UnixMicro()}
}

// pass returns the pass of a row without its sealed columns.
func (r *passRow) pass(accountID string) domain.Pass {
	return domain.Pass{ID: r.ID, AccountID: accountID, ConnectionID: r.ConnectionID, Slot: moment(r.SlotUs), Asked: r.Asked,
		Due: moment(r.DueAtUs), StartedAt: momentOrNone(r.StartedAtUs), SnapshotAt: momentOrNone(r.LookedAtUs),
		EndedAt:    momentOrNone(r.EndedAtUs),
		PassResult: domain.PassResult{Outcome: domain.PassOutcome(r.Outcome), RunID: orZero(r.RunID)}}
}

type keptFileRow struct {
	ID           string `gorm:"primaryKey"`
	ConnectionID string
	SourceID     string
	Name         []byte
	Bytes        int64
	AtUs         int64
}

type keptContentRow struct {
	FileID  string `gorm:"primaryKey"`
	Content []byte
}

type ignoredFileRow struct {
	ID           string `gorm:"primaryKey"`
	ConnectionID string
	SourceID     string
	File         []byte
	AtUs         int64
}

// sealedIgnored is ignored_files.file.
type sealedIgnored struct {
	Name, Version string
	ModifiedUs    *int64
	Sum           []byte // nil: not known
}

// ledgerRow is a row of connection_ledgers. All columns but the first are null where the connection has none.
type ledgerRow struct {
	ConnectionID string
	SinceUs      *int64
	Version      *int
	Oldest       *domain.Day
	WrittenAtUs  *int64
	Text         []byte
	Marks        []byte
}

// sealedMark is one of connection_ledgers.marks.
type sealedMark struct {
	OrderID, AWB  string
	State         string // its word
	RaisedOn      domain.Day
	PromisedUntil domain.Day
	Note          string
	CreatedOn     domain.Day
	CreatedSecond int32
}

// marksOf returns marks as JSON; nil for none.
func marksOf(marks []domain.KeptMark) []byte {
	if len(marks) == 0 {
		return nil
	}
	return encodeText(each(marks, func(m domain.KeptMark) sealedMark {
		return sealedMark{m.OrderID, m.AWB, m.State.String(), m.RaisedOn, m.PromisedUntil, m.Note, m.Created.Day, m.Created.Second}
	}))
}

func readMarks(text []byte) ([]domain.KeptMark, error) {
	stored, err := decodeText[[]sealedMark](text)
	states := domain.ItemStates()
	return eachOr(stored, err, func(m sealedMark) (domain.KeptMark, error) {
		state := slices.Index(states, m.State)
		if state < 0 {
			return domain.KeptMark{}, fmt.Errorf("read the marks of a connection: unknown state %q", m.State)
		}
		mark := domain.Mark{State: domain.ItemState(state), RaisedOn: m.RaisedOn, PromisedUntil: m.PromisedUntil, Note: m.Note}
		return domain.KeptMark{
			MarkedOrder: domain.MarkedOrder{ChosenOrder: domain.ChosenOrder{OrderID: m.OrderID, AWB: m.AWB}, Mark: mark},
			Created:     domain.Moment{Day: m.CreatedOn, Second: m.CreatedSecond},
		}, nil
	})
}

type mailRow struct {
	ID           string `gorm:"primaryKey"`
	AccountID    string
	Kind         string
	ConnectionID string
	Period       string
	CreatedAtUs  int64
	SentAtUs     *int64
}

func rowOfMail(m domain.Mail) mailRow {
	return mailRow{ID: m.ID, AccountID: m.AccountID, Kind: string(m.Kind), ConnectionID: m.ConnectionID, Period: m.Period,
		CreatedAtUs: m.CreatedAt.UnixMicro()}
}

func (r *mailRow) mail() domain.Mail {
	return domain.Mail{ID: r.ID, AccountID: r.AccountID, Kind: domain.MailKind(r.Kind), ConnectionID: r.ConnectionID, Period: r.Period,
		CreatedAt: moment(r.CreatedAtUs), SentAt: momentOrNone(r.SentAtUs)}
}

// mailChoiceRow has a column for each field of domain.MailChoice.
type mailChoiceRow struct {
	AccountID string            `gorm:"primaryKey"`
	Choice    domain.MailChoice `gorm:"embedded"`
}

// sealedSettings are connections.settings.
type sealedSettings struct {
	Shop    sealedShop
	Sources []sealedSource
}

type sealedShop struct {
	Connector string
	Settings  map[string]string
}

type sealedSource struct {
	ID, Connector string
	Settings      map[string]string
	Pattern       string
	Courier       string
	Columns       map[string]string // headers by the name of their role
	AddedAtUs     *int64            // when it got its settings
}

func settingsOf(c domain.Connection) []byte {
	s := sealedSettings{Shop: sealedShop{string(c.Shop.Connector), c.Shop.Settings}}
	for _, source := range c.Sources {
		var columns map[string]string
		if source.Columns != nil {
			columns = domain.NamedColumns(source.Columns)
		}
		s.Sources = append(s.Sources, sealedSource{source.ID, string(source.Connector), source.Settings, source.Pattern, source.Courier,
			columns, storedOrNone(source.Since)})
	}
	return encodeText(s)
}

// readSettings fills in the shop and the sources of a connection.
func readSettings(text []byte, c *domain.Connection) error {
	s, err := decodeText[sealedSettings](text)
	if err != nil {
		return err
	}
	c.Shop, c.Sources = domain.Shop{Connector: domain.Connector(s.Shop.Connector), Settings: s.Shop.Settings}, nil
	for _, source := range s.Sources {
		var columns map[domain.Role]string
		if source.Columns != nil {
			if columns, err = domain.Columns(source.Columns).Roles(); err != nil {
				return fmt.Errorf("read the settings of a connection: %w", err)
			}
		}
		c.Sources = append(c.Sources, domain.ReportSource{ID: source.ID, Connector: domain.Connector(source.Connector), Settings: source.Settings,
			Pattern: source.Pattern, Courier: source.Courier, Columns: columns, Since: momentOrNone(source.AddedAtUs)})
	}
	return nil
}

// sealedFailure is connections.failure, and a part of passes.details.
type sealedFailure struct {
	Rule, Connector string
	Source          int
	Setting, File   string
	Line            int
	Column, Value   string
	Status          int
	Limit           int64
	Days            int
	WaitUs          int64
}

func failureOf(e *domain.ConnectorError) *sealedFailure {
	if e == nil {
		return nil
	}
	return &sealedFailure{string(e.Rule), string(e.Connector), e.Source, e.Setting, e.File, e.Line, e.Column, e.Value, e.Status, e.Limit,
		e.Days, e.Wait.Microseconds()}
}

func (f *sealedFailure) failure() *domain.ConnectorError {
	if f == nil {
		return nil
	}
	return &domain.ConnectorError{Rule: domain.ConnectorRule(f.Rule), Connector: domain.Connector(f.Connector), Source: f.Source,
		Setting: f.Setting, File: f.File, Line: f.Line, Column: f.Column, Value: f.Value, Status: f.Status, Limit: f.Limit, Days: f.Days,
		Wait: time.Duration(f.WaitUs) * time.Microsecond}
}

// sealedDetails are passes.details.
type sealedDetails struct {
	Failure       *sealedFailure
	Orders        int
	Sources       []sealedSourceResult
	Left, Leaving domain.OrderSum
	Warnings      []domain.Warning
	OpenItems     []domain.CourierSum // null: they are not kept
}

type sealedSourceResult struct {
	SourceID, Courier string
	Files, Lines      int
	Through           domain.Day
	Behind            bool
	LeftOut           []sealedLeftOut
	Skipped           []domain.SkippedFile
	RefusedFrom       domain.Day
}

// sealedLeftOut has nothing of who has sent a mail.
type sealedLeftOut struct {
	AtUs  int64
	Rule  domain.ConnectorRule
	Value string
}

func sealedResult(s domain.SourceResult) sealedSourceResult {
	r := sealedSourceResult{SourceID: s.SourceID, Courier: s.Courier, Files: s.Files, Lines: s.Lines, Through: s.Through, Behind: s.Behind,
		Skipped: s.Skipped, RefusedFrom: s.RefusedFrom}
	for _, mail := range s.LeftOut {
		r.LeftOut = append(r.LeftOut, sealedLeftOut{mail.At.UnixMicro(), mail.Rule, mail.Value})
	}
	return r
}

func (r sealedSourceResult) result() domain.SourceResult {
	s := domain.SourceResult{SourceID: r.SourceID, Courier: r.Courier, Files: r.Files, Lines: r.Lines, Through: r.Through, Behind: r.Behind,
		Skipped: r.Skipped, RefusedFrom: r.RefusedFrom}
	for _, mail := range r.LeftOut {
		s.LeftOut = append(s.LeftOut, domain.LeftOutMail{At: moment(mail.AtUs), Rule: mail.Rule, Value: mail.Value})
	}
	return s
}

func detailsOf(p domain.PassResult) []byte {
	d := sealedDetails{Failure: failureOf(p.Failure), Orders: p.Orders, Left: p.Left, Leaving: p.Leaving, Warnings: p.Warnings,
		OpenItems: p.OpenItems}
	for _, s := range p.Sources {
		d.Sources = append(d.Sources, sealedResult(s))
	}
	return encodeText(d)
}

func (d sealedDetails) fill(p *domain.PassResult) {
	p.Failure, p.Orders, p.Left, p.Leaving, p.Warnings, p.OpenItems = d.Failure.failure(), d.Orders, d.Left, d.Leaving, d.Warnings, d.OpenItems
	for _, s := range d.Sources {
		p.Sources = append(p.Sources, s.result())
	}
}

// sealedState is pass_states.remembered; its JSON has the names that the first version gave.
type sealedState struct {
	Looks  map[string]sealedSnapshot // the snapshots
	Digest []byte                    // the input hash; nil: none
	Unpaid map[domain.Day]domain.OrderSum
	From   domain.Day
	Former map[string]int64 // when, in microseconds
	// Contents is the content hash; nil: none.
	Contents []byte
	Files    []sealedSeen
	More     int // files besides
}

type sealedSeen struct {
	SourceID, Name, Version string
	AtUs                    *int64
	Sum                     []byte // nil: not known
	Rule                    domain.ConnectorRule
}

// bytesOfSum returns nil for a sum that is not known.
func bytesOfSum(sum [32]byte) []byte {
	if sum == [32]byte{} {
		return nil
	}
	return sum[:]
}

type sealedSnapshot struct {
	Version string
	AtUs    int64
}

func stateOf(s domain.PassState) []byte {
	state := sealedState{Looks: sealedSnapshots(s.Snapshots), Digest: bytesOfHash(s.InputHash), Unpaid: s.Unpaid, From: s.From,
		Former: eachValue(s.Former, time.Time.UnixMicro), Contents: bytesOfHash(s.ContentHash), More: s.MoreFiles}
	for _, f := range s.Files {
		state.Files = append(state.Files, sealedSeen{f.SourceID, f.Name, f.Version, storedOrNone(f.Modified), bytesOfSum(f.Sum), f.Rule})
	}
	return encodeText(state)
}

func (state sealedState) state() domain.PassState {
	s := domain.PassState{Snapshots: snapshotsOf(state.Looks), Unpaid: state.Unpaid, From: state.From, MoreFiles: state.More,
		Former: eachValue(state.Former, moment)}
	copy(s.InputHash[:], state.Digest)
	copy(s.ContentHash[:], state.Contents)
	for _, f := range state.Files {
		seen := domain.SeenFile{SourceID: f.SourceID, Name: f.Name, Version: f.Version, Modified: momentOrNone(f.AtUs), Rule: f.Rule}
		copy(seen.Sum[:], f.Sum)
		s.Files = append(s.Files, seen)
	}
	return s
}

func sealedSnapshots(snapshots map[string]domain.Snapshot) map[string]sealedSnapshot {
	return eachValue(snapshots, func(s domain.Snapshot) sealedSnapshot { return sealedSnapshot{s.Version, s.At.UnixMicro()} })
}

func snapshotsOf(snapshots map[string]sealedSnapshot) map[string]domain.Snapshot {
	return eachValue(snapshots, func(s sealedSnapshot) domain.Snapshot { return domain.Snapshot{Version: s.Version, At: moment(s.AtUs)} })
}

// eachValue is each for the values of a map; nil for nil.
func eachValue[R, D any](stored map[string]R, of func(R) D) map[string]D {
	if stored == nil {
		return nil
	}
	all := make(map[string]D, len(stored))
	for name, value := range stored {
		all[name] = of(value)
	}
	return all
}

// encodeText returns what a sealed column holds.
func encodeText(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("JSON refuses %T: %v", v, err))
	}
	return text
}

func decodeText[T any](text []byte) (v T, err error) {
	if err = json.Unmarshal(text, &v); err != nil {
		err = fmt.Errorf("decode %T: %w", v, err)
	}
	return v, err
}
