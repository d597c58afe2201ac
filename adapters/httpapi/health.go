package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// health is the answer of both probes when all is well.
type health struct {
	Status string `json:"status"`
}

// readyWait is how long a probe waits for the database and the job engine.
const readyWait = 2 * time.Second

// alive is GET /healthz: the process serves.
func (s *Server) alive(c *gin.Context) { s.well(c) }

// ready is GET /readyz: it is worth sending requests here. Not so while the
// database is away or the job engine is stuck, nor once the service is stopping.
func (s *Server) ready(c *gin.Context) {
	if s.draining.Load() {
		_ = c.Error(errDraining)
		return
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), readyWait)
	defer cancel()
	err := s.database.Ready(ctx)
	if err == nil {
		err = s.engine.Ready(ctx)
	}
	switch {
	case err == nil:
		s.well(c)
	case s.draining.Load(): // a stop has begun meanwhile, and the engine's end is its doing
		_ = c.Error(errDraining)
	default:
		_ = c.Error(err)
	}
}

func (s *Server) well(c *gin.Context) {
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, health{Status: "ok"})
}
