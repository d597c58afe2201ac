package postgres

import (
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
