package domain

// Dispute is what a shop writes to a courier about one order whose money it claims.
type Dispute struct {
	AWB, OrderID, UTR        []byte
	OrderedOn, DeliveredOn   Day // NoDay: not known
	Due, Remitted, Shortfall Paise
	DaysOverdue              int    // 0: none
	Reason                   Reason // as the courier reads it
}

// IsDisputed says whether the order's money is to be claimed from its courier: the order is
// flagged, and something is owed.
func (r *Result) IsDisputed() bool { return r.Flag.IsFlagged() && r.Shortfall > 0 }

// Dispute fills in the dispute of the i-th order. Its texts are valid until the next call of
// Dispute, Details or Explain.
func (r *Reconciliation) Dispute(i int, d *Dispute) {
	result, details := r.Result(i), r.Details(i)
	d.AWB, d.OrderID, d.UTR = result.AWB, result.OrderID, details.UTR
	d.OrderedOn, d.DeliveredOn = result.OrderedOn, details.DeliveredOn
	d.Due, d.Remitted, d.Shortfall, d.DaysOverdue = result.Due, result.Remitted, result.Shortfall, result.DaysOverdue
	r.Explain(i, &d.Reason)
	d.Reason.ForCourier = true
}
