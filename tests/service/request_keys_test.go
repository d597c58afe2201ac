package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"golang.org/x/sync/errgroup"

	"milaan/domain"
	"milaan/ports"
)

const (
	keyReused  = "this Idempotency-Key stands for another request"
	keyRunning = "a request with this Idempotency-Key is under way"
)

// TestRequestKeys holds what an Idempotency-Key does (guide: limits 4).
func TestRequestKeys(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{Settings: OnLoopback})
	t.Run("decisions 5 the same request under the same key is answered again and not done again", func(t *testing.T) {
		c, e := s.Customer(t, OnPlan(domain.Enterprise)), NewEndpoint(t, nil)
		c.Watch(t, e)
		before := s.Runs(t)
		first := c.Keyed(t, "/reconcile", "k", EightFlags())
		require.Nil(t, first.Run(t).Duplicate)
		require.NotEmpty(t, first.Header.Get("X-Run-Id"))
		s.Clock.Advance(domain.ClaimSpan - time.Microsecond)
		c.Change(t, func(a *domain.Account) { none := 0; a.RunCap = &none })
		c.Keyed(t, "/reconcile", "k", EightFlags()).Repeats(t, first)
		spelled, err := json.MarshalIndent(EightFlags().With("unknown", 7).With("brand", nil).With("columns", nil), " ", "\t")
		require.NoError(t, err)
		spelled = bytes.Replace(spelled, []byte("AWB1001"), []byte(`\u0041WB1001`), 1)
		c.KeyedText(t, "/reconcile", " k ", spelled).Repeats(t, first)
		require.Equal(t, before+1, s.Runs(t))
		require.Len(t, c.Deliveries(t), 1, "it is announced once")
		require.Len(t, e.Calls(), 1)
		c.Keyed(t, "/reconcile", "K", EightFlags()).Refused(t, 429, "Run limit of 0/month reached")

		s.Clock.Advance(time.Microsecond)
		c.Keyed(t, "/reconcile", "k", EightFlags()).Refused(t, 429, "Run limit of 0/month reached")
		c.Change(t, func(a *domain.Account) { a.RunCap = nil })
		afresh := c.Keyed(t, "/reconcile", "k", Named("after 24 h the key is free"))
		require.Nil(t, afresh.Run(t).Duplicate)
	})
	t.Run("decisions 5 a key stands for one request", func(t *testing.T) {
		c := s.Customer(t, Capped(1))
		require.Equal(t, http.StatusOK, c.Keyed(t, "/reconcile", "k", Small()).Status)
		for _, other := range []Body{Named("b"), Small().With("brand", "default"), Small().With("overdue_threshold_days", 7), badFile()} {
			a := c.Keyed(t, "/reconcile", "k", other)
			a.Refused(t, 409, keyReused)
			require.Empty(t, a.Header.Get("Retry-After"))
		}
		c.Keyed(t, "/reconcile/batch", "k", Jobs(Named("b"))).Refused(t, 409, keyReused)
		require.Equal(t, http.StatusAccepted, c.Keyed(t, "/reconcile/batch", "batch", Jobs(Named("b"))).Status)
		c.Keyed(t, "/reconcile", "batch", Named("b")).Refused(t, 409, keyReused)
		c.Keyed(t, "/reconcile/batch", "batch", Jobs(Named("c"))).Refused(t, 409, keyReused)
	})
	t.Run("decisions 5 a first request may be a duplicate itself", func(t *testing.T) {
		c := s.Customer(t, Capped(1))
		plain := c.Reconcile(t, Small())
		c.Keyed(t, "/reconcile", "k", Small()).Repeats(t, plain)
		s.Clock.Advance(time.Hour)
		c.Keyed(t, "/reconcile", "k", Small()).Repeats(t, plain)
	})
	t.Run("decisions 5 a batch is taken once under a key", func(t *testing.T) {
		c, e := s.Customer(t), NewEndpoint(t, nil)
		jobs := Jobs(Named("one"), Named("two")).With("webhook_url", e.URL)
		first := c.Keyed(t, "/reconcile/batch", "k", jobs)
		receipt := first.Accepted(t)
		c.Await(t, receipt.BatchID, domain.BatchComplete)
		again := func() {
			a := c.Keyed(t, "/reconcile/batch", "k", jobs)
			want := AcceptedBatch{OK: true, BatchID: receipt.BatchID, Jobs: 2, Status: "complete", Estimate: new(int64(0))}
			require.Equal(t, want, a.Accepted(t))
			require.Equal(t, first.Header.Get("Location"), a.Header.Get("Location"))
		}
		again()
		s.Clock.Advance(domain.ClaimSpan - time.Second)
		require.NoError(t, s.Housekeep.Sweep(t.Context()))
		again()
		require.Len(t, s.Query(t, "SELECT id FROM batches WHERE account_id = '"+c.ID(t)+"'"), 1)
		require.Len(t, s.Query(t, "SELECT id FROM runs WHERE account_id = '"+c.ID(t)+"'"), 2)
		c.Deliveries(t)
		require.Len(t, e.Calls(), 1)
		s.Clock.Advance(time.Second)
		a := c.Keyed(t, "/reconcile/batch", "k", jobs)
		require.Equal(t, http.StatusAccepted, a.Status)
		require.NotEqual(t, first.Header.Get("Location"), a.Header.Get("Location"))
	})
	t.Run("decisions 5 a key is 1 to 255 printable characters, once", func(t *testing.T) {
		c := s.Customer(t)
		for path, body := range map[string]Body{"/reconcile": Small(), "/reconcile/batch": Jobs(Named("b"))} {
			for _, key := range []string{"", "   ", "a\tb", "clé", strings.Repeat("k", 256)} {
				c.Keyed(t, path, key, body).Refused(t, 400, "Idempotency-Key must be 1 to 255 printable characters")
			}
			s.Clock.Advance(time.Minute)
		}
		text, err := json.Marshal(Small())
		require.NoError(t, err)
		r := s.Request(t, http.MethodPost, "/reconcile", bytes.NewReader(text))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + c.Key}, "Idempotency-Key": {"a", "a"}}
		s.Do(t, r).Refused(t, 400, "Idempotency-Key is there more than once")
		require.Equal(t, http.StatusOK, c.Keyed(t, "/reconcile", strings.Repeat("~", 255), Small()).Status)
	})
	t.Run("decisions 5 repeats count towards the rate", func(t *testing.T) {
		c := s.Customer(t)
		for range 10 {
			require.Equal(t, http.StatusOK, c.Keyed(t, "/reconcile", "k", Small()).Status)
		}
		c.Keyed(t, "/reconcile", "k", Small()).Refused(t, 429, "Rate limit exceeded")
	})
	t.Run("decisions 5 a repeat saves no mapping", func(t *testing.T) {
		c := s.Customer(t, OnPlan(domain.Enterprise))
		byValue := Small().With("courierName", "delhivery").With("courier", byOrderValue)
		first := c.Keyed(t, "/reconcile", "k", byValue)
		require.Equal(t, "400", paid(t, c, "AWB No,COD Amount,Remittance Date\nAWB1001,400,2026-10-10\n"), "a report of other columns comes between")
		c.Keyed(t, "/reconcile", "k", byValue).Repeats(t, first)
		require.Equal(t, "400", paid(t, c, byBoth), "and its columns are the saved ones")
	})
	t.Run("decisions 5 request keys are forgotten after 24 h", func(t *testing.T) {
		s.Clock.Advance(domain.ClaimSpan)
		c := s.Customer(t)
		c.Keyed(t, "/reconcile", "k", Small())
		require.Greater(t, s.Claims(t), 1)
		s.Clock.Advance(time.Microsecond)
		require.NoError(t, s.Housekeep.Sweep(t.Context()))
		require.Equal(t, 1, s.Claims(t), "all others are older")
	})
	t.Run("repeats are a figure of their own", func(t *testing.T) {
		text := string(s.Get(t, "/metrics").Body)
		require.Contains(t, text, `milaan_runs_total{outcome="repeat"}`)
		require.Contains(t, text, `milaan_runs_total{outcome="idempotency_key_reused"}`)
	})
}

// TestRequestKeysUnderWay holds what others are answered while the first request
// under a key is being made.
func TestRequestKeysUnderWay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db database) {
		start := func(t *testing.T) (*Service, *Brake) {
			brake, brakes := NewBrake()
			s := Start(t, Options{DatabaseURL: db(t), Broken: brakes})
			t.Cleanup(brake.LetGo)
			return s, brake
		}
		send := func(t *testing.T, c *Customer, body Body) <-chan Answer {
			answers := make(chan Answer, 1)
			go func() { answers <- c.Keyed(t, "/reconcile", "k", body) }()
			return answers
		}
		t.Run("decisions 5 while the first is under way the answer is 409", func(t *testing.T) {
			s, brake := start(t)
			c := s.Customer(t, Capped(0))
			answers := send(t, c, Held("b"))
			require.Eventually(t, func() bool { return brake.Held() == 1 }, workTime, pause)
			a := c.Keyed(t, "/reconcile", "k", Held("b"))
			a.Refused(t, 409, keyRunning)
			require.Equal(t, "5", a.Header.Get("Retry-After"))
			c.Keyed(t, "/reconcile", "k", Held("other")).Refused(t, 409, keyReused)
			c.Keyed(t, "/reconcile/batch", "k", Jobs(Held("b"))).Refused(t, 409, keyReused)
			require.Equal(t, 1, brake.Held(), "their files are not read")
			c.Change(t, func(a *domain.Account) { a.RunCap = nil })
			brake.LetGo()
			first := <-answers
			require.Nil(t, first.Run(t).Duplicate)
			c.Keyed(t, "/reconcile", "k", Held("b")).Repeats(t, first)
		})
		t.Run("decisions 5 who has lost the key meanwhile stores nothing", func(t *testing.T) {
			s, brake := start(t)
			c := s.Customer(t, OnPlan(domain.Enterprise))
			before := s.Runs(t)
			suspended := send(t, c, Held("b"))
			require.Eventually(t, func() bool { return brake.Held() == 1 }, workTime, pause)
			var second <-chan Answer
			for brake.Held() == 1 {
				s.Clock.Advance(time.Minute)
				second = send(t, c, Held("b"))
				require.Eventually(t, func() bool {
					select {
					case a := <-second: // the lease was renewed in that very moment
						a.Refused(t, 409, keyRunning)
						return true
					default:
						return brake.Held() == 2
					}
				}, workTime, pause)
			}
			brake.LetGo()
			a := <-suspended
			a.Refused(t, 409, keyRunning)
			require.Equal(t, "5", a.Header.Get("Retry-After"))
			one := <-second
			require.Nil(t, one.Run(t).Duplicate)
			require.Equal(t, before+1, s.Runs(t))
			c.Keyed(t, "/reconcile", "k", Held("b")).Repeats(t, one)
		})
		t.Run("decisions 5 a client that goes away leaves no trace of its key", func(t *testing.T) {
			s, brake := start(t)
			c := s.Customer(t)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			text, err := json.Marshal(Held("b"))
			require.NoError(t, err)
			r := s.Request(t, http.MethodPost, "/reconcile", bytes.NewReader(text)).WithContext(ctx)
			r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + c.Key}, "Idempotency-Key": {"k"}}
			gone := make(chan error, 1)
			go func() {
				response, err := s.client.Do(r)
				if err == nil {
					_ = response.Body.Close()
				}
				gone <- err
			}()
			require.Eventually(t, func() bool { return brake.Held() == 1 }, workTime, pause)
			leave()
			require.ErrorIs(t, <-gone, context.Canceled)
			brake.LetGo()
			claim := func() string { // of the run that was made, if the service had not noticed yet
				for _, row := range s.Query(t, "SELECT COALESCE(run_id, 'none') FROM claims WHERE account_id = '"+c.ID(t)+"'") {
					return row[0]
				}
				return "free"
			}
			require.Eventually(t, func() bool { return claim() != "none" }, workTime, pause)
			if made := claim(); made != "free" {
				require.Equal(t, made, *c.Keyed(t, "/reconcile", "k", Held("b")).Run(t).RunID)
				return
			}
			require.Nil(t, c.Keyed(t, "/reconcile", "k", Named("free")).Run(t).Duplicate)
		})
	})
}

// TestFailuresLeaveNoTraceOfTheirKey sends requests that fail, each under the
// same key.
func TestFailuresLeaveNoTraceOfTheirKey(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{FaultsExpected: true, Settings: OnLoopback,
		Broken: fx.Decorate(func(f ports.Storefronts) ports.Storefronts { return panickyStorefront{f} })})
	t.Run("decisions 5 a request that failed leaves no trace of its key", func(t *testing.T) {
		c := s.Customer(t, Capped(0))
		for _, failing := range []struct {
			path   string
			body   Body
			status int
		}{
			{"/reconcile", Small().Without("courier"), 400},
			{"/reconcile", badFile(), 429},
			{"/reconcile", Small(), 429},
			{"/reconcile", Small().With("shopify", "PANIC"), 500},
			{"/reconcile/batch", Jobs(Small()), 400},
		} {
			a := c.Keyed(t, failing.path, "k", failing.body)
			require.Equal(t, failing.status, a.Status, string(a.Body))
			require.Zero(t, s.Claims(t))
		}
		c.Change(t, func(a *domain.Account) { a.RunCap = nil })
		c.Keyed(t, "/reconcile", "k", badFile()).Refused(t, 400, "courier file (courier)")
		require.Zero(t, s.Claims(t))
		first := c.Keyed(t, "/reconcile", "k", Small())
		require.Nil(t, first.Run(t).Duplicate)
		c.Keyed(t, "/reconcile", "k", Small()).Repeats(t, first)
	})
}

// panickyStorefront panics at an export that says so.
type panickyStorefront struct{ ports.Storefronts }

func (p panickyStorefront) Orders(content ports.Content) ports.OrdersReader {
	if string(content.Bytes) == "PANIC" {
		return panickyExport{}
	}
	return p.Storefronts.Orders(content)
}

type panickyExport struct{ ports.OrdersReader }

func (panickyExport) Size() int64               { return 0 }
func (panickyExport) Read(*domain.Orders) error { panic("row 9") }

// TestRequestKeysUnderLoad has many clients use few keys at once. Each repeats
// what it has sent until it is answered otherwise than by a 409 that says so.
func TestRequestKeysUnderLoad(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		t.Run("decisions 5 of equal requests at once one is made", func(t *testing.T) {
			const accounts, rivals = 10, 10
			before := s.Runs(t)
			customers := make([]*Customer, accounts)
			for i := range customers {
				customers[i] = s.Customer(t, Capped(1))
			}
			answers := sendAtOnce(accounts*rivals, func(i int) Answer { return customers[i/rivals].Keyed(t, "/reconcile", "k", Small()) })
			for ofAccount := range slices.Chunk(answers, rivals) {
				first := slices.IndexFunc(ofAccount, func(a Answer) bool { return a.Header.Get("X-Run-Id") != "" })
				require.GreaterOrEqual(t, first, 0, "none was made")
				for _, a := range slices.Delete(slices.Clone(ofAccount), first, first+1) {
					if a.Status != http.StatusOK {
						a.Refused(t, 409, keyRunning)
						continue
					}
					a.Repeats(t, ofAccount[first])
				}
			}
			require.Equal(t, before+accounts, s.Runs(t))
		})
		t.Run("decisions 5 as many runs are stored as keys have succeeded", func(t *testing.T) {
			const accounts, requests = 24, 10
			before := s.Runs(t)
			type success struct{ account, key string }
			var mu sync.Mutex
			runs, bodies := map[success]string{}, map[success]string{}
			var clients errgroup.Group
			clients.SetLimit(48)
			for range accounts {
				c := s.Customer(t, OnPlan(domain.Enterprise))
				for range requests {
					key, variant := fmt.Sprint("key ", rand.IntN(4)), fmt.Sprint(rand.IntN(5)/4) // one in five is another request
					clients.Go(func() error {
						brand := key + " " + variant
						body := Named(brand)
						if rand.IntN(8) == 0 {
							body = badFile().With("brand", brand) // and one in eight fails
						}
						a := c.Keyed(t, "/reconcile", key, body)
						mu.Lock()
						defer mu.Unlock()
						of := success{c.Email, key}
						switch a.Status {
						case http.StatusOK:
							id := a.Header.Get("X-Run-Id")
							if run := a.Run(t); run.Duplicate != nil {
								id = *run.RunID
							}
							if known := runs[of]; known != "" && (known != id || bodies[of] != brand) {
								t.Errorf("one key has two runs: %s of %q and %s of %q", known, bodies[of], id, brand)
							}
							runs[of], bodies[of] = id, brand
						case http.StatusConflict:
						default:
							a.Refused(t, 400, "courier file (courier)")
						}
						return nil
					})
				}
			}
			require.NoError(t, clients.Wait())
			require.Equal(t, before+len(runs), s.Runs(t))
			require.Greater(t, len(runs), accounts)
		})
	})
}
