// Package secrets owns the service's master secrets: where they come from, the
// keys derived from them, the seals of what is kept under them, and the agreement
// of all copies of the service on one database on which of them seal. Nothing
// else sees the secrets themselves.
package secrets
