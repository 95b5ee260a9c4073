package reports

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// studies are the built-in study files, each in the folder of its name, where
// the report made from it is kept too.
//
//go:embed article/study.yaml baseline/study.yaml demo/study.yaml example/study.yaml peers/study.yaml
var studies embed.FS

// Builtin returns the names of the studies embedded in the program, sorted.
func Builtin() []string {
	entries, err := studies.ReadDir(".")
	if err != nil {
		return nil // the embedded root is always there
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names
}

// bareName is what only a built-in study can be called; anything else is a
// path.
var bareName = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

// Load reads a built-in study by its name, or else the study file at a path. A
// file that has a built-in's name is reached as ./NAME.
func Load(nameOrPath string) (*Study, error) {
	if slices.Contains(Builtin(), nameOrPath) {
		file := path.Join(nameOrPath, "study.yaml")
		text, err := studies.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("the built-in study %s cannot be read: %w", nameOrPath, err)
		}
		return Parse(file, text)
	}
	text, err := readStudy(nameOrPath)
	switch {
	case errors.Is(err, fs.ErrNotExist) && bareName.MatchString(nameOrPath):
		return nil, fmt.Errorf("there is no built-in study and no file called %s%s", nameOrPath, meant(nameOrPath, Builtin()))
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no study file %s; give the path of one, or the name of a built-in study (%s)", nameOrPath, strings.Join(Builtin(), ", "))
	case err != nil:
		return nil, err
	}
	return Parse(nameOrPath, text)
}

// readStudy reads a file up to a byte more than a study may have.
func readStudy(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the study file cannot be read: %w", err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the study file in it", path)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file; name a study file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the study file cannot be read: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxStudyBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the study file %s cannot be read: %w", path, err)
	}
	return text, nil
}
