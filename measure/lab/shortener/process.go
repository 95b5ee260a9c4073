package shortener

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"queuelab/measure/host/self"
)

// role is that of the HTTP server.
var role = &self.Role{Name: "lab-shortener"}

// ServeIfAsked turns this process into the shortener when it was started as one, and
// then does not return. Every program that starts one calls it first thing in main,
// a test in TestMain.
func ServeIfAsked() {
	if !role.Taken() {
		return
	}
	// It is killed: serve returns only when something is wrong.
	fmt.Fprintln(os.Stderr, serve(os.Args[1:]))
	os.Exit(1)
}

// serve listens on an address and answers from a database. Once it listens it is
// ready. No request or connection times out: the only clients are this machine's.
func serve(args []string) error {
	if len(args) != 2 {
		return errors.New("the shortener takes the address that it listens on and the database's DSN")
	}
	store, err := openStore(context.Background(), args[1])
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp4", args[0])
	if err != nil {
		return err
	}
	h := &handler{store: store, log: log.New(os.Stderr, "", log.LstdFlags|log.LUTC)}
	return http.Serve(listener, h.routes())
}
