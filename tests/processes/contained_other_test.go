//go:build !linux

package processes_test

import "testing"

// container is a control group, which only Linux has.
type container struct{ limit int64 }

func newContainer(t *testing.T, limit int64) *container {
	t.Helper()
	t.Log("NOT TESTED: the limit of memory, which needs Linux")
	return &container{limit: limit}
}

func (*container) start(t *testing.T, in *installation, extra ...string) *replica {
	t.Helper()
	return in.start(t, extra...)
}

func (*container) killed(*testing.T) int { return 0 }
