package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
)

// These variables make this test program a child that starts a lab and then ends
// in the named way, or waits to be ended.
const (
	childLab    = "LAB_TEST_CHILD"
	childEnding = "LAB_TEST_ENDING"
)

// told is what the child says of its lab.
type told struct {
	Dir    string
	Server int   // the server's first process
	Work   []int // the processes that serve requests
}

func beChild(name, ending string) {
	s, err := Start(context.Background(), name, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	if s.Driver() == "postgres" {
		if _, err := pgx.Connect(context.Background(), s.DSN()); err != nil { // so that there is a backend
			fmt.Fprintln(os.Stderr, err)
			os.Exit(4)
		}
	}
	private := s.(interface {
		Dir() string
		PID() int
	})
	work, err := s.PIDs()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	json.NewEncoder(os.Stdout).Encode(told{private.Dir(), private.PID(), work})
	bufio.NewReader(os.Stdin).ReadString('\n') // until the test has looked
	switch ending {
	case "panic":
		panic("as asked")
	case "exit":
		os.Exit(5)
	}
	time.Sleep(5 * time.Minute) // to be killed
	os.Exit(6)
}
