package processes_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/razorpay"
	"milaan/tests/fakes/smtp"
)

// outside is everybody whom a service tells something, or asks.
type outside struct {
	endpoint *receiver
	office   *smtp.Server
	razorpay *razorpay.Server
	stage    *autopilotStage
	accounts []account
	settings []string
}

// newOutside makes them, and two accounts: the first one has a webhook, and a connection that is due.
func newOutside(t *testing.T, in *installation) *outside {
	t.Helper()
	for _, secret := range []string{razorpay.KeySecret, razorpay.WebhookSecret, razorpay.FormerSecret} {
		in.hide("a secret of Razorpay", secret)
	}
	o := &outside{endpoint: newReceiver(t), office: smtp.New(t, "", ""), stage: newStage(t, 30), accounts: in.accounts(t, 2, -1),
		razorpay: razorpay.New(t, time.Now, razorpay.PlanOf("plan_pro", "monthly"))}
	o.settings = append(soldAt(o.razorpay), toThisMachine, "MILAAN_CONNECTION_ALLOW_LOOPBACK=true",
		"MILAAN_SMTP_URL=smtp://"+o.office.Addr, "MILAAN_MAIL_FROM=Milaan <milaan@milaan.example>", "MILAAN_PUBLIC_URL=http://127.0.0.1:1")
	in.watch(t, o.endpoint, o.accounts...)
	stored, done := in.connectionsOf(t)
	defer done()
	shop, settings := o.stage.shop(t, "held", 30)
	source, put := o.stage.bucketSource(t, 0, "held")
	put(o.stage.report(0, 30)) // recent ones are among them, so that there is no alarm
	o.stage.add(t, stored, &staged{manner: healthy, shop: shop}, o.accounts[0].id, settings, []domain.ReportSource{source}, time.Now())
	return o
}

// told is what was sent and asked so far.
type told struct{ events, posts, mails, subscriptions, passes int }

func (o *outside) told() told {
	got := told{events: len(o.endpoint.seen()), mails: len(o.office.Mails()), subscriptions: len(o.razorpay.Asked()), passes: o.stage.requests()}
	for _, posts := range o.endpoint.seen() {
		got.posts += len(posts)
	}
	return got
}

// everything has a service do all that leads to something being sent: a run and a batch, each of which
// is announced, an invitation, and a subscription that changes.
func (o *outside) everything(t *testing.T, in *installation, r *replica, brand string) {
	t.Helper()
	outcomeOf(t, r.reconcile(t, o.accounts[0].key, brand))
	batch := r.submit(t, o.accounts[1], bytes.NewReader(batchBody([]string{brand + " of a batch"})))
	in.awaitBatch(t, batch)
	in.succeed(t, o.settings, "people", "invite", "--email", in.emailOf(t, o.accounts[0]), "--person", "ca-"+brand+"@books.example", "--role", "accountant")
	if len(o.razorpay.All()) == 0 {
		id := o.razorpay.Create("plan_pro", o.accounts[1].id)
		require.Equal(t, http.StatusOK, postNotice(t, r, o.razorpay.Notify("subscription.activated", id)))
	}
}

func (in *installation) emailOf(t *testing.T, a account) string {
	t.Helper()
	return in.query(t, "SELECT email FROM accounts WHERE id = '"+a.id+"'", 1)[0][0]
}

// A service that is held serves, and sends and asks nothing; what a person would wait for is refused. A
// resume is seen by all instances within seconds, and each event and mail is sent once.
func TestAHeldServiceSendsNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, in *installation) {
		o := newOutside(t, in)
		require.Regexp(t, `^The service is held since \S+ \d\d:\d\d IST:`, in.succeed(t, o.settings, "hold"))
		replicas := []*replica{in.start(t, o.settings...), in.start(t, o.settings...)}
		for i, r := range replicas {
			o.everything(t, in, r, brandOf(i))
			require.JSONEq(t, `{"status":"ok","held":true}`, string(get(t, r.url+"/readyz").body))
			require.Contains(t, r.journal.text(), "the service is held")
			require.Contains(t, string(get(t, r.url+"/metrics").body), "\nmilaan_held 1\n")
		}
		await(t, "a look for passes that are due", func() bool {
			return in.count(t, "SELECT COUNT(*) FROM river_job WHERE queue = 'look_schedule' AND state = 'completed'") > 0
		})
		require.Zero(t, in.count(t, "SELECT COUNT(*) FROM passes"))
		require.Equal(t, told{}, o.told(), "since before the last heartbeats")
		email := in.emailOf(t, o.accounts[0])
		for _, refused := range [][]string{
			{"webhook", "test", "--email", email},
			{"account", "subscription", "start", "--email", email, "--plan", "pro"},
			{"account", "phone", "send", "--email", email, "--number", "+91 98765 43210"},
		} {
			got := in.runWith(t, append(o.settings, "MILAAN_OTP=log"), refused...)
			require.Equal(t, 1, got.code, refused)
			require.Contains(t, got.stderr, "milaan resume ends that", refused)
		}
		signedIn := in.people(t, o.accounts[0])[0]
		require.Contains(t, string(replicas[0].asPage(t, http.MethodGet, "me", signedIn.cookie, "", nil).body), `"held":true`)
		for _, asked := range o.razorpay.Asked() {
			require.True(t, strings.HasPrefix(asked, http.MethodGet), asked)
		}

		require.Equal(t, "The service is resumed: 4 events and 2 mails are sent now, and the autopilot goes on.\n", in.succeed(t, o.settings, "resume"))
		await(t, "what has waited to be sent", func() bool {
			got := o.told()
			return got.events >= 5 && got.mails == 2 && got.subscriptions > 0 && got.passes > 0
		})
		got := o.told()
		require.Equal(t, 5, got.events, "with the run of the autopilot")
		require.Equal(t, 5, got.posts, "each once")
		for _, r := range replicas {
			await(t, "an instance to see it", func() bool { return string(get(t, r.url+"/readyz").body) == `{"status":"ok"}` })
		}
		for _, r := range replicas {
			r.stop(t)
		}
	})
}

// A resume that discards drops what waited when the hold began, and sends what came since.
func TestAResumeThatDiscards(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, in *installation) {
		o := newOutside(t, in)
		in.succeed(t, o.settings, "hold") // before anything waits
		r := in.start(t, o.settings...)
		o.everything(t, in, r, brandOf(7))
		in.exec(t, "UPDATE service_facts SET value = '"+now()+"' WHERE name = 'held_since_us'") // as if it had been restored now
		outcomeOf(t, r.reconcile(t, o.accounts[0].key, "since then"))
		said := in.succeed(t, o.settings, "resume", "--discard")
		require.Contains(t, said, ": 2 events, 1 mail.\nThe service is resumed: 1 event and 0 mails are sent now")
		await(t, "the event since then, and that of the autopilot", func() bool { return o.told().events == 2 })
		await(t, "nothing to wait any more", func() bool { return in.count(t, "SELECT COUNT(*) FROM jobs WHERE kind IN ('deliver', 'mail')") == 0 })
		require.Equal(t, 2, o.told().posts)
		require.Empty(t, o.office.Mails())
		require.Equal(t, "The service is not held: there is nothing to resume.\n", in.succeed(t, o.settings, "resume"))
		r.stop(t)
	})
}

// now is the time as the database has it.
func now() string { return fmt.Sprint(time.Now().UnixMicro()) }

// soldAt are the settings of a service that sells subscriptions at a fake Razorpay.
func soldAt(fake *razorpay.Server) []string {
	return []string{"MILAAN_RAZORPAY_KEY_ID=" + razorpay.KeyID, "MILAAN_RAZORPAY_KEY_SECRET=" + razorpay.KeySecret,
		"MILAAN_RAZORPAY_WEBHOOK_SECRETS=" + razorpay.FormerSecret + "," + razorpay.WebhookSecret,
		"MILAAN_RAZORPAY_PLANS=plan_pro=pro,plan_solo=solo", "MILAAN_RAZORPAY_URL=" + fake.URL()}
}

// postNotice posts a notice, and returns 0 if there was no answer.
func postNotice(t *testing.T, r *replica, n razorpay.Notice) int {
	return send(browser, request(t, http.MethodPost, r.url+"/hooks/razorpay", bytes.NewReader(n.Body),
		"Content-Type", "application/json", "X-Razorpay-Signature", n.Signature, "X-Razorpay-Event-Id", n.ID)).status
}
