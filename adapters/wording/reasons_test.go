package wording

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/bits"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// constants has the constants of domain whose names begin so, with their literals, as the
// source has them.
func constants(t *testing.T, file, beginning string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "../../domain/"+file, nil, 0)
	require.NoError(t, err)
	found := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, beginning) {
			found[spec.Names[0].Name] = ""
			if len(spec.Values) > 0 {
				if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
					found[spec.Names[0].Name] = literal.Value
				}
			}
		}
		if pair, ok := n.(*ast.KeyValueExpr); ok && beginning == "Code" { // of one error alone
			if literal, ok := pair.Value.(*ast.BasicLit); ok && pair.Key.(*ast.Ident).Name == "Code" {
				found[fmt.Sprint(pair.Pos())] = literal.Value
			}
		}
		return true
	})
	return found
}

// TestNothingIsWithoutWords holds that the tables have words for everything that
// the domain can say, whatever else is told with it.
func TestNothingIsWithoutWords(t *testing.T) {
	require.Len(t, constants(t, "reason.go", "Cause"), causeCount, "a cause is not in the tables")
	notes := len(constants(t, "reason.go", "Note"))
	require.Len(t, domain.Flags(), flagCount)
	c := New()
	worded := func(part clause[domain.Reason], r domain.Reason) bool {
		words, known := part.append(c, nil, &r)
		return known && len(words) > 0
	}
	for cause := 1; cause < causeCount; cause++ {
		require.True(t, worded(c.causes[cause], domain.Reason{}), "cause %d", cause)
	}
	for i := range notes {
		require.True(t, worded(c.notes[i], domain.Reason{}), "note %d", i)
	}
	require.Equal(t, domain.NoteHint, domain.Notes(1)<<(notes-1), "the hint is the last note")
	for i := range c.figures {
		// No figures of a window are used without its dates.
		require.True(t, worded(c.figures[i], base(domain.Missing)), "figures %d", i)
	}
	for i, phrase := range c.phrases {
		require.NotEmpty(t, phrase, "phrase %d", i)
	}
	for i := range c.unlisted {
		require.True(t, worded(c.unlisted[i], domain.Reason{}))
	}
}

// contractPhrases are what reasons begin with (guide: verdict 4).
var contractPhrases = map[domain.Flag]string{
	domain.Missing: "Not remitted: ", domain.ShortPaid: "Shortfall detected: ", domain.Overdue: "Not remitted within the courier's window: ",
	domain.RTOAnomaly: "Returned but COD collected: ", domain.MinorDiff: "Within tolerance: ", domain.Overpaid: "Overpaid: ",
	domain.Reconciled: "Fully remitted: ", domain.AwaitingNextCycle: "Awaiting next remittance cycle: ",
}

// eachReason makes every flag with every cause, every note alone and all
// together, with all values told and with none.
func eachReason(each func(domain.Reason)) {
	eachReasonOf(1, each)
	eachReasonOf(3, each)
}

// eachReasonOf is eachReason for a run of the given number of reports.
func eachReasonOf(reports int, each func(domain.Reason)) {
	const all = domain.NoteHint<<1 - 1
	known := bits.OnesCount32(uint32(all))
	for _, full := range []bool{true, false} {
		for _, flag := range domain.Flags() {
			for cause := range domain.Cause(causeCount) {
				for note := -1; note <= known; note++ {
					r := domain.Reason{Flag: flag, Cause: cause, Due: 1, Reports: reports}
					if full {
						r = base(flag, inReports(reports), because(cause), owing(500*rs, 450*rs), paidOn(day(10, 12)), listedAs("Delivered", "Pending"), paidWith("Razorpay"),
							listing(480*rs), about("#1002"), parcelsOf(1, 2), repeating(2), backFor(50*rs), tookBack(10*rs), hinting("A1", 650*rs),
							charging(20*rs, freight), counted(domain.EventDelivery), lacking("dtdc"), carriedBy("DTDC"))
					}
					switch {
					case note == -1:
						r.Notes = 0
					case note == known:
						r.Notes = all
					default:
						r.Notes = domain.Notes(1) << note
					}
					each(r)
				}
			}
		}
	}
}

func TestEveryFlagCauseAndNote(t *testing.T) {
	c := New()
	remains := regexp.MustCompile(`[{}\[\]#|]$|[{}|]|; ;|: ;|  |\(\)|“”|;$|: $|^ | $|\n`) // of the table, or of what was left out
	said := map[string]bool{}
	eachReason(func(r domain.Reason) {
		got := string(c.AppendReason(nil, &r))
		require.True(t, strings.HasPrefix(got, contractPhrases[r.Flag]), got)
		if !said[got] { // many are said again
			said[got] = true
			require.NotRegexp(t, remains, got)
			seen := map[string]bool{}
			for part := range strings.SplitSeq(got[strings.Index(got, ": ")+2:], "; ") {
				require.NotEmpty(t, part, got)
				require.False(t, seen[part], "%q is said twice in %q", part, got)
				seen[part] = true
			}
		}
		// A note adds a part unless the cause or the figures say it already.
		if bits.OnesCount32(uint32(r.Notes)) == 1 {
			_, figure := finding(&r)
			without := r
			without.Notes = 0
			if alreadySaid(&r, figure)&r.Notes == 0 {
				require.Greater(t, len(got), len(c.AppendReason(nil, &without)), "%+v", r)
			}
		}
	})
}

// TestSeveralReports holds that no reason of a run of several reports speaks of the report,
// and that reasons of other runs do not speak of several.
func TestSeveralReports(t *testing.T) {
	c := New()
	eachReason(func(r domain.Reason) {
		got := string(c.AppendReason(nil, &r))
		if r.Reports > 1 {
			require.NotRegexp(t, `\bthe report\b`, got)
			return
		}
		require.NotContains(t, got, "the reports")
	})
}

// TestCausesAreSaid holds that a flag that hangs on a cause says it.
func TestCausesAreSaid(t *testing.T) {
	c := New()
	for cause := domain.CausePrepaid; cause < domain.Cause(causeCount); cause++ {
		flag, amounts := domain.Overdue, owing(650*rs, 0)
		switch {
		case cause <= domain.CauseReturnedAmount:
			flag, amounts = domain.Reconciled, owing(0, 0)
		case cause <= domain.CauseMarkedPaid:
			flag = domain.RTOAnomaly
		}
		with, without := base(flag, amounts, because(cause)), base(flag, amounts)
		require.NotEqual(t, string(c.AppendReason(nil, &without)), string(c.AppendReason(nil, &with)), "cause %d", cause)
	}
}

// TestReasonsTakeNoMemory holds that a reason allocates nothing: there is one per
// row.
func TestReasonsTakeNoMemory(t *testing.T) {
	c, dst := New(), make([]byte, 0, 8<<10)
	for _, s := range sentences {
		require.Zero(t, testing.AllocsPerRun(10, func() { dst = c.AppendReason(dst[:0], &s.reason) }), s.want)
	}
	var reasons []domain.Reason
	eachReason(func(r domain.Reason) { reasons = append(reasons, r) })
	require.Zero(t, testing.AllocsPerRun(3, func() {
		for i := range reasons {
			dst = c.AppendReason(dst[:0], &reasons[i])
		}
	}))
}

// TestPaidInFullIsSaidAsEverythingElse holds that the reason which is one clause reads as
// if it had been put together.
func TestPaidInFullIsSaidAsEverythingElse(t *testing.T) {
	c := New()
	eachReason(func(r domain.Reason) {
		for _, on := range []domain.Day{domain.NoDay, day(10, 2)} {
			r.RemittedOn = on
			require.Equal(t, string(c.appendReason(nil, &r)), string(c.AppendReason(nil, &r)))
		}
	})
	paid := base(domain.Reconciled, owing(650*rs, 650*rs), paidOn(day(10, 2)))
	for want, words := range map[string]text{
		"Fully remitted: all ₹650 on 2026-10-02": {"all {remitted}[ on {remitted on}]"},
		"Fully remitted: ₹650, in time":          {"{due}[ of {accepted}], in time"},
		"Fully remitted: ₹650 before 2026-10-08": {"{due} before {due by}"},
		"Fully remitted: ₹650; be glad":          {"{due}", "be glad"},
	} {
		l := map[string]map[string]any{"figures": {"paid_in_full": words[:1]}}
		if len(words) > 1 {
			l["advice"] = map[string]any{domain.Reconciled.String(): words[1:]}
		}
		require.Equal(t, want, string(read(withReasons(l)).AppendReason(nil, &paid)))
	}
}

// TestWordsNeedNoEscaping holds the promise of peers.Wording.
func TestWordsNeedNoEscaping(t *testing.T) {
	for _, words := range []string{`a "word"`, `a\word`, "two\nlines", "no \xff UTF-8"} {
		require.Panics(t, func() { read(withReasons(map[string]map[string]any{"phrases": {"awaiting": words}})) }, words)
		require.Panics(t, func() {
			read(withReasons(map[string]map[string]any{"advice": {domain.Overpaid.String(): text{words}}}))
		}, words)
	}
}

// withReasons returns the texts of english.json with others of some reasons.
func withReasons(others map[string]map[string]any) texts {
	return func(section string) []byte {
		if section != "reasons" {
			return english(section)
		}
		reasons := decoded[map[string]any](english(section))
		for part, words := range others {
			maps.Copy(reasons[part].(map[string]any), words)
		}
		indented, err := json.MarshalIndent(reasons, "", "  ")
		if err != nil {
			panic(err)
		}
		return indented
	}
}

// TestUnknownValues holds that a value which the tables do not know yet is left
// out and stops nothing.
func TestUnknownValues(t *testing.T) {
	r := base(domain.Overdue, because(domain.Cause(200)), noted(1<<31))
	require.Equal(t, "Not remitted within the courier's window: ₹650 due by 2026-10-08, 12 days late as of 2026-10-20", string(New().AppendReason(nil, &r)))
}
