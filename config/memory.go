package config

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// unlimited is from how many bytes on a limit is none: the kernel writes a huge
// number where nobody has set one.
const unlimited = 1 << 60

// MemoryLimit is how many bytes of memory the container allows this process, by
// its control group (version 2 or 1) and those that it is in. found is false
// where there is no limit, or none to be seen. root is the machine's file system.
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
			limit = min(limit, groupLimit(root, "sys/fs/cgroup", group, "memory.max"))
		case slices.Contains(strings.Split(controllers, ","), "memory"):
			limit = min(limit, groupLimit(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"))
		}
	}
	return limit, limit < unlimited
}

// groupLimit is the least limit of a group and of those above it. In a container
// the group's own folder may be out of sight, and the hierarchy's root is it.
func groupLimit(root fs.FS, hierarchy, group, file string) int64 {
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
