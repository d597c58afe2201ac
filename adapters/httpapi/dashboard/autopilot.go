package dashboard

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports/peers"
)

// addAutopilot adds the routes of what the pages show of the autopilot and what they change of it.
func (d *Dashboard) addAutopilot(r Routes) {
	r.Read("/connectors", domain.Accountant, d.listConnectors)
	r.Read("/connections", domain.Accountant, func(c *gin.Context, by By) error {
		all, err := d.Connections.List(c.Request.Context(), by.Account.ID)
		return list(c, "connections", all, func(one *domain.Connection) view.Connection { return d.viewConnection(c.Request, one) }, err)
	})
	r.Change(http.MethodPost, "/connections", domain.Owner, d.saveConnection)
	r.Change(http.MethodPost, "/connections/test", domain.Owner, d.testConnection)
	r.Read("/connections/:id", domain.Accountant, func(c *gin.Context, by By) error {
		found, err := d.Connections.Find(c.Request.Context(), by.Account.ID, c.Param("id"))
		return d.answerConnection(c, http.StatusOK, found, err)
	})
	r.Change(http.MethodPut, "/connections/:id", domain.Owner, d.saveConnection)
	r.Change(http.MethodDelete, "/connections/:id", domain.Owner, Sending(d, d.removeConnection))
	r.Change(http.MethodPost, "/connections/:id/pause", domain.Owner, Sending(d, func(c *gin.Context, by By, sent *struct {
		Paused *bool `json:"paused"`
	}) error {
		if sent.Paused == nil {
			return domain.Faults{{Field: domain.FieldPaused, Rule: domain.RuleMissing}}.Err()
		}
		changed, err := d.Connections.Pause(c.Request.Context(), by.Account.ID, c.Param("id"), *sent.Paused, by.Actor())
		return d.answerConnection(c, http.StatusOK, changed, err)
	}))
	r.Change(http.MethodPost, "/connections/:id/run", domain.Accountant, func(c *gin.Context, by By) error {
		asked, err := d.Connections.Run(c.Request.Context(), by.Account.ID, c.Param("id"))
		return answer(c, http.StatusAccepted, d.viewPass(c.Request, &asked), err)
	})
	r.Read("/connections/:id/passes", domain.Accountant, func(c *gin.Context, by By) error {
		latest, err := d.Connections.Passes(c.Request.Context(), by.Account.ID, c.Param("id"))
		return list(c, "passes", latest, func(p *domain.Pass) view.Pass { return d.viewPass(c.Request, p) }, err)
	})

	r.Read("/connections/:id/files", domain.Accountant, func(c *gin.Context, by By) error {
		kept, err := d.Connections.KeptFiles(c.Request.Context(), by.Account.ID, c.Param("id"))
		return list(c, "files", kept, view.NewKeptFile, err)
	})
	r.Change(http.MethodDelete, "/connections/:id/files/:file", domain.Accountant, func(c *gin.Context, by By) error {
		return noContent(c, d.Connections.RemoveKept(c.Request.Context(), by.Account.ID, c.Param("id"), c.Param("file")))
	})

	// These are the files that the last pass knew of, and those that are ignored.
	r.Read("/connections/:id/seen", domain.Accountant, func(c *gin.Context, by By) error {
		connection, err := d.Connections.Find(c.Request.Context(), by.Account.ID, c.Param("id"))
		if err != nil {
			return err
		}
		seen, err := d.Connections.Seen(c.Request.Context(), by.Account.ID, connection.ID)
		return answer(c, http.StatusOK, view.NewSeenFiles(seen, &connection, d.sentences(c.Request)), err)
	})
	r.Change(http.MethodPost, "/connections/:id/ignored", domain.Accountant, Sending(d, func(c *gin.Context, by By, sent *struct {
		File string `json:"file"`
	}) error {
		ignored, err := d.Connections.Ignore(c.Request.Context(), by.Account.ID, c.Param("id"), sent.File, by.Actor())
		return answer(c, http.StatusCreated, view.NewIgnoredFile(&ignored), err)
	}))
	r.Change(http.MethodDelete, "/connections/:id/ignored/:file", domain.Accountant, func(c *gin.Context, by By) error {
		return noContent(c, d.Connections.TakeBack(c.Request.Context(), by.Account.ID, c.Param("id"), c.Param("file"), by.Actor()))
	})

	r.Account(http.MethodGet, "/api/open-items", domain.Reader, d.listNames)

	r.Account(http.MethodGet, "/api/mails", domain.Owner, d.showMails)
	r.Account(http.MethodPut, "/api/mails", domain.Owner, d.countChange(Sending(d, d.chooseMails)))
}

// passNames are the names of a page for the warnings of a pass, whose orders come from no file.
type passNames struct{ peers.Names }

func (passNames) Surface() peers.Surface { return peers.Passes }

func (d *Dashboard) viewPass(r *http.Request, p *domain.Pass) view.Pass {
	return view.NewPass(p, d.sentences(r), func(w *domain.Warning) string {
		return d.Words(r).Warning(w, passNames{d.Names(r)})
	})
}

// days returns how many whole days a span has.
func days(span time.Duration) int { return int(span / (24 * time.Hour)) }

// KeepFile keeps a report that was uploaded to a route with :id and :source, and answers with
// what is kept.
func (d *Dashboard) KeepFile(c *gin.Context, by By, name string, content []byte) error {
	kept, err := d.Connections.Keep(c.Request.Context(),
		domain.KeptFile{AccountID: by.Account.ID, ConnectionID: c.Param("id"), SourceID: c.Param("source"), Name: name}, content)
	return answer(c, http.StatusCreated, view.NewKeptFile(&kept), err)
}

// showMails is GET /app/api/mails.
func (d *Dashboard) showMails(c *gin.Context, by By) error {
	choice, enabled, err := d.Mails.Choice(c.Request.Context(), by.Account.ID)
	return answer(c, http.StatusOK, view.NewMailChoice(choice, enabled), err)
}

// chooseMails is PUT /app/api/mails. What is not given stays as it is.
func (d *Dashboard) chooseMails(c *gin.Context, by By, sent *struct {
	Digest *bool `json:"digest"`
	Alerts *bool `json:"alerts"`
}) error {
	choice, _, err := d.Mails.Choice(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	if sent.Digest != nil {
		choice.NoDigest = !*sent.Digest
	}
	if sent.Alerts != nil {
		choice.NoAlerts = !*sent.Alerts
	}
	if err := d.Mails.Choose(c.Request.Context(), by.Account.ID, choice); err != nil {
		return err
	}
	return d.showMails(c, by)
}
