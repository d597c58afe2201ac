package domain

import (
	"cmp"
	"slices"
)

// Field is what a caller fills in: a field of a request, of a batch or of an
// account. What it is called there, the adapter that reads it knows.
type Field uint8

// The fields, in the order in which their faults are reported.
const (
	FieldJobs Field = iota + 1 // of a batch
	FieldJob                   // one of them as a whole
	FieldStorefront
	FieldCourier
	FieldCourierName
	FieldBrand
	FieldOverdueDays
	FieldMinorGap
	FieldColumns
	FieldWebhookURL
	FieldRequestKey
	FieldEmail // from here on of an account
	FieldPlan
	FieldSubscription
	FieldSubscribedOn
	FieldBillingDay
	FieldRunCap
	FieldOwnOverdueDays // overdue days of its own
	FieldEndpoint
	FieldSessionTime
	FieldCount
)

var fieldNames = [FieldCount]string{
	FieldJobs: "jobs", FieldJob: "job", FieldStorefront: "export", FieldCourier: "report", FieldCourierName: "courier_name", FieldBrand: "brand",
	FieldOverdueDays: "overdue_days", FieldMinorGap: "minor_gap", FieldColumns: "columns", FieldWebhookURL: "webhook_url", FieldRequestKey: "request_key",
	FieldEmail: "email", FieldPlan: "plan", FieldSubscription: "subscription", FieldSubscribedOn: "subscribed_on", FieldBillingDay: "billing_day",
	FieldRunCap: "run_cap", FieldOwnOverdueDays: "own_overdue_days", FieldEndpoint: "endpoint", FieldSessionTime: "session_time",
}

// String is the field's name for the log.
func (f Field) String() string { return fieldNames[f] }

// Rule is what a field breaks. Its text is for the log.
type Rule string

// The rules of any field.
const (
	RuleMissing Rule = "missing"
	RuleType    Rule = "type"     // Value is the JSON type sent
	RuleWhole   Rule = "whole"    // a whole number from Min to Max
	RuleLeast   Rule = "least"    // a number of Min or more
	RuleLabel   Rule = "label"    // Max characters
	RuleOneOf   Rule = "one_of"   // one of Options
	RuleTooFew  Rule = "too_few"  // Min to Max entries
	RuleTooMany Rule = "too_many" // Max entries
	RuleDay     Rule = "date"
	RuleNotPast Rule = "not_past" // no later than Day, which is today
	RuleEmail   Rule = "email"
	RuleTime    Rule = "time"   // Min seconds to Max hours
	RuleKey     Rule = "key"    // up to Max characters
	RuleTwice   Rule = "twice"  // given more than once
	RuleCustom  Rule = "custom" // needs the courier custom
	RuleRole    Rule = "role"   // Value is no role
	RuleBlank   Rule = "blank"  // names no column for Role
)

// The rules of an endpoint.
const (
	RuleLength      Rule = "length" // Value bytes, Max
	RuleUnseen      Rule = "unseen" // characters that cannot be seen
	RuleURL         Rule = "url"
	RuleHTTPS       Rule = "https"
	RuleHTTPSHere   Rule = "https_here" // plain http to another machine
	RuleNoHost      Rule = "no_host"
	RuleUser        Rule = "user"
	RuleFragment    Rule = "fragment"
	RulePort        Rule = "port"
	RuleZone        Rule = "zone"
	RuleASCII       Rule = "ascii"
	RuleHost        Rule = "host"
	RuleHostLength  Rule = "host_length" // Max characters
	RuleHostNumber  Rule = "host_number"
	RulePublic      Rule = "public"       // Value is the host
	RuleNameServers Rule = "name_servers" // they do not answer for the host, Value
)

// Fault is what is wrong with one field. Which of the values are there, the rule
// says. Value is the caller's, and never for a log.
type Fault struct {
	Field    Field
	Rule     Rule
	Job      int // of a batch, from 1; 0: none
	Min, Max int
	Value    string // shortened
	Options  []string
	Role     Role
	Day      Day
	Loopback bool // of RulePublic: a host of this machine, which a setting allows
}

// OutOfBounds is the fault of a number that is none, or beyond the bounds of its
// field.
func OutOfBounds(f Field) Fault {
	switch f {
	case FieldMinorGap:
		return Fault{Field: f, Rule: RuleWhole, Min: MinMinorGap, Max: MaxMinorGap}
	case FieldBillingDay:
		return Fault{Field: f, Rule: RuleWhole, Min: 1, Max: lastOfMonth}
	}
	return Fault{Field: f, Rule: RuleWhole, Min: MinOverdueDays, Max: MaxOverdueDays}
}

// Faults are what is wrong with a request, one of each field.
type Faults []Fault

// Has says that a field has a fault.
func (all Faults) Has(f Field) bool {
	return slices.ContainsFunc(all, func(fault Fault) bool { return fault.Field == f })
}

// Add adds a fault if it is one and its field has none yet: of one that could not
// be read, nothing else can be said.
func (all *Faults) Add(is bool, fault Fault) {
	if is && !all.Has(fault.Field) {
		*all = append(*all, fault)
	}
}

// Sorted puts the faults into the order of their fields, those of a batch's jobs by
// their jobs.
func (all Faults) Sorted() Faults {
	slices.SortFunc(all, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.ofBatch(), b.ofBatch()), a.Job-b.Job, cmp.Compare(a.Field, b.Field))
	})
	return all
}

// ofBatch is the field of the batch that a fault is in.
func (f Fault) ofBatch() Field {
	if f.Job > 0 {
		return FieldJob
	}
	return f.Field
}

// Err is the error with CodeField that tells of the faults; nil if there are none.
func (all Faults) Err() error {
	if len(all) == 0 {
		return nil
	}
	return &Error{Kind: KindInvalid, Code: CodeField, Faults: all}
}
