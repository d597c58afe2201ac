package domain

// Dispute is what a shop writes to a courier about one order whose money it claims.
type Dispute struct {
	AWB, OrderID, UTR        []byte
	OrderedOn, DeliveredOn   Day // NoDay: not known
	Due, Remitted, Shortfall Paise
	Asked                    Paise  // what of Shortfall no charge explains
	DaysOverdue              int    // 0: none
	Reason                   Reason // as the courier reads it
}

// Asked is what the shop may ask of the courier for the i-th order: what is owed for a
// flagged order and no charge of the reports explains (decisions, section 4, charges). It
// is 0 if there is nothing to ask for.
func (r *Reconciliation) Asked(i int) Paise {
	d := &r.decisions[i]
	if !d.flag.IsFlagged() || d.shortfall <= 0 {
		return 0
	}
	_, sums := r.statedCharges(i)
	return sums.leave(d)
}

// Dispute fills in the dispute of the i-th order, and says whether anything is asked for
// it. Its texts are valid until the next call of Dispute, Details or Explain.
func (r *Reconciliation) Dispute(i int, d *Dispute) bool {
	result, details := r.Result(i), r.Details(i)
	d.AWB, d.OrderID, d.UTR = result.AWB, result.OrderID, details.UTR
	d.OrderedOn, d.DeliveredOn = result.OrderedOn, details.DeliveredOn
	d.Due, d.Remitted, d.Shortfall, d.DaysOverdue = result.Due, result.Remitted, result.Shortfall, result.DaysOverdue
	d.Asked = r.Asked(i)
	r.Explain(i, &d.Reason)
	d.Reason.ForCourier = true
	return d.Asked > 0
}
