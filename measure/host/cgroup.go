package host

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// limit is how much CPU time a control group allows.
type limit struct {
	cpus  float64 // seconds of CPU time a second; 0: no limit
	known bool
}

// String is "none", "1.5 CPUs", or [NotAvailable].
func (l limit) String() string {
	switch {
	case !l.known:
		return NotAvailable
	case l.cpus == 0:
		return "none"
	}
	return fmt.Sprintf("%.4g CPUs", l.cpus)
}

// tighter returns the smaller of two limits.
func (l limit) tighter(other limit) limit {
	switch {
	case !other.known || l.known && other.cpus == 0:
		return l
	case !l.known || l.cpus == 0 || other.cpus < l.cpus:
		return other
	}
	return l
}

// cgroupLimit returns the tightest CPU limit of this process's control group and
// those above it.
func cgroupLimit(root fs.FS) limit {
	version, group := parseCgroup(text(root, "proc/self/cgroup"))
	var tightest limit
	if version == 0 {
		return tightest
	}
	mounts := []string{"sys/fs/cgroup"}
	if version == 1 {
		mounts = []string{"sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"}
	}
	for _, mount := range mounts {
		// Inside a container the path may be the host's and lead nowhere: the top
		// of the mount then is the container's own group.
		for g := path.Join("/", group); ; g = path.Dir(g) {
			dir := path.Join(mount, g)
			if version == 1 {
				tightest = tightest.tighter(parseQuota(text(root, dir+"/cpu.cfs_quota_us"), text(root, dir+"/cpu.cfs_period_us")))
			} else {
				quota, period, _ := strings.Cut(text(root, dir+"/cpu.max"), " ")
				tightest = tightest.tighter(parseQuota(quota, period))
			}
			if g == "/" {
				break
			}
		}
	}
	if version == 2 && !tightest.known && text(root, "sys/fs/cgroup/cgroup.controllers") != "" {
		tightest.known = true // the root group has no cpu.max: nothing limits it
	}
	return tightest
}

// parseCgroup returns from the text of /proc/self/cgroup the version (0: none) of
// the hierarchy that controls CPU time, and this process's group in it. Its lines
// are "ID:controllers:path"; version 2 has ID 0 and names no controllers. Both may
// be there, and then version 1 has the controllers.
func parseCgroup(cgroup string) (version int, group string) {
	for line := range strings.Lines(cgroup) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, where, ok := strings.Cut(rest, ":")
		if !ok {
			continue
		}
		if id == "0" && controllers == "" {
			version, group = 2, where
			continue
		}
		for controller := range strings.SplitSeq(controllers, ",") {
			if controller == "cpu" {
				return 1, where
			}
		}
	}
	return version, group
}

// parseQuota reads a quota of CPU time in a period, both in microseconds; "max" and
// -1 mean that there is no limit.
func parseQuota(quota, period string) limit {
	if quota == "max" || quota == "-1" {
		return limit{known: true}
	}
	q, err := strconv.ParseUint(quota, 10, 64)
	if err != nil || q == 0 {
		return limit{}
	}
	p, err := strconv.ParseUint(period, 10, 64)
	if err != nil || p == 0 {
		return limit{}
	}
	return limit{cpus: float64(q) / float64(p), known: true}
}
