package record

import (
	"encoding/json"
	"math"
	"time"
)

// Value is a number that may be unknown: NaN and infinities are written to
// JSON as null, because a NaN would make the whole document unreadable.
type Value float64

// Unknown is the Value that is written as null.
func Unknown() Value { return Value(math.NaN()) }

// Known says whether the value is a finite number.
func (v Value) Known() bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }

// MarshalJSON implements json.Marshaler.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(v))
}

// UnmarshalJSON implements json.Unmarshaler; null becomes Unknown.
func (v *Value) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*v = Unknown()
		return nil
	}
	return json.Unmarshal(text, (*float64)(v))
}

// Milliseconds converts a duration to the unit of run files and tables.
func Milliseconds(d time.Duration) Value { return Value(float64(d) / 1e6) }

// Interval is a two-sided confidence interval at 95 %.
type Interval [2]Value

// Quantities are the mean, the quantiles ("p50", "p99.9") and the maximum of
// one kind of time, in milliseconds. A nil map (JSON null) says that the kind is
// not known to this source.
type Quantities map[string]Value

// Get is the value under a key, Unknown when there is none.
func (q Quantities) Get(key string) Value {
	if v, ok := q[key]; ok {
		return v
	}
	return Unknown()
}
