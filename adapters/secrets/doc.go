// Package secrets owns the service's master secrets: it loads or draws them, derives keys
// from them, seals with them, and keeps the agreement of all instances on one database on
// which secrets seal. No other package sees the secrets themselves.
package secrets
