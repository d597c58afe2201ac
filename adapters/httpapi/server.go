package httpapi

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/fx"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/dashboard/assets"
	"milaan/adapters/httpapi/intake"
	"milaan/adapters/httpapi/pages"
	"milaan/adapters/httpapi/remarks"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// maxHeader is the largest header of a request, in bytes.
const maxHeader = 32 << 10

// Params are what a Server needs.
type Params struct {
	fx.In

	Settings    Settings
	Log         *slog.Logger
	Gate        ports.Gate
	Reconciling ports.Reconciling
	Documents   ports.MakingDocuments
	Inspecting  ports.Inspecting
	Demo        ports.Demo
	Batching    ports.Batching
	Couriers    ports.Couriers
	Sandbox     ports.SandboxOn
	Answers     peers.Answers
	Ahead       peers.AnswersAhead
	ItemAnswers peers.ItemAnswers
	Items       ports.KeepingItems
	Wording     peers.Wording
	Database    peers.Database
	Engine      peers.Engine
	SigningIn   ports.SigningIn
	Mails       ports.ChoosingMails
	Billing     ports.ManagingBilling
	Dashboard   dashboard.Params
	// Collectors have further metrics for /metrics.
	Collectors []prometheus.Collector `group:"collectors"`
	Tracing    peers.Tracing          `optional:"true"` // nil: nobody collects traces
}

// Server serves the API.
type Server struct {
	params    Params
	figures   *figures
	intake    *intake.Intake
	transport transport
	dashboard *dashboard.Dashboard
	draining  atomic.Bool

	routes  gin.RoutesInfo // for clients
	samples sync.Map       // answers to GET /app/api/sample by language

	failures remarks.Limit // of the lines about requests that got a 503

	public     *http.Server
	operations *http.Server // nil without a MetricsAddr
	addr       net.Addr
	metricsAt  net.Addr
	ended      chan error // why each listener ended
}

// New makes a server that does not listen yet. It returns an error if another
// collector already has a metric of the same name.
func New(p Params) (*Server, error) {
	p.Settings = p.Settings.withDefaults()
	s := &Server{params: p, figures: newFigures(), ended: make(chan error, 2), failures: remarks.Limit{Most: 20},
		transport: transport{trusted: p.Settings.TrustedProxies}}
	if address := p.Settings.PublicURL; address != "" {
		s.transport.public = !dashboard.IsOfThisMachine(address)
	}
	s.intake = intake.New(p.Settings.Settings, s.transport.trusts, p.Log)
	for _, c := range append(s.intake.Collectors(), p.Collectors...) {
		if err := s.figures.registry.Register(c); err != nil {
			return nil, fmt.Errorf("add to the figures: %w", err)
		}
	}
	var err error
	s.dashboard, err = dashboard.New(p.Dashboard, appServer{s, &s.transport}, p.Settings.PublicURL, intake.MaxUpload)
	if err != nil {
		return nil, err
	}
	routes := s.publicRoutes(pages.New(p.Couriers, p.Demo, p.Dashboard.Languages))
	s.routes = routes.Routes()
	s.figures.expect(s.routes)
	s.public = s.serverOf(routes)
	if p.Settings.MetricsAddr != "" {
		probes := s.newEngine() // over plain HTTP, because no answer has a secret or says anything about a client
		s.addProbes(probes, true)
		s.operations = s.serverOf(probes)
	}
	return s, nil
}

func (s *Server) publicRoutes(documents *pages.Pages) *gin.Engine {
	e := s.newEngine(s.noteSandbox, s.demandHTTPS, s.allowOrigins, demandQuery)
	e.POST("/reconcile", handler(s.reconcile))
	e.POST("/reconcile/files", handler(s.reconcileFiles))
	e.POST("/reconcile/batch", handler(s.submitBatch))
	e.POST("/inspect", handler(s.inspectFiles))
	e.POST("/report", handler(s.makeDocument))
	e.POST("/generate-api-key", handler(func(c *gin.Context) error { return s.issueKey(c, domain.LiveKey) }))
	e.POST("/generate-sandbox-key", handler(func(c *gin.Context) error { return s.issueKey(c, domain.SandboxKey) }))
	e.POST("/hooks/razorpay", handler(s.takeNotice))
	get(e, "/status/:job_id", handler(s.batchStatus))
	get(e, "/connections/:id/open-items", handler(s.itemsByKey))
	get(e, "/demo", handler(s.runDemo))
	get(e, "/unsubscribe", handler(s.showUnsubscription))
	e.POST("/unsubscribe", handler(s.unsubscribe))
	get(e, "/openapi.json", gin.WrapH(documents.Description))
	get(e, "/openapi.yaml", gin.WrapH(documents.DescriptionYAML))
	get(e, "/llms.txt", gin.WrapH(documents.Overview))
	get(e, "/docs", gin.WrapH(documents.Docs))
	get(e, "/docs/milaan.postman_collection.json", gin.WrapH(documents.Postman))
	get(e, "/docs/milaan.bruno.zip", gin.WrapH(documents.Bruno))
	get(e, "/docs/guide", gin.WrapF(documents.Guide.Index))
	get(e, "/docs/guide/:topic", handler(func(c *gin.Context) error {
		if !documents.Guide.Chapter(c.Writer, c.Request, c.Param("topic")) {
			return errNoRoute
		}
		return nil
	}))
	get(e, "/", handler(func(c *gin.Context) error {
		return documents.Home(c.Writer, c.Request, s.Base(), cmp.Or(c.Query("lang"), s.dashboard.Language(c.Request)))
	}))
	routes := s.dashboard.Routes(e)
	s.addUploads(routes)
	s.addKeptItems(routes)
	s.addTranslations(routes)
	pages := assets.New()
	addDashboard(e, pages)
	e.NoRoute(handler(noRoute(pages.Page(http.StatusNotFound))))
	s.addProbes(e, s.params.Settings.MetricsAddr == "")
	return e
}

// addProbes adds the routes for operators; withMetrics says whether /metrics is one
// of them.
func (s *Server) addProbes(e *gin.Engine, withMetrics bool) {
	get(e, "/healthz", handler(s.alive))
	get(e, "/readyz", handler(s.ready))
	if withMetrics {
		get(e, "/metrics", gin.WrapH(s.figures.handler()))
	}
}

// get adds a route for GET and HEAD.
func get(e *gin.Engine, path string, h gin.HandlerFunc) {
	e.Match([]string{http.MethodGet, http.MethodHead}, path, h)
}

// handler attaches the error that handle returns to the context, for answerErrors.
func handler(handle func(*gin.Context) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		if err := handle(c); err != nil {
			_ = c.Error(err)
		}
	}
}

func (s *Server) newEngine(checks ...gin.HandlerFunc) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.HandleMethodNotAllowed = true
	e.RedirectTrailingSlash = false
	e.ForwardedByClientIP = false // transport finds the client
	e.Use(setRequestID, s.observe, s.setBrowserHeaders, s.answerErrors, demandStorable)
	e.Use(checks...)
	e.NoRoute(handler(func(*gin.Context) error { return errNoRoute }))
	e.NoMethod(handler(func(*gin.Context) error { return errNoMethod }))
	return e
}

// addDashboard adds the pages of the dashboard and the files that they are made of.
func addDashboard(e *gin.Engine, dashboard *assets.Assets) {
	page := gin.WrapH(dashboard.Page(http.StatusOK))
	for _, route := range assets.Pages {
		get(e, route, page)
	}
	for name, file := range dashboard.Files {
		get(e, assets.At+name, gin.WrapH(file))
		get(e, assets.Again+name, gin.WrapH(file))
	}
}

// noRoute is for requests without a route. It redirects the pages that are asked for with a
// slash at the end, and answers a browser that asks for an unknown page of the dashboard
// with missing, which says so.
func noRoute(missing http.Handler) func(*gin.Context) error {
	return func(c *gin.Context) error {
		path := c.Request.URL.Path
		switch {
		case c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead:
			return errNoRoute
		case path == "/docs/", path == "/docs/guide/", path == "/app/":
			c.Redirect(http.StatusMovedPermanently, strings.TrimSuffix(path, "/"))
			return nil
		case strings.HasPrefix(path, "/app/") && !strings.HasPrefix(path, "/app/api/") && !strings.HasPrefix(path, assets.At):
			missing.ServeHTTP(c.Writer, c.Request)
			return nil
		}
		return errNoRoute
	}
}

// streamsAtOnce is how many requests of one HTTP/2 connection may be in flight: the
// lowest limit that the protocol recommends. intake limits their memory by account.
const streamsAtOnce = 100

// serverOf makes an HTTP server. It sets no timeout for a whole request or answer, because
// intake sets their deadlines, as it knows how many bytes are still to come.
func (s *Server) serverOf(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           s.intake.Handler(h, s.draining.Load),
		ConnContext:       intake.NoteConnection,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: streamsAtOnce},
		ReadHeaderTimeout: s.params.Settings.HeaderTimeout,
		IdleTimeout:       s.params.Settings.IdleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          log.New(connectionLog{s.params.Log}, "", 0),
		// OPTIONS * has no route, and its answer has a request id like all others.
		DisableGeneralOptionsHandler: true,
	}
}

// Start binds the addresses and serves in the background. It returns when they are bound,
// or with an error if a port is taken or the certificate cannot be read.
func (s *Server) Start(ctx context.Context) error {
	if s.params.Settings.TLSCert != "" {
		cert, err := tls.LoadX509KeyPair(s.params.Settings.TLSCert, s.params.Settings.TLSKey)
		if err != nil {
			return fmt.Errorf("load the certificate of MILAAN_TLS_CERT with the key of MILAAN_TLS_KEY: %w", err)
		}
		s.public.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{cert}}
	}
	var lc net.ListenConfig
	public, err := lc.Listen(ctx, "tcp", s.params.Settings.Addr)
	if err != nil {
		return fmt.Errorf("%w: set MILAAN_ADDR to another address", err)
	}
	s.addr = public.Addr()
	public = s.intake.Listener(public)
	bound, _ := netip.ParseAddrPort(s.addr.String())
	s.transport.loopback = bound.Addr().Unmap().IsLoopback()
	if s.operations != nil {
		operations, err := lc.Listen(ctx, "tcp", s.params.Settings.MetricsAddr)
		if err != nil {
			return errors.Join(fmt.Errorf("%w: set MILAAN_METRICS_ADDR to another address", err), public.Close())
		}
		s.metricsAt = operations.Addr()
		operations = s.intake.OperatorsListener(operations)
		go func() { s.ended <- s.operations.Serve(operations) }()
		s.params.Log.Info("metrics and probes", "address", "http://"+s.metricsAt.String())
	}
	scheme := "http://"
	if s.public.TLSConfig != nil {
		scheme = "https://"
		go func() { s.ended <- s.public.ServeTLS(public, "", "") }()
	} else {
		go func() { s.ended <- s.public.Serve(public) }()
	}
	s.params.Log.Info("listening", "address", scheme+s.addr.String())
	return nil
}

// Addr returns the address that Start has bound. If the setting had port 0, it has the
// port that the system chose.
func (s *Server) Addr() net.Addr { return s.addr }

// Figures are the metrics for whoever else gathers them.
func (s *Server) Figures() prometheus.Gatherer { return s.figures.registry }

// Routes lists the routes for clients, such as "GET /app/api/me".
func (s *Server) Routes() []string {
	var all []string
	for _, r := range s.routes {
		all = append(all, r.Method+" "+r.Path)
	}
	return all
}

// Base returns the address by which people reach the service, without a path: the one that is
// set, or else the one that Start has bound. It is blank if it is not known, because people come
// through a proxy, or to any address of this machine.
func (s *Server) Base() string {
	if address := s.params.Settings.PublicURL; address != "" {
		return address
	}
	bound, err := netip.ParseAddrPort(s.addr.String())
	if err != nil || bound.Addr().IsUnspecified() || len(s.transport.trusted) > 0 {
		return ""
	}
	return s.bound()
}

// bound returns the address that Start has bound, by the name that the settings use for its
// host, such as localhost.
func (s *Server) bound() string {
	host, _, _ := net.SplitHostPort(s.params.Settings.Addr)
	_, port, _ := net.SplitHostPort(s.addr.String())
	if s.params.Settings.TLSCert != "" {
		return "https://" + net.JoinHostPort(host, port)
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Dashboard returns the address of the dashboard for people, once Start has bound it; blank
// if it is not known. visitors says whether they need no account there.
func (s *Server) Dashboard() (address string, visitors bool) {
	switch {
	case s.transport.private():
		return s.bound() + dashboard.Path, true
	case s.params.Settings.PublicURL != "":
		return s.params.Settings.PublicURL + dashboard.Path, false
	}
	return "", false
}

// Wait blocks until a listener ends, and returns its error; nil if Stop ended it.
func (s *Server) Wait() error {
	if err := <-s.ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Stop ends the server in two steps. For DrainDelay it serves as before, but /readyz says
// that this instance should get no more requests, and every connection ends with its next
// answer. Then it accepts no more connections and lets the requests in flight end, for
// DrainTimeout or until ctx ends; those that are left are cut off. Probes on the metrics
// address are answered until the end, with not ready.
func (s *Server) Stop(ctx context.Context) error {
	s.draining.Store(true)
	delay := time.NewTimer(s.params.Settings.DrainDelay)
	defer delay.Stop()
	select {
	case <-delay.C:
	case <-ctx.Done():
	}
	drain := s.params.Settings.DrainTimeout // of which a part is for closing the database after the requests in flight
	ctx, cancel := context.WithTimeout(ctx, drain-min(time.Second, drain/10))
	defer cancel()
	start := time.Now()
	err := s.public.Shutdown(ctx)
	if err != nil {
		s.params.Log.Warn("requests were still in flight and are cut off", "waited", time.Since(start))
		err = errors.Join(err, s.public.Close())
	}
	s.intake.AwaitLingering(ctx)
	if s.operations != nil {
		err = errors.Join(err, s.operations.Close())
	}
	return err
}

// connectionLog writes what net/http logs about connections, without the addresses of
// clients.
type connectionLog struct{ log *slog.Logger }

var clientAddress = regexp.MustCompile(`\[[0-9A-Fa-f:.%\w]+\](:\d+)?|\d{1,3}(\.\d{1,3}){3}(:\d+)?`)

func (l connectionLog) Write(p []byte) (int, error) {
	l.log.Debug("connection", "problem", clientAddress.ReplaceAllString(strings.TrimSpace(string(p)), "an address"))
	return len(p), nil
}
