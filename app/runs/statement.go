package runs

import (
	"milaan/domain/bank"
	"milaan/ports"
)

// readStatement reads the bank statement of a task; nil if it has none.
func (r *Reconciling) readStatement(t *task) (*bank.Statement, error) {
	if t.Statement == nil {
		return nil, nil
	}
	s := new(bank.Statement)
	if err := r.in.ReadStatement(t.content(t.Statement), s); err != nil {
		return nil, err
	}
	return s, nil
}

// holdAgainst holds the payouts of a finished run against a statement, if there is one.
func (r *Reconciling) holdAgainst(s *bank.Statement, finished *ports.FinishedRun) {
	if s == nil {
		return
	}
	var payers []bank.Payer
	for _, c := range r.in.Couriers.Catalogue() {
		payers = append(payers, bank.Payer{Courier: c.ID, Names: c.InStatements})
	}
	findings := s.Match(finished.Payouts(), payers, finished.EarlierPayouts()...)
	finished.Statement = &findings
}
