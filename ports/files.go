package ports

import "milaan/domain"

// OrdersReader reads a shop's orders, wherever they come from. Each is read once.
type OrdersReader interface {
	// Size is about how many bytes there are to be read.
	Size() int64
	// Read adds every order to orders, which are of this run alone and may be Reset.
	// It returns a *domain.FileError for orders that cannot be read.
	Read(orders *domain.Orders) error
}

// RemittancesReader reads what a courier says that it collected and remitted,
// wherever that comes from. It is read once.
type RemittancesReader interface {
	// Size is about how many bytes there are to be read.
	Size() int64
	// Read adds every line to remittances and returns the mapping by which it was
	// read; none where there are no columns. It returns a *domain.FileError for a
	// report that cannot be read.
	//
	// orders waits for the run's orders, and is nil if they could not be read. It is
	// asked only where the report alone does not say how it is to be read; after nil,
	// any error will do.
	Read(orders func() *domain.Orders, remittances *domain.Remittances) (domain.Mapping, error)
}

// Storefronts knows the exports of storefronts.
type Storefronts interface {
	// Orders makes a reader of an export. The text is the reader's until it has been
	// read, which may alter it in place.
	Orders(text []byte) OrdersReader
}

// CourierInfo is what the catalogue says of a courier.
type CourierInfo struct {
	ID        string
	Name      string
	Signature []string // the contract's three column names; none for custom
}

// MappingChoice is what is known of a courier file's columns before it is read.
type MappingChoice struct {
	Columns map[domain.Role]string // demanded by the request
	Saved   *domain.Mapping        // remembered from an earlier run
}

// Recognition is how one courier reads a header.
type Recognition struct {
	Courier CourierInfo
	Mapping domain.Mapping
	Exact   bool // by the contract's own column names
}

// Couriers is the catalogue of couriers.
type Couriers interface {
	// Catalogue lists the couriers, sorted by id; custom is the last.
	Catalogue() []CourierInfo
	// Identify gives the id that a courierName means, case, blanks, - and _
	// aside; known is false if it means none.
	Identify(courierName string) (id string, known bool)
	// Remittances makes a reader of a courier's report. The text is the reader's
	// until it has been read, which may alter it in place.
	Remittances(text []byte, choice MappingChoice) RemittancesReader
	// Recognise says which couriers know the header of a report, best first,
	// and by which mapping it would be read, or why it would not.
	Recognise(text []byte) ([]Recognition, domain.Mapping, error)
}
