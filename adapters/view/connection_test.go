package view_test

import (
	"encoding/json"
	"testing"
	"time"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"

	"github.com/stretchr/testify/require"
)

func say(err error) string { return "it " + string(err.(*domain.ConnectorError).Rule) }

func warn(w *domain.Warning) string { return "beware of " + string(w.Code) }

// TestShapesOfTheAutopilot holds what pages, the export and the commands say of connections,
// passes and deliveries, byte by byte.
func TestShapesOfTheAutopilot(t *testing.T) {
	at := time.Date(2026, 11, 2, 3, 4, 5, 678912345, time.FixedZone("IST", 19800))
	after := func(hours int) time.Time { return at.Add(time.Duration(hours) * time.Hour) }
	failure := &domain.ConnectorError{Rule: domain.ConnHostKey, Connector: "sftp", Source: 1, Setting: "host_key", File: "f", Value: "SHA256:x"}
	known := []ports.ConnectorInfo{{ID: "sftp", Settings: []ports.SettingInfo{{Name: "host"}, {Name: "password", Secret: true}}}}
	settings := domain.Settings{"host": "h", "password": ""}
	connection := domain.Connection{ID: "c-1", Brand: "B", Shop: domain.Shop{Connector: "gone", Settings: domain.Settings{"token": ""}},
		Sources: []domain.ReportSource{{ID: "s-1", Connector: "sftp", Settings: settings, Pattern: "*.csv", Courier: "dtdc",
			Columns: map[domain.Role]string{domain.RoleAWB: "Docket"}, Since: after(6)}},
		ConnectionTerms: domain.ConnectionTerms{WindowDays: 60, MinorGap: new(5), Charges: domain.AcceptCharges, AlertAbove: 150050}, CreatedAt: at, ChangedAt: after(1),
		ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionRefused, NextPassAt: after(2), CheckedAt: after(3), FailingSince: after(4),
			Failure: failure, LastRunID: "r-1", LastRunAt: after(5), AtRisk: 650, Left: domain.OrderSum{Orders: 2, Amount: 700}}}
	pass := domain.Pass{ID: "p-1", Slot: at, Asked: true, Due: after(1), StartedAt: after(2), EndedAt: after(3), PassResult: domain.PassResult{
		Outcome: domain.PassFailed, Failure: failure, RunID: "r-1", Orders: 3, Sources: []domain.SourceResult{{SourceID: "s-1", Courier: "dtdc", Files: 4, Lines: 5, Through: domain.DayOf(at), Behind: true,
			Skipped: []domain.SkippedFile{{Name: "a.png", Rule: domain.ConnPicture}}, LeftOut: []domain.LeftOutMail{{At: after(4), Rule: domain.ConnNoResult}}, RefusedFrom: domain.DayOf(at) + 1}},
		Left: domain.OrderSum{Orders: 6}, Leaving: domain.OrderSum{Orders: 7},
		Warnings: []domain.Warning{{Code: domain.WarnFewMatched, Count: 8, Amount: 900, HasAmount: true}}}}
	keeps, cleared := pass, domain.Pass{PassResult: domain.PassResult{OpenItems: []domain.CourierSum{}}}
	keeps.OpenItems = []domain.CourierSum{{OrderSum: domain.OrderSum{Orders: 1, Amount: 50}}, {Courier: "delhivery", OrderSum: domain.OrderSum{Orders: 12, Amount: 842000}}}
	delivery := domain.Delivery{ID: "d-1", EventID: "evt_1", Kind: domain.RunDelivery, RunID: "r-1", State: domain.DeliveryFailed, CreatedAt: at,
		Attempts: []domain.Attempt{{Number: 1, At: at, Took: 1500 * time.Microsecond, Outcome: domain.OutcomeRefused, Status: 500, Failure: "no"},
			{Number: 2, At: after(1)}}}
	for _, c := range []struct {
		view any
		want string
	}{
		{view.NewConnection(&connection, nil, known, say),
			`{"id":"c-1","brand":"B","shop":{"connector":"gone","settings":{},"secrets":[]},"sources":[{"id":"s-1",` +
				`"connector":"sftp","settings":{"host":"h"},"secrets":["password"],"pattern":"*.csv","courier":"dtdc",` +
				`"columns":{"awb":"Docket"}}],"window_days":60,"overdue_threshold_days":null,"minor_gap_threshold":5,"charges":"accept",` +
				`"alert_above":1500.5,"state":"needs_attention","next_pass_at":"2026-11-01T23:34:05.678Z",` +
				`"checked_at":"2026-11-02T00:34:05.678Z","failing_since":"2026-11-02T01:34:05.678Z","failure":{"rule":"host_key",` +
				`"connector":"sftp","source":1,"setting":"host_key","file":"f","message":"it host_key","accept":{"setting":"host_key",` +
				`"value":"SHA256:x"}},"last_run_id":"r-1","last_run_at":"2026-11-02T02:34:05.678Z","amount_risk":6.5,` +
				`"left":{"orders":2,"amount":7},"created_at":"2026-11-01T21:34:05.678Z","revision":0}`},
		{view.NewConnection(&domain.Connection{}, nil, nil, say),
			`{"id":"","brand":"","shop":{"connector":"","settings":{},"secrets":[]},"sources":[],"window_days":0,` +
				`"overdue_threshold_days":null,"minor_gap_threshold":null,"charges":"","alert_above":0,"state":"","next_pass_at":null,` +
				`"checked_at":null,"failing_since":null,"failure":null,"last_run_id":"","last_run_at":null,"amount_risk":0,` +
				`"left":{"orders":0,"amount":0},"created_at":null,"revision":0}`},
		{view.NewExportedConnection(&connection, say),
			`{"id":"c-1","brand":"B","shop":{"connector":"gone","settings":{}},"sources":[{"connector":"sftp",` +
				`"settings":{"host":"h"},"id":"s-1","pattern":"*.csv","courier":"dtdc","columns":{"awb":"Docket"},` +
				`"since":"2026-11-02T03:34:05.678Z"}],"window_days":60,"overdue_threshold_days":null,"minor_gap_threshold":5,"charges":"accept",` +
				`"alert_above":1500.5,"created_at":"2026-11-01T21:34:05.678Z","changed_at":"2026-11-01T22:34:05.678Z",` +
				`"state":"needs_attention","next_pass_at":"2026-11-01T23:34:05.678Z","checked_at":"2026-11-02T00:34:05.678Z",` +
				`"failing_since":"2026-11-02T01:34:05.678Z","failure":"it host_key","last_run_id":"r-1",` +
				`"last_run_at":"2026-11-02T02:34:05.678Z","amount_risk":6.5,"left":{"orders":2,"amount":7}}`},
		{view.NewExportedConnection(&domain.Connection{}, say),
			`{"id":"","brand":"","shop":{"connector":"","settings":{}},"sources":[],"window_days":0,"overdue_threshold_days":null,` +
				`"minor_gap_threshold":null,"charges":"","alert_above":0,"created_at":null,"changed_at":null,"state":"","next_pass_at":null,` +
				`"checked_at":null,"failing_since":null,"failure":null,"last_run_id":null,"last_run_at":null,"amount_risk":0,` +
				`"left":{"orders":0,"amount":0}}`},
		{view.NewConnectionFile(&connection, nil, known, say),
			`{"id":"c-1","brand":"B","shop":{"connector":"gone"},"sources":[{"id":"s-1","connector":"sftp","settings":{"host":"h"},` +
				`"secrets":["password"],"pattern":"*.csv","courier":"dtdc","columns":{"awb":"Docket"}}],"window_days":60,` +
				`"minor_gap_threshold":5,"charges":"accept","alert_above":1500.5,"status":{"state":"needs_attention","failure":"it host_key",` +
				`"failing_since":"2026-11-02T01:34:05Z","checked_at":"2026-11-02T00:34:05Z","next_pass_at":"2026-11-01T23:34:05Z",` +
				`"last_run_id":"r-1","last_run_at":"2026-11-02T02:34:05Z","amount_risk":6.5,"left_orders":2,"left_amount":7}}`},
		{view.NewConnectionFile(&domain.Connection{}, nil, nil, say),
			`{"brand":"","shop":{"connector":""},"sources":[],"status":{"state":"","checked_at":null,"next_pass_at":null,` +
				`"amount_risk":0,"left_orders":0,"left_amount":0}}`},
		{view.NewPass(&pass, say, warn),
			`{"id":"p-1","slot":"2026-11-01T21:34:05.678Z","asked":true,"due_at":"2026-11-01T22:34:05.678Z",` +
				`"started_at":"2026-11-01T23:34:05.678Z","ended_at":"2026-11-02T00:34:05.678Z","outcome":"failed",` +
				`"failure":{"rule":"host_key","connector":"sftp","source":1,"setting":"host_key","file":"f","message":"it host_key",` +
				`"accept":{"setting":"host_key","value":"SHA256:x"}},"run_id":"r-1","orders":3,"sources":[{"source_id":"s-1",` +
				`"couriers":["dtdc"],"files":4,"lines":5,"through":"2026-11-02","behind":true,"skipped":[{"name":"a.png","rule":"picture","reason":"it picture"}],` +
				`"left_out":[{"at":"2026-11-02T01:34:05.678Z","from":"","rule":"no_result","message":"it no_result"}],` +
				`"refused_from":"2026-11-03"}],"left":{"orders":6,"amount":0},"leaving":{"orders":7,"amount":0},` +
				`"warnings":[{"code":"few_matched","message":"beware of few_matched","count":8,"amount":9}]}`},
		{view.NewPass(&cleared, say, warn),
			`{"id":"","slot":null,"asked":false,"due_at":null,"started_at":null,"ended_at":null,"outcome":"","failure":null,` +
				`"run_id":"","orders":0,"sources":[],"left":{"orders":0,"amount":0},"open_items":[],"leaving":{"orders":0,"amount":0},"warnings":[]}`},
		{view.NewPass(&domain.Pass{}, say, warn),
			`{"id":"","slot":null,"asked":false,"due_at":null,"started_at":null,"ended_at":null,"outcome":"","failure":null,` +
				`"run_id":"","orders":0,"sources":[],"left":{"orders":0,"amount":0},"leaving":{"orders":0,"amount":0},"warnings":[]}`},
		{view.NewExportedPass(&pass, say, warn),
			`{"id":"p-1","slot":"2026-11-01T21:34:05.678Z","asked":true,"due_at":"2026-11-01T22:34:05.678Z",` +
				`"started_at":"2026-11-01T23:34:05.678Z","ended_at":"2026-11-02T00:34:05.678Z","outcome":"failed",` +
				`"failure":"it host_key","run_id":"r-1","orders":3,"sources":[{"source_id":"s-1","couriers":["dtdc"],"files":4,` +
				`"lines":5,"through":"2026-11-02","behind":true,"skipped":[{"name":"a.png","rule":"picture","reason":"it picture"}],"left_out":[{"at":"2026-11-02T01:34:05.678Z","rule":"no_result",` +
				`"reason":"it no_result"}],"refused_from":"2026-11-03"}],"left":{"orders":6,"amount":0},` +
				`"warnings":[{"code":"few_matched","message":"beware of few_matched"}]}`},
		{view.NewExportedPass(&domain.Pass{}, say, warn),
			`{"id":"","slot":null,"asked":false,"due_at":null,"started_at":null,"ended_at":null,"outcome":"","failure":null,` +
				`"run_id":null,"orders":0,"sources":[],"left":{"orders":0,"amount":0},"warnings":[]}`},
		{view.NewListedPass(&pass, say),
			`{"id":"p-1","asked":true,"due_at":"2026-11-01T22:34:05Z","started_at":"2026-11-01T23:34:05Z",` +
				`"ended_at":"2026-11-02T00:34:05Z","outcome":"failed","failure":"it host_key","run_id":"r-1","orders":3,` +
				`"sources":[{"courier":"dtdc","files":4,"lines":5,"through":"2026-11-02","behind":true,"skipped":[{"name":"a.png","rule":"picture","reason":"it picture"}],` +
				`"left_out":[{"at":"2026-11-02T01:34:05Z","reason":"it no_result"}],"refused_from":"2026-11-03"}],"left":{"orders":6,` +
				`"amount":0},"leaving":{"orders":7,"amount":0},"warnings":["few_matched"]}`},
		{view.NewListedPass(&domain.Pass{}, say),
			`{"id":"","asked":false,"due_at":null,"started_at":null,"ended_at":null,"outcome":"","orders":0,"sources":[],` +
				`"left":{"orders":0,"amount":0},"leaving":{"orders":0,"amount":0}}`},
		{view.NewListedPass(&cleared, say),
			`{"id":"","asked":false,"due_at":null,"started_at":null,"ended_at":null,"outcome":"","orders":0,"sources":[],` +
				`"left":{"orders":0,"amount":0},"leaving":{"orders":0,"amount":0},"open_items":[]}`},
		{view.NewDelivery(&delivery),
			`{"id":"d-1","webhook_id":"evt_1","kind":"run","run_id":"r-1","batch_id":"","created_at":"2026-11-01T21:34:05.678Z",` +
				`"state":"failed","attempts":[{"number":1,"at":"2026-11-01T21:34:05.678Z","took_ms":1,"outcome":"refused","status":500,` +
				`"failure":"no"},{"number":2,"at":"2026-11-01T22:34:05.678Z","took_ms":0,"outcome":"","status":null,"failure":""}]}`},
		{view.NewExportedDelivery(&delivery),
			`{"id":"d-1","event_id":"evt_1","kind":"run","run_id":"r-1","batch_id":null,"state":"failed",` +
				`"created_at":"2026-11-01T21:34:05.678Z","attempts":[{"number":1,"at":"2026-11-01T21:34:05.678Z","took_ms":1,` +
				`"outcome":"refused","status":500,"failure":"no"},{"number":2,"at":"2026-11-01T22:34:05.678Z","took_ms":0,"outcome":"",` +
				`"status":0,"failure":""}]}`},
		{view.NewListedDelivery(&delivery),
			`{"id":"d-1","webhook_id":"evt_1","kind":"run","run_id":"r-1","state":"failed","created_at":"2026-11-01T21:34:05Z",` +
				`"attempts":[{"number":1,"at":"2026-11-01T21:34:05Z","took_ms":1,"outcome":"refused","http_status":500,"failure":"no"},` +
				`{"number":2,"at":"2026-11-01T22:34:05Z","took_ms":0,"outcome":null,"http_status":null}]}`},
	} {
		require.Equal(t, c.want, string(only.Value(json.Marshal(c.view))(t)))
	}
	for _, v := range []any{view.NewPass(&keeps, say, warn), view.NewExportedPass(&keeps, say, warn), view.NewListedPass(&keeps, say)} {
		got := only.Value(json.Marshal(v))(t)
		require.Contains(t, string(got), `,"open_items":[{"courier":"","orders":1,"amount":0.5},{"courier":"delhivery","orders":12,"amount":8420}]`)
	}
}
