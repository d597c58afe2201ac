package view

import "milaan/domain"

// This file has what only pages are told.

// Me is what the pages know of the service and of who asks.
type Me struct {
	Visitor       string             `json:"visitor" ts:"'account' | 'local' | 'none'"`
	SignIn        SignIn             `json:"sign_in"`
	Billing       bool               `json:"billing"` // plans are bought here
	SignUp        bool               `json:"sign_up"` // whoever signs in at the provider makes an account
	Person        *string            `json:"person"`  // e-mail address of who has signed in
	Role          *domain.MemberRole `json:"role"`    // theirs in the account
	Accounts      []WorksFor         `json:"accounts"`
	Setup         *Setup             `json:"setup"`
	Account       *Account           `json:"account"`
	Quota         *Quota             `json:"quota"`
	Limits        Limits             `json:"limits"`
	Couriers      []Courier          `json:"couriers"`
	Languages     []Language         `json:"languages"`
	Defaults      Defaults           `json:"defaults"`
	RetentionDays int                `json:"retention_days"`
	BaseURL       string             `json:"base_url"`
	Sandbox       bool               `json:"sandbox"`     // accounts may have sandbox keys
	Held          bool               `json:"held"`        // the service sends nothing, as a restored copy
	PhoneCodes    bool               `json:"phone_codes"` // the service sends codes to verify numbers
}

// SignIn says by which ways people can sign in.
type SignIn struct {
	Link bool `json:"link"`
	OIDC bool `json:"oidc"`
}

// WorksFor is an account that the person can go on to.
type WorksFor struct {
	ID    string            `json:"id"`
	Email string            `json:"email"`
	Role  domain.MemberRole `json:"role"`
}

// Setup says what of an account's setup is done.
type Setup struct {
	Phone        bool `json:"phone"`        // it is verified
	Subscription bool `json:"subscription"` // there is one, or was
}

// Quota is how many runs the account has made in this billing cycle.
type Quota struct {
	Used     int    `json:"used"`
	Cap      *int   `json:"cap"` // null: no limit
	ResetsOn string `json:"resets_on"`
}

// Limits are the bounds of an upload.
type Limits struct {
	Rows      int   `json:"rows"` // of all reports of a run together
	Reports   int   `json:"reports"`
	BodyBytes int64 `json:"body_bytes"`
}

// Courier is a courier of the catalogue.
type Courier struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Language is a language of the pages.
type Language struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Defaults are what a run is judged by where nobody says otherwise.
type Defaults struct {
	OverdueDays int `json:"overdue_days"`
	MinorGap    int `json:"minor_gap"` // rupees
}

// Failure is the body of an error's answer.
type Failure struct {
	Error  string      `json:"error"` // a sentence in the page's language
	Code   domain.Code `json:"code"`
	Field  string      `json:"field,omitempty"` // of the first fault
	File   string      `json:"file,omitempty" ts:"'orders' | 'report' | 'bank' | 'previous'"`
	Report int         `json:"report,omitempty"` // from 1
	Faults []Fault     `json:"faults,omitempty"`
}

// Fault is what is wrong with one field.
type Fault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	Report  int    `json:"report,omitempty"`
}

// Inspection is what was recognised in files before they are compared. Files that were not
// given are null.
type Inspection struct {
	Orders  *InspectedOrders  `json:"orders"`
	Reports []InspectedReport `json:"reports"`
	Bank    *InspectedFile    `json:"bank"`
	Ledger  *InspectedLedger  `json:"previous"`
}

// Is is what a file is: orders, report, bank or previous; blank: that is not known.
type Is string

// Kind is the format of a file; blank: it is not known.
type Kind string

// InspectedFile is what a file was recognised as.
type InspectedFile struct {
	Is         Is                `json:"is"` // by its content
	Kind       Kind              `json:"kind"`
	Sheet      string            `json:"sheet"`
	HeaderLine int               `json:"header_line"` // 0: no line looks like a header
	Header     []string          `json:"header"`
	Columns    []InspectedColumn `json:"columns"`
	Rows       int               `json:"rows"`
	From       *string           `json:"from"`
	To         *string           `json:"to"`
	Fault      *Failure          `json:"fault"`
}

// InspectedColumn is a column of the header.
type InspectedColumn struct {
	Name    string   `json:"name"`
	Samples []string `json:"samples"`
}

// InspectedOrders is what an orders export was recognised as.
type InspectedOrders struct {
	InspectedFile
	Recognised string `json:"recognised"` // id of the storefront
	Name       string `json:"name"`
	Orders     int    `json:"orders"`
}

// InspectedLedger is what a ledger was recognised as.
type InspectedLedger struct {
	InspectedFile
	Orders int    `json:"orders"` // that it remembers
	Lines  int    `json:"lines"`  // the same
	Open   int    `json:"open"`   // orders for which the run that has written it claims money
	Brand  string `json:"brand"`
	AsOf   string `json:"as_of"` // YYYY-MM-DD: that run's batch_as_of
}

// InspectedReport is what a report was recognised as.
type InspectedReport struct {
	InspectedFile
	Courier string   `json:"courier"` // id; blank: not known
	Name    string   `json:"name"`
	Also    []string `json:"also"` // ids of the other couriers that know the header as well
	Saved   bool     `json:"saved"`
	// SavedName is that of the named mapping that was used, and SavedNames are those that fit
	// and differ.
	SavedName  string        `json:"saved_name"`
	SavedNames []string      `json:"saved_names"`
	HeaderHash string        `json:"header_hash"` // with which a mapping is saved
	Mapping    []RoleMapping `json:"mapping"`
	Charges    []string      `json:"charges"` // the columns of charges
	Missing    []string      `json:"missing"` // roles of which one at least needs a column
}

// RoleMapping is a role and the column that has it.
type RoleMapping struct {
	Role       string   `json:"role"`
	Column     string   `json:"column"` // blank: none
	Source     string   `json:"source" ts:"'detected' | 'saved' | 'stated' | 'none'"`
	Required   bool     `json:"required"`
	Candidates []string `json:"candidates"` // if it cannot be decided which column has the role
	Samples    []string `json:"samples"`
}

// Connectors are the kinds of shops and of report sources, and what forms tell people before
// they type.
type Connectors struct {
	Shops   []Connector      `json:"shops"`
	Sources []Connector      `json:"sources"`
	Limits  ConnectionLimits `json:"limits"`
	Roles   []string         `json:"roles"` // of the columns that may be stated
}

// Connector is a kind of shop or of report source.
type Connector struct {
	ID       domain.Connector `json:"id"`
	Name     string           `json:"name"`
	Files    bool             `json:"files"` // it has files with names, which a pattern can choose
	Kept     bool             `json:"kept"`  // people upload its files here
	Settings []Setting        `json:"settings"`
}

// Setting describes a setting of a connector to the page that asks for it.
type Setting struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Hint     string   `json:"hint"`
	Secret   bool     `json:"secret"`
	Required bool     `json:"required"`
	Default  string   `json:"default"`
	Lines    bool     `json:"lines"`   // it may have several
	Options  []string `json:"options"` // of which it must be one; none: any text
	// OptionLabels are what the options mean, in their order.
	OptionLabels []string `json:"option_labels"`
	Example      string   `json:"example"`
}

// ConnectionName is what everybody of an account may know of a connection.
type ConnectionName struct {
	ID   string `json:"id"`
	Name string `json:"name"` // its brand, or the kind of its shop
}

// ConnectionLimits are the bounds of a connection.
type ConnectionLimits struct {
	Sources       int   `json:"sources"`
	MinWindow     int   `json:"min_window_days"`
	MaxWindow     int   `json:"max_window_days"`
	DefaultWindow int   `json:"default_window_days"`
	KeptFile      int64 `json:"kept_file_bytes"`
	KeptDays      int   `json:"kept_days"`
}
