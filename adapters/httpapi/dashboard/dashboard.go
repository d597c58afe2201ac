package dashboard

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"go.uber.org/fx"

	"milaan/ports"
	"milaan/ports/peers"
)

// Server is what the dashboard needs of the server that it is a part of.
type Server interface {
	// OverHTTPS says whether the client itself spoke HTTPS.
	OverHTTPS(r *http.Request) bool
	// Local says whether the request comes from this machine, to a service that only this
	// machine can reach, and through no proxy.
	Local(r *http.Request) bool
	// Client returns what tells clients apart.
	Client(r *http.Request) string
	// Address returns the client's IP address, whole; blank if it is not known.
	Address(r *http.Request) string
	// Base returns the service's address without a path, such as https://milaan.example; blank
	// if it is not known. It is never that of a request: who sends one chooses its Host.
	Base() string
	// Body reads the JSON body of a page's request without files, of an account (blank:
	// of the client), of at most the given number of bytes.
	Body(c *gin.Context, account string, most int64) ([]byte, error)
	// ProgramNames returns how sentences for programs that manage an account name things.
	ProgramNames() peers.Names
	// Stream answers with JSON that is written while it is made, for an account. It breaks
	// the connection off if write fails after its first bytes.
	Stream(c *gin.Context, account string, write func(io.Writer) error) error
	// NoteAccount gives the line of the access log its account.
	NoteAccount(c *gin.Context, id string)
	// LogFailure logs an error that is answered with a redirect, as the errors are logged
	// that are answered with a status of their own.
	LogFailure(c *gin.Context, err error)
}

// Params are what a Dashboard needs.
type Params struct {
	fx.In

	SigningIn   ports.SigningIn
	People      ports.ManagingPeople
	Ways        ports.SignInWays
	Sells       ports.BillingOn
	Provider    ports.IdentityProvider
	Sealer      peers.Sealer
	History     ports.ReadingHistory
	Couriers    ports.Couriers
	Languages   peers.Languages
	MaxRows     ports.MaxRows
	Sandbox     ports.SandboxOn
	Background  ports.Background
	MaySend     ports.MaySend
	Clock       ports.Clock
	Connections ports.ManagingConnections
	Mails       ports.ChoosingMails
	Accounts    ports.ManagingAccounts
	Webhooks    ports.ManagingWebhooks
	Phones      ports.VerifyingPhones
	Gate        ports.Gate
	Billing     ports.ManagingBilling
	Exports     peers.Answers
	Closing     ports.ClosingAccounts
}

// Dashboard answers the requests of the pages.
type Dashboard struct {
	Params

	server  Server
	most    int64 // bytes of an upload
	origins *http.CrossOriginProtection
}

// New makes a dashboard, whose uploads have at most the given number of bytes. If the service's
// address is set, its pages are of this origin, whatever name a proxy uses for the service.
func New(p Params, server Server, publicURL string, most int64) (*Dashboard, error) {
	d := &Dashboard{Params: p, server: server, most: most, origins: http.NewCrossOriginProtection()}
	if publicURL != "" {
		if err := d.origins.AddTrustedOrigin(publicURL); err != nil {
			return nil, fmt.Errorf("the origin of the pages: %w", err)
		}
	}
	return d, nil
}

// Path is where the dashboard is.
const Path = "/app"

// Covers says whether a path is one of the dashboard's.
func Covers(path string) bool { return path == Path || strings.HasPrefix(path, Path+"/") }
