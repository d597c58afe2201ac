package adapters

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// A program that the tests of processes build has a clock that they move, and stops where they say, so that it is killed there.
func init() {
	if named := os.Getenv("HURRIED_CLOCK"); named != "" { // a file that says how far ahead of the machine's clock it is
		hurry(fx.Decorate(func(ports.Clock) ports.Clock {
			return func() time.Time {
				text, _ := os.ReadFile(named)
				ahead, err := time.ParseDuration(string(text))
				if err != nil {
					panic(err)
				}
				return time.Now().Add(ahead)
			}
		}))
	}
	if dir := os.Getenv("HURRIED_STEPS"); dir != "" {
		s := steps(dir)
		hurry(
			fx.Decorate(func(of ports.Shops) ports.Shops { return steppedShops{of, s} }),
			fx.Decorate(func(of ports.ReportSources) ports.ReportSources { return steppedSources{of, s} }),
			fx.Decorate(func(open ports.OpenLedger) ports.OpenLedger {
				return func(content ports.Content) (ports.Ledger, error) {
					s.reach("compare")
					return open(content)
				}
			}),
			fx.Decorate(func(write ports.WriteLedger) ports.WriteLedger {
				return func(run *ports.FinishedRun, to io.Writer) error {
					err := write(run, to)
					s.reach("write")
					return err
				}
			}),
			fx.Decorate(func(of ports.Runs) ports.Runs { return steppedRuns{of, s} }),
			fx.Decorate(func(of ports.Mailer) ports.Mailer { return steppedMailer{of, s} }),
		)
	}
}

// steps is a folder in which a file with the name of a step says that whoever reaches it next stops there. He renames it, so
// that its name ends with his process id, and goes on once it is gone.
type steps string

func (s steps) reach(step string) {
	named := filepath.Join(string(s), step)
	stopped := fmt.Sprint(named, ".", os.Getpid())
	for err := os.Rename(named, stopped); err == nil; _, err = os.Stat(stopped) {
		time.Sleep(5 * time.Millisecond)
	}
}

type steppedShops struct {
	ports.Shops
	steps
}

func (s steppedShops) Fetch(ctx context.Context, shop domain.Shop, q ports.OrdersQuery) (*ports.FetchedOrders, error) {
	s.reach("orders")
	return s.Shops.Fetch(ctx, shop, q)
}

type steppedSources struct {
	ports.ReportSources
	steps
}

func (s steppedSources) Open(ctx context.Context, access ports.SourceAccess) (ports.OpenSource, error) {
	s.reach("reports")
	return s.ReportSources.Open(ctx, access)
}

type steppedRuns struct {
	ports.Runs
	steps
}

func (s steppedRuns) Update(ctx context.Context, accountID string, do func(ports.RunBook) error) error {
	err := s.Runs.Update(ctx, accountID, func(book ports.RunBook) error {
		err := do(book)
		s.reach("store")
		return err
	})
	s.reach("stored")
	return err
}

type steppedMailer struct {
	ports.Mailer
	steps
}

func (s steppedMailer) Send(ctx context.Context, m ports.Message) error {
	s.reach("mail")
	err := s.Mailer.Send(ctx, m)
	s.reach("mailed")
	return err
}
