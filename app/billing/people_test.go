package billing_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	fake "milaan/tests/fakes/razorpay"
	"milaan/tests/only"
)

// open counts the subscriptions for which somebody could still be charged beyond what is paid.
func (b *billed) open() (n int) {
	for _, s := range b.razorpay.All() {
		if s.Status != "cancelled" && s.Status != "expired" && s.Status != "completed" && !s.AtEnd {
			n++
		}
	}
	return n
}

// paidOnce holds that no moment was paid for twice.
func (b *billed) paidOnce(t *testing.T) {
	t.Helper()
	all := b.razorpay.Charged()
	for i, one := range all {
		for _, other := range all[:i] {
			if one.From < other.Until && other.From < one.Until {
				t.Fatalf("%v and %v are for the same time", other, one)
			}
		}
	}
}

// halted has a subscription whose charges have failed for three days.
func halted(t *testing.T) (b *billed, old string) {
	t.Helper()
	b = newBilled(t, noonOf(2026, 10, 14))
	old = b.subscribed(t, "pro_m", "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Failing = true })
	b.now = noonOf(2026, 11, 14)
	for range 2 {
		b.razorpay.Pass()
		b.now = b.now.AddDate(0, 0, 3)
	}
	return b, old
}

// refuse has Razorpay answer some requests with a status, and do nothing.
func (b *billed) refuse(status int, is func(r *http.Request) bool) {
	b.razorpay.Answer(func(w http.ResponseWriter, r *http.Request) bool {
		refused := is(r)
		if refused {
			w.WriteHeader(status)
		}
		return refused
	})
}

func isChange(r *http.Request) bool { return r.Method == http.MethodPatch }

// makesOne says whether a request makes a subscription.
func makesOne(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/subscriptions")
}

// tells has the service look at subscriptions, as notices do.
func (b *billed) tells(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		require.NoError(t, b.billing.Do(t.Context(), jobOf(id)))
	}
}

func (b *billed) start(t *testing.T, plan string) (domain.BilledSubscription, error) {
	return b.managing.Start(t.Context(), "1", plan, domain.ByAPI)
}

// anew lets a subscription to another plan take the place of the active one.
func (b *billed) anew(t *testing.T, plan string, endsNow *bool) (ports.AccountBilling, error) {
	return b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: plan, Anew: true, EndsNow: endsNow}, domain.ByAPI)
}

func (b *billed) begun(t *testing.T, plan string) domain.BilledSubscription {
	t.Helper()
	return only.Value(b.start(t, plan))(t)
}

func (b *billed) buys(t *testing.T, plan string) error {
	_, err := b.start(t, plan)
	return err
}

func (b *billed) replaces(t *testing.T, plan string, endsNow *bool) error {
	_, err := b.anew(t, plan, endsNow)
	return err
}

func (b *billed) cancel(t *testing.T, endsNow *bool) error {
	_, err := b.managing.Cancel(t.Context(), "1", endsNow, domain.ByAPI)
	return err
}

func (b *billed) previewed(t *testing.T, plan string) ports.BillingPreview {
	t.Helper()
	return only.Value(b.managing.Preview(t.Context(), "1", plan))(t)
}

func (b *billed) shown(t *testing.T) ports.AccountBilling {
	t.Helper()
	return only.Value(b.managing.Show(t.Context(), "1"))(t)
}

// ends are the ways in which people end a subscription.
var ends = map[string]func(b *billed, t *testing.T, endsNow *bool) error{
	"cancel": (*billed).cancel,
	"change": func(b *billed, t *testing.T, endsNow *bool) error { return b.replaces(t, "solo_m", endsNow) },
}

// agreed makes a subscription at Razorpay to which its customer has agreed.
func (b *billed) agreed(t *testing.T, plan, method string) string {
	t.Helper()
	id := b.razorpay.Create(plan, "1")
	require.True(t, b.razorpay.Authorize(id, method))
	b.tells(t, id)
	return id
}

// subscribed begins a subscription and has its customer agree.
func (b *billed) subscribed(t *testing.T, plan, method string) string {
	t.Helper()
	made := b.begun(t, plan)
	require.True(t, b.razorpay.Authorize(made.ID, method))
	b.tells(t, made.ID)
	return made.ID
}

// newSubscribed has a subscription to Pro.
func newSubscribed(t *testing.T, method string) (b *billed, id string) {
	b = newBilled(t, noonOf(2026, 10, 14))
	return b, b.subscribed(t, "pro_m", method)
}

// atCancel does something once, before Razorpay is done with the cancellation of a subscription.
func (b *billed) atCancel(id string, do func()) {
	var once sync.Once
	b.razorpay.Answer(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, id+"/cancel") {
			once.Do(do)
		}
		return false
	})
}

// storeActive stores a subscription as a notice of its charge would.
func (b *billed) storeActive(t *testing.T, id string) {
	version := only.Value(b.book.Version(t.Context(), id))(t)
	all := only.Value(b.book.Of(t.Context(), "1"))(t)
	sub := all[slices.IndexFunc(all, func(s domain.BilledSubscription) bool { return s.ID == id })]
	sub.Status = domain.BilledActive
	sub.Charges++
	_, err := b.book.Apply(t.Context(), ports.FetchedSubscription{Subscription: sub, Version: version}, b.now, domain.SecurityEvent{})
	require.NoError(t, err)
}
