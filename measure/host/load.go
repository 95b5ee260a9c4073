package host

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of /proc/stat: 1/100 s on every architecture that Linux has
// (USER_HZ).
const tick = 10 * time.Millisecond

func loadAverage(root fs.FS) string {
	load, ok := parseLoad(text(root, "proc/loadavg"))
	if !ok {
		return NotAvailable
	}
	return fmt.Sprintf("%.2f %.2f %.2f", load[0], load[1], load[2])
}

// parseLoad reads the text of /proc/loadavg: the mean number of runnable tasks over
// 1, 5 and 15 minutes.
func parseLoad(loadavg string) (load [3]float64, ok bool) {
	fields := strings.Fields(loadavg)
	if len(fields) < 3 {
		return load, false
	}
	for i := range load {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || v < 0 || math.IsInf(v, 0) || math.IsNaN(v) {
			return [3]float64{}, false
		}
		load[i] = v
	}
	return load, true
}

func stealSoFar(root fs.FS) string {
	stolen, total, ok := parseSteal(text(root, "proc/stat"))
	if !ok || total == 0 {
		return NotAvailable
	}
	return stealShare(stolen, total)
}

func stealShare(stolen, total time.Duration) string {
	return fmt.Sprintf("%.2f s (%.2f %% of CPU time)", stolen.Seconds(), 100*stolen.Seconds()/total.Seconds())
}

// parseSteal returns from the text of /proc/stat the time that a hypervisor took
// from all CPUs together since boot, and the time of those CPUs in all. Its first
// line has user, nice, system, idle, iowait, irq, softirq and steal; guest time,
// which follows, is contained in user.
func parseSteal(stat string) (stolen, total time.Duration, ok bool) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, 0, false
	}
	for _, field := range fields[1:9] {
		ticks, err := strconv.ParseUint(field, 10, 64)
		if err != nil || ticks > uint64((math.MaxInt64-total)/tick) {
			return 0, 0, false
		}
		stolen = time.Duration(ticks) * tick
		total += stolen
	}
	return stolen, total, true
}
