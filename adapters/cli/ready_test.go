package cli

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/config"
)

func TestReady(t *testing.T) {
	var status int
	var body string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/readyz", r.URL.Path)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Setenv("MILAAN_ADDR", service.Listener.Addr().String())
	for _, c := range []struct {
		status int
		body   string
		want   ran
	}{
		{200, `{"status":"ok"}`, ran{stdout: "The service is ready.\n"}},
		{503, `{"error":"the service is stopping"}`, ran{code: ExitFailed, stderr: "milaan: the service is stopping\n"}},
		{403, `{"error":"HTTPS only"}`, ran{code: ExitFailed, stderr: "milaan: the service takes no plain HTTP behind its proxy: " +
			"set MILAAN_METRICS_ADDR for both it and this command\n"}},
		{502, "<html>", ran{code: ExitFailed, stderr: "milaan: the service is not ready: 502 Bad Gateway\n"}},
	} {
		status, body = c.status, c.body
		require.Equal(t, c.want, run(Deps{}, "ready"))
	}
	service.Close()
	run(Deps{}, "ready").refused(t, ExitFailed, "milaan: the service does not answer: ")
}

func TestReadyURL(t *testing.T) {
	for want, of := range map[string]config.HTTP{
		"http://127.0.0.1:8080/readyz": {Addr: "127.0.0.1:8080"},
		"http://localhost:8080/readyz": {Addr: ":8080"},
		"https://localhost:443/readyz": {Addr: "0.0.0.0:443", TLSCert: "cert.pem"},
		"http://localhost:9090/readyz": {Addr: "0.0.0.0:443", TLSCert: "cert.pem", MetricsAddr: "[::]:9090"},
		"http://10.0.0.1:9090/readyz":  {Addr: ":8080", MetricsAddr: "10.0.0.1:9090"},
		"http://[::1]:8080/readyz":     {Addr: "[::1]:8080"},
	} {
		require.Equal(t, want, readyURL(of))
	}
}
