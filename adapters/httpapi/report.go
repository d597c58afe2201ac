package httpapi

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// makeDocument is POST /report. Its checks are those of POST /reconcile, in the same order.
// To write a document takes more time and memory than all else. So only as many are written at
// once as there are cores, each into memory: a slow client then holds nothing but the document.
func (s *Server) makeDocument(c *gin.Context) error {
	var decoder jsonbody.Decoder
	caller, b, err := s.receive(c, &decoder)
	if err != nil {
		return err
	}
	defer b.Release()
	document, err := s.documentOfBody(c, caller, b, &decoder)
	return s.answerDocument(c, b, document, err)
}

// answerDocument counts the run of a document and writes the document, and then releases it;
// or it returns why there is none.
func (s *Server) answerDocument(c *gin.Context, b intake.Arrival, document *ports.Document, err error) error {
	if err != nil {
		s.figures.countRun(c, nil, err)
		return err
	}
	defer document.Release()
	s.figures.countRun(c, document.FinishedRun, nil)
	s.nameRun(c, document.FinishedRun)
	var w written
	if err := b.WithPlace(memoryOf(document), func() error { return w.write(document) }); err != nil {
		return err
	}
	return s.sendWritten(c, b, document, &w)
}

// written is a document that was written, with what it leaves out.
type written struct {
	gathered
	leftOut []domain.Warning
}

func (w *written) write(document *ports.Document) (err error) {
	w.leftOut, err = writeDocument(w, document)
	return err
}

func (s *Server) sendWritten(c *gin.Context, b intake.Arrival, document *ports.Document, w *written) error {
	s.warnOf(c, w.leftOut)
	format, day := document.Format, document.Guidance.BatchAsOf
	document.Release()
	b.Keep(int64(w.size))
	return s.sendDocument(c, format, day, &w.gathered)
}

// bytesPerFlagged is how many bytes of memory a document takes at most for each flagged order
// while it is written, and for each that only a ledger has: 200 MB for 50,000.
const bytesPerFlagged = 4 << 10

// bytesPerVoucher is how many bytes of memory vouchers take at most for each line of the reports, of which each may be a
// payout of its own: 200 MB for 50,000.
const bytesPerVoucher = 4 << 10

// memoryOf returns how many bytes it takes to write a document, with the results.
func memoryOf(d *ports.Document) int64 {
	if f := d.Format; f == domain.FormatTally || f == domain.FormatJournal {
		return d.Memory + int64(d.Tally.CourierRows+1)*bytesPerVoucher
	}
	return d.Memory + int64(d.Tally.Flags.Flagged()+d.All()-d.Len()+1)*bytesPerFlagged
}

// documentOfBody makes the document that a body asks for. The use case gives the body's
// buffer back as soon as all files are read. What was charged for the work is kept until the
// document is written.
func (s *Server) documentOfBody(c *gin.Context, caller ports.Caller, b intake.Arrival, decoder *jsonbody.Decoder) (*ports.Document, error) {
	request, err := readRequest(b.Text, decoder)
	if err != nil {
		return nil, err
	}
	asked := ports.DocumentRequest{Request: request}
	for field, text := range map[domain.Field]*string{domain.FieldFormat: &asked.Format, domain.FieldBrandingName: &asked.BrandingName} {
		value, wrong := decoder.Text(fieldNames[field])
		*text = value
		asked.Misread.Add(wrong != "", domain.Fault{Field: field, Rule: domain.RuleType, Value: wrong})
	}
	asked.Marks = readMarks(domain.FieldMarks, decoder.Value(fieldNames[domain.FieldMarks]), &asked.Misread)
	asked.Only = readOnly(decoder.Value(fieldNames[domain.FieldOnly]), &asked.Misread)
	asked.Read = b.Free
	key, faults := requestKey(c.Request.Header)
	caller.RequestKey, asked.Misread = key, append(asked.Misread, faults...)
	document, err := s.params.Documents.MakeDocument(c.Request.Context(), caller, asked)
	return document, onlyFirst(byKey(key, err))
}

// form is how a format is answered.
type form struct {
	media     string
	extension string
	zipped    bool // several files, in one archive
	text      bool // not compressed by itself
}

var forms = map[domain.Format]form{
	domain.FormatXLSX:    {media: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", extension: ".xlsx"},
	domain.FormatPDF:     {media: "application/pdf", extension: ".pdf"},
	domain.FormatCSV:     {media: "application/zip", extension: "-csv.zip", zipped: true},
	domain.FormatDispute: {media: "application/zip", extension: "-dispute.zip", zipped: true},
	// Clients that are generated would read XML into fields.
	domain.FormatTally:   {media: "application/octet-stream", extension: "-tally.xml", text: true},
	domain.FormatJournal: {media: "text/csv; charset=utf-8", extension: "-journal.csv", text: true},
}

var errSecondFile = errors.New("a format of one file has written a second one")

// writeDocument writes a document: as it is, or in an archive if it has several files. The
// archive has neither times nor rights of its files.
func writeDocument(w io.Writer, document *ports.Document) ([]domain.Warning, error) {
	if !forms[document.Format].zipped {
		created := false
		return document.Write(func(string) (io.Writer, error) {
			if created {
				return nil, errSecondFile
			}
			created = true
			return w, nil
		})
	}
	archive := zip.NewWriter(w)
	warnings, err := document.Write(func(name string) (io.Writer, error) {
		return archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	})
	if err != nil {
		return nil, err
	}
	return warnings, archive.Close()
}

// warningsHeader says what a document leaves out: an answer of bytes has no other place for it.
const warningsHeader = "X-Document-Warnings"

// warnOf tells warnings in a header, in the form of an answer's warnings. Headers are of ASCII, as JSON can be.
func (s *Server) warnOf(c *gin.Context, warnings []domain.Warning) {
	if len(warnings) == 0 {
		return
	}
	words := s.params.Wording
	if dashboard.Covers(c.Request.URL.Path) {
		words = s.dashboard.Words(c.Request)
	}
	text, _ := json.Marshal(view.Each(warnings, func(w *domain.Warning) view.AnswerWarning {
		return view.NewAnswerWarning(w, words.Warning(w, nil))
	}))
	var ascii []byte
	for _, r := range string(text) {
		if r < 0x7f {
			ascii = append(ascii, byte(r))
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			ascii = fmt.Appendf(ascii, `\u%04x`, unit)
		}
	}
	c.Header(warningsHeader, string(ascii))
}

// sendDocument answers with a document that has been written. The name of the file has the
// day of the latest order, and nothing of the files or of the account.
func (s *Server) sendDocument(c *gin.Context, format domain.Format, day domain.Day, document *gathered) error {
	return s.stream(c, func(w io.Writer) error {
		f := forms[format]
		if out, is := w.(*watched); is && !f.text {
			out.packs = false
			out.Size(document.size)
		}
		c.Header("Content-Type", f.media)
		c.Header("Content-Disposition", `attachment; filename="milaan-`+day.String()+f.extension+`"`)
		return document.writeTo(w)
	})
}
