package service

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// inspect sends POST /inspect with the files of a body.
func (c *Customer) inspect(t testing.TB, form []byte) (found inspected) {
	t.Helper()
	c.service.Post(t, "/inspect", c.Key, form, "Content-Type", FormMedia).JSON(t, &found)
	return found
}

// TestInspectingForPrograms holds that POST /inspect is what pages show of files, for a key and in the words of the API.
func TestInspectingForPrograms(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	b := c.SignIn(t)
	for name, form := range map[string][]byte{
		"small": Small().Form(t), "months": Months().Form(t), "no file": []byte(PartOfForm("brand", "Asha") + EndOfForm),
		"stated":             Small().With("courierName", "custom").With("columns", Body{"awb": "AWB No"}).Form(t),
		"a form of any plan": withParts(Small().Form(t), "marks", "[]", "unknown", "?"),
	} {
		require.Equal(t, b.SendForm(t, "/app/api/inspect", form).Body, s.Post(t, "/inspect", c.Key, form, "Content-Type", FormMedia).Body, name)
		s.Clock.Advance(10 * time.Second)
	}
	require.Zero(t, s.Runs(t), "nothing is stored")

	swapped := c.inspect(t, []byte(PartOfForm("report", OneOrder)+PartOfForm("orders", OneLine)+EndOfForm))
	require.Equal(t, "report", swapped.Orders.Is)
	require.Contains(t, swapped.Orders.Fault.Error, "storefront file (orders)")
	require.Equal(t, "orders", swapped.Orders.Fault.File)
	require.Equal(t, "orders", swapped.Reports[0].Is)
	require.Contains(t, swapped.Reports[0].Fault.Error, "courier file (report)")
	second := c.inspect(t, []byte(PartOfForm("report", OneLine)+PartOfForm("report", OneOrder)+EndOfForm)).Reports[1]
	require.Equal(t, 2, second.Fault.Report)

	// What an account has saved is neither for another one, nor for its sandbox.
	s.Clock.Advance(time.Minute)
	named := Small().With("courierName", "dtdc")
	c.Run(t, named)
	require.True(t, c.inspect(t, named.Form(t)).Reports[0].Saved)
	require.False(t, s.Customer(t, OnPlan(domain.Enterprise)).inspect(t, named.Form(t)).Reports[0].Saved)
	box := c.Sandbox(t)
	require.False(t, box.inspect(t, named.Form(t)).Reports[0].Saved)
	many := "AWB No,COD Amount,Remittance Date\n" + strings.Repeat("A1,5,2026-01-01\n", domain.SandboxRows+1)
	require.NotNil(t, box.inspect(t, Small().With("courier", many).Form(t)).Reports[0].Fault)
	require.Nil(t, c.inspect(t, Small().With("courier", many).Form(t)).Reports[0].Fault)

	refused := func(form, beginning string) {
		t.Helper()
		s.Post(t, "/inspect", c.Key, []byte(form), "Content-Type", FormMedia).Refused(t, http.StatusBadRequest, beginning)
	}
	s.Clock.Advance(time.Minute)
	refused("", "the request body is empty")
	refused(PartOfForm("bank", "a")+PartOfForm("bank", "b")+EndOfForm, "bank ")
	refused(PartOfForm("report", OneLine)+PartOfForm("mapping", "nobody's")+EndOfForm, "mapping ")
	for range 7 {
		c.inspect(t, Small().Form(t))
	}
	c.Reconcile(t, Small()).Refused(t, http.StatusTooManyRequests, "Rate limit exceeded")
	s.Post(t, "/inspect", c.Key, Small().Form(t), "Content-Type", FormMedia).Refused(t, http.StatusTooManyRequests, "Rate limit exceeded")
}
