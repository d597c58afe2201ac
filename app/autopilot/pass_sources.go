package autopilot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"milaan/app/panics"
	"milaan/domain"
	"milaan/ports"
)

// How long one step of a pass may take, whatever the connector allows itself.
const (
	listLimit   = 22 * time.Minute // a source, to be opened and listed
	readLimit   = 15 * time.Minute // a source, to be opened, listed and read
	ordersLimit = 40 * time.Minute
)

type passSource struct {
	domain.ReportSource
	position int                // from 1
	files    []ports.SourceFile // that are not ignored
	left     []domain.LeftOutMail
	seen     map[string]domain.SeenFile    // by name: the files that were decided about
	moved    []domain.IgnoredFile          // ignored files that are not listed as they were
	older    map[string][]ports.SourceFile // by series: the files that a later one replaces, the latest last
	// former is until when settings of an earlier version are used; zero: they are of this one.
	former time.Time
}

func (s *passSource) failure(e domain.ConnectorError) *domain.ConnectorError {
	e.Connector = cmp.Or(e.Connector, s.Connector)
	e.Source, e.File = s.position, domain.Shortened(e.File)
	return &e
}

// explain names the source in its errors, and says so if it took too long.
func (s *passSource) explain(ctx, limited context.Context, limit time.Duration, err error) error {
	if e, ok := errors.AsType[*domain.ConnectorError](err); ok {
		return s.failure(*e)
	}
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return s.failure(domain.ConnectorError{Rule: domain.ConnSlow, Wait: limit, Cause: err})
	}
	return err
}

// listSources lists the files of the sources of the connection. Sources of one host come one
// after the other, and others at the same time. The first error ends it. Memory is reserved for files
// that come with the lists.
func (t *attempt) listSources(ctx context.Context, since time.Time) error {
	for i, source := range t.Connection.Sources {
		s := &passSource{ReportSource: source, position: i + 1}
		if since, former := t.State.Former[source.ID]; former {
			s.former = since.Add(domain.FormerSpan)
		}
		t.sources = append(t.sources, s)
	}
	g, listing := errgroup.WithContext(ctx)
	hostByHost(g, t.in.Sources, t.Connection.Sources, func(i int) error {
		s := t.sources[i]
		return t.open(listing, s, listLimit, func(ctx context.Context, open ports.OpenSource) (err error) {
			s.files, err = open.List(ctx, since)
			s.left = open.LeftOut()
			return err
		})
	})
	if err := g.Wait(); err != nil {
		return err
	}
	for _, s := range t.sources {
		for _, file := range s.files {
			t.listed += int64(len(file.Content))
		}
	}
	return t.reserve(ctx, 0)
}

// hostByHost has a group do something with the sources at all positions: with those of one host one after the other, up to the
// first error, and with others at the same time.
func hostByHost(g *errgroup.Group, of ports.ReportSources, sources []domain.ReportSource, do func(i int) error) {
	byHost := map[string][]int{}
	for i, source := range sources {
		host := cmp.Or(of.Host(source), strconv.Itoa(i)) // no host has a number for its name
		byHost[host] = append(byHost[host], i)
	}
	for _, ofHost := range byHost {
		g.Go(func() (err error) {
			defer panics.RecoverInto(&err)
			for _, i := range ofHost {
				if err := do(i); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// open opens a source, and does something with it until it closes it, all within a limit.
func (t *attempt) open(ctx context.Context, s *passSource, limit time.Duration, do func(context.Context, ports.OpenSource) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	access := ports.SourceAccess{AccountID: t.Account.ID, ConnectionID: t.Connection.ID, Source: s.ReportSource,
		Former: t.in.Clock().Before(s.former)}
	open, err := t.in.Sources.Open(limited, access)
	if err == nil {
		defer func() { _ = open.Close() }() // what was read of it has been read
		err = do(limited, open)
	}
	return s.explain(ctx, limited, limit, err)
}

// noteFormer notes since when sources have settings of an earlier version.
func (t *attempt) noteFormer() {
	noted := map[string]time.Time{}
	for _, source := range t.Connection.Sources {
		if !t.in.Sources.Former(source) {
			continue
		}
		noted[source.ID] = t.Pass.StartedAt
		if since, known := t.State.Former[source.ID]; known {
			noted[source.ID] = since
		}
	}
	if t.State.Former = noted; len(noted) == 0 {
		t.State.Former = nil
	}
}

// withLeftOut returns results with what this pass has found of the senders of mails, who are not
// stored, and with those of its files that it has left out.
func (t *attempt) withLeftOut(files []domain.SeenFile, results []domain.SourceResult) []domain.SourceResult {
	results = slices.Clone(results)
	for i := range results {
		r := &results[i]
		r.LeftOut, r.RefusedFrom, r.Skipped = nil, domain.NoDay, skippedOf(r.SourceID, files)
		for _, s := range t.sources {
			if s.ID != r.SourceID {
				continue
			}
			if !s.former.IsZero() {
				r.RefusedFrom = domain.DayOf(s.former)
			}
			for _, mail := range s.left {
				mail.From = ""
				r.LeftOut = append(r.LeftOut, mail)
			}
		}
	}
	return results
}

// checkFiles checks how many files there are and how large they are, as far as the lists say.
func (t *attempt) checkFiles() error {
	files, bytes := 0, int64(0)
	for _, s := range t.sources {
		ofSource := int64(0)
		for _, file := range s.files {
			ofSource += max(file.Bytes, 0)
		}
		if len(s.files) > domain.MaxPassFiles {
			return s.failure(domain.ConnectorError{Rule: domain.ConnManyFiles, Limit: domain.MaxPassFiles})
		}
		if ofSource > domain.MaxPassBytes {
			return s.failure(domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: domain.MaxPassBytes})
		}
		files, bytes = files+len(s.files), bytes+ofSource
	}
	switch {
	case files > domain.MaxPassFiles:
		return &domain.ConnectorError{Rule: domain.ConnManyFiles, Limit: domain.MaxPassFiles}
	case bytes > domain.MaxPassBytes:
		return &domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: domain.MaxPassBytes}
	}
	return nil
}

type passReport struct {
	*passSource
	file    ports.SourceFile
	content []byte
	sum     [sha256.Size]byte
}

func (r passReport) failure(e domain.ConnectorError) *domain.ConnectorError {
	e.File = r.file.Name
	return r.passSource.failure(e)
}

// readSources reads all files, one after the other, so that no more than domain.MaxPassBytes
// are in memory, whatever a server sends. The memory for a file is reserved before it is read.
// Sources were closed while orders were fetched, which may take long: they are listed again,
// and must have what they had, unless their files came with the list.
func (t *attempt) readSources(ctx context.Context, since time.Time) (reports []passReport, err error) {
	left := int64(domain.MaxPassBytes)
	for _, s := range t.sources {
		readAll := func(ctx context.Context, open ports.OpenSource, listed []ports.SourceFile) error {
			for i := 0; i < len(s.files); i++ {
				file := s.files[i]
				var sum [sha256.Size]byte
				var leftOut domain.ConnectorRule
				content, err := t.readFile(ctx, open, file, left)
				if e, ok := errors.AsType[*domain.ConnectorError](err); ok && e.Rule.IsLeftOut() {
					leftOut = e.Rule
				} else if err != nil {
					return err
				} else if sum = sha256.Sum256(content); s.isMoved(file, sum) {
					leftOut = domain.ConnIgnored
				}
				if leftOut != "" {
					s.note(file, sum, leftOut)
					if err := s.takeOlder(file, listed); err != nil {
						return err
					}
					continue
				}
				reports = append(reports, passReport{s, file, content, sum})
				left -= int64(len(content))
			}
			return nil
		}
		if !slices.ContainsFunc(s.files, func(f ports.SourceFile) bool { return f.Content == nil }) {
			if err := s.explain(ctx, ctx, 0, readAll(ctx, nil, nil)); err != nil {
				return nil, err
			}
			continue
		}
		err := t.open(ctx, s, readLimit, func(ctx context.Context, open ports.OpenSource) error {
			listed, err := open.List(ctx, since)
			if err != nil {
				return err
			}
			if s.files, err = s.findAgain(s.files, listed); err != nil {
				return err
			}
			return readAll(ctx, open, listed)
		})
		if err != nil {
			return nil, err
		}
	}
	return reports, nil
}

// readFile reads a file, which may have as many bytes as are left of domain.MaxPassBytes.
func (t *attempt) readFile(ctx context.Context, open ports.OpenSource, file ports.SourceFile, left int64) ([]byte, error) {
	most := left
	if file.Most > 0 {
		most = min(left, file.Most)
	}
	if err := t.reserve(ctx, domain.MaxPassBytes-left+most); err != nil {
		return nil, err
	}
	if file.Content != nil {
		if int64(len(file.Content)) > left {
			return nil, &domain.ConnectorError{Rule: domain.ConnManyBytes, File: file.Name, Limit: domain.MaxPassBytes}
		}
		return slices.Clone(file.Content), nil // reading a report may alter it
	}
	content, err := open.Read(ctx, file, most)
	if e, ok := errors.AsType[*domain.ConnectorError](err); ok && e.Rule == domain.ConnManyBytes {
		longer := *e
		longer.Limit = domain.MaxPassBytes
		return nil, &longer
	}
	return content, err
}

// findAgain returns the files of a new list that were in the one before, in the order of that
// one.
func (s *passSource) findAgain(before, listed []ports.SourceFile) ([]ports.SourceFile, error) {
	files := make([]ports.SourceFile, 0, len(before))
	for _, file := range before {
		i := slices.IndexFunc(listed, func(f ports.SourceFile) bool { return f.Name == file.Name })
		switch {
		case i < 0:
			return nil, s.failure(domain.ConnectorError{Rule: domain.ConnGone, File: file.Name})
		case listed[i].Version != file.Version:
			return nil, s.failure(domain.ConnectorError{Rule: domain.ConnGrowing, File: file.Name})
		}
		files = append(files, listed[i])
	}
	return files, nil
}
