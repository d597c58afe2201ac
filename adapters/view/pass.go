package view

import "milaan/domain"

// Pass is a pass as the pages show it.
type Pass struct {
	pass[*ConnectorFailure, string, LeftOut]
	Leaving  OrderSum  `json:"leaving"`
	Warnings []Warning `json:"warnings"`
}

// NewPass returns a pass as the pages show it. warning says a warning of its run.
func NewPass(p *domain.Pass, say Sentence, warning func(*domain.Warning) string) Pass {
	left := func(all []domain.LeftOutMail) []LeftOut { return newLeftOut(all, say) }
	warnings := Each(p.Warnings, func(w *domain.Warning) Warning {
		return Warning{w.Code, warning(w), w.Count, rupeesIf(w.HasAmount, w.Amount)}
	})
	return Pass{newPass(p, newConnectorFailure(p.Failure, say), p.RunID, left, say), NewOrderSum(p.Leaving), warnings}
}

// ExportedPass is a pass in the export of an account.
type ExportedPass struct {
	pass[*string, *string, exportedLeftOut]
	Warnings []exportedWarning `json:"warnings"`
}

// NewExportedPass returns a pass as the export of its account has it.
func NewExportedPass(p *domain.Pass, say Sentence, warning func(*domain.Warning) string) ExportedPass {
	left := func(all []domain.LeftOutMail) []exportedLeftOut {
		return Each(all, func(m *domain.LeftOutMail) exportedLeftOut {
			return exportedLeftOut{Instant(m.At), m.Rule, say(m.Failure())}
		})
	}
	pass := newPass(p, say.orNone(p.Failure), OrNone(p.RunID), left, say)
	return ExportedPass{pass, Each(p.Warnings, func(w *domain.Warning) exportedWarning {
		return exportedWarning{w.Code, warning(w)}
	})}
}

// ListedPass is a pass as the commands print it.
type ListedPass struct {
	ID string `json:"id"`
	passTimes[Second]
	Failure  string               `json:"failure,omitempty"`
	RunID    string               `json:"run_id,omitempty"`
	Orders   int                  `json:"orders"`
	Sources  []listedSourceResult `json:"sources"`
	Left     OrderSum             `json:"left"`
	Leaving  OrderSum             `json:"leaving"`
	Warnings []domain.WarningCode `json:"warnings,omitempty"`
	// OpenItems are absent if the connection does not keep them.
	OpenItems []CourierSum `json:"open_items,omitzero"`
}

type listedSourceResult struct {
	Courier string `json:"courier"`
	sourceFiles
	LeftOut     []listedLeftOut `json:"left_out,omitempty"`
	RefusedFrom *string         `json:"refused_from,omitempty"`
}

type listedLeftOut struct {
	At     Second `json:"at"`
	Reason string `json:"reason"`
}

// NewListedPass returns a pass as the commands print it.
func NewListedPass(p *domain.Pass, say Sentence) ListedPass {
	v := ListedPass{ID: p.ID, passTimes: newPassTimes[Second](p), RunID: p.RunID, Orders: p.Orders,
		Left: NewOrderSum(p.Left), Leaving: NewOrderSum(p.Leaving),
		OpenItems: newCourierSums(p.OpenItems), Warnings: Each(p.Warnings, func(w *domain.Warning) domain.WarningCode { return w.Code })}
	if p.Failure != nil {
		v.Failure = say(p.Failure)
	}
	v.Sources = Each(p.Sources, func(s *domain.SourceResult) listedSourceResult {
		return listedSourceResult{s.Courier, newSourceFiles(s, say), Each(s.LeftOut, func(m *domain.LeftOutMail) listedLeftOut {
			return listedLeftOut{Second(m.At), say(m.Failure())}
		}), OrNone(s.RefusedFrom.String())}
	})
	return v
}

// pass is what pages and the export have of a pass. F is a failure, R the id of a run, and L a
// mail that was not taken.
type pass[F, R, L any] struct {
	ID   string  `json:"id"`
	Slot Instant `json:"slot"`
	passTimes[Instant]
	Failure F                 `json:"failure"`
	RunID   R                 `json:"run_id"`
	Orders  int               `json:"orders"`
	Sources []SourceResult[L] `json:"sources"`
	Left    OrderSum          `json:"left"`
	// OpenItems are what is claimed from each courier; absent: the connection does not keep its open items.
	OpenItems []CourierSum `json:"open_items,omitzero"`
}

// CourierSum are the orders for which money is claimed from a courier, and how much.
type CourierSum struct {
	Courier string `json:"courier"` // id; blank: not known
	Orders  int    `json:"orders"`
	Amount  Rupees `json:"amount"`
}

func newCourierSums(sums []domain.CourierSum) []CourierSum {
	if sums == nil {
		return nil
	}
	return Each(sums, func(s *domain.CourierSum) CourierSum { return CourierSum{s.Courier, s.Orders, Rupees(s.Amount)} })
}

func newPass[F, R, L any](
	p *domain.Pass, failure F, run R, left func([]domain.LeftOutMail) []L, say Sentence,
) pass[F, R, L] {
	sources := Each(p.Sources, func(s *domain.SourceResult) SourceResult[L] {
		couriers := OrEmpty(domain.SplitCouriers(s.Courier))
		return SourceResult[L]{s.SourceID, couriers, newSourceFiles(s, say), left(s.LeftOut), OrNone(s.RefusedFrom.String())}
	})
	return pass[F, R, L]{p.ID, Instant(p.Slot), newPassTimes[Instant](p), failure, run, p.Orders, sources, NewOrderSum(p.Left),
		newCourierSums(p.OpenItems)}
}

// passTimes is when and how a pass was made.
type passTimes[T Instant | Second] struct {
	Asked     bool               `json:"asked"` // by a person
	DueAt     T                  `json:"due_at" ts:"string"`
	StartedAt T                  `json:"started_at"` // null: it waits
	EndedAt   T                  `json:"ended_at"`   // null: it waits or is under way
	Outcome   domain.PassOutcome `json:"outcome"`    // blank: it waits or is under way
}

func newPassTimes[T Instant | Second](p *domain.Pass) passTimes[T] {
	return passTimes[T]{p.Asked, T(p.Due), T(p.StartedAt), T(p.EndedAt), p.Outcome}
}

// SourceResult is what a report source contributed to a pass.
type SourceResult[L any] struct {
	SourceID string   `json:"source_id"`
	Couriers []string `json:"couriers"` // ids
	sourceFiles
	// LeftOut are mails with reports that were not taken, latest first.
	LeftOut []L `json:"left_out"`
	// RefusedFrom is the day from which the source is refused, because its settings are of an
	// earlier version; null: they are not.
	RefusedFrom *string `json:"refused_from"`
}

type sourceFiles struct {
	Files   int     `json:"files"`
	Lines   int     `json:"lines"`
	Through *string `json:"through"` // null: it has no date
	Behind  bool    `json:"behind"`  // the run reaches no further because of it
	// Skipped are files that were left out, latest first.
	Skipped []SkippedFile `json:"skipped"`
}

// SkippedFile is a file that a pass has left out.
type SkippedFile struct {
	Name   string               `json:"name"`
	Rule   domain.ConnectorRule `json:"rule"`
	Reason string               `json:"reason"`
}

func newSourceFiles(s *domain.SourceResult, say Sentence) sourceFiles {
	return sourceFiles{s.Files, s.Lines, OrNone(s.Through.String()), s.Behind, Each(s.Skipped, func(f *domain.SkippedFile) SkippedFile {
		return SkippedFile{f.Name, f.Rule, say(&domain.ConnectorError{Rule: f.Rule})}
	})}
}

// LeftOut is a mail with reports that was not taken.
type LeftOut struct {
	At      Instant              `json:"at" ts:"string"`
	From    string               `json:"from"` // blank: not known, or of a pass, which does not store it
	Rule    domain.ConnectorRule `json:"rule"`
	Message string               `json:"message"`
}

func newLeftOut(left []domain.LeftOutMail, say Sentence) []LeftOut {
	return Each(left, func(m *domain.LeftOutMail) LeftOut { return LeftOut{Instant(m.At), m.From, m.Rule, say(m.Failure())} })
}

type exportedLeftOut struct {
	At     Instant              `json:"at"`
	Rule   domain.ConnectorRule `json:"rule"`
	Reason string               `json:"reason"`
}

// Warning is a warning of a run. In a pass, count and amount are always there.
type Warning struct {
	Code    domain.WarningCode `json:"code"`
	Message string             `json:"message"`
	Count   int                `json:"count"`
	Amount  *Rupees            `json:"amount"` // null: it speaks of none
}

type exportedWarning struct {
	Code    domain.WarningCode `json:"code"`
	Message string             `json:"message"`
}
