// Package only leaves of the results of a call what a test looks at.
package only

// Err is the error of a call that returns a value with it.
func Err[T any](_ T, err error) error { return err }

// Err2 is the error of a call that returns two values with it.
func Err2[T, U any](_ T, _ U, err error) error { return err }
