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

// TestShapes holds the answers byte by byte: which members each has, in which
// order, and how precise its times are.
func TestShapes(t *testing.T) {
	at := time.Date(2026, 11, 2, 3, 4, 5, 678912345, time.FixedZone("IST", 19800))
	day := domain.DayOf(at)
	run := domain.Run{ID: "r-1", AccountID: "a", Brand: "B <&> é", CourierName: "delhivery", Source: domain.SourceAPI, At: at, Took: 1234567 * time.Microsecond,
		Tally: domain.Tally{StorefrontRows: 11, CourierRows: 12, Orders: 13, Due: 150001, Remitted: 2500, Shortfall: 3510, AtRisk: 440, Unclaimed: 5, UnclaimedPaid: 677},
		Terms: domain.Terms{OffsetDays: 7, MinorGap: 1250},
		Guidance: domain.Guidance{OffsetDays: 7, OffsetSource: "explicit", BatchAsOf: day - 3, CoverageComplete: true, DataThrough: day - 4,
			GuaranteedCoverageDays: 4, AwaitingNextCycle: 9}}
	for flag := range run.Tally.Flags {
		run.Tally.Flags[flag] = flag + 2
	}
	account := domain.Account{ID: "id-1", Email: "a@b.example", Plan: domain.Solo, Subscription: domain.SubscriptionActive, SubscribedOn: day - 304,
		PlanSince: day - 272, BillingDay: 31, PhoneVerified: true, RunCap: new(250), OverdueDays: 9, AcceptCharges: true, CreatedAt: at}
	event := domain.SecurityEvent{At: at, Kind: "key", Detail: "d", By: domain.ByDashboard}
	for _, c := range []struct {
		view any
		want string
	}{
		{view.NewRun(&run), `{"run_id":"r-1","run_at":"2026-11-01T21:34:05.678Z","brand":"B \u003c\u0026\u003e é","couriers":["delhivery"],` +
			`"source":"api","took_ms":1234,"storefront_rows":11,"courier_rows":12,"unclaimed_lines":5,"unclaimed_remitted":6.77,` +
			`"overdue_threshold_days":7,"minor_gap_threshold":12.5,"cycle_guidance":{"offset_days":7,"offset_source":"explicit",` +
			`"batch_as_of":"2026-10-30","courier_coverage_complete":true,"courier_data_through":"2026-10-29",` +
			`"guaranteed_coverage_days":4,"awaiting_next_cycle_count":9},"orders":13,"flags":{"AWAITING_NEXT_CYCLE":9,` +
			`"MINOR_DIFF":6,"MISSING":2,"OVERDUE":4,"OVERPAID":7,"RECONCILED":8,"RTO_ANOMALY":5,"SHORT_PAID":3},"flagged_count":27,` +
			`"due":1500.01,"remitted":25,"shortfall":35.1,"amount_risk":4.4}`},
		{view.NewRun(&domain.Run{}), `{"run_id":"","run_at":null,"brand":"","couriers":[],"source":"","took_ms":0,"storefront_rows":0,"courier_rows":0,` +
			`"unclaimed_lines":0,"unclaimed_remitted":0,"overdue_threshold_days":0,"minor_gap_threshold":0,` +
			`"cycle_guidance":{"offset_days":0,"offset_source":"","batch_as_of":"","courier_coverage_complete":false,` +
			`"courier_data_through":null,"guaranteed_coverage_days":0,"awaiting_next_cycle_count":0},"orders":0,` +
			`"flags":{"AWAITING_NEXT_CYCLE":0,"MINOR_DIFF":0,"MISSING":0,"OVERDUE":0,"OVERPAID":0,"RECONCILED":0,"RTO_ANOMALY":0,` +
			`"SHORT_PAID":0},"flagged_count":0,"due":0,"remitted":0,"shortfall":0,"amount_risk":0}`},
		{view.NewListedRun(&run), `{"run_id":"r-1","run_at":"2026-11-01T21:34:05Z","brand":"B \u003c\u0026\u003e é","couriers":["delhivery"],` +
			`"source":"api","took_ms":1234,"storefront_rows":11,"courier_rows":12,"orders":13,"flags":{"AWAITING_NEXT_CYCLE":9,` +
			`"MINOR_DIFF":6,"MISSING":2,"OVERDUE":4,"OVERPAID":7,"RECONCILED":8,"RTO_ANOMALY":5,"SHORT_PAID":3},"flagged_count":27,` +
			`"due":1500.01,"remitted":25,"shortfall":35.1,"amount_risk":4.4,"unclaimed_lines":5,"unclaimed_remitted":6.77}`},
		{view.NewExportedRun(&run), `{"run_id":"r-1","run_at":"2026-11-01T21:34:05.678Z","brand":"B \u003c\u0026\u003e é","couriers":["delhivery"],` +
			`"source":"api","took_ms":1234,"storefront_rows":11,"courier_rows":12,"orders":13,"flags":{"AWAITING_NEXT_CYCLE":9,` +
			`"MINOR_DIFF":6,"MISSING":2,"OVERDUE":4,"OVERPAID":7,"RECONCILED":8,"RTO_ANOMALY":5,"SHORT_PAID":3},"due":1500.01,` +
			`"remitted":25,"shortfall":35.1,"amount_risk":4.4,"unclaimed_lines":5,"unclaimed_remitted":6.77,"offset_days":7,` +
			`"minor_gap_threshold":12.5,"batch_as_of":"2026-10-30","courier_data_through":"2026-10-29",` +
			`"courier_coverage_complete":true}`},
		{view.NewExportedRun(&domain.Run{}), `{"run_id":"","run_at":null,"brand":"","couriers":[],"source":"","took_ms":0,"storefront_rows":0,"courier_rows":0,` +
			`"orders":0,"flags":{"AWAITING_NEXT_CYCLE":0,"MINOR_DIFF":0,"MISSING":0,"OVERDUE":0,"OVERPAID":0,"RECONCILED":0,` +
			`"RTO_ANOMALY":0,"SHORT_PAID":0},"due":0,"remitted":0,"shortfall":0,"amount_risk":0,"unclaimed_lines":0,` +
			`"unclaimed_remitted":0,"offset_days":0,"minor_gap_threshold":0,"batch_as_of":null,"courier_data_through":null,` +
			`"courier_coverage_complete":false}`},
		{view.NewAccount(&account, at), `{"email":"a@b.example","plan":"solo","subscription":"active","phone_verified":true,"overdue_days":9,"charges":"accept",` +
			`"created_at":"2026-11-01T21:34:05.678Z","may_use_api":false,"has_webhooks":false,"has_branding":false,` +
			`"saves_mappings":false,"has_autopilot":false}`},
		{view.NewListedAccount(&account, at), `{"email":"a@b.example","id":"id-1","plan":"solo","subscription":"active","subscribed_on":"2026-01-02",` +
			`"plan_since":"2026-02-03","billing_day":31,"phone_verified":true,"run_cap":250,"monthly_cap":250,"overdue_days":9,"charges":"accept",` +
			`"created_at":"2026-11-01T21:34:05Z"}`},
		{view.NewListedAccount(&domain.Account{Plan: domain.Solo}, at), `{"email":"","id":"","plan":"solo","subscription":"","subscribed_on":"","plan_since":"","billing_day":0,` +
			`"phone_verified":false,"run_cap":null,"monthly_cap":4,"overdue_days":null,"charges":"flag","created_at":null}`},
		{view.NewExportedAccount(&ports.AccountExport{At: at, Account: account, Phone: domain.Phone{VerifiedAt: at}}), `{"id":"id-1","email":"a@b.example","plan":"solo","subscription":"active","subscribed_on":"2026-01-02",` +
			`"plan_since":"2026-02-03","billing_day":31,"run_cap":250,"monthly_cap":250,"overdue_days":9,"charges":"accept",` +
			`"created_at":"2026-11-01T21:34:05.678Z","phone_verified":true,"phone":null,` +
			`"phone_verified_at":"2026-11-01T21:34:05.678Z"}`},
		{view.NewExportedAccount(&ports.AccountExport{At: at, Account: domain.Account{Plan: domain.Solo}}), `{"id":"","email":"","plan":"solo","subscription":"","subscribed_on":"","plan_since":"","billing_day":0,"run_cap":null,` +
			`"monthly_cap":4,"overdue_days":null,"charges":"flag","created_at":null,"phone_verified":false,"phone":null,"phone_verified_at":null}`},
		{view.NewOrderSum(domain.OrderSum{Orders: 2, Amount: 150050}), `{"orders":2,"amount":1500.5}`},
		{view.NewSecurityEvent(&event), `{"at":"2026-11-01T21:34:05.678Z","kind":"key","detail":"d","via":"dashboard","actor":null,"whom":null,"address":null}`},
	} {
		require.Equal(t, c.want, string(only.Value(json.Marshal(c.view))(t)))
	}
}

// Amounts are exact where a float is not any more.
func TestAmountsAreExact(t *testing.T) {
	const due = domain.Paise(5_000_000_000_000_000_1)
	text := only.Value(json.Marshal(view.NewSummary(&domain.Tally{Due: due, AtRisk: -5}, nil, nil)))(t)
	require.Contains(t, string(text), `"due":500000000000000.01,`)
	var read view.Summary
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, []view.Rupees{view.Rupees(due), -5}, []view.Rupees{read.Due, read.AtRisk})
}
