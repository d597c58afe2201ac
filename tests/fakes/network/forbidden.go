package network

import "strings"

// ForbiddenAddresses are targets that no customer may make us call. They are
// examples: the list that decides is that of code.dny.dev/ssrf.
var ForbiddenAddresses = map[string]string{
	"this network":                 "0.0.0.0",
	"this network, within":         "0.1.2.3",
	"loopback":                     "127.0.0.1",
	"loopback, its last":           "127.255.255.254",
	"private 10":                   "10.0.0.1",
	"private 172.16":               "172.16.0.1",
	"private 172.31":               "172.31.255.254",
	"private 192.168":              "192.168.1.1",
	"carrier-grade NAT":            "100.64.0.1",
	"carrier-grade NAT, its last":  "100.127.255.254",
	"a cloud's metadata":           "169.254.169.254",
	"a task's credentials":         "169.254.170.2",
	"another cloud's metadata":     "100.100.100.200",
	"a third cloud's metadata":     "192.0.0.192",
	"protocol assignments":         "192.0.0.8",
	"documentation 1":              "192.0.2.1",
	"documentation 2":              "198.51.100.1",
	"documentation 3":              "203.0.113.7",
	"6to4 relays":                  "192.88.99.1",
	"benchmarks":                   "198.18.0.1",
	"benchmarks, their last":       "198.19.255.254",
	"multicast":                    "224.0.0.1",
	"multicast, within":            "239.255.255.250",
	"reserved":                     "240.0.0.1",
	"broadcast":                    "255.255.255.255",
	"unspecified, v6":              "::",
	"loopback, v6":                 "::1",
	"mapped loopback":              "::ffff:127.0.0.1",
	"mapped private":               "::ffff:10.0.0.1",
	"mapped metadata":              "::ffff:169.254.169.254",
	"mapped carrier-grade NAT":     "::ffff:100.64.0.1",
	"compatible loopback":          "::127.0.0.1",
	"NAT64 of loopback":            "64:ff9b::7f00:1",
	"NAT64 of metadata":            "64:ff9b::a9fe:a9fe",
	"local NAT64":                  "64:ff9b:1::1",
	"discard":                      "100::1",
	"Teredo":                       "2001::1",
	"ORCHID":                       "2001:20::1",
	"benchmarks, v6":               "2001:2::1",
	"documentation, v6":            "2001:db8::1",
	"documentation, new":           "3fff::1",
	"6to4 of private":              "2002:a00:1::1",
	"6to4 of loopback":             "2002:7f00:1::1",
	"unique local":                 "fd00::1",
	"unique local, its other half": "fc00::1",
	"metadata, v6":                 "fd00:ec2::254",
	"link-local, v6":               "fe80::1",
	"site-local":                   "fec0::1",
	"multicast, v6":                "ff02::1",
	"segment routing":              "5f00::1",
	"beyond what is assigned":      "4000::1",
}

// ForbiddenHosts are hosts as they would stand in a URL, with what a careless
// resolver makes of them.
var ForbiddenHosts = map[string]struct {
	host      string
	addresses []string
}{
	"localhost":                  {"localhost", nil},
	"localhost with a dot":       {"localhost.", nil},
	"below localhost":            {"foo.localhost", nil},
	"localhost, shouting":        {"LOCALHOST", nil},
	"localhost made public":      {"evil.localhost", []string{"93.184.216.34"}},
	"short":                      {"127.1", []string{"127.0.0.1"}},
	"one number":                 {"2130706433", []string{"127.0.0.1"}},
	"hexadecimal":                {"0x7f.1", []string{"127.0.0.1"}},
	"one hexadecimal number":     {"0x7f000001", []string{"127.0.0.1"}},
	"octal":                      {"0177.0.0.1", []string{"127.0.0.1"}},
	"leading zeros":              {"127.000.000.001", []string{"127.0.0.1"}},
	"an address with a dot":      {"127.0.0.1.", []string{"127.0.0.1"}},
	"nought":                     {"0", []string{"0.0.0.0"}},
	"full-width digits":          {"１２７.0.0.1", []string{"127.0.0.1"}},
	"ideographic dots":           {"127。0。0。1", []string{"127.0.0.1"}},
	"encoded digits":             {"%31%32%37.0.0.1", []string{"127.0.0.1"}},
	"soft hyphen":                {"local\u00adhost", []string{"127.0.0.1"}},
	"zone":                       {"[fe80::1%25eth0]", nil},
	"zone of loopback":           {"[::1%25lo]", nil},
	"zone of a public address":   {"[2606:4700::1111%25eth0]", nil},
	"internal":                   {"metadata.google.internal", []string{"169.254.169.254"}},
	"local":                      {"printer.local", []string{"192.168.1.9"}},
	"one label":                  {"postgres", []string{"10.0.0.5"}},
	"a cluster's":                {"kubernetes.default.svc.cluster.local", []string{"10.96.0.1"}},
	"a name for an address":      {"127.0.0.1.nip.io", []string{"127.0.0.1"}},
	"a public name, private":     {"intranet.shop.example", []string{"10.1.2.3"}},
	"a public name, v6 private":  {"six.shop.example", []string{"fd12::1"}},
	"a public name, zoned":       {"zoned.shop.example", []string{"fe80::1%eth0"}},
	"mixed, private last":        {"mixed.shop.example", []string{"93.184.216.34", "2606:4700::1111", "10.0.0.1"}},
	"mixed, private first":       {"mixed2.shop.example", []string{"192.168.0.1", "93.184.216.34"}},
	"mixed, private in v6 alone": {"mixed3.shop.example", []string{"93.184.216.34", "::1"}},
	"mapped, from DNS":           {"mapped.shop.example", []string{"::ffff:192.168.0.1"}},
}

// InURL returns an address as it stands in a URL.
func InURL(address string) string {
	if strings.Contains(address, ":") {
		return "[" + address + "]"
	}
	return address
}

// EachForbidden gives every target with the resolver that goes with it: each
// address as it is and behind a name, and each odd host.
func EachForbidden(each func(name, host string, resolver *Names)) {
	for name, address := range ForbiddenAddresses {
		each(name, InURL(address), Always(nil))
		each(name+", behind a name", "hook.shop.example", Always(map[string][]string{"hook.shop.example": {address}}))
	}
	for name, target := range ForbiddenHosts {
		known := map[string][]string{}
		if target.addresses != nil {
			known[target.host] = target.addresses
		}
		each(name, target.host, Always(known))
	}
}
