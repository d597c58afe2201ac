package cli

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"milaan/config"
)

// readyWait is how long the service may take to say whether it is ready.
const readyWait = 3 * time.Second

func readyCommand(Deps) *cobra.Command {
	return &cobra.Command{
		Use:   "ready",
		Short: "Ask the running service whether it is ready",
		Long: `Ask the service that runs on this machine with the same settings whether it is ready,
for the health check of a container that has no other program. The exit code is 0 if it
is, and 1 if not. Behind a proxy that terminates HTTPS, set MILAAN_METRICS_ADDR.`,
		Example: `  milaan ready`,
		Args:    flagsOnly,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.FromEnvironment()
			if err != nil {
				return err
			}
			held, err := askReady(cmd.Context(), readyURL(c.HTTP))
			if held {
				return say(cmd, err, "The service is ready, and held: it sends nothing until milaan resume.")
			}
			return say(cmd, err, "The service is ready.")
		},
	}
}

func readyURL(c config.HTTP) string {
	scheme, address := "http", c.MetricsAddr
	if address == "" {
		if address = c.Addr; c.TLS() {
			scheme = "https"
		}
	}
	host, port, _ := net.SplitHostPort(address)
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/readyz"
}

// askReady returns nil if the service says that it is ready, and else why not; held if it is
// ready and sends nothing.
func askReady(ctx context.Context, url string) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false, err
	}
	// The certificate is for the name by which others reach the service. Nothing secret is sent.
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // see above
	defer client.CloseIdleConnections()
	answer, err := client.Do(request)
	if err != nil {
		return false, fmt.Errorf("the service does not answer: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	var said struct {
		Error string `json:"error"`
		Held  bool   `json:"held"`
	}
	const longest = 4 << 10 // bytes
	err = json.NewDecoder(io.LimitReader(answer.Body, longest)).Decode(&said)
	if answer.StatusCode == http.StatusOK {
		return said.Held, nil
	}
	if answer.StatusCode == http.StatusForbidden {
		return false, errors.New("the service takes no plain HTTP behind its proxy: set MILAAN_METRICS_ADDR for both it and this command")
	}
	if err != nil || said.Error == "" {
		return false, fmt.Errorf("the service is not ready: %s", answer.Status)
	}
	return false, errors.New(said.Error)
}
