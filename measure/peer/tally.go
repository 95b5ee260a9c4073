package peer

import (
	"encoding/json"
	"errors"
	"fmt"
)

// tally is what a tool says that it did.
type tally struct {
	answered, failed int64
	elapsed          float64 // seconds, from its first request to its last answer
}

// check refuses what no run can be.
func (t tally) check() (tally, error) {
	const longest = 1e9 // seconds
	if t.answered < 0 || t.failed < 0 || !(t.elapsed > 0 && t.elapsed < longest) {
		return tally{}, fmt.Errorf("%d answers and %d failures in %g s cannot be", t.answered, t.failed, t.elapsed)
	}
	return t, nil
}

// bombardierReport is what of bombardier's JSON is used. Its others are requests
// without an answer.
type bombardierReport struct {
	Result *struct {
		Seconds float64 `json:"timeTakenSeconds"`
		Req1xx  int64   `json:"req1xx"`
		Req2xx  int64   `json:"req2xx"`
		Req3xx  int64   `json:"req3xx"`
		Req4xx  int64   `json:"req4xx"`
		Req5xx  int64   `json:"req5xx"`
		Others  int64   `json:"others"`
	} `json:"result"`
}

func parseBombardier(text string) (tally, error) {
	var r bombardierReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return tally{}, err
	}
	if r.Result == nil {
		return tally{}, errors.New("it holds no result")
	}
	return tally{
		answered: r.Result.Req2xx + r.Result.Req3xx,
		failed:   r.Result.Req1xx + r.Result.Req4xx + r.Result.Req5xx + r.Result.Others,
		elapsed:  r.Result.Seconds,
	}.check()
}

// vegetaReport is what of vegeta's JSON is used: its times are nanoseconds, the wait
// is that for the last answer after the last request.
type vegetaReport struct {
	Requests int64            `json:"requests"`
	Duration int64            `json:"duration"`
	Wait     int64            `json:"wait"`
	Codes    map[string]int64 `json:"status_codes"` // "0" where there was none
}

func parseVegeta(text string) (tally, error) {
	var r vegetaReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return tally{}, err
	}
	answered := int64(0)
	for code, n := range r.Codes {
		if succeeded(code) {
			answered += n
		}
	}
	return tally{answered, r.Requests - answered, (float64(r.Duration) + float64(r.Wait)) / 1e9}.check()
}

// succeeded says whether an HTTP status is one of 200 to 399.
func succeeded(status string) bool {
	return len(status) == 3 && (status[0] == '2' || status[0] == '3')
}

// queuelabReport is what of this program's own JSON is used.
type queuelabReport struct {
	Requests *struct {
		Scheduled int64 `json:"scheduled"`
		Answered  int64 `json:"answered"`
	} `json:"requests"`
	Elapsed float64 `json:"elapsed_s"`
}

func parseQueuelab(text string) (tally, error) {
	var r queuelabReport
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return tally{}, err
	}
	if r.Requests == nil {
		return tally{}, errors.New("it holds no requests")
	}
	return tally{r.Requests.Answered, r.Requests.Scheduled - r.Requests.Answered, r.Elapsed}.check()
}
