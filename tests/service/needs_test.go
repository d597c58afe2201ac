package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/razorpay"
	"milaan/tests/only"
	"milaan/tests/service"
)

// needs say what the call of an operation needs besides its first example, so that it succeeds.
var needs = map[string]func(t *testing.T, s *tested, by *service.Customer, c *call){
	"reconcile": func(_ *testing.T, _ *tested, _ *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		c.Body = service.EightFlags().With("include", []string{"payouts", "unclaimed", "orders", "lines", "open_items"})
	},
	"reconcileFiles": func(_ *testing.T, _ *tested, _ *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		b := service.EightFlags()
		export, report := fmt.Sprint(b["shopify"]), fmt.Sprint(b["courier"])
		header, _, _ := strings.Cut(report, "\n")
		c.Body = map[string]any{
			"orders":      map[string]any{"file": export, "name": "orders.csv"},
			"report":      []any{map[string]any{"file": report, "name": "report.csv"}, map[string]any{"file": header + "\n", "name": "empty.csv"}},
			"courierName": []string{"", "dtdc"}, "include": []string{"payouts", "lines"}, "overdue_threshold_days": 9, "brand": "Chai ₹",
		}
	},
	"inspectFiles": func(_ *testing.T, _ *tested, _ *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		c.Body = map[string]any{"report": []any{map[string]any{"file": fmt.Sprint(service.EightFlags()["courier"]), "name": "report.csv"}}, "courierName": []string{"dtdc"}}
	},
	"makeDocument": func(_ *testing.T, _ *tested, _ *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		c.Body = service.EightFlags().With("format", "xlsx")
	},
	"keepFile": func(_ *testing.T, _ *tested, _ *service.Customer, c *call) { // of no connection: 404
		c.Body = map[string]any{"file": map[string]any{"file": "AWB No\n1\n", "name": "report.csv"}}
	},
	"reconcileBatch": func(_ *testing.T, _ *tested, _ *service.Customer, c *call) {
		c.want = []int{http.StatusAccepted}
		c.Body = service.Jobs(service.Named("a").With("courierName", "Ecom Express"))
	},
	"batchStatus": func(t *testing.T, _ *tested, by *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		c.Path["job_id"] = by.Complete(t, service.Jobs(service.EightFlags().With("brand", "a"), service.Named("b").With("courier", "x"))).BatchID
	},
	"changeRole":   ofAPerson(http.StatusNoContent),
	"removePerson": ofAPerson(http.StatusNoContent),
	"closeAccount": func(_ *testing.T, _ *tested, by *service.Customer, c *call) {
		c.want = []int{http.StatusNoContent}
		c.Body = map[string]any{"confirm": by.Email}
	},
	"verifyPhone": func(t *testing.T, s *tested, _ *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		c.Body = map[string]any{"code": s.phoneCode(t, c.Token)}
	},
	"guideChapter": func(_ *testing.T, _ *tested, _ *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		c.Path["topic"] = "month"
	},
	"startSubscription": func(t *testing.T, _ *tested, by *service.Customer, c *call) {
		c.want = []int{http.StatusOK}
		by.Change(t, func(a *domain.Account) { a.Subscription = domain.SubscriptionIncomplete })
	},
	"takeNotice": func(t *testing.T, _ *tested, _ *service.Customer, c *call) {
		c.Body = map[string]any{"event": "refund.processed"}
		text := only.Value(json.Marshal(c.Body))(t)
		c.Header["X-Razorpay-Signature"] = razorpay.Sign(text, razorpay.WebhookSecret)
	},
}

// ofAPerson needs somebody who was invited.
func ofAPerson(status int) func(*testing.T, *tested, *service.Customer, *call) {
	return func(t *testing.T, s *tested, _ *service.Customer, c *call) {
		t.Helper()
		c.want = []int{status}
		a := s.Post(t, "/account/people", c.Token, []byte(`{"email":"ca@books.example","role":"accountant"}`))
		require.Equal(t, http.StatusCreated, a.Status, string(a.Body))
		var invited struct{ ID string }
		require.NoError(t, json.Unmarshal(a.Body, &invited))
		c.Path["id"] = invited.ID
	}
}

// phoneCode is a code that was sent.
func (s *tested) phoneCode(t *testing.T, token string) string {
	t.Helper()
	a := s.Post(t, "/account/phone", token, fmt.Appendf(nil, `{"number":"+91 98%08d"}`, len(s.sms.Sent())+1))
	require.Equal(t, http.StatusAccepted, a.Status, string(a.Body))
	return s.sms.Last().Code
}

func form(t *testing.T, body any) (text, media string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	add := func(name string, value any) {
		if file, is := value.(map[string]any); is {
			part := only.Value(w.CreateFormFile(name, fmt.Sprint(file["name"])))(t)
			require.NoError(t, only.Err(fmt.Fprint(part, file["file"])))
			return
		}
		require.NoError(t, w.WriteField(name, fmt.Sprint(value)))
	}
	for name, value := range body.(map[string]any) {
		switch value := value.(type) {
		case []any:
			for _, one := range value {
				add(name, one)
			}
		case []string:
			for _, one := range value {
				add(name, one)
			}
		default:
			add(name, value)
		}
	}
	require.NoError(t, w.Close())
	return b.String(), w.FormDataContentType()
}
