package couriers

import (
	"milaan/domain"
	"milaan/ports"
)

// readLines adds every line of a report to remittances. columns says where each
// role's column is, absent is -1. Blank records, and lines with neither AWB nor
// order id (footers), are passed over (decisions, section 1).
func readLines(table ports.Table, columns [domain.RoleCount]int, remittances *domain.Remittances) error {
	r := lineReader{table: table, remittances: remittances}
	for role, column := range columns {
		r.slot[role] = int(domain.RoleCount)
		if column >= 0 {
			r.slot[role] = len(r.columns)
			r.columns = append(r.columns, column)
		}
	}
	r.hasRemitted, r.hasCollected = columns[domain.RoleRemittedAmount] >= 0, columns[domain.RoleCODAmount] >= 0
	remittances.Expect(table.Lines())
	for {
		err := r.read()
		// A column of dates may turn out to be month first: then all is read anew.
		turned := r.remittedOn.TurnMonthFirst()
		if turned = r.deliveredOn.TurnMonthFirst() || turned; !turned {
			return err
		}
		remittances.Reset()
	}
}

// lineReader reads the lines of one report.
type lineReader struct {
	table       ports.Table
	remittances *domain.Remittances
	columns     []int
	slot        [domain.RoleCount]int        // by role: its cell's place in cells
	cells       [domain.RoleCount + 1][]byte // the last is always empty: the cell of an absent column
	rows        ports.Rows
	doubt       error // the first date that only a month-first column explains

	hasRemitted, hasCollected bool
	remittedOn, deliveredOn   domain.DateColumn
}

func (r *lineReader) read() error {
	rows := r.table.Rows(r.columns)
	r.rows = rows
	r.doubt = nil
	for rows.Next(r.cells[:len(r.columns)]) {
		if err := r.addLine(); err != nil {
			return err
		}
	}
	r.remittances.Rows = rows.Count()
	if err := rows.Err(); err != nil {
		return err
	}
	return r.doubt
}

func (r *lineReader) cell(role domain.Role) []byte { return r.cells[r.slot[role]] }

func (r *lineReader) addLine() error {
	var line domain.Remittance
	var reliable bool
	line.AWB, reliable = domain.AWBKey(r.cell(domain.RoleAWB))
	if !reliable {
		line.AWB, line.AWBRounded = r.cell(domain.RoleAWB), true
	}
	line.OrderID = domain.OrderKey(r.cell(domain.RoleOrderID))
	if r.footer(&line) {
		return nil
	}
	var err error
	if line.RemittedOn, err = r.date(domain.RoleRemittanceDate, &r.remittedOn); err != nil {
		return err
	}
	if line.DeliveredOn, err = r.date(domain.RoleDeliveredDate, &r.deliveredOn); err != nil {
		return err
	}
	gross, err := r.amount(domain.RoleCODAmount)
	if err != nil {
		return err
	}
	net, err := r.amount(domain.RoleRemittedAmount)
	if err != nil {
		return err
	}
	line.Remitted = r.remitted(gross, net, line.RemittedOn)
	line.Collected = line.Remitted
	if r.hasCollected {
		line.Collected = gross
	}
	line.Status = r.remittances.AddStatus(r.cell(domain.RoleStatus))
	if status := r.remittances.Status(line.Status); len(status.Text) > 0 {
		line.HasStatus, line.Returned, line.NeverLeft = true, status.Returned, status.NeverLeft
	}
	if utr := domain.Unwrapped(r.cell(domain.RoleUTR)); !domain.IsBlank(utr) {
		line.UTR = utr
	}
	r.remittances.Add(line)
	return nil
}

// footer says that a line is no parcel's: it has neither AWB nor order id, or
// one of the two says total, whatever count may stand in the other.
func (r *lineReader) footer(line *domain.Remittance) bool {
	switch {
	case len(line.AWB) == 0 && len(line.OrderID) == 0:
		return true
	case len(line.AWB) == 0:
		return domain.IsTotal(r.cell(domain.RoleAWB))
	case len(line.OrderID) == 0:
		return domain.IsTotal(r.cell(domain.RoleOrderID))
	}
	return false
}

// remitted is what a line says was paid out: the net amount where the report
// has that column, else the gross one if the line has a remittance date and
// its remittance status does not say that the money is still to come.
func (r *lineReader) remitted(gross, net domain.Paise, on domain.Day) domain.Paise {
	switch {
	case r.hasRemitted:
		return net
	case on == domain.NoDay || r.remittances.Status(r.remittances.AddStatus(r.cell(domain.RoleRemittanceStatus))).Money != domain.MoneyPaid:
		return 0
	}
	return gross
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

func (r *lineReader) date(role domain.Role, column *domain.DateColumn) (domain.Day, error) {
	cell := r.cell(role)
	if len(cell) == 0 {
		return domain.NoDay, nil
	}
	day, reading := column.Read(cell)
	if reading == domain.Unreadable {
		doubtful := column.Doubtful()
		if !doubtful || r.doubt == nil { // to find a line's number takes a look at all before it
			r.doubt = r.fault(role, cell, "is not a date", "write it like 2026-03-31 or 31-03-2026")
		}
		if !doubtful {
			return domain.NoDay, r.doubt
		}
	}
	return day, nil
}

func (r *lineReader) fault(role domain.Role, cell []byte, problem, advice string) error {
	return &domain.FileError{File: domain.CourierFile, Line: r.rows.Line(), Column: string(r.table.Header()[r.columns[r.slot[role]]]),
		Value: domain.Quotable(cell), Problem: problem, Advice: advice}
}
