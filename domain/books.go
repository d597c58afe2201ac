package domain

import "strings"

// Books are how the vouchers of an account are written: the names that its accounting program has for the ledgers. A
// blank name is that of DefaultBooks.
type Books struct {
	Bank         string // into which couriers pay
	NotCredited  string // what was remitted, and no bank statement shows yet
	Receivable   string // what a courier has collected and owes; courierPlace stands for its name
	CODCharges   string // for collecting cash
	Freight      string // for carrying parcels, back too
	ChargesTax   string // tax on the charges, such as GST
	TaxDeducted  string // tax that the courier deducts and pays for the shop, such as TDS
	OtherCharges string // charges that are none of these
	Difference   string // what was deducted, and no charge explains
	ByOrder      bool   // what a courier owes is settled order by order, by bill references
}

// courierPlace stands for the name of the courier in Books.Receivable.
const courierPlace = "{courier}"

// DefaultBooks are the names that accountants know.
func DefaultBooks() Books {
	return Books{
		Bank: "Bank Account", NotCredited: "Courier receivable, not yet credited", Receivable: courierPlace + " COD receivable",
		CODCharges: "COD charges", Freight: "Courier freight", ChargesTax: "GST on courier charges", TaxDeducted: "TDS receivable",
		OtherCharges: "Other courier charges", Difference: "Courier differences, unexplained",
	}
}

// BookLedger is a name of Books. Key names it for programs, and never changes.
type BookLedger struct {
	Key  string
	Name *string
}

// Ledgers are the names of the books, which can be set.
func (b *Books) Ledgers() []BookLedger {
	return []BookLedger{
		{"bank", &b.Bank}, {"not_credited", &b.NotCredited}, {"receivable", &b.Receivable}, {"cod_charges", &b.CODCharges},
		{"freight", &b.Freight}, {"charges_tax", &b.ChargesTax}, {"tax_deducted", &b.TaxDeducted}, {"other_charges", &b.OtherCharges},
		{"difference", &b.Difference},
	}
}

// Complete returns the books with the default in place of each blank name.
func (b Books) Complete() Books {
	defaults := DefaultBooks()
	of := defaults.Ledgers()
	for i, ledger := range b.Ledgers() {
		if strings.TrimSpace(*ledger.Name) == "" {
			*ledger.Name = *of[i].Name
		}
	}
	return b
}

// CheckBooks returns the faults of the names of books. A name that a spreadsheet would run as a formula is one: the journal would
// have it with an apostrophe in front, and so another ledger.
func CheckBooks(b Books) (faults Faults) {
	for _, ledger := range b.Ledgers() {
		fault := Fault{Field: FieldBookLedger, Rule: RuleLabel, Max: MaxLabel, Value: ledger.Key}
		if isFormula(*ledger.Name) {
			fault.Rule = RuleLedgerName
		}
		faults.Add(!GoodLabel(*ledger.Name) || isFormula(*ledger.Name), fault)
	}
	return faults
}

// ReceivableOf returns the ledger of what a courier owes, by the name of the courier.
func (b Books) ReceivableOf(courier string) string {
	return strings.ReplaceAll(b.Receivable, courierPlace, courier)
}
