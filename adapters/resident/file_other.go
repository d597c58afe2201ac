//go:build !linux

package resident

func unmapFile() {}
