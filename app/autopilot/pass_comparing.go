package autopilot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"milaan/app/ids"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

func (t *attempt) fetchOrders(ctx context.Context, from domain.Day) (*ports.FetchedOrders, error) {
	limited, cancel := context.WithTimeout(ctx, ordersLimit)
	defer cancel()
	shop := t.Connection.Shop
	fetching := ports.SpanOf(ctx).Step(ports.StepFetchOrders)
	orders, err := t.in.Shops.Fetch(limited, shop, ports.OrdersQuery{From: from.Start(), To: t.in.Clock(), Most: domain.MaxRows,
		Grown: func(bytes int64) error {
			if bytes > domain.MaxPassBytes {
				return &domain.ConnectorError{Rule: domain.ConnManyBytes, Connector: shop.Connector, Limit: domain.MaxPassBytes}
			}
			t.ordered = bytes
			return t.reserve(ctx, 0)
		}})
	fetching.End(err)
	failure, isFailure := errors.AsType[*domain.ConnectorError](err)
	switch {
	case isFailure:
		if failure.Rule == domain.ConnManyOrders && (failure.Days < domain.MinWindowDays || failure.Days >= t.Connection.WindowDays) {
			failure.Days = 0
		}
		return nil, failure
	case err != nil && ctx.Err() == nil && limited.Err() != nil:
		return nil, &domain.ConnectorError{Rule: domain.ConnSlow, Connector: shop.Connector, Wait: ordersLimit, Cause: err}
	case err != nil:
		return nil, err
	case orders.Count > domain.MaxRows:
		return nil, &domain.ConnectorError{Rule: domain.ConnManyOrders, Connector: shop.Connector, Limit: domain.MaxRows}
	case orders.Count == 0: // as for an export without orders
		return nil, &domain.ConnectorError{Rule: domain.ConnOrders, Connector: shop.Connector}
	}
	return orders, nil
}

func (t *attempt) terms() domain.Terms {
	c := &t.Connection
	return domain.TermsFor(c.OverdueDays, t.Account.OverdueDays, c.MinorGap, c.Charges, t.Account.Charges())
}

// savedMappings returns the mappings that decide how the reports of an Enterprise account are read:
// by courier those of earlier runs and, under keys that are no courier's, those that people have saved
// under names.
func (t *attempt) savedMappings(ctx context.Context) (map[string]domain.Mapping, error) {
	saved := map[string]domain.Mapping{}
	for _, courier := range t.rememberedCouriers() {
		m, found, err := t.in.Runs.Mapping(ctx, t.Account.ID, courier)
		if err != nil {
			return nil, err
		}
		if found {
			saved[courier] = m
		}
	}
	if !t.usesNamed() {
		return saved, nil
	}
	named, err := t.in.Reconciling.NamedMappings(ctx, t.Account.ID)
	for _, m := range named {
		saved[fmt.Sprintf(byHeader+"%x, %s", m.Header, domain.MappingKey(m.Name))] = m.Mapping
	}
	return saved, err
}

// byHeader begins the keys of named mappings among those of couriers: no courier's id has a blank.
const byHeader = "header "

// usesNamed says whether the reports of some source may be read by a named mapping.
func (t *attempt) usesNamed() bool {
	return t.Account.SavesMappings() && slices.ContainsFunc(t.sources, (*passSource).usesNamed)
}

func (s *passSource) usesNamed() bool {
	return len(s.Columns) == 0 && (s.Courier == "" || s.Courier == domain.CustomCourier)
}

// rememberedCouriers returns the couriers whose saved mappings the pass uses.
func (t *attempt) rememberedCouriers() (couriers []string) {
	for _, s := range t.sources {
		if t.Account.SavesMappings() && s.Courier != "" && len(s.Columns) == 0 && !slices.Contains(couriers, s.Courier) {
			couriers = append(couriers, s.Courier)
		}
	}
	return couriers
}

// gather reads the reports, the oldest first, and reserves the memory for the work on them. It returns
// how many bytes they and the work take.
func (t *attempt) gather(
	ctx context.Context, from domain.Day, mappings map[string]domain.Mapping,
) (files []passReport, bytes int64, err error) {
	if err := t.place.await(ctx, t.hosts()[1:]); err != nil {
		return nil, 0, err
	}
	fetching := ports.SpanOf(ctx).Step(ports.StepFetchReports)
	files, err = t.readSources(ctx, from.Start())
	fetching.End(err)
	if err != nil {
		return nil, 0, err
	}
	for _, file := range files {
		bytes += int64(len(file.content)) + workOf(file.content)
	}
	if err := t.reserve(ctx, bytes); err != nil {
		return nil, 0, err
	}
	files = t.dropExports(files, mappings)
	// A later report may correct an earlier one (guide: verdict 1, corrections).
	slices.SortStableFunc(files, func(a, b passReport) int { return oldestFirst(a.file, b.file) })
	return files, bytes, nil
}

// compare reads the reports, compares them with the orders, and stores the run. mappings are
// those that are saved now.
func (t *attempt) compare(
	ctx context.Context, from domain.Day, state domain.PassState, left domain.OrderSum, orders *ports.FetchedOrders,
	mappings map[string]domain.Mapping,
) error {
	files, bytes, err := t.gather(ctx, from, mappings)
	if err != nil {
		return err
	}
	state.Files, state.MoreFiles = remembered(t.withGone(t.seen()))
	hashes := t.inputHashes(orders.Hash, mappings, files)
	if slices.Contains(hashes, t.State.ContentHash) && !t.begins() { // other versions of the same files
		state.ContentHash = hashes[0]
		return t.endUnchanged(ctx, from, state, left, orders.Count)
	}
	if err := t.findKept(ctx, bytes); err != nil {
		return err
	}
	finished, saved, err := t.decide(ctx, orders.Orders, files)
	if err != nil {
		return err
	}
	defer finished.Release()
	for _, m := range saved {
		if slices.Contains(t.rememberedCouriers(), m.CourierName) {
			mappings[m.CourierName] = m.Mapping
		}
	}
	state.InputHash = t.inputHashes(orders.Hash, mappings, nil)[0] // as the next pass finds the inputs
	state.ContentHash = t.inputHashes(orders.Hash, mappings, files)[0]
	state.Unpaid = finished.Unpaid()
	leaving := state.Leaving(from)
	if t.kept != nil { // what leaves the window unpaid stays in the open items
		leaving = domain.OrderSum{}
		if t.kept.Text != nil {
			left = domain.OrderSum{}
		}
	}
	result := domain.PassResult{
		Outcome: domain.PassStored, RunID: ids.New(), Orders: finished.Len(), Left: left, Leaving: leaving,
		Sources: t.withLeftOut(state.Files, verdict.SourceResults(&t.Connection, finished.Reports())),
	}
	result.Warnings = domain.PassWarnings(t.withUnread(finished.Warnings()), leaving)
	if t.kept != nil {
		result.OpenItems = claimed(finished.Reconciliation)
	}
	now := t.in.Clock()
	run := domain.Run{
		ID: result.RunID, AccountID: t.Account.ID, Brand: t.Connection.Brand, CourierName: couriersOf(result.Sources),
		Source: domain.SourceAutopilot,
		At:     now, Took: now.Sub(t.began), Tally: finished.Tally, Terms: t.terms(), Guidance: finished.Guidance,
	}
	end := t.newMadeEnd(result, state, func(s *domain.ConnectionStatus) {
		s.LastRunID, s.LastRunAt, s.AtRisk = run.ID, run.At, run.Tally.AtRisk
		s.Watch(run.Tally.AtRisk, t.Connection.AlertAbove, run.At)
	})
	if end.Ledger, err = t.keep(finished); err != nil {
		return err
	}
	return t.store(ctx, ports.Entry{Run: run, Mappings: saved, SavedAt: run.At, Pass: end})
}

func (t *attempt) store(ctx context.Context, e ports.Entry) error {
	event := domain.NewDelivery(ids.New(), domain.Delivery{AccountID: e.Run.AccountID, Kind: domain.RunDelivery, RunID: e.Run.ID,
		CreatedAt: e.Run.At})
	span := ports.SpanOf(ctx)
	storing := span.Step(ports.StepStore)
	err := t.in.Runs.Update(ctx, e.Run.AccountID, func(book ports.RunBook) error {
		if !t.mayBeMade(book.Account()) {
			return errNotEntitled
		}
		written := e
		if book.Account().HasWebhooks() { // guide: webhooks
			written.Event = event
		}
		return book.Write(written)
	})
	storing.End(err)
	if err == nil {
		span.Set(ports.SpanRun, e.Run.ID)
		t.logEnd(ctx, e.Pass.Pass)
	}
	return err
}

// couriersOf returns the couriers of all sources, as a run is stored under them.
func couriersOf(sources []domain.SourceResult) string {
	var ids []string
	for _, s := range sources {
		ids = append(ids, domain.SplitCouriers(s.Courier)...)
	}
	return domain.JoinCouriers(ids)
}

// decide compares the orders with the reports. saved are the mappings that are to be stored
// with the run.
func (t *attempt) decide(
	ctx context.Context, orders ports.OrdersReader, files []passReport,
) (finished *ports.FinishedRun, saved []ports.SavedMapping, err error) {
	fetched := runs.Fetched{Account: t.Account, Orders: orders, Terms: t.terms(), Kept: t.kept, Today: domain.DayOf(t.in.Clock())}
	for _, file := range files {
		fetched.Reports = append(fetched.Reports, runs.FetchedReport{Content: file.content, Courier: file.Courier, Columns: file.Columns,
			Source: file.position, ID: file.ID})
	}
	for _, s := range t.sources {
		if !slices.ContainsFunc(files, func(r passReport) bool { return r.passSource == s }) {
			fetched.Absent = append(fetched.Absent, s.Courier)
		}
	}
	finished, saved, err = t.in.Reconciling.CompareFetched(ctx, fetched)
	if t.isUnread(ctx, err) {
		fetched.Kept, t.kept = nil, nil
		finished, saved, err = t.in.Reconciling.CompareFetched(ctx, fetched)
	}
	if err != nil {
		return nil, nil, t.explain(err, files, fetched.Reports)
	}
	return finished, saved, nil
}

// workOf returns how many bytes of memory it takes at most to read a report, besides the
// report itself. A workbook is compressed.
func workOf(content []byte) int64 {
	const packed = 10
	if len(content) > 1 && content[0] == 'P' && content[1] == 'K' {
		text := min(packed*int64(len(content)), ports.MostUploadText)
		return text + ports.WorkBytes(text)
	}
	return ports.WorkBytesFor(content)
}

// explain makes the fault of a file one of its source. It repeats no cell of the file.
func (t *attempt) explain(err error, files []passReport, read []runs.FetchedReport) error {
	f, ok := errors.AsType[*domain.FileError](err)
	if !ok {
		return err
	}
	if f.File != domain.CourierFile || f.Report < 1 || f.Report > len(files) {
		e := &domain.ConnectorError{Rule: domain.ConnOrders, Connector: t.Connection.Shop.Connector, Line: f.Line,
			Column: domain.Shortened(f.Column)}
		if f.Rule == domain.RuleCurrency {
			e.Rule = domain.ConnCurrency
		}
		return e
	}
	report := files[f.Report-1]
	switch {
	case f.Rule == domain.RuleRowsTogether || f.Rule == domain.RuleRows:
		return &domain.ConnectorError{Rule: domain.ConnManyLines, Limit: domain.MaxRows, Days: t.daysFor(files, read)}
	case f.Rule == domain.RuleMappings:
		return report.failure(domain.ConnectorError{Rule: domain.ConnMappings})
	case f.NoHeader:
		return report.failure(domain.ConnectorError{Rule: domain.ConnHeader})
	}
	return report.failure(domain.ConnectorError{Rule: domain.ConnReport, Line: f.Line, Column: domain.Shortened(f.Column)})
}

// daysFor returns the longest window whose reports have few enough lines; 0: none has. Lines
// of reports that were not read are estimated from those that were.
func (t *attempt) daysFor(files []passReport, read []runs.FetchedReport) int {
	rows, bytes := 0, 0
	for i := range read {
		if read[i].Rows > 0 {
			rows, bytes = rows+read[i].Rows, bytes+len(read[i].Content)
		}
	}
	latest := make([]int, len(files))
	for i := range latest {
		latest[i] = i
	}
	slices.SortFunc(latest, func(a, b int) int { return files[b].file.Modified.Compare(files[a].file.Modified) })
	lines := 0
	for _, i := range latest {
		ofFile := read[i].Rows
		if ofFile == 0 && bytes > 0 {
			ofFile = len(read[i].Content) * rows / bytes
		}
		if lines += ofFile; lines > domain.MaxRows {
			days := int(domain.DayOf(t.Pass.StartedAt) - domain.DayOf(files[i].file.Modified) - 1)
			if days < domain.MinWindowDays {
				return 0
			}
			return min(days, t.Connection.WindowDays-1)
		}
	}
	return 0
}
