// Package webhook calls customers' endpoints. An endpoint is a URL that must not be
// trusted, so it is checked when it is saved and again at every POST: the name is looked
// up, the addresses are checked, and the connection goes to one of these addresses and to
// no other. So it does not matter if DNS changes what the name means in between.
//
// code.dny.dev/ssrf decides which addresses are public, by IANA's registries. We have no
// list of our own.
package webhook
