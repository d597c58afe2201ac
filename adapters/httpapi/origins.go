package httpapi

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/dashboard"
	"milaan/domain"
)

// allowOrigins lets the scripts of the pages that the operator has named call the API, from a browser. It never
// allows them to send cookies, and the dashboard's own routes, which take them, are left out. An origin that is not
// named gets the same answer without these headers, so that its browser keeps the answer from the script.
func (s *Server) allowOrigins(c *gin.Context) {
	if len(s.params.Settings.Origins) == 0 || dashboard.Covers(c.Request.URL.Path) {
		return
	}
	h := c.Writer.Header()
	h.Add("Vary", "Origin")
	origin := c.GetHeader("Origin")
	if !slices.Contains(s.params.Settings.Origins, origin) {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Content-Disposition, ETag, Location, Retry-After, X-Request-Id, X-Run-Id, "+
		warningsHeader+", "+domain.SandboxHeader)
	if c.Request.Method != http.MethodOptions || c.GetHeader("Access-Control-Request-Method") == "" {
		return
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, X-Request-Id, "+dashboard.AccountHeader)
	h.Set("Access-Control-Max-Age", "600") // seconds
	c.AbortWithStatus(http.StatusNoContent)
}
