// Package examples runs what /docs shows: each example of the page, as it stands, and the
// collections, by the programs that people use. The service is a real one in this process, behind
// a stage that sees to what an example needs besides itself: that a minute has passed, that
// somebody has paid, that the code is the one of the message.
package examples
