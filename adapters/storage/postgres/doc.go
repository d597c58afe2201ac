// Package postgres is the store's PostgreSQL: how it is waited for, which sessions
// it must give, and what its errors mean.
package postgres
