package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/adapters/httpapi/multipart"
	"milaan/domain"
	"milaan/ports"
)

// reconcileFiles is POST /reconcile/files: POST /reconcile for a form with the files as
// programs write them. It makes the same checks in the same order. The form is received
// like any body, and then split in memory.
func (s *Server) reconcileFiles(c *gin.Context) error {
	caller, b, request, err := s.receiveForm(c)
	if err != nil {
		return err
	}
	defer b.Release()
	run, err := s.reconcileAs(c, caller, b, request)
	return s.answerRun(c, run, err)
}

// receiveForm admits the caller of a form and takes the form in, which the caller of receiveForm must release. request
// makes a request of it.
func (s *Server) receiveForm(c *gin.Context) (caller ports.Caller, b intake.Arrival, request func() (ports.Request, error), err error) {
	c.Set(namesKey, PartNames{})
	boundary, err := demandForm(c.Request.Header)
	if err != nil {
		return caller, b, nil, err
	}
	var form []multipart.Part
	var broken error
	caller, b, err = s.takeIn(c, func(account string) (intake.Arrival, error) {
		return s.intake.ReadFiles(c.Request, account, func(text []byte) ports.WorkbookMemory {
			form, broken = multipart.Split(text, boundary)
			return workOfForm(form, ports.MostAPIText)
		})
	})
	return caller, b, func() (ports.Request, error) {
		if broken != nil {
			return ports.Request{}, formError(b.Text, broken)
		}
		return gather(form).request(domain.SourceAPI), nil
	}, err
}

// demandForm is demandJSON for a form. A form without a boundary has the right media type;
// it is refused when it is split.
func demandForm(h http.Header) (boundary string, err error) {
	if len(h.Values("Content-Type")) > 1 || len(h.Values("Content-Encoding")) > 1 {
		return "", errFormTwice
	}
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" {
		return "", errForm
	}
	if !isPlain(h) {
		return "", errPacked
	}
	return params["boundary"], nil
}

var formDetails = map[error]domain.Detail{
	multipart.ErrStart: domain.DetailFormStart, multipart.ErrCutShort: domain.DetailFormCut, multipart.ErrAfter: domain.DetailFormAfter,
	multipart.ErrMany:   domain.DetailManyParts,
	multipart.ErrHeader: domain.DetailPartHeader, multipart.ErrNested: domain.DetailNestedParts,
	multipart.ErrEncoded: domain.DetailEncodedPart,
}

func formError(text []byte, fault error) error {
	if len(text) == 0 {
		return domain.ErrBody(domain.DetailEmptyForm, "")
	}
	for known, detail := range formDetails {
		if errors.Is(fault, known) {
			e := domain.ErrBody(detail, "")
			e.Limit = multipart.MaxParts
			return e
		}
	}
	return fault
}

// workOfForm returns the work on the files of a form if one of them may be a workbook, or a ledger. The workbooks
// may have the given number of bytes of text together: more text than they have bytes. A file that is
// plainly CSV is none: it begins neither as an archive, a container or a BIFF stream, nor as a
// page.
func workOfForm(form []multipart.Part, most int64) ports.WorkbookMemory {
	var workbooks, others int64
	var ledger []byte
	for _, p := range form {
		switch field := fieldOfPart[p.Name]; field {
		case domain.FieldStorefront, domain.FieldCourier, domain.FieldStatement, domain.FieldPrevious:
			if field == domain.FieldPrevious {
				ledger = p.Content
			}
			if beginsLikeAWorkbook(p.Content) {
				workbooks += int64(len(p.Content))
			} else {
				others += int64(len(p.Content))
			}
		}
	}
	switch {
	case workbooks > 0 && len(ledger) > 0:
		return ports.MemoryOfWorkbooks(workbooks, others, most).WithLedger(int64(len(ledger)))
	case workbooks > 0:
		return ports.MemoryOfWorkbooks(workbooks, others, most)
	case len(ledger) > 0:
		return ports.LedgerMemory(others, ledger)
	}
	return ports.WorkbookMemory{}
}

func beginsLikeAWorkbook(content []byte) bool {
	text := bytes.TrimLeft(content, "\x00\xef\xbb\xbf\xff\xfe \r\n\t")
	return slices.ContainsFunc([]string{"PK", "\xd0\xcf", "\t\x00", "\t\x02", "\t\x04", "\t\x08", "<"}, func(beginning string) bool {
		return bytes.HasPrefix(content, []byte(beginning)) || bytes.HasPrefix(text, []byte(beginning))
	})
}

// fieldOfPart are the fields that parts of a form have.
var fieldOfPart = map[string]domain.Field{
	"orders": domain.FieldStorefront, "report": domain.FieldCourier, "bank": domain.FieldStatement, "previous": domain.FieldPrevious,
	"courierName": domain.FieldCourierName, "columns": domain.FieldColumns, "brand": domain.FieldBrand,
	"overdue_threshold_days": domain.FieldOverdueDays,
	"minor_gap_threshold":    domain.FieldMinorGap, "charges": domain.FieldCharges, "mapping": domain.FieldMapping,
	"include": domain.FieldInclude, "sheet": domain.FieldSheet,
	"format": domain.FieldFormat, "branding_name": domain.FieldBrandingName, // of documents
	"marks": domain.FieldMarks, "only": domain.FieldOnly,
}

// formReading is a form that is being read. Parts with unknown names are ignored, and so
// are fields without a text, which browsers send for what nobody has filled in.
type formReading struct {
	of     map[domain.Field][][]byte // the parts of each field
	wrong  domain.Faults
	fields jsonbody.Fields
	sheets []string
}

// emptyFile stands for a file without a byte, so that it is told from one that was not given.
var emptyFile = []byte("\n")

// gather sorts the parts of a form by their fields.
func gather(form []multipart.Part) *formReading {
	r := &formReading{of: map[domain.Field][][]byte{}}
	for _, p := range form {
		f, known := fieldOfPart[p.Name]
		isReport := f == domain.FieldCourier || f == domain.FieldCourierName || f == domain.FieldColumns || f == domain.FieldMapping
		if len(p.Content) == 0 && p.FileName != "" { // browsers name no file where nobody has chosen one
			p.Content = emptyFile
		}
		if known && (len(p.Content) > 0 || isReport) {
			r.of[f] = append(r.of[f], listed(f, p.Content)...)
		}
	}
	return r
}

// severalTexts are the fields that are no files and may be given several times.
var severalTexts = map[domain.Field]bool{
	domain.FieldCourierName: true, domain.FieldColumns: true, domain.FieldMapping: true, domain.FieldInclude: true, domain.FieldSheet: true,
}

// listed returns what one part gives of a field that may be given several times. Some generated
// clients write all of them into one part, as a JSON array of texts.
func listed(f domain.Field, content []byte) [][]byte {
	var texts []string
	if !severalTexts[f] || len(content) > multipart.MaxParts*mostFieldText || !bytes.HasPrefix(content, []byte("[")) ||
		json.Unmarshal(content, &texts) != nil || len(texts) > multipart.MaxParts {
		return [][]byte{content}
	}
	all := make([][]byte, len(texts))
	for i, text := range texts {
		all[i] = []byte(text)
	}
	return all
}

func (r *formReading) request(source domain.Source) ports.Request {
	r.fields.Shopify = r.file(domain.FieldStorefront)
	r.fields.Bank = r.once(domain.FieldStatement)
	r.fields.Previous = r.once(domain.FieldPrevious)
	r.fields.Brand = r.text(r.once(domain.FieldBrand))
	r.fields.OverdueDays = r.number(domain.FieldOverdueDays)
	r.fields.MinorGap = r.number(domain.FieldMinorGap)
	if charges := r.once(domain.FieldCharges); charges != nil {
		r.fields.Charges = new(r.text(charges))
	}
	r.readReports()
	r.readInclude()
	for _, sheet := range r.of[domain.FieldSheet] {
		r.sheets = append(r.sheets, r.text(sheet))
	}
	request := requestOf(r.fields, r.wrong, source)
	request.Workbooks, request.Sheets = true, r.sheets
	return request
}

// file returns the text of a file that must be there.
func (r *formReading) file(f domain.Field) []byte {
	text := r.once(f)
	r.wrong.Add(len(text) == 0, domain.Fault{Field: f, Rule: domain.RuleNoFile})
	return text
}

// once returns the text of a field; nil if there is none.
func (r *formReading) once(f domain.Field) []byte {
	all := r.of[f]
	r.wrong.Add(len(all) > 1, domain.Fault{Field: f, Rule: domain.RuleTwice})
	if len(all) != 1 {
		return nil
	}
	return all[0]
}

// mostFieldText is how many bytes of a field that is no file are read. No valid field has
// more.
const mostFieldText = 8 << 10

// text decodes the text of a field as a string of JSON is decoded.
func (*formReading) text(field []byte) string {
	return string([]rune(string(field[:min(len(field), mostFieldText)])))
}

// number reads a number as JSON writes it; nil if there is none.
func (r *formReading) number(f domain.Field) *float64 {
	text := bytes.TrimSpace(r.once(f))
	if len(text) == 0 {
		return nil
	}
	fields, ok := r.decode(f, text)
	r.wrong.Add(!ok, domain.OutOfBounds(f))
	if f == domain.FieldOverdueDays {
		return fields.OverdueDays
	}
	return fields.MinorGap
}

// decode reads the text of a field as the value that it has in POST /reconcile.
func (*formReading) decode(f domain.Field, text []byte) (fields jsonbody.Fields, ok bool) {
	if len(text) > mostFieldText || jsonbody.CheckSyntax(text) != nil {
		return fields, false
	}
	err := jsonbody.Decode([]byte(`{"`+fieldNames[f]+`":`+string(text)+`}`), &fields)
	return fields, err == nil
}

// readReports reads the reports, and what belongs to them: there may be one courierName for
// all of them, or one for each in their order, and so with columns.
func (r *formReading) readReports() {
	files := r.of[domain.FieldCourier]
	names, columns, mappings := r.perReport(domain.FieldCourierName), r.perReport(domain.FieldColumns), r.perReport(domain.FieldMapping)
	if len(files) < 2 {
		r.fields.Courier = r.file(domain.FieldCourier)
		r.fields.CourierName, r.fields.Columns = r.text(names.of(0)), r.columns(columns.of(0), 0)
		r.fields.Mapping = r.text(mappings.of(0))
		return
	}
	for i, content := range files[:min(len(files), domain.MaxReports+1)] {
		report := jsonbody.Report{Courier: content, CourierName: r.text(names.of(i)), Columns: r.columns(columns.of(i), i+1),
			Mapping: r.text(mappings.of(i))}
		r.wrong.Add(len(content) == 0, domain.Fault{Field: domain.FieldCourier, Rule: domain.RuleNoFile, Report: i + 1})
		r.fields.Reports = append(r.fields.Reports, report)
	}
}

// perReport has the contents of a field: one for all reports, or one for each.
type perReport [][]byte

func (p perReport) of(report int) []byte {
	switch len(p) {
	case 0:
		return nil
	case 1:
		return p[0]
	}
	return p[report]
}

func (r *formReading) perReport(f domain.Field) perReport {
	given, reports := r.of[f], len(r.of[domain.FieldCourier])
	if len(given) > 1 && len(given) != reports {
		r.wrong.Add(true, domain.Fault{Field: f, Rule: domain.RulePerReport, Max: reports})
		return nil
	}
	return given
}

// columns reads the JSON object of columns; nil if it is blank.
func (r *formReading) columns(text []byte, report int) map[string]string {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil
	}
	fields, ok := r.decode(domain.FieldColumns, text)
	fault := mistyped(domain.FieldColumns, "")
	fault.Report = report
	r.wrong.Add(!ok, fault)
	return fields.Columns
}

// readInclude reads the names of include, which are separated by commas or given in parts
// of their own.
func (r *formReading) readInclude() {
	for _, list := range r.of[domain.FieldInclude] {
		for name := range strings.SplitSeq(r.text(list), ",") {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			all, unknown := domain.ParseInclude([]string{name})
			if r.fields.Include |= all; unknown != "" && r.fields.NotIncluded == nil {
				r.fields.NotIncluded = new(domain.Shortened(unknown))
			}
		}
	}
}
