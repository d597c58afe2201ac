// Package secrets owns the service's master secret: where it comes from, the
// keys derived from it, the seals of what is kept under it, and the check that
// every copy of the service on one database has the same. Nothing else sees the
// secret itself.
package secrets
