package bench

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/postgres"
)

// BenchmarkStart starts the program in turn with a plain one, which does nothing but what each
// Go program with net/http does. It prints how many times as long the program takes, in the middle
// one of all rounds: until the command reconcile has compared 500 orders, and until the service
// is ready with an empty folder.
//
//	go test ./tests/bench -run '^$' -bench Start -benchtime 41x
func BenchmarkStart(b *testing.B) {
	folder := b.TempDir()
	program, plain := filepath.Join(folder, "milaan"), filepath.Join(folder, "hello")
	for at, of := range map[string]string{program: "milaan", plain: "./testdata/hello"} {
		built, err := exec.CommandContext(b.Context(), "go", "build", "-ldflags=-s -w", "-o", at, of).CombinedOutput()
		require.NoError(b, err, "%s", built)
	}
	files := Draw(500, false)
	orders, report := filepath.Join(folder, "orders.csv"), filepath.Join(folder, "report.csv")
	require.NoError(b, os.WriteFile(orders, files.Orders, 0o600))
	require.NoError(b, os.WriteFile(report, files.Remittances, 0o600))

	inTurn := func(b *testing.B, first, second func(*testing.B) time.Duration) {
		var ratios []float64
		for b.Loop() {
			ratios = append(ratios, ratio(first(b), second(b)))
		}
		b.ReportMetric(middle(ratios), "x-plain-time")
	}
	b.Run("command", func(b *testing.B) {
		run := func(args ...string) func(*testing.B) time.Duration {
			return func(b *testing.B) time.Duration {
				c := exec.CommandContext(b.Context(), args[0], args[1:]...)
				require.NoError(b, c.Run())
				return c.ProcessState.UserTime() + c.ProcessState.SystemTime()
			}
		}
		inTurn(b, run(program, "reconcile", "--json", orders, report), run(plain))
	})
	b.Run("service", func(b *testing.B) {
		serve := func(args ...string) func(*testing.B) time.Duration {
			return func(b *testing.B) time.Duration {
				port, err := postgres.FreePort()
				require.NoError(b, err)
				at, data := net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), b.TempDir()
				c := exec.CommandContext(b.Context(), args[0], slices.Concat(args[1:], []string{at})...)
				c.Env = []string{"HOME=" + data, "MILAAN_DATA_DIR=" + data, "MILAAN_ADDR=" + at}
				if args[0] == program {
					c.Args = c.Args[:len(args)] // it has the address in its environment
				}
				began := time.Now()
				require.NoError(b, c.Start())
				for ready := false; !ready && time.Since(began) < time.Minute; {
					response, err := http.Get("http://" + at + "/readyz")
					ready = err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
				}
				took := time.Since(began)
				require.NoError(b, c.Process.Kill())
				_ = c.Wait() // it was killed
				return took
			}
		}
		inTurn(b, serve(program, "serve"), serve(plain))
	})
}
