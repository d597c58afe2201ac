package httpapi

import (
	"github.com/gin-gonic/gin"

	"milaan/domain"
)

// announced answers for the endpoints that the contract announces and that are
// not to be had yet (section 4.4).
func announced(c *gin.Context) { _ = c.Error(domain.ErrNoBatch) }
