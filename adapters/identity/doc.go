// Package identity checks session tokens, which say who asks for an API key. Without
// settings the service issues and checks its own; if an OpenID Connect provider is set, only
// that provider's tokens are valid.
package identity
