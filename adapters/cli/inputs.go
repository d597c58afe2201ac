package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/ports"
)

// What the flags mean that say how files are read.
const (
	courierUsage = "the courier of every report that is not given as FILE:courier, by its id (see milaan couriers); of several " +
		"reports, name the courier of each; custom: --column says which columns are read"
	columnUsage = "role=Header: which column has which role (courier custom), in every report, or FILE:role=Header in one; may be " +
		"repeated, also for several charges"
	sheetUsage = "name of the sheet that is read, for a workbook with several; may be repeated, * is all: each sheet of a report is " +
		"a report of its own; a CSV has none, and is read whatever is named"
	previousUsage = "workbook or ledger.csv of the run before, so that nothing is forgotten that is still owed"

	bankUsage = "bank statement with a date, a credit amount and a narration: says of each payout whether it was credited"
)

// inputFlags say how the files of a run are read.
type inputFlags struct {
	courier string
	columns []string
	sheets  []string
	bank    string

	previous string
	terms    termFlags
}

func (f *inputFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.courier, "courier", "", courierUsage)
	flags.StringArrayVar(&f.columns, "column", nil, columnUsage)
	flags.StringArrayVar(&f.sheets, "sheet", nil, sheetUsage)
	flags.StringVar(&f.bank, "bank", "", bankUsage)
	flags.StringVar(&f.previous, "previous", "", previousUsage)
	f.terms.addTo(cmd)
}

// inputs are the files of a run as the command line gives them.
type inputs struct {
	orders  string // path, as all of them
	reports []reportFile
	bank    string // blank: none

	previous string // blank: none
	sheets   []string
}

type reportFile struct {
	path    string
	courier string            // blank: none is named
	columns map[string]string // header by role
}

// inputs reads the arguments: the export, and then the reports. It returns a usageError, or
// an error with CodeField if there is no such courier.
func (f *inputFlags) inputs(args []string, couriers ports.Couriers) (*inputs, error) {
	args = expanded(args)
	if len(args) > 2 {
		if err := checkCourier(f.courier, couriers); err != nil {
			return nil, err // once, and not for each report
		}
	}
	in := &inputs{orders: args[0], bank: f.bank, previous: f.previous, sheets: f.sheets}
	named := make([]bool, len(args)-1) // reports with a courier of their own
	for i, arg := range args[1:] {
		path, courier, err := splitCourier(arg, couriers)
		if err != nil {
			return nil, err
		}
		id, _ := couriers.Identify(courier)
		named[i] = courier != "" && id != domain.CustomCourier
		in.reports = append(in.reports, reportFile{path: path, courier: cmp.Or(courier, f.courier)})
	}
	if paths := in.paths(); slices.Contains(paths[slices.Index(paths, standardInput)+1:], standardInput) {
		return nil, usagef("only one of the files can be read from standard input: give the paths of the others")
	}
	return in, in.addColumns(f.columns, named)
}

// checkCourier returns an error with CodeField for a name that is not blank and no
// courier's.
func checkCourier(name string, couriers ports.Couriers) error {
	if _, known := couriers.Identify(name); known || strings.TrimSpace(name) == "" {
		return nil
	}
	fault := domain.Fault{Field: domain.FieldCourierName, Rule: domain.RuleOneOf}
	for _, courier := range couriers.Catalogue() {
		fault.Options = append(fault.Options, courier.ID)
	}
	return domain.Faults{fault}.Err()
}

// splitCourier reads FILE or FILE:courier. Paths may have colons, too. So what follows
// the last colon is a courier only if there is a courier of this name, and the file
// before the colon exists or that of the whole path does not.
func splitCourier(arg string, couriers ports.Couriers) (path, courier string, err error) {
	at := strings.LastIndexByte(arg, ':')
	if at < 1 {
		return arg, "", nil
	}
	path, courier = arg[:at], arg[at+1:]
	_, known := couriers.Identify(courier)
	switch before, whole := exists(path), exists(arg); {
	case known && (before || !whole):
		return path, courier, nil
	case before && !whole:
		return "", "", usagef("there is no file %q, and %q is no courier; milaan couriers lists the couriers", terminal.PrintableText(arg),
			terminal.PrintableText(courier))
	}
	return arg, "", nil
}

// expanded replaces a pattern that is no file's name by the files that it stands for. The shells
// of Windows leave that to programs.
func expanded(args []string) (all []string) {
	for _, arg := range args {
		found, _ := filepath.Glob(arg)
		if _, err := os.Stat(arg); err == nil || len(found) == 0 || !strings.ContainsAny(arg, "*?") {
			found = []string{arg}
		}
		all = append(all, found...)
	}
	return all
}

// exists says whether a path can be given: standard input always can.
func exists(path string) bool {
	if path == standardInput {
		return true
	}
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// addColumns reads the values of --column. Those of one report go before those of all
// reports, which are not for a report with a known courier of its own. A report with
// columns and no courier is of the courier custom.
func (in *inputs) addColumns(columns []string, named []bool) error {
	var ofAll []string
	own := make([][]string, len(in.reports))
	for _, c := range columns {
		if in.assign(c, own) {
			continue
		}
		role, _, _ := strings.Cut(c, "=")
		if end := strings.LastIndexByte(role, ':'); end >= 0 {
			return usagef("--column %q: %q is not one of the reports; write the file as it is given there", c, role[:end])
		}
		ofAll = append(ofAll, c)
	}
	shared, err := parseColumns(ofAll)
	if err != nil {
		return err
	}
	for i := range in.reports {
		r := &in.reports[i]
		if r.columns, err = parseColumns(own[i]); err != nil {
			return err
		}
		if !named[i] {
			r.columns = withDefaults(r.columns, shared)
		}
		if len(r.columns) > 0 && r.courier == "" {
			r.courier = domain.CustomCourier
		}
	}
	return nil
}

// assign adds a value of --column to the reports that it names by their path, and says
// whether it names any.
func (in *inputs) assign(column string, own [][]string) (found bool) {
	for i := range in.reports {
		if rest, is := strings.CutPrefix(column, in.reports[i].path+":"); is {
			own[i], found = append(own[i], rest), true
		}
	}
	return found
}

// withDefaults returns columns, and the columns of other for the roles that it has not.
func withDefaults(columns, other map[string]string) map[string]string {
	if len(columns) == 0 {
		return other
	}
	for role, header := range other {
		columns[role] = cmp.Or(columns[role], header)
	}
	return columns
}

// request returns a request for the files, which it does not read.
func (in *inputs) request() ports.Request {
	req := ports.Request{Workbooks: true, Sheets: in.sheets}
	if len(in.reports) == 1 {
		req.CourierName, req.Columns = in.reports[0].courier, in.reports[0].columns
		return req
	}
	for _, r := range in.reports {
		req.Reports = append(req.Reports, ports.Report{CourierName: r.courier, Columns: r.columns})
	}
	return req
}

// paths returns the export, the reports, and the bank statement and the ledger if there are any.
func (in *inputs) paths() []string {
	paths := []string{in.orders}
	for _, r := range in.reports {
		paths = append(paths, r.path)
	}
	if in.bank != "" {
		paths = append(paths, in.bank)
	}
	if in.previous != "" {
		paths = append(paths, in.previous)
	}
	return paths
}

// read reads all files at once into a request. If several cannot be read, it returns the
// error of the first one.
func (in *inputs) read(cmd *cobra.Command, req *ports.Request) error {
	paths := in.paths()
	texts, faults, isMapped := make([][]byte, len(paths)), make([]error, len(paths)), make([]bool, len(paths))
	var reading sync.WaitGroup
	for i, path := range paths {
		reading.Go(func() { texts[i], isMapped[i], faults[i] = openFile(cmd, path) })
	}
	reading.Wait()
	if err := cmp.Or(faults...); err != nil {
		return err
	}
	var mapped [][]byte
	for i, is := range isMapped {
		if is {
			mapped = append(mapped, texts[i])
		}
	}
	req.Passed = givingBack(mapped)
	req.Storefront = texts[0]
	if len(in.reports) == 1 {
		req.Courier = texts[1]
	} else {
		for i := range in.reports {
			req.Reports[i].Courier = texts[1+i]
		}
	}
	rest := texts[1+len(in.reports):]
	if in.bank != "" {
		req.Statement, rest = rest[0], rest[1:]
	}
	if in.previous != "" {
		req.Previous = rest[0]
	}
	return nil
}

// names returns the names that messages use for the files and for the flags.
func (in *inputs) names() names {
	n := names{paths: map[domain.File]string{domain.StorefrontFile: in.orders, domain.StatementFile: in.bank, domain.LedgerFile: in.previous}}
	for _, r := range in.reports {
		n.reports = append(n.reports, r.path)
	}
	return n
}

// shortNames returns the names that tables use for the reports: without their folders
// where that is enough to tell them apart.
func (in *inputs) shortNames() []string {
	count := map[string]int{}
	for _, r := range in.reports {
		count[fileName(r.path)]++
	}
	short := make([]string, len(in.reports))
	for i, r := range in.reports {
		if short[i] = fileName(r.path); count[short[i]] > 1 {
			short[i] = terminal.PrintableText(pathText(filepath.Clean(r.path)))
		}
	}
	return short
}

// reportsText says in a sentence which reports there are.
func (in *inputs) reportsText() string {
	if len(in.reports) == 1 {
		return fileName(in.reports[0].path)
	}
	return countOf(len(in.reports), "report")
}

// exportAndReports is the check of commands that take the files of a run.
func exportAndReports(_ *cobra.Command, args []string) error {
	switch n := len(expanded(args)); {
	case n < 2:
		return usagef("give the orders export, and then the courier's report or several reports; %s given", countOf(n, "file"))
	case n > 1+domain.MaxReports:
		return usagef("give at most %d reports; %d given", domain.MaxReports, n-1)
	}
	return nil
}

// parseColumns reads role=Header. The header may hold further equals signs.
func parseColumns(columns []string) (map[string]string, error) {
	if len(columns) == 0 {
		return nil, nil
	}
	byRole := make(map[string]string, len(columns))
	for _, c := range columns {
		role, header, found := strings.Cut(c, "=")
		role = strings.TrimSpace(role)
		if _, known := domain.ParseRole(role); !found || !known || strings.TrimSpace(header) == "" {
			return nil, usagef("--column %q must be role=Header; the roles are %s", c, domain.RoleNames())
		}
		if role == domain.RoleCharges.String() {
			header = domain.JoinColumns(append(domain.SplitColumns(byRole[role]), header))
		} else if byRole[role] != "" {
			return nil, usagef("--column names a column for %s twice", role)
		}
		byRole[role] = header
	}
	return byRole, nil
}

// termFlags are the terms of a run that a request can set.
type termFlags struct {
	overdueDays, minorGap int
	charges               string
}

func (f *termFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.overdueDays, "overdue-days", domain.DefaultOverdueDays, "days after delivery until an unpaid order is overdue, 1 to 30")
	flags.IntVar(&f.minorGap, "minor-gap", domain.DefaultMinorGap, "largest shortfall in rupees that is tolerated, 0 to 10")
	flags.StringVar(&f.charges, "charges", "", "accept: what a courier has deducted counts as paid where the charges that its report states "+
		"explain it; flag: it does not")
}

func (f *termFlags) set(cmd *cobra.Command, overdueDays, minorGap **int, charges *domain.Charges) {
	if cmd.Flags().Changed("overdue-days") {
		*overdueDays = &f.overdueDays
	}
	if cmd.Flags().Changed("minor-gap") {
		*minorGap = &f.minorGap
	}
	*charges = domain.Charges(f.charges)
}

// namedError is an error whose files and fields have the names of one command line.
type namedError struct {
	error
	names names
}

func (e namedError) Unwrap() error { return e.error }

// name has an error tell of files and fields by the names of this command line.
func (in *inputs) name(err error) error {
	if err == nil {
		return nil
	}
	return namedError{err, in.names()}
}
