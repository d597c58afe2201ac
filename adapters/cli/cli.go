package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// The exit codes.
const (
	ExitDone   = 0
	ExitFailed = 1
	ExitUsage  = 2
)

// Deps gives the commands what they need. A function is called only when its command
// runs, so that a command that needs no database opens none.
type Deps struct {
	// Serve runs the service until ctx ends.
	Serve func(ctx context.Context) error
	// Migrate brings the database up to date.
	Migrate func(ctx context.Context) error
	// Open starts what the command needs of the application.
	Open Opener
	// Clock says until when the former secret of a webhook signs, and which subscriptions
	// have ended.
	Clock ports.Clock
	// Offline needs no settings, no database and no data directory.
	Offline func() (Offline, error)
	// Assist answers an assistant until in ends. It needs what Offline needs.
	Assist func(ctx context.Context, folders []string, in io.Reader, out io.Writer) error
	// Words has the words for reasons, warnings, errors and the settings of connectors.
	Words func() Words
}

// Offline is what the command line needs to compare files without the service.
type Offline struct {
	Reconciling ports.Reconciling
	Inspecting  ports.Inspecting
	Couriers    ports.Couriers
	Answers     peers.Answers
	Reporters   []ports.Reporter // one of each format
	CleanLogo   ports.CleanLogo
	Tables      peers.Tables // within the limits of a request

	// Foresee is told how many bytes the files of a run have, before they are compared.
	Foresee func(files int64)
}

// Words are those that the commands print.
type Words interface {
	peers.Wording
	peers.SettingWords
}

// ErrStopped says that the service stopped although nobody asked it to.
var ErrStopped = errors.New("the service stopped by itself: its log says why")

type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// Execute runs the command that args ask for, without the program's name, and
// returns the exit code. Errors go to stderr, on one line where they are ours.
func Execute(ctx context.Context, deps Deps, args []string, stdout, stderr io.Writer) int {
	root := newRoot(deps, args)
	checkHelp(root)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	understood := false
	root.SetFlagErrorFunc(flagFault)
	root.PersistentPreRun = func(*cobra.Command, []string) { understood = true }
	command, err := root.ExecuteContextC(ctx)
	if err == nil {
		return ExitDone
	}
	_, isUsage := errors.AsType[usageError](err)
	_, code, _ := domain.KindOf(err)
	named, _ := errors.AsType[namedError](err)
	_, _ = fmt.Fprintf(stderr, "milaan: %s\n", strings.TrimSpace(named.names.message(err, deps.Words())))
	if understood && !isUsage && code != domain.CodeField {
		return ExitFailed
	}
	_, _ = fmt.Fprintf(stderr, "See %s --help.\n", command.CommandPath())
	return ExitUsage
}

// commands are made by these functions, by the word that asks for them.
var commands = []struct {
	name string
	make func(Deps) *cobra.Command
}{
	{"serve", serveCommand}, {"account", accountCommand}, {"session", sessionCommand}, {"people", peopleCommand},
	{"sandbox-key", sandboxKeyCommand}, {"webhook", webhookCommand}, {"history", historyCommand}, {"mapping", mappingCommand},
	{"connection", connectionCommand}, {"reconcile", reconcileCommand}, {"report", reportCommand}, {"request", requestCommand},
	{"mcp", mcpCommand}, {"couriers", couriersCommand}, {"migrate", migrateCommand}, {"reseal", resealCommand},
	{"backup", backupCommand}, {"restore", restoreCommand}, {"hold", holdCommand}, {"resume", resumeCommand},
	{"ready", readyCommand}, {"version", versionCommand},
}

// New makes the root command with all others.
func New(deps Deps) *cobra.Command { return newRoot(deps, nil) }

// newRoot makes the root command with the one that the arguments begin with, because making
// all takes a tenth as long as comparing two small files; with all of them if they begin with none.
func newRoot(deps Deps, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "milaan",
		Short: "Tally cash-on-delivery orders against what the courier paid out",
		Long: `Milaan compares a storefront's orders export with a courier's remittance report,
order by order, and says which orders are paid, short, late or missing.

Without a command it runs the service, as milaan serve does. Settings come from
variables that begin with MILAAN_; with none set, the service listens on
127.0.0.1:8080 and keeps an embedded database in ./milaan-data.`,
		Args: noCommand,
		Example: `  milaan
  milaan reconcile orders.csv remittance.csv
  milaan account create --email accounts@shop.example --plan pro`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	version := root.Flags().Bool("version", false, "say which version this is")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version {
			return printVersion(cmd, args)
		}
		return deps.Serve(cmd.Context())
	}
	root.CompletionOptions.HiddenDefaultCmd = true // for packages, and for those who look into the guide
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.name {
			root.AddCommand(c.make(deps))
			return root
		}
	}
	for _, c := range commands {
		root.AddCommand(c.make(deps))
	}
	addGuide(root)
	return root
}

func serveCommand(deps Deps) *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Run the service until it is told to stop",
		Long: `Run the service until it is told to stop (Ctrl-C or SIGTERM). Requests in flight are
finished first; a second signal ends it at once. Several instances may share one
PostgreSQL database.

Settings are environment variables. The value of each may also come from a file, whose
path is in the variable of the same name with _FILE added:

` + settings(),
		Example: `  milaan serve
  MILAAN_ADDR=127.0.0.1:9000 milaan serve
  MILAAN_DATABASE_URL=postgres://milaan@db/milaan MILAAN_SECRET_KEY_FILE=/run/secrets/milaan milaan serve`,
		Args: flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return deps.Serve(cmd.Context()) },
	}
}

// settings lists what may be set, two lines for each.
func settings() string {
	var b strings.Builder
	for _, s := range config.Settings() {
		unset, meaning := s.Help()
		fmt.Fprintf(&b, "  %s (default: %s)\n      %s\n", s.Variable(), unset, meaning)
	}
	return strings.TrimRight(b.String(), "\n")
}

func migrateCommand(deps Deps) *cobra.Command {
	return &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database up to date with this program",
		Long: `Bring the database up to date with this program. The service does so itself when it
starts; with this command it can be done before. The command may be repeated, and may
run while the service runs.`,
		Example: `  milaan migrate
  MILAAN_DATABASE_URL=postgres://milaan@db/milaan milaan migrate`,
		Args: flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return say(cmd, deps.Migrate(cmd.Context()), "The database is up to date.")
		},
	}
}
