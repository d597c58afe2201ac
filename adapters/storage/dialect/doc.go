// Package dialect is the interface between the store and the two databases that it works
// on: what it asks of them, which the packages sqlite and postgres implement, and what these two
// have in common. The store names one of them only when it opens it.
package dialect
