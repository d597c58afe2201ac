package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

// readyWait is how long a probe waits for the database and the job engine.
const readyWait = 2 * time.Second

// alive is GET /healthz, which says that the process serves requests.
func (s *Server) alive(c *gin.Context) error {
	c.Header("Cache-Control", "no-store")
	c.JSON(http.StatusOK, gin.H{"status": "ok"})
	return nil
}

// ready is GET /readyz, which says whether this instance should get requests. It
// should not while its database is away or its job engine is stuck, nor once it is
// stopping.
func (s *Server) ready(c *gin.Context) error {
	var err error
	if !s.draining.Load() {
		ctx, cancel := context.WithTimeout(c.Request.Context(), readyWait)
		defer cancel()
		if err = s.params.Database.Ready(ctx); err == nil {
			err = s.params.Engine.Ready(ctx)
		}
	}
	if s.draining.Load() { // if it began meanwhile, the job engine has ended because of it
		return errDraining
	}
	if err != nil {
		return err
	}
	if s.params.Engine.Held() {
		c.Header("Cache-Control", "no-store")
		c.JSON(http.StatusOK, gin.H{"status": "ok", "held": true})
		return nil
	}
	return s.alive(c)
}
