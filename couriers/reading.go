package couriers

import (
	"bytes"
	"fmt"

	"milaan/domain"
	"milaan/ports"
)

// readLines adds every line of a report to remittances. Footers, notes, and lines
// with neither AWB nor order id are passed over (decisions, section 1); what is
// doubtful becomes a warning.
func (f *finding) readLines(table ports.Table, orders func() *domain.Orders, isHeader func([][]byte) bool, remittances *domain.Remittances) error {
	r := lineReader{table: table, remittances: remittances, orders: orders, isHeader: isHeader, header: f.header}
	for role, column := range f.columns {
		r.slot[role] = int(domain.RoleCount)
		if column != absent {
			r.slot[role] = len(r.columns)
			r.columns = append(r.columns, column)
		}
	}
	r.hasRemitted, r.hasCollected = f.columns[domain.RoleRemittedAmount] != absent, f.columns[domain.RoleCODAmount] != absent
	r.hasDate = f.columns[domain.RoleRemittanceDate] != absent
	r.payable = r.hasRemitted && payable[f.header.keys[f.columns[domain.RoleRemittedAmount]]]
	r.toBeCollected = r.hasCollected && toBeCollected[f.header.keys[f.columns[domain.RoleCODAmount]]]
	r.remittedOn.role, r.deliveredOn.role = domain.RoleRemittanceDate, domain.RoleDeliveredDate
	r.remittedOn.column.OfRemittances = true
	remittances.Expect(table.Lines())
	for {
		err := r.read()
		if r.turnMonthFirst(err) {
			remittances.Reset()
			continue
		}
		if err == nil {
			err = r.checkSlips()
		}
		if err == nil {
			remittances.Warnings = append(remittances.Warnings, r.warnings()...)
		}
		return err
	}
}

// lineReader reads the lines of one report.
type lineReader struct {
	table       ports.Table
	remittances *domain.Remittances
	orders      func() *domain.Orders // waits for the export; nil if there is none
	isHeader    func(cells [][]byte) bool
	header      *header
	columns     []int
	slot        [domain.RoleCount]int        // by role: its cell's place in cells
	cells       [domain.RoleCount + 1][]byte // the last is always empty: the cell of an absent column
	rows        ports.Rows

	hasRemitted, hasCollected, hasDate bool
	payable                            bool // the net amount may be one that is still to be paid
	toBeCollected                      bool // the gross amount is what was to be collected

	remittedOn, deliveredOn dates
	status, moneyStatus     rememberedStatus
	unidentified            unidentified
	footers                 footers
	looks                   looks
}

// dates is a column of dates and what is known of all its cells.
type dates struct {
	role   domain.Role
	column domain.DateColumn
	latest domain.LatestDays
	doubt  *domain.FileError // the first cell that only a month-first column explains
	turned bool              // because day first gave days too late
}

// rememberedStatus is the last cell of a column of statuses. Most lines repeat
// that of the line before.
type rememberedStatus struct {
	cell []byte
	id   domain.StatusID
	domain.Status
}

// unidentified are the lines that bear money and name no parcel.
type unidentified struct {
	lines int
	sums  [2]domain.Paise // in the columns of sumRoles
}

func (r *lineReader) read() error {
	r.begin()
	for r.next() {
		if err := r.addLine(); err != nil {
			return err
		}
	}
	r.remittances.Rows = r.rows.Count()
	if err := r.rows.Err(); err != nil {
		if r.isHeader(r.rows.Cells()) { // a wider one than the report's own
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

// begin goes back to the top.
func (r *lineReader) begin() {
	r.rows = r.table.Rows(r.columns)
	for _, column := range []*dates{&r.remittedOn, &r.deliveredOn} {
		column.doubt, column.latest = nil, domain.LatestDays{}
	}
	r.status, r.moneyStatus = rememberedStatus{}, rememberedStatus{}
	r.unidentified, r.footers, r.looks = unidentified{}, footers{}, looks{}
}

func (r *lineReader) next() bool { return r.rows.Next(r.cells[:len(r.columns)]) }

// turnMonthFirst switches the columns of dates that must be read month first, and
// says whether there is one: then all is read anew.
func (r *lineReader) turnMonthFirst(err error) bool {
	turned := r.remittedOn.column.TurnMonthFirst()
	turned = r.deliveredOn.column.TurnMonthFirst() || turned
	if turned || err != nil {
		return turned
	}
	for _, c := range []*dates{&r.remittedOn, &r.deliveredOn} {
		if !c.column.ReadsBothWays() {
			continue
		}
		if orders := r.orders(); orders != nil && c.column.TurnIfLater(orders.Latest()) {
			c.turned, turned = true, true
		}
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
		all = append(all, domain.Warning{Code: domain.WarnUnidentifiedMoney, Count: u.lines, Amount: sum, HasAmount: true})
	}
	for _, c := range []*dates{&r.remittedOn, &r.deliveredOn} {
		if c.turned {
			all = append(all, domain.Warning{Code: domain.WarnAmbiguousDates, File: domain.CourierFile, Column: r.columnName(c.role)})
		}
	}
	if w, differs := r.footers.check(r.remittances, r.unidentified.sums); differs {
		all = append(all, w)
	}
	return all
}

func (r *lineReader) cell(role domain.Role) []byte { return r.cells[r.slot[role]] }

func (r *lineReader) columnName(role domain.Role) string {
	return r.header.words[r.columns[r.slot[role]]]
}

func (r *lineReader) addLine() error {
	awb, orderID := r.cell(domain.RoleAWB), r.cell(domain.RoleOrderID)
	if !surelyID(awb) || !surelyID(orderID) || len(awb)+len(orderID) == 0 {
		var bears bool
		var err error
		if awb, orderID, bears, err = r.oddLine(awb, orderID); !bears || err != nil {
			return err
		}
	}
	var line domain.Remittance
	var reliable bool
	line.AWB, reliable = domain.AWBKey(awb)
	if !reliable {
		line.AWB, line.AWBRounded = awb, true
	}
	line.OrderID = domain.OrderKey(orderID)
	if len(line.AWB) == 0 && len(line.OrderID) == 0 { // signs with a digit among them, such as #
		r.nameless()
		return nil
	}
	var err error
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
		line.Status, line.HasStatus, line.Returned, line.NeverLeft = r.status.id, true, r.status.Returned, r.status.NeverLeft
	}
	line.MoneyStatus = r.moneyStatus.id
	line.HasRemitted, line.ToBeCollected = r.hasRemitted, r.toBeCollected
	if r.hangsOnUnknown(&line) {
		return r.fault(domain.RoleRemittanceStatus, r.cell(domain.RoleRemittanceStatus),
			"is not known to say whether the line's "+line.Listed.String()+" was paid out", knownStatuses)
	}
	line.Remitted = r.remitted(&line)
	line.Collected = r.collected(&line)
	if utr := domain.Unwrapped(r.cell(domain.RoleUTR)); !domain.IsBlank(utr) {
		line.UTR = utr
	}
	r.remittances.Add(line)
	return nil
}

// knownStatuses is what to write in place of a status that nobody knows.
const knownStatuses = `write one such as Remitted, Paid, Settled or Credited where it was, and Pending, Initiated, On hold or Not paid where it was not; ` +
	`or give the column of what was paid out as remitted_amount, which decides by itself`

// remitted is what a line says was paid out: the net amount where the report has
// that column, else the gross one if the line has a remittance date and its
// remittance status says that it is paid. Money that is taken back counts
// whatever the status.
func (r *lineReader) remitted(line *domain.Remittance) domain.Paise {
	undated := line.RemittedOn == domain.NoDay
	switch {
	case r.hasRemitted && r.payable && r.hasDate && undated:
		return 0
	case r.hasRemitted && line.Stated > 0 && r.moneyStatus.Money == domain.MoneyUnpaid:
		return 0
	case r.hasRemitted:
		return line.Stated
	case undated || r.moneyStatus.Money != domain.MoneyPaid:
		return 0
	}
	return line.Listed
}

// hangsOnUnknown says that the remittance status of a line decides whether money
// was paid out, and is one that nobody knows.
func (r *lineReader) hangsOnUnknown(line *domain.Remittance) bool {
	return !r.hasRemitted && line.RemittedOn != domain.NoDay && line.Listed != 0 && r.moneyStatus.Money == domain.MoneyUnknown
}

// collected is what a line says was taken at the door. What was to be collected
// was so only where something was remitted, or where it is taken back as well: a
// charge for a parcel that came back is no sign of cash.
func (r *lineReader) collected(line *domain.Remittance) domain.Paise {
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
		return 0, r.fault(role, cell, "is not an amount", "write it like 1299.50")
	}
	return amount, nil
}

const dateAdvice = "write it like 2026-03-31 or 31-03-2026"

func (r *lineReader) date(c *dates) (domain.Day, error) {
	cell := r.cell(c.role)
	if len(cell) == 0 {
		return domain.NoDay, nil
	}
	day, reading := c.column.Read(cell)
	if reading == domain.Unreadable {
		problem, advice := "is not a date", dateAdvice
		if c.role == domain.RoleRemittanceDate {
			advice += ", or leave it blank if nothing was paid out yet"
		}
		if domain.ReadsMonthFirst(cell) {
			problem, advice = "is a date with its month first, and other cells of the column have the day first", "write all of them alike, best like 2026-03-31"
		}
		switch {
		case !c.column.Doubtful():
			return domain.NoDay, r.fault(c.role, cell, problem, advice)
		case c.doubt == nil:
			c.doubt = r.faultHere(c.role, cell, problem, advice)
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

// checkSlips refuses a column whose latest date is far from all others: it would
// move the day up to which the report reaches.
func (r *lineReader) checkSlips() error {
	for _, c := range []*dates{&r.remittedOn, &r.deliveredOn} {
		row, slipped := c.latest.Slip()
		if !slipped {
			continue
		}
		r.rows = r.table.Rows(r.columns)
		for r.next() && r.rows.Count() < row {
			continue
		}
		return r.faultHere(c.role, r.cell(c.role), "is more than a year after every other date of the column",
			"correct the date: it would say that the report reaches as far as that")
	}
	return nil
}

// fault says what is wrong with a cell of the current line, and how many more of
// its column have a fault. It reads the lines below for that.
func (r *lineReader) fault(role domain.Role, cell []byte, problem, advice string) error {
	fault := r.faultHere(role, cell, problem, advice)
	for r.next() {
		awb, orderID := r.cell(domain.RoleAWB), r.cell(domain.RoleOrderID)
		if !surelyID(awb) || !surelyID(orderID) || len(awb)+len(orderID) == 0 {
			if _, _, bears, err := r.oddLine(awb, orderID); err != nil {
				break
			} else if !bears {
				continue
			}
		}
		if r.isFaulty(role) {
			fault.More++
		}
	}
	return fault
}

// isFaulty says that the current line's cell of a role cannot be read.
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
		var line domain.Remittance
		line.RemittedOn, _ = r.remittedOn.column.Read(r.cell(domain.RoleRemittanceDate))
		line.Listed, _ = domain.ReadPaise(r.cell(domain.RoleCODAmount))
		r.readStatus(role, &r.moneyStatus)
		return r.hangsOnUnknown(&line)
	}
	return reading == domain.Unreadable
}

func (r *lineReader) faultHere(role domain.Role, cell []byte, problem, advice string) *domain.FileError {
	return &domain.FileError{File: domain.CourierFile, Line: r.rows.Line(), Column: r.columnName(role),
		Value: domain.Quotable(cell), Problem: problem, Advice: advice}
}

func (r *lineReader) twoReports() error {
	return &domain.FileError{File: domain.CourierFile, Line: r.rows.Line(),
		Problem: fmt.Sprintf("is the header of another report: %s; there are two reports in one file", newHeader(r.rows.Cells()).listed()),
		Advice:  "split the file at this line, and run each report by itself"}
}
