package record

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// columns of requests.csv.gz; instants in nanoseconds since the run began.
var columns = []string{"scheduled_ns", "sent_ns", "ended_ns", "pool_ns", "wait_ns", "service_ns", "outcome", "class", "copies"}

// RequestWriter streams requests as gzipped CSV. It is a Sink; the first error
// is kept and reported by Close.
type RequestWriter struct {
	zip  *gzip.Writer
	out  *bufio.Writer
	line []byte
	err  error
}

// NewRequestWriter begins a file with its column names.
func NewRequestWriter(w io.Writer) *RequestWriter {
	zip, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	rw := &RequestWriter{zip: zip, out: bufio.NewWriterSize(zip, 1<<16), err: err}
	head := csv.NewWriter(rw.out)
	rw.keep(head.Write(columns))
	head.Flush()
	rw.keep(head.Error())
	return rw
}

func (w *RequestWriter) keep(err error) {
	if w.err == nil && err != nil {
		w.err = err
	}
}

// Add implements Sink.
func (w *RequestWriter) Add(r *Request) {
	if w.err != nil {
		return
	}
	b := w.line[:0]
	for _, d := range [...]time.Duration{r.Scheduled, r.Sent, r.Ended, r.Pool, r.Wait, r.Service} {
		b = strconv.AppendInt(b, int64(d), 10)
		b = append(b, ',')
	}
	b = append(b, r.Outcome.String()...)
	b = append(b, ',')
	b = appendField(b, r.Class)
	b = append(b, ',')
	b = strconv.AppendUint(b, uint64(r.Copies), 10)
	b = append(b, '\n')
	w.line = b
	_, err := w.out.Write(b)
	w.keep(err)
}

// appendField quotes a text where CSV asks for it. The classes of this program
// are plain words, but an SQLSTATE is whatever the server sent.
func appendField(b []byte, text string) []byte {
	if !strings.ContainsAny(text, "\",\r\n") {
		return append(b, text...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(text, `"`, `""`)...)
	return append(b, '"')
}

// Close ends the file and returns the first error there was.
func (w *RequestWriter) Close() error {
	w.keep(w.out.Flush())
	w.keep(w.zip.Close())
	return w.err
}

// ReadRequests calls visit for every request of a requests.csv.gz in order. The
// request is reused between calls.
func ReadRequests(file io.Reader, visit func(*Request)) error {
	zip, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("the request records are not a gzip file: %w", err)
	}
	limit := &rowLimit{from: zip, left: mostRow}
	rows := csv.NewReader(limit)
	rows.ReuseRecord = true
	rows.FieldsPerRecord = len(columns)
	head, err := rows.Read()
	if err != nil {
		return fmt.Errorf("the request records have no column names: %w", err)
	}
	for i, name := range columns {
		if head[i] != name {
			return fmt.Errorf("column %d of the request records is %q where %q belongs: was it written by another version?", i+1, head[i], name)
		}
	}
	var r Request
	for line := 2; ; line++ {
		limit.left = mostRow
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d of the request records cannot be read: %w", line, err)
		}
		if err := r.parse(row); err != nil {
			return fmt.Errorf("line %d of the request records: %w", line, err)
		}
		visit(&r)
	}
}

// mostRow is more bytes than any row holds.
const mostRow = 1 << 20

// rowLimit keeps a row that never ends, which compresses well, from filling the memory.
type rowLimit struct {
	from io.Reader
	left int // bytes that may be read before the row is over
}

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("a row is longer than %d MiB", mostRow>>20)
	}
	n, err := l.from.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

func (r *Request) parse(row []string) error {
	for i, d := range [...]*time.Duration{&r.Scheduled, &r.Sent, &r.Ended, &r.Pool, &r.Wait, &r.Service} {
		n, err := strconv.ParseInt(row[i], 10, 64)
		if err != nil {
			return fmt.Errorf("%s is %q, not a whole number of nanoseconds", columns[i], row[i])
		}
		*d = time.Duration(n)
	}
	outcome, err := ParseOutcome(row[6])
	if err != nil {
		return err
	}
	copies, err := strconv.ParseUint(row[8], 10, 8)
	if err != nil {
		return fmt.Errorf("copies is %q, not a small whole number", row[8])
	}
	if r.Class != row[7] {
		r.Class = strings.Clone(row[7]) // the row's text would keep the whole line in memory
	}
	r.Outcome, r.Copies = outcome, uint8(copies)
	return nil
}
