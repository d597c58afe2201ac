package processes_test

import (
	"os/exec"
	"syscall"
)

// tie makes the kernel kill the process when we end, and keeps it out of our
// terminal's signals.
func tie(c *exec.Cmd) {
	if c.SysProcAttr == nil {
		c.SysProcAttr = &syscall.SysProcAttr{}
	}
	c.SysProcAttr.Setpgid, c.SysProcAttr.Pdeathsig = true, syscall.SIGKILL
}
