package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
)

// Database is where the jobs are: one of the two is set. It belongs to the
// caller, who closes it after the Engine has stopped.
type Database struct {
	SQLite   *sql.DB // of one connection, which begins its transactions as writers
	Postgres *pgxpool.Pool
}

var errDatabase = errors.New("the job engine needs one database: SQLite or PostgreSQL")

func (db Database) check() error {
	if (db.SQLite == nil) == (db.Postgres == nil) {
		return errDatabase
	}
	return nil
}

// Migrate brings the engine's tables to this program's version. It may be
// repeated, and is two queries if there is nothing to do. The caller sees to it
// that no other process migrates at the same time.
func Migrate(ctx context.Context, db Database) error {
	if err := db.check(); err != nil {
		return err
	}
	var err error
	if db.SQLite != nil {
		err = migrate(ctx, riversqlite.New(db.SQLite))
	} else {
		err = migrate(ctx, riverpgxv5.New(db.Postgres))
	}
	if err != nil {
		return err
	}
	return makeTables(ctx, db)
}

func migrate[Tx any](ctx context.Context, driver riverdriver.Driver[Tx]) error {
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err == nil {
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	if err != nil {
		return fmt.Errorf("migrate the job engine's tables: %w", err)
	}
	return nil
}
