package answer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/answer"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// reply is the contract's answer (sections 2.2 to 2.4), for decoding.
type reply struct {
	Results []struct {
		AWB         string      `json:"awb"`
		OrderID     string      `json:"order_id"`
		CODAmount   json.Number `json:"cod_amount"`
		Remitted    json.Number `json:"remitted"`
		Shortfall   json.Number `json:"shortfall"`
		DaysOverdue int         `json:"days_overdue"`
		Flag        string      `json:"flag"`
		FlagReason  string      `json:"flag_reason"`
		Status      string      `json:"status"`
		MatchMode   string      `json:"match_mode"`
	} `json:"results"`
	Duplicate     *bool   `json:"duplicate"`
	RunID         *string `json:"run_id"`
	CycleGuidance *struct {
		OffsetDays             int     `json:"offset_days"`
		OffsetSource           string  `json:"offset_source"`
		BatchAsOf              string  `json:"batch_as_of"`
		CoverageComplete       bool    `json:"courier_coverage_complete"`
		DataThrough            *string `json:"courier_data_through"`
		GuaranteedCoverageDays int     `json:"guaranteed_coverage_days"`
		AwaitingNextCycleCount int     `json:"awaiting_next_cycle_count"`
	} `json:"cycle_guidance"`
	Warnings []struct {
		Code    string      `json:"code"`
		Message string      `json:"message"`
		Count   *int        `json:"count"`
		Amount  json.Number `json:"amount"`
	} `json:"warnings"`
}

var asOf = domain.DayFromDate(2026, 3, 31)

// finishedRun returns a run about orders of ₹10.50 with these names and AWBs; lines are the
// report's. One with a status was delivered, and its report has a column of charges. Where it states
// what was remitted, they are the rest, and count as paid.
func finishedRun(names, awbs []string, lines ...verdict.Remittance) *ports.FinishedRun {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	for i, name := range names {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn = 1050, true, asOf
		if awbs[i] != "" {
			orders.Track(o, []byte(awbs[i]))
		}
	}
	for i, l := range lines {
		if i == 0 || l.Report != lines[i-1].Report {
			remittances.Begin("")
		}
		if l.HasStatus {
			l.Status = remittances.AddStatus([]byte("Delivered"))
			remittances.SetCharges([]string{"Freight"})
		}
		remittances.Add(l)
		if l.Stated != 0 {
			remittances.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Net"})
			remittances.AddCharge(0, l.Listed-l.Stated)
		}
	}
	terms := domain.TermsFor(nil, 0, nil, domain.AcceptCharges)
	var r verdict.Reconciliation
	if err := r.Decide(&orders, &remittances, terms); err != nil {
		panic(err)
	}
	return ports.NewFinishedRun(&r, domain.Run{}, domain.Mapping{}, nil)
}

func write(t *testing.T, o *ports.FinishedRun, resultsOnly bool) (text string, r reply) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, answer.New(wording.New(), nil).Write(&b, o, resultsOnly))
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&r), b.String())
	return b.String(), r
}

func TestAnswer(t *testing.T) {
	text, _ := write(t, finishedRun([]string{"#1"}, []string{""}, verdict.Remittance{AWB: []byte("38061"), OrderID: []byte("1"), Collected: 1045, Remitted: 1045, RemittedOn: asOf}), false)
	require.JSONEq(t, `{"results":[{"awb":"38061","order_id":"#1","cod_amount":10.5,"remitted":10.45,"shortfall":0.05,"days_overdue":0,
		"flag":"MINOR_DIFF","flag_reason":"Within tolerance: ₹0.05 of ₹10.50 not remitted, ₹10.45 remitted by 2026-03-31; up to ₹2 is tolerated","status":"unfulfilled","match_mode":"order_id"}],
		"cycle_guidance":{"offset_days":7,"offset_source":"default","batch_as_of":"2026-03-31","courier_coverage_complete":false,
		"courier_data_through":"2026-03-31","guaranteed_coverage_days":14,"awaiting_next_cycle_count":0}}`, text)
}

func TestDemoAnswerHasResultsOnly(t *testing.T) {
	_, r := write(t, finishedRun([]string{"#1"}, []string{""}), true)
	require.Len(t, r.Results, 1)
	require.Nil(t, r.CycleGuidance)
}

func TestDuplicateAnswer(t *testing.T) {
	o := finishedRun([]string{"#1"}, []string{""})
	o.Run.ID = "0199"
	_, r := write(t, o, false)
	require.Nil(t, r.Duplicate, "duplicate is there only when true")
	require.Nil(t, r.RunID)
	o.Duplicate = true
	_, r = write(t, o, false)
	require.True(t, *r.Duplicate)
	require.Equal(t, "0199", *r.RunID)
	require.Nil(t, r.CycleGuidance.DataThrough, "a courier file without a date")
	require.Equal(t, 1, r.CycleGuidance.AwaitingNextCycleCount)
}

// TestTexts writes what files may hold and JSON may not.
func TestTexts(t *testing.T) {
	var names []string
	for _, text := range oddTexts {
		names = append(names, "#"+text+"x") // orders' names are trimmed, and have no control characters
	}
	_, r := write(t, finishedRun(names, make([]string, len(names))), false)
	for i, name := range names {
		require.Equal(t, clean(string(domain.Lasting([]byte(name)))), r.Results[i].OrderID)
	}
}

// TestLongAnswer is written in several pieces, each order once and in order.
func TestLongAnswer(t *testing.T) {
	names, awbs, lines := ordinary(5000)
	_, r := write(t, finishedRun(names, awbs, lines...), false)
	require.Len(t, r.Results, 5000)
	for i := range names {
		require.Equal(t, names[i], r.Results[i].OrderID)
		require.Equal(t, awbs[i], r.Results[i].AWB)
	}
}

// sized is a response that wants to know its length.
type sized struct {
	bytes.Buffer
	told []int
}

func (s *sized) Size(n int) { s.told = append(s.told, n, s.Len()) }

// TestLengthIsTold holds that the length is told before the first byte, and only if it is
// known.
func TestLengthIsTold(t *testing.T) {
	var short, long sized
	require.NoError(t, answer.New(wording.New(), nil).Write(&short, finishedRun([]string{"#1"}, []string{""}), false))
	require.Equal(t, []int{short.Len(), 0}, short.told)

	names, awbs, lines := ordinary(5000)
	require.NoError(t, answer.New(wording.New(), nil).Write(&long, finishedRun(names, awbs, lines...), false))
	require.Empty(t, long.told)
}

type brokenPipe struct{}

var errBroken = errors.New("broken pipe")

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

// TestLengthOfAPartIsNotTold is TestLengthIsTold for a batch of which a large result was written
// as it is: the length of what is left is not the answer's.
func TestLengthOfAPartIsNotTold(t *testing.T) {
	var out sized
	large := append(append([]byte{'"'}, bytes.Repeat([]byte("a"), 300<<10)...), '"')
	require.NoError(t, answer.New(wording.New(), nil).Status(&out, domain.Batch{}, func(yield func([]byte, error) bool) { yield(large, nil) }))
	require.True(t, json.Valid(out.Bytes()))
	require.Empty(t, out.told)
}
