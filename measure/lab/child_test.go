package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/workload"
)

// These variables make this test program a child that starts a lab, stalls it, and
// then ends in the named way, or waits to be ended.
const (
	childLab    = "LAB_TEST_CHILD"
	childStall  = "LAB_TEST_STALL"
	childEnding = "LAB_TEST_ENDING"
)

// told is what the child says of its lab.
type told struct {
	Server int   // the server's first process
	Work   []int // the processes that serve requests
}

func beChild(name, stall, ending string) {
	lab, err := startStalled(name, workload.StallKind(stall))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	json.NewEncoder(os.Stdout).Encode(lab)
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

// startStalled starts a lab and makes it stand still.
func startStalled(name string, kind workload.StallKind) (told, error) {
	s, err := Start(context.Background(), name, Options{})
	if err != nil {
		return told{}, err
	}
	if s.Driver() == "postgres" {
		if _, err := pgx.Connect(context.Background(), s.DSN()); err != nil { // so that there is a backend
			return told{}, err
		}
	}
	still, err := s.Staller(context.Background(), kind)
	if err != nil {
		return told{}, err
	}
	if err := still.Stall(); err != nil {
		return told{}, err
	}
	work, err := s.PIDs()
	return told{s.(interface{ PID() int }).PID(), work}, err
}
