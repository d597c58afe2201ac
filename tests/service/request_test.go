package service

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestRequest holds the fields of POST /reconcile.
func TestRequest(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})

	t.Run("shopify and courier are required", func(t *testing.T) {
		for _, file := range []string{"shopify", "courier"} {
			c := s.Customer(t)
			c.Reconcile(t, Small().Without(file)).Refused(t, 400, file+" is missing")
			c.Reconcile(t, Small().With(file, "")).Refused(t, 400, file+" is missing")
			c.Reconcile(t, Small().With(file, nil)).Refused(t, 400, file)
			for _, value := range []any{7, []string{"a"}} {
				c.Reconcile(t, Small().With(file, value)).Refused(t, 400, file+" must be a string")
			}
		}
	})
	t.Run("courierName is optional and one of the catalogue", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		var ids []string
		for _, courier := range s.Couriers.Catalogue() {
			ids = append(ids, courier.ID)
		}
		require.Subset(t, ids, []string{"delhivery", "shiprocket", "xpressbees", "ecom_express", "dtdc", "shadowfax", "custom"})
		for _, name := range append(slices.Clone(ids), "Ecom-Express", "DTDC") {
			s.Clock.Advance(time.Minute)
			c.Run(t, Small().With("courierName", name))
		}
		a := c.Reconcile(t, Small().With("courierName", "pigeon post"))
		a.Refused(t, 400, "courierName")
		require.Contains(t, a.Message(), strings.Join(ids, ", "))
	})
	t.Run("courierName and brand are stored in the audit history", func(t *testing.T) {
		c := s.Customer(t)
		a := c.Reconcile(t, Small().With("courierName", "Ecom Express").With("brand", "Chaniya & Co"))
		id := a.Header.Get("X-Run-Id")
		require.Equal(t, [][]string{{"Chaniya & Co", "ecom_express", "api"}},
			s.Query(t, "SELECT brand, courier_name, source FROM runs WHERE id = '"+id+"'"))
	})
	t.Run("brand is free text with the default default", func(t *testing.T) {
		c := s.Customer(t)
		require.Nil(t, c.Run(t, Small()).Duplicate)
		require.NotNil(t, c.Run(t, Small().With("brand", "default")).Duplicate, "the same brand, said aloud")
		require.Nil(t, c.Run(t, Small().With("brand", "कपड़ा — No. 1")).Duplicate)
		c.Run(t, Small().With("brand", strings.Repeat("ख", 100)))
		c.Reconcile(t, Small().With("brand", strings.Repeat("ख", 101))).Refused(t, 400, "brand must be at most 100 characters")
		c.Reconcile(t, Small().With("courierName", strings.Repeat("d", 101))).Refused(t, 400, "courierName must be at most 100 characters")
		c.Reconcile(t, Small().With("brand", 7)).Refused(t, 400, "brand must be a string")
	})
	t.Run("overdue_threshold_days is 1 to 30 with the default 7", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		require.Equal(t, 7, c.Run(t, Small()).Guidance.OffsetDays)
		for _, days := range []int{1, 30} {
			require.Equal(t, days, c.Run(t, Small().With("overdue_threshold_days", days)).Guidance.OffsetDays)
		}
		require.Equal(t, 9, c.Run(t, Small().With("overdue_threshold_days", json.RawMessage("9.0"))).Guidance.OffsetDays)
		for _, bad := range []any{0, 31, -1, 7.5, "7"} {
			c.Reconcile(t, Small().With("overdue_threshold_days", bad)).Refused(t, 400, "overdue_threshold_days must be a whole number from 1 to 30")
		}
	})
	t.Run("minor_gap_threshold is 0 to 10 with the default 2", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		require.Equal(t, "MINOR_DIFF", c.shortBy(t, Body{}, "998.00"))
		require.Equal(t, "SHORT_PAID", c.shortBy(t, Body{}, "997.99"))
		require.Equal(t, "MINOR_DIFF", c.shortBy(t, Body{"minor_gap_threshold": 10}, "990.00"))
		require.Equal(t, "SHORT_PAID", c.shortBy(t, Body{"minor_gap_threshold": 0}, "999.99"))
		for _, bad := range []any{-1, 11, 2.5, "2"} {
			c.Reconcile(t, Small().With("minor_gap_threshold", bad)).Refused(t, 400, "minor_gap_threshold must be a whole number from 0 to 10")
		}
	})
	t.Run("unknown fields are ignored", func(t *testing.T) {
		c := s.Customer(t)
		c.Run(t, Small().With("webhook_url", "https://elsewhere.example/").With("Shopify2", []any{1, Body{"a": nil}}))
	})
	t.Run("a POST takes and gives JSON", func(t *testing.T) {
		a := s.Customer(t).Reconcile(t, Small())
		require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
		require.True(t, json.Valid(a.Body))
		require.Equal(t, http.StatusOK, a.Status)
	})
}

// shortBy is the flag of an order of 1000.00 for which this much was paid.
func (c *Customer) shortBy(t *testing.T, fields Body, remitted string) string {
	t.Helper()
	body := Small().With("courier", Report(Line{AWB: "AWB1001", Collected: "1000.00", Remitted: remitted, RemittedOn: "2026-10-10"}))
	maps.Copy(body, fields)
	return c.Run(t, body).Results[0].Flag
}
