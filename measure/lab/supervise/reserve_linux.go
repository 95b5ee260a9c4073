package supervise

import (
	"fmt"
	"net"
)

// reserve holds a name that only one process can hold and that the kernel frees
// when the process ends, however it ends: an abstract Unix socket, which like the
// port belongs to the network namespace and leaves no file.
func reserve(port int) (net.Listener, error) {
	return net.Listen("unix", fmt.Sprintf("@queuelab-port-%d", port))
}
