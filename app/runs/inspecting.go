package runs

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
)

// Inspect reads each file as a run would, so it says nothing that a run would not. It reads one
// after the other into the same workspace, and takes no more memory than a run. Only the orders are
// kept, for the reports.
func (r *Reconciling) Inspect(ctx context.Context, account *domain.Account, req ports.Request) (*ports.Inspection, error) {
	t, faults := r.check(req)
	faults = slices.DeleteFunc(faults, func(f domain.Fault) bool { return f.Rule == domain.RuleMissing || f.Rule == domain.RuleNoFile })
	account = cmp.Or(account, new(domain.Account))
	if err := r.findAsked(ctx, *account, &t, faults); err != nil {
		return nil, err
	}
	if account.SavesMappings() && !t.Sandbox {
		if err := r.recall(ctx, account.ID, &t); err != nil {
			return nil, err
		}
	}
	place, err := r.takePlace(ctx, req.Bytes())
	if err != nil {
		return nil, err
	}
	defer place.end()
	w, others := r.workspaces.get(), r.workspaces.get()
	defer r.workspaces.put(w)
	defer r.workspaces.put(others)
	t.taken.Again = true
	in := &inspection{Reconciling: r, task: &t, workspace: w, others: others}
	found := new(ports.Inspection)
	if len(t.Storefront) > 0 {
		if found.Orders = in.export(); isBusy(found.Orders.Fault) {
			return nil, found.Orders.Fault
		}
	}
	rows := 0
	for n, report := range t.reports {
		if len(report.content) == 0 && !t.several() {
			continue
		}
		read := in.report(report)
		if isBusy(read.Fault) {
			return nil, read.Fault
		}
		if rows += read.Rows; read.Fault == nil && t.several() && r.maxRowsOf(&t) > 0 && rows > r.maxRowsOf(&t) {
			read.Fault = &domain.FileError{File: domain.CourierFile, Rule: domain.RuleRowsTogether, Limit: r.maxRowsOf(&t)}
		}
		if fault, ok := errors.AsType[*domain.FileError](read.Fault); ok && t.several() {
			fault.Report = n + 1
		}
		found.Reports = append(found.Reports, read)
	}
	if t.Statement != nil {
		if found.Statement = in.statement(); isBusy(found.Statement.Fault) {
			return nil, found.Statement.Fault
		}
	}
	if t.Previous != nil {
		if found.Ledger = in.ledger(); isBusy(found.Ledger.Fault) {
			return nil, found.Ledger.Fault
		}
	}
	return found, nil
}

// isBusy says that a file was not read because there was no memory for what it expands to.
func isBusy(fault error) bool { return errors.Is(fault, domain.ErrBusy) }

type inspection struct {
	*Reconciling
	*task
	*workspace
	others     *workspace // of files that are not what they were given as
	readOrders bool       // orders has those of the export
}

func (i *inspection) export() *ports.InspectedOrders {
	found := new(ports.InspectedOrders)
	reader := i.in.Storefronts.Orders(i.seenContent(i.Storefront, &found.Seen))
	if found.Fault = reader.Read(&i.orders); found.Fault != nil {
		found.Is = i.belongs(i.Storefront, found.Fault, domain.StorefrontFile)
		return found
	}
	i.readOrders, found.Is, found.Orders = true, domain.StorefrontFile, i.orders.Len()
	for n := range found.Orders {
		found.From, found.To = widen(found.From, found.To, i.orders.At(n).OrderedOn())
	}
	return found
}

// widen returns a span of days that has another day as well, if there is one.
func widen(from, to, day domain.Day) (domain.Day, domain.Day) {
	switch {
	case day == domain.NoDay:
		return from, to
	case from == domain.NoDay:
		return day, day
	}
	return min(from, day), max(to, day)
}

// report inspects a report, or all sheets of a workbook of which several are read, as one. Each is read by opening the workbook
// anew, so those of a workbook that has thousands, which no run would read, are not.
func (i *inspection) report(r *report) ports.InspectedReport {
	sheets := i.in.Couriers.Sheets(i.contentOf(r), r.choice)
	if len(sheets) == 0 {
		return i.oneReport(r)
	}
	if len(sheets) > domain.MaxReports {
		found := ports.InspectedReport{Courier: r.courier, Stated: r.choice.Columns}
		found.Is, found.Fault = domain.CourierFile, tooManyReports()
		return found
	}
	var all ports.InspectedReport
	for n, sheet := range sheets {
		one := *r
		one.sheet = sheet
		found := i.oneReport(&one)
		if n == 0 || found.Fault != nil {
			found.Rows += all.Rows
			all = found
		} else {
			all.Rows += found.Rows
			all.From, all.To = widen(all.From, all.To, found.From)
			all.From, all.To = widen(all.From, all.To, found.To)
		}
		if found.Fault != nil {
			return all
		}
	}
	all.Sheet = strings.Join(sheets, ", ")
	return all
}

// oneReport inspects a report. If it alone does not show how it must be read, the orders of
// the export decide, as in a run.
func (i *inspection) oneReport(r *report) ports.InspectedReport {
	found := ports.InspectedReport{Courier: r.courier, Stated: r.choice.Columns}
	if len(r.content) == 0 {
		found.Fault = &domain.FileError{File: domain.CourierFile, Rule: domain.RuleEmpty}
		return found
	}
	lines := &i.remittances
	lines.Reset()
	lines.Begin(r.courier)
	content := i.contentOf(r)
	content.Seen = &found.Seen
	reader := i.in.Couriers.Remittances(content, r.choice)
	_, found.Fault = reader.Read(func() *verdict.Orders {
		if i.readOrders {
			return &i.orders
		}
		return nil
	}, lines)
	if found.Courier == "" && len(found.Couriers) == 1 && found.Couriers[0].ID != domain.CustomCourier {
		found.Courier = found.Couriers[0].ID
	}
	if found.Fault == nil {
		found.Is = domain.CourierFile
		for n := range lines.Len() {
			line := lines.At(n)
			found.From, found.To = widen(found.From, found.To, line.RemittedOn)
			found.From, found.To = widen(found.From, found.To, line.DeliveredOn)
		}
		return found
	}
	found.Is, found.Candidates = i.belongs(r.content, found.Fault, domain.CourierFile), candidatesOf(found.Fault)
	if known := found.Mapping; found.HeaderLine > 0 {
		for role, columns := range found.Candidates {
			known[role] = columns[0]
		}
		found.Missing = known.MissingRoles()
	}
	return found
}

// candidatesOf returns the columns among which a fault says that roles cannot be decided.
// Such a role is not missing.
func candidatesOf(fault error) map[domain.Role][]string {
	f, ok := errors.AsType[*domain.FileError](fault)
	if !ok || f.Rule != domain.RuleAmbiguous {
		return nil
	}
	of := map[domain.Role][]string{}
	for _, c := range f.Candidates {
		of[c.Role] = append(of[c.Role], c.Column)
	}
	return of
}

func (i *inspection) statement() *ports.Inspected {
	found, s := new(ports.Inspected), new(bank.Statement)
	if found.Fault = i.in.ReadStatement(i.seenContent(i.Statement, &found.Seen), s); found.Fault != nil {
		found.Is = i.belongs(i.Statement, found.Fault, domain.StatementFile)
		return found
	}
	found.Is, found.From, found.To = domain.StatementFile, s.From, s.To
	return found
}

func (i *inspection) ledger() *ports.InspectedLedger {
	found := new(ports.InspectedLedger)
	defer i.others.reset()
	l, err := i.openLedger(i.seenContent(i.Previous, &found.Seen))
	if err == nil {
		err = errors.Join(l.Lines(&i.others.remittances), l.Orders(&i.others.orders))
		l.Close()
	}
	if found.Fault = err; err != nil {
		found.Is = i.belongs(i.Previous, err, domain.LedgerFile)
		return found
	}
	orders := &i.others.orders
	found.Is, found.Orders, found.Lines = domain.LedgerFile, orders.Len(), i.others.remittances.Len()
	found.Open, found.Brand, found.AsOf = orders.ClaimedBefore(), orders.Ledger.Brand, orders.Ledger.AsOf
	return found
}

// belongs returns what a file is that was given as another one and is faulty; 0: that is not
// known. A file with a header that fits is what it was given as.
func (i *inspection) belongs(text []byte, fault error, as domain.File) domain.File {
	f, ok := errors.AsType[*domain.FileError](fault)
	switch {
	case !ok:
		return 0
	case f.Rule == domain.RuleLedger, f.Rule == domain.RuleOpenItems:
		return domain.LedgerFile
	case !f.NoHeader:
		if hasHeader(fault) || f.Rule == domain.RuleAmbiguous || f.Rule == domain.RuleTwoRoles || f.Rule == domain.RuleMappings {
			return as
		}
		return 0
	}
	defer i.others.reset()
	if as != domain.LedgerFile && i.isLedger(text) {
		return domain.LedgerFile
	}
	if as != domain.StorefrontFile && i.isExport(i.content(text), i.others) {
		return domain.StorefrontFile
	}
	if as != domain.CourierFile && i.isReport(i.content(text), ports.MappingChoice{Named: i.named}, i.others) {
		return domain.CourierFile
	}
	if as != domain.StatementFile && i.isStatement(i.content(text)) {
		return domain.StatementFile
	}
	return 0
}

// isLedger says whether a file is a ledger, which a workbook has on a sheet of its own.
func (i *inspection) isLedger(text []byte) bool {
	l, err := i.openLedger(i.content(text))
	if err == nil {
		l.Close()
	}
	f, ok := errors.AsType[*domain.FileError](err)
	return err == nil || ok && f.Rule == domain.RuleLedgerVersion
}
