package connecting

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/network"
)

// info returns the kind's entry of the catalogue.
func (w *world) info() ports.ConnectorInfo {
	all := w.registry().Catalogue()
	i := slices.IndexFunc(all, func(c ports.ConnectorInfo) bool { return c.ID == w.Source.Connector })
	require.GreaterOrEqual(w, i, 0)
	return all[i]
}

var _ = sourceCases.add("each required setting is missed", func(t *testing.T, w *world) {
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
})

var _ = sourceCases.add("unknown and long settings are refused", func(t *testing.T, w *world) {
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
})

var _ = sourceCases.add("a refused login is no empty source", func(t *testing.T, w *world) {
	w.Put("a.csv", []byte("a"), now)
	for name, settings := range w.Wrong {
		w.Source.Settings = settings
		opened, err := w.open(t.Context())
		require.Nil(t, opened, name)
		e := w.fails(err, domain.ConnRefused)
		require.True(t, e.NeedsAttention())
		require.Equal(t, w.Together, e.Setting == "", name)
	}
})

var _ = sourceCases.add("a missing folder is no empty source", func(t *testing.T, w *world) {
	if w.Missing == nil {
		return
	}
	w.Source.Settings = w.Missing
	_, err := w.all(t.Context())
	e := w.fails(err, domain.ConnNoFolder)
	require.NotEmpty(t, e.Setting)
	require.False(t, e.NeedsAttention(), "it may come back by itself")
})

var _ = sourceCases.add("forbidden hosts are neither saved nor dialled", func(t *testing.T, w *world) {
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
})

var _ = sourceCases.add("a name that changes gets nowhere", func(t *testing.T, w *world) {
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
})
