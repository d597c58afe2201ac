// Package otp sends phone codes: by SMS through MSG91, or, for development on one machine, to
// the service's own log.
package otp
