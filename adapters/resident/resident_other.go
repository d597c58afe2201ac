//go:build !linux

package resident

import "errors"

func unmapFile() {}

func askForLargePages([]byte) error { return errors.ErrUnsupported }
