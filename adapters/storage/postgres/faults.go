package postgres

import (
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"milaan/adapters/storage/dialect"
)

func (d *Database) Judge(err error) dialect.Verdict {
	refusal, ok := errors.AsType[*pgconn.PgError](err)
	_, unconnected := errors.AsType[*pgconn.ConnectError](err)
	switch {
	case ok && hasState(refusal, "08", "57P01", "57P02", "57P03", "57P05", "25P03"):
		return dialect.Lost
	case ok && hasState(refusal, "40001", "40P01", "55P03"): // a failed serialisation, a deadlock, a lock that is not waited for
		return dialect.Undone
	case ok && hasState(refusal, "0A000") && refusal.Routine == planCheck:
		return dialect.Undone
	case ok && hasState(refusal, "53", "57", "58", "25006"):
		return dialect.Unable
	case !ok && (unconnected || errors.Is(err, pgconn.ErrConnClosed)):
		return dialect.Lost
	case ok, errors.Is(err, pgx.ErrTxCommitRollback):
		return dialect.Refused
	}
	return dialect.Fault
}

// planCheck is the function of the server that refuses a statement which a connection has
// prepared and whose result would have other columns, or of other types, since a migration. The
// driver then forgets the statement and prepares it anew. The other refusals with this SQLSTATE
// stay what they are however often one asks.
const planCheck = "RevalidateCachedQuery"

func (d *Database) Full(err error) bool {
	refusal, ok := errors.AsType[*pgconn.PgError](err)
	return ok && hasState(refusal, "53100")
}

// hasState says whether the error's SQLSTATE begins with one of these.
func hasState(err *pgconn.PgError, states ...string) bool {
	return slices.ContainsFunc(states, func(s string) bool { return strings.HasPrefix(err.Code, s) })
}
