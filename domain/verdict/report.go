package verdict

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"

	"milaan/domain"
)

// ReadReport is what a run knows of one of its reports besides the lines.
type ReadReport struct {
	Courier      string         // id: the one that the request names, or else the only one that knows the header best; blank: not known
	OneOf        []string       // ids, of which one is the courier, if its header shows no more; none if Courier is not blank
	Mapping      domain.Mapping // by which it was read
	Saved        bool           // a saved mapping gave columns of it
	MappingName  string         // of the named mapping by which it was read; blank: none
	Charges      []string       // the names of its columns of charges, in the order of the file
	Rows         int            // records below its header
	Through      domain.Day     // the latest remittance or delivered date; NoDay: it has none
	Header       uint64         // a hash of its header; 0: not known
	Source       int            // the report source that it came from, from 1; 0: it is of a request
	key          uint64         // of the source; of a report that stands for a ledger, see RememberedLine.CourierKey; 0: it has none
	Unidentified LineSum        // lines with money and neither AWB nor order id; Remittances do not have them

	before before
}

// before is what Remittances had when a report began.
type before struct {
	lines, zeros, warnings, charges int
	rounded                         bool
}

// bothAmounts says whether the report states what was collected and what was paid out.
func (r *ReadReport) bothAmounts() bool {
	return r.Mapping[domain.RoleCODAmount] != "" && r.Mapping[domain.RoleRemittedAmount] != ""
}

// Begin begins the next report. courier is the id of its courier if the request names
// it, or else blank. There may be MaxReports of them, in a pass MaxPassFiles.
func (r *Remittances) Begin(courier string) {
	if r.begun {
		r.close()
		r.reports = append(r.reports, ReadReport{before: before{len(r.list), len(r.zeros), len(r.Warnings), len(r.charges), r.rounded}})
		r.at = uint16(len(r.reports) - 1)
	}
	r.begun = true
	r.current().Courier = courier
}

// Restart removes what has been added of the report that is being read, so that it can
// be read again.
func (r *Remittances) Restart() {
	c := r.current()
	if r.at == 0 {
		known := ReadReport{Courier: c.Courier, OneOf: c.OneOf, Source: c.Source, key: c.key, Header: c.Header}
		r.Reset()
		r.Begin("")
		*r.current() = known
		return
	}
	r.list, r.zeros, r.Warnings = r.list[:c.before.lines], r.zeros[:c.before.zeros], r.Warnings[:c.before.warnings]
	r.charges = r.charges[:c.before.charges]
	r.roundedUTRs = slices.DeleteFunc(r.roundedUTRs, func(of roundedUTRs) bool { return of.report == r.at })
	r.rounded, r.through = c.before.rounded, domain.NoDay
	r.SetRows(0)
	c.Unidentified = LineSum{}
}

// AddAbsent says that reports of a courier were expected and none has come: unless another
// report of the courier has a date, nothing proves that an order of its is not paid. A blank
// id stands for any courier, and so does CustomCourier.
func (r *Remittances) AddAbsent(courier string) { r.absent = append(r.absent, courier) }

// SetSource says from which report source the report comes, from 1, and what its id is: reports of one source whose
// courier is not known count as those of one courier.
func (r *Remittances) SetSource(source int, id string) {
	c := r.current()
	if c.Source, c.key = source, 0; source > 0 {
		sum := sha256.Sum256([]byte(id))
		c.key = binary.LittleEndian.Uint64(sum[:])
	}
}

// group is what reports have in common that count as those of one courier. A report of a
// request whose courier is not known, also where a person has named its columns, is one with those that have its header.
func (r *ReadReport) group() (courier string, key uint64) {
	switch {
	case isKnown(r.Courier):
		return r.Courier, 0
	case r.key != 0:
		return "", r.key
	case r.Header != 0:
		return "", r.Header
	}
	return r.Courier, 0
}

// isKnown says whether an id is that of one courier.
func isKnown(courier string) bool { return courier != "" && courier != domain.CustomCourier }

// together says whether two reports count as those of one courier.
func (r *ReadReport) together(other *ReadReport) bool {
	courier, key := r.group()
	ofOther, keyOfOther := other.group()
	return courier == ofOther && key == keyOfOther && (courier != "" || key != 0)
}

// firsts appends, for each report, the number of the first report of the same courier.
func (r *Remittances) firsts(firsts []int32) []int32 {
	reports := r.all()
	for i := range reports {
		first := r.number(uint16(i))
		for k := range reports {
			if reports[k].together(&reports[i]) {
				first = min(first, r.number(uint16(k)))
			}
		}
		firsts = append(firsts, int32(first))
	}
	return firsts
}

// SetHeader stores a hash of the header of the report that is being read.
func (r *Remittances) SetHeader(hash uint64) { r.current().Header = hash }

// Recognise says by the profile of which courier the report is read, or of which several
// that have the same header. It counts if the request does not name the courier.
func (r *Remittances) Recognise(couriers ...string) {
	switch c := r.current(); {
	case c.Courier != "":
	case len(couriers) == 1:
		c.Courier = couriers[0]
	default:
		c.OneOf = couriers
	}
}

// SetMapping stores the mapping by which the report was read.
func (r *Remittances) SetMapping(m domain.Mapping) { r.current().Mapping = m }

// SetSavedMapping says whether the report was read by a saved mapping, and by which if it has a name.
func (r *Remittances) SetSavedMapping(saved bool, name string) {
	r.current().Saved, r.current().MappingName = saved, name
}

// SetRows stores how many records the report has below its header.
func (r *Remittances) SetRows(rows int) {
	c := r.current()
	r.Rows += rows - c.Rows
	c.Rows = rows
}

// SetUnidentified stores what the lines of the report come to that have money and
// neither AWB nor order id.
func (r *Remittances) SetUnidentified(sum LineSum) { r.current().Unidentified = sum }

// Lines returns the lines of the report that is being read.
func (r *Remittances) Lines() []Remittance { return r.list[r.current().before.lines:] }

// Append adds the reports of others after these. The texts are not copied: others must
// not be Reset as long as these are in use.
func (r *Remittances) Append(others *Remittances) {
	r.close()
	others.close()
	base := before{len(r.list), len(r.zeros), len(r.Warnings), len(r.charges), r.rounded}
	reports, statuses := uint16(len(r.reports)), StatusID(r.statuses.append(&others.statuses, &r.texts))
	r.list = append(r.list, others.list...)
	for i := range r.list[base.lines:] {
		line := &r.list[base.lines+i]
		line.Report += reports
		if line.charges > 0 {
			line.charged += int32(base.charges)
		}
		line.Status, line.MoneyStatus = line.Status.after(statuses), line.MoneyStatus.after(statuses)
	}
	r.charges = append(r.charges, others.charges...)
	for _, of := range others.roundedUTRs {
		of.report += reports
		r.roundedUTRs = append(r.roundedUTRs, of)
	}
	for _, i := range others.zeros {
		r.zeros = append(r.zeros, i+int32(base.lines))
	}
	r.Warnings = append(r.Warnings, others.Warnings...)
	for i := range others.reports {
		report := others.reports[i]
		report.before.lines += base.lines
		report.before.zeros += base.zeros
		report.before.charges += base.charges
		report.before.warnings += base.warnings
		report.before.rounded = report.before.rounded || base.rounded
		r.reports = append(r.reports, report)
	}
	r.Rows += others.Rows
	r.rounded, r.reversed = r.rounded || others.rounded, r.reversed || others.reversed
	r.begun, r.borrowed, r.at = true, true, uint16(len(r.reports)-1)
}

// after is the id of a status that was added after the given number of others.
func (id StatusID) after(others StatusID) StatusID {
	if id == 0 {
		return 0
	}
	return id + others
}

// Reports returns what is known of each report of the run, in their order.
func (r *Remittances) Reports() []ReadReport { return r.all()[r.remembered:] }

// all is Reports with those that stand for a ledger, which come first.
func (r *Remittances) all() []ReadReport {
	r.close()
	return r.reports
}

// linesOf returns the lines of the i-th of all reports, which must be one of the run's own.
func (r *Remittances) linesOf(i int) []Remittance {
	end := len(r.list)
	if i+1 < len(r.reports) {
		end = r.reports[i+1].before.lines
	}
	return r.list[r.reports[i].before.lines:end]
}

// Reports returns what is known of each report of the run, in their order.
func (r *Reconciliation) Reports() []ReadReport { return r.remittances.Reports() }

func (r *Remittances) current() *ReadReport {
	if len(r.reports) == 0 {
		r.reports = append(r.reports, ReadReport{})
	}
	return &r.reports[len(r.reports)-1]
}

// close stores the date of the report that is being read.
func (r *Remittances) close() {
	c := r.current()
	c.Through, r.through = max(c.Through, r.through), domain.NoDay
}

// reach returns up to which day all reports reach: per courier the latest date of its
// reports, and of these the earliest (guide: verdict 7). A courier whose reports have no dates
// makes it NoDay, and so does one without any report, of which there should be one.
func (r *Remittances) reach() (through domain.Day, behind domain.Behind) {
	reports := r.Reports()
	if slices.ContainsFunc(r.absent, func(courier string) bool { return reachOf(reports, courier) == domain.NoDay }) {
		return domain.NoDay, domain.Behind{}
	}
	couriers, firsts := 0, r.firsts(nil)[r.remembered:]
	for i := range reports {
		if int(firsts[i]) != i+1 {
			continue
		}
		furthest := i
		for k := range reports {
			if firsts[k] == firsts[i] && reports[k].Through > reports[furthest].Through {
				furthest = k
			}
		}
		if latest := reports[furthest].Through; couriers == 0 || latest < through {
			through, behind = latest, domain.Behind{Report: furthest + 1, Courier: reports[i].Courier}
		}
		couriers++
	}
	if couriers == 1 {
		behind = domain.Behind{}
	}
	return through, behind
}

// reachOf returns the latest date of a courier's reports; NoDay: there is none, or the courier
// is not known.
func reachOf(reports []ReadReport, courier string) domain.Day {
	through := domain.NoDay
	for i := range reports {
		if isKnown(courier) && reports[i].Courier == courier {
			through = max(through, reports[i].Through)
		}
	}
	return through
}

// warnings returns the doubts that reading the reports found. If there are several
// reports, each says which it is about.
func (r *Remittances) warnings() []domain.Warning {
	if len(r.reports)-r.remembered < 2 {
		return r.Warnings
	}
	warnings := slices.Clone(r.Warnings)
	for i, report := range r.Reports() {
		for k := report.before.warnings; k < len(warnings); k++ {
			warnings[k].Report = i + 1
		}
	}
	return warnings
}

// SourceResults returns what each source of a connection contributed to a run with reports.
func SourceResults(c *domain.Connection, reports []ReadReport) []domain.SourceResult {
	results := make([]domain.SourceResult, len(c.Sources))
	couriers := make([][]string, len(c.Sources))
	for i, source := range c.Sources {
		results[i].SourceID = source.ID
		if source.Courier != "" {
			couriers[i] = []string{source.Courier}
		}
	}
	for i := range reports {
		at := reports[i].Source - 1
		if at < 0 {
			continue // it stands for no report at all
		}
		s := &results[at]
		s.Files++
		s.Lines += reports[i].Rows
		s.Through = max(s.Through, reports[i].Through)
		if reports[i].Courier != "" {
			couriers[at] = append(couriers[at], reports[i].Courier)
		}
	}
	for i := range results {
		results[i].Courier = domain.JoinCouriers(couriers[i])
	}
	markBehind(c, results, reports)
	return results
}

// markBehind marks the sources because of which the coverage reaches no further.
func markBehind(c *domain.Connection, results []domain.SourceResult, reports []ReadReport) {
	reaches := make([]domain.Day, len(reports)) // of all that count as one courier's
	least := domain.Day(math.MaxInt32)
	for i := range reports {
		reaches[i] = reports[i].Through
		for k := range reports {
			if reports[i].together(&reports[k]) {
				reaches[i] = max(reaches[i], reports[k].Through)
			}
		}
		least = min(least, reaches[i])
	}
	for i, source := range c.Sources {
		if results[i].Files == 0 && reachOf(reports, source.Courier) == domain.NoDay {
			least, results[i].Behind = domain.NoDay, true
		}
	}
	for i := range reports {
		if reports[i].Source > 0 && reaches[i] == least && reports[i].Through == least {
			results[reports[i].Source-1].Behind = true
		}
	}
}
