package config

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// unlimited is the number of bytes from which a limit means no limit. The kernel
// reports a huge number if nobody has set one.
const unlimited = 1 << 60

// MemoryLimit is how many bytes of memory the container allows this process: the
// smallest limit of its control group (version 2 or 1) and of the groups above it.
// found is false if there is no limit, or if it cannot be read. root is the file
// system of the machine.
func MemoryLimit(root fs.FS) (limit int64, found bool) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	limit = unlimited
	for line := range strings.Lines(string(groups)) {
		hierarchy, group, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, _ := strings.Cut(group, ":")
		switch {
		case hierarchy == "0" && controllers == "":
			limit = min(limit, readGroupLimit(root, "sys/fs/cgroup", group, "memory.max"))
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			limit = min(limit, readGroupLimit(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"))
		}
	}
	return limit, limit < unlimited
}

// readGroupLimit is the smallest limit of a group and of the groups above it. In a
// container the group's own folder may be hidden; then the root of the hierarchy
// has its limit.
func readGroupLimit(root fs.FS, hierarchy, group, file string) int64 {
	limit := int64(unlimited)
	for at := path.Join("/", group); ; at = path.Dir(at) {
		if text, err := fs.ReadFile(root, path.Join(hierarchy, at, file)); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 {
				limit = min(limit, n)
			}
		}
		if at == "/" {
			return limit
		}
	}
}
