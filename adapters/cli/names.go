package cli

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports/peers"
)

// names has the names that people at a terminal use: paths for files and flags for
// fields.
type names struct {
	paths   map[domain.File]string
	reports []string // paths
	// connection says that the fields are those of the JSON file of a connection.
	connection bool
	// looking says that the command has no flag for columns, which a run has.
	looking bool
}

func (names) Surface() peers.Surface { return peers.CommandLine }

func (n names) File(f domain.File, report int) string {
	switch {
	case f != domain.CourierFile || len(n.reports) == 0:
		return terminal.PrintableText(pathText(n.paths[f]))
	case 0 < report && report <= len(n.reports):
		return terminal.PrintableText(pathText(n.reports[report-1]))
	case len(n.reports) > 1:
		return "the reports"
	}
	return terminal.PrintableText(pathText(n.reports[0]))
}

// tableNames has the short names of reports that tables use.
type tableNames struct {
	names
	short []string
}

func (n tableNames) File(f domain.File, report int) string {
	if f == domain.CourierFile && 0 < report && report <= len(n.short) {
		return n.short[report-1]
	}
	return n.names.File(f, report)
}

// flags are the flags of the fields. A column is named together with its role.
var flags = map[domain.Field]string{
	domain.FieldCourierName: "courier", domain.FieldBrand: "brand", domain.FieldOverdueDays: "overdue-days", domain.FieldMinorGap: "minor-gap",
	domain.FieldCharges: "charges", domain.FieldColumns: "column role=Header", domain.FieldMapping: "mapping", domain.FieldNewName: "to",
	domain.FieldInclude: "include", domain.FieldSheet: "sheet", domain.FieldStatement: "bank", domain.FieldPrevious: "previous",
	domain.FieldFormat: "format", domain.FieldOnly: "only",
	domain.FieldBrandingName: "brand-name", domain.FieldBrandingLogo: "logo",
	domain.FieldBrandingColour: "colour", domain.FieldBrandingFooter: "footer", domain.FieldEmail: "email", domain.FieldPlan: "plan",
	domain.FieldSubscription: "subscription",
	domain.FieldSubscribedOn: "subscribed-on", domain.FieldBillingDay: "billing-day", domain.FieldRunCap: "run-cap",
	domain.FieldOwnOverdueDays: "overdue-days", domain.FieldEndpoint: "url", domain.FieldSessionTime: "ttl",
	domain.FieldSource: "source", domain.FieldFrom: "from", domain.FieldTo: "to", domain.FieldLimit: "limit", domain.FieldAfter: "after",
	domain.FieldConfirm: "confirm", domain.FieldPhoneNumber: "number", domain.FieldPhoneCode: "code", domain.FieldMemberRole: "role",
}

func (n names) Field(f *domain.Fault) string {
	switch {
	case n.connection:
		return terminal.PrintableText(view.FieldName(f))
	case f.Field == domain.FieldReports:
		return "REPORT"
	case f.Report > 0 && f.Report <= len(n.reports):
		return "--" + flags[f.Field] + " of " + n.File(domain.CourierFile, f.Report)
	}
	if f.Field == domain.FieldBookLedger {
		return "--" + strings.ReplaceAll(f.Value, "_", "-")
	}
	return "--" + flags[f.Field]
}

func (n names) Column(report int, role domain.Role, column string) string {
	value := role.String() + "=" + terminal.PrintableText(column)
	if 0 < report && report <= len(n.reports) {
		value = terminal.PrintableText(n.reports[report-1]) + ":" + value
	}
	flag := "--column " + quoted(value)
	if n.looking {
		return "milaan reconcile " + flag
	}
	return flag
}

// message returns the text of an error for people. If the domain knows the error, the
// text is in the words of the catalogue; its cause is added, because the person who runs
// the command is the operator.
func (n names) message(err error, words peers.Wording) string {
	if _, _, known := domain.KindOf(err); !known {
		return plain(err)
	}
	text := words.Message(err, n)
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Cause != nil {
		if _, _, known := domain.KindOf(e.Cause); !known { // it would be a code
			text += ": " + plain(e.Cause)
		}
	}
	return text
}

// plain returns the text of an error. What the system says of a file follows the file's name, without the word for what was done.
func plain(err error) string {
	var own string
	failed, ok := errors.AsType[*fs.PathError](err)
	if ok {
		own = failed.Error()
	} else if linked, ok := errors.AsType[*os.LinkError](err); ok {
		failed, own = &fs.PathError{Path: linked.New, Err: linked.Err}, linked.Error()
	} else {
		return err.Error()
	}
	cause := failed.Err.Error()
	switch {
	case errors.Is(failed, fs.ErrNotExist):
		cause = "no such file or folder; check the name"
	case errors.Is(failed, fs.ErrPermission):
		cause = "the user who runs milaan may not open or make it; change its permissions or those of its folder"
	case errors.Is(failed, syscall.EISDIR):
		cause = "is a folder; give a file"
	case errors.Is(failed, syscall.ENOTDIR):
		cause = "one of its folders is a file; check the name"
	case errors.Is(failed, syscall.ENOSPC):
		cause = "the disk is full; free some space, or give another folder"
	case errors.Is(failed, syscall.EROFS):
		cause = "its folder is read-only; give another folder"
	}
	path := failed.Path
	if path == os.Stdout.Name() {
		path = "standard output"
	}
	return strings.Replace(err.Error(), own, terminal.PrintableText(path)+": "+cause, 1)
}
