// Package database tells what a reader of a measurement needs to know of the
// PostgreSQL database behind it.
package database

import (
	"context"
	"errors"
)

// Facts are the database's version, settings and tables, by name, secrets left out:
// "database", "PostgreSQL version", "settings" and "tables", the latter two with
// several lines. It takes a few seconds at most, and needs no rights beyond those to
// connect: what a role may not see is "not available". When the server does not know
// one of the views, that fact is "not available" too, and is returned with the others
// beside an error. A database that cannot be reached is a *drivers.UnreachableError.
//
// Rows are counted as far as that takes a second a table and a few in all. Beyond,
// they are PostgreSQL's own estimate, and marked as such.
func Facts(ctx context.Context, dsn string) (map[string]string, error) {
	return nil, errors.New("not built yet")
}
