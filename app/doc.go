// Package app is what the service does, one file per thing: it lets keys in,
// issues keys, manages accounts and their webhooks, reconciles, at once and in
// batches, tells endpoints of it, shows the demo and keeps house. It decides by
// the domain's rules and reaches the world through ports only.
package app
