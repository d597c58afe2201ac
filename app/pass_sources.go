package app

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"milaan/domain"
	"milaan/ports"
)

// How long one step of a pass may take, whatever the connector allows itself.
const (
	listLimit   = 10 * time.Minute // a source, to be opened and listed
	readLimit   = 10 * time.Minute // a source, to be read
	ordersLimit = 40 * time.Minute
)

// passSource is a report source in a pass.
type passSource struct {
	domain.ReportSource
	position int // from 1
	files    []ports.SourceFile
	// alone says that no other source of the connection is on the same host. Only then it
	// stays open between its list and its files: a pass has one connection to a host.
	alone bool
	open  ports.OpenSource // nil: it is closed
}

// failure names the source in an error.
func (s *passSource) failure(e domain.ConnectorError) *domain.ConnectorError {
	if e.Connector == "" {
		e.Connector = s.Connector
	}
	e.Source, e.File = s.position, domain.Shortened(e.File)
	return &e
}

// explain names the source in its errors, and says so if it took too long.
func (s *passSource) explain(ctx, limited context.Context, limit time.Duration, err error) error {
	if e, ok := errors.AsType[*domain.ConnectorError](err); ok {
		return s.failure(*e)
	}
	if ctx.Err() == nil && limited.Err() != nil {
		return s.failure(domain.ConnectorError{Rule: domain.ConnSlow, Wait: limit, Cause: err})
	}
	return err
}

func (s *passSource) close() {
	if s.open != nil {
		_ = s.open.Close() // what was read of it has been read
		s.open = nil
	}
}

// listSources opens the sources of the connection and lists their files. Sources of one host
// come one after the other, and others at the same time. The first error ends it.
func (t *attempt) listSources(ctx context.Context, since time.Time) error {
	byHost := map[string][]*passSource{}
	for i, source := range t.Connection.Sources {
		s := &passSource{ReportSource: source, position: i + 1}
		t.sources = append(t.sources, s)
		host := t.in.Sources.Host(source)
		if host == "" {
			host = fmt.Sprint(i) // no host has such a name
		}
		byHost[host] = append(byHost[host], s)
	}
	g, listing := errgroup.WithContext(ctx)
	for _, ofHost := range byHost {
		g.Go(func() (err error) {
			defer recovered(&err)
			for _, s := range ofHost {
				s.alone = len(ofHost) == 1
				if err := t.list(ctx, listing, s, since); err != nil {
					return err
				}
				if !s.alone {
					s.close()
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// recovered makes a panic an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// list opens a source, whose connection lives as long as living, and lists its files.
func (t *attempt) list(living, ctx context.Context, s *passSource, since time.Time) (err error) {
	limited, cancel := context.WithTimeout(ctx, listLimit)
	defer cancel()
	if s.open == nil {
		if s.open, err = t.openWithin(living, limited, s); err != nil {
			return s.explain(ctx, limited, listLimit, err)
		}
	}
	if s.files, err = s.open.List(limited, since); err != nil {
		return s.explain(ctx, limited, listLimit, err)
	}
	return nil
}

// openWithin opens a source within the time of limited; the connection lives as long as ctx.
func (t *attempt) openWithin(ctx, limited context.Context, s *passSource) (ports.OpenSource, error) {
	living, end := context.WithCancelCause(ctx)
	stop := context.AfterFunc(limited, func() { end(context.Cause(limited)) })
	open, err := t.in.Sources.Open(living, ports.SourceAccess{AccountID: t.Account.ID, ConnectionID: t.Connection.ID, Source: s.ReportSource})
	if err != nil || !stop() {
		end(nil)
		if err == nil {
			_ = open.Close()
			err = context.Cause(living)
		}
		return nil, err
	}
	return &ended{OpenSource: open, end: sync.OnceFunc(func() { end(nil) })}, nil
}

// ended ends the context of a source when it is closed.
type ended struct {
	ports.OpenSource
	end func()
}

// Close fills ports.OpenSource.
func (e *ended) Close() error {
	defer e.end()
	return e.OpenSource.Close()
}

// closeSources closes what is open.
func (t *attempt) closeSources() {
	for _, s := range t.sources {
		s.close()
	}
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

// passReport is a report of a pass: its file and the source of it.
type passReport struct {
	*passSource
	file ports.SourceFile
}

// failure names the report in an error.
func (r passReport) failure(e domain.ConnectorError) *domain.ConnectorError {
	e.File = r.file.Name
	return r.passSource.failure(e)
}

// readSources reads all files, one after the other, so that no more than domain.MaxPassBytes
// are in memory, whatever a server sends. The memory for a file is reserved before it is read. A source that was closed is listed again, and must
// have what it had.
func (t *attempt) readSources(ctx context.Context, since time.Time) (reports []passReport, contents [][]byte, err error) {
	left := int64(domain.MaxPassBytes)
	for _, s := range t.sources {
		if s.open == nil && len(s.files) > 0 {
			before := s.files
			if err := t.list(ctx, ctx, s, since); err != nil {
				return nil, nil, err
			}
			if s.files, err = s.again(before); err != nil {
				return nil, nil, err
			}
		}
		limited, cancel := context.WithTimeout(ctx, readLimit)
		for _, file := range s.files {
			most := left
			if file.Most > 0 {
				most = min(left, file.Most)
			}
			if err := t.reserve(domain.MaxPassBytes - left + most); err != nil {
				cancel()
				return nil, nil, err
			}
			content, err := s.open.Read(limited, file, most)
			if err != nil {
				err = s.explain(ctx, limited, readLimit, err)
				cancel()
				if e, ok := errors.AsType[*domain.ConnectorError](err); ok && e.Rule == domain.ConnManyBytes {
					e.Limit = domain.MaxPassBytes
				}
				return nil, nil, err
			}
			reports, contents = append(reports, passReport{s, file}), append(contents, content)
			left -= int64(len(content))
		}
		cancel()
		s.close()
	}
	return reports, contents, nil
}

// again returns the files of a new list that were in the one before, in the order of that one.
func (s *passSource) again(before []ports.SourceFile) ([]ports.SourceFile, error) {
	files := make([]ports.SourceFile, 0, len(before))
	for _, file := range before {
		i := slices.IndexFunc(s.files, func(f ports.SourceFile) bool { return f.Name == file.Name })
		switch {
		case i < 0:
			return nil, s.failure(domain.ConnectorError{Rule: domain.ConnGone, File: file.Name})
		case s.files[i].Version != file.Version:
			return nil, s.failure(domain.ConnectorError{Rule: domain.ConnGrowing, File: file.Name})
		}
		files = append(files, s.files[i])
	}
	return files, nil
}
