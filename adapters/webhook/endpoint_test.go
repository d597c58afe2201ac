package webhook

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func TestEndpointsThatMayBeSaved(t *testing.T) {
	long := strings.Repeat("a", 63)
	resolver := always(map[string][]string{
		"shop.example": {"93.184.216.34"}, "shop.example.": {"93.184.216.34", "2606:4700::1111"}, "SHOP.example": {"::ffff:93.184.216.34"},
		"xn--bcher-kva.example": {"93.184.216.34"}, "hooks_in.shop.example": {"93.184.216.34"}, "3com.example": {"93.184.216.34"},
		"public.internal": {"93.184.216.34"}, "1.2.3.4x": {"93.184.216.34"}, long + ".example": {"93.184.216.34"},
	})
	s := New(Settings{Resolver: resolver, Dial: unused(t)}, time.Now)
	for _, endpoint := range []string{
		"https://shop.example", "https://shop.example/", "HTTPS://shop.example/hook?token=a%20b&x=1", "https://shop.example:8443/hook",
		"https://shop.example./", "https://SHOP.example/", "https://xn--bcher-kva.example/नाम", "https://hooks_in.shop.example", "https://3com.example",
		"https://public.internal/", "https://1.2.3.4x/", "https://" + long + ".example/", "https://93.184.216.34/", "https://[2606:4700::1111]:443/",
		"https://shop.example/" + strings.Repeat("x", domain.MaxEndpoint-21), "https://shop.example?", "https://shop.example:65535",
	} {
		require.NoError(t, s.Check(t.Context(), "url", endpoint), endpoint)
	}
}

func TestRefusedEndpointsSayWhatToDo(t *testing.T) {
	s := New(Settings{Resolver: always(map[string][]string{"shop.example": {"93.184.216.34"}, "empty.example": {}}), Dial: unused(t)}, time.Now)
	label := strings.Repeat("a", 63) + "."
	for endpoint, want := range map[string]string{
		"":                                           "url must be given: the https:// URL that is to be called",
		"http://shop.example/":                       "url must begin with https:// (plain http is for endpoints on this machine, with MILAAN_WEBHOOK_ALLOW_LOOPBACK=true)",
		"ftp://shop.example/":                        "url must begin with https://",
		"//shop.example/":                            "url must begin with https://",
		"shop.example/hook":                          "url must begin with https://",
		"shop.example:443":                           "url must begin with https://",
		"javascript:alert(1)":                        "url must begin with https://",
		"https:shop.example":                         "url names no host: give a whole URL",
		"https:///hook":                              "url names no host",
		"https://:443/":                              "url names no host",
		"https://user@shop.example/":                 "url holds a user name before its host",
		"https://user:hush@shop.example/":            "url holds a user name before its host",
		"https://@shop.example/":                     "url holds a user name before its host",
		"https://shop.example/#":                     "url holds a fragment, which is never sent",
		"https://shop.example/#here":                 "url holds a fragment, which is never sent",
		"https://shop.example:/":                     "url has a port that is no number from 1 to 65535",
		"https://shop.example:0/":                    "url has a port that is no number from 1 to 65535",
		"https://shop.example:65536/":                "url has a port that is no number from 1 to 65535",
		"https://shop.example:http/":                 "url is no URL",
		"https://shop.example:-1/":                   "url is no URL",
		"https://shop.example\\@10.0.0.1":            "url is no URL",
		"https://shop.example/\\..":                  "url is no URL",
		"https://shop.example/%zz":                   "url is no URL",
		"https://[::1/":                              "url is no URL",
		"https://shop.example/a b":                   "url holds a blank",
		" https://shop.example/":                     "url holds a blank",
		"https://shop.example/\r\nX: y":              "url holds a blank or a character that cannot be seen",
		"https://shop.example/\x00":                  "url holds a blank or a character that cannot be seen",
		"https://shop.example/\u200b":                "url holds a blank or a character that cannot be seen",
		"https://shop.example/\u202e":                "url holds a blank or a character that cannot be seen",
		"https://shop.example/\xff":                  "url holds a blank or a character that cannot be seen",
		"https://bücher.example/":                    "url has a host with letters beyond a to z: write its name as DNS has it, beginning with xn--",
		"https://b%C3%BCcher.example/":               "url has a host with letters beyond a to z",
		"https://shop..example/":                     "url has a host that is no name",
		"https://.shop.example/":                     "url has a host that is no name",
		"https://./":                                 "url has a host that is no name",
		"https://-shop.example/":                     "url has a host that is no name",
		"https://shop-.example/":                     "url has a host that is no name",
		"https://sh!op.example/":                     "url has a host that is no name",
		"https://a" + label + "example/":             "url has a host that is no name",
		"https://" + strings.Repeat(label, 4) + "a/": "url has a host of more than 253 characters",
		"https://shop.1/":                            "url has a host that ends in a number",
		"https://away.example":                       "url has the host away.example, which does not resolve, or has addresses that are not public: check its spelling, and give an endpoint that the internet can reach",
		"https://empty.example/?token=hush":          "url has the host empty.example, which does not resolve",
		"https://127.0.0.1/":                         "an endpoint that the internet can reach (endpoints on this machine are allowed with MILAAN_WEBHOOK_ALLOW_LOOPBACK=true)",
		"https://shop.example/" + strings.Repeat("x", domain.MaxEndpoint-20): "url has 2049 bytes and may have at most 2048: give a shorter URL",
	} {
		err := s.Check(t.Context(), "url", endpoint)
		require.ErrorContains(t, err, want, "%q", endpoint)
		require.ErrorIs(t, err, domain.ErrField("", ""))
		require.NotContains(t, err.Error(), "hush")
		a := s.Post(t.Context(), endpoint, nil, []byte("{}"))
		require.Contains(t, []domain.Outcome{domain.OutcomeForbidden, domain.OutcomeUnreachable}, a.Outcome)
		require.NotContains(t, a.Failure, "hush")
	}
}

// Whoever may give a URL must not learn which names there are in the service's
// own network, nor reach those that are complete only there.
func TestNamesOfTheOwnNetworkAreNotTold(t *testing.T) {
	known := &names{known: map[string][][]string{"redis.internal.example": {{"10.0.0.7"}}}}
	s := New(Settings{Resolver: known, Dial: unused(t)}, time.Now)
	there := s.Check(t.Context(), "url", "https://redis.internal.example/")
	away := s.Check(t.Context(), "url", "https://other.internal.example/")
	require.Error(t, there)
	require.Equal(t, strings.Replace(there.Error(), "redis.", "other.", 1), away.Error())
	require.Error(t, s.Check(t.Context(), "url", "https://redis/"))
	for _, asked := range known.lookups {
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
	s := New(Settings{Resolver: silent{&net.DNSError{Err: "server misbehaving", Name: "shop.example", IsTemporary: true}}, Dial: unused(t)}, time.Now)
	require.EqualError(t, s.Check(t.Context(), "url", "https://shop.example/"),
		"url has a host, shop.example, whose name servers do not answer: try again, or check them")
	a := s.Post(t.Context(), "https://shop.example/", nil, []byte("{}"))
	require.Equal(t, domain.OutcomeUnreachable, a.Outcome)
}
