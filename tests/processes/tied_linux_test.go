package processes_test

import (
	"os/exec"
	"syscall"
)

// tie makes the kernel kill the process when we end, and keeps it out of our
// terminal's signals.
func tie(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
