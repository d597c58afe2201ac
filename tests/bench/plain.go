package bench

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// plainResult is the contract's result, for encoding/json.
type plainResult struct {
	AWB         string  `json:"awb"`
	OrderID     string  `json:"order_id"`
	CODAmount   float64 `json:"cod_amount"`
	Remitted    float64 `json:"remitted"`
	Shortfall   float64 `json:"shortfall"`
	DaysOverdue int     `json:"days_overdue"`
	Flag        string  `json:"flag"`
	FlagReason  string  `json:"flag_reason"`
	Status      string  `json:"status"`
	MatchMode   string  `json:"match_mode"`
}

type plainAnswer struct {
	Results []plainResult `json:"results"`
}

// plainSum is what the courier says of one AWB or order id.
type plainSum struct {
	awb       string
	paise     int64
	returned  bool
	delivered time.Time
}

// Plain is the baseline: a request's body to an answer's, with encoding/json,
// encoding/csv and maps, as one would write it first. It knows no dialects, no
// couriers and only the rules that drawn files need.
func Plain(body []byte, out io.Writer) error {
	var request struct{ Shopify, Courier string }
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	lines, column, err := plainTable(request.Courier)
	if err != nil {
		return err
	}
	byAWB, byOrder := map[string]*plainSum{}, map[string]*plainSum{}
	for _, line := range lines {
		paise, err := plainPaise(line[column["Remitted Amount"]])
		if err != nil {
			return err
		}
		delivered, err := time.Parse("02-01-2006", line[column["Delivered Date"]])
		if err != nil {
			return err
		}
		awb := line[column["AWB No"]]
		for key, index := range map[string]map[string]*plainSum{awb: byAWB, strings.TrimPrefix(line[column["Order ID"]], "#"): byOrder} {
			sum := index[key]
			if sum == nil {
				sum = &plainSum{awb: awb}
				index[key] = sum
			}
			sum.paise += paise
			sum.returned = sum.returned || strings.Contains(line[column["Status"]], "RTO")
			if delivered.After(sum.delivered) {
				sum.delivered = delivered
			}
		}
	}
	orders, column, err := plainTable(request.Shopify)
	if err != nil {
		return err
	}
	return plainDecide(orders, column, byAWB, byOrder, out)
}

func plainDecide(orders [][]string, column map[string]int, byAWB, byOrder map[string]*plainSum, out io.Writer) error {
	const offset, minorGap = 7, 200
	asOf := time.Date(2026, time.March, 31, 0, 0, 0, 0, time.UTC)
	var answer plainAnswer
	for _, order := range orders {
		if order[column["Financial Status"]] == "" {
			continue // a further row of the order
		}
		total, err := plainPaise(order[column["Total"]])
		if err != nil {
			return err
		}
		name, awb := order[column["Name"]], order[column["Tracking Number"]]
		anchor, err := time.Parse("2006-01-02 15:04:05 -0700", cmp.Or(order[column["Fulfilled at"]], order[column["Created at"]]))
		if err != nil {
			return err
		}
		anchor = time.Date(anchor.Year(), anchor.Month(), anchor.Day(), 0, 0, 0, 0, time.UTC)
		sum, mode := byAWB[awb], "awb"
		if awb == "" || sum == nil {
			if sum = byOrder[strings.TrimPrefix(name, "#")]; sum != nil || awb == "" {
				mode = "order_id"
			}
		}
		listed := sum != nil
		if !listed {
			sum = &plainSum{awb: awb, delivered: anchor}
		}
		awb = cmp.Or(awb, sum.awb)
		days := int(asOf.Sub(sum.delivered).Hours()/24) - offset
		gap := total - sum.paise
		r := plainResult{AWB: awb, OrderID: name, CODAmount: float64(total) / 100, Remitted: float64(sum.paise) / 100, Status: order[column["Fulfillment Status"]], MatchMode: mode}
		switch {
		case sum.paise == 0 && sum.returned:
			r.Flag = "RTO_ANOMALY"
		case sum.paise == 0 && days <= 0:
			r.Flag, gap = "AWAITING_NEXT_CYCLE", 0
		case sum.paise == 0 && listed:
			r.Flag, r.DaysOverdue = "OVERDUE", days
		case sum.paise == 0:
			r.Flag, r.DaysOverdue = "MISSING", days
		case gap == 0:
			r.Flag = "RECONCILED"
		case gap < 0:
			r.Flag = "OVERPAID"
		case gap <= minorGap:
			r.Flag = "MINOR_DIFF"
		default:
			r.Flag = "SHORT_PAID"
		}
		r.Shortfall = float64(gap) / 100
		r.FlagReason = fmt.Sprintf("%s: %.2f of %.2f, %.2f short", r.Flag, r.Remitted, r.CODAmount, r.Shortfall)
		answer.Results = append(answer.Results, r)
	}
	return json.NewEncoder(out).Encode(answer)
}

func plainTable(text string) (records [][]string, column map[string]int, err error) {
	reader := csv.NewReader(strings.NewReader(text))
	all, err := reader.ReadAll()
	if err != nil {
		return nil, nil, err
	}
	column = map[string]int{}
	for i, name := range all[0] {
		column[name] = i
	}
	return all[1:], column, nil
}

func plainPaise(cell string) (int64, error) {
	f, err := strconv.ParseFloat(cell, 64)
	return int64(math.Round(f * 100)), err
}
