package domain

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// Field is something that a caller fills in: a field of a request, of a batch or of an
// account. Each adapter has its own names for the fields that it reads.
type Field uint8

// The fields, in the order in which their faults are reported.
const (
	FieldJobs Field = iota + 1 // of a batch
	FieldJob                   // one job of a batch as a whole
	FieldStorefront
	FieldCourier
	FieldReports
	FieldCourierName
	FieldBrand
	FieldOverdueDays
	FieldMinorGap
	FieldCharges
	FieldColumns
	FieldMapping // the name of a saved one
	FieldNewName // of a saved mapping
	FieldHeader  // of the reports that a saved mapping is for
	FieldInclude
	FieldSheet
	FieldStatement // of the bank
	FieldPrevious  // the ledger of an earlier run
	FieldFormat    // of a document
	FieldBrandingName
	FieldMarks // of open items
	FieldWas   // what marks were before
	FieldKeep  // whether open items are kept
	FieldPaused
	FieldOnly // these orders stand in the document
	FieldBrandingLogo
	FieldBrandingColour
	FieldBrandingFooter
	FieldBookLedger // the name of a ledger; Value is its key
	FieldWebhookURL
	FieldRequestKey
	FieldEmail // from here on of an account
	FieldPlan
	FieldSubscription
	FieldSubscribedOn
	FieldBillingDay
	FieldRunCap
	FieldOwnOverdueDays // the account's overdue_threshold_days
	FieldEndpoint
	FieldSessionTime
	FieldSource // from here on of a question about runs
	FieldFrom
	FieldTo
	FieldLimit
	FieldAfter
	FieldConnector // from here on of a connection: the kind of its shop or of a report source
	FieldShop
	FieldSources
	FieldSetting
	FieldPattern
	FieldWindowDays
	FieldAlertAbove
	FieldFile // to be kept
	FieldPhoneNumber
	FieldPhoneCode
	FieldConfirm // what a person types to confirm that an account is closed
	FieldMemberRole
	FieldCount
)

var fieldNames = [FieldCount]string{
	FieldJobs: "jobs", FieldJob: "job", FieldStorefront: "export", FieldCourier: "report", FieldCourierName: "courier_name",
	FieldBrand:       "brand",
	FieldOverdueDays: "overdue_days", FieldMinorGap: "minor_gap", FieldCharges: "charges", FieldColumns: "columns", FieldReports: "reports",
	FieldMapping: "mapping", FieldNewName: "new_name", FieldHeader: "header",
	FieldInclude: "include", FieldSheet: "sheet", FieldStatement: "statement", FieldPrevious: "previous",
	FieldFormat: "format", FieldBrandingName: "branding_name", FieldMarks: "marks", FieldWas: "was", FieldOnly: "only",
	FieldKeep: "keep", FieldPaused: "paused",
	FieldBrandingLogo: "branding_logo", FieldBrandingColour: "branding_colour", FieldBrandingFooter: "branding_footer",
	FieldBookLedger: "book_ledger",
	FieldWebhookURL: "webhook_url", FieldRequestKey: "request_key",
	FieldEmail: "email", FieldPlan: "plan", FieldSubscription: "subscription", FieldSubscribedOn: "subscribed_on",
	FieldBillingDay: "billing_day",
	FieldRunCap:     "run_cap", FieldOwnOverdueDays: "own_overdue_days", FieldEndpoint: "endpoint", FieldSessionTime: "session_time",
	FieldConnector: "connector", FieldShop: "shop", FieldSources: "sources", FieldSetting: "setting", FieldPattern: "pattern",
	FieldWindowDays: "window_days", FieldAlertAbove: "alert_above", FieldFile: "file", FieldPhoneNumber: "number", FieldPhoneCode: "code",
	FieldConfirm: "confirm", FieldMemberRole: "role",
	FieldSource: "source", FieldFrom: "from", FieldTo: "to", FieldLimit: "limit", FieldAfter: "after",
}

// String returns the field's name for the log.
func (f Field) String() string { return fieldNames[f] }

// Rule is the rule that a field breaks. Its text is for the log. The comments name the
// values of the Fault that belong to it.
type Rule string

// The rules of any field.
const (
	RuleMissing      Rule = "missing"
	RuleType         Rule = "type"     // Value is the JSON type sent
	RuleWhole        Rule = "whole"    // a whole number from Min to Max
	RuleLeast        Rule = "least"    // a number of Min or more
	RuleLabel        Rule = "label"    // at most Max characters
	RuleOneOf        Rule = "one_of"   // one of Options
	RuleTooFew       Rule = "too_few"  // Min to Max entries
	RuleTooMany      Rule = "too_many" // at most Max entries
	RuleDay          Rule = "date"
	RuleNotPast      Rule = "not_past"   // not after Day, which is today
	RuleNotBefore    Rule = "not_before" // not before Day
	RuleCursor       Rule = "cursor"     // what the page before ended with
	RuleEmail        Rule = "email"
	RuleConfirm      Rule = "confirm"        // the e-mail address of the account, or the brand of a connection; Options: the one
	RuleTime         Rule = "time"           // from Min seconds to Max hours
	RuleKey          Rule = "key"            // at most Max characters
	RuleTwice        Rule = "twice"          // the field is given more than once
	RuleObject       Rule = "object"         // a JSON object; Value is the JSON type sent
	RuleEither       Rule = "either"         // the field and FieldCourier may not be given both
	RuleInEach       Rule = "in_each"        // the field may be given in each of several reports, and not beside them
	RuleNoFile       Rule = "no_file"        // the form has no file for the field
	RulePerReport    Rule = "per_report"     // once for all reports, or once for each of the Max that there are
	RuleCustom       Rule = "custom"         // the field may be given only with the courier custom
	RuleRole         Rule = "role"           // Value is not the name of a role
	RuleAlone        Rule = "alone"          // the field may not be given with columns, or with a courier other than custom
	RuleNoMapping    Rule = "no_mapping"     // no mapping is saved under the name Value
	RuleNotInPlan    Rule = "not_in_plan"    // the plan has no saved mappings
	RuleNotInSandbox Rule = "not_in_sandbox" // the sandbox has none
	RuleUnknownOrder Rule = "unknown_order"  // the order Value is not there, or has no dispute
	RuleSeveral      Rule = "several"        // several orders are called Value
	RuleFormat       Rule = "format"         // the field may be given only with the formats Options
	RuleBlank        Rule = "blank"          // the name of the column for Role is blank
	RuleMisfit       Rule = "misfit"         // Value, for Role, is not one column of the header, or has another role
	RuleNotes        Rule = "notes"          // with them, the notes of all open items would have more than Max bytes
)

// The rules of phones.
const (
	RulePhone     Rule = "phone"      // a mobile number of India
	RulePhoneCode Rule = "phone_code" // Max digits
)

// The rules of a branding.
const (
	RuleLine       Rule = "line"        // one line of at most Max characters
	RuleLedgerName Rule = "ledger_name" // not as formulas of spreadsheets begin
	RuleColour     Rule = "colour"      // such as #1A4F8B
	RuleContrast   Rule = "contrast"    // Value is too light to be read on white
	RuleImage      Rule = "image"       // a PNG or a JPEG
	RuleImageBytes Rule = "image_bytes" // of at most Max KiB
	RulePixels     Rule = "pixels"      // of at most Max pixels
)

// The rules of a connection's settings.
const (
	RuleSetting   Rule = "setting"    // the connector has no such setting; Options are those that it has
	RuleForm      Rule = "form"       // not what the setting must look like; Value is an example
	RuleLocal     Rule = "local"      // not a path within the account's folder
	RulePattern   Rule = "pattern"    // not a pattern of names
	RuleTested    Rule = "tested"     // a test finds it out
	RuleOneSender Rule = "one_sender" // only mails of one sender may replace each other
	RuleUnproven  Rule = "unproven"   // a proof of the sender needs one
	RuleFileBytes Rule = "file_bytes" // at most Max bytes
	// RuleAgain says that a secret must be stated again, because another setting says to
	// connect elsewhere or as somebody else, and the stored secret is not sent there.
	RuleAgain Rule = "again"
)

// The rules of an endpoint.
const (
	RuleLength      Rule = "length" // at most Max bytes; it has Value bytes
	RuleUnseen      Rule = "unseen" // no characters that cannot be seen
	RuleURL         Rule = "url"
	RuleHTTPS       Rule = "https"
	RuleHTTPSHere   Rule = "https_here" // plain http only to this machine
	RuleNoHost      Rule = "no_host"
	RuleUser        Rule = "user"
	RuleFragment    Rule = "fragment"
	RulePort        Rule = "port"
	RuleZone        Rule = "zone"
	RuleASCII       Rule = "ascii"
	RuleHost        Rule = "host"
	RuleHostLength  Rule = "host_length" // at most Max characters
	RuleHostNumber  Rule = "host_number"
	RulePublic      Rule = "public"       // the host, which is Value, must be public
	RuleNameServers Rule = "name_servers" // the name servers must answer for the host, which is Value
)

// Fault is what is wrong with one field. Its rule says which of the values are set.
// Value is a text of the caller and is never logged.
type Fault struct {
	Field     Field
	Rule      Rule
	Job       int // the job of a batch that has the field, from 1; 0: none
	Report    int // which of several reports has the field, from 1; 0: none
	Entry     int // which entry of the field, from 1; 0: all of it
	Min, Max  int
	Value     string // as Shortened returns it
	Options   []string
	Role      Role
	Day       Day
	Source    int       // which report source of a connection has the field, from 1; 0: the shop, or the connection
	Setting   string    // FieldSetting: its name
	Connector Connector // FieldSetting: which kind has it; blank: not known
	Loopback  bool      // RulePublic: the host is this machine, which a setting can allow
}

// OutOfBounds returns the fault of a field that must have a whole number within the
// field's bounds, and does not.
func OutOfBounds(f Field) Fault {
	switch f {
	case FieldMinorGap:
		return Fault{Field: f, Rule: RuleWhole, Min: MinMinorGap, Max: MaxMinorGap}
	case FieldLimit:
		return Fault{Field: f, Rule: RuleWhole, Min: 1, Max: MaxListedRuns}
	case FieldWindowDays:
		return Fault{Field: f, Rule: RuleWhole, Min: MinWindowDays, Max: MaxWindowDays}
	case FieldBillingDay:
		return Fault{Field: f, Rule: RuleWhole, Min: 1, Max: lastOfMonth}
	}
	return Fault{Field: f, Rule: RuleWhole, Min: MinOverdueDays, Max: MaxOverdueDays}
}

// Faults are what is wrong with a request: at most one fault for each field of it and of
// each report.
type Faults []Fault

// Has says whether a field has a fault. Fields of one of several reports do not count.
func (all Faults) Has(f Field) bool { return all.HasOf(0, f) }

// HasOf says whether a field of one of several reports has a fault. The report counts from
// 1; 0 means a field of no report.
func (all Faults) HasOf(report int, f Field) bool {
	return slices.ContainsFunc(all, func(fault Fault) bool { return fault.Field == f && fault.Report == report })
}

// Add adds a fault if is is true and its field has none yet. A field that could not be
// read has its fault already, and then its value breaks no other rule.
func (all *Faults) Add(is bool, fault Fault) {
	if is && !slices.ContainsFunc(*all, fault.sameField) {
		*all = append(*all, fault)
	}
}

// AddAll adds those faults whose field has none yet. (If Add took any number, each of its many
// callers would have to make a list, of 44 KB of the program.)
func (all *Faults) AddAll(faults []Fault) {
	for _, fault := range faults {
		all.Add(true, fault)
	}
}

func (f Fault) sameField(other Fault) bool {
	return f.Field == other.Field && f.Report == other.Report && f.Source == other.Source && f.Setting == other.Setting
}

// ReadDay reads a day such as 2026-08-31. It returns NoDay for a blank text, and for any
// other text, which it adds as a fault of the field.
func (all *Faults) ReadDay(f Field, text string) Day {
	if text == "" {
		return NoDay
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		all.Add(true, Fault{Field: f, Rule: RuleDay})
		return NoDay
	}
	return DayFromDate(t.Date())
}

// FaultsOf returns the faults of an error with CodeField; nil for any other error.
func FaultsOf(err error) Faults {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Faults
	}
	return nil
}

// Sorted sorts the faults by their fields, those of the jobs of a batch by job first, and
// those of several reports by report. It returns them.
func (all Faults) Sorted() Faults {
	slices.SortStableFunc(all, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.ofBatch(), b.ofBatch()), a.Job-b.Job, cmp.Compare(a.ofRequest(), b.ofRequest()), a.Report-b.Report,
			a.Source-b.Source, cmp.Compare(a.Field, b.Field))
	})
	return all
}

func (f Fault) ofRequest() Field {
	if f.Report > 0 {
		return FieldReports
	}
	return f.Field
}

func (f Fault) ofBatch() Field {
	if f.Job > 0 {
		return FieldJob
	}
	return f.ofRequest()
}

// Err returns an *Error with CodeField and the faults; nil if there are none.
func (all Faults) Err() error {
	if len(all) == 0 {
		return nil
	}
	return &Error{Kind: KindInvalid, Code: CodeField, Faults: all}
}
