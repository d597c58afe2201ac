// Package webhook calls customers' endpoints. An endpoint is a stranger's URL,
// so it is looked at twice: when it is saved, and again at every POST, between
// the look-up of its name and the connection, which goes to an address that has
// just passed and to no other. What a name is made to mean in between cannot
// matter.
//
// Which addresses are public is code.dny.dev/ssrf's decision, made of IANA's
// registries. There is no list of ours beside it.
package webhook
