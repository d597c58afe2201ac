package intake

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettingsThatCannotWorkAreRefused(t *testing.T) {
	for _, s := range []Settings{{}, {BodyMemory: MaxBody}, {MaxConnections: 1, MaxConnectionsPerPeer: 1}} {
		require.NoError(t, s.Check())
	}
	for says, s := range map[string]Settings{
		"at least 26214400":          {BodyMemory: MaxBody - 1},
		"are -1 at most":             {MaxConnections: -1},
		"-1 of one address":          {MaxConnectionsPerPeer: -1},
		"the wait for body memory":   {BodyWait: -1},
		"the body timeout is -1ns":   {BodyTimeout: -1},
		"the linger timeout is -1ns": {LingerTimeout: -1},
		"the write timeout is -1ns":  {WriteTimeout: -1},
	} {
		require.ErrorContains(t, s.Check(), says)
	}
}
