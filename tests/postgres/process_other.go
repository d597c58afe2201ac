//go:build !linux

package postgres

import (
	"io"
	"os/exec"
)

// owner is who runs the server: here always ourselves.
type owner struct{}

func unprivileged() *owner { return nil }

func (*owner) give(string) error { return nil }

func (*owner) run(*exec.Cmd) {}

func startTied(c *exec.Cmd) error { return c.Start() }

// memory is blank: folders are on disk.
func memory() string { return "" }

func removeWhenWeEnd(string) (io.Closer, error) { return io.NopCloser(nil), nil }
