package arrows

import "slices"

// module is the path before every import of ours.
const module = "milaan"

// ring is a part of the tree and the arrows that may leave it. Everything may
// import the standard library and what lies in its own package; mentioned here
// is what else it may import.
type ring struct {
	in        string   // a folder, with all below it
	alone     bool     // without what lies below it
	ours      []string // folders of ours, with all below them
	except    []string // but for these
	outside   []string // the same, for tests of package x_test
	libraries bool     // third-party libraries that are at home nowhere else
	only      []string // third-party libraries, where not every one will do
	why       string
}

// rings are those of all folders but the root and tests, from which every arrow may leave. The first one counts that a folder is in.
var rings = []ring{
	{in: "domain/verdict", ours: []string{"domain"}, except: []string{"domain/bank"},
		why: "the verdict is made of values of the domain, with the standard library only"},
	{in: "domain/bank", ours: []string{"domain"},
		why: "statements are held against the payouts of a verdict, with the standard library only"},
	{in: "domain", why: "the business depends on the standard library only"},
	{in: "ports/peers", ours: []string{"domain", "ports"},
		why: "what one adapter is to another is said in the words of the domain and the ports"},
	{in: "ports", ours: []string{"domain"}, why: "a port speaks of the domain and the standard library only"},
	{in: "app", alone: true, ours: []string{"domain", "ports", "app"}, except: []string{"ports/peers"},
		outside: []string{"adapters", "couriers", "config"}, libraries: true,
		why: "the application knows the domain and asks for everything else through a port"},
	{in: "app", ours: []string{"domain", "ports"}, except: []string{"ports/peers"},
		outside: []string{"adapters", "couriers", "config", "app"}, libraries: true,
		why: "a topic of the application asks for everything else through a port, and knows only the other topics that tests/arrows names"},
	{in: "couriers", ours: []string{"domain", "ports", "couriers"}, outside: []string{"adapters", "app"}, only: []string{"go.uber.org/fx"},
		why: "a courier is data in the domain's words"},
	{in: "adapters/httpapi/intake", ours: []string{"domain", "ports", "config", "adapters/httpapi/intake", "adapters/httpapi/remarks"},
		only: []string{"golang.org/x/sync", "github.com/prometheus/client_golang"},
		why:  "the intake takes bytes in, and knows neither what they say nor who answers"},
	{in: "adapters/httpapi/pages", ours: []string{"domain", "ports", "adapters/guide", "adapters/wording", "adapters/httpapi/compress", "adapters/httpapi/pages"},
		only: []string{"github.com/yuin/goldmark"},
		why:  "pages are documents, and know neither the router nor how requests are taken in"},
	{in: "adapters/httpapi/dashboard/assets", ours: []string{"adapters/httpapi/compress", "adapters/httpapi/dashboard/assets"},
		outside: []string{"adapters/httpapi/dashboard/bundle"},
		why:     "the dashboard's files are served without knowing the router or the business"},
	{in: "adapters/httpapi/dashboard/bundle", ours: []string{"domain", "adapters/wording", "adapters/view", "adapters/httpapi/dashboard/bundle"},
		only: []string{"github.com/evanw/esbuild"},
		why:  "the dashboard's sources are bundled, and made of the words and the views, without knowing who serves them"},
	{in: "adapters/httpapi/dashboard", alone: true, ours: []string{"domain", "ports", "adapters/view", "adapters/httpapi/dashboard/assets", "adapters/httpapi/compress"},
		only: []string{"github.com/gin-gonic/gin", "go.uber.org/fx"},
		why:  "the resources of the pages do not know the server that they are a part of"},
	{in: "adapters/httpapi/jsonbody", ours: []string{"domain", "adapters/httpapi/jsonbody"}, only: []string{"golang.org/x/sys/cpu"},
		why: "the decoder knows the JSON of a body, and neither its request nor its answer"},
	{in: "adapters/httpapi/multipart", ours: []string{"adapters/httpapi/multipart"},
		why: "a form is split without knowing what its parts are for"},
	{in: "adapters/httpapi/compress", ours: []string{"adapters/httpapi/compress"}, only: []string{"github.com/klauspost/compress"},
		why: "an answer is compressed, and kept by clients, without knowing what it says"},
	{in: "adapters/httpapi/unpack", ours: []string{"adapters/httpapi/unpack"}, only: []string{"github.com/klauspost/compress"},
		why: "a body is unpacked without knowing what it says, or who charges for it"},
	{in: "adapters/cli/terminal", ours: []string{"adapters/cli/terminal"}, only: []string{"golang.org/x/term", "golang.org/x/text"},
		why: "a terminal shows texts, and knows neither commands nor the business"},
	{in: "adapters/view", ours: []string{"domain", "ports"}, why: "a view has the JSON of values, and knows no adapter that writes it"},
	{in: "adapters", alone: true, ours: []string{"domain", "ports", "config", "adapters"}, libraries: true,
		why: "the list of adapters knows its adapters and nothing of the application"},
	{in: "adapters/storage/sqlite", ours: []string{"domain", "ports", "adapters/storage/dialect"},
		outside: []string{"adapters/storage"}, libraries: true,
		why: "a database has a room of its own, and the store sees it through adapters/storage/dialect alone"},
	{in: "adapters/storage/postgres", ours: []string{"domain", "ports", "adapters/storage/dialect"},
		outside: []string{"adapters/storage"}, libraries: true,
		why: "a database has a room of its own, and the store sees it through adapters/storage/dialect alone"},
	{in: "adapters", ours: []string{"domain", "ports", "config", "adapters/wording", "adapters/view", "adapters/guide", "adapters/drafts"},
		outside: []string{"adapters"}, libraries: true,
		why: "an adapter knows neither the application nor another adapter but the words, the views, the guide and drafts of files, and meets them at a port"},
	{in: "config", ours: []string{"config"}, libraries: true, why: "settings are read before anything of ours exists"},
}

// ringOf finds the ring of a folder; nil: it has none.
func ringOf(folder string) *ring {
	i := slices.IndexFunc(rings, func(r ring) bool { return folder == r.in || !r.alone && within(folder, r.in) })
	if i < 0 {
		return nil
	}
	r := rings[i]
	switch {
	case r.in == "app" && !r.alone:
		r.ours = slices.Concat(r.ours, rooms[folder], tools)
	case r.in == "adapters" && !r.alone:
		r.ours = append(slices.Clip(r.ours), adapterOf(folder))
	}
	return &r
}

// rooms says which other topics of the application one may import, and what it needs there.
// All may import tools.
var (
	rooms = map[string][]string{
		"app/accounts":  {"app/runs"},     // the columns of a mapping, as requests name them
		"app/autopilot": {"app/runs"},     // comparing what was fetched, and reading it to test
		"app/mails":     {"app/accounts"}, // the token of an invitation that is mailed again
	}
	// Every topic counts requests towards rates and writes the security log.
	tools = []string{"app/admission", "app/hashing", "app/ids", "app/panics"}
)

// portFolders hold interfaces, and mostMethods is how many one may have that the application
// calls: whoever uses it asks for what it needs. useCases are those that call the application,
// one for what belongs together, however much that is: an adapter opens them as a whole.
var portFolders = []string{"ports"}

var useCases = []string{
	"ManagingAccounts", "SigningIn", "ClosingAccounts", "Gate", "ManagingConnections", "ManagingWebhooks", "ManagingBilling",
}

const mostMethods = 5

// home says where alone a library may be imported. A library that has a home
// can be replaced by editing one folder. The root and tests are exempt.
type home struct {
	library string // with all below it
	folders []string
	why     string
}

var homes = []home{
	{"gorm.io", []string{"adapters/storage"}, "rows of the database stay in the storage adapter"},
	{"gorm.io/driver/postgres", []string{"adapters/storage/postgres"}, "only its room knows that a database is PostgreSQL"},
	{"github.com/libtnb/sqlite", []string{"adapters/storage/sqlite"}, "only its room knows that a database is SQLite"},
	{"modernc.org/sqlite", []string{"adapters/storage/sqlite"}, "only its room knows that a database is SQLite"},
	{"modernc.org/libc", []string{"tests/powercut"}, "the driver's own, and of the layer below it"},
	{"github.com/jackc/pgx", []string{"adapters/storage/postgres", "adapters/storage/dialect", "adapters/jobs"}, "only its room knows that a database is PostgreSQL, and the job engine, which is lent the driver's own connection"},
	{"github.com/pressly/goose", []string{"adapters/storage"}, "migrations belong to the storage adapter"},
	{"database/sql", []string{"adapters/storage", "adapters/jobs"}, "rows of the database stay with the adapters that own them"},
	{"github.com/riverqueue/river", []string{"adapters/jobs"}, "the job engine can be replaced in one place"},
	{"github.com/gin-gonic/gin", []string{"adapters/httpapi"}, "requests and answers stay in the HTTP adapter"},
	{"github.com/klauspost/compress", []string{"adapters/httpapi/compress", "adapters/httpapi/unpack", "adapters/storage", "adapters/table/sheet"},
		"answers are compressed in one place, requests unpacked in another, what is stored in another, and workbooks are inflated in a third"},
	{"go.opentelemetry.io", []string{"adapters/telemetry"}, "only builds with the tag otel have it"},
	{"github.com/VictoriaMetrics/easyproto", []string{"adapters/telemetry"}, "Protocol Buffers are written in one place"},
	{"github.com/go-logr", []string{"adapters/telemetry"}, "only OpenTelemetry logs by it"},
	{"github.com/evanw/esbuild", []string{"adapters/httpapi/dashboard/bundle"}, "the program itself has no bundler in it"},
	{"github.com/yuin/goldmark", []string{"adapters/httpapi/pages"}, "the guide is shown in one place"},
	{"net/http", []string{"adapters"}, "HTTP is an adapter's business"},
	{"golang.org/x/net/html", []string{"adapters/table"}, "pages are read as tables in one place"},
	{"github.com/coreos/go-oidc", []string{"adapters/identity"}, "session tokens are checked in one place"},
	{"golang.org/x/oauth2", []string{"adapters/identity", "adapters/storefront/shops"}, "people are identified in one place, and Shopify gives its tokens out in the same way"},
	{"github.com/go-jose", []string{"adapters/identity"}, "session tokens are made in one place"},
	{"github.com/gofrs/flock", []string{"adapters/secrets"}, "one process at a time proposes a secret"},
	{"code.dny.dev/ssrf", []string{"adapters/outbound"}, "what accounts name is dialled in one place"},
	{"github.com/wneessen/go-mail", []string{"adapters/mail"}, "mails are sent in one place"},
	{"github.com/pkg/sftp", []string{"adapters/sources"}, "reports are fetched in one place"},
	{"golang.org/x/crypto/ssh", []string{"adapters/sources"}, "reports are fetched in one place"},
	{"github.com/emersion", []string{"adapters/sources"}, "reports are fetched in one place"},
	{"github.com/spf13/cobra", []string{"adapters/cli"}, "the command line is an adapter"},
	{"github.com/spf13/pflag", []string{"adapters/cli"}, "the command line is an adapter"},
	{"golang.org/x/term", []string{"adapters/cli"}, "the command line is an adapter"},
	{"github.com/modelcontextprotocol/go-sdk", []string{"adapters/mcp"}, "assistants are answered in one place"},
	{"github.com/google/jsonschema-go", []string{"adapters/mcp"}, "assistants are answered in one place"},
	{"codeberg.org/go-pdf/fpdf", []string{"adapters/documents/pdf"}, "documents of one format are written in one place"},
	{"github.com/go-text/typesetting", []string{"adapters/documents/pdf"}, "scripts are shaped where they are drawn"},
	{"html/template", nil, "it calls methods by name, and the linker keeps them all (decision 20)"},
	{"text/template", nil, "it calls methods by name, and the linker keeps them all (decision 20)"},
}

// testLibraries may be imported by tests alone.
var testLibraries = []string{
	"testing",
	"net/http/httptest",
	"github.com/stretchr/testify",
	"pgregory.net/rapid",
	"github.com/creack/pty",
	"github.com/ledongthuc/pdf",
	"go.uber.org/goleak",
	"github.com/getkin/kin-openapi",
	"github.com/santhosh-tekuri/jsonschema",
	"github.com/oauth2-proxy/mockoidc",
	"github.com/standard-webhooks/standard-webhooks",
	"golang.org/x/net/http2",
	"github.com/chromedp",
	"github.com/emersion/go-smtp",
	"github.com/johannesboyne/gofakes3",
	"github.com/vektah/gqlparser",
	"go.opentelemetry.io/collector",
	"go.yaml.in/yaml",
}

// unsafeHomes are the folders that may import unsafe: SQLite is C in another
// dress, and what stands below it is called with addresses.
var unsafeHomes = []string{"tests/powercut"}

// worldly are the parts of the standard library that the domain does without:
// it has no clock and no input or output of its own, is given what it needs as
// values, and so answers the same question in the same way for ever.
var worldly = []string{
	"context", "crypto/rand", "database", "embed", "io/fs", "io/ioutil", "log", "math/rand",
	"net", "os", "plugin", "runtime", "syscall", "testing", "text/template", "html/template",
}

// harmless are parts of worldly packages that only compute.
var harmless = []string{"net/mail", "net/netip", "net/url"}

// clockless are the folders whose code is told the time, and timers those
// functions of package time that would read or await it.
var (
	clockless = []string{"domain", "ports", "app", "couriers"}
	timers    = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}
)

// floatless are the folders in which money passes by.
var floatless = []string{"domain", "ports", "couriers"}

// tagHomes says in which folders alone a key of struct tags may stand: a tag is
// a promise to somebody outside, and that somebody is one adapter's business.
var tagHomes = map[string][]string{
	"json": {"adapters/httpapi", "adapters/cli", "adapters/answer", "adapters/view", "adapters/identity", "adapters/jobs", "adapters/wording", "adapters/storefront/shops", "adapters/sources", "adapters/otp", "adapters/razorpay", "adapters/mcp", "adapters/storage/backup"},
	"gorm": {"adapters/storage"},
}

// vague are names of packages that say nothing of what is inside.
var vague = []string{"util", "utils", "common", "helper", "helpers", "types", "model", "models", "misc", "shared", "base"}

// initHomes are the folders where an init function may stand: a courier and a
// storefront announce themselves, so that adding one touches one file.
var initHomes = []string{"couriers", "adapters/storefront"}

// topLevel is everything that may lie at the top of the repository. Dot files
// and folders, which belong to tools, may come and go.
var topLevel = []string{
	"LICENSE", "README.md", "adapters", "app", "config", "couriers", "domain", "go.mod", "go.sum", "main.go", "ports", "tests",
}
