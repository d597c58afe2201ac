package domain

// MatchMode says how an order found its courier lines.
type MatchMode uint8

// The modes of the contract (section 2.3).
const (
	MatchAWB MatchMode = iota
	MatchOrderID
)

func (m MatchMode) String() string {
	if m == MatchAWB {
		return "awb"
	}
	return "order_id"
}

// Result is what a run says of one order.
type Result struct {
	AWB         []byte // several are joined by ", "
	OrderID     []byte
	Due         Paise // cod_amount
	Remitted    Paise
	Shortfall   Paise
	DaysOverdue int
	Flag        Flag
	Status      string
	MatchMode   MatchMode
}

// Reconciliation is a run's findings, order by order.
type Reconciliation struct {
	Tally    Tally
	Guidance Guidance
}

// Len is how many orders there are.
func (r *Reconciliation) Len() int { return 0 }

// Result is the finding on the i-th order, in the export's order. Its slices
// are good until the next call.
func (r *Reconciliation) Result(i int) Result { return Result{} }

// AppendReason appends the i-th finding's flag_reason.
func (r *Reconciliation) AppendReason(dst []byte, i int) []byte { return dst }
