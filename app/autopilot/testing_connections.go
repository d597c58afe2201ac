package autopilot

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"milaan/app/admission"
	"milaan/app/panics"
	"milaan/domain"
	"milaan/ports"
)

// Test needs no brand and no sources: the shop can be tested first.
func (m *ManagingConnections) Test(
	ctx context.Context, accountID, id string, change ports.ConnectionChange,
) (*ports.ConnectionTest, error) {
	account, err := m.admit(ctx, accountID)
	if err != nil {
		return nil, err
	}
	stored, err := m.findStored(ctx, accountID, id)
	if err != nil {
		return nil, err
	}
	hosts := []string{m.in.Shops.Host(change.Shop)}
	for _, source := range change.Sources {
		hosts = append(hosts, m.in.Sources.Host(domain.ReportSource{Connector: source.Connector, Settings: source.Settings}))
	}
	place, err := acquireTest(ctx, m.tests, accountID, hosts)
	if err != nil {
		return nil, err
	}
	defer place.leave()
	wanted, faults := m.apply(place, stored, change)
	if ctx.Err() == nil && place.Err() != nil {
		return nil, domain.ErrTests
	}
	faults = slices.DeleteFunc(faults, func(f domain.Fault) bool {
		return f.Field == domain.FieldBrand && f.Rule == domain.RuleMissing || f.Field == domain.FieldSources && f.Rule == domain.RuleTooFew ||
			f.Rule == domain.RuleTested
	})
	if err := faults.Sorted().Err(); err != nil {
		return nil, err
	}
	if err := admission.Count(ctx, m.in.Windows, admission.Tests.Of(accountID), domain.TestRate, m.in.Clock); err != nil {
		return nil, err
	}
	wanted.AccountID = accountID
	return m.test(ctx, place, account, &wanted)
}

// test tests all parts of a connection at the same time, as far as testedAtOnce allows, but for
// sources of the same host.
func (m *ManagingConnections) test(
	ctx context.Context, limited *testPlace, account domain.Account, c *domain.Connection,
) (*ports.ConnectionTest, error) {
	found := &ports.ConnectionTest{Shop: ports.PartTest{Connector: c.Shop.Connector}, Sources: make([]ports.PartTest, len(c.Sources))}
	var g errgroup.Group
	g.SetLimit(1 + testedAtOnce)
	g.Go(func() (err error) {
		defer panics.RecoverInto(&err)
		found.Shop.Failure, err = splitFailure(ctx, limited, c.Shop.Connector, 0, m.in.Shops.Test(limited, c.Shop, c.WindowDays))
		return err
	})
	since := c.WindowStart(m.in.Clock()).Start()
	hostByHost(&g, m.in.Sources, c.Sources, func(i int) (err error) {
		source, part := c.Sources[i], &found.Sources[i]
		part.Connector = source.Connector
		access := ports.SourceAccess{AccountID: account.ID, ConnectionID: c.ID, Source: source, Testing: true}
		part.Failure, err = splitFailure(ctx, limited, source.Connector, i+1, m.testSource(limited, account, access, since, part))
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return found, nil
}

// splitFailure returns the failure of a part if an error is about the part, and else the error.
// limited ends with the time of the test, or when another account needs its place.
func splitFailure(
	ctx context.Context, limited *testPlace, connector domain.Connector, source int, err error,
) (*domain.ConnectorError, error) {
	e, ok := errors.AsType[*domain.ConnectorError](err)
	switch {
	case ok:
		failure := *e
		failure.Connector = cmp.Or(failure.Connector, connector)
		failure.Source = source
		return &failure, nil
	case err != nil && ctx.Err() == nil && limited.Err() != nil:
		return &domain.ConnectorError{Rule: domain.ConnSlow, Connector: connector, Source: source, Wait: limited.took()}, nil
	}
	return nil, err
}

// testSource opens and lists a source and reads its latest files.
func (m *ManagingConnections) testSource(
	ctx context.Context, account domain.Account, access ports.SourceAccess, since time.Time, part *ports.PartTest,
) error {
	open, err := m.in.Sources.Open(ctx, access)
	if err != nil {
		return err
	}
	defer func() { _ = open.Close() }()
	part.Folders = open.Folders()
	files, err := open.List(ctx, since)
	if err != nil {
		return err
	}
	// None may have come yet, or none has been uploaded.
	part.Matching, part.LeftOut = len(files), open.LeftOut()
	if len(files) == 0 && len(part.LeftOut) > 0 {
		return &domain.ConnectorError{Rule: domain.ConnLeftOut}
	}
	if len(files) > domain.MaxPassFiles {
		return &domain.ConnectorError{Rule: domain.ConnManyFiles, Limit: domain.MaxPassFiles}
	}
	slices.SortStableFunc(files, func(a, b ports.SourceFile) int { return oldestFirst(b, a) })
	replaced := replacedAmong(files)
	for i, file := range files[:min(len(files), domain.MaxTestedFiles)] {
		if replaced[i] {
			part.Files = append(part.Files, ports.TestedFile{Name: file.Name, LeftOut: domain.ConnOlder})
			continue
		}
		read, err := m.testFile(ctx, account, access.Source, open, file)
		if err != nil {
			return err
		}
		part.Files = append(part.Files, read)
	}
	return nil
}

// testFile reads a file as a pass would. What is wrong with the file itself is in the result.
func (m *ManagingConnections) testFile(
	ctx context.Context, account domain.Account, source domain.ReportSource, open ports.OpenSource, file ports.SourceFile,
) (ports.TestedFile, error) {
	found := ports.TestedFile{Name: file.Name}
	content, err := open.Read(ctx, file, domain.MaxKeptFile)
	if e, ok := errors.AsType[*domain.ConnectorError](err); ok && (aboutFile(e.Rule) || e.Rule.IsLeftOut()) {
		if found.LeftOut = e.Rule; !e.Rule.IsLeftOut() {
			found.LeftOut, found.Failure = "", e
		}
		return found, nil
	}
	if err != nil {
		return found, err
	}
	columns := slices.Collect(maps.Values(source.Columns))
	if found.LeftOut = exportRules[m.in.Reconciling.ExportIn(content, columns)]; found.LeftOut != "" {
		return found, nil
	}
	read, err := m.in.Reconciling.ReadWithoutOrders(ctx, account, source, content)
	if _, ok := errors.AsType[*domain.FileError](err); err != nil && !ok {
		return found, err
	}
	found.Courier, found.Rows, found.Through, found.Failure = read.Courier, read.Rows, read.Through, err
	return found, nil
}

// aboutFile says whether an error of a source is about one file, so that others can be read.
func aboutFile(rule domain.ConnectorRule) bool {
	switch rule {
	case domain.ConnGone, domain.ConnGrowing, domain.ConnManyBytes, domain.ConnArchive:
		return true
	}
	return false
}
