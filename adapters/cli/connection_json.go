package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
)

// connectionFile adds --file, the JSON of a connection.
func connectionFile(cmd *cobra.Command, needed bool) *string {
	file := cmd.Flags().String("file", "", "JSON file that describes the connection; - for standard input")
	if needed {
		required(cmd, "file", "")
	}
	return file
}

// readSetting returns the value of a setting. A path is relative to the folder of the file that names it. The
// line end at the end of a file is not a part of the value.
func readSetting(cmd *cobra.Command, folder string, s view.SettingFile) (string, error) {
	switch {
	case s.Env != "":
		value, set := os.LookupEnv(s.Env)
		if !set {
			return "", fmt.Errorf("the variable %s, which the file names, is not set", s.Env)
		}
		return value, nil
	case s.File != "":
		path := s.File
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		text, err := readFile(cmd, path)
		return strings.TrimRight(string(text), "\r\n"), err
	}
	return s.Text, nil
}

func readConnection(cmd *cobra.Command, path string) (change ports.ConnectionChange, err error) {
	text, err := readFile(cmd, path)
	if err != nil {
		return change, err
	}
	var c view.ConnectionFile
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err = d.Decode(&c); err == nil && d.More() {
		err = errors.New("there is more after the object")
	}
	if err != nil {
		return change, fmt.Errorf("%s is not the JSON of a connection (milaan connection kinds shows one): %w",
			terminal.PrintableText(pathText(path)), err)
	}
	folder := filepath.Dir(path)
	change = ports.ConnectionChange{Brand: c.Brand, Revision: c.Revision, ConnectionTerms: domain.ConnectionTerms{WindowDays: c.WindowDays,
		OverdueDays: c.OverdueDays, MinorGap: c.MinorGap, Charges: c.Charges, AlertAbove: domain.Paise(math.Round(c.AlertAbove * 100))}}
	if change.Shop.Settings, err = readSettings(cmd, folder, c.Shop.Settings); err != nil {
		return change, err
	}
	change.Shop.Connector = c.Shop.Connector
	for _, s := range c.Sources {
		settings, err := readSettings(cmd, folder, s.Settings)
		if err != nil {
			return change, err
		}
		change.Sources = append(change.Sources, ports.SourceChange{ID: s.ID, Connector: s.Connector, Settings: settings, Pattern: s.Pattern,
			Courier: s.Courier, Columns: s.Columns})
	}
	return change, nil
}

func readSettings(cmd *cobra.Command, folder string, sent map[string]view.SettingFile) (domain.Settings, error) {
	settings := domain.Settings{}
	for name, value := range sent {
		text, err := readSetting(cmd, folder, value)
		if err != nil {
			return nil, err
		}
		settings[name] = text
	}
	return settings, nil
}

// changeOf states a stored connection as it is.
func changeOf(c domain.Connection) ports.ConnectionChange {
	change := ports.ConnectionChange{Brand: c.Brand, Shop: c.Shop, ConnectionTerms: c.ConnectionTerms}
	for _, s := range c.Sources {
		change.Sources = append(change.Sources, ports.SourceChange{ID: s.ID, Connector: s.Connector, Settings: s.Settings, Pattern: s.Pattern,
			Courier: s.Courier, Columns: domain.NamedColumns(s.Columns)})
	}
	return change
}

func newConnectionFile(deps Deps, pilot ports.ManagingConnections, c *domain.Connection) view.ConnectionFile {
	shops, sources := pilot.Connectors()
	return view.NewConnectionFile(c, shops, sources, deps.sentence)
}

// sentence says an error of a connector.
func (deps Deps) sentence(err error) string { return names{}.message(err, deps.Words()) }

func failureText(deps Deps, e *domain.ConnectorError) string {
	if e == nil {
		return ""
	}
	return deps.sentence(e)
}

func printConnection(cmd *cobra.Command, deps Deps, pilot ports.ManagingConnections, c domain.Connection, err error) error {
	if err != nil {
		return namedError{err, names{connection: true}}
	}
	return printJSON(cmd.OutOrStdout(), newConnectionFile(deps, pilot, &c))
}

func printConnections(cmd *cobra.Command, deps Deps, pilot ports.ManagingConnections, all []domain.Connection, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, view.Each(all, func(c *domain.Connection) view.ConnectionFile { return newConnectionFile(deps, pilot, c) }))
	}
	t := terminal.NewTable("BRAND", "SHOP", "SOURCES", "STATE", "CHECKED", "NEXT PASS", ">AT RISK", "FAILURE")
	for i := range all {
		c := &all[i]
		var sources []string
		for _, s := range c.Sources {
			sources = append(sources, string(s.Connector))
		}
		next, atRisk := "-", "-"
		if c.State == domain.ConnectionActive {
			next = momentText(c.NextPassAt)
		}
		if c.LastRunID != "" {
			atRisk = c.AtRisk.Exact()
		}
		t.Add(c.Brand, string(c.Shop.Connector), strings.Join(sources, ", "), wording.Connection(c), momentText(c.CheckedAt), next, atRisk,
			failureText(deps, c.Failure))
	}
	return t.WriteOr(out, "No connections.")
}

func printPasses(cmd *cobra.Command, deps Deps, c domain.Connection, passes []domain.Pass, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, view.Each(passes, func(p *domain.Pass) view.ListedPass { return view.NewListedPass(p, deps.sentence) }))
	}
	t := terminal.NewTable("DUE", "OUTCOME", ">ORDERS", "SOURCES", "RUN", "FAILURE")
	for i := range passes {
		p := &passes[i]
		t.Add(momentText(p.Due), wording.Pass(p), strconv.Itoa(p.Orders), sourcesText(deps, c, p), p.RunID, failureText(deps, p.Failure))
	}
	return t.WriteOr(out, "No passes yet.")
}

// sourcesText says what each report source contributed to a pass.
func sourcesText(deps Deps, c domain.Connection, p *domain.Pass) string {
	var parts []string
	for i, s := range p.Sources {
		name := "source " + strconv.Itoa(i+1)
		if at := c.Source(s.SourceID); at > 0 {
			name = string(c.Sources[at-1].Connector)
		}
		part := fmt.Sprintf("%s: %s, %s", name, countOf(s.Files, "file"), countOf(s.Lines, "line"))
		if s.Through != domain.NoDay {
			part += " to " + s.Through.String()
		}
		if s.Behind {
			part += " (most behind)"
		}
		if len(s.LeftOut) > 0 {
			part += ", " + countOf(len(s.LeftOut), "mail") + " left out (--json says why)"
		}
		for i, f := range s.Skipped {
			if i == 0 {
				part += ", left out"
			} else {
				part += ","
			}
			part += fmt.Sprintf(" %s (%s)", terminal.PrintableText(f.Name), deps.sentence(&domain.ConnectorError{Rule: f.Rule}))
		}
		if s.RefusedFrom != domain.NoDay {
			part += ", settings of an earlier version: refused from " + s.RefusedFrom.String()
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// matchingText says how many files of a source match.
func matchingText(files int) string {
	switch files {
	case 0:
		return "no report is there yet, of those that the settings and the pattern choose since the start of the window"
	case 1:
		return "1 file matches"
	}
	return countOf(files, "file") + " match"
}

// testedText says what a test found of a file.
func testedText(deps Deps, f ports.TestedFile) string {
	name := terminal.PrintableText(f.Name)
	switch {
	case f.LeftOut != "":
		return name + ": left out, " + deps.sentence(&domain.ConnectorError{Rule: f.LeftOut})
	case f.Failure != nil:
		text := names{reports: []string{f.Name}}.message(f.Failure, deps.Words())
		if _, ok := errors.AsType[*domain.FileError](f.Failure); !ok { // which begins with the name
			text = name + ": " + text
		}
		return text
	}
	text := fmt.Sprintf("%s: %s, %s", name, cmp.Or(f.Courier, "courier not known"), countOf(f.Rows, "line"))
	if f.Through != domain.NoDay {
		text += ", to " + f.Through.String()
	}
	return text
}

// errNotWorking makes the command test fail.
var errNotWorking = errors.New("something of the connection does not work")

func printTest(cmd *cobra.Command, deps Deps, found *ports.ConnectionTest) error {
	out, works := cmd.OutOrStdout(), true
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	part := func(name string, p ports.PartTest) {
		if p.Failure != nil {
			works = false
			say("%s (%s): %s", name, p.Connector, failureText(deps, p.Failure))
			return
		}
		say("%s (%s): works", name, p.Connector)
	}
	part("Shop", found.Shop)
	for i, s := range found.Sources {
		part("Source "+strconv.Itoa(i+1), s)
		if s.Failure == nil {
			say("  %s", matchingText(s.Matching))
		}
		if len(s.Folders) > 0 {
			say("  folders of the mailbox: %s", terminal.PrintableText(strings.Join(s.Folders, ", ")))
		}
		for _, mail := range s.LeftOut {
			say("  left out, %s, %s: %s", momentText(mail.At), cmp.Or(terminal.PrintableText(mail.From), "sender not known"),
				failureText(deps, mail.Failure()))
		}
		for _, f := range s.Files {
			works = works && f.Failure == nil
			say("  %s", testedText(deps, f))
		}
		if more := s.Matching - len(s.Files); s.Failure == nil && more > 0 {
			say("  and %d more, not read", more)
		}
	}
	if !works {
		return errNotWorking
	}
	return nil
}
