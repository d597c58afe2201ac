package bench

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"milaan/adapters/storage"
	"milaan/domain"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

// plainAddress is the variable that makes this program a server of the plain way.
const plainAddress = "MILAAN_BENCH_PLAIN"

func TestMain(m *testing.M) {
	if address := os.Getenv(plainAddress); address != "" {
		fmt.Fprintln(os.Stderr, http.ListenAndServe(address, http.HandlerFunc(answerPlainly)))
		os.Exit(1)
	}
	postgres.Main(m)
}

// answerPlainly knows no accounts and stores nothing.
func answerPlainly(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		w.Header().Set("Content-Type", "application/json")
		err = Plain(body, w)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// loads are what clients send in one round to each of the two. Each client sends one request after
// the other.
var loads = []struct {
	name              string
	rows              int
	full              bool
	clients, requests int
}{
	{"500 rows", 500, false, 1, 100},
	{"50,000 rows", 50_000, false, 1, 2},
	{"25 MB", 27_000, true, 1, 2},
	{"16 clients", 500, false, 16, 800},
	{"64 clients", 500, false, 64, 1600},
	{"256 clients", 500, false, 256, 2560},
}

// BenchmarkService starts the program as people run it, and a server of the plain way, and sends
// both the same requests in turn. Those to the program are stored, and of accounts that keep to
// their rate. It prints how many times as long and how many times the CPU of the plain server the
// program takes, in the middle one of all rounds, and what a request takes on average. CPU and
// memory are read on Linux only.
//
//	go test ./tests/bench -run '^$' -bench Service -benchtime 9x
func BenchmarkService(b *testing.B) {
	program := filepath.Join(b.TempDir(), "milaan")
	built, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "milaan").CombinedOutput()
	require.NoError(b, err, "%s", built)
	for _, of := range []struct {
		name       string
		onPostgres bool
		instances  int
	}{{"SQLite", false, 1}, {"PostgreSQL", true, 1}, {"3 instances", true, 3}} {
		b.Run(of.name, func(b *testing.B) {
			s := startService(b, program, of.onPostgres, of.instances)
			for _, l := range loads {
				body := Draw(l.rows, l.full).Body()
				b.Run(l.name, func(b *testing.B) { s.compare(b, body, l.clients, l.requests) })
			}
		})
	}
}

// service is the program on a database, and the plain server beside it.
type service struct {
	store          *storage.Store
	program, plain side
	database       int // process id of PostgreSQL; 0: there is none
	sent           atomic.Int64
}

// side is the processes of one of the two.
type side struct {
	addresses []string
	processes []int
}

func startService(b *testing.B, program string, onPostgres bool, instances int) *service {
	s, folder, url := &service{}, b.TempDir(), ""
	if onPostgres {
		url = postgres.Database(b)
		s.database = postgres.Process(b)
	}
	s.store = only.Value(storage.Open(b.Context(), storage.Settings{DatabaseURL: url, DataDir: folder}, slog.New(slog.DiscardHandler)))(b)
	b.Cleanup(func() { require.NoError(b, s.store.Close()) })
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	for range instances {
		s.program.start(b, program, "MILAAN_ADDR", "HOME="+folder, "MILAAN_DATA_DIR="+folder, "MILAAN_DATABASE_URL="+url,
			"MILAAN_SECRET_KEY="+hex.EncodeToString(secret[:]))
	}
	self := only.Value(os.Executable())(b)
	s.plain.start(b, self, plainAddress)
	return s
}

// start starts a process, which reads its address in a variable, and waits until it is ready.
func (s *side) start(b *testing.B, program, address string, settings ...string) {
	port := only.Value(postgres.FreePort())(b)
	at := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	c := exec.CommandContext(b.Context(), program)
	c.Env = append(settings, address+"="+at)
	require.NoError(b, c.Start())
	b.Cleanup(func() { _ = c.Wait() }) // the context has ended
	require.Eventually(b, func() bool {
		response, err := http.Get("http://" + at + "/readyz")
		return err == nil && response.Body.Close() == nil && response.StatusCode != http.StatusServiceUnavailable
	}, time.Minute, 10*time.Millisecond)
	s.addresses, s.processes = append(s.addresses, at), append(s.processes, c.Process.Pid)
}

func (s *service) account(ctx context.Context) (string, error) {
	now, random := time.Now(), [32]byte{}
	_, _ = rand.Read(random[:]) // never fails
	a := domain.Account{
		ID: uuid.NewString(), Email: uuid.NewString() + "@shop.example", Plan: domain.Enterprise, Subscription: domain.SubscriptionActive,
		SubscribedOn: domain.DayOf(now), PlanSince: domain.DayOf(now), BillingDay: 1, PhoneVerified: true, CreatedAt: now,
	}
	if err := storage.New[storage.Accounts](s.store, nil).Create(ctx, a); err != nil {
		return "", err
	}
	secret, hash := domain.MintKey(domain.LiveKey, random)
	key := domain.APIKey{ID: uuid.NewString(), AccountID: a.ID, Kind: domain.LiveKey, Hash: hash, Prefix: domain.ShownPrefix(secret), IssuedAt: now}
	return secret, storage.New[storage.Keys](s.store, nil).Rotate(ctx, key, domain.SecurityEvent{})
}

// spent is what the requests of a round took.
type spent struct {
	wall, cpu, database, clients time.Duration
	waits                        []time.Duration
}

// compare sends both sides requests in turn, and prints what they took.
func (s *service) compare(b *testing.B, body []byte, clients, requests int) {
	var program, plain spent
	var time, cpu []float64
	round := func() (spent, spent) {
		return s.round(b, s.program, body, s.keys(b, requests), clients, requests), s.round(b, s.plain, body, []string{""}, clients, requests)
	}
	round() // warms both up
	for b.Loop() {
		p, q := round()
		time, cpu = append(time, ratio(p.wall, q.wall)), append(cpu, ratio(p.cpu, q.cpu))
		program.add(p)
		plain.add(q)
	}
	slices.Sort(program.waits)
	for unit, value := range map[string]float64{
		"ns/op":            0, // is of no use here, and is not printed
		"x-plain-time":     middle(time),
		"x-plain-cpu":      middle(cpu),
		"requests/s":       float64(len(program.waits)) / program.wall.Seconds(),
		"plain-requests/s": float64(len(plain.waits)) / plain.wall.Seconds(),
		"cpu-ms":           program.each(program.cpu),
		"plain-cpu-ms":     plain.each(plain.cpu),
		"database-cpu-ms":  program.each(program.database),
		"client-cpu-ms":    program.each(program.clients),
		"p50-ms":           milliseconds(program.waits[len(program.waits)/2]),
		"p99-ms":           milliseconds(program.waits[len(program.waits)*99/100]),
		"MiB":              s.program.memory() / (1 << 20),
	} {
		b.ReportMetric(value, unit)
	}
}

func (s *spent) add(round spent) {
	s.wall, s.cpu, s.database, s.clients = s.wall+round.wall, s.cpu+round.cpu, s.database+round.database, s.clients+round.clients
	s.waits = append(s.waits, round.waits...)
}

// each is what one request took of a sum, in milliseconds.
func (s *spent) each(sum time.Duration) float64 { return milliseconds(sum) / float64(len(s.waits)) }

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

// keys makes as many accounts as may send a number of requests at once, and returns their keys.
func (s *service) keys(b *testing.B, requests int) []string {
	keys := make([]string, (requests-1)/domain.KeyRate.Limit+1)
	for i := range keys {
		keys[i] = only.Value(s.account(b.Context()))(b)
	}
	return keys
}

// round sends requests to one side, with each key in turn.
func (s *service) round(b *testing.B, to side, body []byte, keys []string, clients, requests int) spent {
	var sending errgroup.Group
	var next atomic.Int64
	start := make(chan struct{})
	took := spent{waits: make([]time.Duration, requests)}
	for n := range clients {
		conn := only.Value(new(net.Dialer).DialContext(b.Context(), "tcp", to.addresses[n%len(to.addresses)]))(b)
		defer func() { _ = conn.Close() }()
		sending.Go(func() error {
			<-start
			answers := bufio.NewReaderSize(conn, 1<<16)
			for i := int(next.Add(1)) - 1; i < requests; i = int(next.Add(1)) - 1 {
				began := time.Now()
				if err := post(conn, answers, keys[i%len(keys)], s.sent.Add(1), body); err != nil {
					return err
				}
				took.waits[i] = time.Since(began)
			}
			return nil
		})
	}
	began, cpu, database, own := time.Now(), cpuOf(to.processes...), cpuOfFamily(s.database), cpuOf(os.Getpid())
	close(start)
	require.NoError(b, sending.Wait())
	took.wall, took.cpu, took.database, took.clients = time.Since(began), cpuOf(to.processes...)-cpu, cpuOfFamily(s.database)-database, cpuOf(os.Getpid())-own
	return took
}

// post sends a request under a brand of its own, so that it is no duplicate, and reads the answer.
// It is less work for the client than package http, which would take CPU from the servers.
func post(conn net.Conn, answers *bufio.Reader, key string, brand int64, body []byte) error {
	branded := fmt.Sprintf(`{"brand":"%d",`, brand)
	head := fmt.Sprintf("POST /reconcile HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\n\r\n%s", key, len(branded)+len(body)-1, branded)
	if _, err := (&net.Buffers{[]byte(head), body[1:]}).WriteTo(conn); err != nil {
		return err
	}
	response, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK || key != "" && response.Header.Get("X-Run-Id") == "" {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 500))
		return fmt.Errorf("answered %d and stored %q: %s", response.StatusCode, response.Header.Get("X-Run-Id"), text)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

func middle(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// memory is what is resident of the processes, in bytes.
func (s *side) memory() (sum float64) {
	for _, p := range s.processes {
		if stat := statOf(p); len(stat) > 21 {
			pages, _ := strconv.Atoi(stat[21]) // digits
			sum += float64(pages * os.Getpagesize())
		}
	}
	return sum
}

// cpuOf is the CPU time of processes; 0 where there is no /proc.
func cpuOf(processes ...int) (sum time.Duration) {
	for _, p := range processes {
		sum += ticks(statOf(p), 11, 12)
	}
	return sum
}

// cpuOfFamily is that of a process and of its children, of those too that have ended.
func cpuOfFamily(process int) time.Duration {
	if process == 0 {
		return 0
	}
	sum := ticks(statOf(process), 11, 12, 13, 14)
	others, _ := filepath.Glob("/proc/[0-9]*")
	for _, other := range others {
		id, _ := strconv.Atoi(filepath.Base(other)) // digits
		if stat := statOf(id); len(stat) > 1 && stat[1] == strconv.Itoa(process) {
			sum += ticks(stat, 11, 12)
		}
	}
	return sum
}

// statOf is what the kernel says of a process after its name: its state, its parent and so on.
func statOf(process int) []string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	return strings.Fields(string(text[strings.LastIndex(string(text), ")")+1:]))
}

// ticks is the sum of some fields, which count hundredths of a second.
func ticks(stat []string, fields ...int) (sum time.Duration) {
	for _, f := range fields {
		if f < len(stat) {
			n, _ := strconv.Atoi(stat[f]) // digits
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}
