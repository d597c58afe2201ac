// Package connecting holds the acceptance suite of what the autopilot connects to. Every kind
// of report source runs the same cases against a real server on this machine.
package connecting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
	"milaan/tests/fakes/network"
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
	for name, value := range settings {
		changed[name] = value
	}
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

// Sources runs every case against one kind.
func Sources(t *testing.T, kind Kind) {
	cases := []struct {
		name string
		run  func(t *testing.T, w *world)
	}{
		{"the bytes are those of the disk", sameBytes},
		{"the verdicts are those of the disk", sameVerdicts},
		{"a pattern chooses files, letter case aside", patterns},
		{"old files are left out", oldFiles},
		{"a version changes with the content alone", versions},
		{"stopped anywhere, it begins anew", stoppedAnywhere},
		{"the connection ends with the context that it was opened with", endOfContext},
		{"each required setting is missed", requiredSettings},
		{"unknown and long settings are refused", oddSettings},
		{"a refused login is no empty source", refusedLogins},
		{"a missing folder is no empty source", missingFolder},
		{"a server that says nothing is not waited for", silence},
		{"a server that dribbles is not waited for", dribbling},
		{"a server that hangs up leaves nothing in part", hangingUp},
		{"a server that is not there is unreachable", unreachable},
		{"a long file is refused", longFile},
		{"a long list is refused", longList},
		{"a file that vanishes is gone", vanishing},
		{"a file that changes after the list is not read", changing},
		{"forbidden hosts are neither saved nor dialled", forbiddenHosts},
		{"a name that changes gets nowhere", rebinding},
	}
	for _, name := range slices.Concat(kind.Without, kind.Only) {
		require.True(t, slices.ContainsFunc(cases, func(c struct {
			name string
			run  func(t *testing.T, w *world)
		}) bool {
			return c.name == name
		}), "there is no case %q", name)
	}
	for _, c := range cases {
		if slices.Contains(kind.Without, c.name) || kind.Only != nil && !slices.Contains(kind.Only, c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			c.run(t, &world{T: t, Place: kind.Start(t)})
		})
	}
}

// world is a place with what stands between it and the registry.
type world struct {
	*testing.T
	*Place
	limits   sources.Limits
	public   bool // addresses of this machine are not allowed
	resolver glue.Resolver
	dial     glue.Dial
}

func (w *world) registry() *sources.Registry {
	p := w.Params
	p.Settings.AllowLoopback, p.Settings.Limits = !w.public, w.limits
	if p.Settings.Limits.Pause == 0 {
		p.Settings.Limits.Pause = time.Millisecond
	}
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
	opened, err := w.open(w.Context())
	require.NoError(w, err)
	w.Cleanup(func() { require.NoError(w, opened.Close()) })
	return opened
}

func (w *world) mustList(from ports.OpenSource, since time.Time) []ports.SourceFile {
	w.Helper()
	files, err := from.List(w.Context(), since)
	require.NoError(w, err)
	return files
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

// limit is more than any file of the suite has.
const limit = 1 << 20

func sameBytes(t *testing.T, w *world) {
	large := make([]byte, 300_000)
	noise := rand.NewChaCha8([32]byte{})
	_, _ = noise.Read(large)
	disk := map[string][]byte{
		"delhivery.csv":       []byte("waybill,amount\n1,2\n"),
		"a report (1) ₹.csv":  []byte("waybill,amount\n"),
		"workbook.XLSX":       large,
		"2026-11-20 #7%&.csv": {0xff, 0xfe, 0, '\r', '\n'},
	}
	expected := map[string][]byte{}
	for name, content := range disk {
		w.Put(name, content, now)
		expected[w.listed(name)] = content
	}
	opened := w.mustOpen()
	files := w.mustList(opened, now.Add(-time.Hour))
	require.Len(t, files, len(disk))
	require.True(t, slices.IsSorted(names(files)))
	// In any order, and more than once.
	slices.Reverse(files)
	for _, f := range slices.Concat(files, files[:1]) {
		content, err := opened.Read(t.Context(), f, limit)
		require.NoError(t, err, f.Name)
		require.True(t, bytes.Equal(expected[f.Name], content), f.Name)
		require.Contains(t, []int64{0, int64(len(content))}, f.Bytes)
		require.Equal(t, w.Settled, f.Settled)
		require.NotEmpty(t, f.Version)
		require.WithinDuration(t, now, f.Modified, 24*time.Hour)
	}
}

func patterns(t *testing.T, w *world) {
	for _, name := range []string{"COD_1.CSV", "cod_2.csv", "invoice.csv", "cod.xls", ".cod_3.csv"} {
		w.Put(name, []byte("x"), now)
	}
	for pattern, expected := range map[string][]string{
		"":             {"COD_1.CSV", "cod.xls", "cod_2.csv", "invoice.csv"},
		"Cod_*.csv":    {"COD_1.CSV", "cod_2.csv"},
		"cod_[0-1].*":  {"COD_1.CSV"},
		".cod*":        {".cod_3.csv"},
		"nothing*.csv": nil,
	} {
		for i, name := range expected {
			expected[i] = w.listed(name)
		}
		slices.Sort(expected)
		w.Source.Pattern = pattern
		require.Empty(t, w.registry().Check(t.Context(), w.Source))
		opened := w.mustOpen()
		require.Equal(t, expected, names(w.mustList(opened, now.Add(-time.Hour))), pattern)
	}
	for _, pattern := range []string{"[", "a\\", strings.Repeat("a", 501), "a\n", "\xff"} {
		w.Source.Pattern = pattern
		require.Equal(t, domain.Faults{{Field: domain.FieldPattern, Rule: domain.RulePattern}}, w.registry().Check(t.Context(), w.Source), pattern)
	}
}

func oldFiles(t *testing.T, w *world) {
	w.Put("old.csv", []byte("x"), now.Add(-72*time.Hour))
	w.Put("new.csv", []byte("x"), now)
	opened := w.mustOpen()
	require.Equal(t, []string{w.listed("new.csv")}, names(w.mustList(opened, now.Add(-24*time.Hour))))
	require.Len(t, w.mustList(opened, now.Add(-100*time.Hour)), 2)
	require.Empty(t, w.mustList(opened, now.Add(72*time.Hour)))
}

func versions(t *testing.T, w *world) {
	w.Put("a.csv", []byte("one"), now.Add(-time.Minute))
	w.Put("b.csv", []byte("one"), now.Add(-time.Minute))
	look := func() (versions []string) {
		for _, f := range w.mustList(w.mustOpen(), w.recent()) {
			versions = append(versions, f.Version)
		}
		require.Len(t, versions, 2)
		return versions
	}
	first := look()
	require.Equal(t, first, look())
	w.Put("b.csv", []byte("two"), now)
	second := look()
	require.Equal(t, first[0], second[0])
	require.NotEqual(t, first[1], second[1])
	require.Equal(t, second, look())
}

// all opens the source and reads everything.
func (w *world) all(ctx context.Context) (map[string][]byte, error) {
	opened, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { require.NoError(w, opened.Close()) }()
	files, err := opened.List(ctx, w.recent())
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	for _, f := range files {
		if contents[f.Name], err = opened.Read(ctx, f, limit); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

func stoppedAnywhere(t *testing.T, w *world) {
	w.Put("a.csv", bytes.Repeat([]byte("a"), 70_000), now)
	w.Put("b.csv", []byte("b"), now)
	stops := &stops{}
	w.dial = stops.dial
	whole, err := w.all(t.Context())
	require.NoError(t, err)
	require.Len(t, whole, 2)
	steps := int(stops.count.Load())
	if w.Network == nil {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := w.all(ctx)
		require.ErrorIs(t, err, context.Canceled)
		return
	}
	require.Greater(t, steps, 4, "reads and writes of the network")
	step := 1
	if os.Getenv("MILAAN_SOAK") == "" {
		step = max(1, steps/12)
	}
	stopped := 0
	for at := 1; at <= steps; at += step {
		ctx, cancel := context.WithCancel(t.Context())
		stops.at(int64(at), cancel)
		contents, err := w.all(ctx)
		cancel()
		if err == nil {
			require.Equal(t, whole, contents)
			continue
		}
		stopped++
		require.ErrorIs(t, err, context.Canceled)
		_, isOurs := errors.AsType[*domain.ConnectorError](err)
		require.False(t, isOurs, "an end that was asked for is no failure of the source")
	}
	require.Positive(t, stopped)
	stops.at(0, nil)
	contents, err := w.all(t.Context())
	require.NoError(t, err)
	require.Equal(t, whole, contents)
}

// stops counts what is read from the network and written to it, and calls a function at one of
// these.
type stops struct {
	count  atomic.Int64
	when   atomic.Int64
	cancel atomic.Pointer[context.CancelFunc]
}

func (s *stops) at(n int64, cancel context.CancelFunc) {
	s.count.Store(0)
	s.cancel.Store(&cancel)
	s.when.Store(n)
}

func (s *stops) tick() {
	if s.count.Add(1) == s.when.Load() {
		(*s.cancel.Load())()
	}
}

func (s *stops) dial(ctx context.Context, network, address string) (net.Conn, error) {
	s.tick()
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	return &stoppedConn{c, s}, err
}

type stoppedConn struct {
	net.Conn
	stops *stops
}

func (c *stoppedConn) Read(p []byte) (int, error) {
	c.stops.tick()
	return c.Conn.Read(p)
}

func (c *stoppedConn) Write(p []byte) (int, error) {
	c.stops.tick()
	return c.Conn.Write(p)
}

func endOfContext(t *testing.T, w *world) {
	w.Put("a.csv", []byte("a"), now)
	ctx, cancel := context.WithCancel(t.Context())
	opened, err := w.open(ctx)
	require.NoError(t, err)
	files, err := opened.List(ctx, longAgo)
	require.NoError(t, err)
	cancel()
	_, err = opened.List(ctx, longAgo)
	require.ErrorIs(t, err, context.Canceled)
	_, err = opened.Read(ctx, files[0], limit)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, opened.Close())
}

// info returns the kind's entry of the catalogue.
func (w *world) info() ports.ConnectorInfo {
	all := w.registry().Catalogue()
	i := slices.IndexFunc(all, func(c ports.ConnectorInfo) bool { return c.ID == w.Source.Connector })
	require.GreaterOrEqual(w, i, 0)
	return all[i]
}

func requiredSettings(t *testing.T, w *world) {
	require.Empty(t, w.registry().Check(t.Context(), w.Source))
	settings := w.Source.Settings
	for _, s := range w.info().Settings {
		require.NotEmpty(t, s.Name)
		if !s.Required {
			continue
		}
		for _, blank := range []string{"", "  "} {
			if blank != "" && s.Exact {
				continue // spaces may be a password
			}
			w.Source.Settings = With(settings, s.Name, blank)
			faults := w.registry().Check(t.Context(), w.Source)
			require.Equal(t, domain.Faults{{Field: domain.FieldSetting, Setting: s.Name, Rule: domain.RuleMissing}}, faults)
			_, err := w.open(t.Context())
			e := w.fails(err, domain.ConnRefused)
			require.Equal(t, s.Name, e.Setting)
			require.True(t, e.NeedsAttention())
		}
	}
}

func oddSettings(t *testing.T, w *world) {
	settings := w.Source.Settings
	w.Source.Settings = With(settings, "colour", "blue")
	faults := w.registry().Check(t.Context(), w.Source)
	require.Len(t, faults, 1)
	require.Equal(t, domain.RuleSetting, faults[0].Rule)
	require.Equal(t, "colour", faults[0].Setting)
	for _, s := range w.info().Settings {
		w.Source.Settings = With(settings, s.Name, strings.Repeat("a", domain.MaxSetting+1))
		faults := w.registry().Check(t.Context(), w.Source)
		require.Len(t, faults, 1, s.Name)
		require.Equal(t, s.Name, faults[0].Setting)
		require.NotEqual(t, domain.RuleMissing, faults[0].Rule)
		_, err := w.open(t.Context())
		w.fails(err, domain.ConnRefused)
		if !s.Lines {
			w.Source.Settings = With(settings, s.Name, "a\nb")
			faults := w.registry().Check(t.Context(), w.Source)
			require.Len(t, faults, 1, s.Name)
			require.Contains(t, []domain.Rule{domain.RuleLine, domain.RuleOneOf}, faults[0].Rule, s.Name)
		}
	}
	w.Source.Connector = "carrier_pigeon"
	faults = w.registry().Check(t.Context(), w.Source)
	require.Len(t, faults, 1)
	require.Equal(t, domain.FieldConnector, faults[0].Field)
	require.Contains(t, faults[0].Options, "sftp")
	_, err := w.open(t.Context())
	w.fails(err, domain.ConnNotAllowed)
}

func refusedLogins(t *testing.T, w *world) {
	w.Put("a.csv", []byte("a"), now)
	for name, settings := range w.Wrong {
		w.Source.Settings = settings
		opened, err := w.open(t.Context())
		require.Nil(t, opened, name)
		e := w.fails(err, domain.ConnRefused)
		require.True(t, e.NeedsAttention())
		require.Equal(t, w.Together, e.Setting == "", name)
	}
}

func missingFolder(t *testing.T, w *world) {
	if w.Missing == nil {
		return
	}
	w.Source.Settings = w.Missing
	_, err := w.all(t.Context())
	e := w.fails(err, domain.ConnNoFolder)
	require.NotEmpty(t, e.Setting)
	require.False(t, e.NeedsAttention(), "it may come back by itself")
}

// stages are the moments at which a server can begin to misbehave.
func (w *world) stages(each func(stage string, misbehave func(network.Manners) error)) {
	opened := func() ports.OpenSource {
		w.Network.Behave(network.Manners{})
		return w.mustOpen()
	}
	each("open", func(m network.Manners) error {
		w.Network.Behave(m)
		_, err := w.open(w.Context())
		return err
	})
	each("list", func(m network.Manners) error {
		o := opened()
		w.Network.Behave(m)
		_, err := o.List(w.Context(), longAgo)
		return err
	})
	if w.Inline {
		return
	}
	each("read", func(m network.Manners) error {
		o := opened()
		files := w.mustList(o, longAgo)
		w.Network.Behave(m)
		_, err := o.Read(w.Context(), files[0], limit)
		return err
	})
}

func silence(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Put("a.csv", bytes.Repeat([]byte("a"), 1000), now)
	w.stages(func(stage string, misbehave func(network.Manners) error) {
		// Only for the stage that misbehaves: the others take their time.
		w.limits = sources.Limits{Idle: time.Second}
		e := w.fails(misbehave(network.Manners{Silent: true}), domain.ConnSlow)
		require.Positive(t, e.Wait, stage)
		require.LessOrEqual(t, e.Wait, 10*w.limits.Idle, "not the defaults: %s", stage)
	})
}

func dribbling(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Put("a.csv", bytes.Repeat([]byte("a"), 100_000), now)
	for i := range 30 {
		w.Put(fmt.Sprintf("more %d.csv", i), []byte("b"), now)
	}
	w.stages(func(stage string, misbehave func(network.Manners) error) {
		w.limits = sources.Limits{Idle: time.Hour}
		short := 300 * time.Millisecond
		switch stage {
		case "open":
			w.limits.Open = short
		case "list":
			w.limits.List = short
		default:
			w.limits.Read = short
		}
		e := w.fails(misbehave(network.Manners{Dribble: 5 * time.Millisecond}), domain.ConnSlow)
		require.Positive(t, e.Wait, stage)
	})
}

func hangingUp(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Put("a.csv", bytes.Repeat([]byte("a"), 50_000), now)
	for _, cut := range []int{1, 100} {
		w.stages(func(stage string, misbehave func(network.Manners) error) {
			err := misbehave(network.Manners{Cut: cut})
			require.Error(t, err, "%s, %d", stage, cut)
			w.fails(err, domain.ConnUnreachable, domain.ConnAnswer)
		})
	}
	w.Network.Behave(network.Manners{})
	_, err := w.all(t.Context())
	require.NoError(t, err)
}

func unreachable(t *testing.T, w *world) {
	if w.Network == nil {
		return
	}
	w.Network.Behave(network.Manners{Unreachable: true})
	_, err := w.open(t.Context())
	w.fails(err, domain.ConnUnreachable)
	require.Greater(t, w.Network.Accepted(), 1, "it is tried again")
	require.NoError(t, w.Network.Close())
	_, err = w.open(t.Context())
	e := w.fails(err, domain.ConnUnreachable)
	require.Equal(t, w.HostSetting, e.Setting)
}

func longFile(t *testing.T, w *world) {
	content := bytes.Repeat([]byte("a"), 100_000)
	w.Put("a.csv", content, now)
	opened := w.mustOpen()
	file := w.mustList(opened, longAgo)[0]
	for _, bytes := range []int64{file.Bytes, 0} { // as if the length were not known
		file.Bytes = bytes
		_, err := opened.Read(t.Context(), file, int64(len(content))-1)
		if bytes == 0 {
			w.fails(err, domain.ConnManyBytes, domain.ConnGrowing)
			continue
		}
		e := w.fails(err, domain.ConnManyBytes)
		require.EqualValues(t, len(content)-1, e.Limit)
		require.Equal(t, w.listed("a.csv"), e.File)
	}
	opened = w.mustOpen()
	got, err := opened.Read(t.Context(), w.mustList(opened, longAgo)[0], int64(len(content)))
	require.NoError(t, err)
	require.Len(t, got, len(content))
}

func longList(t *testing.T, w *world) {
	w.limits.Names = 7
	for i := range 7 {
		w.Put(fmt.Sprintf("%d.csv", i), []byte{'a' + byte(i)}, now)
	}
	require.Len(t, w.mustList(w.mustOpen(), longAgo), 7)
	w.Put("8.csv", []byte("more"), now)
	_, err := w.mustOpen().List(t.Context(), longAgo)
	require.EqualValues(t, 7, w.fails(err, domain.ConnManyFiles).Limit)
}

func vanishing(t *testing.T, w *world) {
	w.Put("a.csv", []byte("a"), now)
	w.Put("b.csv", []byte("b"), now)
	opened := w.mustOpen()
	files := w.mustList(opened, longAgo)
	w.Remove("b.csv")
	_, err := opened.Read(t.Context(), files[1], limit)
	require.Equal(t, w.listed("b.csv"), w.fails(err, domain.ConnGone).File)
	content, err := opened.Read(t.Context(), files[0], limit)
	require.NoError(t, err, "the source is still open")
	require.Equal(t, "a", string(content))
	require.Len(t, w.mustList(opened, longAgo), 1)
}

func changing(t *testing.T, w *world) {
	w.Put("a.csv", []byte("one"), now.Add(-time.Minute))
	opened := w.mustOpen()
	files := w.mustList(opened, longAgo)
	for _, other := range []string{"one and more", "two"} {
		w.Put("a.csv", []byte(other), now)
		_, err := opened.Read(t.Context(), files[0], limit)
		require.Equal(t, w.listed("a.csv"), w.fails(err, domain.ConnGrowing).File)
	}
}

func forbiddenHosts(t *testing.T, w *world) {
	if w.At == nil {
		return
	}
	type answer struct {
		name   string
		w      *world
		faults domain.Faults
		err    error
	}
	var answers []*answer
	var asking sync.WaitGroup
	network.EachForbidden(func(name, host string, resolver *network.Names) {
		w := &world{T: t, Place: new(*w.Place), public: true, resolver: resolver, dial: network.Unused(t)}
		w.Source.Settings = w.At(host)
		a := &answer{name: name, w: w}
		answers = append(answers, a)
		asking.Go(func() { // at the same time, because libraries wait after an error
			a.faults = w.registry().Check(t.Context(), w.Source)
			_, a.err = w.registry().Open(t.Context(), ports.SourceAccess{Source: w.Source})
		})
	})
	asking.Wait()
	for _, a := range answers {
		require.True(t, slices.ContainsFunc(a.faults, func(f domain.Fault) bool {
			return f.Field == domain.FieldSetting && f.Setting == w.HostSetting
		}), "%s: %v", a.name, a.faults)
		e := a.w.fails(a.err, domain.ConnForbidden, domain.ConnRefused, domain.ConnUnreachable)
		require.Equal(t, w.HostSetting, e.Setting, a.name)
	}
}

func rebinding(t *testing.T, w *world) {
	if w.At == nil {
		return
	}
	const host, public = "reports.shop.example", "93.184.216.34"
	w.public, w.dial, w.Source.Settings = true, network.Unused(t), w.At(host)
	w.resolver = network.Changing(map[string][][]string{host: {{public}, {"169.254.169.254"}}})
	registry := w.registry()
	require.Empty(t, registry.Check(t.Context(), w.Source))
	_, err := registry.Open(t.Context(), ports.SourceAccess{Source: w.Source})
	require.Equal(t, w.HostSetting, w.fails(err, domain.ConnForbidden).Setting)

	// What is dialled is the address that was checked, and no name.
	var dialled []string
	w.dial = func(_ context.Context, _, address string) (net.Conn, error) {
		dialled = append(dialled, address)
		return nil, &net.OpError{Op: "dial", Err: errors.New("no network in tests")}
	}
	w.resolver = network.Always(map[string][]string{host: {public}})
	_, err = w.registry().Open(t.Context(), ports.SourceAccess{Source: w.Source})
	w.fails(err, domain.ConnUnreachable)
	require.NotEmpty(t, dialled)
	for _, address := range dialled {
		require.True(t, strings.HasPrefix(address, public+":"), address)
	}
	require.True(t, strings.HasPrefix(w.registry().Host(w.Source), host+":"))
}
