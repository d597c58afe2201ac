package autopilot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// Files that a pass leaves out: those that people have said to ignore, those that are plainly no
// reports, and those that a later one of their series replaces. Everything else that cannot be read
// stops the pass, because money that is left out is missed by nobody (guide: autopilot).

// dropIgnored takes the files that are ignored from the lists of the sources. It forgets those that no
// pass can list again, so that there is room for others.
func (t *attempt) dropIgnored(ctx context.Context) error {
	ignored, err := t.in.Ignored.List(ctx, t.Account.ID, t.Connection.ID)
	if err != nil {
		return fmt.Errorf("list the ignored files: %w", err)
	}
	longAgo := t.Pass.StartedAt.AddDate(0, 0, -domain.MaxWindowDays-1)
	for _, s := range t.sources {
		s.seen = map[string]domain.SeenFile{}
		for _, one := range ignored {
			if one.SourceID != s.ID {
				continue
			}
			at := slices.IndexFunc(s.files, func(f ports.SourceFile) bool { return isIgnored(one, f) })
			switch {
			case at >= 0:
			case one.Modified.Before(longAgo) && one.At.Before(longAgo):
				err := t.in.Ignored.Remove(ctx, one.AccountID, one.ConnectionID, one.ID, domain.SecurityEvent{})
				if err != nil && !errors.Is(err, domain.ErrNoIgnored) {
					return fmt.Errorf("forget an ignored file: %w", err)
				}
				continue
			default:
				s.moved = append(s.moved, one)
				continue
			}
			s.note(s.files[at], one.Sum, domain.ConnIgnored)
			s.files = slices.Delete(s.files, at, at+1)
		}
	}
	return nil
}

// isIgnored says whether a file is the one that is ignored. The version of a settled one stands for
// it alone: a mailbox may call the same attachment otherwise when another one of its name has come.
// One that no pass had read is known by its name and time when a mailbox numbers its mails anew.
func isIgnored(one domain.IgnoredFile, file ports.SourceFile) bool {
	if one.Version == file.Version {
		return one.Name == file.Name || file.Settled
	}
	return one.Sum == ([sha256.Size]byte{}) && one.Name == file.Name && isOfItsTime(one, file) && isNumberedAnew(one, file)
}

func isOfItsTime(one domain.IgnoredFile, file ports.SourceFile) bool {
	return one.Modified.Equal(file.Modified.Truncate(time.Microsecond))
}

// isNumberedAnew says whether the source has numbered its files anew since one was ignored.
func isNumberedAnew(one domain.IgnoredFile, file ports.SourceFile) bool {
	return file.Numbering != "" && !strings.HasPrefix(one.Version, file.Numbering)
}

// isMoved says whether a file with this content is an ignored one that the source does not list as it
// was, such as an attachment of a mailbox that numbers its mails anew, which keep their times. Each
// stands for one file: that a file is ignored leaves out no second one that is the same, nor one that
// has come at another time, after the ignored one was deleted.
func (s *passSource) isMoved(file ports.SourceFile, sum [sha256.Size]byte) bool {
	at := slices.IndexFunc(s.moved, func(one domain.IgnoredFile) bool {
		return one.Sum == sum && isOfItsTime(one, file) && (file.Numbering == "" || isNumberedAnew(one, file))
	})
	if at >= 0 {
		s.moved = slices.Delete(s.moved, at, at+1)
	}
	return at >= 0
}

// dropOlder takes the files from the lists of the sources that a later one of their series replaces.
func (t *attempt) dropOlder() {
	for _, s := range t.sources {
		s.older = map[string][]ports.SourceFile{}
		kept := make([]ports.SourceFile, 0, len(s.files))
		replaced := replacedAmong(s.files)
		for i, file := range s.files {
			if !replaced[i] {
				kept = append(kept, file)
				continue
			}
			s.note(file, [sha256.Size]byte{}, domain.ConnOlder)
			s.older[file.Series] = append(s.older[file.Series], file)
		}
		for _, of := range s.older {
			slices.SortStableFunc(of, oldestFirst)
		}
		s.files = kept
	}
}

// replacedAmong says of each file whether a later one of its series replaces it.
func replacedAmong(files []ports.SourceFile) []bool {
	replaced, latest := make([]bool, len(files)), map[string]int{}
	for i, file := range files {
		if file.Series == "" {
			continue
		}
		at, known := latest[file.Series]
		if known && oldestFirst(file, files[at]) < 0 {
			replaced[i] = true
			continue
		}
		if latest[file.Series] = i; known {
			replaced[at] = true
		}
	}
	return replaced
}

// oldestFirst orders files by their time. Of two mails of one second, the one with the longer or
// greater number is the later one.
func oldestFirst(a, b ports.SourceFile) int {
	return cmp.Or(a.Modified.Compare(b.Modified), cmp.Compare(len(a.Version), len(b.Version)), strings.Compare(a.Version, b.Version))
}

// takeOlder adds the file that a left-out one replaces to those that are read: what is left out
// replaces nothing. listed is the new list of the source.
func (s *passSource) takeOlder(file ports.SourceFile, listed []ports.SourceFile) error {
	of := s.older[file.Series]
	if len(of) == 0 {
		return nil
	}
	last := len(of) - 1
	found, err := s.findAgain(of[last:], listed)
	if err != nil {
		return err
	}
	delete(s.seen, of[last].Name)
	s.older[file.Series], s.files = of[:last], append(s.files, found...)
	return nil
}

func (s *passSource) note(file ports.SourceFile, sum [sha256.Size]byte, rule domain.ConnectorRule) {
	seen := s.noted(file)
	seen.Sum, seen.Rule = sum, rule
	s.seen[file.Name] = seen
}

// noted returns what is known of a file; of one that the pass has not decided about, what its list says.
func (s *passSource) noted(file ports.SourceFile) domain.SeenFile {
	if seen, known := s.seen[file.Name]; known {
		return seen
	}
	return domain.SeenFile{SourceID: s.ID, Name: file.Name, Version: file.Version, Modified: file.Modified}
}

var exportRules = map[ports.Exported]domain.ConnectorRule{
	ports.ExportedOrders: domain.ConnOrderList, ports.ExportedCustomers: domain.ConnCustomers, ports.ExportedProducts: domain.ConnProducts,
}

// dropExports takes the files from the reports that are plainly exports of something else. Those that
// the last pass has read as reports are not looked at again. mappings are those that are saved.
func (t *attempt) dropExports(files []passReport, mappings map[string]domain.Mapping) []passReport {
	known := map[string]bool{}
	for _, f := range t.State.Files {
		if f.Rule == "" && f.Sum != ([sha256.Size]byte{}) {
			known[f.ID()] = true
		}
	}
	reports := make([]passReport, 0, len(files))
	for _, report := range files {
		rule := domain.ConnectorRule("")
		// What replaces another file is no file that can be left out.
		if !known[report.noted(report.file).ID()] && len(report.older[report.file.Series]) == 0 {
			rule = exportRules[t.in.Reconciling.ExportIn(report.content, report.named(mappings))]
		}
		if report.note(report.file, report.sum, rule); rule == "" {
			reports = append(reports, report)
		}
	}
	return reports
}

// named are the columns that are stated for the reports of a source, or saved for its courier.
func (s *passSource) named(mappings map[string]domain.Mapping) (columns []string) {
	if len(s.Columns) > 0 {
		return slices.Collect(maps.Values(s.Columns))
	}
	for of, mapping := range mappings {
		if of != s.Courier && !(s.usesNamed() && strings.HasPrefix(of, byHeader)) {
			continue
		}
		for _, column := range mapping {
			if column != "" {
				columns = append(columns, column)
			}
		}
	}
	return columns
}

// seen are the files that the pass knows of, by source, the latest first.
func (t *attempt) seen() (files []domain.SeenFile) {
	for _, s := range t.sources {
		of := make([]domain.SeenFile, 0, len(s.files))
		for _, file := range s.files {
			if _, noted := s.seen[file.Name]; !noted {
				of = append(of, s.noted(file))
			}
		}
		for _, file := range s.seen {
			of = append(of, file)
		}
		slices.SortStableFunc(of, func(a, b domain.SeenFile) int {
			return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(a.Name, b.Name))
		})
		files = append(files, of...)
	}
	return files
}

// remembered are those of the files of a pass that the next one and people need, and how many more there
// are. Of one source they are those that stop the pass, those that were compared or that nothing
// replaces, of which a pass has few, and of the others the latest.
func remembered(files []domain.SeenFile) (kept []domain.SeenFile, more int) {
	of, keeps := map[string]int{}, make([]bool, len(files))
	for rank := range 3 {
		for i, f := range files {
			if rankOf(f) == rank && of[f.SourceID] < domain.MaxSeenFiles {
				keeps[i], of[f.SourceID] = true, of[f.SourceID]+1
			}
		}
	}
	for i, f := range files {
		if keeps[i] {
			kept = append(kept, f)
		}
	}
	return kept, len(files) - len(kept)
}

func rankOf(f domain.SeenFile) int {
	switch {
	case f.Rule == domain.ConnOlder:
		return 2
	case f.Rule == "" || f.Rule.IsLeftOut():
		return 1
	}
	return 0
}

// seenAgain are the files that the pass knows of, with what the last pass has found out about those
// that were not read by this one and have not changed. failure names the file that has stopped the
// pass; nil: none has.
func (t *attempt) seenAgain(failure *domain.ConnectorError) []domain.SeenFile {
	before := map[string]domain.SeenFile{}
	for _, f := range t.State.Files {
		if f.Rule == "" || f.Rule.IsLeftOut() && f.Rule != domain.ConnIgnored && f.Rule != domain.ConnOlder {
			before[f.ID()] = f
		}
	}
	files := t.seen()
	for i := range files {
		f := &files[i]
		if failure != nil && t.Connection.Source(f.SourceID) == failure.Source && domain.Shortened(f.Name) == failure.File {
			f.Rule = failure.Rule
		} else if last, known := before[f.ID()]; known && f.Rule == "" && f.Sum == ([sha256.Size]byte{}) {
			*f = last
		}
	}
	return t.withGone(files)
}

// withGone adds the reports of earlier passes that the sources have no more: orders that they alone have paid count as
// unpaid. The same content elsewhere stands for a report, and so does another version of it.
func (t *attempt) withGone(files []domain.SeenFile) []domain.SeenFile {
	listed, from := files, t.Connection.WindowStart(t.Pass.StartedAt).Start()
	isThere := func(f domain.SeenFile) bool {
		return slices.ContainsFunc(listed, func(g domain.SeenFile) bool {
			return g.Sum == f.Sum || g.SourceID == f.SourceID && (g.Name == f.Name || g.Rule == domain.ConnOlder && g.Version == f.Version)
		}) || slices.ContainsFunc(t.sources, func(s *passSource) bool {
			return slices.ContainsFunc(s.moved, func(one domain.IgnoredFile) bool { return one.Sum == f.Sum })
		})
	}
	for _, f := range t.State.Files {
		wasReport := f.Rule == domain.ConnNoMore || f.Rule == "" && f.Sum != ([sha256.Size]byte{})
		if wasReport && !f.Modified.Before(from) && t.Connection.Source(f.SourceID) != 0 && !isThere(f) {
			f.Rule = domain.ConnNoMore
			files = append(files, f)
		}
	}
	return files
}

func skippedOf(sourceID string, files []domain.SeenFile) (skipped []domain.SkippedFile) {
	for _, f := range files {
		if f.SourceID == sourceID && f.Rule.IsLeftOut() && len(skipped) < domain.MaxLeftOut {
			skipped = append(skipped, domain.SkippedFile{Name: domain.Shortened(f.Name), Rule: f.Rule})
		}
	}
	return skipped
}
