package cli

import (
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// names are what people at a terminal call things: files by their paths, fields by
// their flags. It fills ports.Names.
type names struct{ paths map[domain.File]string }

// Surface fills ports.Names.
func (names) Surface() ports.Surface { return ports.CommandLine }

// File fills ports.Names.
func (n names) File(f domain.File) string { return shown(shownPath(n.paths[f])) }

// flags are the fields as flags. Who names a column names its role too.
var flags = map[domain.Field]string{
	domain.FieldCourierName: "courier", domain.FieldBrand: "brand", domain.FieldOverdueDays: "overdue-days", domain.FieldMinorGap: "minor-gap",
	domain.FieldColumns: "column role=Header", domain.FieldEmail: "email", domain.FieldPlan: "plan", domain.FieldSubscription: "subscription",
	domain.FieldSubscribedOn: "subscribed-on", domain.FieldBillingDay: "billing-day", domain.FieldRunCap: "run-cap",
	domain.FieldOwnOverdueDays: "overdue-days", domain.FieldEndpoint: "url", domain.FieldSessionTime: "ttl",
}

// Field fills ports.Names.
func (names) Field(f domain.Field, _ int) string { return "--" + flags[f] }

// Column fills ports.Names.
func (names) Column(role domain.Role, column string) string {
	return "--column " + quoted(role.String()+"="+shown(column))
}

// worded is what people are told of an error: in words of the catalogue if the
// business knows it, and with its cause, for who runs the command runs the service.
func (n names) worded(err error, words ports.Wording) string {
	if _, _, known := domain.KindOf(err); !known {
		return err.Error()
	}
	text := string(words.AppendError(nil, err, n))
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}
