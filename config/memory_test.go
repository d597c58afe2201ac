package config_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"milaan/config"
)

func TestMemoryLimitOfAContainer(t *testing.T) {
	const mib = 1 << 20
	for name, c := range map[string]struct {
		files map[string]string
		want  int64 // 0: none
	}{
		"no control groups":         {nil, 0},
		"version 2, in a container": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "536870912\n"}, 512 * mib},
		"version 2, no limit":       {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 0},
		"version 2, of a service": {map[string]string{"proc/self/cgroup": "0::/system.slice/milaan.service\n",
			"sys/fs/cgroup/system.slice/milaan.service/memory.max": "1073741824\n", "sys/fs/cgroup/system.slice/memory.max": "max\n"}, 1024 * mib},
		"version 2, the group above allows less": {map[string]string{"proc/self/cgroup": "0::/pod/container\n",
			"sys/fs/cgroup/pod/container/memory.max": "max\n", "sys/fs/cgroup/pod/memory.max": "268435456\n"}, 256 * mib},
		"version 2, its folder is out of sight": {map[string]string{"proc/self/cgroup": "0::/../../kubepods/x\n", "sys/fs/cgroup/memory.max": "268435456"}, 256 * mib},
		"version 1": {map[string]string{"proc/self/cgroup": "12:cpu,cpuacct:/docker/x\n5:memory:/docker/x\n",
			"sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": "268435456\n"}, 256 * mib},
		"version 1, in a container": {map[string]string{"proc/self/cgroup": "5:memory:/docker/x\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n"}, 256 * mib},
		"version 1, no limit": {map[string]string{"proc/self/cgroup": "5:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		"both":                {map[string]string{"proc/self/cgroup": "5:memory:/\n0::/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n"}, 256 * mib},
		"no numbers":          {map[string]string{"proc/self/cgroup": "5:memory:/\n0::/\nx\n\n:::\n", "sys/fs/cgroup/memory.max": "lots", "sys/fs/cgroup/memory/memory.limit_in_bytes": "-1"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{}
			for path, text := range c.files {
				root[path] = &fstest.MapFile{Data: []byte(text)}
			}
			limit, found := config.MemoryLimit(root)
			require.Equal(t, c.want > 0, found)
			if found {
				require.Equal(t, c.want, limit)
			}
		})
	}
}
