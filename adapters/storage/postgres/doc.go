// Package postgres is the store on PostgreSQL: how it waits for the server, which sessions
// it needs, and what the errors of the driver mean.
package postgres
