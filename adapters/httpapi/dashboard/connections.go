package dashboard

import (
	"cmp"
	"math"
	"net/http"

	"github.com/gin-gonic/gin"
	"go.uber.org/fx"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
)

// Autopilot is what the pages show of the autopilot and what they change of it.
type Autopilot struct {
	fx.In

	Managing ports.ManagingConnections
	Reading  ports.ReadingConnections
	Keeping  ports.KeepingFiles
	Mails    ports.ChoosingMails
}

// addAutopilot adds the routes of the autopilot.
func (d *Dashboard) addAutopilot(r Routes) {
	read := func(path string, least domain.MemberRole, h Handler) { r.Account(http.MethodGet, path, least, h) }
	change := func(method, path string, least domain.MemberRole, h Handler) {
		r.Account(method, path, least, d.countChange(h))
	}

	read("/api/connectors", domain.Accountant, d.listConnectors)
	read("/api/connections", domain.Accountant, d.listConnections)
	change(http.MethodPost, "/api/connections", domain.Owner, d.addConnection)
	change(http.MethodPost, "/api/connections/test", domain.Owner, d.testConnection)
	read("/api/connections/:id", domain.Accountant, d.showConnection)
	change(http.MethodPut, "/api/connections/:id", domain.Owner, d.changeConnection)
	change(http.MethodDelete, "/api/connections/:id", domain.Owner, d.removeConnection)
	change(http.MethodPost, "/api/connections/:id/pause", domain.Owner, d.pauseConnection)
	change(http.MethodPost, "/api/connections/:id/run", domain.Accountant, d.askPass)
	read("/api/connections/:id/passes", domain.Accountant, d.listPasses)

	read("/api/connections/:id/files", domain.Accountant, d.listKeptFiles)
	change(http.MethodDelete, "/api/connections/:id/files/:file", domain.Accountant, d.removeKeptFile)

	read("/api/mails", domain.Owner, d.showMails)
	change(http.MethodPut, "/api/mails", domain.Owner, d.chooseMails)
}

// settingView describes a setting of a connector to the page that asks for it.
type settingView struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Hint     string   `json:"hint"`
	Secret   bool     `json:"secret"`
	Required bool     `json:"required"`
	Default  string   `json:"default"`
	Lines    bool     `json:"lines"`
	Options  []string `json:"options"`
	// OptionLabels are what the options mean, in their order.
	OptionLabels []string `json:"option_labels"`
	Example      string   `json:"example"`
}

// connectorView is a kind of shop or of report source.
type connectorView struct {
	ID       domain.Connector `json:"id"`
	Name     string           `json:"name"`
	Files    bool             `json:"files"`
	Kept     bool             `json:"kept"`
	Settings []settingView    `json:"settings"`
}

func viewConnectors(all []ports.ConnectorInfo, words glue.SettingWords) []connectorView {
	views := make([]connectorView, len(all))
	for i, info := range all {
		views[i] = connectorView{ID: info.ID, Name: connectorName(info, words), Files: info.Files, Kept: info.Kept, Settings: make([]settingView, len(info.Settings))}
		for j, s := range info.Settings {
			label, hint := words.Setting(info.ID, s.Name)
			views[i].Settings[j] = settingView{Name: s.Name, Label: cmp.Or(label, s.Name), Hint: hint, Secret: s.Secret, Required: s.Required,
				Default: s.Default, Lines: s.Lines, Options: view.OrEmpty(s.Options), OptionLabels: []string{}, Example: s.Example}
			for _, option := range s.Options {
				views[i].Settings[j].OptionLabels = append(views[i].Settings[j].OptionLabels, words.Option(info.ID, s.Name, option))
			}
		}
	}
	return views
}

// connectorName returns the words for a connector, or else the name that its maker writes.
func connectorName(info ports.ConnectorInfo, words glue.SettingWords) string {
	if name := words.Connector(info.ID); name != string(info.ID) {
		return name
	}
	return info.Name
}

// connectionLimits are the bounds that forms tell people before they type.
type connectionLimits struct {
	Sources       int   `json:"sources"`
	MinWindow     int   `json:"min_window_days"`
	MaxWindow     int   `json:"max_window_days"`
	DefaultWindow int   `json:"default_window_days"`
	KeptFile      int64 `json:"kept_file_bytes"`
	KeptDays      int   `json:"kept_days"`
}

// listConnectors is GET /app/api/connectors.
func (d *Dashboard) listConnectors(c *gin.Context, _ By) error {
	shops, sources := d.Autopilot.Reading.Connectors()
	words := d.settingWords(c.Request)
	writeJSON(c, http.StatusOK, struct {
		Shops   []connectorView  `json:"shops"`
		Sources []connectorView  `json:"sources"`
		Limits  connectionLimits `json:"limits"`
		Roles   []string         `json:"roles"` // of the columns that may be stated
	}{viewConnectors(shops, words), viewConnectors(sources, words), connectionLimits{
		Sources:   domain.MaxReportSources,
		MinWindow: domain.MinWindowDays, MaxWindow: domain.MaxWindowDays, DefaultWindow: domain.DefaultWindow,
		KeptFile: domain.MaxKeptFile, KeptDays: days(domain.KeptFileSpan),
	}, roleNames()})
	return nil
}

func roleNames() (names []string) {
	for _, role := range domain.Roles() {
		names = append(names, role.String())
	}
	return names
}

// settingWords returns the words for settings in a request's language.
func (d *Dashboard) settingWords(r *http.Request) glue.SettingWords {
	return d.Languages.Settings(d.Language(r))
}

// failureView is what is wrong with a shop, a report source or a file of it.
type failureView struct {
	Rule      domain.ConnectorRule `json:"rule"`
	Connector domain.Connector     `json:"connector"`
	Source    int                  `json:"source"` // from 1; 0: the shop, or the pass as a whole
	Setting   string               `json:"setting"`
	File      string               `json:"file"`
	Message   string               `json:"message"`
	Accept    *acceptView          `json:"accept"`
}

// acceptView is the setting that would end a failure, if a person has made sure of it.
type acceptView struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
}

// viewFailure returns nil of no error.
func (d *Dashboard) viewFailure(r *http.Request, e *domain.ConnectorError) *failureView {
	if e == nil {
		return nil
	}
	v := &failureView{Rule: e.Rule, Connector: e.Connector, Source: e.Source, Setting: e.Setting, File: e.File, Message: d.sentence(r, e)}
	switch e.Rule {
	case domain.ConnHostKey, domain.ConnNoHostKey, domain.ConnNoAuthServID:
		if e.Setting != "" && e.Value != "" {
			v.Accept = &acceptView{e.Setting, e.Value}
		}
	}
	return v
}

// sentence says an error in the language of a request.
func (d *Dashboard) sentence(r *http.Request, err error) string {
	return string(d.Words(r).AppendError(nil, err, d.Names(r)))
}

// partView is the shop of a connection, or what a report source has in common with it.
type partView struct {
	Connector domain.Connector  `json:"connector"`
	Settings  map[string]string `json:"settings"` // without the secrets
	Secrets   []string          `json:"secrets"`  // the names of those that are stored
}

// sourceView is a report source.
type sourceView struct {
	ID string `json:"id"`
	partView
	Pattern string         `json:"pattern"`
	Courier string         `json:"courier"`
	Columns domain.Columns `json:"columns"` // by role
}

// connectionView is a connection and how its passes have gone.
type connectionView struct {
	ID           string                 `json:"id"`
	Brand        string                 `json:"brand"`
	Shop         partView               `json:"shop"`
	Sources      []sourceView           `json:"sources"`
	WindowDays   int                    `json:"window_days"`
	OverdueDays  *int                   `json:"overdue_threshold_days"` // null: the account's or Milaan's
	MinorGap     *int                   `json:"minor_gap_threshold"`    // null: Milaan's
	AlertAbove   view.Rupees            `json:"alert_above"`            // 0: no mail
	State        domain.ConnectionState `json:"state"`
	NextPassAt   view.Instant           `json:"next_pass_at"`
	CheckedAt    view.Instant           `json:"checked_at"`    // null: no pass has succeeded yet
	FailingSince view.Instant           `json:"failing_since"` // null: the last pass did not fail
	Failure      *failureView           `json:"failure"`
	LastRunID    string                 `json:"last_run_id"`
	LastRunAt    view.Instant           `json:"last_run_at"`
	AtRisk       view.Rupees            `json:"amount_risk"` // of that run
	Left         view.OrderSum          `json:"left"`
	CreatedAt    view.Instant           `json:"created_at"`
}

func (d *Dashboard) viewConnection(r *http.Request, c *domain.Connection) connectionView {
	shops, sources := d.Autopilot.Reading.Connectors()
	v := connectionView{
		ID: c.ID, Brand: c.Brand, Shop: viewPart(shops, c.Shop.Connector, c.Shop.Settings), Sources: make([]sourceView, len(c.Sources)),
		WindowDays: c.WindowDays, OverdueDays: c.OverdueDays, MinorGap: c.MinorGap, AlertAbove: view.Rupees(c.AlertAbove),
		State: c.State, NextPassAt: view.Instant(c.NextPassAt), CheckedAt: view.Instant(c.CheckedAt), FailingSince: view.Instant(c.FailingSince),
		Failure: d.viewFailure(r, c.Failure), LastRunID: c.LastRunID, LastRunAt: view.Instant(c.LastRunAt), AtRisk: view.Rupees(c.AtRisk),
		Left: view.NewOrderSum(c.Left), CreatedAt: view.Instant(c.CreatedAt),
	}
	for i, s := range c.Sources {
		v.Sources[i] = sourceView{ID: s.ID, partView: viewPart(sources, s.Connector, s.Settings), Pattern: s.Pattern, Courier: s.Courier, Columns: domain.Columns{}}
		for role, header := range s.Columns {
			v.Sources[i].Columns[role.String()] = header
		}
	}
	return v
}

// viewPart shows settings that the connector describes as no secret. Of a connector that the
// operator does not allow any more, nothing is known, and nothing is shown.
func viewPart(known []ports.ConnectorInfo, connector domain.Connector, settings domain.Settings) partView {
	shown, secrets := ports.FindConnector(known, connector).Show(settings)
	return partView{Connector: connector, Settings: shown, Secrets: view.OrEmpty(secrets)}
}

// listConnections is GET /app/api/connections.
func (d *Dashboard) listConnections(c *gin.Context, by By) error {
	all, err := d.Autopilot.Reading.List(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	views := make([]connectionView, len(all))
	for i := range all {
		views[i] = d.viewConnection(c.Request, &all[i])
	}
	writeJSON(c, http.StatusOK, struct {
		Connections []connectionView `json:"connections"`
	}{views})
	return nil
}

// answerConnection answers with what a use case returned, or returns its error.
func (d *Dashboard) answerConnection(c *gin.Context, status int, connection domain.Connection, err error) error {
	if err != nil {
		return err
	}
	writeJSON(c, status, d.viewConnection(c.Request, &connection))
	return nil
}

// showConnection is GET /app/api/connections/:id.
func (d *Dashboard) showConnection(c *gin.Context, by By) error {
	found, err := d.Autopilot.Reading.Find(c.Request.Context(), by.Account.ID, c.Param("id"))
	return d.answerConnection(c, http.StatusOK, found, err)
}

// mostConnection is how many bytes the body of a connection may have: some private keys, and
// many short settings.
const mostConnection = 512 << 10

// connectionSent is a connection as pages send it. A secret that is absent stays as it is.
type connectionSent struct {
	ID          string       `json:"id"` // of a test: the connection whose secrets are used; blank: none
	Brand       string       `json:"brand"`
	Shop        partSent     `json:"shop"`
	Sources     []sourceSent `json:"sources"`
	WindowDays  *float64     `json:"window_days"` // null: Milaan's
	OverdueDays *float64     `json:"overdue_threshold_days"`
	MinorGap    *float64     `json:"minor_gap_threshold"`
	AlertAbove  float64      `json:"alert_above"` // rupees
}

type partSent struct {
	Connector domain.Connector  `json:"connector"`
	Settings  map[string]string `json:"settings"`
}

type sourceSent struct {
	ID string `json:"id"` // blank: a new one
	partSent
	Pattern string         `json:"pattern"`
	Courier string         `json:"courier"`
	Columns domain.Columns `json:"columns"`
}

// readConnection reads what a page states of a connection.
func (d *Dashboard) readConnection(c *gin.Context, by By) (id string, change ports.ConnectionChange, err error) {
	var sent connectionSent
	if err := d.readJSON(c, by.Account.ID, mostConnection, &sent); err != nil {
		return "", change, err
	}
	change = ports.ConnectionChange{Brand: sent.Brand, Shop: domain.Shop{Connector: sent.Shop.Connector, Settings: sent.Shop.Settings}}
	for _, s := range sent.Sources {
		change.Sources = append(change.Sources, ports.SourceChange{ID: s.ID, Connector: s.Connector, Settings: s.Settings, Pattern: s.Pattern, Courier: s.Courier, Columns: s.Columns})
	}
	if window := readWhole(&change.Misread, domain.FieldWindowDays, sent.WindowDays); window != nil {
		change.Misread.Add(*window == 0, domain.OutOfBounds(domain.FieldWindowDays))
		change.WindowDays = *window
	}
	change.OverdueDays = readWhole(&change.Misread, domain.FieldOverdueDays, sent.OverdueDays)
	change.MinorGap = readWhole(&change.Misread, domain.FieldMinorGap, sent.MinorGap)
	const most = 1e13 // rupees: beyond it the use case says what may be, as it does of any other
	change.AlertAbove = domain.Paise(math.Round(max(min(sent.AlertAbove, most), -most) * 100))
	return sent.ID, change, nil
}

// readWhole reads a whole number; nil if there is none.
func readWhole(faults *domain.Faults, field domain.Field, sent *float64) *int {
	if sent == nil {
		return nil
	}
	if *sent != math.Trunc(*sent) || math.Abs(*sent) > math.MaxInt32 {
		faults.Add(true, domain.OutOfBounds(field))
		return nil
	}
	return new(int(*sent))
}

// addConnection is POST /app/api/connections.
func (d *Dashboard) addConnection(c *gin.Context, by By) error {
	return d.saveConnection(c, by, http.StatusCreated)
}

// changeConnection is PUT /app/api/connections/:id.
func (d *Dashboard) changeConnection(c *gin.Context, by By) error {
	return d.saveConnection(c, by, http.StatusOK)
}

func (d *Dashboard) saveConnection(c *gin.Context, by By, status int) error {
	_, change, err := d.readConnection(c, by)
	if err != nil {
		return err
	}
	saved, err := d.Autopilot.Managing.Save(c.Request.Context(), by.Account.ID, c.Param("id"), domain.ByDashboard, change)
	return d.answerConnection(c, status, saved, err)
}

// testedPartView is what a test found of the shop or of a report source.
type testedPartView struct {
	Connector domain.Connector `json:"connector"`
	Failure   *failureView     `json:"failure"` // null: it works
	Matching  int              `json:"matching"`
	Files     []testedFileView `json:"files"`
	LeftOut   []leftOutView    `json:"left_out"`
}

// leftOutView is a mail with reports that was not taken.
type leftOutView struct {
	At      view.Instant         `json:"at"`
	From    string               `json:"from"` // blank: not known, or of a pass, which does not store it
	Rule    domain.ConnectorRule `json:"rule"`
	Message string               `json:"message"`
}

func (d *Dashboard) viewLeftOut(r *http.Request, left []domain.LeftOutMail) []leftOutView {
	views := make([]leftOutView, len(left))
	for i, mail := range left {
		views[i] = leftOutView{At: view.Instant(mail.At), From: mail.From, Rule: mail.Rule, Message: d.sentence(r, mail.Failure())}
	}
	return views
}

type testedFileView struct {
	Name    string       `json:"name"`
	Courier string       `json:"courier"`
	Rows    int          `json:"rows"`
	Through *string      `json:"through"`
	Failure *failureView `json:"failure"`
}

func (d *Dashboard) viewTest(r *http.Request, t *ports.PartTest) testedPartView {
	v := testedPartView{Connector: t.Connector, Failure: d.viewFailure(r, t.Failure), Matching: t.Matching, Files: make([]testedFileView, len(t.Files)),
		LeftOut: d.viewLeftOut(r, t.LeftOut)}
	for i, f := range t.Files {
		v.Files[i] = testedFileView{Name: f.Name, Courier: f.Courier, Rows: f.Rows, Through: view.OrNone(f.Through.String())}
		if f.Failure != nil {
			v.Files[i].Failure = &failureView{Rule: domain.ConnReport, Connector: t.Connector, File: f.Name, Message: d.sentence(r, f.Failure)}
		}
	}
	return v
}

// testConnection is POST /app/api/connections/test. It answers when everything that the
// connection names has been tried.
func (d *Dashboard) testConnection(c *gin.Context, by By) error {
	id, change, err := d.readConnection(c, by)
	if err != nil {
		return err
	}
	found, err := d.Autopilot.Managing.Test(c.Request.Context(), by.Account.ID, id, change)
	if err != nil {
		return err
	}
	sources := make([]testedPartView, len(found.Sources))
	for i := range found.Sources {
		sources[i] = d.viewTest(c.Request, &found.Sources[i])
	}
	writeJSON(c, http.StatusOK, struct {
		Shop    testedPartView   `json:"shop"`
		Sources []testedPartView `json:"sources"`
	}{d.viewTest(c.Request, &found.Shop), sources})
	return nil
}

// removeConnection is DELETE /app/api/connections/:id. The brand is typed by who confirms it.
func (d *Dashboard) removeConnection(c *gin.Context, by By) error {
	var sent struct {
		Brand string `json:"brand"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	found, err := d.Autopilot.Reading.Find(c.Request.Context(), by.Account.ID, c.Param("id"))
	if err != nil {
		return err
	}
	if sent.Brand != found.Brand {
		return domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleOneOf, Value: domain.Shortened(sent.Brand), Options: []string{found.Brand}}}.Err()
	}
	if err := d.Autopilot.Managing.Remove(c.Request.Context(), by.Account.ID, found.ID, domain.ByDashboard); err != nil {
		return err
	}
	return noContent(c)
}

// pauseConnection is POST /app/api/connections/:id/pause.
func (d *Dashboard) pauseConnection(c *gin.Context, by By) error {
	var sent struct {
		Paused bool `json:"paused"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	changed, err := d.Autopilot.Managing.Pause(c.Request.Context(), by.Account.ID, c.Param("id"), sent.Paused, domain.ByDashboard)
	return d.answerConnection(c, http.StatusOK, changed, err)
}

// showMails is GET /app/api/mails.
func (d *Dashboard) showMails(c *gin.Context, by By) error {
	choice, enabled, err := d.Autopilot.Mails.Choice(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, struct {
		Digest  bool `json:"digest"`
		Alerts  bool `json:"alerts"`
		Enabled bool `json:"enabled"` // the service sends mails
	}{!choice.NoDigest, !choice.NoAlerts, enabled})
	return nil
}

// chooseMails is PUT /app/api/mails. What is not given stays as it is.
func (d *Dashboard) chooseMails(c *gin.Context, by By) error {
	var sent struct {
		Digest *bool `json:"digest"`
		Alerts *bool `json:"alerts"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	choice, _, err := d.Autopilot.Mails.Choice(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	if sent.Digest != nil {
		choice.NoDigest = !*sent.Digest
	}
	if sent.Alerts != nil {
		choice.NoAlerts = !*sent.Alerts
	}
	if err := d.Autopilot.Mails.Choose(c.Request.Context(), by.Account.ID, choice); err != nil {
		return err
	}
	return d.showMails(c, by)
}
