package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

// TestEveryRouteIsDescribed compares the router with the description, both
// ways. HEAD goes with GET.
func TestEveryRouteIsDescribed(t *testing.T) {
	server, err := New((&service{}).params(Settings{}))
	require.NoError(t, err)
	engine := server.public.Handler.(*gin.Engine)
	var routed []string
	for _, r := range engine.Routes() {
		if r.Method != http.MethodHead {
			p := strings.ReplaceAll(r.Path, ":job_id", "{job_id}")
			routed = append(routed, r.Method+" "+p)
		}
	}
	var described []string
	for p, item := range loadedDescription(t).Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+p)
		}
	}
	require.ElementsMatch(t, routed, described)
}
