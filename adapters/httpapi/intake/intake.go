package intake

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Intake accepts connections and reads request bodies, and limits the memory that they
// use. It may be used by several goroutines.
type Intake struct {
	settings  Settings
	figures   figures
	budget    *budget
	large     *gate // of the large bodies that may be taken in at once
	writing   *gate // of the documents that may be written at once
	buffers   buffers
	public    *connections
	operators *connections
}

// New makes an intake. trusts says whether an address is a trusted proxy's, whose
// connections many clients share.
func New(s Settings, trusts func(netip.Addr) bool, log *slog.Logger) *Intake {
	s = s.withDefaults()
	f := newFigures()
	p := connectionParams{all: affordable(s.MaxConnections, log), perPeer: s.MaxPerPeer, linger: s.LingerTimeout, trusts: trusts, log: log,
		figures: f}
	operators := connectionParams{all: operatorConnections, perPeer: operatorConnections, linger: s.LingerTimeout, trusts: trusts, log: log,
		figures: newFigures()} // not collected
	cores := int64(runtime.GOMAXPROCS(0))
	return &Intake{
		settings: s, figures: f, budget: newBudget(s, f), buffers: buffers{most: s.Memory.size / sparedPart},
		large: newGate(cores), writing: newGate(cores),
		public: newConnections(p), operators: newConnections(operators),
	}
}

// The errors of Read and Reserve, besides domain.ErrBusy, which says that no memory became
// free in time, and errors of the domain that the body of the request returns.
var (
	ErrTooLarge       = errors.New("the request body is larger than MaxBody")
	ErrUploadTooLarge = errors.New("the request body is larger than MaxUpload")
	ErrSlow           = errors.New("the request body did not arrive in time")
	ErrCutShort       = errors.New("the request body ended before its length")
	ErrClientGone     = errors.New("the client went away")
)

// Collectors returns the intake's metrics.
func (in *Intake) Collectors() []prometheus.Collector {
	return []prometheus.Collector{in.figures.bytes, in.figures.waiting, in.figures.open, in.figures.refused}
}

// figures are the metrics of bodies and of the connections of one listener.
type figures struct {
	bytes, waiting, open prometheus.Gauge
	refused              *prometheus.CounterVec
}

func newFigures() figures {
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "milaan", Name: name, Help: help})
	}
	f := figures{
		bytes:   gauge("body_bytes", "Memory charged for request bodies in flight and for what is made of them."),
		waiting: gauge("body_waiting", "Requests that wait for memory for their body, or until fewer large bodies are taken in."),
		open:    gauge("connections", "Connections of clients that are open; those to the address of the metrics are not among them."),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "milaan", Name: "connections_refused_total",
			Help: "Connections closed because there were as many as may be, by reason: limit, peer_limit, or unused for one that served " +
				"nothing and gave way to a new one."}, []string{"reason"}),
	}
	for _, reason := range []string{overAll, overPeer, gaveWay} {
		f.refused.WithLabelValues(reason)
	}
	return f
}

// Handler makes next a handler whose requests Read can read. last says whether an answer
// must be the last one of its connection.
//
// Handler sets the deadline until which an answer must begin, and deadlines by which the
// client must have taken each piece of it. It also makes sure that a client sees the
// refusal of a body that is still arriving. If the service closed the connection at once,
// the bytes that nobody has read would reset it, and a client that sends everything
// before it reads would see the reset and not the answer. So the answer is sent first,
// with Connection: close; then the connection lingers (see lingering.go). Clients that read
// while they send, such as curl, stop at once. A client that waits for 100 Continue is not
// told to send its body, and HTTP/2 ends the stream of the request alone.
func (in *Intake) Handler(next http.Handler, last func() bool) http.Handler {
	s := in.settings
	begins := 2*s.BodyWait + s.BodyTimeout + s.WriteTimeout
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, counts := r.Context().Value(connectionKey{}).(*connection)
		if counts {
			conn.begin()
			defer conn.end()
		}
		up := newUpload(w, r, last(), s.LingerTimeout)
		up.begins = time.Now().Add(begins)
		_ = up.control.SetWriteDeadline(up.begins)
		paced := &pacedWriter{ResponseWriter: w, upload: up, most: s.WriteTimeout}
		next.ServeHTTP(paced, r.WithContext(context.WithValue(r.Context(), uploadKey{}, up)))
		if counts && up.endsUnread() {
			conn.leaveUnread()
		}
	})
}
