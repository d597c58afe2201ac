package httpapi

import (
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"

	"milaan/adapters/httpapi/compress"
	"milaan/adapters/httpapi/dashboard"
)

// addTranslations adds GET /app/api/words/:code: the translations of the texts of the pages,
// by their English text. They change with the program alone, so browsers keep them.
func (s *Server) addTranslations(routes dashboard.Routes) {
	languages := sync.OnceValue(func() map[string]http.Handler {
		all := map[string]http.Handler{}
		for _, l := range s.params.Dashboard.Languages.All() {
			words := s.params.Dashboard.Languages.Pages(l.Code)
			if len(words) == 0 {
				words = []byte("{}")
			}
			all[l.Code] = compress.NewDocument("application/json; charset=utf-8", words)
		}
		return all
	})
	routes.Anyone(http.MethodGet, "/api/words/:code", func(c *gin.Context, _ dashboard.By) error {
		words, known := languages()[c.Param("code")]
		if !known {
			return errNoRoute
		}
		words.ServeHTTP(c.Writer, c.Request)
		return nil
	})
}
