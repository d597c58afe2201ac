package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// fileSuffix is added to a variable's name to give a file whose content is the
// value. Container platforms hand out secrets in such files.
const fileSuffix = "_FILE"

// FromEnvironment is Load with the environment of the process.
func FromEnvironment() (Config, error) { return Load(os.Environ()) }

// Load returns the settings: the defaults, replaced by the variables of an
// environment, each written NAME=value, and then checked. A blank variable counts
// as not set. The error has a line for each problem, which names the variable and
// says what to set.
func Load(environ []string) (Config, error) {
	given := map[string]string{}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, Prefix) && value != "" {
			given[name] = value
		}
	}
	c := Defaults()
	c.Warnings = warnOfUnknown(given)
	source, problems := readFiles(given)
	if len(problems) > 0 {
		return Config{}, joinSorted(problems)
	}
	for _, s := range settings {
		if text := given[s.Variable()]; text != "" {
			if err := s.set(&c, text); err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", source.of(s.Name), err))
			}
		}
	}
	if len(problems) > 0 {
		return Config{}, joinSorted(problems)
	}
	c.Secrets.DataDir = c.Storage.DataDir
	c.warn(source)
	telemetry, warnings := telemetryOf(environ)
	c.Telemetry, c.Warnings = telemetry, append(c.Warnings, warnings...)
	if err := c.check(source); err != nil {
		return Config{}, err
	}
	return c, nil
}

// warn adds the warnings about settings for development, and about those that weaken a limit.
func (c *Config) warn(source sources) {
	add := func(is bool, name, format string, args ...any) {
		if is {
			c.Warnings = append(c.Warnings, source.of(name)+" "+fmt.Sprintf(format, args...))
		}
	}
	const others = "is for development: accounts can make the service %s other programs of this machine; leave it unset where " +
		"accounts are not your own"
	add(c.HTTP.MaxConnections <= c.HTTP.MaxPerPeer, "MAX_CONNECTIONS",
		"is %d and not larger than %s, which is %d: one address can take all connections", c.HTTP.MaxConnections,
		Prefix+"MAX_CONNECTIONS_PER_PEER", c.HTTP.MaxPerPeer)
	add(c.Webhook.AllowLoopback, "WEBHOOK_ALLOW_LOOPBACK", others, "call")
	add(c.Autopilot.ConnectionLoopback, "CONNECTION_ALLOW_LOOPBACK", others, "connect to")
	add(c.OTP.Way == OTPLog, "OTP", "is log, which is for development: the codes that verify phone numbers are written to this log")
	add(c.OTP.MSG91URL != "", "MSG91_URL", "is for development: codes for phone numbers go to a program of this machine, and nobody gets them")
	folder := c.Autopilot.ConnectionFolder
	info, err := os.Stat(folder) // it may be mounted later
	add(folder != "" && (err != nil || !info.IsDir()), "CONNECTION_FOLDER",
		"is %s, which is no folder that can be opened now: until it is, no report source finds a file there", folder)
}

// sources maps a variable to the one that really gave its value, if that is another
// one: the variable with the suffix, which names a file.
type sources map[string]string

// of returns the variable that gave the value of a setting.
func (s sources) of(setting string) string { return cmp.Or(s[Prefix+setting], Prefix+setting) }

// readFiles replaces each variable that names a file by the content of the file.
func readFiles(given map[string]string) (from sources, problems []error) {
	from = sources{}
	for _, s := range settings {
		name := s.Variable()
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
		if s.path {
			given[name] = path
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s%s: %w", name, fileSuffix, err))
			continue
		}
		// Editors of Windows begin a file with a byte order mark.
		given[name] = strings.TrimRight(strings.TrimPrefix(string(content), "\ufeff"), "\r\n")
		if strings.TrimSpace(given[name]) == "" { // else a secret would be made that no other instance has
			problems = append(problems, fmt.Errorf("%s%s: %s is empty: write the value into it, or leave the variable out", name, fileSuffix, path))
		}
	}
	return from, problems
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
func warnOfUnknown(given map[string]string) []string {
	var known []string
	for _, s := range settings {
		known = append(known, s.Variable(), s.Variable()+fileSuffix)
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
