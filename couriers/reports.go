package couriers

import (
	"errors"
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// report is a courier's report, and what is known of its columns.
type report struct {
	registry *Registry
	content  ports.Content
	choice   ports.MappingChoice
}

func (r *Registry) Remittances(content ports.Content, choice ports.MappingChoice) ports.RemittancesReader {
	return report{r, content, choice}
}

func (r report) Size() int64 { return int64(len(r.content.Bytes)) }

// spread are the roles of which a merged cell holds for all its lines, such as the day of their payout. An amount or an id would
// count several times.
var spread = []domain.Role{domain.RoleRemittanceDate, domain.RoleDeliveredDate, domain.RoleStatus, domain.RoleRemittanceStatus,
	domain.RoleUTR}

func (r report) Read(orders func() *verdict.Orders, remittances *verdict.Remittances) (domain.Mapping, error) {
	table, found, err := r.registry.open(r.content, r.choice)
	found.note(r.content.Seen, err)
	if err != nil {
		return domain.Mapping{}, err
	}
	defer table.Close()
	found.spreadMerged(table)
	warning, doubted := found.chooseOrderID(table, orders)
	remittances.Recognise(found.couriers()...)
	remittances.SetHeader(found.header.hash())
	if err = found.refuseSideTable(table, r.registry, r.choice); err == nil {
		err = found.readLines(table, orders, r.registry, remittances)
	}
	mapping := found.mapping()
	if r.content.Seen != nil {
		r.content.Seen.Mapping = mapping
	}
	if err != nil {
		return mapping, peers.NameSheet(table, err)
	}
	if doubted {
		remittances.Warnings = append(remittances.Warnings, warning)
	}
	if columns := found.unread(); columns != nil {
		remittances.Warnings = append(remittances.Warnings, domain.Warning{Code: domain.WarnColumnsInDoubt, Examples: columns})
	}
	remittances.SetSavedMapping(found.remembered != domain.Mapping{}, found.name)
	net := found.unreadNet(table)
	if net != absent || found.chosen && r.registry.isCollectedOnly(&found) {
		w := domain.Warning{Code: domain.WarnCollectedOnly, Count: countPaidOut(remittances.Lines())}
		if net != absent {
			w.Column = found.header.words[net]
		}
		if w.Count > 0 {
			remittances.Warnings = append(remittances.Warnings, w)
		}
	}
	return mapping, nil
}

// isCollectedOnly says whether a report whose columns a person has chosen states only what was
// collected. Where its header alone is read so, it is the courier's convention and not their
// choice.
func (r *Registry) isCollectedOnly(f *finding) bool {
	if f.columns[domain.RoleCODAmount] == absent || f.columns[domain.RoleRemittedAmount] != absent {
		return false
	}
	proposals := r.ask(f.header, noColumns())
	if len(proposals) == 0 {
		return true
	}
	detected, err := f.header.agree(proposals, noColumns())
	return err != nil || detected[domain.RoleCODAmount] != f.columns[domain.RoleCODAmount] || detected[domain.RoleRemittedAmount] != absent
}

func countPaidOut(lines []verdict.Remittance) (n int) {
	for i := range lines {
		if lines[i].Remitted > 0 {
			n++
		}
	}
	return n
}

func (r *Registry) Sheets(content ports.Content, choice ports.MappingChoice) []string {
	return r.tables.Sheets(content, func(cells [][]byte) (bool, error) {
		h := newHeader(cells)
		saved := choice.Asked
		if saved == nil && choice.Saved != nil {
			saved = &domain.NamedMapping{Mapping: *choice.Saved}
		}
		if saved != nil && len(choice.Columns) == 0 {
			if _, fits, _ := r.readSaved(h, saved); fits {
				return true, nil
			}
		}
		if len(choice.Columns) == 0 && len(r.fitting(h, choice.Named)) > 0 {
			return true, nil
		}
		at, lacking, err := h.findNamed(choice.Columns)
		return len(lacking) == 0 && (err != nil || len(r.ask(h, at)) > 0), nil
	})
}

// isHeader says that cells are the header of a report in their own right.
func (r *Registry) isHeader(cells [][]byte) bool {
	return len(cells) > 0 && r.knows(newHeader(cells))
}

func (r *Registry) knows(h *header) bool { return len(r.ask(h, noColumns())) > 0 }

// namesParcels says that a header has a column of AWBs or order ids beside another column. None of its names has a number,
// unless it is one of charges: a line of values is no header.
func (r *Registry) namesParcels(h *header) bool {
	names, filled := false, 0
	for i, key := range h.keys {
		if key == "" {
			continue
		}
		if verdict.HasDigit([]byte(h.words[i])) && !readChargeName(h.words[i]).is {
			return false
		}
		filled++
		names = names || !paymentsToo[key] && slices.ContainsFunc(r.couriers, func(c courier) bool {
			return c.hasName(domain.RoleAWB, key) || c.hasName(domain.RoleOrderID, key)
		})
	}
	return names && filled > 1
}

// spreadMerged has cells that are merged over several lines hold for all of them.
func (f *finding) spreadMerged(table peers.Table) {
	if sheet, may := table.(peers.Merging); may {
		for _, role := range spread {
			sheet.SpreadMerged(f.columns[role])
		}
	}
}

func (r report) Text() ([]byte, error) {
	table, found, err := r.registry.open(r.content, r.choice)
	if err != nil {
		return nil, nil
	}
	defer table.Close()
	found.spreadMerged(table)
	if sheet, is := table.(peers.Sheeted); is {
		return sheet.Text()
	}
	return nil, nil
}

// Recognise lists the couriers that know the header even if they do not agree how to read
// it.
func (r *Registry) Recognise(content ports.Content) ([]ports.Recognition, domain.Mapping, error) {
	table, found, err := r.detect(content, nil)
	found.note(content.Seen, err)
	if found.header == nil {
		return nil, domain.Mapping{}, err
	}
	recognitions := found.header.recognitions(found.proposals)
	if err != nil {
		return recognitions, domain.Mapping{}, err
	}
	defer table.Close()
	return recognitions, found.mapping(), nil
}

type finding struct {
	header    *header
	columns   columns
	proposals []proposal // none if a saved mapping was used
	orderIDs  []int      // the columns that could be the order id, the best name first; none if a person has named it
	charges   []int      // the columns of charges, in the order of the header
	stated    bool       // a person has named those
	chosen    bool       // a person has named columns, in the request or when the mapping was saved
	name      string     // of the saved mapping that was used, if a person has given it one
	// remembered are the columns that the saved mapping gave; none if none was used.
	remembered domain.Mapping
	doubts     [domain.RoleCount]*domain.FileError // why roles that the saved mapping lacks have no column
}

func (f *finding) mapping() domain.Mapping { return f.header.mapping(f.columns, f.charges...) }

// unread lists the columns that play no role because of a doubt.
func (f *finding) unread() (names []string) {
	read := f.mapping()
	for _, doubt := range f.doubts {
		if doubt == nil {
			continue
		}
		among := []string{doubt.Column}
		for _, c := range doubt.Candidates {
			among = append(among, c.Column)
		}
		for _, name := range among {
			if name != "" && !slices.Contains(names, name) && !slices.Contains(read[:], name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// doubt is why a required role has no column; nil: nothing is in doubt about it.
func (f *finding) doubt() error {
	for _, role := range append(f.mapping().MissingRoles(), domain.RoleRemittedAmount) { // which also proves payment
		if f.doubts[role] != nil {
			return f.doubts[role]
		}
	}
	return nil
}

// couriers returns the id of the courier whose report it is, as far as the header shows it;
// several if it is the signature of each, and none if it shows nothing.
func (f *finding) couriers() (ids []string) {
	surest := best(f.proposals)
	for _, p := range surest {
		if !p.courier.isCustom() && (len(surest) == 1 || p.grade == bySignature) {
			ids = append(ids, p.courier.info.ID)
		}
	}
	return ids
}

// note notes what is known of the report's columns, if anybody wants to know it. Roles that
// are in doubt are left out.
func (f *finding) note(seen *ports.Seen, err error) {
	if seen == nil || f.header == nil {
		return
	}
	seen.Mapping, seen.Name, seen.HeaderHash = f.mapping(), f.name, domain.HashHeader(f.header.words)
	if err == nil {
		seen.Saved = f.remembered
	}
	for _, recognised := range f.header.recognitions(best(f.proposals)) {
		seen.Couriers = append(seen.Couriers, recognised.Courier)
	}
	if fault, ok := errors.AsType[*domain.FileError](err); ok {
		if fault.Rule == domain.RuleMappings {
			seen.Names = fault.Options
		}
		for _, c := range fault.Candidates {
			seen.Mapping[c.Role] = ""
		}
		for _, role := range fault.Roles {
			seen.Mapping[role] = ""
		}
	}
}

// open finds a report's header and decides which column plays which role. If the request names
// columns, they are taken; if it names a mapping, its columns are. Else the saved mapping is used
// if all its columns are in the header. Detection finds the others. Else the named mapping with
// exactly this header is used, and no other columns. Else detection finds all (guide: verdict 1).
func (r *Registry) open(content ports.Content, choice ports.MappingChoice) (peers.Table, finding, error) {
	if err := r.severalSheets(content, choice); err != nil {
		return nil, finding{}, err
	}
	if asked := choice.Asked; asked != nil {
		table, found, err := r.openSaved(content, asked)
		if err == nil || found.header != nil {
			return table, found, err
		}
		table, found, err = r.detect(content, columnsOfSaved(&asked.Mapping)) // which says what is wrong
		if fault, ok := errors.AsType[*domain.FileError](err); ok && fault.Rule == domain.RuleNotThere {
			fault.Options = []string{asked.Name}
		}
		return table, found, err
	}
	var doubted finding
	var doubt error
	if saved := choice.Saved; saved != nil && len(choice.Columns) == 0 {
		var table peers.Table
		if table, doubted, doubt = r.openSaved(content, &domain.NamedMapping{Mapping: *saved}); doubt == nil {
			return table, doubted, nil // otherwise detection finds another header, or says what is wrong
		}
	}
	if len(choice.Named) > 0 && len(choice.Columns) == 0 {
		table, found, err := r.openNamed(content, choice.Named)
		if fault, ok := errors.AsType[*domain.FileError](err); err == nil || ok && fault.Rule == domain.RuleMappings {
			return table, found, err
		}
	}
	table, found, err := r.detect(content, choice.Columns)
	if err != nil && doubted.header != nil { // the saved columns are there, so what detection says of them is no help
		return nil, doubted, doubt
	}
	return table, found, err
}

// mostSheets is how many sheets an error names at most.
const mostSheets = 50

// severalSheets is the error of a workbook of which several sheets may be meant, if a saved mapping may be used: it may fit one of them
// alone, and the lines of the others would be left out without a word. Where there is no such mapping, detection asks.
func (r *Registry) severalSheets(content ports.Content, choice ports.MappingChoice) error {
	if choice.Asked == nil && choice.Saved == nil && len(choice.Named) == 0 {
		return nil
	}
	content.Sheets = append(slices.Clone(content.Sheets), ports.AllSheets)
	names := r.Sheets(content, choice)
	if names == nil {
		return nil
	}
	e := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleSeveralSheets}
	for _, name := range names[:min(len(names), mostSheets)] {
		e.Options = append(e.Options, domain.Shortened(name))
	}
	return e
}

// openNamed opens a report by the named mapping that has exactly its header. It returns a
// *domain.FileError with RuleMappings if there are several and they name different columns. Any other error says that there is none.
func (r *Registry) openNamed(content ports.Content, all []domain.NamedMapping) (table peers.Table, found finding, err error) {
	table, err = r.tables.Open(domain.CourierFile, content, func(cells [][]byte) (bool, error) {
		h := newHeader(cells)
		fitting := r.fitting(h, all)
		if len(fitting) == 0 {
			return false, nil
		}
		found = fitting[0]
		for i := range fitting {
			if !fitting[i].isReadAs(&found) {
				return false, severalMappings(fitting)
			}
		}
		return true, nil
	}, func(int, [][]byte) error { return errNotSaved })
	return table, found, err
}

// fitting are the named mappings that have exactly this header.
func (r *Registry) fitting(h *header, all []domain.NamedMapping) (found []finding) {
	hashes := domain.HeaderHashes(h.words)
	for i := range all {
		m := &all[i]
		if !slices.Contains(hashes, m.Header) || m.Mapping.MissingRoles() != nil {
			continue
		}
		if at, lacking, err := h.findNamed(columnsOfSaved(&m.Mapping)); len(lacking) == 0 && err == nil {
			found = append(found, r.saved(h, &m.Mapping, at, m.Name))
		}
	}
	return found
}

func (r *Registry) saved(h *header, m *domain.Mapping, at columns, name string) finding {
	found := finding{header: h, columns: at, remembered: h.mapping(at), chosen: true, name: name}
	found.charges, found.stated = h.findCharges(m.Charges(), r.knowing(h, at), at)
	return found
}

// knowing asks the couriers about a header as if no columns were given, because where a person has chosen them nothing of them is
// the courier's; and after these columns if none knows it so.
func (r *Registry) knowing(h *header, given columns) []proposal {
	if all := r.ask(h, noColumns()); len(all) > 0 {
		return all
	}
	return r.ask(h, given)
}

// isReadAs says whether two mappings name the same columns of one header.
func (f *finding) isReadAs(other *finding) bool {
	return f.columns == other.columns && slices.Equal(f.charges, other.charges)
}

// errNotSaved says that a saved mapping does not fit the report. The caller never sees
// it: detection is tried instead.
var errNotSaved = errors.New("the saved mapping does not fit the report")

// openSaved opens a report by a saved mapping. If the report has not exactly the header for
// which a person has saved it, detection finds the roles that it lacks: nobody has left their
// columns out, and one may have the status of the money, without which what is pending counts as
// paid. Any error says that the mapping does not fit; with a header, why a required role that it lacks is in doubt.
func (r *Registry) openSaved(content ports.Content, saved *domain.NamedMapping) (table peers.Table, found finding, err error) {
	doubt := errNotSaved
	table, err = r.tables.Open(domain.CourierFile, content, func(cells [][]byte) (bool, error) {
		read, fits, err := r.readSaved(newHeader(cells), saved)
		if fits || err != nil && found.header == nil {
			found, doubt = read, err
		}
		return fits, nil
	}, func(int, [][]byte) error { return doubt })
	return table, found, err
}

// readSaved is how a saved mapping reads a header, if it fits. A role that it lacks has no column
// if detection is in doubt about it: that is no reason to leave the columns that are saved, unless
// the role is required. The error then says what is in doubt.
func (r *Registry) readSaved(h *header, m *domain.NamedMapping) (found finding, fits bool, err error) {
	at, lacking, twice := h.findNamed(columnsOfSaved(&m.Mapping))
	if fits = len(lacking) == 0 && twice == nil; !fits {
		return found, false, nil
	}
	if slices.Contains(domain.HeaderHashes(h.words), m.Header) {
		return r.saved(h, &m.Mapping, at, m.Name), true, nil
	}
	h.reserve(m.Mapping.Charges())
	proposals := r.knowing(h, at)
	for i := range proposals {
		proposals[i].columns = proposals[i].columns.after(at)
	}
	agreed, doubts := h.agreeWhereSure(proposals, at)
	found = r.saved(h, &m.Mapping, agreed, m.Name)
	found.remembered, found.orderIDs, found.doubts = h.mapping(at), h.orderIDs(proposals, agreed, at), doubts
	if found.mapping().MissingRoles() != nil {
		return found, false, found.doubt()
	}
	return found, true, nil
}

// columnsOfSaved are the columns without which a saved mapping does not fit.
func columnsOfSaved(saved *domain.Mapping) map[domain.Role]string {
	named := map[domain.Role]string{}
	for role, name := range saved {
		if name != "" && domain.Role(role) != domain.RoleCharges {
			named[domain.Role(role)] = name
		}
	}
	return named
}

// detect opens a report by asking the couriers, after the columns that the
// request names, if any. The finding has a header even where the couriers
// disagree about it.
func (r *Registry) detect(content ports.Content, named map[domain.Role]string) (peers.Table, finding, error) {
	var found finding
	var nearest *header // the first line that has all named columns, but lacks others
	var given columns
	table, err := r.tables.Open(domain.CourierFile, content, func(cells [][]byte) (bool, error) {
		h := newHeader(cells)
		at, lacking, err := h.findNamed(named)
		if err != nil || len(lacking) > 0 {
			return false, err
		}
		stated := domain.SplitColumns(named[domain.RoleCharges])
		h.reserve(stated)
		proposals := r.ask(h, at)
		if len(proposals) == 0 {
			if nearest == nil && len(named) > 0 {
				nearest, given = h, at
			}
			return false, nil
		}
		agreed, err := h.agree(proposals, at)
		found = finding{header: h, columns: agreed, proposals: proposals, orderIDs: h.orderIDs(proposals, agreed, at),
			chosen: len(named) > 0}
		found.charges, found.stated = h.findCharges(stated, r.knowing(h, at), agreed)
		return err == nil, err
	}, func(line int, cells [][]byte) error {
		if nearest != nil {
			found = nearest.nearly(given)
			return nearest.noCourier(0, given)
		}
		h := newHeader(cells)
		at, lacking, _ := h.findNamed(named)
		found = h.nearly(at)
		if len(lacking) > 0 {
			return h.missingColumn(line, lacking[0], h.firstLacking(named[lacking[0]]))
		}
		return h.noCourier(line, at)
	})
	return table, found, err
}

// nearly is a finding in which a required role has no column.
func (h *header) nearly(given columns) finding {
	h.fill(&given, &vocabularyKeys)
	return finding{header: h, columns: given}
}

// findNamed finds the columns that the request or a saved mapping names, by role. lacking
// are the roles whose column is not in the header. If there are none, findNamed returns
// an error if a name fits two columns, or if one column is named for two roles.
func (h *header) findNamed(named map[domain.Role]string) (at columns, lacking []domain.Role, err error) {
	at = noColumns()
	if len(named) == 0 {
		return at, nil, nil
	}
	for _, role := range domain.Roles() {
		name, given := named[role]
		if !given {
			continue
		}
		if role == domain.RoleCharges {
			if h.firstLacking(name) != "" {
				lacking = append(lacking, role)
			} else if column, other, twice := h.chargeWithRole(name, at); twice && err == nil {
				err = h.twoRoles(column, other, role)
			}
			continue
		}
		found := h.find(name)
		switch {
		case len(found) == 0:
			lacking = append(lacking, role)
			continue
		case len(found) > 1 && err == nil:
			err = h.standsTwice(role, found)
		}
		if first, taken := at.roleAt(found[0]); taken && err == nil {
			err = h.twoRoles(found[0], first, role)
		}
		at[role] = found[0]
	}
	if len(lacking) > 0 {
		return at, lacking, nil
	}
	return at, nil, err
}
