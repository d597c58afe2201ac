package domain

import (
	"reflect"
	"strings"
)

// Books are how the vouchers of an account are written: the names that its accounting program has for the ledgers. A
// blank name is that of DefaultBooks.
type Books struct {
	Bank         string // into which couriers pay
	NotCredited  string // what was remitted, and no bank statement shows yet
	Receivable   string // what a courier has collected and owes; CourierPlace stands for its name
	CODCharges   string // for collecting cash
	Freight      string // for carrying parcels, back too
	ChargesTax   string // tax on the charges, such as GST
	TaxDeducted  string // tax that the courier deducts and pays for the shop, such as TDS
	OtherCharges string // charges that are none of these
	Difference   string // what was deducted, and no charge explains
	ByOrder      bool   // what a courier owes is settled order by order, by bill references
}

// CourierPlace stands for the name of the courier in Books.Receivable.
const CourierPlace = "{courier}"

// DefaultBooks are the names that accountants know.
func DefaultBooks() Books {
	return Books{
		Bank: "Bank Account", NotCredited: "Courier receivable, not yet credited", Receivable: CourierPlace + " COD receivable",
		CODCharges: "COD charges", Freight: "Courier freight", ChargesTax: "GST on courier charges", TaxDeducted: "TDS receivable",
		OtherCharges: "Other courier charges", Difference: "Courier differences, unexplained",
	}
}

// Complete returns the books with the default in place of each blank name.
func (b Books) Complete() Books {
	whole, defaults := reflect.ValueOf(&b).Elem(), reflect.ValueOf(DefaultBooks())
	for i := range whole.NumField() {
		if of := whole.Field(i); of.Kind() == reflect.String && strings.TrimSpace(of.String()) == "" {
			of.Set(defaults.Field(i))
		}
	}
	return b
}

// ReceivableOf returns the ledger of what a courier owes, by the name of the courier.
func (b Books) ReceivableOf(courier string) string {
	return strings.ReplaceAll(b.Receivable, CourierPlace, courier)
}
