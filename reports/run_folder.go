package reports

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"queuelab/measure/record"
)

// folder is a report folder that is being written.
type folder struct{ *record.Stage }

// createFolder begins the report folder out.
func createFolder(out string) (*folder, error) {
	stage, err := record.NewStage(out)
	if err != nil {
		return nil, fmt.Errorf("the report folder: %w", err)
	}
	return &folder{stage}, nil
}

func (f *folder) writeFile(name string, content []byte) error {
	path := f.Path(name)
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
		"index.html": func(w *os.File) error { return page.WriteHTML(w, f.Path(".")) },
	} {
		w, err := os.Create(f.Path(name))
		if err != nil {
			return fmt.Errorf("%s of the report cannot be written: %w", name, err)
		}
		if err := errors.Join(render(w), w.Close()); err != nil {
			return fmt.Errorf("%s of the report cannot be written: %w", name, err)
		}
	}
	return nil
}
