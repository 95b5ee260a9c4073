package drivers

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/valyala/fasthttp"
)

const (
	// readerSize is what one read takes while headers are parsed, and the
	// largest header block that is understood. Each request in flight holds
	// that much, so 10,000 of them hold 80 MB.
	readerSize = 8 << 10
	// sinkSize is what one read takes of a body that is longer than the
	// reader. It is held only while a body is being read.
	sinkSize = 64 << 10
)

// exchange is what one request in flight needs; it is reused by later ones.
type exchange struct {
	scratch  []byte // the request, when a service time travels in it
	reader   *bufio.Reader
	response fasthttp.Response
}

var exchanges = sync.Pool{New: func() any {
	x := &exchange{reader: bufio.NewReaderSize(nil, readerSize)}
	x.response.KeepBodyBuffer = true
	return x
}}

var sinks = sync.Pool{New: func() any { return new([sinkSize]byte) }}

// trade sends a request and reads its answer whole. reusable says whether the
// connection may carry another request. Whatever error it returns, the
// connection must be closed.
func (x *exchange) trade(c *httpConn, request []byte, head bool) (reusable bool, err error) {
	if err := c.ask(request); err != nil {
		return false, err
	}
	c.readErr = nil
	x.reader.Reset(c)
	if _, err := x.reader.Peek(1); err != nil {
		return false, err
	}
	// The body is streamed so that it is thrown away as it comes: an answer of
	// any size takes no memory.
	x.response.StreamBody = true
	x.response.SkipBody = head
	if err := x.response.ReadLimitBody(x.reader, 0); err != nil {
		return false, c.midAnswer()
	}
	if body := x.response.BodyStream(); body != nil {
		err := discard(body)
		x.response.CloseBodyStream()
		if err != nil {
			return false, c.midAnswer()
		}
	}
	// Bytes after the answer belong to no request of ours.
	return !x.announcesEnd() && x.reader.Buffered() == 0, nil
}

// announcesEnd says whether the answer is the last of its connection: the server
// closes it, or speaks another protocol on it from now on.
func (x *exchange) announcesEnd() bool {
	return x.response.ConnectionClose() || x.response.StatusCode() == fasthttp.StatusSwitchingProtocols
}

// midAnswer says why an answer that had begun could not be read whole.
func (c *httpConn) midAnswer() error {
	switch {
	case c.readErr == nil:
		return errProtocol
	case errors.Is(c.readErr, io.EOF), errors.Is(c.readErr, io.ErrUnexpectedEOF):
		return errTruncated
	}
	return c.readErr
}

// discard reads a body to its end. The body is not decompressed: that would be
// work of the generator in the server's time.
func discard(body io.Reader) error {
	sink := sinks.Get().(*[sinkSize]byte)
	defer sinks.Put(sink)
	for {
		if _, err := body.Read(sink[:]); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}
