package service

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/imap"
	"milaan/tests/fakes/shopify"
)

// TestACorrectedReportInASecondMail follows a courier that sends a report short of ₹200 for each of five
// orders, and corrects it by a second mail with an attachment of the same name: by the rule alone, and
// with the setting by which the newest attachment of a name counts.
func TestACorrectedReportInASecondMail(t *testing.T) {
	t.Parallel()
	a := StartAutopilot(t, Options{})
	for sameName, corrects := range map[string]bool{"all": true, "newest": false} {
		t.Run(sameName, func(t *testing.T) {
			var orders []shopify.Order
			var short, full []Line
			sold := a.Clock.Now().AddDate(0, 0, -25)
			for i := range 5 {
				awb := fmt.Sprint("SR1433521200", i)
				orders = append(orders, shopify.Order{
					ID: int64(7_000_000 + i), Name: fmt.Sprint("#", 1000+i), CreatedAt: sold, Financial: "PENDING", Fulfilment: "FULFILLED",
					Gateways: []string{"Cash on Delivery (COD)"}, Total: 100_000, Outstanding: 100_000,
					Fulfilments: []shopify.Fulfilment{{CreatedAt: sold.Add(20 * time.Hour), Tracking: []shopify.Tracking{{Number: awb, Company: "Delhivery"}}}},
				})
				line := Line{AWB: awb, Collected: "1000", Remitted: "800", RemittedOn: domain.DayOf(a.Clock.Now().AddDate(0, 0, -5)).String(), Status: "Delivered"}
				short = append(short, line)
				line.Remitted = "1000"
				full = append(full, line)
			}
			mailbox := imap.New(t, imap.TLS)
			send := func(content string) {
				at := a.Clock.Now()
				mail := imap.Mail{From: "remit@courier.example", Subject: "Remittance", Date: at, Above: []string{"Authentication-Results: mx.host.example; dmarc=pass header.from=courier.example"}, Attachments: []imap.Attachment{{Name: "COD_remittance_1120.csv", Content: []byte(content)}}}
				mailbox.Add(t, "INBOX", at, mail.Bytes())
			}
			settings := mailbox.Settings()
			settings["from"], settings["sender_check"], settings["authserv_id"] = "remit@courier.example", "required", "mx.host.example"
			settings["same_name"] = sameName
			c := a.Connect(t, a.Customer(t), "Asha", a.Shops.Add("asha-"+sameName, orders), Source("imap", settings))
			send(Report(short...))
			pass := c.NextPass(t)
			require.Equal(t, "stored", pass.Outcome, "%+v", pass.Failure)
			require.Equal(t, map[string]int{"SHORT_PAID": 5}, flagged(c.Run(t, pass.RunID)))

			send(Report(full...))
			pass = c.NextPass(t)
			require.Equal(t, "stored", pass.Outcome, "%+v", pass.Failure)
			require.Equal(t, map[string]int{"RECONCILED": 5}, flagged(c.Run(t, pass.RunID)))
			said := false
			for _, w := range pass.Warnings {
				said = said || w.Code == string(domain.WarnCorrectedPayout)
			}
			require.Equal(t, corrects, said)
			skipped := c.latest(t)[0].Sources[0].Skipped
			if corrects {
				require.Empty(t, skipped)
			} else {
				require.Len(t, skipped, 1)
				require.Equal(t, domain.ConnOlder, skipped[0].Rule)
			}
			require.Equal(t, "unchanged", c.NextPass(t).Outcome)
		})
	}
}

// flagged are the orders of a run by the flags that some order has.
func flagged(run HistoryRun) map[string]int {
	some := map[string]int{}
	for flag, orders := range run.Flags {
		if orders > 0 {
			some[flag] = orders
		}
	}
	return some
}
