package host

import (
	"io/fs"
	"path"
	"strings"
)

func kernel(root fs.FS) string {
	release := text(root, "proc/sys/kernel/osrelease")
	return orNotAvailable(strings.TrimSpace(release + " " + text(root, "proc/sys/kernel/version")))
}

// parseCommandLine returns the kernel's own part of the text of /proc/cmdline: what
// follows " -- " are arguments of the first process.
func parseCommandLine(cmdline string) string {
	own, _, _ := strings.Cut(cmdline+" ", " -- ")
	return strings.TrimSpace(own)
}

// mitigations returns the state of each CPU vulnerability that the kernel knows.
func mitigations(root fs.FS) []string {
	files, err := fs.Glob(root, "sys/devices/system/cpu/vulnerabilities/*")
	if err != nil || len(files) == 0 {
		return []string{NotAvailable}
	}
	states := make([]string, len(files))
	for i, file := range files {
		states[i] = path.Base(file) + ": " + said(root, file)
	}
	return states
}

// hugePages returns the mode of transparent huge pages.
func hugePages(root fs.FS) string {
	return orNotAvailable(parseChoice(text(root, "sys/kernel/mm/transparent_hugepage/enabled")))
}

// parseChoice returns the chosen one of the kernel's "always [madvise] never".
func parseChoice(choices string) string {
	_, rest, ok := strings.Cut(choices, "[")
	if !ok {
		return ""
	}
	chosen, _, ok := strings.Cut(rest, "]")
	if !ok {
		return ""
	}
	return chosen
}
