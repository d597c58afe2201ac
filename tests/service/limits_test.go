package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// megabytes25 is 25 MB in bytes.
const megabytes25 = 26_214_400

// TestSizes holds the limits of section 8 on bodies and rows, at their edges.
func TestSizes(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	small, err := json.Marshal(Small())
	require.NoError(t, err)
	t.Run("a body of 25 MB is accepted and a byte more is a 413", func(t *testing.T) {
		c := s.Customer(t)
		blanks := append(bytes.Clone(small), bytes.Repeat([]byte(" "), megabytes25-len(small))...)
		require.Len(t, blanks, megabytes25)
		require.Equal(t, http.StatusOK, s.Post(t, "/reconcile", c.Key, blanks).Status)
		s.Post(t, "/reconcile", c.Key, append(blanks, ' ')).Refused(t, 413, "request body larger than 25 MB (26,214,400 bytes)")
	})
	t.Run("a large unknown field is counted and passed over", func(t *testing.T) {
		c := s.Customer(t)
		open := strings.TrimSuffix(string(small), "}") + `,"padding":"`
		body := open + strings.Repeat("x", megabytes25-len(open)-2) + `"}`
		require.Len(t, body, megabytes25)
		require.Equal(t, http.StatusOK, s.Post(t, "/reconcile", c.Key, []byte(body)).Status)
	})
	t.Run("50,000 rows are accepted and one more is a 400, in each file", func(t *testing.T) {
		c := s.Customer(t)
		orders := func(rows int) string { // one order, continued on every row
			return Export(Order{Name: "#1001", Total: "1000.00", AWB: "AWB1001"}) + strings.Repeat("#1001,,,,,,,,\n", rows-1)
		}
		lines := func(rows int) string {
			var b strings.Builder
			b.WriteString(Report(Line{AWB: "AWB1001", Remitted: "1000", RemittedOn: "2026-10-10"}))
			for i := range rows - 1 {
				fmt.Fprintf(&b, "B%d,,1,1,2026-10-10,\n", i)
			}
			return b.String()
		}
		full := Body{"shopify": orders(50_000), "courier": lines(50_000)}
		require.Equal(t, []string{"RECONCILED"}, c.Run(t, full).flags())
		c.Reconcile(t, full.With("shopify", orders(50_001))).Refused(t, 400, "storefront file (shopify)")
		a := c.Reconcile(t, full.With("courier", lines(50_001)))
		a.Refused(t, 400, "courier file (courier)")
		require.Contains(t, a.Message(), "has more than 50000 rows")
		require.Equal(t, http.StatusOK, c.Reconcile(t, full.With("courier", lines(50_000)+"\n\n,,,,,\n").With("brand", "blank rows do not count")).Status)
	})
}
