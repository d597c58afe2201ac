package webhook_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/fakes/network"
)

func TestEndpointsThatMayBeSaved(t *testing.T) {
	long := strings.Repeat("a", 63)
	resolver := network.Always(map[string][]string{
		"shop.example": {"93.184.216.34"}, "shop.example.": {"93.184.216.34", "2606:4700::1111"}, "SHOP.example": {"::ffff:93.184.216.34"},
		"xn--bcher-kva.example": {"93.184.216.34"}, "hooks_in.shop.example": {"93.184.216.34"}, "3com.example": {"93.184.216.34"},
		"public.internal": {"93.184.216.34"}, "1.2.3.4x": {"93.184.216.34"}, long + ".example": {"93.184.216.34"},
	})
	s := newPoster(world{Resolver: resolver, Dial: network.Unused(t)}, time.Now)
	for _, endpoint := range []string{
		"https://shop.example", "https://shop.example/", "HTTPS://shop.example/hook?token=a%20b&x=1", "https://shop.example:8443/hook",
		"https://shop.example./", "https://SHOP.example/", "https://xn--bcher-kva.example/नाम", "https://hooks_in.shop.example", "https://3com.example",
		"https://public.internal/", "https://1.2.3.4x/", "https://" + long + ".example/", "https://93.184.216.34/", "https://[2606:4700::1111]:443/",
		"https://shop.example/" + strings.Repeat("x", domain.MaxEndpoint-21), "https://shop.example?", "https://shop.example:65535",
	} {
		require.Empty(t, s.Check(t.Context(), domain.FieldEndpoint, endpoint), endpoint)
	}
}

func TestRefusedEndpoints(t *testing.T) {
	s := newPoster(world{Resolver: network.Always(map[string][]string{"shop.example": {"93.184.216.34"}, "empty.example": {}}), Dial: network.Unused(t)}, time.Now)
	label := strings.Repeat("a", 63) + "."
	for endpoint, want := range map[string]domain.Rule{
		"":                                           domain.RuleMissing,
		"http://shop.example/":                       domain.RuleHTTPS,
		"ftp://shop.example/":                        domain.RuleHTTPS,
		"//shop.example/":                            domain.RuleHTTPS,
		"shop.example/hook":                          domain.RuleHTTPS,
		"shop.example:443":                           domain.RuleHTTPS,
		"javascript:alert(1)":                        domain.RuleHTTPS,
		"https:shop.example":                         domain.RuleNoHost,
		"https:///hook":                              domain.RuleNoHost,
		"https://:443/":                              domain.RuleNoHost,
		"https://user@shop.example/":                 domain.RuleUser,
		"https://user:hush@shop.example/":            domain.RuleUser,
		"https://@shop.example/":                     domain.RuleUser,
		"https://shop.example/#":                     domain.RuleFragment,
		"https://shop.example/#here":                 domain.RuleFragment,
		"https://shop.example:/":                     domain.RulePort,
		"https://shop.example:0/":                    domain.RulePort,
		"https://shop.example:65536/":                domain.RulePort,
		"https://shop.example:http/":                 domain.RuleURL,
		"https://shop.example:-1/":                   domain.RuleURL,
		"https://shop.example\\@10.0.0.1":            domain.RuleURL,
		"https://shop.example/\\..":                  domain.RuleURL,
		"https://shop.example/%zz":                   domain.RuleURL,
		"https://[::1/":                              domain.RuleURL,
		"https://shop.example/a b":                   domain.RuleUnseen,
		" https://shop.example/":                     domain.RuleUnseen,
		"https://shop.example/\r\nX: y":              domain.RuleUnseen,
		"https://shop.example/\x00":                  domain.RuleUnseen,
		"https://shop.example/\u200b":                domain.RuleUnseen,
		"https://shop.example/\u202e":                domain.RuleUnseen,
		"https://shop.example/\xff":                  domain.RuleUnseen,
		"https://bücher.example/":                    domain.RuleASCII,
		"https://b%C3%BCcher.example/":               domain.RuleASCII,
		"https://shop..example/":                     domain.RuleHost,
		"https://.shop.example/":                     domain.RuleHost,
		"https://./":                                 domain.RuleHost,
		"https://-shop.example/":                     domain.RuleHost,
		"https://shop-.example/":                     domain.RuleHost,
		"https://sh!op.example/":                     domain.RuleHost,
		"https://a" + label + "example/":             domain.RuleHost,
		"https://" + strings.Repeat(label, 4) + "a/": domain.RuleHostLength,
		"https://shop.1/":                            domain.RuleHostNumber,
		"https://away.example":                       domain.RulePublic,
		"https://empty.example/?token=hush":          domain.RulePublic,
		"https://127.0.0.1/":                         domain.RulePublic,
		"https://shop.example/" + strings.Repeat("x", domain.MaxEndpoint-20): domain.RuleLength,
	} {
		faults := s.Check(t.Context(), domain.FieldEndpoint, endpoint)
		require.Len(t, faults, 1, "%q", endpoint)
		require.Equal(t, want, faults[0].Rule, "%q", endpoint)
		require.NotContains(t, fmt.Sprint(faults), "hush")
		require.Equal(t, strings.Contains(endpoint, "127.0.0.1"), faults[0].Loopback)
		a := s.Post(t.Context(), endpoint, nil, []byte("{}"))
		require.Contains(t, []domain.Outcome{domain.OutcomeForbidden, domain.OutcomeUnreachable}, a.Outcome)
		require.NotContains(t, a.Failure, "hush")
	}
}

// Whoever may give a URL must not learn which names there are in the service's
// own network, nor reach those that are complete only there.
func TestNamesOfTheOwnNetworkAreNotTold(t *testing.T) {
	known := network.Changing(map[string][][]string{"redis.internal.example": {{"10.0.0.7"}}})
	s := newPoster(world{Resolver: known, Dial: network.Unused(t)}, time.Now)
	there := s.Check(t.Context(), domain.FieldEndpoint, "https://redis.internal.example/")
	away := s.Check(t.Context(), domain.FieldEndpoint, "https://other.internal.example/")
	require.Equal(t, domain.Faults{{Field: domain.FieldEndpoint, Rule: domain.RulePublic, Value: "redis.internal.example"}}, there)
	there[0].Value = "other.internal.example"
	require.Equal(t, there, away)
	require.NotEmpty(t, s.Check(t.Context(), domain.FieldEndpoint, "https://redis/"))
	for _, asked := range known.Lookups() {
		require.True(t, strings.HasSuffix(asked, "."), "%s may be completed", asked)
	}
}

// silent is a resolver that answers with an error, or never.
type silent struct{ err error }

func (s silent) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	if s.err != nil {
		return nil, s.err
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestNameServersThatFail(t *testing.T) {
	s := newPoster(world{Resolver: silent{&net.DNSError{Err: "server misbehaving", Name: "shop.example", IsTemporary: true}}, Dial: network.Unused(t)}, time.Now)
	require.Equal(t, domain.Faults{{Field: domain.FieldEndpoint, Rule: domain.RuleNameServers, Value: "shop.example"}}, s.Check(t.Context(), domain.FieldEndpoint, "https://shop.example/"))
	a := s.Post(t.Context(), "https://shop.example/", nil, []byte("{}"))
	require.Equal(t, domain.OutcomeUnreachable, a.Outcome)
}
