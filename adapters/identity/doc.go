// Package identity owns session tokens: who is asking for an API key. Without
// settings the service issues and checks its own; with an OpenID Connect
// provider configured only that provider's are good.
package identity
