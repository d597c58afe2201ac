package autopilot

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"go.uber.org/fx"
	"golang.org/x/sync/errgroup"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
)

// ManagingConnections sets up what the autopilot connects to.
type ManagingConnections struct {
	in    ManagingConnectionsParams
	tests *limiter
}

// ManagingConnectionsParams are what NewManagingConnections needs.
type ManagingConnectionsParams struct {
	fx.In

	Accounts    ports.Accounts
	Connections ports.Connections
	Passes      ports.Passes
	PassLog     ports.PassLog
	KeptFiles   ports.KeptFiles
	Ignored     ports.IgnoredFiles
	Shops       ports.Shops
	Sources     ports.ReportSources
	Reconciling *runs.Reconciling
	Windows     ports.RateWindows
	Clock       ports.Clock
	Background  ports.Background
}

// saveTries is how often a change is checked anew because somebody else has changed the
// connection meanwhile.
const saveTries = 3

// NewManagingConnections makes the use case.
func NewManagingConnections(p ManagingConnectionsParams) *ManagingConnections {
	return &ManagingConnections{in: p, tests: newTestLimiter(p.Clock)}
}

func (m *ManagingConnections) Connectors() (shops, sources []ports.ConnectorInfo) {
	return m.in.Shops.Catalogue(), m.in.Sources.Catalogue()
}

func (m *ManagingConnections) List(ctx context.Context, accountID string) ([]domain.Connection, error) {
	all, err := m.in.Connections.List(ctx, accountID)
	for i := range all {
		all[i] = m.withoutSecrets(all[i])
	}
	return all, err
}

func (m *ManagingConnections) Find(ctx context.Context, accountID, id string) (domain.Connection, error) {
	c, err := m.in.Connections.Find(ctx, accountID, id)
	return m.withoutSecrets(c), err
}

func (m *ManagingConnections) Passes(ctx context.Context, accountID, id string) ([]domain.Pass, error) {
	if _, err := m.in.Connections.Find(ctx, accountID, id); err != nil {
		return nil, err
	}
	return m.in.PassLog.Latest(ctx, accountID, id, domain.MaxListedPasses)
}

func (m *ManagingConnections) withoutSecrets(c domain.Connection) domain.Connection {
	c.Shop.Settings = blankSecrets(c.Shop.Settings, ports.FindConnector(m.in.Shops.Catalogue(), c.Shop.Connector))
	c.Sources = slices.Clone(c.Sources)
	for i := range c.Sources {
		c.Sources[i].Settings = blankSecrets(c.Sources[i].Settings, ports.FindConnector(m.in.Sources.Catalogue(), c.Sources[i].Connector))
	}
	return c
}

// blankSecrets returns settings whose secrets are blank, without other settings that are blank and
// without those that the connector does not have.
func blankSecrets(settings domain.Settings, info ports.ConnectorInfo) domain.Settings {
	shown, secrets := info.Show(settings)
	for _, name := range secrets {
		shown[name] = ""
	}
	maps.DeleteFunc(shown, func(name, _ string) bool { return settings[name] == "" })
	return shown
}

// admit returns domain.ErrAutopilotPlan, ErrPhone, ErrSetup or ErrSubscription unless the
// account may have passes.
func (m *ManagingConnections) admit(ctx context.Context, accountID string) (domain.Account, error) {
	a, err := m.in.Accounts.ByID(ctx, accountID)
	switch {
	case err != nil:
		return a, err
	case !a.HasAutopilot():
		return a, domain.ErrAutopilotPlan
	}
	return a, a.MayReconcile(m.in.Clock())
}

// findStored finds a connection; of a blank id it is the zero one.
func (m *ManagingConnections) findStored(ctx context.Context, accountID, id string) (domain.Connection, error) {
	if id == "" {
		return domain.Connection{}, nil
	}
	return m.in.Connections.Find(ctx, accountID, id)
}

// errChangedMeanwhile says that somebody else has changed a connection since it was read.
var errChangedMeanwhile = errors.New("the connection has changed meanwhile")

// Save looks hosts up before it locks the connection, and checks it anew if somebody else
// has changed it meanwhile.
func (m *ManagingConnections) Save(
	ctx context.Context, accountID, id string, by domain.Actor, change ports.ConnectionChange,
) (domain.Connection, error) {
	if _, err := m.admit(ctx, accountID); err != nil {
		return domain.Connection{}, err
	}
	for range saveTries {
		stored, err := m.findStored(ctx, accountID, id)
		if err != nil {
			return domain.Connection{}, err
		}
		if id != "" && change.Revision != 0 && change.Revision != stored.Revision {
			return domain.Connection{}, domain.ErrConnectionChanged
		}
		wanted, faults := m.apply(ctx, stored, change)
		if err := faults.Sorted().Err(); err != nil {
			return domain.Connection{}, err
		}
		wanted.AccountID = accountID
		saved, err := m.store(ctx, stored, wanted, by)
		if !errors.Is(err, errChangedMeanwhile) {
			return m.withoutSecrets(saved), err
		}
	}
	return domain.Connection{}, domain.ErrBusy
}

func (m *ManagingConnections) store(ctx context.Context, stored, wanted domain.Connection, by domain.Actor) (domain.Connection, error) {
	now := m.in.Clock()
	if stored.ID == "" {
		wanted.ID, wanted.CreatedAt, wanted.ChangedAt, wanted.Revision = ids.New(), now, now, 1
		wanted.ConnectionStatus = domain.ConnectionStatus{State: domain.ConnectionActive,
			NextPassAt: domain.NextPass(wanted.ID, now, passPeriod(m.in.Background))}
		return wanted, m.in.Connections.Add(ctx, wanted, m.event(domain.SecurityConnectionMade, wanted.Brand, by))
	}
	kind := domain.SecurityConnection
	if m.changesSecrets(stored, wanted) {
		kind = domain.SecurityCredentials
	}
	saved, err := m.in.Connections.Update(ctx, wanted.AccountID, stored.ID, m.event(kind, wanted.Brand, by), func(c *domain.Connection) error {
		if c.Revision != stored.Revision {
			return errChangedMeanwhile
		}
		c.Brand, c.Shop, c.Sources, c.ConnectionTerms = wanted.Brand, wanted.Shop, wanted.Sources, wanted.ConnectionTerms
		if c.AlertAbove != stored.AlertAbove {
			c.Watch(c.AtRisk, c.AlertAbove, now) // passes without a new run do not look at it
		}
		c.Revision, c.ChangedAt = c.Revision+1, now
		if c.State == domain.ConnectionRefused {
			resume(&c.ConnectionStatus, c.ID, now, passPeriod(m.in.Background))
		}
		return nil
	})
	if err != nil {
		return domain.Connection{}, err
	}
	return saved, m.forgetFiles(ctx, saved)
}

// forgetFiles deletes the kept and the ignored files of sources that are gone: nobody can read them
// any more.
func (m *ManagingConnections) forgetFiles(ctx context.Context, c domain.Connection) error {
	ignored, err := m.in.Ignored.List(ctx, c.AccountID, c.ID)
	for _, file := range ignored {
		if c.Source(file.SourceID) == 0 {
			if gone := m.in.Ignored.Remove(ctx, c.AccountID, c.ID, file.ID, domain.SecurityEvent{}); !errors.Is(gone, domain.ErrNoIgnored) {
				err = errors.Join(err, gone)
			}
		}
	}
	files, listed := m.in.KeptFiles.List(ctx, c.AccountID, c.ID)
	err = errors.Join(err, listed)
	for _, file := range files {
		if c.Source(file.SourceID) == 0 {
			if gone := m.in.KeptFiles.Remove(ctx, c.AccountID, c.ID, file.ID); !errors.Is(gone, domain.ErrNoKeptFile) {
				err = errors.Join(err, gone)
			}
		}
	}
	return err
}

func (m *ManagingConnections) event(kind domain.SecurityKind, brand string, by domain.Actor) domain.SecurityEvent {
	return admission.NewEvent(domain.SecurityEvent{At: m.in.Clock(), Kind: kind, Detail: brand, By: by})
}

// changesSecrets says whether a change has other secrets than the stored connection has: for its shop,
// or for a source that stays.
func (m *ManagingConnections) changesSecrets(stored, wanted domain.Connection) bool {
	changed := !sameSecrets(ports.FindConnector(m.in.Shops.Catalogue(), wanted.Shop.Connector), stored.Shop.Settings, wanted.Shop.Settings)
	for _, s := range wanted.Sources {
		at := slices.IndexFunc(stored.Sources, func(before domain.ReportSource) bool { return before.ID == s.ID })
		changed = changed || at >= 0 && !sameSecrets(m.source(s.Connector), stored.Sources[at].Settings, s.Settings)
	}
	return changed
}

func sameSecrets(info ports.ConnectorInfo, stored, wanted domain.Settings) bool {
	return !slices.ContainsFunc(info.Settings, func(s ports.SettingInfo) bool { return s.Secret && stored[s.Name] != wanted[s.Name] })
}

func (m *ManagingConnections) apply(
	ctx context.Context, stored domain.Connection, change ports.ConnectionChange,
) (domain.Connection, domain.Faults) {
	c, faults := stored, slices.Clone(change.Misread)
	c.Brand = strings.TrimSpace(change.Brand)
	faults.Add(c.Brand == "", domain.Fault{Field: domain.FieldBrand, Rule: domain.RuleMissing})
	faults.Add(!domain.GoodLabel(c.Brand), domain.Fault{Field: domain.FieldBrand, Rule: domain.RuleLabel, Max: domain.MaxLabel})
	c.ConnectionTerms = change.ConnectionTerms
	c.WindowDays = cmp.Or(c.WindowDays, domain.DefaultWindow)
	faults.Add(c.WindowDays < domain.MinWindowDays || c.WindowDays > domain.MaxWindowDays, domain.OutOfBounds(domain.FieldWindowDays))
	faults.AddAll(domain.CheckTerms(c.OverdueDays, c.MinorGap, c.Charges))
	faults.Add(c.AlertAbove < 0, domain.Fault{Field: domain.FieldAlertAbove, Rule: domain.RuleLeast})
	n := len(change.Sources)
	faults.Add(n == 0, domain.Fault{Field: domain.FieldSources, Rule: domain.RuleTooFew, Min: 1, Max: domain.MaxReportSources})
	faults.Add(n > domain.MaxReportSources, domain.Fault{Field: domain.FieldSources, Rule: domain.RuleTooMany, Max: domain.MaxReportSources})

	// Hosts are looked up, which may take seconds, so all parts are checked at the same time.
	n = min(n, domain.MaxReportSources)
	c.Sources = make([]domain.ReportSource, n)
	ofParts := make([]domain.Faults, n+1)
	var g errgroup.Group
	if !faults.Has(domain.FieldShop) {
		g.Go(func() error { c.Shop, ofParts[0] = m.applyShop(ctx, stored.Shop, change.Shop); return nil })
	}
	for i, before := range m.standFor(stored.Sources, change.Sources[:n]) {
		g.Go(func() error { c.Sources[i], ofParts[i+1] = m.applySource(ctx, before, change.Sources[i]); return nil })
	}
	_ = g.Wait()
	for i, part := range ofParts {
		for _, f := range part {
			if f.Source = i; i == 0 {
				f.Connector = c.Shop.Connector
			} else {
				f.Connector = c.Sources[i-1].Connector
			}
			faults.Add(true, f)
		}
	}
	return c, faults
}

func (m *ManagingConnections) applyShop(ctx context.Context, stored, given domain.Shop) (domain.Shop, domain.Faults) {
	if stored.Connector != given.Connector {
		stored.Settings = nil
	}
	settings, faults := withSecrets(ports.FindConnector(m.in.Shops.Catalogue(), given.Connector), stored.Settings, given.Settings)
	shop := domain.Shop{Connector: given.Connector, Settings: settings}
	faults.AddAll(m.in.Shops.Check(ctx, shop))
	return shop, faults
}

// standFor returns for each source of a change the stored one that it stands for; nil: it is a
// new one. One that states no id stands for a stored one with the same settings, or else for
// one of the same place, if no other source of the change stands for that one.
func (m *ManagingConnections) standFor(stored []domain.ReportSource, given []ports.SourceChange) []*domain.ReportSource {
	found, taken := make([]*domain.ReportSource, len(given)), make([]bool, len(stored))
	for _, same := range []func(domain.ReportSource, ports.SourceChange) bool{
		func(s domain.ReportSource, g ports.SourceChange) bool { return s.ID == g.ID },
		func(s domain.ReportSource, g ports.SourceChange) bool { return g.ID == "" && m.sameSettings(s, g) },
		func(s domain.ReportSource, g ports.SourceChange) bool {
			return g.ID == "" && s.Connector == g.Connector && m.source(s.Connector).SamePlace(s.Settings, g.Settings)
		},
	} {
		for i := range given {
			for k := range stored {
				if found[i] == nil && !taken[k] && same(stored[k], given[i]) {
					found[i], taken[k] = &stored[k], true
				}
			}
		}
	}
	return found
}

// sameSettings says whether a change of a source leaves it as it is, but for secrets and columns.
func (m *ManagingConnections) sameSettings(s domain.ReportSource, given ports.SourceChange) bool {
	info := m.source(s.Connector)
	before, _ := info.Show(info.Complete(s.Settings))
	after, _ := info.Show(info.Complete(given.Settings))
	return s.Connector == given.Connector && maps.Equal(before, after) && s.Pattern == strings.TrimSpace(given.Pattern) &&
		s.Courier == m.in.Reconciling.Identify(new(domain.Faults), 0, given.Courier)
}

// source describes a kind of report source.
func (m *ManagingConnections) source(id domain.Connector) ports.ConnectorInfo {
	return ports.FindConnector(m.in.Sources.Catalogue(), id)
}

// applySource returns a source of a change with the secrets of the stored one (nil: a new one),
// and its faults.
func (m *ManagingConnections) applySource(
	ctx context.Context, before *domain.ReportSource, given ports.SourceChange,
) (domain.ReportSource, domain.Faults) {
	source := domain.ReportSource{ID: ids.New(), Connector: given.Connector, Pattern: strings.TrimSpace(given.Pattern), Since: m.in.Clock()}
	stored := domain.Settings(nil)
	if before != nil {
		source.ID = before.ID
		if before.Connector == given.Connector {
			stored = before.Settings
		}
		if m.sameSettings(*before, given) {
			source.Since = before.Since
		}
	}
	var faults domain.Faults
	source.Settings, faults = withSecrets(m.source(source.Connector), stored, given.Settings)
	source.Courier = m.in.Reconciling.Identify(&faults, 0, given.Courier)
	if len(given.Columns) > 0 {
		columns, fault := runs.ColumnsByRole(given.Columns)
		faults.Add(fault.Rule != "", fault)
		source.Columns = columns
	}
	faults.AddAll(m.in.Sources.Check(ctx, source))
	return source, faults
}

// withSecrets returns the settings of a change with the stored secrets that it does not state.
// If it says to connect elsewhere or as somebody else, it must state its secrets: the stored
// ones must not be sent there.
func withSecrets(info ports.ConnectorInfo, stored, given domain.Settings) (settings domain.Settings, faults domain.Faults) {
	settings = maps.Clone(given)
	maps.DeleteFunc(settings, func(_, value string) bool { return strings.TrimSpace(value) == "" })
	if settings == nil {
		settings = domain.Settings{}
	}
	moved := !info.SamePlace(stored, settings)
	states := slices.ContainsFunc(info.Settings, func(s ports.SettingInfo) bool { return s.Secret && settings[s.Name] != "" })
	for _, s := range info.Settings {
		switch {
		case !s.Secret || settings[s.Name] != "" || stored[s.Name] == "":
		case !moved:
			settings[s.Name] = stored[s.Name]
		case !states:
			faults.Add(true, domain.Fault{Field: domain.FieldSetting, Setting: s.Name, Rule: domain.RuleAgain})
		}
	}
	return settings, faults
}

func (m *ManagingConnections) Pause(ctx context.Context, accountID, id string, paused bool, by domain.Actor) (domain.Connection, error) {
	stored, err := m.in.Connections.Find(ctx, accountID, id)
	if err != nil {
		return domain.Connection{}, err
	}
	kind := domain.SecurityResumed
	if paused {
		kind = domain.SecurityPaused
	}
	changed, err := m.in.Connections.Update(ctx, accountID, id, m.event(kind, stored.Brand, by), func(c *domain.Connection) error {
		switch {
		case paused:
			c.State = domain.ConnectionPaused
		case c.State != domain.ConnectionActive:
			resume(&c.ConnectionStatus, c.ID, m.in.Clock(), passPeriod(m.in.Background))
		}
		return nil
	})
	return m.withoutSecrets(changed), err
}

func (m *ManagingConnections) Remove(ctx context.Context, accountID, id string, by domain.Actor) error {
	stored, err := m.in.Connections.Find(ctx, accountID, id)
	if err != nil {
		return err
	}
	return m.in.Connections.Remove(ctx, accountID, id, m.event(domain.SecurityConnectionGone, stored.Brand, by))
}

func (m *ManagingConnections) Run(ctx context.Context, accountID, id string) (domain.Pass, error) {
	if _, err := m.in.Connections.Find(ctx, accountID, id); err != nil {
		return domain.Pass{}, err
	}
	if _, err := m.admit(ctx, accountID); err != nil {
		return domain.Pass{}, err
	}
	if err := admission.Count(ctx, m.in.Windows, admission.Passes.Of(accountID), domain.AskedPassRate, m.in.Clock); err != nil {
		return domain.Pass{}, err
	}
	now := m.in.Clock()
	p := domain.Pass{ID: ids.New(), AccountID: accountID, ConnectionID: id, Slot: now, Asked: true, Due: now}
	if err := m.in.Passes.Ask(ctx, p); err != nil {
		return domain.Pass{}, err
	}
	return p, nil
}
