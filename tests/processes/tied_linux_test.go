package processes_test

import (
	"cmp"
	"os/exec"
	"syscall"
)

// tie makes the kernel kill the process when we end, and keeps it out of our
// terminal's signals.
func tie(c *exec.Cmd) {
	c.SysProcAttr = cmp.Or(c.SysProcAttr, &syscall.SysProcAttr{})
	c.SysProcAttr.Setpgid, c.SysProcAttr.Pdeathsig = true, syscall.SIGKILL
}
