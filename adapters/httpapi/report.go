package httpapi

import (
	"archive/zip"
	"errors"
	"io"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/body"
	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports"
)

// makeDocument is POST /report. Its checks are those of POST /reconcile, in the same order.
func (s *Server) makeDocument(c *gin.Context) error {
	var decoder body.Decoder
	caller, b, err := s.receive(c, decoder.Arrived)
	if err != nil {
		return err
	}
	defer b.Release()
	document, err := s.documentOfBody(c, caller, b, &decoder)
	if err != nil {
		s.figures.countRun(nil, err)
		return err
	}
	defer document.Release()
	s.figures.countRun(document.FinishedRun, nil)
	c.Set(runKey, document.Run.ID)
	if !document.Duplicate {
		c.Header("X-Run-Id", document.Run.ID)
	}
	return s.stream(c, func(w io.Writer) error { return writeDocument(&documentWriter{c: c, to: w, document: document}) })
}

// documentOfBody makes the document that a body asks for. The use case gives memory back as
// in reconcileBody.
func (s *Server) documentOfBody(c *gin.Context, caller ports.Caller, b intake.Arrival, decoder *body.Decoder) (*ports.Document, error) {
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
	asked.Read, asked.Made = b.Free, b.Keep
	key, faults := requestKey(c.Request.Header)
	caller.RequestKey, asked.Misread = key, append(asked.Misread, faults...)
	document, err := s.params.Documents.Make(c.Request.Context(), caller, asked)
	return document, onlyFirst(byKey(key, err))
}

// form is how a format is answered.
type form struct {
	media     string
	extension string
	zipped    bool // several files, in one archive
}

var forms = map[domain.Format]form{
	domain.FormatXLSX:    {media: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", extension: ".xlsx"},
	domain.FormatPDF:     {media: "application/pdf", extension: ".pdf"},
	domain.FormatCSV:     {media: "application/zip", extension: "-csv.zip", zipped: true},
	domain.FormatDispute: {media: "application/zip", extension: "-dispute.zip", zipped: true},
}

// documentWriter sets the headers of a document before its first byte, so that an error
// before that is answered as everywhere.
type documentWriter struct {
	c        *gin.Context
	to       io.Writer
	document *ports.Document
	begun    bool
}

// Write fills io.Writer. The name of the file has the day of the latest order, and nothing of
// the files or of the account.
func (w *documentWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.begun = true
		if out, is := w.to.(*watched); is {
			out.packs = false // every format is compressed by itself
		}
		f := forms[w.document.Format]
		w.c.Header("Content-Type", f.media)
		w.c.Header("Content-Disposition", `attachment; filename="milaan-`+w.document.Guidance.BatchAsOf.String()+f.extension+`"`)
	}
	return w.to.Write(p)
}

var errSecondFile = errors.New("a format of one file has written a second one")

// writeDocument writes a document: as it is, or in an archive if it has several files. The
// archive has neither times nor rights of its files.
func writeDocument(w *documentWriter) error {
	if !forms[w.document.Format].zipped {
		created := false
		return w.document.Write(func(string) (io.Writer, error) {
			if created {
				return nil, errSecondFile
			}
			created = true
			return w, nil
		})
	}
	archive := zip.NewWriter(w)
	err := w.document.Write(func(name string) (io.Writer, error) {
		return archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	})
	if err != nil {
		return err
	}
	return archive.Close()
}
