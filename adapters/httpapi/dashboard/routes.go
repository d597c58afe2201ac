package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/domain"
)

// By is who sends a request.
type By struct {
	Account *domain.Account // as it is stored now; nil: a visitor, or anyone
	Session domain.Session  // of the account

	ended bool // there is a cookie, and its session has ended
}

// Handler answers a request, or returns the error that is to be answered.
type Handler func(c *gin.Context, by By) error

// Routes are where resources hang their routes. A path is without /app, such as /api/me. A
// route for GET answers HEAD too.
type Routes struct {
	dashboard *Dashboard
	engine    gin.IRoutes
}

// Routes returns the routes of an engine, and adds those of this package.
func (d *Dashboard) Routes(engine gin.IRoutes) Routes {
	r := Routes{d, engine}
	r.Anyone(http.MethodGet, "/api/me", d.me)
	r.Anyone(http.MethodPost, "/api/sign-in", d.signIn)
	r.Anyone(http.MethodGet, "/api/sign-in/oidc", d.beginOpenID)
	r.Anyone(http.MethodGet, callbackPath, d.finishOpenID)
	r.Anyone(http.MethodPost, "/api/sign-out", d.signOut)
	r.Account(http.MethodPost, "/api/sign-out-everywhere", d.signOutEverywhere)
	d.addResources(r)
	d.addAutopilot(r)
	return r
}

// Anyone adds a route for which nobody needs to sign in. Its handler is not told who asks.
func (r Routes) Anyone(method, path string, h Handler) {
	r.add(method, path, func(*gin.Context) (By, error) { return By{}, nil }, h)
}

// AccountOrVisitor adds a route for people with a session and for visitors. Somebody whose
// session has ended is told so, and is a visitor from the next request on: their run would
// not be stored, and they count on it.
func (r Routes) AccountOrVisitor(method, path string, h Handler) {
	r.add(method, path, func(c *gin.Context) (By, error) {
		by, err := r.dashboard.identify(c)
		if by.ended {
			r.dashboard.dropCookie(c, sessionCookie)
		}
		if err == nil && by.Account == nil && (by.ended || !r.dashboard.isVisitor(c.Request)) {
			err = domain.ErrSignedOut
		}
		return by, err
	}, h)
}

// Account adds a route for people with a session.
func (r Routes) Account(method, path string, h Handler) {
	r.add(method, path, func(c *gin.Context) (By, error) {
		by, err := r.dashboard.identify(c)
		if err == nil && by.Account == nil {
			err = domain.ErrSignedOut
		}
		return by, err
	}, h)
}

// add adds a route. admit says who asks, and returns an error if they may not.
func (r Routes) add(method, path string, admit func(*gin.Context) (By, error), h Handler) {
	serve := func(c *gin.Context) {
		err := r.dashboard.guard(c)
		var by By
		if err == nil {
			by, err = admit(c)
		}
		if err == nil {
			err = h(c, by)
		}
		if err != nil {
			_ = c.Error(err)
		}
	}
	methods := []string{method}
	if method == http.MethodGet {
		methods = append(methods, http.MethodHead)
	}
	for _, m := range methods {
		r.engine.Handle(m, Path+path, serve)
	}
}
