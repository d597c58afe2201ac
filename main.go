// Command milaan compares cash-on-delivery orders with what the courier paid
// out: as a service over HTTP, and on the command line.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"go.uber.org/dig"
	"go.uber.org/fx"

	"milaan/adapters"
	"milaan/adapters/answer"
	"milaan/adapters/cli"
	"milaan/adapters/documents"
	"milaan/adapters/httpapi"
	"milaan/adapters/logo"
	"milaan/adapters/statement"
	"milaan/adapters/storage"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app"
	"milaan/app/runs"
	"milaan/config"
	"milaan/couriers"
)

// startLimit is how long the start may take, including the wait for a database.
const startLimit = time.Minute

func main() {
	words := wording.New() // the command line speaks no other language, and starts sooner without them
	os.Exit(cli.Execute(context.Background(), cli.Deps{
		Serve:   serve,
		Migrate: migrate,
		Open:    openQuietly,
		Clock:   time.Now,
		Offline: func() (cli.Offline, error) { return offline(words), nil },
		Words:   words,
	}, os.Args[1:], os.Stdout, os.Stderr))
}

// untilSignal returns a context that ends with ctx, or at the first Ctrl-C or SIGTERM.
// A second signal ends the process at once; for every command but serve the first one
// does. That loses nothing that the service has promised.
func untilSignal(ctx context.Context) (_ context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(ctx, stopSignals...)
	context.AfterFunc(ctx, func() { signal.Reset(stopSignals...) }) // fx listens to them too
	return ctx, stop
}

var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM}

// newProgram puts together the parts that every command needs; options add the others.
// The steps of fx are not logged, because their errors are returned.
func newProgram(options ...fx.Option) *fx.App {
	return fx.New(config.Module, couriers.Module, app.Module, fx.Options(options...),
		fx.StartTimeout(startLimit), fx.NopLogger)
}

// The heap of the service is a few large buffers, which are used again and again, and
// little garbage. By default Go collects when the heap has doubled, which would waste
// as much memory again. So the heap may grow by a tenth only. With so low a GC percent a
// small heap would be collected all the time. The memory ballast prevents that: it
// counts as heap, but as the program never touches it, it occupies no memory.
const (
	gcPercent  = 10
	ballastLen = 64 << 20
)

// tuneGC sets the GC percent, unless the operator has set GOGC, and Go's memory limit.
// It returns the memory ballast, which the caller keeps alive; nil if there is none.
func tuneGC() (ballast []byte) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
		ballast = make([]byte, ballastLen)
	}
	limitMemory(int64(len(ballast)))
	return ballast
}

// limitMemory sets Go's memory limit to seven tenths of the container's memory, so that
// garbage is collected before the container's limit is reached. The rest is for
// memory that Go does not count, such as the pages of the embedded database. The ballast
// is added, because Go counts it and it occupies no memory. Without a container limit,
// or if the operator has set GOMEMLIMIT, nothing is set.
func limitMemory(ballast int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if limit, found := config.MemoryLimit(os.DirFS("/")); found {
		debug.SetMemoryLimit(limit/10*7 + ballast)
	}
}

// serve runs the service until ctx ends or a signal comes. Then requests in flight and
// jobs finish at the same time, within the drain timeout. It returns cli.ErrStopped if
// a part of the service failed and so ended it.
func serve(ctx context.Context) error {
	defer runtime.KeepAlive(tuneGC())
	var delay, drain time.Duration
	var log *slog.Logger
	var server *httpapi.Server
	service := newProgram(adapters.Module, allowRebuild, fx.Populate(&server),
		fx.Invoke(func(c config.Config, l *slog.Logger) {
			delay, drain, log = c.HTTP.DrainDelay, c.HTTP.DrainTimeout, l
			for _, w := range c.Warnings {
				l.Warn(w)
			}
		}))
	failing := service.Wait()
	ctx, stop := untilSignal(ctx)
	defer stop()
	if err := service.Start(ctx); err != nil {
		return dig.RootCause(err)
	}
	greet(server)
	var failed error
	select {
	case <-ctx.Done():
	case s := <-failing: // a signal too: fx listens to them as well
		if s.ExitCode != 0 {
			failed = cli.ErrStopped
		}
	}
	// AfterFunc may be late: whoever sees that the service stops may signal again.
	signal.Reset(stopSignals...)
	log.Info("stopping", "delay", delay, "drain", drain)
	began := time.Now()
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), delay+drain)
	defer cancel()
	err := service.Stop(limited)
	log.Info("stopped", "took", time.Since(began))
	if err != nil {
		return dig.RootCause(err)
	}
	return failed
}

// greet prints where people find the dashboard. It is for the person who has started the
// service, so it does not stand in the log.
func greet(server *httpapi.Server) {
	switch address, visitors := server.Dashboard(); {
	case visitors:
		fmt.Printf("Milaan is at %s: drop an orders export and a courier's report there, no account is needed.\n", address)
	case address != "":
		fmt.Printf("Milaan is at %s\n", address)
	}
}

// migrate brings the database up to date, which opening it does.
func migrate(ctx context.Context) error {
	var store *storage.Store
	closeStore, err := open(ctx, &store, allowRebuild)
	if err != nil {
		return err
	}
	return closeStore()
}

// allowRebuild lets the program rebuild an embedded database of an earlier version,
// which takes time. Only serve and migrate do so: a person waits for other commands.
var allowRebuild = fx.Decorate(func(s config.Storage) config.Storage {
	s.Rebuild = true
	return s
})

// warningsOnly raises the log level info to warn.
var warningsOnly = fx.Decorate(func(l config.Log) config.Log {
	if l.Level == slog.LevelInfo {
		l.Level = slog.LevelWarn
	}
	return l
})

// open starts as much of the program as part, a pointer, needs for one command: the database,
// and what else it is made of. It returns a function that stops it all.
func open(ctx context.Context, part any, options ...fx.Option) (stop func() error, err error) {
	command := newProgram(adapters.Driven, fx.Options(options...), fx.Populate(part))
	if err := command.Start(ctx); err != nil {
		return nil, dig.RootCause(err)
	}
	return func() error { return command.Stop(context.WithoutCancel(ctx)) }, nil
}

// openQuietly is open for a command that prints its result, and no ordinary log lines.
func openQuietly(ctx context.Context, part any, options ...fx.Option) (func() error, error) {
	return open(ctx, part, append(options, warningsOnly)...)
}

// oneRunHeap is how many bytes the heap of a run on the spot may have before garbage is
// collected at all. Two files of 300,000 rows need a third of it.
const oneRunHeap = 1 << 30

// deferGC is for a program that ends after one run. Go collects no garbage before the
// heap has oneRunHeap bytes, and then each time that the heap has about doubled; unless
// the operator has set GOGC or GOMEMLIMIT. Setting a memory limit instead would not do:
// files may need more memory than any limit, and then Go would collect again and again
// without freeing anything.
func deferGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	const first, usual = 4 << 20, 100 // Go collects for the first time at 4 MB times GC percent / 100
	debug.SetGCPercent(oneRunHeap / first * usual)
	limitMemory(0)
	// The first collection frees this object and so sets the usual GC percent.
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}

// offline makes what a run on the spot needs, without settings and without a database. It
// is put together by hand, because the whole of the adapters takes longer than the files of
// a small shop. Its files may have any number of rows: the contract limits the rows of
// requests only.
func offline(words *wording.Catalogue) cli.Offline {
	deferGC()
	tables := table.NewWithin(table.Settings{})
	known := couriers.New(tables)
	return cli.Offline{
		Reconciling: runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: known,
			ReadStatement: statement.New(tables).Read, Clock: time.Now}),
		Couriers:  known,
		Answers:   answer.New(words, httpapi.Names{}),
		Reporters: documents.New(documents.Params{Couriers: known, Languages: wording.NewLanguages(), Clock: time.Now}),
		CleanLogo: logo.Clean,
		Tables:    table.New(),
	}
}
