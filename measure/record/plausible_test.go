package record_test

import (
	"strings"
	"testing"

	"queuelab/measure/record"
)

// What can be in no run is refused, in a run of a trial too; what can be below zero, is
// unknown or was not yet written by older versions is read.
func TestParseRunWeighsWhatItReads(t *testing.T) {
	for text, says := range map[string]string{
		`"n_eff":{"p50":-1}`:                         "among its n_eff is -1, which is below zero",
		`"workload":{"clients":-3}`:                  "among its workload is -3",
		`"workload":{"rate_per_s":-0.5}`:             "among its workload is -0.5",
		`"generator":{"cpus":-2}`:                    "among its generator is -2",
		`"connections":{"opened":-1}`:                "among its connections",
		`"latency_ms":{"p50":1,"p99":-4}`:            "among its latencies is -4",
		`"failures":{"reset":-1}`:                    "among its failures",
		`"failures_ms":{"reset":{"mean":-1}}`:        "among its times of reset",
		`"sending":{"due":5,"sent":-5}`:              "among its sending is -5",
		`"server_count":{"counted":-7}`:              "among its server_count is -7",
		`"throughput_per_s":-1`:                      "among its rates and times",
		`"validity":{"verdict":"FINE"}`:              `its verdict "FINE" is none of VALID, SUSPECT and INVALID`,
		`"validity":{"verdict":""}`:                  "is none of",
		`"validity":{"verdict":"SUSPECT"}`:           "",
		`"validity":null,"generator":null`:           "",
		`"growth_ms_per_s":-1,"latency_ms":null`:     "",
		`"latency_ms":{"mean":null},"n_eff":{}`:      "",
		`"little":{"relative_gap":-0.5}`:             "",
		`"generator":{"busy":-1e-9,"spun_s":0.25}`:   "",
		`"interval_ms":{"mean":[-1,3]},"source":"x"`: "",
	} {
		for _, whole := range []string{`{"schema":1,` + text + `}`, `{"schema":1,"reps":[{` + text + `}]}`} {
			_, err := record.ParseRun("some/run.json", []byte(whole))
			switch {
			case says == "" && err != nil:
				t.Errorf("%s is refused: %v", whole, err)
			case says != "" && (err == nil || !strings.Contains(err.Error(), "some/run.json is damaged: ") || !strings.Contains(err.Error(), says)):
				t.Errorf("%s says %v, want %q", whole, err, says)
			}
		}
	}
}
