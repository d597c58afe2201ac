package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/only"
)

// autopilot is its own use cases, of account-1. It notes what it was asked.
type autopilot struct {
	ports.ManagingConnections
	ports.ChoosingMails
	ports.Gate
	peers.Languages

	change     ports.ConnectionChange
	id         string // that Save or Test was given
	kept       domain.KeptFile
	content    string
	choice     domain.MailChoice
	removed    []string
	counted    int
	connection domain.Connection
	pass       domain.Pass
	refuse     error
}

const (
	secretOfShop   = "canary-secret-of-the-shop"
	secretOfSource = "canary-secret-of-the-source"
)

func (a *autopilot) Connectors() (shops, sources []ports.ConnectorInfo) {
	return []ports.ConnectorInfo{{ID: "shopify", Name: "Shopify", Settings: []ports.SettingInfo{{Name: "shop", Required: true, Example: "asha.myshopify.com"}, {Name: "access_token", Secret: true}, {Name: "client_secret", Secret: true}}}},
		[]ports.ConnectorInfo{{ID: "sftp", Name: "SFTP", Files: true, Settings: []ports.SettingInfo{{Name: "host", Required: true}, {Name: "port", Default: "22"}, {Name: "private_key", Secret: true, Lines: true}}}}
}

func (a *autopilot) List(_ context.Context, accountID string) ([]domain.Connection, error) {
	return []domain.Connection{a.connection}, a.of(accountID)
}

func (a *autopilot) Find(_ context.Context, accountID, id string) (domain.Connection, error) {
	if id != a.connection.ID {
		return domain.Connection{}, domain.ErrNoConnection
	}
	return a.connection, a.of(accountID)
}

func (a *autopilot) of(accountID string) error {
	if accountID != "account-1" {
		return domain.ErrNoConnection
	}
	return a.refuse
}

func (a *autopilot) Passes(_ context.Context, accountID, _ string) ([]domain.Pass, error) {
	return []domain.Pass{a.pass}, a.of(accountID)
}

func (a *autopilot) Save(_ context.Context, accountID, id string, by domain.Actor, change ports.ConnectionChange) (domain.Connection, error) {
	a.id, a.change = id+" "+string(by.Way), change
	if err := change.Misread.Err(); err != nil {
		return domain.Connection{}, err
	}
	return a.connection, a.of(accountID)
}

func (a *autopilot) Test(_ context.Context, accountID, id string, change ports.ConnectionChange) (*ports.ConnectionTest, error) {
	a.id, a.change = id, change
	return &ports.ConnectionTest{
		Shop: ports.PartTest{Connector: "shopify"},
		Sources: []ports.PartTest{
			{Connector: "sftp", Failure: &domain.ConnectorError{Rule: domain.ConnNoHostKey, Connector: "sftp", Source: 1, Setting: "host_key", Value: "SHA256:abc"}},
			{Connector: "imap", Failure: &domain.ConnectorError{Rule: domain.ConnNoAuthServID, Connector: "imap", Source: 3, Setting: "authserv_id", Value: "mx.google.com"}},
			{Connector: "sftp", Matching: 2, LeftOut: []domain.LeftOutMail{{Rule: domain.ConnShownName, From: "attacker@evil.example"}}, Files: []ports.TestedFile{
				{Name: "a.csv", Courier: "delhivery", Rows: 7, Through: domain.DayFromDate(2026, time.November, 20)},
				{Name: "b.csv", Failure: &domain.FileError{File: domain.CourierFile, Rule: domain.RuleRows, Limit: 5}},
			}},
		},
	}, a.of(accountID)
}

func (a *autopilot) Pause(_ context.Context, accountID, _ string, paused bool, _ domain.Actor) (domain.Connection, error) {
	c := a.connection
	if paused {
		c.State = domain.ConnectionPaused
	}
	return c, a.of(accountID)
}

func (a *autopilot) Remove(_ context.Context, accountID, id string, _ domain.Actor) error {
	a.removed = append(a.removed, id)
	return a.of(accountID)
}

func (a *autopilot) Run(_ context.Context, accountID, _ string) (domain.Pass, error) {
	return a.pass, a.of(accountID)
}

func (a *autopilot) CountChange(context.Context, string) error {
	a.counted++
	return nil
}

func (a *autopilot) Keep(_ context.Context, file domain.KeptFile, content []byte) (domain.KeptFile, error) {
	file.ID, file.Bytes, file.At = "file-1", int64(len(content)), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	a.kept, a.content = file, string(content)
	return file, a.of(file.AccountID)
}

func (a *autopilot) KeptFiles(_ context.Context, accountID, _ string) ([]domain.KeptFile, error) {
	return []domain.KeptFile{a.kept}, a.of(accountID)
}

func (a *autopilot) RemoveKept(_ context.Context, accountID, _, id string) error {
	a.removed = append(a.removed, id)
	return a.of(accountID)
}

func (a *autopilot) Choice(context.Context, string) (domain.MailChoice, bool, error) {
	return a.choice, true, nil
}

func (a *autopilot) Choose(_ context.Context, _ string, choice domain.MailChoice) error {
	a.choice = choice
	return nil
}

// settingWords are the words for settings in the language of the pages.
type settingWords struct{ oneLanguage }

func (settingWords) Settings(string) peers.SettingWords { return settingWords{} }

func (settingWords) Connector(id domain.Connector) string { return string(id) }

func (settingWords) Option(_ domain.Connector, _, option string) string { return option }

func (settingWords) Setting(connector domain.Connector, name string) (label, hint string) {
	if name == "port" {
		return "", ""
	}
	return "The " + name, "Of " + string(connector)
}

// startAutopilot starts a service with connections, and returns how a page asks it.
func startAutopilot(t *testing.T) (a *autopilot, ask func(method, path, body string) reply) {
	t.Helper()
	a = &autopilot{
		connection: domain.Connection{
			ID: "c-1", AccountID: "account-1", Brand: "Asha",
			Shop:    domain.Shop{Connector: "shopify", Settings: domain.Settings{"shop": "asha.myshopify.com", "access_token": secretOfShop}},
			Sources: []domain.ReportSource{{ID: "s-1", Connector: "sftp", Settings: domain.Settings{"host": "sftp.example", "private_key": secretOfSource}}},
			ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionRefused,
				Failure: &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "sftp", Source: 1, Setting: "private_key", Cause: context.Canceled}},
		},
		pass: domain.Pass{ID: "p-1", PassResult: domain.PassResult{Warnings: []domain.Warning{{Code: domain.WarnUnclaimedLines, Count: 2, Amount: 700, HasAmount: true}}}},
	}
	s := &service{}
	params := s.params(nil)
	params.Dashboard.Connections, params.Dashboard.Mails = a, a
	params.Gate, params.Dashboard.Gate, params.Dashboard.Languages = a, a, settingWords{}
	s.server = only.Value(New(params))(t)
	require.NoError(t, s.server.Start(t.Context()))
	t.Cleanup(func() { _ = s.server.Stop(context.Background()) })
	return a, func(method, path, body string) reply {
		r := only.Value(http.NewRequestWithContext(t.Context(), method, s.url("/app/api"+path), strings.NewReader(body)))(t)
		media := "application/json"
		if strings.HasPrefix(body, "--b") {
			media = "multipart/form-data; boundary=b"
		}
		for name, value := range map[string]string{"Content-Type": media, "Cookie": "milaan=" + signedIn, "Sec-Fetch-Site": "same-origin"} {
			r.Header.Set(name, value)
		}
		got := do(t, r)
		require.NotContains(t, got.body, "canary", "%s %s", method, path)
		return got
	}
}

// TestConnectionsAsPagesSeeThem holds what each of the autopilot's routes answers, of which adapters/view has the shapes, and that no
// answer has a secret, whatever the use cases return.
func TestConnectionsAsPagesSeeThem(t *testing.T) {
	t.Parallel()
	a, ask := startAutopilot(t)
	said, _ := json.Marshal(said(a.connection.Failure))
	const warning = "2 lines of the reports with ₹7 remitted belong to no order that the shop has in the window: check whether they are of another shop or of an order from before the window."
	const found, paused = `"state":"needs_attention"`, `"state":"paused"`
	const pass = `"warnings":[{"code":"unclaimed_lines","message":"` + warning + `","count":2,"amount":7}]`
	const kept = `{"id":"file-1","source_id":"s-1","name":"पैसे नवंबर.csv","bytes":9,"at":"2026-11-01T00:00:00.000Z","deleted_at":"2026-12-31T00:00:00.000Z"}`
	const body = `{"brand":"Asha","shop":{"connector":"shopify","settings":{"shop":"x"}}}`
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/connections", "", 200, found},
		{"GET", "/connections/c-1", "", 200, `"message":` + string(said)},
		{"GET", "/connections/other", "", 404, ""},
		{"POST", "/connections", body, 201, found},
		{"PUT", "/connections/c-1", body, 200, found},
		{"POST", "/connections/c-1/pause", `{"paused":true}`, 200, paused},
		{"POST", "/connections/c-1/run", "", 202, pass},
		{"GET", "/connections/c-1/passes", "", 200, `{"passes":[{"id":"p-1"`},
		{"POST", "/connections/c-1/sources/s-1/files", "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"पैसे नवंबर.csv\"\r\n\r\nAWB No\n1\n\r\n--b--\r\n", 201, kept},
		{"GET", "/connections/c-1/files", "", 200, `{"files":[` + kept + `]}`},
		{"DELETE", "/connections/c-1/files/file-1", "", 204, ""},
		{"DELETE", "/connections/c-1", `{"brand":"asha"}`, 400, ""},
		{"DELETE", "/connections/other", `{"brand":"Asha"}`, 404, ""},
		{"DELETE", "/connections/c-1", `{"brand":"Asha"}`, 204, ""},
		{"GET", "/mails", "", 200, `{"digest":true,"alerts":true,"enabled":true}`},
		{"PUT", "/mails", `{"digest":false}`, 200, `{"digest":false,"alerts":true,"enabled":true}`},
		{"PUT", "/mails", `{"alerts":false}`, 200, `{"digest":false,"alerts":false,"enabled":true}`},
	} {
		got := ask(c.method, c.path, c.body)
		require.Equal(t, c.status, got.status, "%s %s: %s", c.method, c.path, got.body)
		require.Contains(t, got.body, c.want, "%s %s", c.method, c.path)
	}
	require.Equal(t, []string{"file-1", "c-1"}, a.removed)
	require.Equal(t, domain.KeptFile{ID: "file-1", AccountID: "account-1", ConnectionID: "c-1", SourceID: "s-1", Name: "पैसे नवंबर.csv", Bytes: 9, At: a.kept.At}, a.kept)
	require.Equal(t, "AWB No\n1\n", a.content)
	require.Equal(t, 11, a.counted, "each change counts")
}

// TestConnectorsDescribeTheirForms holds what a form for a connection is made of.
func TestConnectorsDescribeTheirForms(t *testing.T) {
	t.Parallel()
	_, ask := startAutopilot(t)
	var got struct {
		Shops, Sources []struct {
			ID, Name    string
			Files, Kept bool
			Settings    []map[string]any
		}
		Limits map[string]int
		Roles  []string
	}
	require.NoError(t, json.Unmarshal([]byte(ask("GET", "/connectors", "").body), &got))
	require.Equal(t, "Shopify", got.Shops[0].Name)
	require.Equal(t, map[string]any{"name": "shop", "label": "The shop", "hint": "Of shopify", "secret": false, "required": true, "default": "", "lines": false, "options": []any{}, "option_labels": []any{}, "example": "asha.myshopify.com"}, got.Shops[0].Settings[0])
	require.True(t, got.Sources[0].Files)
	require.Equal(t, "port", got.Sources[0].Settings[1]["label"], "a setting without a label has its name")
	require.Equal(t, true, got.Sources[0].Settings[2]["lines"])
	require.Equal(t, 30, got.Limits["min_window_days"])
	require.Equal(t, 60, got.Limits["kept_days"])
	require.Len(t, got.Limits, 6)
	require.Contains(t, got.Roles, "awb")
}

// TestWhatPagesStateOfAConnection holds that nothing of it is lost or invented on the way to
// the use case, and where its faults are.
func TestWhatPagesStateOfAConnection(t *testing.T) {
	t.Parallel()
	a, ask := startAutopilot(t)
	const body = `{"id":"c-1","brand":"Asha","shop":{"connector":"shopify","settings":{"shop":"x","access_token":"` + secretOfShop + `"}},
		"sources":[{"id":"","connector":"upload","settings":{}},{"id":"s-1","connector":"sftp","settings":{"host":"h"},"pattern":"*.csv","courier":"custom","columns":{"awb":"Docket"}}],
		"window_days":60,"overdue_threshold_days":0,"minor_gap_threshold":null,"charges":"accept","alert_above":1500.07}`
	want := ports.ConnectionChange{
		Brand: "Asha", Shop: domain.Shop{Connector: "shopify", Settings: domain.Settings{"shop": "x", "access_token": secretOfShop}},
		Sources: []ports.SourceChange{{Connector: "upload", Settings: domain.Settings{}},
			{ID: "s-1", Connector: "sftp", Settings: domain.Settings{"host": "h"}, Pattern: "*.csv", Courier: "custom", Columns: map[string]string{"awb": "Docket"}}},
		ConnectionTerms: domain.ConnectionTerms{WindowDays: 60, OverdueDays: new(0), Charges: domain.AcceptCharges, AlertAbove: 150007},
	}
	got := ask("POST", "/connections/test", body)
	require.Equal(t, 200, got.status, got.body)
	require.Equal(t, "c-1", a.id)
	require.Equal(t, want, a.change)
	var found struct {
		Shop    map[string]any
		Sources []struct {
			Failure  map[string]any
			Matching int
			Files    []map[string]any
			LeftOut  []map[string]any `json:"left_out"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got.body), &found))
	require.Nil(t, found.Shop["failure"])
	require.Equal(t, map[string]any{"setting": "host_key", "value": "SHA256:abc"}, found.Sources[0].Failure["accept"])
	require.Equal(t, map[string]any{"setting": "authserv_id", "value": "mx.google.com"}, found.Sources[1].Failure["accept"])
	require.Equal(t, []map[string]any{}, found.Sources[1].LeftOut)
	found.Sources = found.Sources[1:]
	require.Equal(t, 2, found.Sources[1].Matching)
	require.Equal(t, "attacker@evil.example", found.Sources[1].LeftOut[0]["from"])
	require.Equal(t, map[string]any{"name": "a.csv", "courier": "delhivery", "rows": 7.0, "through": "2026-11-20", "left_out": "", "failure": nil}, found.Sources[1].Files[0])
	require.NotEmpty(t, found.Sources[1].Files[1]["failure"].(map[string]any)["message"])

	ask("POST", "/connections", body)
	require.Equal(t, " dashboard", a.id, "what is added has no id yet")
	ask("PUT", "/connections/c-1", body)
	require.Equal(t, "c-1 dashboard", a.id)
	for body, code := range map[string]string{
		`{"window_days":44.5}`:              "window_days",
		`{"window_days":0}`:                 "window_days",
		`{"overdue_threshold_days":1e99}`:   "overdue_threshold_days",
		`{"minor_gap_threshold":0.5}`:       "minor_gap_threshold",
		`{"window_days":"45"}`:              "body_invalid",
		`{"sources":{}}`:                    "body_invalid",
		`{"shop":{"settings":{"port":22}}}`: "body_invalid",
		``:                                  "body_invalid",
		`[]`:                                "body_invalid",
	} {
		var refused struct{ Code, Field string }
		got := ask("POST", "/connections", body)
		require.Equal(t, 400, got.status, "%s: %s", body, got.body)
		require.NoError(t, json.Unmarshal([]byte(got.body), &refused))
		require.Contains(t, []string{refused.Code, refused.Field}, code, body)
	}
}

// TestWhereTheFaultsOfAConnectionAre holds how fields are named of which there is one in each
// part of a connection.
func TestWhereTheFaultsOfAConnectionAre(t *testing.T) {
	t.Parallel()
	a, ask := startAutopilot(t)
	for want, fault := range map[string]domain.Fault{
		"brand":                    {Field: domain.FieldBrand, Rule: domain.RuleTooMany, Max: 3},
		"shop.connector":           {Field: domain.FieldConnector, Rule: domain.RuleMissing},
		"shop.settings.shop":       {Field: domain.FieldSetting, Setting: "shop", Rule: domain.RuleMissing},
		"sources":                  {Field: domain.FieldSources, Rule: domain.RuleMissing},
		"sources[1].connector":     {Field: domain.FieldConnector, Source: 2, Rule: domain.RuleMissing},
		"sources[0].settings.host": {Field: domain.FieldSetting, Setting: "host", Source: 1, Rule: domain.RuleMissing},
		"sources[0].pattern":       {Field: domain.FieldPattern, Source: 1, Rule: domain.RuleMissing},
		"sources[2].courier":       {Field: domain.FieldCourierName, Source: 3, Rule: domain.RuleMissing},
		"sources[2].columns":       {Field: domain.FieldColumns, Source: 3, Rule: domain.RuleMissing},
		"window_days":              {Field: domain.FieldWindowDays, Rule: domain.RuleMissing},
		"alert_above":              {Field: domain.FieldAlertAbove, Rule: domain.RuleMissing},
		"overdue_threshold_days":   {Field: domain.FieldOverdueDays, Rule: domain.RuleMissing},
		"charges":                  domain.WrongCharges(),
	} {
		a.refuse = domain.Faults{fault}.Err()
		var refused struct {
			Field  string
			Faults []struct{ Field string }
		}
		require.NoError(t, json.Unmarshal([]byte(ask("PUT", "/connections/c-1", `{}`).body), &refused))
		require.Equal(t, want, refused.Field)
		require.Equal(t, want, refused.Faults[0].Field)
	}
}

// TestFormsWithoutOneFileAreRefused holds that nothing is kept of a form that is not one whole file.
func TestFormsWithoutOneFileAreRefused(t *testing.T) {
	t.Parallel()
	a, ask := startAutopilot(t)
	for name, form := range map[string]string{
		"no part":    "--b\r\nContent-Disposition: form-data; name=\"report\"; filename=\"a.csv\"\r\n\r\nx\r\n--b--\r\n",
		"no content": "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n\r\n--b--\r\n",
		"two parts":  "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b--\r\n",
		"cut short":  "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx",
	} {
		got := ask("POST", "/connections/c-1/sources/s-1/files", form)
		require.Equal(t, 400, got.status, "%s: %s", name, got.body)
	}
	require.Equal(t, 415, ask("POST", "/connections/c-1/sources/s-1/files", `{}`).status)
	require.Empty(t, a.content)
}
