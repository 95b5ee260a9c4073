package drivers

import (
	"context"
	"encoding/binary"
	"math"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// statementName is the name under which each connection prepares the query.
const statementName = "queuelab"

const (
	formatText   int16 = 0
	formatBinary int16 = 1
)

// query is a prepared statement with the way its parameter and its results
// travel. It does not change during a run.
type query struct {
	parameters int    // 0 or 1
	oid        uint32 // of $1
	seconds    bool   // $1 is the service time rather than the key

	parameterFormat []int16
	resultFormats   []int16 // one a column
}

// newQuery judges what the server understood. Its error is a *UsageError.
func newQuery(described *pgconn.StatementDescription, types *pgtype.Map, seconds bool) (*query, error) {
	q := &query{parameters: len(described.ParamOIDs), seconds: seconds}
	switch {
	case q.parameters > 1:
		return nil, usage("the query has %d parameters, but only $1 is given a value; leave one", q.parameters)
	case q.parameters == 0 && seconds:
		return nil, usage("the query has no $1 that could carry the service time; write it like SELECT pg_sleep($1)")
	case q.parameters == 1:
		q.oid = described.ParamOIDs[0]
		if seconds && isInteger(q.oid) {
			return nil, usage("$1 is an integer in the query, but carries the service time in seconds; write it like SELECT pg_sleep($1)")
		}
		q.parameterFormat = []int16{formatText}
		if isBinary(q.oid, seconds) {
			q.parameterFormat = []int16{formatBinary}
		}
	}
	for _, field := range described.Fields {
		q.resultFormats = append(q.resultFormats, types.FormatCodeForOID(field.DataTypeOID))
	}
	return q, nil
}

func isInteger(oid uint32) bool {
	return oid == pgtype.Int2OID || oid == pgtype.Int4OID || oid == pgtype.Int8OID
}

// isBinary says whether $1 is sent in binary. Every other type takes text.
func isBinary(oid uint32, seconds bool) bool {
	switch oid {
	case pgtype.Float8OID:
		return true
	case pgtype.Int4OID, pgtype.Int8OID:
		return !seconds
	}
	return false
}

// encode appends the value of $1.
func (q *query) encode(buf []byte, req *Request) []byte {
	switch {
	case q.oid == pgtype.Float8OID && q.seconds:
		return binary.BigEndian.AppendUint64(buf, math.Float64bits(req.Service.Seconds()))
	case q.oid == pgtype.Float8OID:
		return binary.BigEndian.AppendUint64(buf, math.Float64bits(float64(req.Key)))
	case q.seconds:
		return strconv.AppendFloat(buf, req.Service.Seconds(), 'f', -1, 64)
	case q.oid == pgtype.Int4OID:
		return binary.BigEndian.AppendUint32(buf, uint32(req.Key))
	case q.oid == pgtype.Int8OID:
		return binary.BigEndian.AppendUint64(buf, uint64(req.Key))
	}
	return strconv.AppendInt(buf, req.Key, 10)
}

// argument is the memory of one parameter, reused.
type argument struct {
	buf    []byte
	values [1][]byte
}

var arguments = sync.Pool{New: func() any { return new(argument) }}

// run executes the prepared statement and reads all its rows.
func (q *query) run(ctx context.Context, conn *pgconn.PgConn, req *Request) error {
	a := arguments.Get().(*argument)
	defer arguments.Put(a)
	a.buf = q.encode(a.buf[:0], req)
	a.values[0] = a.buf
	// The connection copies the values before ExecPrepared returns.
	rows := conn.ExecPrepared(ctx, statementName, a.values[:q.parameters], q.parameterFormat, q.resultFormats)
	for rows.NextRow() {
	}
	_, err := rows.Close()
	return err
}

// prepare prepares the query on a connection that was just opened.
func prepare(ctx context.Context, conn *pgx.Conn, sql string) (*pgconn.StatementDescription, error) {
	return conn.PgConn().Prepare(ctx, statementName, sql, nil)
}
