package autopilot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"go.uber.org/fx"

	"milaan/app/ids"
	"milaan/app/panics"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// Passing makes the passes of the autopilot: it fetches the orders and the reports of a
// connection, compares them, and stores the run. It does a PassJob.
type Passing struct {
	in      PassingParams
	keys    [][32]byte // of the present secret, and then of older ones
	limiter *limiter
	memory  passMemory
}

// PassingParams are what NewPassing needs.
type PassingParams struct {
	fx.In

	Passes      ports.Passes
	PassLog     ports.PassLog
	Runs        ports.Runs
	Shops       ports.Shops
	Sources     ports.ReportSources
	Ignored     ports.IgnoredFiles
	Reconciling *runs.Reconciling
	Subkeys     ports.Subkeys
	Clock       ports.Clock
	Background  ports.Background
	Memory      ports.Memory `optional:"true"` // nil: nobody shares it
	Log         *slog.Logger
}

// NewPassing makes the use case.
func NewPassing(p PassingParams) *Passing {
	return &Passing{in: p, keys: p.Subkeys.Subkeys("pass digests"), limiter: newPassLimiter(p.Background.Passes, p.Clock),
		memory: passMemory{most: mostPassMemory, instance: p.Memory}}
}

// attempt is one attempt at a pass.
type attempt struct {
	*Passing
	ports.BegunPass
	began   time.Time
	place   *place
	share   *passShare
	ordered int64 // bytes that the orders take
	listed  int64 // bytes of the files that came with the lists
	sources []*passSource
}

var (
	// errNoMemory ends an attempt that would take more memory than there is now.
	errNoMemory = errors.New("this instance has no memory left for the pass")
	// errNotEntitled ends an attempt whose account may not have the autopilot any more.
	errNotEntitled = errors.New("the account may not have the autopilot")
)

// Make makes a pass, or does the next step of one. If again is above zero, the engine must
// call it again after that time: for the second snapshots of its files, or because the account,
// the host of its shop or of a source, or the memory of this instance has no room now. What
// is wrong with the shop or a source ends the pass. A fault of the service is returned, and
// ends the pass at the last attempt. A pass that is made twice at the same time, or again
// after a death, ends once.
func (p *Passing) Make(ctx context.Context, job ports.Job, a ports.JobAttempt) (again time.Duration, err error) {
	began := p.in.Clock()
	begun, err := p.in.Passes.Begin(ctx, job.Pass, began)
	switch {
	case errors.Is(err, domain.ErrNothingToDo):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("begin a pass: %w", err)
	}
	t := &attempt{Passing: p, BegunPass: begun, began: began}
	left := t.Pass.StartedAt.Add(domain.PassLimit).Sub(began)
	switch {
	case a.Deaths >= domain.MaxDeaths || left <= 0:
		return 0, t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnInterrupted}))
	case !t.mayBeMade(begun.Account):
		return 0, t.end(ctx, t.newSkippedEnd())
	case begun.Connection.Shop.Connector == "": // its settings cannot be opened any more
		return 0, t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnFault}))
	}
	place, wait := p.limiter.acquire(begun.Account.ID, t.hosts())
	if place == nil {
		return wait, nil
	}
	failing, well := -1, false
	defer func() { place.release(failing, well) }()
	t.place, t.share = place, p.memory.join()
	defer t.share.leave()
	limited, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	again, err = t.make(limited)
	failing, well = unhealthyHost(err), err == nil && again == 0
	return again, t.endAfter(ctx, limited, a, err)
}

// unhealthyHost returns the position, among the hosts of a pass, of one that was slow or out of
// reach; -1: none was.
func unhealthyHost(err error) int {
	if e, ok := errors.AsType[*domain.ConnectorError](err); ok {
		switch e.Rule {
		case domain.ConnSlow, domain.ConnUnreachable, domain.ConnThrottled:
			return e.Source
		}
	}
	return -1
}

// mayBeMade says whether the pass may be made: a person may ask for one of a connection that
// is paused or needs attention.
func (t *attempt) mayBeMade(a domain.Account) bool {
	return a.MayReconcile(t.in.Clock()) == nil && a.HasAutopilot() && (t.Pass.Asked || t.Connection.State == domain.ConnectionActive)
}

// hosts are those that the pass connects to: of the shop, and then of each source.
func (t *attempt) hosts() []string {
	hosts := []string{t.in.Shops.Host(t.Connection.Shop)}
	for _, source := range t.Connection.Sources {
		hosts = append(hosts, t.in.Sources.Host(source))
	}
	return hosts
}

// endAfter ends a pass whose attempt has ended with an error, if that error ends it. It returns
// the error for the engine.
func (t *attempt) endAfter(ctx, limited context.Context, a ports.JobAttempt, err error) error {
	failure, isFailure := errors.AsType[*domain.ConnectorError](err)
	switch {
	case err == nil, errors.Is(err, domain.ErrNothingToDo), errors.Is(err, domain.ErrNoAccount):
		return nil // it has ended, perhaps by another attempt, or its connection is gone
	case ctx.Err() != nil:
		return err
	case errors.Is(err, errNotEntitled):
		return t.end(ctx, t.newSkippedEnd())
	case isFailure:
		return t.end(ctx, t.newFailedEnd(failure))
	case limited.Err() != nil:
		return t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnInterrupted, Cause: err}))
	case a.Last:
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), runs.EndLimit)
		defer cancel()
		return errors.Join(err, t.end(ctx, t.newFailedEnd(&domain.ConnectorError{Rule: domain.ConnFault})))
	}
	return err
}

// make makes the pass up to its run, or up to the time at which it must be called again.
func (t *attempt) make(ctx context.Context) (again time.Duration, err error) {
	defer func() {
		if errors.Is(err, errNoMemory) || t.share.waited && unhealthyHost(err) >= 0 {
			again, err = passPause+rand.N(longestPassPause/6), nil
		}
	}()
	defer panics.RecoverInto(&err)
	from := t.Connection.WindowStart(t.Pass.StartedAt)
	t.noteFormer()
	if err := t.listSources(ctx, from.Start()); err != nil {
		return 0, err
	}
	if err := t.dropIgnored(ctx); err != nil {
		return 0, err
	}
	t.dropOlder()
	if err := t.checkFiles(); err != nil {
		return 0, err
	}
	snapshots, again, err := t.takeSnapshots(ctx)
	if again > 0 || err != nil {
		return again, err
	}
	t.place.hold(t.hosts()[:1])
	orders, err := t.fetchOrders(ctx, from)
	if err != nil {
		return 0, err
	}
	mappings, err := t.savedMappings(ctx)
	if err != nil {
		return 0, err
	}
	state, left := t.State.MoveWindow(from)
	hashes := t.inputHashes(t, orders.Hash, mappings, nil)
	state.Snapshots, state.InputHash = snapshots, hashes[0]
	if slices.Contains(hashes, t.State.InputHash) {
		state.Files, state.MoreFiles = remembered(t.seenAgain(nil))
		return 0, t.endUnchanged(ctx, from, state, left, orders.Count)
	}
	return 0, t.compare(ctx, from, state, left, orders, mappings)
}

// takeSnapshots takes snapshots of the files. A file that is new or has another version than at
// the last pass needs a second one, domain.SnapshotInterval later.
func (t *attempt) takeSnapshots(ctx context.Context) (snapshots map[string]domain.Snapshot, again time.Duration, err error) {
	now, keys := t.in.Clock(), snapshotKeys(t.keys[0])
	if t.Snapshots == nil {
		first, growing := keys.take(t.sources, t.State.Snapshots, now)
		if growing == nil {
			return first, 0, nil
		}
		return nil, domain.SnapshotInterval, t.in.Passes.StoreSnapshots(ctx, t.Pass.ID, now, first)
	}
	if wait := t.Pass.SnapshotAt.Add(domain.SnapshotInterval).Sub(now); wait > 0 {
		return nil, min(wait, domain.SnapshotInterval), nil
	}
	second, growing := keys.take(t.sources, t.Snapshots, now)
	if growing != nil {
		t.State.Snapshots = second // which the next pass need not begin anew
		return nil, 0, growing
	}
	return second, 0, nil
}

// fetchOrders fetches the orders of the window.
func (t *attempt) fetchOrders(ctx context.Context, from domain.Day) (*ports.FetchedOrders, error) {
	limited, cancel := context.WithTimeout(ctx, ordersLimit)
	defer cancel()
	shop := t.Connection.Shop
	orders, err := t.in.Shops.Fetch(limited, shop, ports.OrdersQuery{From: from.Start(), To: t.in.Clock(), Most: domain.MaxRows,
		Grown: func(bytes int64) error {
			if bytes > domain.MaxPassBytes {
				return &domain.ConnectorError{Rule: domain.ConnManyBytes, Connector: shop.Connector, Limit: domain.MaxPassBytes}
			}
			t.ordered = bytes
			return t.reserve(ctx, 0)
		}})
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

// reserve reserves memory for the orders, for what the lists have brought, and the given number of
// further bytes.
func (t *attempt) reserve(ctx context.Context, bytes int64) error {
	if !t.share.grow(ctx, t.ordered+t.listed+bytes) {
		return errNoMemory
	}
	return nil
}

// terms are the terms of the run.
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

// compare reads the reports, compares them with the orders, and stores the run. mappings are
// those that are saved now.
func (t *attempt) compare(
	ctx context.Context, from domain.Day, state domain.PassState, left domain.OrderSum, orders *ports.FetchedOrders,
	mappings map[string]domain.Mapping,
) error {
	if err := t.place.await(ctx, t.hosts()[1:]); err != nil {
		return err
	}
	files, err := t.readSources(ctx, from.Start())
	if err != nil {
		return err
	}
	work, held := int64(0), int64(0)
	for _, file := range files {
		held, work = held+int64(len(file.content)), work+workOf(file.content)
	}
	if err := t.reserve(ctx, held+work); err != nil {
		return err
	}
	files = t.dropExports(files, mappings)
	// A later report may correct an earlier one (guide: verdict 1, corrections).
	slices.SortStableFunc(files, func(a, b passReport) int { return oldestFirst(a.file, b.file) })
	state.Files, state.MoreFiles = remembered(t.seen())
	hashes := t.inputHashes(t, orders.Hash, mappings, files)
	if slices.Contains(hashes, t.State.ContentHash) { // other versions of the same files
		state.ContentHash = hashes[0]
		return t.endUnchanged(ctx, from, state, left, orders.Count)
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
	state.InputHash = t.inputHashes(t, orders.Hash, mappings, nil)[0] // as the next pass finds the inputs
	state.ContentHash = t.inputHashes(t, orders.Hash, mappings, files)[0]
	state.Unpaid = finished.Unpaid()
	result := domain.PassResult{
		Outcome: domain.PassStored, RunID: ids.New(), Orders: finished.Len(), Left: left, Leaving: state.Leaving(from),
		Sources: t.withLeftOut(state.Files, verdict.SourceResults(&t.Connection, finished.Reports())),
	}
	result.Warnings = domain.PassWarnings(finished.Warnings(), result.Leaving)
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
	event := domain.NewDelivery(ids.New(), domain.Delivery{AccountID: run.AccountID, Kind: domain.RunDelivery, RunID: run.ID,
		CreatedAt: run.At})
	err = t.in.Runs.Update(ctx, run.AccountID, func(book ports.RunBook) error {
		if !t.mayBeMade(book.Account()) {
			return errNotEntitled
		}
		e := ports.Entry{Run: run, Mappings: saved, SavedAt: run.At, Pass: end}
		if book.Account().HasWebhooks() { // guide: webhooks
			e.Event = event
		}
		return book.Write(e)
	})
	if err == nil {
		t.logEnd(ctx, end.Pass)
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
	fetched := runs.Fetched{Account: t.Account, Orders: orders, Terms: t.terms()}
	for _, file := range files {
		fetched.Reports = append(fetched.Reports, runs.FetchedReport{Content: file.content, Courier: file.Courier, Columns: file.Columns,
			Source: file.position})
	}
	for _, s := range t.sources {
		if !slices.ContainsFunc(files, func(r passReport) bool { return r.passSource == s }) {
			fetched.Absent = append(fetched.Absent, s.Courier)
		}
	}
	if finished, saved, err = t.in.Reconciling.CompareFetched(ctx, fetched); err != nil {
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

// endUnchanged ends a pass whose inputs are those of the last run.
func (t *attempt) endUnchanged(ctx context.Context, from domain.Day, state domain.PassState, left domain.OrderSum, orders int) error {
	last, err := t.lastResult(ctx)
	if err != nil {
		return err
	}
	leaving := state.Leaving(from)
	last.Warnings = slices.DeleteFunc(slices.Clone(last.Warnings), func(w domain.Warning) bool { return w.Code == domain.WarnLeavingWindow })
	result := domain.PassResult{
		Outcome: domain.PassUnchanged, RunID: t.Connection.LastRunID, Orders: orders, Left: left, Leaving: leaving,
		Sources: t.withLeftOut(state.Files, last.Sources), Warnings: domain.PassWarnings(last.Warnings, leaving),
	}
	return t.end(ctx, t.newMadeEnd(result, state, func(*domain.ConnectionStatus) {}))
}

// lastResult is the result of the last pass that did not fail, which an unchanged pass has
// too. In most cases that is one of the latest passes. They are listed by when they were due:
// one that was asked for may have ended before one that was due earlier.
func (t *attempt) lastResult(ctx context.Context) (domain.PassResult, error) {
	for _, limit := range []int{3, int(domain.PassRetention / domain.PassPeriod)} {
		passes, err := t.in.PassLog.Latest(ctx, t.Account.ID, t.Connection.ID, limit)
		if err != nil {
			return domain.PassResult{}, fmt.Errorf("find the last pass: %w", err)
		}
		var last domain.Pass
		for _, pass := range passes {
			made := pass.Outcome == domain.PassStored || pass.Outcome == domain.PassUnchanged
			if made && pass.EndedAt.After(last.EndedAt) {
				last = pass
			}
		}
		if last.Outcome != "" {
			return last.PassResult, nil
		}
	}
	return domain.PassResult{}, nil
}

// newMadeEnd is the end of a pass that has not failed.
func (t *attempt) newMadeEnd(result domain.PassResult, state domain.PassState, change func(*domain.ConnectionStatus)) ports.PassEnd {
	end := t.newEnd(result)
	end.State = state
	end.Status = func(s *domain.ConnectionStatus) {
		s.CheckedAt, s.FailingSince, s.Failure = end.Pass.EndedAt, time.Time{}, nil
		if s.State == domain.ConnectionRefused {
			resume(s, t.Connection.ID, end.Pass.EndedAt, passPeriod(t.in.Background))
		}
		s.Left = s.Left.Plus(result.Left)
		change(s)
	}
	return end
}

// resume makes a connection active. Passes that were missed are not made up.
func resume(s *domain.ConnectionStatus, connectionID string, now time.Time, period time.Duration) {
	s.State = domain.ConnectionActive
	if !s.NextPassAt.After(now) {
		s.NextPassAt = domain.NextPass(connectionID, now, period)
	}
}

// newFailedEnd is the end of a pass that has failed.
func (t *attempt) newFailedEnd(failure *domain.ConnectorError) ports.PassEnd {
	end := t.newEnd(domain.PassResult{Outcome: domain.PassFailed, Failure: failure})
	end.State = t.State
	if failure.File != "" && len(t.sources) > 0 && t.sources[0].seen != nil {
		end.State.Files, end.State.MoreFiles = remembered(t.seenAgain(failure))
	}
	end.Status = func(s *domain.ConnectionStatus) {
		s.Failure = failure
		if s.FailingSince.IsZero() {
			s.FailingSince = end.Pass.EndedAt
		}
		if failure.NeedsAttention() && s.State == domain.ConnectionActive {
			s.State = domain.ConnectionRefused
		}
	}
	return end
}

// newSkippedEnd is the end of a pass that is not to be made.
func (t *attempt) newSkippedEnd() ports.PassEnd {
	return t.newEnd(domain.PassResult{Outcome: domain.PassSkipped})
}

// newEnd is the end of a pass with a result, which changes nothing of the connection.
func (t *attempt) newEnd(result domain.PassResult) ports.PassEnd {
	pass := t.Pass
	pass.EndedAt, pass.PassResult = t.in.Clock(), result
	return ports.PassEnd{Pass: pass, Revision: t.Connection.Revision}
}

// end ends a pass without a run. One that has ended before is not changed.
func (t *attempt) end(ctx context.Context, end ports.PassEnd) error {
	switch err := t.in.Passes.End(ctx, end); {
	case errors.Is(err, domain.ErrNothingToDo):
		return nil
	case err != nil:
		return fmt.Errorf("end a pass: %w", err)
	}
	t.logEnd(ctx, end.Pass)
	return nil
}

// logEnd logs the end of a pass: of a failure the connector and the rule, and nothing that an
// account has entered.
func (t *attempt) logEnd(ctx context.Context, pass domain.Pass) {
	level, attrs := slog.LevelInfo, []slog.Attr{
		slog.String("account_id", pass.AccountID), slog.String("connection_id", pass.ConnectionID), slog.String("pass_id", pass.ID),
		slog.String("outcome", string(pass.Outcome)), slog.Bool("asked", pass.Asked),
		slog.Duration("late", max(pass.StartedAt.Sub(pass.Due), 0)), slog.Duration("took", max(pass.EndedAt.Sub(pass.StartedAt), 0)),
	}
	if pass.RunID != "" {
		attrs = append(attrs, slog.String("run_id", pass.RunID), slog.Int("orders", pass.Orders))
	}
	if f := pass.Failure; f != nil {
		attrs = append(attrs, slog.String("connector", string(f.Connector)), slog.Int("source", f.Source), slog.String("rule", string(f.Rule)))
		if f.Rule == domain.ConnFault || f.Rule == domain.ConnInterrupted {
			level = slog.LevelWarn
		}
	}
	t.in.Log.LogAttrs(ctx, level, "pass", attrs...)
}
