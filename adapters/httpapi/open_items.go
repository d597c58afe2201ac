package httpapi

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/intake"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// mostItems is how many open items a program gets at once. The dashboard shows all of them, and asks once.
const mostItems = 500

// mostMarkText is how many bytes a request with marks may have: those of mostItems orders.
const mostMarkText = 2 << 20

// addKeptItems adds the resources of the open items that a connection keeps.
func (s *Server) addKeptItems(routes dashboard.Routes) {
	const path = "/connections/:id/open-items"
	routes.Read(path, domain.Reader, s.listItems)
	routes.Change(http.MethodPut, path, domain.Owner, dashboard.Sending(s.dashboard, s.keepItems))
	routes.Change(http.MethodPost, path+"/marks", domain.Accountant, s.markItems)
	routes.Read(path+"/dispute", domain.Accountant, s.disputeItems)
}

// listItems is GET /account/connections/:id/open-items.
func (s *Server) listItems(c *gin.Context, by dashboard.By) error {
	if !dashboard.Covers(c.Request.URL.Path) {
		return s.answerItems(c, *by.Account, mostItems, s.params.Wording, nil)
	}
	// A page has a button that copies what is written to the courier.
	return s.answerItems(c, *by.Account, domain.MaxRows, s.dashboard.Words(c.Request), s.dashboard.Languages.In(peers.DocumentLanguage))
}

// itemsByKey is GET /connections/:id/open-items: the same for who has a key. A sandbox key sees no connections.
func (s *Server) itemsByKey(c *gin.Context) error {
	c.Set(namesKey, AccountNames{})
	caller, err := s.admit(c, s.params.Gate.AdmitPoll)
	if err != nil {
		return err
	}
	if caller.Sandbox {
		return domain.ErrNoConnection
	}
	return s.answerItems(c, caller.Account, mostItems, s.params.Wording, nil)
}

// answerItems answers with a page of at most so many. What is in memory meanwhile is charged like a body in flight.
func (s *Server) answerItems(c *gin.Context, account domain.Account, most int, words, letter peers.Wording) error {
	from, limit := 0, most
	var faults domain.Faults
	read := func(field domain.Field, least, most int, into *int) {
		text, given := c.GetQuery(field.String())
		if !given {
			return
		}
		n, err := strconv.Atoi(text)
		faults.Add(err != nil || n < least || n > most, domain.Fault{Field: field, Rule: domain.RuleWhole, Min: least, Max: most})
		*into = n
	}
	read(domain.FieldAfter, 0, domain.MaxRows, &from)
	read(domain.FieldLimit, 1, most, &limit)
	if err := faults.Err(); err != nil {
		return err
	}
	giveBack, err := s.intake.Reserve(c.Request.Context(), account.ID)
	if err != nil {
		return err
	}
	defer giveBack()
	items, err := s.params.Items.OpenItems(c.Request.Context(), account, c.Param("id"))
	if err != nil {
		return err
	}
	defer items.Release()
	return s.stream(c, func(w io.Writer) error { return s.params.ItemAnswers.WriteItems(w, items, from, limit, words, letter) })
}

// keepItems is PUT /account/connections/:id/open-items, with whether they are kept.
func (s *Server) keepItems(c *gin.Context, by dashboard.By, sent *struct {
	Keep *bool `json:"keep"`
}) error {
	if sent.Keep == nil {
		return domain.Faults{{Field: domain.FieldKeep, Rule: domain.RuleMissing}}.Err()
	}
	err := s.params.Items.KeepItems(c.Request.Context(), by.Account.ID, c.Param("id"), *sent.Keep, by.Actor())
	if err == nil {
		c.Status(http.StatusNoContent)
	}
	return err
}

// markItems is POST /account/connections/:id/open-items/marks: marks, and in the same order what they were before.
func (s *Server) markItems(c *gin.Context, by dashboard.By) error {
	var sent struct {
		Marks json.RawMessage `json:"marks"`
		Was   json.RawMessage `json:"was"`
	}
	if err := demandJSON(c.Request.Header); err != nil {
		return err
	}
	// An account marks once at a time, as it has one body with workbooks: all items are read again, which takes the memory of a body.
	b, err := atMost(c.Request, mostMarkText, domain.DetailPage, func() (intake.Arrival, error) {
		return s.intake.ReadFiles(c.Request, by.Account.ID, func([]byte) ports.WorkbookMemory {
			return ports.WorkbookMemory{Bytes: intake.MaxBody, Allotted: intake.MaxBody, Most: intake.MaxBody}
		})
	})
	if err != nil {
		return err
	}
	defer b.Release()
	if err := cmp.Or(by.AdmitAgain(c), dashboard.DecodeObject(b.Text, &sent)); err != nil {
		return err
	}
	var faults domain.Faults
	marks := readMarks(domain.FieldMarks, sent.Marks, &faults)
	was := readMarks(domain.FieldWas, sent.Was, &faults)
	faults.Add(faults == nil && (len(marks) == 0 || len(was) != len(marks)),
		domain.Fault{Field: domain.FieldMarks, Rule: domain.RuleTooFew, Min: 1, Max: mostItems})
	faults.Add(len(marks) > mostItems, domain.Fault{Field: domain.FieldMarks, Rule: domain.RuleTooMany, Max: mostItems})
	if err := faults.Err(); err != nil {
		return err
	}
	changes := make([]ports.ItemChange, len(marks))
	for i := range marks {
		changes[i] = ports.ItemChange{ChosenOrder: marks[i].ChosenOrder, Was: was[i].Mark, Mark: marks[i].Mark}
	}
	err = s.params.Items.MarkItems(c.Request.Context(), *by.Account, c.Param("id"), changes)
	if err == nil {
		c.Status(http.StatusNoContent)
	}
	return err
}

// disputeItems is GET /account/connections/:id/open-items/dispute: the dispute pack of a courier. Items are read and the
// document is written in one place of a body: who waited for a second one with the items in memory, and who has a place
// and waits for memory, would wait for each other. What a GET is sent besides counts for nothing.
func (s *Server) disputeItems(c *gin.Context, by dashboard.By) error {
	asked := c.Request.Clone(c.Request.Context())
	asked.Body, asked.ContentLength = http.NoBody, 0
	b, err := s.readAtMost(asked, by.Account.ID, 0, domain.DetailPage)
	if err != nil {
		return err
	}
	defer b.Release()
	var document *ports.Document
	defer func() {
		if document != nil {
			document.Release()
		}
	}()
	var w written
	if err := b.WithPlace(intake.MaxBody, func() (err error) {
		document, err = s.params.Items.DisputeItems(c.Request.Context(), *by.Account, c.Param("id"), c.Query("courier"))
		if err != nil {
			return err
		}
		s.figures.countRun(c, document.FinishedRun, nil)
		if err := b.Charge(memoryOf(document)); err != nil {
			return err
		}
		return w.write(document)
	}); err != nil {
		return err
	}
	return s.sendWritten(c, b, document, &w)
}
