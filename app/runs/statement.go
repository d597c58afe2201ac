package runs

import (
	"milaan/domain"
	"milaan/ports"
)

// readStatement reads the bank statement of a task; nil if it has none.
func (r *Reconciling) readStatement(t *task) (*domain.Statement, error) {
	if t.Statement == nil {
		return nil, nil
	}
	s := new(domain.Statement)
	if err := r.in.Statements.Read(t.content(t.Statement), s); err != nil {
		return nil, err
	}
	return s, nil
}

// holdAgainst holds the payouts of a finished run against a statement, if there is one.
func (r *Reconciling) holdAgainst(s *domain.Statement, finished *ports.FinishedRun) {
	if s == nil {
		return
	}
	var payers []domain.Payer
	for _, c := range r.in.Couriers.Catalogue() {
		payers = append(payers, domain.Payer{Courier: c.ID, Names: c.InStatements})
	}
	findings := s.Match(finished.Payouts(), payers)
	finished.Statement = &findings
}
