// Command milaan compares cash-on-delivery orders with what the courier paid
// out: as a service over HTTP, and on the command line.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"go.uber.org/dig"
	"go.uber.org/fx"

	"milaan/adapters"
	"milaan/adapters/answer"
	"milaan/adapters/cli"
	"milaan/adapters/documents"
	"milaan/adapters/documents/ledger"
	"milaan/adapters/httpapi"
	"milaan/adapters/logo"
	"milaan/adapters/mcp"
	"milaan/adapters/resident"
	"milaan/adapters/statement"
	"milaan/adapters/storage"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app"
	"milaan/app/runs"
	"milaan/config"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
)

// startLimit is how long the start may take, including the wait for a database. stopSlack is what a
// stop may take beyond its settings.
const (
	startLimit = time.Minute
	stopSlack  = 10 * time.Second
)

func main() {
	words := sync.OnceValue(wording.New) // the command line speaks no other language
	os.Exit(cli.Execute(context.Background(), cli.Deps{
		Serve:   serve,
		Migrate: migrate,
		Open:    openQuietly,
		Clock:   time.Now,
		Offline: func() (cli.Offline, error) { return offline(words), nil },
		Assist: func(ctx context.Context, folders []string, in io.Reader, out io.Writer) error {
			return assist(ctx, words(), folders, in, out)
		},
		Words: func() cli.Words { return words() },
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
	return fx.New(config.Module(), couriers.Module(), app.Module(), fx.Options(options...),
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
	collectAsUsual()
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
	service := newProgram(adapters.Module(), allowRebuild(), fx.Populate(&server),
		fx.Invoke(func(c config.Config, l *slog.Logger) {
			delay, drain, log = c.HTTP.DrainDelay, c.HTTP.DrainTimeout, l
			for _, w := range c.Warnings {
				l.Warn(w)
			}
		}))
	failing := service.Wait()
	ctx, stop := untilSignal(ctx)
	defer stop()
	switch err := service.Start(ctx); {
	case err != nil && ctx.Err() != nil: // it was asked to stop before it had started, and has stopped what had begun
		return nil
	case err != nil:
		return dig.RootCause(err)
	}
	greet(server)
	_, _ = daemon.SdNotify(false, daemon.SdNotifyReady)           // nobody may be listening
	giving := time.AfterFunc(time.Second, resident.GiveBackStart) // it takes time, and the first requests come now
	defer giving.Stop()
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
	// systemd kills whoever takes longer than its unit says, unless it is told.
	_, _ = daemon.SdNotify(false, fmt.Sprintf("%s\nEXTEND_TIMEOUT_USEC=%d", daemon.SdNotifyStopping, (delay+drain+stopSlack).Microseconds()))
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
	closeStore, err := open(ctx, &store, allowRebuild())
	if err != nil {
		return err
	}
	return closeStore()
}

// allowRebuild lets the program rebuild an embedded database of an earlier version,
// which takes time. Only serve and migrate do so: a person waits for other commands.
func allowRebuild() fx.Option {
	return fx.Decorate(func(s config.Storage) config.Storage {
		s.Rebuild = true
		return s
	})
}

// warningsOnly raises the log level info to warn.
func warningsOnly() fx.Option {
	return fx.Decorate(func(l config.Log) config.Log {
		if l.Level == slog.LevelInfo {
			l.Level = slog.LevelWarn
		}
		return l
	})
}

// open starts as much of the program as part, a pointer, needs for one command: the database,
// and what else it is made of. It returns a function that stops it all.
func open(ctx context.Context, part any, options ...fx.Option) (stop func() error, err error) {
	collectAsUsual()
	command := newProgram(adapters.Driven(), fx.Options(options...), fx.Populate(part))
	if err := command.Start(ctx); err != nil {
		return nil, dig.RootCause(err)
	}
	return func() error { return command.Stop(context.WithoutCancel(ctx)) }, nil
}

// openQuietly is open for a command that prints its result, and no ordinary log lines.
func openQuietly(ctx context.Context, part any, options ...fx.Option) (func() error, error) {
	return open(ctx, part, append(options, warningsOnly())...)
}

// oneRunHeap is how many bytes the heap of a run on the spot may have before garbage is
// collected at all. Two files of 300,000 rows need a third of it.
const oneRunHeap = 1 << 30

// deferredGC is what has the usual GC percent set once garbage is collected; nil: the operator has set GOGC or
// GOMEMLIMIT.
var deferredGC = deferGC()

// deferGC is for a program that ends after one run. Go collects no garbage before the
// heap has oneRunHeap bytes, and then each time that the heap has about doubled; unless
// the operator has set GOGC or GOMEMLIMIT. Setting a memory limit instead would not do:
// files may need more memory than any limit, and then Go would collect again and again
// without freeing anything. It is called before main: what packages allocate until then is
// nearly enough for a collection.
func deferGC() *runtime.Cleanup {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	const first = 4 << 20 // Go collects for the first time at so many bytes times GC percent / 100
	debug.SetGCPercent(oneRunHeap / first * usualGCPercent)
	return atNextCollection()
}

const usualGCPercent = 100

// atNextCollection has the usual GC percent set when garbage is collected: an object that is garbage already.
func atNextCollection() *runtime.Cleanup {
	return new(runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usualGCPercent))
}

// collectAsUsual is for what needs a database, and so may take longer than one run.
func collectAsUsual() {
	if deferredGC != nil {
		deferredGC.Stop()
		debug.SetGCPercent(usualGCPercent)
		limitMemory(0)
	}
}

// From how many bytes of files on a run on the spot takes the container's memory limit into account, and from
// how many on it takes its memory in large pages, and how many of these at most. For less, either takes longer than it is worth.
const (
	worthLimiting  = 256 << 10
	worthEnlarging = 1 << 20
	mostEnlarged   = 256 << 20 // a system that limits the memory of a process may refuse more, which ends it
)

// foresee prepares the heap for a run on the spot of files of so many bytes. Orders and lines with their
// indexes take up to twice as many.
func foresee(files int64) {
	if deferredGC == nil || files < worthLimiting {
		return
	}
	limitMemory(0)
	if files >= worthEnlarging {
		deferredGC.Stop()
		resident.EnlargePages(min(2*files, mostEnlarged))
		deferredGC = atNextCollection()
	}
}

// offline makes what a run on the spot needs, without settings and without a database. It
// is put together by hand, because the whole of the adapters takes longer than the files of
// a small shop. Its files may have any number of rows: the contract limits the rows of
// requests only.
func offline(words func() *wording.Catalogue) cli.Offline {
	tables := table.NewWithin(table.Settings{})
	known := couriers.New(tables)
	reconciling := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: known,
		ReadStatement: statement.New(tables).Read, OpenLedger: ledger.New(tables).Open, Clock: time.Now})
	return cli.Offline{
		Reconciling: reconciling,
		Inspecting:  reconciling,
		Couriers:    known,
		Answers:     answer.New(words(), httpapi.Names{}),
		Reporters:   documents.New(documents.Params{Couriers: known, Languages: wording.NewLanguages(), Clock: time.Now}),
		CleanLogo:   logo.Clean,
		Tables:      table.New(),
		Foresee:     foresee,
	}
}

// assist answers an assistant. Its files have the limits of a request, other than those of offline:
// nobody sees how much memory they would take.
func assist(ctx context.Context, words *wording.Catalogue, folders []string, in io.Reader, out io.Writer) error {
	collectAsUsual()
	tables := table.New()
	known := couriers.New(tables)
	ledgers := table.NewWithin(table.Settings{MaxRows: ledger.MaxRows, MaxText: table.Contract().MaxText})
	reconciling := runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: known,
		ReadStatement: statement.New(tables).Read, OpenLedger: ledger.New(ledgers).Open, Clock: time.Now,
		MaxRows: ports.MaxRows(domain.MaxRows)})
	return mcp.Serve(ctx, mcp.Params{
		Reconciling: reconciling,
		Inspecting:  reconciling,
		Couriers:    known,
		Answers:     answer.New(words, httpapi.Names{}),
		Reporters:   documents.New(documents.Params{Couriers: known, Languages: wording.NewLanguages(), Clock: time.Now}),
		Words:       words,
		Version:     config.ThisBuild().Version,
	}, folders, in, out)
}
