package dashboard

import (
	"cmp"
	"math"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

func viewConnectors(all []ports.ConnectorInfo, words peers.SettingWords) []view.Connector {
	return view.Each(all, func(info *ports.ConnectorInfo) view.Connector {
		setting := func(s *ports.SettingInfo) view.Setting {
			label, hint := words.Setting(info.ID, s.Name)
			return view.Setting{Name: s.Name, Label: cmp.Or(label, s.Name), Hint: hint, Secret: s.Secret, Required: s.Required,
				Default: s.Default, Lines: s.Lines, Options: view.OrEmpty(s.Options), Example: s.Example,
				OptionLabels: view.Each(s.Options, func(option *string) string { return words.Option(info.ID, s.Name, *option) })}
		}
		return view.Connector{ID: info.ID, Name: connectorName(*info, words), Files: info.Files, Kept: info.Kept,
			Settings: view.Each(info.Settings, setting)}
	})
}

// connectorName returns the words for a connector, or else the name that its maker writes.
func connectorName(info ports.ConnectorInfo, words peers.SettingWords) string {
	if name := words.Connector(info.ID); name != string(info.ID) {
		return name
	}
	return info.Name
}

// listConnectors is GET /account/connectors.
func (d *Dashboard) listConnectors(c *gin.Context, _ By) error {
	shops, sources := d.Connections.Connectors()
	words := d.Languages.Settings(d.Language(c.Request))
	return answer(c, http.StatusOK, view.Connectors{Shops: viewConnectors(shops, words), Sources: viewConnectors(sources, words),
		Limits: view.ConnectionLimits{
			Sources:   domain.MaxReportSources,
			MinWindow: domain.MinWindowDays, MaxWindow: domain.MaxWindowDays, DefaultWindow: domain.DefaultWindow,
			KeptFile: domain.MaxKeptFile, KeptDays: days(domain.KeptFileSpan),
		}, Roles: view.Each(domain.Roles(), (*domain.Role).String)}, nil)
}

// sentences say errors in the language of a request.
func (d *Dashboard) sentences(r *http.Request) view.Sentence {
	return func(err error) string { return d.Words(r).Message(err, d.Names(r)) }
}

func (d *Dashboard) viewConnection(r *http.Request, c *domain.Connection) view.Connection {
	shops, sources := d.Connections.Connectors()
	return view.NewConnection(c, shops, sources, d.sentences(r))
}

// listNames is GET /app/api/open-items: the connections that keep their open items, which everybody may ask for.
func (d *Dashboard) listNames(c *gin.Context, by By) error {
	all, err := d.Connections.List(c.Request.Context(), by.Account.ID)
	all = slices.DeleteFunc(all, func(one domain.Connection) bool { return !one.KeepsItems })
	return list(c, "connections", all, func(one *domain.Connection) view.ConnectionName {
		return view.ConnectionName{ID: one.ID, Name: one.Brand}
	}, err)
}

func (d *Dashboard) answerConnection(c *gin.Context, status int, connection domain.Connection, err error) error {
	return answer(c, status, d.viewConnection(c.Request, &connection), err)
}

// mostConnection is how many bytes the body of a connection may have: some private keys, and
// many short settings.
const mostConnection = 512 << 10

// connectionSent is a connection as pages send it. A secret that is absent stays as it is.
type connectionSent struct {
	ID          string         `json:"id"` // of a test: the connection whose secrets are used; blank: none
	Brand       string         `json:"brand"`
	Shop        partSent       `json:"shop"`
	Sources     []sourceSent   `json:"sources"`
	WindowDays  *float64       `json:"window_days"` // null: Milaan's
	OverdueDays *float64       `json:"overdue_threshold_days"`
	MinorGap    *float64       `json:"minor_gap_threshold"`
	Charges     domain.Charges `json:"charges"`     // blank: the account's
	AlertAbove  float64        `json:"alert_above"` // rupees
	Revision    int            `json:"revision"`    // of the connection as it was shown; 0: whichever there is
}

type partSent struct {
	Connector domain.Connector  `json:"connector"`
	Settings  map[string]string `json:"settings"`
}

type sourceSent struct {
	ID        string            `json:"id"` // blank: a new one
	Connector domain.Connector  `json:"connector"`
	Settings  map[string]string `json:"settings"`
	Pattern   string            `json:"pattern"`
	Courier   string            `json:"courier"`
	Columns   domain.Columns    `json:"columns"`
}

func (d *Dashboard) readConnection(c *gin.Context, by By) (id string, change ports.ConnectionChange, err error) {
	var sent connectionSent
	if err := d.readSent(c, &by, mostConnection, &sent); err != nil {
		return "", change, err
	}
	change = ports.ConnectionChange{Brand: sent.Brand, Shop: domain.Shop{Connector: sent.Shop.Connector, Settings: sent.Shop.Settings}}
	for _, s := range sent.Sources {
		change.Sources = append(change.Sources, ports.SourceChange{ID: s.ID, Connector: s.Connector, Settings: s.Settings, Pattern: s.Pattern,
			Courier: s.Courier, Columns: s.Columns})
	}
	if window := readWhole(&change.Misread, domain.FieldWindowDays, sent.WindowDays); window != nil {
		change.Misread.Add(*window == 0, domain.OutOfBounds(domain.FieldWindowDays))
		change.WindowDays = *window
	}
	change.OverdueDays = readWhole(&change.Misread, domain.FieldOverdueDays, sent.OverdueDays)
	change.MinorGap = readWhole(&change.Misread, domain.FieldMinorGap, sent.MinorGap)
	change.Charges, change.Revision = sent.Charges, sent.Revision
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

// saveConnection is POST /account/connections and PUT /account/connections/:id.
func (d *Dashboard) saveConnection(c *gin.Context, by By) error {
	_, change, err := d.readConnection(c, by)
	if err != nil {
		return err
	}
	status, id := http.StatusOK, c.Param("id")
	if id == "" {
		status = http.StatusCreated
	}
	saved, err := d.Connections.Save(c.Request.Context(), by.Account.ID, id, by.Actor(), change)
	return d.answerConnection(c, status, saved, err)
}

// testConnection is POST /account/connections/test. It answers when everything that the
// connection names has been tried.
func (d *Dashboard) testConnection(c *gin.Context, by By) error {
	id, change, err := d.readConnection(c, by)
	if err != nil {
		return err
	}
	if !domain.IsStorable(id) {
		return domain.ErrNoConnection
	}
	found, err := d.Connections.Test(c.Request.Context(), by.Account.ID, id, change)
	if err != nil {
		return err
	}
	part := func(t *ports.PartTest) view.TestedPart { return view.NewTestedPart(t, d.sentences(c.Request)) }
	return answer(c, http.StatusOK, view.Tested{Shop: part(&found.Shop), Sources: view.Each(found.Sources, part)}, nil)
}

// removeConnection is DELETE /account/connections/:id. The brand is typed by who confirms it.
func (d *Dashboard) removeConnection(c *gin.Context, by By, sent *struct {
	Brand string `json:"brand"`
}) error {
	found, err := d.Connections.Find(c.Request.Context(), by.Account.ID, c.Param("id"))
	if err != nil {
		return err
	}
	if sent.Brand != found.Brand {
		return domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleConfirm, Options: []string{found.Brand}}}.Err()
	}
	return noContent(c, d.Connections.Remove(c.Request.Context(), by.Account.ID, found.ID, by.Actor()))
}
