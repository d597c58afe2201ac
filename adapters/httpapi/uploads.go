package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/multipart"
	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// addUploads adds the resources of the dashboard that have files: their forms are those of
// POST /reconcile/files, up to intake.MaxUpload, and need no key.
func (s *Server) addUploads(routes dashboard.Routes) {
	routes.AccountOrVisitor(http.MethodPost, "/api/inspect", domain.Accountant, s.inspectUpload)
	routes.AccountOrVisitor(http.MethodPost, "/api/reconcile", domain.Accountant, s.reconcileUpload)
	routes.AccountOrVisitor(http.MethodPost, "/api/document", domain.Accountant, s.documentUpload)
	routes.Anyone(http.MethodGet, "/api/sample", s.showSample)
	routes.Own(http.MethodPost, "/connections/:id/sources/:source/files", domain.Accountant, s.keepUpload)
}

// everything is what the answers for pages include.
const everything = domain.IncludePayouts | domain.IncludeUnclaimed | domain.IncludeOrders | domain.IncludeLines

// visitor is whose bodies those of all visitors count as.
const visitor = "visitor"

// takeUpload takes in the form of a run. The caller must release what has arrived. admit is
// as that of takeForm.
func (s *Server) takeUpload(
	c *gin.Context, by *dashboard.By, admit func(context.Context, domain.Account) error,
) (*formReading, intake.Arrival, error) {
	form, b,
		err := s.takeForm(c, by, admit, func(form []multipart.Part) ports.WorkbookMemory { return workOfForm(form, ports.MostUploadText) })
	if err != nil {
		return nil, intake.Arrival{}, err
	}
	if textOfForm(form) > intake.MaxUpload {
		err = errUploadExpanded
	}
	if by.Account != nil { // its subscription may have ended while the form was sent
		err = cmp.Or(by.Account.MayReconcile(s.params.Dashboard.Clock()), err)
	}
	if err != nil {
		b.Release()
		return nil, intake.Arrival{}, err
	}
	named := slices.Clone(form)
	for i := range named {
		named[i].Content = nil // a refusal names files, and the request must not keep what they hold
	}
	c.Request = dashboard.FilesCalled(c.Request, func(f domain.File, report int) string { return fileName(named, f, report) })
	return gather(form), b, nil
}

// fileName returns the name of a file of a form; blank: it has none, or another one has the
// same. A report is meant by its position, from 1; 0: it is the only one.
func fileName(form []multipart.Part, f domain.File, report int) (name string) {
	names := map[string]int{}
	for _, p := range form {
		names[p.FileName]++
		if p.Name == view.FileNames[f] {
			if report--; report == 0 || report == -1 && name == "" {
				name = p.FileName
			}
		}
	}
	if names[name] > 1 {
		return ""
	}
	return domain.Shortened(name)
}

// takeForm makes the checks that need the header alone, and then takes a form in. The caller
// must release what has arrived. admit checks an account and counts its request; it is not
// called for a visitor. by is admitted anew once the form is there.
func (s *Server) takeForm(
	c *gin.Context, by *dashboard.By, admit func(context.Context, domain.Account) error, work func([]multipart.Part) ports.WorkbookMemory,
) ([]multipart.Part, intake.Arrival, error) {
	boundary, err := demandForm(c.Request.Header)
	if err != nil {
		return nil, intake.Arrival{}, err
	}
	whose := visitor
	if by.Account != nil {
		whose = by.Account.ID
		if err := admit(c.Request.Context(), *by.Account); err != nil {
			return nil, intake.Arrival{}, err
		}
	}
	var form []multipart.Part
	var broken error
	receiving := ports.SpanOf(c.Request.Context()).Step(ports.StepReceive)
	b, err := s.intake.ReadUpload(c.Request, whose, func(text []byte) ports.WorkbookMemory {
		form, broken = multipart.Split(text, boundary)
		return work(form)
	})
	receiving.End(err)
	if err != nil {
		return nil, intake.Arrival{}, err
	}
	if broken != nil {
		err = formError(b.Text, broken)
	}
	if err = cmp.Or(by.AdmitAgain(c), err); err != nil {
		b.Release()
		return nil, intake.Arrival{}, err
	}
	return form, b, nil
}

// textOfForm returns how many bytes of text a form has once U+FFFD, of three bytes, stands for
// each byte that is not UTF-8. Names and reasons repeat cells in that form, so it is what an
// upload takes. Workbooks and UTF-16 are held to a limit where they are read.
func textOfForm(form []multipart.Part) (n int) {
	for _, p := range form {
		if beginsLikeAWorkbook(p.Content) || bytes.HasPrefix(p.Content, []byte("\xff\xfe")) || bytes.HasPrefix(p.Content, []byte("\xfe\xff")) {
			n += len(p.Content)
		} else {
			n += expanded(p.Content)
		}
	}
	return n
}

func (r *formReading) ofPage() ports.Request {
	request := r.request(domain.SourceDashboard)
	request.Include = everything
	if request.Previous != nil {
		request.Include |= domain.IncludeOpenItems
	}
	return request
}

// reconcileUpload is POST /app/api/reconcile. Of an account it is a run like any other; of a
// visitor nothing is stored, counted or announced.
func (s *Server) reconcileUpload(c *gin.Context, by dashboard.By) error {
	form, b, err := s.takeUpload(c, &by, s.params.Gate.AdmitRun)
	if err != nil {
		return err
	}
	defer b.Release()
	request := form.ofPage()
	request.Read, request.Claim = b.Free, b.Claim
	if by.Account == nil {
		c.Request.Header.Del("Accept-Encoding") // a visitor is on this machine, where compressing takes longer than sending
	}
	request.Made = func(run *ports.FinishedRun) { keepResults(c, b, run) }
	var run *ports.FinishedRun
	if by.Account != nil {
		run, err = s.params.Reconciling.Reconcile(c.Request.Context(), ports.Caller{Account: *by.Account}, request)
	} else {
		run, err = s.params.Reconciling.Preview(c.Request.Context(), request)
	}
	s.figures.countRun(c, run, err)
	if err != nil {
		return err
	}
	defer run.Release()
	s.nameRun(c, run)
	return s.stream(c, func(w io.Writer) error {
		return s.writePage(c, w, run)
	})
}

// documentUpload is POST /app/api/document.
func (s *Server) documentUpload(c *gin.Context, by dashboard.By) error {
	form, b, err := s.takeUpload(c, &by, s.params.Gate.AdmitRun)
	if err != nil {
		return err
	}
	defer b.Release()
	asked := ports.DocumentRequest{Format: form.text(form.once(domain.FieldFormat)),
		BrandingName: form.text(form.once(domain.FieldBrandingName))}
	marks, only := form.array(domain.FieldMarks, &form.wrong), form.array(domain.FieldOnly, &form.wrong)
	asked.Marks, asked.Only = readMarks(domain.FieldMarks, marks, &form.wrong), readOnly(only, &form.wrong)
	asked.Request = form.ofPage()
	asked.Read, asked.Claim = b.Free, b.Claim
	var document *ports.Document
	if by.Account != nil {
		document, err = s.params.Documents.MakeDocument(c.Request.Context(), ports.Caller{Account: *by.Account}, asked)
	} else {
		document, err = s.params.Documents.PreviewDocument(c.Request.Context(), asked)
	}
	return s.answerDocument(c, b, document, err)
}

// showSample is GET /app/api/sample: the answer of reconcileUpload for the built-in sample, to
// anyone. The sample is run once for each language.
func (s *Server) showSample(c *gin.Context, _ dashboard.By) error {
	language := s.dashboard.Language(c.Request)
	answer, known := s.samples.Load(language)
	if !known {
		run, err := s.params.Demo.Sample(c.Request.Context())
		if err != nil {
			return err
		}
		defer run.Release()
		var written bytes.Buffer
		run.Include = everything
		if err := s.writePage(c, &written, run); err != nil {
			return err
		}
		answer, _ = s.samples.LoadOrStore(language, written.Bytes())
	}
	return s.streamWhole(c, answer.([]byte))
}

func (s *Server) writePage(c *gin.Context, w io.Writer, run *ports.FinishedRun) error {
	d := s.dashboard
	return s.params.Answers.WritePage(w, run, d.Words(c.Request), d.Languages.In(peers.DocumentLanguage), d.Names(c.Request))
}
