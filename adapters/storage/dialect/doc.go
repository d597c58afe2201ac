// Package dialect is the wall between the store and the two databases that it
// works on: what it asks of them, which the rooms sqlite and postgres fill, and
// what these two have in common. The store knows neither of them beyond the
// moment in which it opens one.
package dialect
