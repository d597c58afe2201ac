// Package emptypb is imported by tests of a reader of traces alone.
package emptypb
