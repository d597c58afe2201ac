package couriers

import (
	"bytes"

	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports/peers"
)

// readLines adds every line of a report to remittances. It skips footers, notes, and
// lines with neither AWB nor order id (guide: verdict 1), and adds a warning for
// what is doubtful. orders returns the orders of the export, or nil if it could not be
// read.
func (f *finding) readLines(
	table peers.Table, orders func() *verdict.Orders, registry *Registry, remittances *verdict.Remittances,
) error {
	r := lineReader{table: table, remittances: remittances, orders: orders, registry: registry, header: f.header}
	for role, column := range f.columns {
		r.slot[role] = mostColumns
		if column != absent {
			r.slot[role] = len(r.columns)
			r.columns = append(r.columns, column)
		}
	}
	r.charges.columns, r.charges.stated, r.charges.not = f.charges, f.stated, make([]bool, len(f.charges))
	r.charges.cells = r.cells[len(r.columns):][:len(f.charges)]
	r.columns = append(r.columns, f.charges...)
	r.hasRemitted, r.hasCollected = f.columns[domain.RoleRemittedAmount] != absent, f.columns[domain.RoleCODAmount] != absent
	r.hasDate = f.columns[domain.RoleRemittanceDate] != absent
	r.payable = r.hasRemitted && hasAmount(payable, f.header.keys[f.columns[domain.RoleRemittedAmount]])
	r.toBeCollected = r.hasCollected && hasAmount(toBeCollected, f.header.keys[f.columns[domain.RoleCODAmount]])
	r.remittedOn.role, r.deliveredOn.role = domain.RoleRemittanceDate, domain.RoleDeliveredDate
	r.remittedOn.column.OfRemittances = true
	defer r.remittedOn.column.GiveBack()
	defer r.deliveredOn.column.GiveBack()
	remittances.Expect(table.Lines())
	r.first = remittances.Len()
	for {
		err := r.read()
		if r.turnMonthFirst(err) {
			remittances.Restart()
			continue
		}
		if err == nil {
			err = r.checkSlips()
		}
		if err == nil {
			f.charges = r.nameCharges()
			remittances.Warnings = append(remittances.Warnings, r.warnings()...)
		}
		return err
	}
}

type lineReader struct {
	table       peers.Table
	remittances *verdict.Remittances
	orders      func() *verdict.Orders // waits for the export; nil if there is none
	registry    *Registry
	header      *header
	columns     []int
	slot        [domain.RoleCount]int   // by role: its cell's place in cells
	cells       [mostColumns + 1][]byte // the last is always empty: the cell of an absent column
	charges     chargeReader
	rows        peers.Rows

	hasRemitted, hasCollected, hasDate bool
	payable                            bool // the net amount may be one that is still to be paid
	toBeCollected                      bool // the gross amount is what was to be collected

	remittedOn, deliveredOn dates
	status, moneyStatus     rememberedStatus
	first                   int // how many lines remittances had before
	unidentified            unidentified
	footers                 footers
	sums                    sums
	looks                   looks
	cut                     [2]cutIDs // of AWBs and of order ids
	tableBelow              error     // of the header of a table of another kind, below which no parcel has stood yet
}

// mostColumns is how many columns of a report are read.
const mostColumns = int(domain.RoleCount) + verdict.MaxCharges

// dates is a column of dates and what the cells read so far have in common.
type dates struct {
	role   domain.Role
	column domain.DateColumn
	latest domain.LatestDays
	doubt  *domain.FileError // the first cell that only a month-first column explains
	turned bool              // to month first, though each date can be read both ways
	tie    bool              // nothing says which of the two ways is right
}

// rememberedStatus is the last cell of a column of statuses. Most lines have the
// status of the line before.
type rememberedStatus struct {
	cell []byte
	id   verdict.StatusID
	verdict.Status
}

// unidentified are the lines that have an amount and name no parcel.
type unidentified struct {
	lines int
	sums  [2]domain.Paise // in the columns of sumRoles
}

func (r *lineReader) read() error {
	r.restart()
	for r.next() {
		if err := r.addLine(); err != nil {
			return err
		}
	}
	r.remittances.SetRows(r.rows.Count())
	if err := r.rows.Err(); err != nil {
		if r.registry.isHeader(r.table.Cells(r.rows.Record())) { // a wider one than the report's own
			return r.twoReports()
		}
		return err
	}
	for _, column := range []*dates{&r.remittedOn, &r.deliveredOn} {
		if column.doubt != nil {
			return column.doubt
		}
	}
	return nil
}

// restart makes the reader read from the first line again.
func (r *lineReader) restart() {
	r.rows = r.table.Rows(r.columns)
	for _, column := range []*dates{&r.remittedOn, &r.deliveredOn} {
		column.doubt, column.latest = nil, domain.LatestDays{}
		column.column.Restart()
	}
	r.status, r.moneyStatus = rememberedStatus{}, rememberedStatus{}
	r.unidentified, r.footers, r.sums, r.looks, r.tableBelow = unidentified{}, nil, sums{}, looks{}, nil
	r.cut = [...]cutIDs{{role: domain.RoleAWB}, {role: domain.RoleOrderID}}
}

func (r *lineReader) next() bool { return r.rows.Next(r.cells[:len(r.columns)]) }

// turnMonthFirst makes the reader take the month first in the columns of dates that
// need it. It says whether there is such a column: then all lines must be read again.
func (r *lineReader) turnMonthFirst(err error) bool {
	turned := r.remittedOn.column.TurnMonthFirst()
	turned = r.deliveredOn.column.TurnMonthFirst() || turned
	if turned || err != nil {
		return turned
	}
	columns := []*domain.DateColumn{&r.remittedOn.column, &r.deliveredOn.column}
	for _, c := range []*dates{&r.remittedOn, &r.deliveredOn} {
		of := func() (first, latest domain.Day) {
			if orders := r.orders(); orders != nil {
				return orders.Span()
			}
			return domain.NoDay, domain.NoDay
		}
		turns, tie := c.column.Settle(columns, of)
		c.turned, c.tie, turned = c.turned || turns, tie, turned || turns
	}
	return turned
}

func (r *lineReader) warnings() []domain.Warning {
	var all []domain.Warning
	if u := &r.unidentified; u.lines > 0 {
		sum := u.sums[0]
		if r.hasRemitted {
			sum = u.sums[1]
		}
		r.remittances.SetUnidentified(verdict.LineSum{Lines: u.lines, Remitted: sum})
		all = append(all, domain.Warning{Code: domain.WarnUnidentifiedMoney, Count: u.lines, Amount: sum, HasAmount: true})
	}
	for _, c := range []*dates{&r.remittedOn, &r.deliveredOn} {
		if c.turned || c.tie {
			all = append(all, domain.Warning{Code: domain.WarnAmbiguousDates, File: domain.CourierFile, Column: r.columnName(c.role),
				DayFirst: c.tie})
		}
	}
	if w, differs := r.footers.check(r.remittances.Lines(), r.unidentified.sums); differs {
		all = append(all, w)
	}
	return append(all, r.cutWarnings()...)
}

func (r *lineReader) cell(role domain.Role) []byte { return r.cells[r.slot[role]] }

func (r *lineReader) columnName(role domain.Role) string {
	return r.header.words[r.columns[r.slot[role]]]
}

func (r *lineReader) addLine() error {
	awb, orderID, ofParcel, err := r.readIDs()
	if !ofParcel || err != nil {
		return err
	}
	if r.tableBelow != nil {
		return r.tableBelow
	}
	line := verdict.Remittance{Line: int32(r.rows.Line())}
	var reliable bool
	line.AWB, reliable = verdict.AWBKey(awb)
	if !reliable {
		line.AWB, line.AWBRounded = awb, true
	}
	line.OrderID = verdict.OrderKey(orderID)
	if len(line.AWB) == 0 && len(line.OrderID) == 0 { // signs with a digit among them, such as #
		r.addNameless()
		return nil
	}
	if line.RemittedOn, err = r.date(&r.remittedOn); err != nil {
		return err
	}
	if line.DeliveredOn, err = r.date(&r.deliveredOn); err != nil {
		return err
	}
	if line.Listed, err = r.amount(domain.RoleCODAmount); err != nil {
		return err
	}
	if line.Stated, err = r.amount(domain.RoleRemittedAmount); err != nil {
		return err
	}
	r.readStatus(domain.RoleStatus, &r.status)
	r.readStatus(domain.RoleRemittanceStatus, &r.moneyStatus)
	if r.status.id != 0 && !r.status.None {
		line.Status, line.HasStatus, line.Returned, line.OnWayBack, line.NeverLeft = r.status.id, true, r.status.Returned, r.status.OnWayBack,
			r.status.NeverLeft
	}
	line.MoneyStatus = r.moneyStatus.id
	line.HasRemitted, line.ToBeCollected = r.hasRemitted, r.toBeCollected
	if r.dependsOnUnknown(&line) {
		fault := r.faultHere(domain.RuleUnknownStatus, domain.RoleRemittanceStatus)
		fault.Amount = line.Listed
		return r.countFaulty(fault)
	}
	line.Remitted = r.remitted(&line)
	line.Collected = r.collected(&line)
	if utr := domain.Unwrap(r.cell(domain.RoleUTR)); !domain.IsBlank(utr) {
		line.UTR = utr
	}
	r.remittances.Add(line)
	if mayBeCut(line.AWB) || mayBeCut(line.OrderID) {
		r.noteCut(&line)
	}
	if len(r.charges.columns) > 0 {
		r.addCharges()
	}
	return nil
}

// remitted returns what was paid out by a line. If the report has a column of net
// amounts, it is the net amount. Otherwise it is the gross amount, if the line has a
// remittance date and its remittance status says that it is paid. A negative net
// amount counts whatever the status: that money is taken back.
func (r *lineReader) remitted(line *verdict.Remittance) domain.Paise {
	undated := line.RemittedOn == domain.NoDay
	switch {
	case r.hasRemitted && r.payable && r.hasDate && undated:
		return 0
	case r.hasRemitted && line.Stated > 0 && r.moneyStatus.Money == verdict.MoneyUnpaid:
		return 0
	case r.hasRemitted:
		return line.Stated
	case undated || r.moneyStatus.Money != verdict.MoneyPaid:
		return 0
	}
	return line.Listed
}

// dependsOnUnknown says whether the remittance status of a line decides whether money
// was paid out, and is not in the list of known statuses.
func (r *lineReader) dependsOnUnknown(line *verdict.Remittance) bool {
	return !r.hasRemitted && line.RemittedOn != domain.NoDay && line.Listed != 0 && r.moneyStatus.Money == verdict.MoneyUnknown
}

// collected returns what the courier took at the door. If the column states what was
// to be collected, it counts only on a line that remits something, or that takes the
// same money back: a charge for a returned parcel does not prove that cash was paid.
func (r *lineReader) collected(line *verdict.Remittance) domain.Paise {
	switch {
	case !r.hasCollected:
		return line.Remitted
	case r.toBeCollected && (line.Remitted == 0 || line.Remitted < 0 && line.Listed > 0):
		return 0
	}
	return line.Listed
}

func (r *lineReader) readStatus(role domain.Role, last *rememberedStatus) {
	cell := r.cell(role)
	if !bytes.Equal(cell, last.cell) {
		last.cell, last.id = cell, r.remittances.AddStatus(cell)
		last.Status = r.remittances.Status(last.id)
	}
}

func (r *lineReader) amount(role domain.Role) (domain.Paise, error) {
	cell := r.cell(role)
	if len(cell) == 0 {
		return 0, nil
	}
	amount, reading := domain.ReadPaise(cell)
	if reading == domain.Unreadable {
		return 0, r.countFaulty(r.faultHere(domain.RuleAmount, role))
	}
	return amount, nil
}

func (r *lineReader) date(c *dates) (domain.Day, error) {
	cell := r.cell(c.role)
	if len(cell) == 0 {
		return domain.NoDay, nil
	}
	day, reading := c.column.Read(cell)
	if reading == domain.Unreadable {
		rule := domain.RuleDate
		if domain.ReadsMonthFirst(cell) {
			rule = domain.RuleMonthFirst
		}
		switch {
		case !c.column.Doubtful():
			return domain.NoDay, r.countFaulty(r.faultHere(rule, c.role))
		case c.doubt == nil:
			c.doubt = r.faultHere(rule, c.role)
		default:
			c.doubt.More++
		}
		return domain.NoDay, nil
	}
	if day != domain.NoDay {
		c.latest.Add(day, r.rows.Count())
	}
	return day, nil
}

// checkSlips returns an error if the latest date of a column is far from all others:
// it would move the day up to which the report reaches.
func (r *lineReader) checkSlips() error {
	for _, c := range []*dates{&r.remittedOn, &r.deliveredOn} {
		row, slipped := c.latest.FindSlip()
		if !slipped {
			continue
		}
		r.rows = r.table.Rows(r.columns)
		for r.next() && r.rows.Count() < row {
			continue
		}
		return r.faultHere(domain.RuleFarDate, c.role)
	}
	return nil
}

// countFaulty adds to a fault of the current line how many more cells of its column
// have one. It reads the lines below for that.
func (r *lineReader) countFaulty(fault *domain.FileError) error {
	role := fault.Roles[0]
	for r.next() {
		_, _, ofParcel, err := r.readIDs()
		if err != nil {
			break
		}
		if ofParcel && r.isFaulty(role) {
			fault.More++
		}
	}
	return fault
}

// isFaulty says whether the current line's cell of a role cannot be read.
func (r *lineReader) isFaulty(role domain.Role) bool {
	cell := r.cell(role)
	if len(cell) == 0 {
		return false
	}
	reading := domain.Given
	switch role {
	case domain.RoleRemittanceDate:
		_, reading = r.remittedOn.column.Read(cell)
	case domain.RoleDeliveredDate:
		_, reading = r.deliveredOn.column.Read(cell)
	case domain.RoleCODAmount, domain.RoleRemittedAmount:
		_, reading = domain.ReadPaise(cell)
	case domain.RoleRemittanceStatus:
		var line verdict.Remittance
		line.RemittedOn, _ = r.remittedOn.column.Read(r.cell(domain.RoleRemittanceDate))
		line.Listed, _ = domain.ReadPaise(r.cell(domain.RoleCODAmount))
		r.readStatus(role, &r.moneyStatus)
		return r.dependsOnUnknown(&line)
	}
	return reading == domain.Unreadable
}

// faultHere says what is wrong with a role's cell of the current line.
func (r *lineReader) faultHere(rule domain.FileRule, role domain.Role) *domain.FileError {
	return &domain.FileError{File: domain.CourierFile, Rule: rule, Line: r.rows.Line(), Column: r.columnName(role),
		Value: domain.Quotable(r.cell(role)), Roles: []domain.Role{role}}
}

func (r *lineReader) twoReports() error {
	return &domain.FileError{File: domain.CourierFile, Rule: domain.RuleSecondHeader, Line: r.rows.Line(),
		Found: newHeader(r.table.Cells(r.rows.Record())).words}
}
