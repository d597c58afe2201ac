package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
)

type noArguments struct{}

type files struct {
	Orders  string   `json:"orders" jsonschema:"path of the shop's orders export: absolute, or below a folder of list_files"`
	Reports []report `json:"reports" jsonschema:"the couriers' remittance reports, 20 at most; of reports that repeat a payout the newest last"`
	chosen
}

// chosen is what may be said about files beside the two kinds.
type chosen struct {
	Bank     string   `json:"bank,omitempty" jsonschema:"path of the bank statement, which says of each payout whether it was credited"`
	Previous string   `json:"previous,omitempty" jsonschema:"path of the workbook or ledger.csv of the run before: orders that are still owed are not forgotten"`
	Sheet    []string `json:"sheet,omitempty" jsonschema:"names of sheets that are read, of workbooks with several; * is all"`
}

type report struct {
	Path    string            `json:"path" jsonschema:"path of the file"`
	Courier string            `json:"courier,omitempty" jsonschema:"id of the courier; without it, the report is recognised by its header; custom: columns says which columns are read"`
	Columns map[string]string `json:"columns,omitempty" jsonschema:"for the courier custom: which column has which role, such as {\"awb\": \"Docket No\"}"`
	Charges []string          `json:"charge_columns,omitempty" jsonschema:"for the courier custom: the columns of charges"`
}

type terms struct {
	OverdueDays *int   `json:"overdue_threshold_days,omitempty" jsonschema:"days after delivery until an unpaid order is overdue, 1 to 30; usually 7"`
	MinorGap    *int   `json:"minor_gap_threshold,omitempty" jsonschema:"largest shortfall in rupees that is tolerated, 0 to 10; usually 2"`
	Charges     string `json:"charges,omitempty" jsonschema:"accept: what a courier has deducted counts as paid where the charges that its report states explain it; flag: it does not"`
}

type inspectArguments struct {
	Orders  string   `json:"orders,omitempty" jsonschema:"path of the shop's orders export"`
	Reports []report `json:"reports,omitempty" jsonschema:"reports of couriers"`
	chosen
}

type reconcileArguments struct {
	files
	terms
}

type listArguments struct {
	reconcileArguments
	Flags  []string `json:"flags,omitempty" jsonschema:"the flags that orders have; without it: all but RECONCILED and AWAITING_NEXT_CYCLE or, with find, any"`
	Find   string   `json:"find,omitempty" jsonschema:"a part of the order id or of the AWB"`
	Lines  bool     `json:"lines,omitempty" jsonschema:"the lines of the reports for each order, too"`
	Limit  int      `json:"limit,omitempty" jsonschema:"orders at most, 1 to 100; without it: 25"`
	Offset int      `json:"offset,omitempty" jsonschema:"orders to leave out at the beginning"`
}

type writeArguments struct {
	reconcileArguments
	Documents []string `json:"documents" jsonschema:"what to write"`
	Folder    string   `json:"folder" jsonschema:"folder for the files, best a new one; it is created"`
	Overwrite bool     `json:"overwrite,omitempty" jsonschema:"overwrite documents that exist: only if the person agrees"`
	BrandName string   `json:"brand_name,omitempty" jsonschema:"name of the shop, which documents carry in place of Milaan's"`
}

type fileList struct {
	Notice string   `json:"notice"`
	Files  []listed `json:"files"`
	More   bool     `json:"more"` // there are others
}

func (s *server) listFiles(ctx context.Context, _ *noArguments) (fileList, error) {
	found, more, err := s.folders.list(ctx)
	return fileList{notice, view.OrEmpty(found), more}, err
}

type inspection struct {
	Notice string `json:"notice"`
	view.Inspection
}

func (s *server) inspect(ctx context.Context, in *inspectArguments) (v inspection, err error) {
	given := &files{in.Orders, in.Reports, in.chosen}
	req, _, err := s.request(given, &terms{})
	if err != nil {
		return v, err
	}
	found, err := s.Inspecting.Inspect(ctx, nil, req)
	if err != nil {
		return v, s.explain(err, given)
	}
	v = inspection{notice, view.NewInspection(found, s.Couriers.Catalogue(),
		func(fault error) string { return s.explain(fault, given).Error() })}
	forget(&v.Inspection)
	return v, nil
}

// forget leaves out the samples of cells, which may be about people, and columns without a name.
func forget(v *view.Inspection) {
	none := []view.InspectedColumn{}
	if v.Orders != nil {
		v.Orders.Columns = none
	}
	if v.Bank != nil {
		v.Bank.Columns = none
	}
	if v.Ledger != nil {
		v.Ledger.Columns = none
	}
	for i := range v.Reports {
		v.Reports[i].Columns = none
		for j := range v.Reports[i].Mapping {
			v.Reports[i].Mapping[j].Samples = []string{}
		}
	}
}

// request reads files into a request. It also returns what the system says of them, so that none is
// overwritten.
func (s *server) request(given *files, t *terms) (req ports.Request, infos []fs.FileInfo, err error) {
	room := int64(maxTogether)
	read := func(path string) (text []byte) {
		if path == "" || err != nil {
			return nil
		}
		var info fs.FileInfo
		if text, info, err = s.folders.read(path, &room); err == nil {
			infos = append(infos, info)
		}
		return text
	}
	if len(given.Reports) > domain.MaxReports {
		return req, nil, refuse("%d reports are too many: give %d at most", len(given.Reports), domain.MaxReports)
	}
	req = ports.Request{Workbooks: true, Sheets: given.Sheet, OverdueDays: t.OverdueDays, MinorGap: t.MinorGap,
		Charges: domain.Charges(t.Charges)}
	req.Storefront = read(given.Orders)
	for _, r := range given.Reports {
		columns := maps.Clone(r.Columns)
		if len(r.Charges) > 0 {
			if columns == nil {
				columns = map[string]string{}
			}
			columns[domain.RoleCharges.String()] = domain.JoinColumns(r.Charges)
		}
		req.Reports = append(req.Reports, ports.Report{Courier: read(r.Path), CourierName: r.Courier, Columns: columns})
	}
	req.Statement, req.Previous = read(given.Bank), read(given.Previous)
	if len(req.Reports) == 1 {
		only := req.Reports[0]
		req.Courier, req.CourierName, req.Columns, req.Reports = only.Courier, only.CourierName, only.Columns, nil
	}
	return req, infos, err
}

// compare compares files. The caller releases the run.
func (s *server) compare(ctx context.Context, in *reconcileArguments, include domain.Include) (*ports.FinishedRun, []fs.FileInfo, error) {
	if in.Orders == "" || len(in.Reports) == 0 || slices.ContainsFunc(in.Reports, func(r report) bool { return r.Path == "" }) {
		return nil, nil, refuse("a file is missing: give the path of the orders export, and of one report at least")
	}
	req, infos, err := s.request(&in.files, &in.terms)
	if err != nil {
		return nil, nil, err
	}
	req.Include = include
	run, err := s.Reconciling.Preview(ctx, req)
	if err != nil {
		return nil, nil, s.explain(err, &in.files)
	}
	return run, infos, nil
}

func (s *server) warnings(all []domain.Warning, given *files) []view.AnswerWarning {
	return view.Each(all, func(w *domain.Warning) view.AnswerWarning {
		return view.NewAnswerWarning(w, s.Words.Warning(w, names{given}))
	})
}

// reconciled is a run without its orders. Its members are those of the answer of POST /reconcile
// and of the pages.
type reconciled struct {
	Notice       string               `json:"notice"`
	Summary      view.Summary         `json:"summary"`
	GuidanceText []string             `json:"guidance_text"`
	Guidance     view.Guidance        `json:"cycle_guidance"`
	Accepted     *view.Rupees         `json:"accepted_charges,omitempty"`
	Warnings     []view.AnswerWarning `json:"warnings"`
	Reports      []view.ReportTotals  `json:"reports"`
	Bank         *statement           `json:"bank,omitempty"`
	OpenItems    *view.Movements      `json:"open_items,omitempty" jsonschema:"with previous: how what is claimed has changed since the run before, of all and per courier"`
}

type statement struct {
	From         string                `json:"from,omitempty"`
	To           string                `json:"to,omitempty"`
	States       map[string]int        `json:"states"` // payouts
	NotAsPaid    []view.CreditedPayout `json:"not_as_paid" jsonschema:"the first 50 payouts that the statement does not have, or has in another way"`
	OtherCredits int                   `json:"other_credits" jsonschema:"credits of couriers that belong to no payout"`
}

const mostPayouts = 50

func (s *server) reconcile(ctx context.Context, in *reconcileArguments) (v reconciled, err error) {
	run, _, err := s.compare(ctx, in, domain.IncludePayouts)
	if err != nil {
		return v, err
	}
	defer run.Release()
	charged := run.StateCharges()
	v = reconciled{Notice: notice, Summary: view.NewSummary(&run.Tally, run.FlagTotals(), run.Ageing()),
		GuidanceText: view.OrEmpty(s.Words.Guidance(&run.Guidance, len(run.Reports()), names{&in.files})),
		Guidance:     view.NewGuidance(&run.Guidance), Warnings: s.warnings(run.Warnings(), &in.files),
		Reports: view.Each(run.ReportTotals(), func(t *verdict.ReportTotals) view.ReportTotals { return view.NewReportTotals(t, charged) })}
	if run.Accepts() {
		v.Accepted = new(view.Rupees(run.Accepted))
	}
	if run.Remembers() {
		v.OpenItems = new(view.NewMovements(run.Movements()))
	}
	if f := run.Statement; f != nil {
		v.Bank = &statement{From: f.From.String(), To: f.To.String(), States: map[string]int{},
			NotAsPaid: []view.CreditedPayout{}, OtherCredits: len(f.Others)}
		for i := range f.Payouts {
			p := &f.Payouts[i]
			if v.Bank.States[p.State.String()]++; p.State != bank.CreditEqual && len(v.Bank.NotAsPaid) < mostPayouts {
				v.Bank.NotAsPaid = append(v.Bank.NotAsPaid, view.NewCreditedPayout(p))
			}
		}
	}
	return v, nil
}

// How long a part of the list of orders is.
const (
	usualListed = 25
	mostOrders  = 100
	mostBytes   = 64 << 10 // of JSON; one order may have more
)

// orderList is a part of the orders of a run and of its ledger, each as in the answer of POST /reconcile.
type orderList struct {
	Notice     string            `json:"notice"`
	Orders     int               `json:"orders" jsonschema:"all that were asked for"`
	Offset     int               `json:"offset"`
	NextOffset *int              `json:"next_offset" jsonschema:"null: there are no more"`
	Results    []json.RawMessage `json:"results"`
}

// listedOrder is an element of these results.
type listedOrder struct {
	view.OrderResult
	Courier  string `json:"courier,omitempty" jsonschema:"with previous, as all that follows: id of the courier"`
	InExport *bool  `json:"in_export,omitempty" jsonschema:"false: only the ledger of the run before has the order; sums of reconcile other than open_items are without it"`
	view.ItemHistory
}

func (s *server) listOrders(ctx context.Context, in *listArguments) (v orderList, err error) {
	if in.Limit < 0 || in.Limit > mostOrders || in.Offset < 0 {
		return v, refuse("limit must be 1 to %d, and offset 0 or more", mostOrders)
	}
	include := domain.IncludeOrders
	if in.Lines {
		include |= domain.IncludeLines
	}
	run, _, err := s.compare(ctx, &in.reconcileArguments, include)
	if err != nil {
		return v, err
	}
	defer run.Release()
	limit, bytesLeft := cmp.Or(in.Limit, usualListed), mostBytes
	v = orderList{Notice: notice, Offset: in.Offset, Results: []json.RawMessage{}}
	for _, i := range run.AllToActOn() {
		if !in.asksFor(run, int(i)) {
			continue
		}
		v.Orders++
		if v.Orders <= in.Offset || v.NextOffset != nil {
			continue
		}
		var result bytes.Buffer
		if err := s.Answers.WriteResult(&result, run, int(i)); err != nil {
			return v, err
		}
		if bytesLeft -= result.Len(); len(v.Results) > 0 && (len(v.Results) == limit || bytesLeft < 0) {
			v.NextOffset = new(v.Orders - 1)
			continue
		}
		v.Results = append(v.Results, result.Bytes())
	}
	return v, nil
}

func (in *listArguments) asksFor(run *ports.FinishedRun, i int) bool {
	result := run.Result(i)
	find := strings.ToLower(strings.TrimSpace(in.Find))
	if find != "" && !strings.Contains(strings.ToLower(string(result.OrderID)), find) &&
		!strings.Contains(strings.ToLower(string(result.AWB)), find) {
		return false
	}
	if find == "" && i >= run.Len() && !run.IsItem(i) {
		return false // it was settled before
	}
	if len(in.Flags) > 0 {
		return slices.Contains(in.Flags, result.Flag.String())
	}
	return find != "" || result.Flag.IsFlagged()
}

type written struct {
	Notice   string               `json:"notice"`
	Files    []string             `json:"files"` // paths
	Warnings []view.AnswerWarning `json:"warnings"`
}

func (s *server) writeDocuments(ctx context.Context, in *writeArguments) (v written, err error) {
	to, err := s.folders.at(in.Folder)
	if err != nil {
		return v, err
	}
	branding := domain.Branding{Name: strings.TrimSpace(in.BrandName)}
	if err := domain.CheckBranding(branding).Err(); err != nil {
		return v, s.explain(err, &in.files)
	}
	if len(in.Documents) == 0 {
		return v, refuse("documents is empty: say what to write")
	}
	run, inputs, err := s.compare(ctx, &in.reconcileArguments,
		domain.IncludePayouts|domain.IncludeUnclaimed|domain.IncludeOrders|domain.IncludeLines)
	if err != nil {
		return v, err
	}
	defer run.Release()
	files := newDocumentFiles(ctx, to, inputs, in.Overwrite)
	defer files.Discard()
	warnings := run.Warnings()
	for _, r := range s.Reporters {
		if slices.Contains(in.Documents, string(r.Format())) {
			leftOut, err := r.Write(files.begin, run, branding)
			if err != nil {
				return v, s.folders.explainWriting(to, err)
			}
			warnings = domain.AddWarnings(warnings, leftOut)
		}
	}
	if err := files.Publish(); err != nil {
		return v, s.folders.explainWriting(to, err)
	}
	v = written{Notice: notice, Files: []string{}, Warnings: s.warnings(warnings, &in.files)}
	for _, path := range files.Paths() {
		v.Files = append(v.Files, filepath.Join(to.folder.path, path))
	}
	return v, nil
}
