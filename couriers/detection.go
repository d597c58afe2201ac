package couriers

import (
	"cmp"
	"slices"

	"milaan/domain"
	"milaan/ports"
)

// grade is how surely a courier knows a header, the best first (guide:
// verdict 1).
type grade uint8

const (
	bySignature  grade = iota // all three columns of the signature are there
	byOwnNames                // the courier's own names give the required roles
	byVocabulary              // only the names that all couriers share do
)

// proposal is how one courier would read a header.
type proposal struct {
	courier *courier
	grade   grade
	columns columns
}

// propose returns how the courier would read a header of which some columns are
// given already. known is false if the courier does not know the header.
func (c *courier) propose(h *header, given columns) (p proposal, known bool) {
	p = proposal{courier: c, columns: given}
	h.fill(&p.columns, &c.signature)
	if p.grade = bySignature; !c.hasSignature(p.columns) || p.columns == given {
		own := p.columns
		h.fill(&own, &c.own, &c.lastResort)
		p.columns = given
		switch {
		case h.mapping(own).MissingRoles() != nil:
			return p, false
		case c.isCustom():
			p.grade = byVocabulary
		case own == given: // nothing of it is the courier's
			return p, false
		default:
			p.grade = byOwnNames
		}
	}
	h.fill(&p.columns, &c.own, &vocabularyKeys, &c.signature, &c.lastResort)
	return p, h.mapping(p.columns).MissingRoles() == nil
}

func (c *courier) hasSignature(found columns) bool {
	for _, role := range signatureRoles {
		if len(c.signature[role]) == 0 || found[role] == absent {
			return false
		}
	}
	return true
}

// ask asks every courier about a header and sorts the proposals, the surest
// first, and equally sure ones as in the catalogue.
func (r *Registry) ask(h *header, given columns) []proposal {
	var all []proposal
	for i := range r.couriers {
		if p, known := r.couriers[i].propose(h, given); known {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b proposal) int { return int(a.grade) - int(b.grade) })
	return all
}

// decisive are the roles that decide which money belongs to which order. If two
// couriers know a header equally well and take different columns for such a role, the
// file is refused: a guess could give money to the wrong order.
var decisive = [domain.RoleCount]bool{
	domain.RoleAWB:              true,
	domain.RoleOrderID:          true,
	domain.RoleCODAmount:        true,
	domain.RoleRemittedAmount:   true,
	domain.RoleRemittanceDate:   true,
	domain.RoleRemittanceStatus: true,
}

// best are the surest of some sorted proposals.
func best(proposals []proposal) []proposal {
	for i := range proposals {
		if proposals[i].grade != proposals[0].grade {
			return proposals[:i]
		}
	}
	return proposals
}

// agree makes one reading of the best proposals. A role that only one courier knows
// is taken from that courier. If they differ in a decisive role, agree returns a
// *domain.FileError that names all candidates. If they differ in another role, the
// order of the vocabulary decides, and for names that it does not have the order of
// the header. If they differ only in the order id, agree takes the better name, and
// chooseOrderID may take another one when the export has been read.
func (h *header) agree(proposals []proposal, given columns) (columns, error) {
	best := best(proposals)
	agreed, disputed := h.takeBetter(best)
	if len(disputed) > 0 && !slices.Equal(disputed, []domain.Role{domain.RoleOrderID}) {
		return agreed, h.ambiguous(best, disputed)
	}
	for role, column := range agreed {
		if first, _ := agreed.roleAt(column); column != absent && int(first) != role {
			return agreed, h.twoRoles(column, first, domain.Role(role))
		}
	}
	return agreed, h.checkUnique(agreed, given)
}

// takeBetter gives each role the better of the columns that proposals give it, and lists the
// decisive roles of which they give several.
func (h *header) takeBetter(proposals []proposal) (better columns, disputed []domain.Role) {
	better = noColumns()
	for role := range better {
		taken := candidates(proposals, domain.Role(role))
		if len(taken) == 0 {
			continue
		}
		better[role] = slices.MinFunc(taken, func(a, b int) int { return h.compareNames(domain.Role(role), a, b) })
		if len(taken) > 1 && decisive[role] {
			disputed = append(disputed, domain.Role(role))
		}
	}
	return better, disputed
}

// agreeWhereSure is agree for a header of which a saved mapping gives columns: a role about which
// agree would return an error has no column, and the error is among the doubts.
func (h *header) agreeWhereSure(proposals []proposal, given columns) (sure columns, doubts [domain.RoleCount]*domain.FileError) {
	best := best(proposals)
	better, disputed := h.takeBetter(best)
	sure = better
	for at, column := range better {
		role := domain.Role(at)
		if column == absent || given[role] == column {
			continue
		}
		switch playing, same := better.rolesAt(column), h.namedLike(column); {
		case role != domain.RoleOrderID && slices.Contains(disputed, role):
			doubts[role] = h.ambiguous(best, []domain.Role{role})
		case len(playing) > 1:
			doubts[role] = h.twoRoles(column, playing[0], playing[1])
		case len(same) > 1:
			doubts[role] = h.standsTwice(role, same)
		default:
			continue
		}
		sure[role] = absent
	}
	return sure, doubts
}

// candidates are the columns that proposals give a role, each once.
func candidates(proposals []proposal, role domain.Role) []int {
	var distinct []int
	for _, p := range proposals {
		if column := p.columns[role]; column != absent && !slices.Contains(distinct, column) {
			distinct = append(distinct, column)
		}
	}
	slices.Sort(distinct)
	return distinct
}

// compareNames sorts the columns of a role, the better name first, and where the
// vocabulary knows neither as in the header.
func (h *header) compareNames(role domain.Role, a, b int) int {
	return cmp.Or(h.precedence(role, a)-h.precedence(role, b), a-b)
}

// precedence is the place of a column's name among the vocabulary's names for a
// role; a name that the vocabulary does not know comes last.
func (h *header) precedence(role domain.Role, column int) int {
	if i := slices.Index(vocabularyKeys[role], h.keys[column]); i >= 0 {
		return i
	}
	return len(vocabularyKeys[role])
}

// recognitions turns proposals into what ports.Couriers returns.
func (h *header) recognitions(proposals []proposal) []ports.Recognition {
	all := make([]ports.Recognition, len(proposals))
	for i, p := range proposals {
		charges, _ := h.findCharges(nil, proposals[i:i+1], p.columns)
		all[i] = ports.Recognition{Courier: p.courier.info, Mapping: h.mapping(p.columns, charges...), Exact: p.grade == bySignature}
	}
	return all
}
