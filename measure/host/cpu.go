package host

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// processor returns the CPU's model and how many of it there are.
func processor(root fs.FS) (model, cores string) {
	c := parseCPUInfo(text(root, "proc/cpuinfo"))
	switch {
	case c.logical == 0:
		cores = NotAvailable
	case c.physical == 0:
		cores = fmt.Sprintf("%d logical", c.logical)
	default:
		cores = fmt.Sprintf("%d physical, %d logical", c.physical, c.logical)
	}
	return orNotAvailable(c.model), cores
}

// cpuInfo is what /proc/cpuinfo says of the CPUs that are online.
type cpuInfo struct {
	model    string
	logical  int
	physical int // cores; 0 when it does not say, as on ARM
}

// parseCPUInfo reads the text of /proc/cpuinfo: a paragraph of "key : value" lines
// for each logical CPU.
func parseCPUInfo(cpuinfo string) cpuInfo {
	var info cpuInfo
	cores := map[[2]string]bool{}
	for paragraph := range strings.SplitSeq(cpuinfo, "\n\n") {
		values := map[string]string{}
		for line := range strings.Lines(paragraph) {
			if key, value, ok := strings.Cut(line, ":"); ok {
				values[strings.TrimSpace(key)] = strings.TrimSpace(value)
			}
		}
		if _, ok := values["processor"]; !ok {
			continue
		}
		info.logical++
		if core, ok := values["core id"]; ok {
			cores[[2]string{values["physical id"], core}] = true
		}
		if info.model == "" {
			info.model = modelIn(values)
		}
	}
	info.physical = len(cores)
	return info
}

// modelIn returns the model's name, which ARM gives as two numbers only.
func modelIn(values map[string]string) string {
	if name := values["model name"]; name != "" {
		return name
	}
	if part := values["CPU part"]; part != "" {
		return strings.TrimSpace("ARM implementer " + values["CPU implementer"] + " part " + part)
	}
	return ""
}

// governor returns the frequency governors in use.
func governor(root fs.FS) string {
	return distinct(root, "sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")
}

// turbo says whether the CPU may clock above its nominal frequency. Intel's driver
// has a file that says it may not, the others one that says it may.
func turbo(root fs.FS) string {
	may := map[string]string{"0": "off", "1": "on"}
	mayNot := map[string]string{"0": "on", "1": "off"}
	if state := mayNot[text(root, "sys/devices/system/cpu/intel_pstate/no_turbo")]; state != "" {
		return state
	}
	return orNotAvailable(may[text(root, "sys/devices/system/cpu/cpufreq/boost")])
}

// numaNodes counts the memory nodes.
func numaNodes(root fs.FS) string {
	nodes, err := fs.Glob(root, "sys/devices/system/node/node[0-9]*")
	if err != nil || len(nodes) == 0 {
		return NotAvailable
	}
	return strconv.Itoa(len(nodes))
}

// distinct returns the different texts of the files that match, in order.
func distinct(root fs.FS, pattern string) string {
	paths, err := fs.Glob(root, pattern)
	if err != nil {
		return NotAvailable
	}
	var texts []string
	for _, path := range paths {
		if t := text(root, path); t != "" && !slices.Contains(texts, t) {
			texts = append(texts, t)
		}
	}
	slices.Sort(texts)
	return orNotAvailable(strings.Join(texts, ", "))
}
