// Package only leaves of the results of a call what a test looks at.
package only

import "github.com/stretchr/testify/require"

// Err is the error of a call that returns a value with it.
func Err[T any](_ T, err error) error { return err }

// Err2 is the error of a call that returns two values with it.
func Err2[T, U any](_ T, _ U, err error) error { return err }

// Value is the value of a call that must not fail: only.Value(os.ReadFile(name))(t).
func Value[T any](value T, err error) func(require.TestingT) T {
	return func(t require.TestingT) T {
		if h, ok := t.(interface{ Helper() }); ok {
			h.Helper()
		}
		require.NoError(t, err)
		return value
	}
}

// Both are the two values of a call that must not fail.
func Both[T, U any](one T, other U, err error) func(require.TestingT) (T, U) {
	return func(t require.TestingT) (T, U) { return Value(one, err)(t), other }
}
