package httpapi

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/jsonbody"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// mostItems is how many open items a page of them has at most.
const mostItems = 500

// mostMarkText is how many bytes a request with marks may have: those of mostItems orders.
const mostMarkText = 2 << 20

// addKeptItems adds the resources of the open items that a connection keeps.
func (s *Server) addKeptItems(routes dashboard.Routes) {
	const path = "/api/connections/:id/open-items"
	routes.Account(http.MethodGet, path, domain.Reader, s.listItems)
	routes.Account(http.MethodPut, path, domain.Owner, s.counted(s.keepItems))
	routes.Account(http.MethodPost, path+"/marks", domain.Accountant, s.counted(s.markItems))
	routes.Account(http.MethodGet, path+"/dispute", domain.Accountant, s.disputeItems)
}

// counted returns a handler that counts a change before it is made.
func (s *Server) counted(h dashboard.Handler) dashboard.Handler {
	return func(c *gin.Context, by dashboard.By) error {
		if err := s.params.Gate.CountChange(c.Request.Context(), by.Account.ID); err != nil {
			return err
		}
		return h(c, by)
	}
}

// listItems is GET /app/api/connections/:id/open-items: a page of at most mostItems.
func (s *Server) listItems(c *gin.Context, by dashboard.By) error {
	from, limit := 0, mostItems
	var faults domain.Faults
	if text := c.Query("after"); text != "" {
		n, err := strconv.Atoi(text)
		faults.Add(err != nil || n < 0, domain.Fault{Field: domain.FieldAfter, Rule: domain.RuleCursor})
		from = n
	}
	if text := c.Query("limit"); text != "" {
		n, err := strconv.Atoi(text)
		faults.Add(err != nil || n < 1 || n > mostItems, domain.Fault{Field: domain.FieldLimit, Rule: domain.RuleWhole, Min: 1, Max: mostItems})
		limit = n
	}
	if err := faults.Err(); err != nil {
		return err
	}
	items, err := s.params.Items.OpenItems(c.Request.Context(), *by.Account, c.Param("id"))
	if err != nil {
		return err
	}
	defer items.Release()
	return s.stream(c, func(w io.Writer) error {
		d := s.dashboard
		return s.params.ItemAnswers.WriteItems(w, items, from, limit, d.Words(c.Request), d.Languages.In(peers.DocumentLanguage))
	})
}

// keepItems is PUT /app/api/connections/:id/open-items, with whether they are kept.
func (s *Server) keepItems(c *gin.Context, by dashboard.By) error {
	var sent struct {
		Keep *bool `json:"keep"`
	}
	if err := s.readFields(c, by.Account.ID, &sent); err != nil {
		return err
	}
	var faults domain.Faults
	faults.Add(sent.Keep == nil, domain.Fault{Field: domain.FieldKeep, Rule: domain.RuleMissing})
	if err := faults.Err(); err != nil {
		return err
	}
	err := s.params.Items.KeepItems(c.Request.Context(), by.Account.ID, c.Param("id"), *sent.Keep, by.Actor())
	if err == nil {
		c.Status(http.StatusNoContent)
	}
	return err
}

// markItems is POST /app/api/connections/:id/open-items/marks: marks, and in the same order what they were before.
func (s *Server) markItems(c *gin.Context, by dashboard.By) error {
	var sent struct {
		Marks json.RawMessage `json:"marks"`
		Was   json.RawMessage `json:"was"`
	}
	if err := s.readFields(c, by.Account.ID, &sent); err != nil {
		return err
	}
	var faults domain.Faults
	marks := readMarks(sent.Marks, &faults)
	was := readMarks(sent.Was, &faults)
	faults.Add(len(marks) == 0 || len(was) != len(marks), domain.Fault{Field: domain.FieldMarks, Rule: domain.RuleType, Value: "null"})
	faults.Add(len(marks) > mostItems, domain.Fault{Field: domain.FieldMarks, Rule: domain.RuleTooMany, Max: mostItems})
	if err := faults.Err(); err != nil {
		return err
	}
	changes := make([]ports.ItemChange, len(marks))
	for i := range marks {
		changes[i] = ports.ItemChange{ChosenOrder: marks[i].ChosenOrder, Was: was[i].Mark, Mark: marks[i].Mark}
	}
	err := s.params.Items.MarkItems(c.Request.Context(), *by.Account, c.Param("id"), changes)
	if err == nil {
		c.Status(http.StatusNoContent)
	}
	return err
}

// disputeItems is GET /app/api/connections/:id/open-items/dispute: the dispute pack of a courier.
func (s *Server) disputeItems(c *gin.Context, by dashboard.By) error {
	document, err := s.params.Items.DisputeItems(c.Request.Context(), *by.Account, c.Param("id"), c.Query("courier"))
	if err != nil {
		return err
	}
	defer document.Release()
	b, err := s.readAtMost(c.Request, by.Account.ID, 0, domain.DetailPage) // a document is written in a place of a body
	if err != nil {
		return err
	}
	defer b.Release()
	return s.answerDocument(c, b, document, nil)
}

// readFields reads the JSON object of a page's request.
func (s *Server) readFields(c *gin.Context, account string, into any) error {
	text, err := appServer{s}.Body(c, account, mostMarkText)
	if err != nil {
		return err
	}
	if json.Unmarshal(text, into) != nil {
		return domain.ErrBody(domain.DetailNoObject, jsonbody.TypeOf(text))
	}
	return nil
}
