package postgres

import (
	"io"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strconv"
	"syscall"
)

// owner is who runs the server; nil is ourselves. PostgreSQL refuses to run as
// root.
type owner struct{ uid, gid uint32 }

func unprivileged() *owner {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
			gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
			if uidErr == nil && gidErr == nil {
				return &owner{uid: uint32(uid), gid: uint32(gid)}
			}
		}
	}
	return &owner{uid: 65534, gid: 65534}
}

func (o *owner) give(folder string) error {
	if o == nil {
		return nil
	}
	return os.Chown(folder, int(o.uid), int(o.gid))
}

func (o *owner) run(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if o != nil {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: o.uid, Gid: o.gid}
	}
}

// startTied starts a process that ends when we do. The kernel ties it to the
// thread that starts it, so that thread must live as long as we.
func startTied(c *exec.Cmd) error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		started <- c.Start()
		select {}
	}()
	return <-started
}

// memory is a folder whose files are in memory, where making a database takes a quarter of
// the time, or blank if that has no room for some servers. Long tests have their data on
// disk, as services do, unless the disk is nearly full.
func memory() string {
	const folder, room, longRoom = "/dev/shm", 4 << 30, 16 << 30
	if hasRoom(folder, room) && (os.Getenv("MILAAN_SOAK") == "" || !hasRoom(os.TempDir(), longRoom)) {
		return folder
	}
	return ""
}

// hasRoom says whether the given number of bytes are free where a folder is.
func hasRoom(folder string, bytes int64) bool {
	var free syscall.Statfs_t
	return syscall.Statfs(folder, &free) == nil && int64(free.Bavail)*free.Bsize >= bytes
}

// removeWhenWeEnd starts a process that removes a folder however we end: it waits until our
// end of its pipe is closed. Memory that a killed test left would be lost until a restart.
func removeWhenWeEnd(folder string) (ours io.Closer, err error) {
	remover := exec.Command("sh", "-c", `trap "" INT TERM HUP; read -r _; for _ in 1 2 3 4 5; do rm -rf "$0" && exit; sleep 1; done`, folder)
	if ours, err = remover.StdinPipe(); err != nil {
		return nil, err
	}
	return ours, remover.Start()
}
