package answer

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"reflect"
	"strings"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// exportFormat changes if members of an export are renamed or removed.
const exportFormat = "milaan-account-1"

// WriteExport writes each member when it is read.
func (w *Writer) WriteExport(out io.Writer, e *ports.AccountExport) error {
	x := &export{words: w, out: bufio.NewWriterSize(out, chunk)}
	x.text("{\n")
	x.member("format", exportFormat)
	x.member("exported_at", view.Instant(e.At))
	x.member("account", view.NewExportedAccount(e))
	x.member("members", view.Each(e.People.Members, view.NewExportedMember))
	x.member("invitations", view.Each(e.People.Invitations, view.NewInvitation))
	x.member("subscriptions", view.Each(e.Billed, view.NewExportedSubscription))
	x.member("keys", view.Each(e.Keys, view.NewExportedKey))
	x.member("sandbox_days", view.Each(e.SandboxDays, func(d *ports.SandboxDay) exportedDay {
		return exportedDay{d.Day.String(), d.Runs}
	}))
	x.member("sessions", view.Each(e.Sessions, func(s *domain.Session) exportedSession {
		return exportedSession{view.Instant(s.CreatedAt), view.Instant(s.UsedAt)}
	}))
	x.member("mappings", view.NewListedMappings[view.Instant](e.Mappings, e.Named))
	if !e.Branding.IsEmpty() {
		x.member("branding", view.NewExportedBranding(&e.Branding))
	}
	if e.Books != (domain.Books{}) {
		x.member("books", view.NewBooks(&e.Books))
	}
	if e.Webhook.AccountID != "" {
		x.member("webhook", view.NewExportedWebhook(&e.Webhook))
	}
	x.member("mail_choice", view.NewExportedMailChoice(e.MailChoice))
	list(x, "mails", e.Mails, func(m domain.Mail) {
		x.element(exportedMail{string(m.Kind), m.ConnectionID, m.Period, view.Instant(m.CreatedAt), view.Instant(m.SentAt)})
	})
	x.begin("connections", '[')
	for i := range e.Connections {
		x.connection(&e.Connections[i])
	}
	x.end(']')
	list(x, "batches", e.Batches, x.batch)
	list(x, "deliveries", e.Deliveries, func(d domain.Delivery) { x.element(view.NewExportedDelivery(&d)) })
	list(x, "security_log", e.Events, func(s domain.SecurityEvent) {
		x.element(view.NewSecurityEvent(&s))
	})
	list(x, "runs", e.Runs, func(r domain.Run) { x.element(view.NewExportedRun(&r)) })
	x.text("\n}\n")
	return x.flush()
}

// export is an export that is being written. After an error nothing more is written.
type export struct {
	words  *Writer
	out    *bufio.Writer
	before string // what stands before the next member or element
	failed error
}

// flush writes what is left, and returns what has failed first.
func (x *export) flush() error {
	if x.failed != nil {
		return x.failed
	}
	return x.out.Flush()
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

func (x *export) member(name string, v any) {
	x.name(name)
	x.value(v)
	x.before = ",\n"
}

// members writes the members of a struct, each in a line.
func (x *export) members(v reflect.Value) {
	for field, value := range v.Fields() {
		if field.Anonymous {
			x.members(value)
		} else {
			x.member(field.Tag.Get("json"), value.Interface())
		}
	}
}

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
	x.members(reflect.ValueOf(view.NewExportedConnection(&c.Connection, x.sentence)))
	list(x, "passes", c.Passes, func(p domain.Pass) { x.element(view.NewExportedPass(&p, x.sentence, x.warning)) })
	x.member("ignored_files", view.Each(c.Ignored, view.NewIgnoredFile))
	switch kept, err := c.Ledger(); {
	case err == nil:
		x.member("kept_open_items", view.NewExportedLedger(&kept))
	case !errors.Is(err, domain.ErrNoItems) && !errors.Is(err, domain.ErrNoConnection) && !errors.Is(err, domain.ErrItemsUnread):
		x.fail(err)
	}
	list(x, "kept_files", c.Files, func(f ports.ExportedFile) {
		x.element(view.ExportedFile{ID: f.ID, Name: f.Name, SourceID: f.SourceID, At: view.Instant(f.At), Bytes: f.Bytes, Content: f.Content})
	})
	x.end('}')
}

func (x *export) sentence(err error) string { return x.words.words.Message(err, x.words.names) }

func (x *export) warning(w *domain.Warning) string {
	return x.words.words.Warning(w, x.words.names)
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
	x.member("open_jobs", view.Each(b.Open, func(l *ports.JobLabels) exportedLabels { return exportedLabels(*l) }))
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

type exportedDay struct {
	Day  string `json:"day"`
	Runs int    `json:"runs"`
}

type exportedSession struct {
	CreatedAt view.Instant `json:"created_at"`
	UsedAt    view.Instant `json:"used_at"`
}

type exportedMail struct {
	Kind         string       `json:"kind"`
	ConnectionID string       `json:"connection_id"`
	Period       string       `json:"period"`
	CreatedAt    view.Instant `json:"created_at"`
	SentAt       view.Instant `json:"sent_at"`
}

type exportedLabels struct {
	Position    int    `json:"position"` // from 0
	Brand       string `json:"brand"`
	CourierName string `json:"courierName"`
}
