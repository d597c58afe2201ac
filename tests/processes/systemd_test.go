package processes_test

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// systemd is told when the service is ready, and how long it may take to stop: its settings and ten seconds.
func TestSystemdIsTold(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	path := filepath.Join(in.dir, "notify")
	socket := only.Value(net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"}))(t)
	defer func() { _ = socket.Close() }()
	told := func() string {
		text := make([]byte, 1<<10)
		require.NoError(t, socket.SetReadDeadline(time.Now().Add(waitLimit)))
		return string(text[:only.Value(socket.Read(text))(t)])
	}
	r := in.launch(t, "NOTIFY_SOCKET="+path, "MILAAN_DRAIN_DELAY=1ms", "MILAAN_DRAIN_TIMEOUT=50s")
	require.Equal(t, "READY=1", told())
	r.awaitReady(t)
	r.stop(t)
	require.Equal(t, "STOPPING=1\nEXTEND_TIMEOUT_USEC=60001000", told())
}
