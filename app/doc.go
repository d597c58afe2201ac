// Package app holds the use cases of the service, and decides by the rules of package domain. Each
// topic is a package below this one: runs, autopilot, accounts, billing, mails and webhooks, with
// admission, which checks keys and counts requests towards their rates (the monthly cap is in runs).
// tests/arrows says which topic may import which. Here is what belongs to all: housekeeping.go,
// resealing.go, working.go, which says which use case does which job, and module.go, which composes
// the modules of the topics.
package app
