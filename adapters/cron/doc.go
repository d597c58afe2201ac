// Package cron owns what the service does by the clock and not on request. It
// says when; what is done is a use case. Every copy of the service runs it:
// housekeeping may be repeated.
package cron
