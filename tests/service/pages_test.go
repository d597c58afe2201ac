package service

import (
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// TestDemo holds sections 1 and 4.2: the sample.
func TestDemo(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("the demo needs nothing and has seven flags", func(t *testing.T) {
		counts := map[string]int{}
		for _, r := range s.Get(t, "/demo").Run(t).Results {
			counts[r.Flag]++
		}
		require.Len(t, counts, 7)
		require.NotContains(t, counts, "AWAITING_NEXT_CYCLE")
		require.Greater(t, counts["RECONCILED"], 50, "most orders are paid")
	})
	t.Run("the demo has the shape of a live run and only results", func(t *testing.T) {
		a := s.Get(t, "/demo")
		require.Equal(t, []string{"results"}, slices.Collect(maps.Keys(fields(t, a.Body))))
		require.Equal(t, a.Body, s.Get(t, "/demo").Body, "it is always the same")
	})
	require.Zero(t, s.Runs(t), "the demo is stored nowhere")
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// TestPages holds what people see first, and the description of the API.
func TestPages(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	doc := s.description.doc

	t.Run("the description is valid OpenAPI 3.1", func(t *testing.T) {
		require.True(t, strings.HasPrefix(doc.OpenAPI, "3.1"))
		require.NoError(t, doc.Validate(t.Context(), openapi3.EnableSchemaFormatValidation()))
	})
	t.Run("every route of the description answers, with the methods described and no others", func(t *testing.T) {
		for route, item := range doc.Paths.Map() {
			other := http.MethodPatch
			if item.Patch != nil {
				other = http.MethodPut
			}
			r := s.Request(t, other, strings.ReplaceAll(route, "{job_id}", "1"), nil)
			a := s.Do(t, r)
			require.Equal(t, http.StatusMethodNotAllowed, a.Status, route)
			want := map[string]bool{}
			for also, item := range doc.Paths.Map() { // /connections/test is the address of {id} as well
				if fits, err := path.Match(parameter.ReplaceAllString(also, "*"), route); err != nil || !fits {
					continue
				}
				for method := range item.Operations() {
					want[method] = true
					want[http.MethodHead] = want[http.MethodHead] || method == http.MethodGet
				}
			}
			maps.DeleteFunc(want, func(_ string, has bool) bool { return !has })
			require.ElementsMatch(t, slices.Collect(maps.Keys(want)), strings.Split(a.Header.Get("Allow"), ", "), route)
		}
	})
	t.Run("the endpoints of the contract are in the description", func(t *testing.T) {
		for _, endpoint := range []string{"POST /reconcile", "GET /demo", "POST /generate-api-key", "POST /reconcile/batch", "GET /status/{job_id}"} {
			method, path, _ := strings.Cut(endpoint, " ")
			require.NotNil(t, doc.Paths.Value(path).GetOperation(method), endpoint)
		}
	})
	t.Run("the figures count and name nobody", func(t *testing.T) {
		c := s.Customer(t)
		c.Run(t, Small())
		c.Run(t, Small())
		text := string(s.Get(t, "/metrics").Body)
		require.Contains(t, text, `milaan_http_requests_total{method="POST",route="/reconcile",status="200"} 2`)
		require.Contains(t, text, `milaan_runs_total{outcome="duplicate"} 1`)
		require.Contains(t, text, `milaan_jobs_waiting{`, "the job engine's are among them")
		require.NotContains(t, text, c.Email)
	})
	t.Run("no field of a request turns a webhook on", func(t *testing.T) {
		e := NewEndpoint(t, nil)
		s.Customer(t).Run(t, Small().With("webhook_url", e.URL).With("webhook", Body{"url": e.URL}))
		require.Empty(t, e.Calls())
	})
}
