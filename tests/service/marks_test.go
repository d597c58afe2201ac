package service

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestMarks holds what is noted on orders with a document: it goes into the ledger, and makes no other run of it.
func TestMarks(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	body := october().With("previous", c.Ledger(t, september())).Without("include")
	c.Reconcile(t, body)
	marks := []Body{
		{"order_id": "#901", "state": "promised", "raised_on": "2026-09-25", "promised_until": "2026-09-25", "note": "=1+1, Asha"},
		{"order_id": "#1001", "awb": "AWB1001", "state": "written off"},
	}
	document := func(t *testing.T, body Body) Answer {
		s.Clock.Advance(7 * time.Second)
		return c.Document(t, body)
	}
	t.Run("the ledger of the document carries them", func(t *testing.T) {
		answer := document(t, body.With("format", "csv").With("marks", marks))
		require.Empty(t, answer.Header.Get("X-Run-Id"), "the same files are the same run")
		ledger := answer.FileIn(t, "ledger.csv")
		require.Contains(t, ledger, `promised,20260925,20260925,"'=1+1, Asha"`)
		s.Clock.Advance(time.Minute)
		items, _ := openItems(t, fields(t, c.Reconcile(t, october().With("previous", ledger)).Body))
		require.Equal(t, "promised", items["#901"].(map[string]any)["state"])
		require.Equal(t, "=1+1, Asha", items["#901"].(map[string]any)["note"])
	})
	t.Run("the page sends them in its form", func(t *testing.T) {
		texts, err := json.Marshal(marks)
		require.NoError(t, err)
		answer := s.Browser().SendForm(t, "/app/api/document", body.With("format", "csv").With("marks", string(texts)).Form(t))
		require.Contains(t, answer.FileIn(t, "ledger.csv"), `promised,20260925,20260925,"'=1+1, Asha"`)
	})
	t.Run("what is written off moves as by a mark in the file", func(t *testing.T) {
		answer := document(t, body.With("format", "csv").With("marks", []Body{{"order_id": "#901", "state": "written off"}}))
		require.Contains(t, answer.FileIn(t, "movements.csv"), "All,1000,0,0,0,100,900,0,0,")
	})
	t.Run("disputes of chosen orders alone", func(t *testing.T) {
		answer := document(t, september().With("format", "csv").With("only", []Body{{"order_id": "#902"}}))
		disputes := answer.FileIn(t, "disputes.csv")
		require.Contains(t, disputes, "#902")
		require.NotContains(t, disputes, "#901")
		letter := document(t, body.With("format", "dispute").With("only", []Body{{"order_id": "#901", "awb": "AWB901"}})).FileIn(t, "dispute-delhivery.txt")
		require.Contains(t, letter, "#901", "only the ledger has it")
	})
	for said, fields := range map[string]Body{
		"marks must be an array of marks, not a string":                  {"marks": "x"},
		"marks[1] must be an object of strings":                          {"marks": []any{Body{"order_id": "#901"}, 5}},
		"marks[0] names no order":                                        {"marks": []Body{{"state": "disputed"}}},
		`marks[0] has an unknown state "paid"`:                           {"marks": []Body{{"order_id": "#901", "state": "paid"}}},
		`marks[0] has "31 March" in place of a day`:                      {"marks": []Body{{"order_id": "#901", "raised_on": "31 March"}}},
		`marks[0] has "0026-11-20" in place of a day`:                    {"marks": []Body{{"order_id": "#901", "raised_on": "0026-11-20"}}},
		`marks[0] has "9999-12-31" in place of a day`:                    {"marks": []Body{{"order_id": "#901", "promised_until": "9999-12-31"}}},
		"marks[0] has a note of more than 500 characters":                {"marks": []Body{{"order_id": "#901", "note": "a\nb"}}},
		"marks[0] names the order #77, which neither":                    {"marks": []Body{{"order_id": "#77"}}},
		"marks[1] marks the order 901, which an earlier entry marks":     {"marks": []Body{{"order_id": "#901"}, {"order_id": "901"}}},
		"only[0] names the order #1001, for which nothing is asked":      {"only": []Body{{"order_id": "#1001"}}},
		"only[0] must be an object of strings":                           {"only": []int{5}},
		"only[1] names the order #901, for which nothing is asked":       {"only": []Body{{"order_id": "#901"}, {"order_id": "#901", "awb": "AWB9"}}},
		"only means something for the formats csv, dispute alone: leave": {"only": []Body{{"order_id": "#901", "awb": "AWB901"}}, "format": "pdf"},
	} {
		t.Run(said, func(t *testing.T) {
			of := body.With("format", "csv")
			for name, value := range fields {
				of = of.With(name, value)
			}
			document(t, of).Refused(t, http.StatusBadRequest, said)
		})
	}
}
