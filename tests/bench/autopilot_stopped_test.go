package bench_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"milaan/config"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/sftp"
	"milaan/tests/fakes/shopify"
	"milaan/tests/service"
)

// waitLimit is how long something may take that comes at once on an idle machine.
const waitLimit = 2 * time.Minute

// TestStopDuringPasses stops a service while one of its passes waits for a shop, and another
// for a courier's server. What it leaves are
// goroutines, and there must be none.
func TestStopDuringPasses(t *testing.T) {
	folder, others := t.TempDir(), shopify.New(t)
	before := goleak.IgnoreCurrent()
	sameFolder := func(c *config.Config) { c.Storage.DataDir, c.Secrets.DataDir = folder, folder }
	a := service.StartAutopilot(t, service.Options{Settings: sameFolder})
	orders, lines := service.ShopOrders(20, service.Morning.AddDate(0, 0, -20), 4*time.Hour)
	server, silent := sftp.New(t, sftp.Options{}), sftp.New(t, sftp.Options{})
	for _, s := range []*sftp.Server{server, silent} {
		s.Put("remittance.csv", sftp.File{Content: []byte(service.Report(lines...)), Modified: service.Morning.Add(-48 * time.Hour)})
	}
	silent.Behave(network.Manners{Silent: true})
	asked, over := make(chan struct{}, 10), make(chan struct{})
	hanging := func(_ http.ResponseWriter, r *http.Request) bool {
		asked <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-over:
		}
		return true
	}
	slow, quick := a.Shops.Add("slow", orders), others.Add("quick", orders)
	slow.Intercept(hanging)
	others.SetClock(a.Clock.Now)
	customer := a.Customer(t)
	connections := []*service.Connection{
		a.Connect(t, customer, "waits for its shop", slow, service.Source("sftp", server.Settings())),
		a.Connect(t, customer, "waits for its courier", quick, service.Source("sftp", silent.Settings())),
	}
	a.Clock.Advance(time.Hour)
	a.Schedule(t)
	<-asked
	require.Eventually(t, func() bool { return silent.Accepted() > 0 }, waitLimit, 10*time.Millisecond)
	a.StopWithin(t, 4*time.Second) // after half of which the passes are ended
	close(over)
	// From now on the shop is gone. Its server keeps the port, which another one could take.
	slow.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		service.Resetting(w, r)
		return true
	})
	for _, s := range []*sftp.Server{server, silent} {
		s.Behave(network.Manners{})
		s.HangUp()
	}
	var left error
	for deadline := time.Now().Add(waitLimit); ; { // goleak itself waits for two seconds
		left = goleak.Find(before,
			goleak.IgnoreAnyFunction("gorm.io/gorm/internal/lru.NewLRU[...].func1"), // two for each database, which the library never ends
			goleak.IgnoreAnyFunction("milaan/tests/fakes/web.(*Server).Serve.func1"), goleak.IgnoreAnyFunction("milaan/tests/fakes/sftp.(*Server).accept"), goleak.IgnoreAnyFunction("milaan/tests/fakes/network.(*unrulyConn).turn"))
		if left == nil || time.Now().After(deadline) {
			break
		}
	}
	require.NoError(t, left)

	// The next start ends them, each in its slot.
	b := service.StartAutopilot(t, service.Options{Now: a.Clock.Now(), Settings: sameFolder})
	for _, c := range connections {
		c.Follow(t, customer, b)
		c.AwaitEnd(t, "")
		require.Len(t, c.Passes(t), 1)
	}
	require.Equal(t, "unreachable", connections[0].Passes(t)[0].Failure.Rule)
	require.Equal(t, "stored", connections[1].Passes(t)[0].Outcome)
}
