package storefront

import (
	"milaan/domain"
	"milaan/domain/verdict"
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
	// Fulfilments are the fulfilment statuses that rules know, in small letters. Any
	// other is verdict.FulfilmentOther.
	Fulfilments map[string]verdict.Fulfilment
	// Financials are the financial statuses that rules know, by their letters and
	// digits. Any other is domain.FinancialOther.
	Financials map[string]domain.Financial
	// Joins are the signs that stand between the payment methods of one order.
	Joins string
	// Prepaid are parts of the names of prepaid payment methods that only this
	// storefront has, by their letters and digits. words.go has those of gateways.
	Prepaid []string
}

// Names lists what columns are called, the best name first. Names are compared by
// domain.HeaderKey: case, blanks and signs do not matter.
type Names map[column][]string

// registered are the providers that have registered themselves. TestProvidersAreSound
// says what is wrong with one.
var registered []Provider

func register(p Provider) { registered = append(registered, p) }

// unexported are the providers without an export that we read: their orders come from their
// APIs alone.
var unexported []Provider

func registerUnexported(p Provider) { unexported = append(unexported, p) }

// provider is a Provider made ready for reading.
type provider struct {
	Provider

	keys [nameLists][]string // of Columns
}

// describe names the storefront and how to get its export, for messages.
func (p *provider) describe() domain.Exporter {
	return domain.Exporter{Storefront: p.Name, Steps: p.Export}
}

func newProvider(p Provider) provider {
	ready := provider{Provider: p}
	for c, names := range p.Columns {
		ready.keys[c] = domain.HeaderKeys(names)
	}
	return ready
}
