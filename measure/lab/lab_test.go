package lab

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	SuperviseIfAsked()
	if name := os.Getenv(childLab); name != "" {
		beChild(name, os.Getenv(childStall), os.Getenv(childEnding))
	}
	os.Exit(m.Run())
}

func TestNames(t *testing.T) {
	if got, want := Names(), []string{"nginx", "postgres", "shortener"}; !slices.Equal(got, want) {
		t.Errorf("labs %v, want %v", got, want)
	}
}

func TestUnknownLab(t *testing.T) {
	for _, name := range []string{"", "apache", "Nginx"} {
		_, err := Start(t.Context(), name, Options{})
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) || !strings.Contains(err.Error(), "nginx, postgres") {
			t.Errorf("%q: error %v, want one that lists the labs", name, err)
		}
	}
}

func TestMissingProgram(t *testing.T) {
	err := fmt.Errorf("start a private nginx: %w", &MissingError{Program: "nginx", Package: "nginx"})
	var missing *MissingError
	if !errors.As(err, &missing) || missing.Install() != "apt-get install nginx" {
		t.Errorf("%v is not told apart", err)
	}
}

func TestOnlyNginxTakesASnippet(t *testing.T) {
	for _, name := range []string{"postgres", "shortener"} {
		_, err := Start(t.Context(), name, Options{Snippet: "location / { return 200; }"})
		if err == nil || !strings.Contains(err.Error(), "snippet") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want one about the snippet", name, err)
		}
	}
}
