package couriers

import (
	"fmt"
	"slices"
	"strings"

	"milaan/domain"
)

// The messages about headers. Each names the role, what was found, and what to
// do.

// Long lists are cut for a message.
const (
	shownColumns = 12
	shownNames   = 5
)

func (h *header) fault(problem, advice string) error {
	return &domain.FileError{File: domain.CourierFile, Problem: problem, Advice: advice}
}

// noHeader is a fault of a file no line of which is the header that was looked for.
func (h *header) noHeader(line int, problem, advice string) error {
	return &domain.FileError{File: domain.CourierFile, Line: line, Problem: problem, Advice: advice, NoHeader: true}
}

// noCourier says which required role no courier finds in the line that looks
// most like a header, beyond the columns that are given.
func (h *header) noCourier(line int, given columns) error {
	h.fill(&given, &vocabularyKeys)
	missing := h.missing(given)
	var lookedFor []string
	eitherRole := strings.Split(missing, " or ")
	for _, name := range eitherRole {
		role, _ := domain.ParseRole(name)
		lookedFor = append(lookedFor, shortList(vocabulary[role], shownNames))
	}
	return h.noHeader(line,
		fmt.Sprintf("no column was found for %s (looked for %s); the header found is: %s", missing, strings.Join(lookedFor, "; or "), h.listed()),
		advice("rename the column", eitherRole[0], "its name"))
}

// notThere says that a column which the request names is not in the header.
func (h *header) notThere(line int, role domain.Role, name string) error {
	return h.noHeader(line,
		fmt.Sprintf("there is no column %q, which columns names for %s; the header found is: %s", domain.Shortened(name), role, h.listed()),
		"copy the column's name from the file's header")
}

// ambiguous says in which roles the couriers that know the header best differ,
// and which columns each of them takes.
func (h *header) ambiguous(best []proposal, disputed []domain.Role) error {
	var parts []string
	for _, role := range disputed {
		var readings []string
		for _, column := range candidates(best, role) {
			var ids []string
			for _, p := range best {
				if p.columns[role] == column {
					ids = append(ids, p.courier.info.ID)
				}
			}
			readings = append(readings, fmt.Sprintf("%q (%s)", domain.Shortened(h.words[column]), strings.Join(ids, ", ")))
		}
		parts = append(parts, fmt.Sprintf("%s is %s", role, strings.Join(readings, " or ")))
	}
	column := candidates(best, disputed[0])[0]
	return h.fault("the header is ambiguous: couriers that know it equally well read it differently: "+strings.Join(parts, "; "),
		advice("rename or delete the column that is not meant", disputed[0].String(), h.words[column]))
}

// standsTwice says that a column's name stands more than once in the header.
func (h *header) standsTwice(role domain.Role, at []int) error {
	var places []string
	for _, i := range at[:min(len(at), shownColumns)] {
		places = append(places, fmt.Sprintf("%d (%q)", i+1, domain.Shortened(h.words[i])))
	}
	if more := len(at) - len(places); more > 0 {
		places = append(places, fmt.Sprintf("%d more", more))
	}
	return &domain.FileError{File: domain.CourierFile, Column: h.words[at[0]],
		Problem: fmt.Sprintf("stands more than once in the header and would be %s: columns %s", role, strings.Join(places, " and ")),
		Advice:  "rename or delete the one that is not meant"}
}

// twoRoles says that one column would play two roles.
func (h *header) twoRoles(column int, first, second domain.Role) error {
	return &domain.FileError{File: domain.CourierFile, Column: h.words[column],
		Problem: fmt.Sprintf("would be both %s and %s", first, second),
		Advice:  "name another column for one of the two, or leave one out"}
}

// advice ends with what always helps: naming the column.
func advice(first, role, column string) string {
	return fmt.Sprintf(`%s, or send courierName "%s" with columns {"%s": %q}`, first, domain.CustomCourier, role, domain.Shortened(column))
}

// listed shows the header, shortened.
func (h *header) listed() string {
	named := slices.DeleteFunc(slices.Clone(h.words), func(word string) bool { return word == "" })
	if len(named) == 0 {
		return "(blank)"
	}
	for i := range named[:min(len(named), shownColumns)] {
		named[i] = domain.Shortened(named[i])
	}
	return shortList(named, shownColumns)
}

func shortList(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
