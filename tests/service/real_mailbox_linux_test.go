package service

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/imap"
	"milaan/tests/servers"
)

// TestAutopilotOfARealMailbox follows a folder of Dovecot from pass to pass: two mails make one run, and
// none is made because the server numbers them anew.
func TestAutopilotOfARealMailbox(t *testing.T) {
	t.Parallel()
	server := servers.NewDovecot(t, ".", "INBOX.")
	server.Create("Couriers")
	a := StartAutopilot(t, Options{})
	orders, lines := ShopOrders(40, time.Date(2026, time.October, 20, 9, 0, 0, 0, domain.Kolkata), 4*time.Hour)
	mail := func(ago time.Duration, name, content string) {
		server.Deliver("Couriers", imap.Mail{From: "remit@courier.example", Subject: "COD", Date: Morning.Add(-ago), Attachments: []imap.Attachment{{Name: name, Content: []byte(content)}}})
	}
	mail(72*time.Hour, "cod.csv", Report(lines[:20]...))
	mail(48*time.Hour, "cod.csv", Report(lines[20:]...))
	mail(24*time.Hour, "customers.csv", "Name,Email,Phone\nAsha,asha@shop.example,1\n")
	settings := server.Settings()
	settings["mailbox"] = "Couriers"
	c := a.Connect(t, a.Customer(t, OnPlan(domain.Pro)), "Real", a.Shops.Add("real", orders), Source("imap", settings))
	pass := c.NextPass(t)
	require.Equal(t, "stored", pass.Outcome, "%+v", pass.Failure)
	require.Equal(t, 2, pass.Sources[0].Files)
	require.Equal(t, len(lines), pass.Sources[0].Lines)
	require.Equal(t, "unchanged", c.NextPass(t).Outcome)

	server.Recreate("Couriers")
	again := c.NextPass(t)
	require.Equal(t, "unchanged", again.Outcome, "%+v", again.Failure)
	require.Equal(t, pass.RunID, again.RunID)
	require.Len(t, c.History(t, sourceOf(domain.SourceAutopilot)), 1)
}
