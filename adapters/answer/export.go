package answer

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// exportFormat changes if members of an export are renamed or removed.
const exportFormat = "milaan-account-1"

// WriteExport fills glue.Exports. Each member is written when it is read.
func (w *Writer) WriteExport(out io.Writer, e *ports.AccountExport) error {
	x := &export{words: w, out: bufio.NewWriterSize(out, chunk)}
	x.text("{\n")
	x.member("format", exportFormat)
	x.member("exported_at", view.Instant(e.At))
	x.member("account", view.NewExportedAccount(e))
	x.member("members", mapped(e.People.Members, func(m domain.Member) any {
		return exportedMember{m.ID, m.Email, string(m.Role), view.Instant(m.AddedAt)}
	}))
	x.member("invitations", mapped(e.People.Invitations, func(i domain.Invitation) any {
		return exportedInvitation{i.ID, i.Email, string(i.Role), view.Instant(i.MadeAt), view.Instant(i.Until)}
	}))
	x.member("subscriptions", mapped(e.Billed, exportedSubscriptionOf))
	x.member("keys", mapped(e.Keys, exportedKeyOf))
	x.member("sandbox_days", mapped(e.SandboxDays, func(d ports.SandboxDay) any {
		return exportedDay{d.Day.String(), d.Runs}
	}))
	x.member("sessions", mapped(e.Sessions, func(s domain.Session) any { return exportedSession{view.Instant(s.CreatedAt), view.Instant(s.UsedAt)} }))
	x.member("mappings", mapped(e.Mappings, exportedMappingOf))
	if !e.Branding.IsEmpty() {
		x.member("branding", exportedBrandingOf(e.Branding))
	}
	if e.Webhook.AccountID != "" {
		x.member("webhook", exportedWebhook{view.OrNone(e.Webhook.Endpoint), view.Instant(e.Webhook.SetAt), view.Instant(e.Webhook.RotatedAt)})
	}
	x.member("mail_choice", exportedMails{!e.MailChoice.NoDigest, !e.MailChoice.NoAlerts})
	list(x, "mails", e.Mails, func(m domain.Mail) {
		x.element(exportedMail{string(m.Kind), m.ConnectionID, m.Period, view.Instant(m.CreatedAt), view.Instant(m.SentAt)})
	})
	x.begin("connections", '[')
	for i := range e.Connections {
		x.connection(&e.Connections[i])
	}
	x.end(']')
	list(x, "batches", e.Batches, x.batch)
	list(x, "deliveries", e.Deliveries, func(d domain.Delivery) { x.element(exportedDeliveryOf(d)) })
	list(x, "security_log", e.Events, func(s domain.SecurityEvent) {
		x.element(view.NewSecurityEvent[view.Instant](&s))
	})
	list(x, "runs", e.Runs, func(r domain.Run) { x.element(view.NewExportedRun(&r)) })
	x.text("\n}\n")
	if x.failed != nil {
		return x.failed
	}
	return x.out.Flush()
}

// export is an export that is being written. After an error nothing more is written.
type export struct {
	words  *Writer
	out    *bufio.Writer
	before string // what stands before the next member or element
	failed error
}

func (x *export) fail(err error) {
	if x.failed == nil {
		x.failed = err
	}
}

func (x *export) text(s string) {
	if x.failed == nil {
		_, err := x.out.WriteString(s)
		x.fail(err)
	}
}

// value writes a value as JSON, in which <, > and & are not escaped.
func (x *export) value(v any) {
	if x.failed != nil {
		return
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	x.fail(encoder.Encode(v))
	x.text(strings.TrimSuffix(b.String(), "\n"))
}

func (x *export) name(name string) {
	x.text(x.before)
	x.value(name)
	x.text(": ")
}

// member writes a member of an object.
func (x *export) member(name string, v any) {
	x.name(name)
	x.value(v)
	x.before = ",\n"
}

// element writes an element of a list.
func (x *export) element(v any) {
	x.text(x.before)
	x.value(v)
	x.before = ",\n"
}

// begin writes the beginning of a list or an object, under a name unless that is blank.
func (x *export) begin(name string, bracket byte) {
	if name == "" {
		x.text(x.before)
	} else {
		x.name(name)
	}
	x.text(string(bracket))
	x.before = "\n"
}

func (x *export) end(bracket byte) {
	x.text(string(bracket))
	x.before = ",\n"
}

// list writes a list whose elements are read one after the other.
func list[T any](x *export, name string, all iter.Seq2[T, error], write func(T)) {
	x.begin(name, '[')
	if x.failed == nil {
		for v, err := range all {
			if err != nil {
				x.fail(err)
				break
			}
			if write(v); x.failed != nil {
				break
			}
		}
	}
	x.end(']')
}

// connection writes a connection with its passes and kept files.
func (x *export) connection(c *ports.ExportedConnection) {
	x.begin("", '{')
	x.member("id", c.ID)
	x.member("brand", c.Brand)
	x.member("shop", exportedPart{Connector: string(c.Shop.Connector), Settings: told(c.Shop.Settings)})
	x.member("sources", mapped(c.Sources, func(s domain.ReportSource) any {
		return exportedSource{exportedPart{string(s.Connector), told(s.Settings)}, s.ID, s.Pattern, s.Courier, columnsOf(s.Columns), view.Instant(s.Since)}
	}))
	x.member("window_days", c.WindowDays)
	x.member("overdue_threshold_days", c.OverdueDays)
	x.member("minor_gap_threshold", c.MinorGap)
	x.member("alert_above", view.Rupees(c.AlertAbove))
	x.member("created_at", view.Instant(c.CreatedAt))
	x.member("changed_at", view.Instant(c.ChangedAt))
	x.member("state", string(c.State))
	x.member("next_pass_at", view.Instant(c.NextPassAt))
	x.member("checked_at", view.Instant(c.CheckedAt))
	x.member("failing_since", view.Instant(c.FailingSince))
	x.member("failure", x.failure(c.Failure))
	x.member("last_run_id", view.OrNone(c.LastRunID))
	x.member("last_run_at", view.Instant(c.LastRunAt))
	x.member("amount_risk", view.Rupees(c.AtRisk))
	x.member("left", view.NewOrderSum(c.Left))
	list(x, "passes", c.Passes, func(p domain.Pass) { x.element(x.pass(&p)) })
	list(x, "kept_files", c.Files, func(f ports.ExportedFile) {
		x.element(exportedFile{f.ID, f.Name, f.SourceID, view.Instant(f.At), f.Bytes, f.Content})
	})
	x.end('}')
}

func (x *export) pass(p *domain.Pass) exportedPass {
	v := exportedPass{ID: p.ID, Slot: view.Instant(p.Slot), Asked: p.Asked, DueAt: view.Instant(p.Due), StartedAt: view.Instant(p.StartedAt), EndedAt: view.Instant(p.EndedAt), Outcome: string(p.Outcome),
		Failure: x.failure(p.Failure), RunID: view.OrNone(p.RunID), Orders: p.Orders, Left: view.NewOrderSum(p.Left), Warnings: []exportedWarning{}}
	v.Sources = mapped(p.Sources, func(s domain.SourceResult) any {
		left := mapped(s.LeftOut, func(mail domain.LeftOutMail) any {
			return exportedLeftOut{view.Instant(mail.At), string(mail.Rule), x.failure(mail.Failure())}
		})
		return exportedSourceResult{s.SourceID, view.OrEmpty(domain.SplitCouriers(s.Courier)), s.Files, s.Lines, view.OrNone(s.Through.String()), s.Behind, left, view.OrNone(s.RefusedFrom.String())}
	})
	for i := range p.Warnings {
		v.Warnings = append(v.Warnings, exportedWarning{string(p.Warnings[i].Code), string(x.words.words.AppendWarning(nil, &p.Warnings[i], x.words.names))})
	}
	return v
}

// failure returns the message of a failure; nil for none.
func (x *export) failure(e *domain.ConnectorError) *string {
	if e == nil {
		return nil
	}
	return new(string(x.words.words.AppendError(nil, e, x.words.names)))
}

// batch writes a batch. Results that are deleted meanwhile end the list.
func (x *export) batch(b ports.ExportedBatch) {
	x.begin("", '{')
	x.member("batch_id", b.ID)
	x.member("status", string(b.State()))
	x.member("jobs", b.Jobs)
	x.member("completed", b.Completed)
	x.member("webhook_url", view.OrNone(b.WebhookURL))
	x.member("submitted_at", view.Instant(b.SubmittedAt))
	x.member("started_at", view.Instant(b.StartedAt))
	x.member("completed_at", view.Instant(b.CompletedAt))
	x.member("open_jobs", mapped(b.Open, func(l ports.JobLabels) any { return exportedLabels{l.Position, l.Brand, l.CourierName} }))
	if b.Results != nil {
		list(x, "results", untilGone(b.Results), func(result []byte) {
			x.text(x.before)
			if x.failed == nil {
				_, err := x.out.Write(result)
				x.fail(err)
			}
			x.before = ",\n"
		})
	}
	x.end('}')
}

func untilGone(results iter.Seq2[[]byte, error]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for result, err := range results {
			if errors.Is(err, domain.ErrBatchGone) || !yield(result, err) {
				return
			}
		}
	}
}

// mapped never returns nil, which JSON would write as null.
func mapped[T any](all []T, view func(T) any) []any {
	views := make([]any, len(all))
	for i, v := range all {
		views[i] = view(v)
	}
	return views
}

// told returns the settings that have a value: the secret ones are blank.
func told(settings domain.Settings) map[string]string {
	values := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if settings[name] != "" {
			values[name] = settings[name]
		}
	}
	return values
}

func columnsOf(columns map[domain.Role]string) domain.Columns {
	named := domain.Columns{}
	for role, header := range columns {
		named[role.String()] = header
	}
	return named
}
