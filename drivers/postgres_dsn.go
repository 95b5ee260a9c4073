package drivers

import (
	"context"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// parseDSN reads a connection string; what it leaves out comes from the usual
// PG* variables and their defaults. Its error is a *UsageError in words of our
// own: the library quotes the string, and in a malformed one nobody knows
// which part is the password.
func parseDSN(dsn string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		where := "the DSN"
		if dsn == "" {
			where = "the connection described by the PG* variables"
		}
		return nil, usage("%s is malformed%s; write it like postgres://user@host:5432/database or host=/run/postgresql dbname=database",
			where, complaint(err.Error()))
	}
	connection := config.ConnConfig
	if connection.RuntimeParams["application_name"] == "" {
		connection.RuntimeParams["application_name"] = "queuelab"
	}
	if connection.ConnectTimeout <= 0 {
		connection.ConnectTimeout = preflightTimeout
	}
	connection.LookupFunc = resolveOnce(connection.LookupFunc)
	return config, nil
}

// complaint names what the library found wrong, chosen from a fixed list so
// that nothing of the string itself is repeated.
func complaint(message string) string {
	for _, known := range []string{
		"invalid port", "invalid connect_timeout", "failed to read service", "failed to configure TLS",
		"unknown target_session_attrs", "pool_max_conns",
	} {
		// The complaint follows the quoted string.
		if i := strings.LastIndex(message, "`: "); i >= 0 && strings.Contains(message[i:], known) {
			return " (" + known + ")"
		}
	}
	return ""
}

// resolveOnce keeps the addresses of each host name as they were first found,
// so that a connection opened in the middle of a run goes where the others
// went.
func resolveOnce(lookup func(context.Context, string) ([]string, error)) func(context.Context, string) ([]string, error) {
	var mu sync.Mutex
	found := map[string][]string{}
	return func(ctx context.Context, host string) ([]string, error) {
		mu.Lock()
		addresses, ok := found[host]
		mu.Unlock()
		if ok {
			return addresses, nil
		}
		addresses, err := lookup(ctx, host)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		found[host] = addresses
		mu.Unlock()
		return addresses, nil
	}
}

// undisturbed turns off all that a pool does by itself during a run: it
// neither pings nor expires connections, and its health check finds nothing to
// do.
func undisturbed(config *pgxpool.Config, size int) {
	config.MaxConns = int32(size)
	config.MinConns, config.MinIdleConns = 0, 0
	config.MaxConnLifetime, config.MaxConnLifetimeJitter = 0, 0
	config.MaxConnIdleTime = math.MaxInt64
	config.HealthCheckPeriod = 365 * 24 * time.Hour
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
}

// describe names a server without secrets.
func describe(config *pgxpool.Config) string {
	c := config.ConnConfig
	return fmt.Sprintf("postgres host=%s port=%d user=%s dbname=%s", c.Host, c.Port, c.User, c.Database)
}

// remoteAddress is the address behind a host name, or empty when it adds
// nothing to it.
func remoteAddress(config *pgxpool.Config, conn net.Conn) string {
	remote := conn.RemoteAddr()
	if remote == nil || remote.Network() == "unix" || filepath.IsAbs(config.ConnConfig.Host) {
		return ""
	}
	return remote.String()
}
