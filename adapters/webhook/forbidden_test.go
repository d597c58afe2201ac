package webhook_test

import (
	"crypto/x509"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/webhook"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/fakes/network"
)

const publicAddress = "93.184.216.34"

// world is what a poster finds around it.
type world struct {
	AllowLoopback bool
	RootCAs       *x509.CertPool
	Resolver      peers.Resolver
	Dial          peers.Dial
}

func newPoster(w world, clock ports.Clock) *webhook.Poster {
	return webhook.New(webhook.Settings{AllowLoopback: w.AllowLoopback, RootCAs: w.RootCAs,
		Guards: outbound.New(outbound.Settings{Resolver: w.Resolver, Dial: w.Dial})}, clock)
}

func TestForbiddenTargetsAreNeitherSavedNorDialled(t *testing.T) {
	require.GreaterOrEqual(t, len(network.ForbiddenAddresses)+len(network.ForbiddenHosts), 40)
	network.EachForbidden(func(name, host string, resolver *network.Names) {
		t.Run(name, func(t *testing.T) {
			s := newPoster(world{Resolver: resolver, Dial: network.Unused(t)}, time.Now)
			for _, endpoint := range []string{"https://" + host + "/hook", "https://" + host + ":8443/hook", "http://" + host + "/hook"} {
				faults := s.Check(t.Context(), domain.FieldWebhookURL, endpoint)
				require.True(t, faults.Has(domain.FieldWebhookURL), endpoint)

				a := s.Post(t.Context(), endpoint, nil, []byte("{}"))
				require.Equal(t, domain.OutcomeForbidden, a.Outcome, "%s: %+v", endpoint, a)
				require.Zero(t, a.Status)
				require.NotEmpty(t, a.Failure)
			}
		})
	})
}

// The setting for development opens this machine and nothing else.
func TestLoopbackAloneIsAllowedInDevelopment(t *testing.T) {
	for name, address := range network.ForbiddenAddresses {
		if netip.MustParseAddr(address).Unmap().IsLoopback() {
			continue
		}
		known := network.Always(map[string][]string{"hook.shop.example": {address}, "mixed.shop.example": {"127.0.0.1", address}})
		s := newPoster(world{AllowLoopback: true, Resolver: known, Dial: network.Unused(t)}, time.Now)
		for _, host := range []string{network.InURL(address), "hook.shop.example", "mixed.shop.example"} {
			for _, scheme := range []string{"https://", "http://"} {
				require.NotEmpty(t, s.Check(t.Context(), domain.FieldEndpoint, scheme+host), name)
				require.Equal(t, domain.OutcomeForbidden, s.Post(t.Context(), scheme+host, nil, []byte("{}")).Outcome, name)
			}
		}
	}

	resolver := network.Always(map[string][]string{"hook.shop.example": {"93.184.216.34"}, "dev.shop.example": {"127.0.0.1", "::1"}, "half.shop.example": {"127.0.0.1", "93.184.216.34"}})
	s := newPoster(world{AllowLoopback: true, Resolver: resolver, Dial: network.Unused(t)}, time.Now)
	for _, endpoint := range []string{"http://127.0.0.1:8080/", "http://[::1]:8080/", "http://localhost:9000", "https://localhost/", "http://a.localhost/",
		"http://dev.shop.example/", "https://dev.shop.example/", "https://hook.shop.example/", "http://[::ffff:127.0.0.1]/"} {
		require.Empty(t, s.Check(t.Context(), domain.FieldEndpoint, endpoint), endpoint)
	}
	for _, endpoint := range []string{"http://hook.shop.example/", "http://half.shop.example/", "http://93.184.216.34/"} {
		require.Equal(t, domain.Faults{{Field: domain.FieldEndpoint, Rule: domain.RuleHTTPSHere}}, s.Check(t.Context(), domain.FieldEndpoint, endpoint), endpoint)
		require.Equal(t, domain.OutcomeForbidden, s.Post(t.Context(), endpoint, nil, []byte("{}")).Outcome, endpoint)
	}
}
