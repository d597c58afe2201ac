package storefront

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"milaan/domain"
)

// Provider is what we know of one storefront: what the columns of its export are
// called, and what its words mean to the business.
type Provider struct {
	ID   string // small letters and digits, words joined by _
	Name string // as people write it
	// Export is how a person gets the export, for messages: where to click.
	Export string
	// Columns has names for the order's name, its total and one of the dates of
	// createdAt, paidAt and fulfilledAt at least.
	Columns Names
	// Fulfilments are the fulfilment statuses of which rules know, case aside. Any
	// other is domain.FulfilmentOther.
	Fulfilments map[string]domain.Fulfilment
	// Financials are the financial statuses of which rules know, by their letters and
	// digits. Any other is domain.FinancialOther.
	Financials map[string]domain.Financial
	// Joins are the signs by which it joins the payment methods of one order.
	Joins string
	// Prepaid are prepaid payment methods that nobody else has, by their letters and
	// digits, wherever they stand in a method's name. Those of gateways are known.
	Prepaid []string
}

// Names lists what columns are called, the best name first. Names are compared by
// domain.HeaderKey: case, blanks and signs do not matter.
type Names map[column][]string

// registered are the providers that have announced themselves.
var registered []Provider

// register adds a provider. One that cannot be right is a fault of the program: it
// stops before it reads a single file.
func register(p Provider) {
	err := p.validate()
	for _, other := range registered {
		if other.ID == p.ID {
			err = errors.Join(err, errors.New("the ID is taken"))
		}
	}
	if err != nil {
		panic(fmt.Errorf("storefront: the provider %q: %w", p.ID, err))
	}
	registered = append(registered, p)
}

var wellFormedID = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// validate checks what the compiler cannot. It returns everything that is wrong,
// joined.
func (p Provider) validate() error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if !wellFormedID.MatchString(p.ID) {
		fault("ID %q must be small letters and digits, words joined by _", p.ID)
	}
	if p.Name == "" || p.Export == "" {
		fault("Name and Export must be there: messages to people name them")
	}
	if len(p.Columns[name]) == 0 || len(p.Columns[total]) == 0 || len(p.Columns[createdAt])+len(p.Columns[paidAt])+len(p.Columns[fulfilledAt]) == 0 {
		fault("Columns must name the order's name, its total and a date")
	}
	seen := map[string]bool{}
	for _, names := range p.Columns {
		for _, n := range names {
			key := domain.HeaderKey(n)
			if key == "" || seen[key] {
				fault("Columns: %q is listed twice, or has no letter or digit of ASCII to compare", n)
			}
			seen[key] = true
		}
	}
	for word := range p.Fulfilments {
		if word != strings.ToLower(word) {
			fault("Fulfilments: %q must be in small letters", word)
		}
	}
	for _, word := range slices.AppendSeq(slices.Clone(p.Prepaid), maps.Keys(p.Financials)) {
		if word == "" || word != domain.HeaderKey(word) {
			fault("%q, a financial status or a payment method, must be small letters and digits", word)
		}
	}
	return errors.Join(faults...)
}

// provider is a Provider made ready for reading.
type provider struct {
	Provider

	keys [columnCount + 1][]string // of Columns
}

func newProvider(p Provider) provider {
	ready := provider{Provider: p}
	for c, names := range p.Columns {
		for _, n := range names {
			ready.keys[c] = append(ready.keys[c], domain.HeaderKey(n))
		}
	}
	return ready
}
