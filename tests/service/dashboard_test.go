package service

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/only"
)

// pageOfRuns is the body of GET /app/api/runs.
type pageOfRuns struct {
	Runs     []json.RawMessage `json:"runs"`
	Next     *string           `json:"next"`
	Brands   []string          `json:"brands"`
	Couriers []string          `json:"couriers"`
	Sources  []string          `json:"sources"`
}

func runIDs(t *testing.T, runs []json.RawMessage) (ids []string) {
	t.Helper()
	for _, run := range runs {
		ids = append(ids, fields(t, run)["run_id"].(string))
	}
	return ids
}

// TestHistoryPages holds runs by brand, courier, source and time, with counts
// and sums and never rows.
func TestHistoryPages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	c := s.Customer(t)
	var ids []string
	for i, body := range []Body{EightFlags().With("brand", "Asha").With("courierName", "delhivery"), Small().With("brand", "Ravi"), Small().With("brand", "Asha").With("courierName", "dtdc")} {
		s.Clock.Set(Morning.AddDate(0, 0, i))
		ids = append(ids, c.Reconcile(t, body).Header.Get("X-Run-Id"))
	}
	s.Clock.Set(Morning.AddDate(0, 0, 2))
	b := c.SignIn(t)
	list := func(t *testing.T, query string) (page pageOfRuns) {
		t.Helper()
		b.Get(t, "/app/api/runs"+query).JSON(t, &page)
		return page
	}
	t.Run("a run has counts and sums", func(t *testing.T) {
		page := list(t, "")
		require.Equal(t, []string{ids[2], ids[1], ids[0]}, runIDs(t, page.Runs))
		require.Nil(t, page.Next)
		require.Equal(t, []string{"Asha", "Ravi"}, page.Brands)
		require.Equal(t, []string{"delhivery", "dtdc"}, page.Couriers)
		require.Equal(t, []string{"api"}, page.Sources)
		run := fields(t, page.Runs[2])
		delete(run, "took_ms")
		delete(run, "cycle_guidance")
		want := fmt.Sprintf(`{"run_id":%q,"run_at":%q,"brand":"Asha","couriers":["delhivery"],"source":"api","storefront_rows":8,"courier_rows":6,"orders":8,
			"flags":{"MISSING":1,"SHORT_PAID":1,"OVERDUE":1,"RTO_ANOMALY":1,"MINOR_DIFF":1,"OVERPAID":1,"RECONCILED":1,"AWAITING_NEXT_CYCLE":1},"flagged_count":6,
			"unclaimed_lines":0,"unclaimed_remitted":0,"overdue_threshold_days":7,"minor_gap_threshold":2}`, ids[0], instant(Morning))
		for name, value := range fields(t, []byte(want)) {
			require.Equal(t, value, run[name], name)
		}
		answer := decoded[Run](t, s.Customer(t).Reconcile(t, EightFlags()).Body)
		sums := map[string]domain.Paise{}
		for _, r := range answer.Results {
			for name, amount := range map[string]json.Number{"due": r.CODAmount, "remitted": r.Remitted, "shortfall": r.Shortfall} {
				p, _ := domain.ReadPaise([]byte(amount.String()))
				sums[name] += p
			}
		}
		for name, sum := range sums {
			require.JSONEq(t, string(sum.AppendRupees(nil)), fmt.Sprint(run[name]), name)
		}
	})
	t.Run("runs are filtered", func(t *testing.T) {
		for query, want := range map[string][]string{
			"?brand=+Ravi+": {ids[1]}, "?courier=+DTDC": {ids[2]}, "?source=dashboard": nil, "?from=2026-11-22&to=2026-11-22": {ids[1]},
			"?to=2026-11-21": {ids[0]}, "?from=2026-11-23&brand=Asha": {ids[2]}, "?brand=nobody": nil,
		} {
			require.Equal(t, want, runIDs(t, list(t, query+"&limit=9").Runs), query)
		}
	})
	t.Run("one run", func(t *testing.T) {
		run := answered[map[string]any](t, b.Get(t, "/app/api/runs/"+ids[1]))
		require.Equal(t, "Ravi", run["brand"])
		require.Equal(t, []any{}, run["couriers"])
		require.Equal(t, "2026-10-01", run["cycle_guidance"].(map[string]any)["batch_as_of"])
		for _, id := range []string{"x", "00000000-0000-7000-8000-000000000000", "%00", "%ff"} {
			b.Get(t, "/app/api/runs/"+id).RefusedPage(t, 404, "run_missing", "")
		}
	})
	t.Run("the trend begins with the oldest", func(t *testing.T) {
		var trend struct {
			Points []struct {
				ID     string      `json:"run_id"`
				AtRisk json.Number `json:"amount_risk"`
			} `json:"points"`
		}
		b.Get(t, "/app/api/trend?brand=Asha").JSON(t, &trend)
		require.Len(t, trend.Points, 2)
		require.Equal(t, ids[0], trend.Points[0].ID)
		require.NotEqual(t, "0", trend.Points[0].AtRisk.String())
		require.Equal(t, "0", trend.Points[1].AtRisk.String())
	})
	t.Run("two runs are compared", func(t *testing.T) {
		found := answered[struct{ A, B, Change map[string]any }](t, b.Get(t, "/app/api/compare?a="+ids[0]+"&b="+ids[1]))
		require.Equal(t, ids[0], found.A["run_id"])
		require.Equal(t, ids[1], found.B["run_id"])
		require.InDelta(t, -7, found.Change["orders"], 0)
		require.InDelta(t, -6, found.Change["flagged_count"], 0)
		require.InDelta(t, -1, found.Change["flags"].(map[string]any)["MISSING"], 0)
		require.InDelta(t, found.B["due"].(float64)-found.A["due"].(float64), found.Change["due"], 0)
		b.Get(t, "/app/api/compare?a="+ids[0]).RefusedPage(t, 400, "query_invalid", "")
		b.Get(t, "/app/api/compare?a=x&b="+ids[0]).RefusedPage(t, 404, "run_missing", "")
	})
}

// securityLog is the account's security log, latest first, as "kind detail via".
func (b *Browser) securityLog(t *testing.T) (lines []string) {
	t.Helper()
	var log struct {
		Events []struct{ At, Kind, Detail, Via string }
	}
	b.Get(t, "/app/api/security").JSON(t, &log)
	for _, e := range log.Events {
		require.NotEmpty(t, e.At)
		lines = append(lines, strings.TrimSpace(fmt.Sprint(e.Kind, " ", e.Detail))+" "+e.Via)
	}
	return lines
}

// TestKeyPages holds how a key is made, replaced and revoked in the dashboard.
func TestKeyPages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	replace := func(t *testing.T, b *Browser, prefix string) (issued IssuedKey) {
		t.Helper()
		b.Send(t, http.MethodPost, "/app/api/key", Body{"replaces": prefix}).JSON(t, &issued)
		s.secrets.Store(issued.Key, true)
		return issued
	}
	c := s.Account(t)
	b := c.SignIn(t)
	shown := answered[struct{ Key map[string]any }](t, b.Get(t, "/app/api/key"))
	require.Nil(t, shown.Key)
	first := replace(t, b, "")
	require.True(t, strings.HasPrefix(first.Key, first.Prefix))
	b.Get(t, "/app/api/key").JSON(t, &shown)
	require.Equal(t, map[string]any{"prefix": first.Prefix, "issued_at": instant(s.Clock.Now()), "last_used_at": nil}, shown.Key)
	s.Clock.Advance(time.Minute)
	require.Equal(t, http.StatusOK, s.Reconcile(t, first.Key, Small()).Status)
	b.Get(t, "/app/api/key").JSON(t, &shown)
	require.Equal(t, instant(s.Clock.Now()), shown.Key["last_used_at"])

	second := replace(t, b, first.Prefix)
	s.Reconcile(t, first.Key, Small()).Refused(t, 401, "API key missing, malformed or expired")
	b.Send(t, http.MethodPost, "/app/api/key", Body{"replaces": first.Prefix}).RefusedPage(t, 409, "key_changed", "")
	b.Send(t, http.MethodPost, "/app/api/key", Body{}).RefusedPage(t, 409, "key_changed", "")
	b.Send(t, http.MethodDelete, "/app/api/key", Body{"prefix": first.Prefix}).RefusedPage(t, 409, "key_changed", "")
	require.Equal(t, http.StatusOK, s.Reconcile(t, second.Key, Small()).Status)

	s.Clock.Advance(time.Second)
	require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodDelete, "/app/api/key", Body{"prefix": second.Prefix}).Status)
	s.Reconcile(t, second.Key, Small()).Refused(t, 401, "API key missing, malformed or expired")
	b.Send(t, http.MethodDelete, "/app/api/key", Body{"prefix": second.Prefix}).RefusedPage(t, 404, "key_missing", "")

	s.Clock.Advance(time.Minute)
	key := c.Rotate(t)
	require.Equal(t, []string{"key_issued " + key.Prefix + " api", "session_token_made command_line", "revoked_key_used " + second.Prefix + " api",
		"key_revoked " + second.Prefix + " dashboard", "revoked_key_used " + first.Prefix + " api",
		"key_replaced " + first.Prefix + " → " + second.Prefix + " dashboard", "key_issued " + first.Prefix + " dashboard"}, b.securityLog(t)[:7])
}

// TestWebhookPages holds how a webhook is set up in the dashboard.
func TestWebhookPages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	b := c.SignIn(t)
	e := NewEndpoint(t, nil)
	type webhook struct {
		Endpoint     string  `json:"endpoint"`
		SetAt        *string `json:"set_at"`
		RotatedAt    *string `json:"secret_rotated_at"`
		FormerUntil  *string `json:"former_until"`
		SecretUnseen bool    `json:"secret_unseen"`
		Secret       string  `json:"secret"`
	}
	send := func(t *testing.T, method, path string, body any) (w webhook) {
		t.Helper()
		b.Send(t, method, "/app/api/webhook"+path, body).JSON(t, &w)
		if w.Secret != "" {
			s.secrets.Store(w.Secret, true)
		}
		return w
	}
	b.Get(t, "/app/api/webhook").RefusedPage(t, 404, "webhook_missing", "")
	for _, path := range []string{"/rotate", "/test", "/secret"} {
		b.Send(t, http.MethodPost, "/app/api/webhook"+path, nil).RefusedPage(t, 404, "webhook_missing", "")
	}
	b.Send(t, http.MethodPut, "/app/api/webhook", Body{"endpoint": "http://shop.example"}).RefusedPage(t, 400, "field_invalid", "endpoint")
	b.Send(t, http.MethodPut, "/app/api/webhook", Body{}).RefusedPage(t, 400, "field_invalid", "endpoint")

	first := send(t, http.MethodPut, "", Body{"endpoint": e.URL})
	require.True(t, strings.HasPrefix(first.Secret, domain.SigningSecretPrefix))
	now := instant(s.Clock.Now())
	shown := webhook{Endpoint: e.URL, SetAt: &now}
	require.Equal(t, shown, send(t, http.MethodGet, "", nil), "the secret is shown once")
	shown.Endpoint += "/another"
	require.Equal(t, shown, send(t, http.MethodPut, "", Body{"endpoint": shown.Endpoint}), "the secret stays")
	require.Equal(t, shown, send(t, http.MethodPost, "/secret", nil))

	rotated := send(t, http.MethodPost, "/rotate", nil)
	require.NotEqual(t, first.Secret, rotated.Secret)
	until := instant(s.Clock.Now().Add(24 * time.Hour))
	require.Equal(t, webhook{Endpoint: shown.Endpoint, SetAt: &now, RotatedAt: &now, FormerUntil: &until, Secret: rotated.Secret}, rotated)

	type delivery struct {
		ID, Kind, State string
		WebhookID       string `json:"webhook_id"`
		RunID           string `json:"run_id"`
		CreatedAt       string `json:"created_at"`
		Attempts        []struct {
			Number  int
			At      string
			Outcome string
			Status  *int
			Failure string
		}
	}
	tested := answered[delivery](t, b.Send(t, http.MethodPost, "/app/api/webhook/test", nil))
	require.Equal(t, "test delivered", tested.Kind+" "+tested.State)
	require.Len(t, tested.Attempts, 1)
	require.Equal(t, 200, *tested.Attempts[0].Status)
	require.Equal(t, contractSignature(rotated.Secret, e.Calls()[0].Body), e.Calls()[0].Header.Get("X-Milaan-Sig"))

	s.Clock.Advance(time.Minute)
	run := c.Reconcile(t, Small()).Header.Get("X-Run-Id")
	require.Len(t, c.Deliveries(t), 2)
	list := func() (listed struct{ Deliveries []delivery }) {
		b.Get(t, "/app/api/webhook/deliveries").JSON(t, &listed)
		return listed
	}
	listed := list().Deliveries
	require.Len(t, listed, 2)
	require.Equal(t, []string{"run", run, "delivered", instant(s.Clock.Now())}, []string{listed[0].Kind, listed[0].RunID, listed[0].State, listed[0].CreatedAt})
	again := answered[delivery](t, b.Send(t, http.MethodPost, "/app/api/webhook/deliveries/"+listed[0].ID+"/redeliver", nil))
	require.Equal(t, listed[0].WebhookID, again.WebhookID)
	require.Equal(t, "pending", again.State)
	require.Empty(t, again.Attempts)
	require.Len(t, c.Deliveries(t), 3)
	for _, id := range []string{"x", run, "%00", "%ff"} {
		b.Send(t, http.MethodPost, "/app/api/webhook/deliveries/"+id+"/redeliver", nil).RefusedPage(t, 404, "delivery_missing", "")
	}

	require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodDelete, "/app/api/webhook", nil).Status)
	b.Send(t, http.MethodDelete, "/app/api/webhook", nil).RefusedPage(t, 404, "webhook_missing", "")
	host, _, _ := strings.Cut(strings.TrimPrefix(e.URL, "http://"), ":")
	log := b.securityLog(t)
	require.ElementsMatch(t, []string{"webhook_removed " + host + " dashboard", "webhook_rotated " + host + " dashboard", "webhook_set " + host + " dashboard", "webhook_set " + host + " dashboard"},
		without(log, "key_issued", "sign", "session"))
}

// without leaves out the lines of the security log that begin so.
func without(lines []string, beginnings ...string) (rest []string) {
	for _, line := range lines {
		if !slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(line, b) }) {
			rest = append(rest, line)
		}
	}
	return rest
}

// A secret that was drawn for a batch is shown to its owner once, and by no GET.
func TestASecretThatNobodyHasSeen(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	c := s.Customer(t, OnPlan(domain.Enterprise))
	e := NewEndpoint(t, nil)
	require.Equal(t, http.StatusAccepted, s.Post(t, "/reconcile/batch", c.Key, encoded(t, Body{"webhook_url": e.URL, "jobs": []Body{Small().With("brand", "b")}})).Status)
	b := c.SignIn(t)
	for range 2 {
		w := fields(t, b.Get(t, "/app/api/webhook").Body)
		require.Equal(t, true, w["secret_unseen"])
		require.NotContains(t, w, "secret")
		require.Empty(t, b.Send(t, http.MethodHead, "/app/api/webhook", nil).Body)
	}
	w := fields(t, b.Send(t, http.MethodPost, "/app/api/webhook/secret", nil).Body)
	require.NotEmpty(t, w["secret"])
	s.secrets.Store(w["secret"], true)
	w = fields(t, b.Send(t, http.MethodPost, "/app/api/webhook/secret", nil).Body)
	require.NotContains(t, w, "secret")
	require.Equal(t, false, w["secret_unseen"])
}

// picture is a PNG.
func picture(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	drawn := image.NewRGBA(image.Rect(0, 0, 4, 3))
	drawn.Set(1, 1, color.RGBA{R: 200, A: 255})
	require.NoError(t, png.Encode(&file, drawn))
	return file.Bytes()
}

// TestBrandingPages holds how documents are marked as the account's own.
func TestBrandingPages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	b := s.Account(t).SignIn(t)
	show := func(t *testing.T) map[string]any {
		t.Helper()
		a := b.Get(t, "/app/api/branding")
		require.Equal(t, http.StatusOK, a.Status)
		return fields(t, a.Body)
	}
	none := map[string]any{"name": "", "colour": "", "footer": "", "has_logo": false}
	require.Equal(t, none, show(t))
	b.Get(t, "/app/api/branding/logo").RefusedPage(t, 404, "branding_missing", "")

	a := b.Send(t, http.MethodPut, "/app/api/branding", Body{"name": " Asha & Co ", "colour": "#1a4f8b", "footer": "GSTIN on request",
		"logo": base64.StdEncoding.EncodeToString(picture(t)), "unknown": 1})
	want := map[string]any{"name": "Asha & Co", "colour": "#1A4F8B", "footer": "GSTIN on request", "has_logo": true}
	require.Equal(t, http.StatusOK, a.Status, string(a.Body))
	require.Equal(t, want, fields(t, a.Body))
	require.Equal(t, want, show(t))
	logo := b.Get(t, "/app/api/branding/logo")
	require.Equal(t, "image/png", logo.Header.Get("Content-Type"))
	require.NoError(t, only.Err(png.Decode(bytes.NewReader(logo.Body))))

	b.Send(t, http.MethodPut, "/app/api/branding", Body{"name": "x\ny", "colour": "#FFFFFF", "logo": "PHN2Zy8+"}).RefusedPage(t, 400, "field_invalid", "branding_name")
	b.Send(t, http.MethodPut, "/app/api/branding", Body{"logo": "not base64!"}).RefusedPage(t, 400, "field_invalid", "logo")
	b.Send(t, http.MethodPut, "/app/api/branding", Body{"logo": strings.Repeat("A", 360<<10)}).RefusedPage(t, 400, "field_invalid", "logo")
	b.Send(t, http.MethodPut, "/app/api/branding", Body{"logo": strings.Repeat("A", 600<<10)}).RefusedPage(t, 413, "body_too_large", "")
	b.Send(t, http.MethodPut, "/app/api/branding", Body{"name": 7}).RefusedPage(t, 400, "body_invalid", "")
	require.Equal(t, want, show(t), "what is refused changes nothing")

	require.Equal(t, http.StatusOK, b.Send(t, http.MethodPut, "/app/api/branding", Body{"name": nil, "footer": ""}).Status)
	want["footer"] = ""
	require.Equal(t, want, show(t), "what is not given stays")
	require.Equal(t, http.StatusOK, b.Send(t, http.MethodPut, "/app/api/branding", Body{"name": "", "colour": "", "no_logo": true}).Status)
	require.Equal(t, none, show(t))
	require.Equal(t, []string{"branding_changed dashboard", "branding_changed dashboard", "branding_changed dashboard"}, b.securityLog(t)[:3])
}

// TestAccountPages holds what people may change of their account, and the log of it.
func TestAccountPages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("the days until an order is overdue", func(t *testing.T) {
		c := s.Customer(t)
		b := c.SignIn(t)
		patch := func(body Body) Answer { return b.Send(t, http.MethodPatch, "/app/api/account", body) }
		account := answered[map[string]any](t, patch(Body{"overdue_days": 12, "plan": "enterprise"}))
		require.InDelta(t, 12, account["overdue_days"], 0)
		require.Equal(t, "pro", account["plan"], "people cannot change their plan")
		require.Equal(t, c.Email, account["email"])
		require.Equal(t, 12, c.Run(t, Small()).Guidance.OffsetDays)
		for _, wrong := range []any{-1, 31, 7.5, 1e300} {
			patch(Body{"overdue_days": wrong}).RefusedPage(t, 400, "field_invalid", "overdue_days")
		}
		patch(Body{"overdue_days": "7"}).RefusedPage(t, 400, "body_invalid", "")
		require.Equal(t, http.StatusOK, patch(Body{}).Status)
		require.Equal(t, http.StatusOK, patch(Body{"overdue_days": 0}).Status)
		require.Equal(t, 7, c.Run(t, Named("b")).Guidance.OffsetDays)
		log := b.securityLog(t)
		require.Equal(t, []string{"account_changed overdue_days dashboard", "account_changed overdue_days dashboard"}, log[:2])
		require.NotContains(t, log[2], "account_changed", "what changes nothing is not logged")
		c.Change(t, func(a *domain.Account) { a.PhoneVerified, a.Plan = false, domain.Enterprise })
		require.Equal(t, "account_changed plan, phone_verified command_line", b.securityLog(t)[0])
	})
	t.Run("saved mappings", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		b := c.SignIn(t)
		require.Equal(t, "500", paid(t, c, byOrderValue))
		saved := fields(t, b.Get(t, "/app/api/mappings").Body)
		require.Equal(t, []any{map[string]any{"courier": "delhivery", "name": "Delhivery", "saved_at": instant(s.Clock.Now()),
			"columns": map[string]any{"awb": "AWB No", "cod_amount": "Order Value", "remittance_date": "Remittance Date"}}}, saved["mappings"])
		require.Equal(t, "500", paid(t, c, byBoth))
		for _, other := range []string{"dtdc", "%00", "%ff"} {
			b.Send(t, http.MethodDelete, "/app/api/mappings/"+other, nil).RefusedPage(t, 404, "mapping_missing", "")
		}
		require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodDelete, "/app/api/mappings/delhivery", nil).Status)
		require.JSONEq(t, `{"mappings":[],"named":[]}`, string(b.Get(t, "/app/api/mappings").Body))
		s.Clock.Advance(time.Minute)
		require.Equal(t, "400", paid(t, c, byBoth), "detected afresh")
		require.Equal(t, []string{"mapping_removed delhivery dashboard"}, without(b.securityLog(t), "key", "sign", "session"))
	})
	t.Run("changes have a rate", func(t *testing.T) {
		b, other := s.Account(t).SignIn(t), s.Account(t).SignIn(t)
		for i := range 30 {
			require.Equal(t, http.StatusOK, b.Send(t, http.MethodPatch, "/app/api/account", Body{"overdue_days": i}).Status)
		}
		for _, c := range []struct{ method, path string }{{http.MethodPatch, "/app/api/account"}, {http.MethodPost, "/app/api/webhook/test"}, {http.MethodPost, "/app/api/key"}} {
			refused := b.Send(t, c.method, c.path, Body{})
			refused.RefusedPage(t, 429, "rate_limited", "")
			require.Equal(t, "60", refused.Header.Get("Retry-After"))
		}
		require.Equal(t, http.StatusOK, other.Send(t, http.MethodPatch, "/app/api/account", Body{}).Status)
		require.Equal(t, http.StatusOK, b.Get(t, "/app/api/security").Status)
	})
	t.Run("bodies are small JSON", func(t *testing.T) {
		b := s.Account(t).SignIn(t)
		patch := func(header ...string) Answer {
			return b.Send(t, http.MethodPatch, "/app/api/account", Body{"overdue_days": 3}, header...)
		}
		require.Equal(t, http.StatusUnsupportedMediaType, patch("Content-Type", "text/plain").Status)
		b.Send(t, http.MethodPatch, "/app/api/account", []int{1}).RefusedPage(t, 400, "body_invalid", "")
		b.Send(t, http.MethodPatch, "/app/api/account", nil, "Content-Type", "application/json").RefusedPage(t, 400, "body_invalid", "")
		b.Send(t, http.MethodPatch, "/app/api/account", strings.Repeat("x", 65<<10)).RefusedPage(t, 413, "body_too_large", "")
		unannounced := io.MultiReader(strings.NewReader(`"` + strings.Repeat("x", 65<<10) + `"`))
		s.Do(t, s.Request(t, http.MethodPatch, "/app/api/account", unannounced, append(b.usual(), "Content-Type", "application/json")...)).RefusedPage(t, 413, "body_too_large", "")
	})
}

// TestWordsOfThePages holds that browsers keep the translations until they change.
func TestWordsOfThePages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	b := s.Browser()
	english := b.Get(t, "/app/api/words/en")
	require.JSONEq(t, "{}", string(english.Body))
	hindi := b.Get(t, "/app/api/words/hi", "Accept-Encoding", "identity")
	answered[map[string]string](t, hindi)
	for _, a := range []Answer{english, hindi} {
		require.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
		require.NotEmpty(t, a.Header.Get("Etag"))
	}
	again := b.Get(t, "/app/api/words/hi", "Accept-Encoding", "identity", "If-None-Match", hindi.Header.Get("Etag"))
	require.Equal(t, http.StatusNotModified, again.Status)
	require.Equal(t, "gzip", b.Get(t, "/app/api/words/hi", "Accept-Encoding", "gzip").Header.Get("Content-Encoding"))
	for _, code := range []string{"xx", "hi.json", "%00"} {
		b.Get(t, "/app/api/words/"+code).RefusedPage(t, 404, "route_missing", "")
	}
}

// A run is in the history for as long as the operator has set, and the pages say how long
// that is.
func TestTheHistoryForgetsRunsWhenTheirTimeIsOver(t *testing.T) {
	const days = 70
	s := Start(t, Options{Settings: func(c *config.Config) { c.Storage.RunRetention = days * 24 * time.Hour }})
	customer := s.Account(t)
	b := customer.SignIn(t)
	listed := func() int {
		require.NoError(t, s.Housekeep.Sweep(t.Context()))
		history := answered[struct{ Runs []struct{} }](t, customer.SignIn(t).Get(t, "/app/api/runs"))
		return len(history.Runs)
	}
	var me struct {
		Days int `json:"retention_days"`
	}
	b.Get(t, "/app/api/me").JSON(t, &me)
	require.Equal(t, days, me.Days)
	require.Equal(t, http.StatusOK, b.SendForm(t, "/app/api/reconcile", EightFlags().Form(t)).Status)
	require.Equal(t, 1, listed())
	s.Clock.Advance(days*24*time.Hour - time.Minute)
	require.Equal(t, 1, listed())
	s.Clock.Advance(2 * time.Minute)
	require.Zero(t, listed())
}
