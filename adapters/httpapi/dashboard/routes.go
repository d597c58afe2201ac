package dashboard

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"milaan/domain"
)

// By is who sends a request.
type By struct {
	Account *domain.Account // as it is stored now; nil: a visitor, or anyone
	Session domain.Session  // of the account; the zero Session, if a session token was sent
	Email   string          // the person's
	Role    domain.MemberRole
	Address string // the client's, whole

	ended bool // there is a cookie, and its session has ended
	admit func(*gin.Context) (By, error)
}

// AdmitAgain admits once more who sends a request, after its body has arrived: meanwhile they may have lost their role or their
// session, or their account its plan. It is called once.
func (by *By) AdmitAgain(c *gin.Context) (err error) {
	*by, err = by.admit(c)
	return err
}

// Handler answers a request, or returns the error that is to be answered.
type Handler func(c *gin.Context, by By) error

// programs is where the routes for programs are.
const programs = "/account"

// ForPrograms says whether a path is one of those that programs manage an account with.
func ForPrograms(path string) bool { return path == programs || strings.HasPrefix(path, programs+"/") }

// Routes are what resources add their routes to. A path is without /app, such as /api/me. A
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
	r.Account(http.MethodPost, "/api/sign-out-everywhere", domain.Reader, maySend(d, d.signOutEverywhere))
	for _, add := range []func(Routes){d.addPeople, d.addHistory, d.addMappings, d.addKeys, d.addWebhook, d.addBranding, d.addBooks,
		d.addAccount, d.addAutopilot, d.addPhone, d.addSubscription} {
		add(r)
	}
	return r
}

// Anyone adds a route for which nobody needs to sign in. Its handler is not told who asks.
func (r Routes) Anyone(method, path string, h Handler) {
	r.add(method, path, func(*gin.Context) (By, error) { return By{}, nil }, h)
}

// AccountOrVisitor adds a route for people with a session and for visitors. Somebody whose
// session has ended is told so: their run would not be stored, and they count on it. They are
// visitors once their page no longer says that it has a session.
func (r Routes) AccountOrVisitor(method, path string, least domain.MemberRole, h Handler) {
	r.add(method, path, r.dashboard.demanding(least, func(c *gin.Context) (By, error) {
		by, err := r.dashboard.identify(c)
		if by.ended {
			r.dashboard.dropCookie(c, sessionCookie)
		}
		expected := by.ended || c.GetHeader(sessionHeader) != ""
		if err == nil && by.Account == nil && (expected || !r.dashboard.isVisitor(c.Request)) {
			err = domain.ErrSignedOut
		}
		return by, err
	}), h)
}

// Account adds a route for people with a session whose role is at least this one.
func (r Routes) Account(method, path string, least domain.MemberRole, h Handler) {
	r.add(method, path, r.dashboard.demanding(least, func(c *gin.Context) (By, error) {
		by, err := r.dashboard.identify(c)
		if err == nil && by.Account == nil {
			err = domain.ErrSignedOut
		}
		return by, err
	}), h)
}

// Own adds a route by which people manage their own account, for pages and for programs: the
// path of pages is below /app/api, and asks for a session; that of programs is below /account, and
// asks for a session token, and takes no cookies.
func (r Routes) Own(method, path string, least domain.MemberRole, h Handler) {
	r.Account(method, "/api"+path, least, h)
	r.handle(method, programs+strings.TrimPrefix(path, programs), func(c *gin.Context) error {
		c.Header("Cache-Control", "no-store")
		return h.admitting(c, r.dashboard.demanding(least, r.dashboard.identifyProgram), domain.ErrSetup)
	})
}

// Read is Own for what changes nothing.
func (r Routes) Read(path string, least domain.MemberRole, h Handler) {
	r.Own(http.MethodGet, path, least, h)
}

// Change is Own for a change, which is counted before it is made.
func (r Routes) Change(method, path string, least domain.MemberRole, h Handler) {
	r.Own(method, path, least, r.dashboard.countChange(h))
}

// asking is h for a query that must have these parameters.
func asking(h Handler, names ...string) Handler {
	return func(c *gin.Context, by By) error {
		for _, name := range names {
			if c.Query(name) == "" {
				return &domain.Error{Kind: domain.KindInvalid, Code: domain.CodeQuery, Detail: domain.DetailLacking, Value: name}
			}
		}
		return h(c, by)
	}
}

func (d *Dashboard) countChange(h Handler) Handler {
	return func(c *gin.Context, by By) error {
		if err := d.Gate.CountChange(c.Request.Context(), by.Account.ID); err != nil {
			return err
		}
		return h(c, by)
	}
}

// demanding is admit, but returns an error if the person's role is less than this one, which the account's security
// log has then. A visitor has no role.
func (d *Dashboard) demanding(least domain.MemberRole, admit func(*gin.Context) (By, error)) func(*gin.Context) (By, error) {
	return func(c *gin.Context) (By, error) {
		by, err := admit(c)
		if err == nil && by.Account != nil && !by.Role.May(least) {
			d.Gate.LogRefusal(c.Request.Context(), by.Account.ID, c.Request.Method+" "+c.FullPath(), by.Actor())
			err = domain.ErrRole
		}
		return by, err
	}
}

// Actor is who asks, for the security log.
func (by By) Actor() domain.Actor {
	way := domain.WayDashboard
	switch {
	case by.Session.ID == "":
		way = domain.WayAPI
	case by.Session.Confined:
		way = domain.WayInvitation
	}
	return domain.Actor{Way: way, Name: by.Email, Address: by.Address}
}

// add adds a route of pages. admit says who asks, and returns an error if they may not.
func (r Routes) add(method, path string, admit func(*gin.Context) (By, error), h Handler) {
	r.handle(method, Path+path, func(c *gin.Context) error {
		if err := r.dashboard.guard(c); err != nil {
			return err
		}
		return h.admitting(c, admit, domain.ErrSignedOut)
	})
}

// admitting calls the handler for who is admitted. It returns closed for an account that has been closed meanwhile.
func (h Handler) admitting(c *gin.Context, admit func(*gin.Context) (By, error), closed *domain.Error) error {
	by, err := admit(c)
	if err != nil {
		return err
	}
	by.admit = admit
	err = h(c, by)
	if _, code, _ := domain.KindOf(err); code == domain.CodeNoAccount {
		return closed.Caused(err)
	}
	return err
}

// handle adds a route to the engine. One for GET answers HEAD too.
func (r Routes) handle(method, path string, serve func(*gin.Context) error) {
	methods := []string{method}
	if method == http.MethodGet {
		methods = append(methods, http.MethodHead)
	}
	r.engine.Match(methods, path, func(c *gin.Context) {
		if err := serve(c); err != nil {
			_ = c.Error(err)
		}
	})
}
