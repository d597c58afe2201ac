// Package connecting holds the acceptance suite of what the autopilot connects to. Every kind
// of report source runs the same cases against a real server on this machine.
package connecting

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/fakes/network"
	"milaan/tests/only"
)

// Kind is one kind of report source.
type Kind struct {
	// Start makes a place without files.
	Start func(t testing.TB) *Place
	// Without names cases that the kind cannot have.
	Without []string
	// Only names the cases that are run; nil: all of them.
	Only []string
}

// Place is a report source, with the server or folder behind it.
type Place struct {
	Source domain.ReportSource
	// Params are what the registry needs besides guards and limits, such as the operator's
	// folder.
	Params    sources.Params
	AccountID string
	// ConnectionID is whose files they are, if they are kept.
	ConnectionID string

	// Put stores a file, or replaces it.
	Put func(name string, content []byte, modified time.Time)
	// Remove deletes a file.
	Remove func(name string)
	// Listed returns under which name a file is listed; nil: its own. Its content stays.
	Listed func(name string) string
	// Back is how far back its files are; 0: an hour.
	Back time.Duration
	// Inline says that the content of files comes with the list.
	Inline bool
	// Settled says that files do not grow.
	Settled bool
	// Network is the server's; nil: there is none.
	Network *network.Unruly
	// Wrong are settings that the server refuses, by what is wrong with them.
	Wrong map[string]domain.Settings
	// Together says that the server does not tell which of its credentials it refuses, so
	// that an error names none.
	Together bool
	// Missing are settings with a folder, mailbox or bucket that is not there; nil: there is
	// no such setting.
	Missing domain.Settings
	// At returns settings with another host, which is as it stands in a URL; nil: it has none.
	At func(host string) domain.Settings
	// HostSetting is the name of the setting with the host.
	HostSetting string
}

// With returns settings with some of them changed. A blank value removes one.
func With(settings map[string]string, changes ...string) domain.Settings {
	changed := domain.Settings{}
	maps.Copy(changed, settings)
	for i := 0; i+1 < len(changes); i += 2 {
		if changed[changes[i]] = changes[i+1]; changes[i+1] == "" {
			delete(changed, changes[i])
		}
	}
	return changed
}

// now is when the files of the suite were modified: SFTP has whole seconds, mailboxes have
// days.
var now = time.Now().Truncate(time.Second)

// longAgo is before all files of the suite.
var longAgo = now.AddDate(0, 0, -10)

// cases are those of a suite, each with what it holds.
type cases[F any] map[string]F

func (c cases[F]) add(name string, run F) struct{} {
	if _, taken := c[name]; taken {
		panic("two cases are called " + name)
	}
	c[name] = run
	return struct{}{}
}

var sourceCases = cases[func(t *testing.T, w *world)]{}

// Sources runs every case against one kind, beside each other.
func Sources(t *testing.T, kind Kind) {
	for _, name := range slices.Concat(kind.Without, kind.Only) {
		require.Contains(t, sourceCases, name)
	}
	for name, run := range sourceCases {
		if slices.Contains(kind.Without, name) || kind.Only != nil && !slices.Contains(kind.Only, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, &world{T: t, Place: kind.Start(t)})
		})
	}
}

// world is a place with what stands between it and the registry.
type world struct {
	*testing.T
	*Place
	limits   sources.Limits
	public   bool // addresses of this machine are not allowed
	resolver peers.Resolver
	dial     peers.Dial
}

func (w *world) registry() *sources.Registry {
	p := w.Params
	p.Settings.AllowLoopback, p.Settings.Limits = !w.public, w.limits
	p.Settings.Limits.Pause = cmp.Or(p.Settings.Limits.Pause, time.Millisecond)
	p.Guards = outbound.New(outbound.Settings{Resolver: w.resolver, Dial: w.dial})
	return sources.New(p)
}

// open opens the source, and makes sure that the error repeats no setting.
func (w *world) open(ctx context.Context) (ports.OpenSource, error) {
	opened, err := w.registry().Open(ctx, ports.SourceAccess{AccountID: w.AccountID, ConnectionID: w.ConnectionID, Source: w.Source})
	w.hushed(err)
	return opened, err
}

func (w *world) mustOpen() ports.OpenSource {
	w.Helper()
	opened := only.Value(w.open(w.Context()))(w)
	w.Cleanup(func() { require.NoError(w, opened.Close()) })
	return opened
}

func (w *world) mustList(from ports.OpenSource, since time.Time) []ports.SourceFile {
	w.Helper()
	return only.Value(from.List(w.Context(), since))(w)
}

// hushed makes sure that an error repeats nothing of the settings, and of no file.
func (w *world) hushed(err error) {
	w.Helper()
	if err == nil {
		return
	}
	for name, value := range w.Source.Settings {
		if len(value) > 3 {
			require.NotContains(w, err.Error(), value, name)
		}
	}
	require.NotContains(w, err.Error(), ".csv")
}

// fails makes sure that an error is of a connector with one of some rules.
func (w *world) fails(err error, rules ...domain.ConnectorRule) domain.ConnectorError {
	w.Helper()
	w.hushed(err)
	e, ok := errors.AsType[*domain.ConnectorError](err)
	require.True(w, ok, "%v", err)
	require.Contains(w, rules, e.Rule, "%v", err)
	require.Equal(w, w.Source.Connector, e.Connector)
	require.Zero(w, e.Source)
	return *e
}

// recent is a time since when its files that were put now are listed.
func (w *world) recent() time.Time { return now.Add(-max(time.Hour, w.Back)) }

func (w *world) listed(name string) string {
	if w.Listed == nil {
		return name
	}
	return w.Listed(name)
}

func names(files []ports.SourceFile) (all []string) {
	for _, f := range files {
		all = append(all, f.Name)
	}
	return all
}
