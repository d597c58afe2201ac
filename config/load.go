package config

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// fileSuffix is added to a variable's name to give a file whose content is the
// value. Container platforms hand out secrets in such files.
const fileSuffix = "_FILE"

// paths are the variables whose value is the path of a file anyway. With the suffix
// they mean the same, and the file is not read here.
var paths = []string{Prefix + "TLS_CERT", Prefix + "TLS_KEY"}

// FromEnvironment is Load with the environment of the process.
func FromEnvironment() (Config, error) { return Load(os.Environ()) }

// Load returns the settings: the defaults, replaced by the variables of an
// environment, each written NAME=value, and then checked. A blank variable counts
// as not set. The error has a line for each problem, which names the variable and
// says what to set.
func Load(environ []string) (Config, error) {
	names := variables()
	given := map[string]string{}
	for name, value := range env.ToMap(environ) {
		if strings.HasPrefix(name, Prefix) && value != "" {
			given[name] = value
		}
	}
	c := Config{Warnings: warnOfUnknown(given, names)}
	source, err := readFiles(given, names)
	if err != nil {
		return Config{}, err
	}
	if err := parse(&c, given); err != nil {
		return Config{}, nameVariables(err, names, given, source)
	}
	c.Secrets.DataDir = c.Storage.DataDir
	if h := c.HTTP; h.MaxConnections <= h.MaxPerPeer {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s is %d and not larger than %s, which is %d: one address can take all connections",
			source.of(Prefix+"MAX_CONNECTIONS"), h.MaxConnections, Prefix+"MAX_CONNECTIONS_PER_PEER", h.MaxPerPeer))
	}
	if c.Webhook.AllowLoopback {
		c.Warnings = append(c.Warnings, source.of(Prefix+"WEBHOOK_ALLOW_LOOPBACK")+
			" is for development: accounts can make the service call other programs of this machine; leave it unset where accounts are not your own")
	}
	if c.Autopilot.ConnectionLoopback {
		c.Warnings = append(c.Warnings, source.of(Prefix+"CONNECTION_ALLOW_LOOPBACK")+
			" is for development: accounts can make the service connect to other programs of this machine; leave it unset where accounts are not your own")
	}
	if c.OTP.Way == OTPLog {
		c.Warnings = append(c.Warnings, source.of(Prefix+"OTP")+" is log, which is for development: the codes that verify phone numbers are written to this log")
	}
	if c.OTP.MSG91URL != "" {
		c.Warnings = append(c.Warnings, source.of(Prefix+"MSG91_URL")+" is for development: codes for phone numbers go to a program of this machine, and nobody gets them")
	}
	if err := c.check(source); err != nil {
		return Config{}, err
	}
	return c, nil
}

func parse(c *Config, given map[string]string) error {
	return env.ParseWithOptions(c, env.Options{Environment: given, Prefix: Prefix, DefaultValueTagName: "default"})
}

// variables maps the name of every field to the name of its variable.
func variables() map[string]string {
	names := map[string]string{}
	for field := range fields() {
		names[field.Name] = Prefix + field.Tag.Get("env")
	}
	return names
}

// sources maps a variable to the one that really gave its value, if that is another
// one: the variable with the suffix, which names a file.
type sources map[string]string

func (s sources) of(name string) string { return cmp.Or(s[name], name) }

// readFiles replaces each variable that names a file by the content of the file.
func readFiles(given, names map[string]string) (sources, error) {
	from := sources{}
	var problems []error
	for _, name := range names {
		path := given[name+fileSuffix]
		if path == "" {
			continue
		}
		delete(given, name+fileSuffix)
		from[name] = name + fileSuffix
		if given[name] != "" {
			problems = append(problems, fmt.Errorf("%s and %s%s are both set: keep one", name, name, fileSuffix))
			continue
		}
		if slices.Contains(paths, name) {
			given[name] = path
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s%s: %w", name, fileSuffix, err))
			continue
		}
		given[name] = strings.TrimRight(string(content), "\r\n")
	}
	return from, joinSorted(problems)
}

// wanted says, for types whose own errors are written for programmers, what the
// operator must write.
var wanted = map[reflect.Type]string{
	reflect.TypeFor[time.Duration](): "is no length of time: write a number with a unit, such as 30s or 2m",
	reflect.TypeFor[slog.Level]():    "is no level: write debug, info, warn or error",
	reflect.TypeFor[bool]():          "is neither true nor false",
	reflect.TypeFor[int]():           "is no whole number: write digits alone, such as 4096",
}

// nameVariables puts the name of the variable into each parsing error.
func nameVariables(err error, names, given map[string]string, source sources) error {
	all, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return err
	}
	var problems []error
	for _, e := range all.Errors {
		if p, ok := errors.AsType[env.ParseError](e); ok {
			name := names[p.Name]
			want := wanted[p.Type]
			if errors.Is(p.Err, strconv.ErrRange) {
				want = "is too large: write a smaller number"
			}
			if want != "" {
				e = fmt.Errorf("%s: %q %s", source.of(name), given[name], want)
			} else {
				e = fmt.Errorf("%s: %w", source.of(name), p.Err)
			}
		}
		problems = append(problems, e)
	}
	return joinSorted(problems)
}

// joinSorted joins errors in alphabetical order, so that the text is always the
// same.
func joinSorted(problems []error) error {
	slices.SortFunc(problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(problems...)
}

// warnOfUnknown returns a warning for each variable that begins with the prefix and
// is not a setting. Most of them are typing mistakes, so the warning names the
// nearest setting.
func warnOfUnknown(given, names map[string]string) []string {
	var known []string
	for _, name := range names {
		known = append(known, name, name+fileSuffix)
	}
	slices.Sort(known)
	var warnings []string
	for name := range given {
		if slices.Contains(known, name) {
			continue
		}
		nearest := slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
		w := name + " is set and means nothing"
		if distance(name, nearest) <= len(name)/3 {
			w += ": did you mean " + nearest + "?"
		}
		warnings = append(warnings, w)
	}
	slices.Sort(warnings)
	return warnings
}

// distance is how many characters must be added, removed or replaced to turn a into
// b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			if a[i] != b[j] {
				diagonal++
			}
			diagonal, row[j+1] = row[j+1], min(diagonal, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
