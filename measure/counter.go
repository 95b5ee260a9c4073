package measure

import "context"

// Counter is a server's own count of the requests that it has taken.
type Counter interface {
	// Source names what counts, such as "nginx stub_status".
	Source() string
	// Begin notes the count before the first connection is opened.
	Begin(ctx context.Context) error
	// End returns how many requests the server has counted since Begin. It is called
	// when every connection has been closed again; opened is how many there were,
	// for a server that counts those as well.
	End(ctx context.Context, opened int64) (int64, error)
}
