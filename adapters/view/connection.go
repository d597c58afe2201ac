package view

import (
	"bytes"
	"encoding/json"
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// Sentence says an error to whom the view is for.
type Sentence func(error) string

func (say Sentence) orNone(e *domain.ConnectorError) *string {
	if e == nil {
		return nil
	}
	return new(say(e))
}

// Part is the shop of a connection, or what a report source has in common with it.
type Part struct {
	Connector domain.Connector  `json:"connector"`
	Settings  map[string]string `json:"settings"` // without the secrets
	Secrets   []string          `json:"secrets"`  // the names of those that are stored
}

// newPart shows settings that the connector describes as no secret. Of a connector that the
// operator does not allow any more, nothing is known, and nothing is shown.
func newPart(known []ports.ConnectorInfo, connector domain.Connector, settings domain.Settings) Part {
	shown, secrets := ports.FindConnector(known, connector).Show(settings)
	return Part{connector, shown, OrEmpty(secrets)}
}

// Source is a report source.
type Source struct {
	ID string `json:"id"`
	Part
	sourceChoice
}

// sourceChoice says what is taken of a source's files, and how they are read.
type sourceChoice struct {
	Pattern string         `json:"pattern"`
	Courier string         `json:"courier"`
	Columns domain.Columns `json:"columns"` // by role
}

func newSourceChoice(s *domain.ReportSource) sourceChoice {
	return sourceChoice{s.Pattern, s.Courier, domain.NamedColumns(s.Columns)}
}

// Connection is a connection as the pages show it.
type Connection struct {
	ID      string   `json:"id"`
	Brand   string   `json:"brand"`
	Shop    Part     `json:"shop"`
	Sources []Source `json:"sources"`
	connectionTerms
	connectionStatus[*ConnectorFailure, string]
	CreatedAt Instant `json:"created_at" ts:"string"`
	Revision  int     `json:"revision"` // counts the changes of the settings
}

// NewConnection returns a connection as the pages show it, by the connectors that the operator
// allows.
func NewConnection(c *domain.Connection, shops, sources []ports.ConnectorInfo, say Sentence) Connection {
	return Connection{c.ID, c.Brand, newPart(shops, c.Shop.Connector, c.Shop.Settings), Each(c.Sources, func(s *domain.ReportSource) Source {
		return Source{s.ID, newPart(sources, s.Connector, s.Settings), newSourceChoice(s)}
	}), newConnectionTerms(c), newConnectionStatus(c, newConnectorFailure(c.Failure, say), c.LastRunID), Instant(c.CreatedAt), c.Revision}
}

// connectionTerms is by what the runs of a connection are judged.
type connectionTerms struct {
	WindowDays  int            `json:"window_days"`
	OverdueDays *int           `json:"overdue_threshold_days"` // null: the account's or Milaan's
	MinorGap    *int           `json:"minor_gap_threshold"`    // null: Milaan's
	Charges     domain.Charges `json:"charges"`                // blank: the account's
	AlertAbove  Rupees         `json:"alert_above"`            // 0: no mail
}

func newConnectionTerms(c *domain.Connection) connectionTerms {
	return connectionTerms{c.WindowDays, c.OverdueDays, c.MinorGap, c.Charges, Rupees(c.AlertAbove)}
}

// connectionStatus is how the passes of a connection have gone. F is a failure, and R the id of
// a run.
type connectionStatus[F, R any] struct {
	State        domain.ConnectionState `json:"state"`
	NextPassAt   Instant                `json:"next_pass_at" ts:"string"`
	CheckedAt    Instant                `json:"checked_at"`    // null: no pass has succeeded yet
	FailingSince Instant                `json:"failing_since"` // null: the last pass did not fail
	Failure      F                      `json:"failure"`
	LastRunID    R                      `json:"last_run_id"`
	LastRunAt    Instant                `json:"last_run_at"`
	AtRisk       Rupees                 `json:"amount_risk"` // of that run
	Left         OrderSum               `json:"left"`
}

func newConnectionStatus[F, R any](c *domain.Connection, failure F, run R) connectionStatus[F, R] {
	return connectionStatus[F, R]{c.State, Instant(c.NextPassAt), Instant(c.CheckedAt), Instant(c.FailingSince), failure, run,
		Instant(c.LastRunAt), Rupees(c.AtRisk), NewOrderSum(c.Left)}
}

// ExportedConnection is a connection in the export of an account.
type ExportedConnection struct {
	ID      string           `json:"id"`
	Brand   string           `json:"brand"`
	Shop    exportedPart     `json:"shop"`
	Sources []exportedSource `json:"sources"`
	connectionTerms
	CreatedAt Instant `json:"created_at"`
	ChangedAt Instant `json:"changed_at"`
	connectionStatus[*string, *string]
}

type exportedPart struct {
	Connector domain.Connector  `json:"connector"`
	Settings  map[string]string `json:"settings"` // without those that are secret
}

type exportedSource struct {
	exportedPart
	ID string `json:"id"`
	sourceChoice
	Since Instant `json:"since"`
}

// NewExportedConnection returns a connection, in which secret settings are blank, as the export
// of its account has it.
func NewExportedConnection(c *domain.Connection, say Sentence) ExportedConnection {
	sources := Each(c.Sources, func(s *domain.ReportSource) exportedSource {
		return exportedSource{newExportedPart(s.Connector, s.Settings), s.ID, newSourceChoice(s), Instant(s.Since)}
	})
	return ExportedConnection{c.ID, c.Brand, newExportedPart(c.Shop.Connector, c.Shop.Settings), sources, newConnectionTerms(c),
		Instant(c.CreatedAt), Instant(c.ChangedAt), newConnectionStatus(c, say.orNone(c.Failure), OrNone(c.LastRunID))}
}

func newExportedPart(connector domain.Connector, settings domain.Settings) exportedPart {
	told := map[string]string{}
	for name, value := range settings {
		if value != "" {
			told[name] = value
		}
	}
	return exportedPart{connector, told}
}

// ConnectionFile is a connection in the files of the commands, and as they print it.
type ConnectionFile struct {
	ID          string            `json:"id,omitempty"`
	Brand       string            `json:"brand"`
	Shop        PartFile          `json:"shop"`
	Sources     []SourceFile      `json:"sources"`
	WindowDays  int               `json:"window_days,omitempty"`
	OverdueDays *int              `json:"overdue_threshold_days,omitempty"`
	MinorGap    *int              `json:"minor_gap_threshold,omitempty"`
	Charges     domain.Charges    `json:"charges,omitempty"`
	AlertAbove  float64           `json:"alert_above,omitempty"` // rupees
	Revision    int               `json:"revision,omitempty"`    // of the connection as it was printed; 0: whichever there is
	Status      *ConnectionPassed `json:"status,omitempty"`      // is printed, and not read
}

// PartFile is a shop, or what a report source has in common with it.
type PartFile struct {
	Connector domain.Connector       `json:"connector"`
	Settings  map[string]SettingFile `json:"settings,omitempty"`
	Secrets   []string               `json:"secrets,omitempty"` // stored; is printed, and not read
}

// SettingFile is the value of a setting: a text, or the path of a file or the variable that has it.
type SettingFile struct{ Text, File, Env string }

// UnmarshalJSON reads a text, {"file": "PATH"} or {"env": "VARIABLE"}.
func (s *SettingFile) UnmarshalJSON(value []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("{")) {
		var from struct{ File, Env string }
		d := json.NewDecoder(bytes.NewReader(value))
		d.DisallowUnknownFields()
		if err := d.Decode(&from); err != nil || from.File == "" && from.Env == "" {
			return errors.New(`must be a text, {"file": "PATH"} or {"env": "VARIABLE"}`)
		}
		s.File, s.Env = from.File, from.Env
		return nil
	}
	var number json.Number
	if json.Unmarshal(value, &number) == nil { // a port is easily written without quotes
		s.Text = number.String()
		return nil
	}
	return json.Unmarshal(value, &s.Text)
}

func (s SettingFile) MarshalJSON() ([]byte, error) { return json.Marshal(s.Text) }

// SourceFile is a report source.
type SourceFile struct {
	ID string `json:"id,omitempty"`
	PartFile
	Pattern string         `json:"pattern,omitempty"`
	Courier string         `json:"courier,omitempty"`
	Columns domain.Columns `json:"columns,omitempty"`
}

// ConnectionPassed is how the passes of a connection have gone, as the commands print it.
type ConnectionPassed struct {
	State        domain.ConnectionState `json:"state"`
	Failure      string                 `json:"failure,omitempty"`
	FailingSince Second                 `json:"failing_since,omitzero"`
	CheckedAt    Second                 `json:"checked_at"`
	NextPassAt   Second                 `json:"next_pass_at"`
	LastRunID    string                 `json:"last_run_id,omitempty"`
	LastRunAt    Second                 `json:"last_run_at,omitzero"`
	AtRisk       Rupees                 `json:"amount_risk"`
	LeftOrders   int                    `json:"left_orders"`
	LeftAmount   Rupees                 `json:"left_amount"`
}

// UnmarshalJSON fills json.Unmarshaler: what was printed is passed over where it is read again.
func (*ConnectionPassed) UnmarshalJSON([]byte) error { return nil }

// NewConnectionFile returns a connection as the commands print it.
func NewConnectionFile(c *domain.Connection, shops, sources []ports.ConnectorInfo, say Sentence) ConnectionFile {
	part := func(known []ports.ConnectorInfo, connector domain.Connector, settings domain.Settings) PartFile {
		shown, secrets := ports.FindConnector(known, connector).Show(settings)
		p := PartFile{connector, map[string]SettingFile{}, secrets}
		for name, text := range shown {
			p.Settings[name] = SettingFile{Text: text}
		}
		return p
	}
	status := &ConnectionPassed{c.State, "", Second(c.FailingSince), Second(c.CheckedAt), Second(c.NextPassAt), c.LastRunID,
		Second(c.LastRunAt), Rupees(c.AtRisk), c.Left.Orders, Rupees(c.Left.Amount)}
	if c.Failure != nil {
		status.Failure = say(c.Failure)
	}
	of := Each(c.Sources, func(s *domain.ReportSource) SourceFile {
		return SourceFile{s.ID, part(sources, s.Connector, s.Settings), s.Pattern, s.Courier, domain.NamedColumns(s.Columns)}
	})
	return ConnectionFile{c.ID, c.Brand, part(shops, c.Shop.Connector, c.Shop.Settings), of, c.WindowDays, c.OverdueDays, c.MinorGap,
		c.Charges, float64(c.AlertAbove) / 100, c.Revision, status}
}

// ConnectorFailure is what is wrong with a shop, a report source or a file of it.
type ConnectorFailure struct {
	Rule      domain.ConnectorRule `json:"rule"`
	Connector domain.Connector     `json:"connector"`
	Source    int                  `json:"source"` // from 1; 0: the shop, or the pass as a whole
	Setting   string               `json:"setting"`
	File      string               `json:"file"`
	Message   string               `json:"message"`
	Accept    *AcceptedSetting     `json:"accept"`
}

// AcceptedSetting is the setting that would end a failure, if a person has made sure of it.
type AcceptedSetting struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
}

func newConnectorFailure(e *domain.ConnectorError, say Sentence) *ConnectorFailure {
	if e == nil {
		return nil
	}
	v := &ConnectorFailure{e.Rule, e.Connector, e.Source, e.Setting, e.File, say(e), nil}
	switch e.Rule {
	case domain.ConnHostKey, domain.ConnNoHostKey, domain.ConnNoAuthServID:
		if e.Setting != "" && e.Value != "" {
			v.Accept = &AcceptedSetting{e.Setting, e.Value}
		}
	}
	return v
}

// TestedPart is what a test found of the shop or of a report source.
type TestedPart struct {
	Connector domain.Connector  `json:"connector"`
	Failure   *ConnectorFailure `json:"failure"` // null: it works
	Matching  int               `json:"matching"`
	Files     []TestedFile      `json:"files"`
	LeftOut   []LeftOut         `json:"left_out"`
	Folders   []string          `json:"folders"` // of a mailbox: those that there are
}

// TestedFile is a file that a test has read.
type TestedFile struct {
	Name    string            `json:"name"`
	Courier string            `json:"courier"`
	Rows    int               `json:"rows"`
	Through *string           `json:"through"`
	LeftOut string            `json:"left_out"` // why passes leave it out; blank: they do not
	Failure *ConnectorFailure `json:"failure"`
}

// Tested is what a test found of a connection.
type Tested struct {
	Shop    TestedPart   `json:"shop"`
	Sources []TestedPart `json:"sources"`
}

// NewTestedPart returns what a test found of the shop or of a report source.
func NewTestedPart(t *ports.PartTest, say Sentence) TestedPart {
	return TestedPart{t.Connector, newConnectorFailure(t.Failure, say), t.Matching, Each(t.Files, func(f *ports.TestedFile) TestedFile {
		v := TestedFile{Name: f.Name, Courier: f.Courier, Rows: f.Rows, Through: OrNone(f.Through.String())}
		if f.LeftOut != "" {
			v.LeftOut = say(&domain.ConnectorError{Rule: f.LeftOut})
		}
		if f.Failure != nil {
			v.Failure = &ConnectorFailure{Rule: domain.ConnReport, Connector: t.Connector, File: f.Name, Message: say(f.Failure)}
		}
		return v
	}), newLeftOut(t.LeftOut, say), OrEmpty(t.Folders)}
}

// SeenFiles are the files that passes of a connection know of.
type SeenFiles struct {
	Files   []SeenFile    `json:"files"`   // of the last pass
	More    int           `json:"more"`    // besides them, which newer ones replace
	Ignored []IgnoredFile `json:"ignored"` // latest first
}

// SeenFile is a file that the last pass knew of.
type SeenFile struct {
	ID       string               `json:"id"` // of this version of it
	SourceID string               `json:"source_id"`
	Name     string               `json:"name"`
	At       Instant              `json:"at"`     // when it was modified or came; null: not known
	Rule     domain.ConnectorRule `json:"rule"`   // why it was left out, or why it stopped the pass; blank: it is a report
	Reason   string               `json:"reason"` // the same in words
	LeftOut  bool                 `json:"left_out"`
}

// IgnoredFile is a file that a person has said to ignore.
type IgnoredFile struct {
	ID       string  `json:"id"`
	SourceID string  `json:"source_id"`
	Name     string  `json:"name"`
	At       Instant `json:"at" ts:"string"` // since when
}

// NewIgnoredFile returns a file that is ignored.
func NewIgnoredFile(f *domain.IgnoredFile) IgnoredFile {
	return IgnoredFile{f.ID, f.SourceID, f.Name, Instant(f.At)}
}

// NewSeenFiles returns the files that passes of a connection know of.
func NewSeenFiles(seen ports.SeenFiles, c *domain.Connection, say Sentence) SeenFiles {
	return SeenFiles{Each(seen.Files, func(f *domain.SeenFile) SeenFile {
		v := SeenFile{ID: f.ID(), SourceID: f.SourceID, Name: f.Name, At: Instant(f.Modified), Rule: f.Rule, LeftOut: f.Rule.IsLeftOut()}
		if at := c.Source(f.SourceID); f.Rule != "" {
			e := &domain.ConnectorError{Rule: f.Rule, Source: at, File: domain.Shortened(f.Name)}
			if at > 0 {
				e.Connector = c.Sources[at-1].Connector
			}
			v.Reason = say(e)
		}
		return v
	}), seen.More, Each(seen.Ignored, NewIgnoredFile)}
}

// KeptFile is a report that is kept for the autopilot. Its content is shown to nobody.
type KeptFile struct {
	ID        string  `json:"id"`
	SourceID  string  `json:"source_id"`
	Name      string  `json:"name"`
	Bytes     int64   `json:"bytes"`
	At        Instant `json:"at" ts:"string"`
	DeletedAt Instant `json:"deleted_at" ts:"string"` // when it will be
}

// NewKeptFile returns a kept report as the pages show it.
func NewKeptFile(f *domain.KeptFile) KeptFile {
	return KeptFile{f.ID, f.SourceID, f.Name, f.Bytes, Instant(f.At), Instant(f.At.Add(domain.KeptFileSpan))}
}

// ExportedFile is a kept report in the export of an account.
type ExportedFile struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	SourceID string  `json:"source_id"`
	At       Instant `json:"at"`
	Bytes    int64   `json:"bytes"`
	Content  []byte  `json:"content"` // in Base64
}
