package couriers

import "milaan/domain"

// The faults of headers.

// noCourier says which required role no courier finds in the line that looks
// most like a header, beyond the columns that are given.
func (h *header) noCourier(line int, given columns) error {
	h.fill(&given, &vocabularyKeys)
	e := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleNoColumn, Line: line, NoHeader: true,
		Roles: h.mapping(given).MissingRoles(), Found: h.words}
	for _, role := range e.Roles {
		e.LookedFor = append(e.LookedFor, vocabulary[role])
	}
	return e
}

func (h *header) missingColumn(line int, role domain.Role, name string) error {
	return &domain.FileError{File: domain.CourierFile, Rule: domain.RuleNotThere, Line: line, NoHeader: true,
		Roles: []domain.Role{role}, Value: domain.Shortened(name), Found: h.words}
}

// ambiguous says in which roles the couriers that know the header best differ,
// and which columns each of them takes.
func (h *header) ambiguous(best []proposal, disputed []domain.Role) *domain.FileError {
	e := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleAmbiguous}
	for _, role := range disputed {
		for _, column := range candidates(best, role) {
			c := domain.Candidate{Role: role, Column: h.words[column], Place: column + 1}
			for _, p := range best {
				if p.columns[role] == column {
					c.Couriers = append(c.Couriers, p.courier.info.ID)
				}
			}
			e.Candidates = append(e.Candidates, c)
		}
	}
	return e
}

// standsTwice says that a column's name stands more than once in the header.
func (h *header) standsTwice(role domain.Role, at []int) *domain.FileError {
	e := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleColumnTwice, Roles: []domain.Role{role}, Column: h.words[at[0]]}
	for _, i := range at {
		e.Candidates = append(e.Candidates, domain.Candidate{Role: role, Column: h.words[i], Place: i + 1})
	}
	return e
}

func (h *header) twoRoles(column int, first, second domain.Role) *domain.FileError {
	return &domain.FileError{File: domain.CourierFile, Rule: domain.RuleTwoRoles, Roles: []domain.Role{first, second}, Column: h.words[column]}
}

// sideTable says that a column is of another table, which stands beside the lines and ends above this one.
func (h *header) sideTable(line int, role domain.Role, column int, other part) error {
	return &domain.FileError{File: domain.CourierFile, Rule: domain.RuleSideTable, Line: line, Column: h.words[column],
		Found: h.words[other.from:other.end], Candidates: []domain.Candidate{{Role: role, Column: h.words[column], Place: column + 1}}}
}

// severalMappings says that several named mappings have exactly this header and name different
// columns.
func severalMappings(fitting []finding) error {
	e := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleMappings}
	for i := range fitting {
		e.Options = append(e.Options, fitting[i].name)
	}
	return e
}
