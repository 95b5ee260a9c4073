package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// folder is a report folder under a temporary name beside the final one, so
// that a reader never sees half a report.
type folder struct{ work string }

// createFolder begins the report folder out.
func createFolder(out string) (*folder, error) {
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the report folder %s cannot be used: %w", out, err)
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("the report folder %s already holds files: name another one with -out, or remove it first", out)
	}
	parent := filepath.Dir(filepath.Clean(out))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be made: %w", parent, err)
	}
	work, err := os.MkdirTemp(parent, "."+filepath.Base(out)+".partial-")
	if err != nil {
		return nil, fmt.Errorf("the report folder %s cannot be written: %w", out, err)
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return nil, fmt.Errorf("the report folder %s cannot be written: %w", out, err)
	}
	return &folder{work}, nil
}

// path is where a file of the report is being written.
func (f *folder) path(name string) string { return filepath.Join(f.work, filepath.FromSlash(name)) }

func (f *folder) writeFile(name string, content []byte) error {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("%s of the report cannot be written: %w", name, err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return fmt.Errorf("%s of the report cannot be written: %w", name, err)
	}
	return nil
}

func (f *folder) writeJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return fmt.Errorf("%s of the report cannot be written as JSON: %w", name, err)
	}
	return f.writeFile(name, append(text, '\n'))
}

// writePage writes both renderings of the page; its images must be there.
func (f *folder) writePage(page *Page) error {
	for name, render := range map[string]func(*os.File) error{
		"README.md":  func(w *os.File) error { return page.WriteMarkdown(w) },
		"index.html": func(w *os.File) error { return page.WriteHTML(w, f.work) },
	} {
		w, err := os.Create(f.path(name))
		if err != nil {
			return fmt.Errorf("%s of the report cannot be written: %w", name, err)
		}
		if err := errors.Join(render(w), w.Close()); err != nil {
			return fmt.Errorf("%s of the report cannot be written: %w", name, err)
		}
	}
	return nil
}

// commit gives the folder its name.
func (f *folder) commit(out string) error {
	if err := os.Remove(out); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the finished report stays in %s because %s is in the way: %w", f.work, out, err)
	}
	if err := os.Rename(f.work, out); err != nil {
		return fmt.Errorf("the finished report stays in %s: %w", f.work, err)
	}
	return nil
}

// discard removes what was written.
func (f *folder) discard() error { return os.RemoveAll(f.work) }
