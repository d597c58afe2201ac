package dashboard

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func (d *Dashboard) addHistory(r Routes) {
	r.Read("/runs", domain.Reader, d.listRuns)
	r.Read("/runs/:id", domain.Reader, func(c *gin.Context, by By) error {
		run, err := d.History.Run(c.Request.Context(), by.Account.ID, c.Param("id"))
		return answer(c, http.StatusOK, view.NewRun(&run), err)
	})
	// The latest runs, oldest first.
	r.Account(http.MethodGet, "/api/trend", domain.Reader, func(c *gin.Context, by By) error {
		f, faults := filter(c)
		f.Limit, f.After = domain.MaxListedRuns, ""
		runs, _, err := d.runs(c, by, f, faults)
		slices.Reverse(runs)
		return list(c, "points", runs, view.NewTrendPoint, err)
	})
	r.Read("/compare", domain.Reader, asking(func(c *gin.Context, by By) error {
		found, err := d.History.Compare(c.Request.Context(), by.Account.ID, c.Query("a"), c.Query("b"))
		return answer(c, http.StatusOK, view.Comparison{A: view.NewRun(&found.A), B: view.NewRun(&found.B),
			Change: view.NewSums(&found.Change)}, err)
	}, "a", "b"))
}

// usualRuns is how many runs a page has if the request does not say.
const usualRuns = 50

// filter reads which runs are asked for. Days are India's, and both count.
func filter(c *gin.Context) (f ports.RunFilter, faults domain.Faults) {
	f = ports.RunFilter{Brand: c.Query("brand"), Courier: c.Query("courier"), Source: domain.Source(c.Query("source")),
		After: c.Query("after"), Limit: usualRuns}
	if text, given := c.GetQuery("limit"); given {
		n, err := strconv.Atoi(text)
		faults.Add(err != nil || n == 0, domain.OutOfBounds(domain.FieldLimit))
		f.Limit = n
	}
	if day := faults.ReadDay(domain.FieldFrom, c.Query("from")); day != domain.NoDay {
		f.From = day.Start()
	}
	if day := faults.ReadDay(domain.FieldTo, c.Query("to")); day != domain.NoDay {
		f.To = (day + 1).Start()
	}
	return f, faults
}

func (d *Dashboard) runs(c *gin.Context, by By, f ports.RunFilter, faults domain.Faults) (runs []domain.Run, next string, err error) {
	if err := faults.Err(); err != nil {
		return nil, "", err
	}
	return d.History.Runs(c.Request.Context(), by.Account.ID, f)
}

// listRuns is GET /account/runs.
func (d *Dashboard) listRuns(c *gin.Context, by By) error {
	f, faults := filter(c)
	runs, next, err := d.runs(c, by, f, faults)
	if err != nil {
		return err
	}
	labels, err := d.History.Labels(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	page := view.RunsPage{Runs: view.Each(runs, view.NewRun), Next: view.OrNone(next), Brands: view.OrEmpty(labels.Brands),
		Couriers: view.OrEmpty(labels.Couriers), Sources: view.OrEmpty(labels.Sources)}
	return answer(c, http.StatusOK, page, nil)
}
