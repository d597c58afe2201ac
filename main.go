// Command milaan tallies cash-on-delivery orders against what the courier paid
// out: as a service over HTTP, and on the command line.
package main

import (
	"context"
	"log/slog"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"go.uber.org/dig"
	"go.uber.org/fx"

	"milaan/adapters"
	"milaan/adapters/cli"
	"milaan/adapters/storage"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app"
	"milaan/config"
	"milaan/couriers"
	"milaan/ports"
	"milaan/ports/glue"
)

// startLimit bounds the start, the wait for a database included.
const startLimit = time.Minute

func main() {
	os.Exit(cli.Execute(context.Background(), cli.Deps{
		Serve: serve, Migrate: migrate, Clock: time.Now, Engine: engine, Tables: tables, Wording: wording.New(),
		Accounts: command[ports.ManagingAccounts], Sessions: command[ports.IssuingSessions],
		Webhooks: command[ports.ManagingWebhooks], Deliveries: command[ports.ManagingDeliveries], Secrets: secrets,
	}, os.Args[1:], os.Stdout, os.Stderr))
}

// untilTold ends with ctx, or at the first Ctrl-C or SIGTERM. The next one ends
// the process at once, as it does for every command but serve: what has been
// promised outlives that.
func untilTold(ctx context.Context) (told context.Context, stop func()) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	told, stop = signal.NotifyContext(ctx, ends...)
	context.AfterFunc(told, func() { signal.Reset(ends...) }) // fx listens to them too
	return told, stop
}

// program is what every command is made of; options say what to do with it.
// fx's own steps are not logged: what goes wrong in them is returned.
func program(options ...fx.Option) *fx.App {
	return fx.New(config.Module, couriers.Module, app.Module, fx.Options(options...),
		fx.StartTimeout(startLimit), fx.NopLogger)
}

// The heap of this service is a few large buffers that are used again and again,
// and little garbage: letting it grow to twice its size before it is collected
// would be for nothing. A tenth is, and so that a small heap is not collected
// all the time, it has a ballast that is never touched and so takes no memory.
const (
	heapGrowth = 10 // percent
	heapFloor  = 64 << 20
)

// tameHeap does so, unless the operator has set GOGC, until it is called off. In a
// container that limits memory, garbage is collected before the limit is reached.
func tameHeap() (callOff func()) {
	if os.Getenv("GOGC") != "" {
		limitHeap(math.MaxInt64, 0)
		return func() {}
	}
	debug.SetGCPercent(heapGrowth)
	ballast := make([]byte, heapFloor)
	limitHeap(math.MaxInt64, heapFloor)
	return func() { runtime.KeepAlive(ballast) }
}

// limitHeap sets Go's memory limit to at most so many bytes, and to nine tenths
// of what the container allows: the last is for what Go does not count, such as
// the embedded database's pages. untouched is memory that Go counts and that takes
// none. Nothing is set that the operator has set.
func limitHeap(most, untouched int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if limit, found := config.MemoryLimit(os.DirFS("/")); found {
		most = min(most, limit/10*9+untouched)
	}
	debug.SetMemoryLimit(most)
}

// serve runs the service until ctx ends or a signal comes, then lets requests in
// flight and jobs finish, side by side, within the drain timeout.
func serve(ctx context.Context) error {
	defer tameHeap()()
	var delay, drain time.Duration
	var log *slog.Logger
	service := program(adapters.Module, rebuilding,
		fx.Invoke(func(c config.Config, l *slog.Logger) {
			delay, drain, log = c.HTTP.DrainDelay, c.HTTP.DrainTimeout, l
			for _, w := range c.Warnings {
				l.Warn(w)
			}
		}))
	failing := service.Wait()
	ctx, stop := untilTold(ctx)
	defer stop()
	if err := service.Start(ctx); err != nil {
		return dig.RootCause(err)
	}
	var failed error
	select {
	case <-ctx.Done():
	case s := <-failing:
		if s.ExitCode != 0 {
			failed = cli.ErrStopped
		}
	}
	log.Info("stopping", "delay", delay, "drain", drain)
	began := time.Now()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), delay+drain)
	defer cancel()
	err := service.Stop(patience)
	log.Info("stopped", "took", time.Since(began))
	if err != nil {
		return dig.RootCause(err)
	}
	return failed
}

// migrate brings the database up to date: opening it does.
func migrate(ctx context.Context) error {
	_, finish, err := opened[*storage.Store](ctx, rebuilding)
	if err != nil {
		return err
	}
	return finish()
}

// rebuilding is for those who take the time to rebuild a database of an earlier
// version. Another command leaves it as it is: somebody waits for it.
var rebuilding = fx.Decorate(func(s config.Storage) config.Storage {
	s.Rebuild = true
	return s
})

// quiet keeps what is ordinary off the terminal of somebody who asked for one
// thing.
var quiet = fx.Decorate(func(l config.Log) config.Log {
	if l.Level == slog.LevelInfo {
		l.Level = slog.LevelWarn
	}
	return l
})

// command opens a use case for one command: the database, and the service's secret
// if it is needed. Jobs are the service's.
func command[T any](ctx context.Context) (T, func() error, error) { return opened[T](ctx, quiet) }

// secrets does so as well.
func secrets(ctx context.Context, lost bool) (ports.ManagingSecrets, func() error, error) {
	return opened[ports.ManagingSecrets](ctx, quiet, fx.Decorate(func(s config.Secrets) config.Secrets {
		s.Lost = lost
		return s
	}))
}

// opened starts as much of the program as a T needs, and returns what stops it
// again.
func opened[T any](ctx context.Context, options ...fx.Option) (part T, finish func() error, err error) {
	started := program(adapters.Driven, fx.Options(options...), fx.Populate(&part))
	if err := started.Start(ctx); err != nil {
		return part, nil, dig.RootCause(err)
	}
	return part, func() error { return started.Stop(context.WithoutCancel(ctx)) }, nil
}

// tables reads files of any dialect: no settings, no database.
func tables() (reader glue.Tables, err error) {
	parts := fx.New(adapters.Driven, fx.NopLogger, fx.Populate(&reader))
	if err := parts.Err(); err != nil {
		return nil, dig.RootCause(err)
	}
	return reader, nil
}

// oneRunHeap is up to how many bytes a run on the spot leaves its garbage lie: two
// files of 300,000 rows need a third of it.
const oneRunHeap = 1 << 30

// deferCollection is for a program that ends after one run: garbage is not
// collected before the heap has oneRunHeap bytes, and from then on whenever it has
// about doubled, unless the operator has set when it is. A memory limit would not
// do: files may need more than any, and what cannot be freed would be looked
// through again and again.
func deferCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	const first, usual = 4 << 20, 100 // Go first collects at 4 MB, times the percentage
	debug.SetGCPercent(oneRunHeap / first * usual)
	limitHeap(math.MaxInt64, 0)
	// What nobody refers to goes at the first collection.
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}

// engine makes what a run on the spot needs: no settings, no database. Files may
// have any number of rows: the contract's limit is the service's.
func engine() (cli.Engine, error) {
	deferCollection()
	var storefronts ports.Storefronts
	var e cli.Engine
	var clock ports.Clock
	parts := fx.New(couriers.Module, adapters.Driven, fx.NopLogger, fx.Replace(table.Settings{}), fx.Populate(&storefronts, &e.Couriers, &e.Answers, &e.Wording, &clock))
	if err := parts.Err(); err != nil {
		return cli.Engine{}, dig.RootCause(err)
	}
	e.Reconciling = app.NewReconciling(app.ReconcilingParams{Storefronts: storefronts, Couriers: e.Couriers, Clock: clock})
	return e, nil
}
