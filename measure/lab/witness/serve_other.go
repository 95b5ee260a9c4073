//go:build !linux

package witness

import "errors"

// supported says whether requests can be stamped here.
const supported = false

var errUnsupported = errors.New("the kernel's time stamps of TCP segments need Linux")

func serve([]string) error { return errUnsupported }
