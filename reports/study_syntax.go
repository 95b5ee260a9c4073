package reports

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Limits of a study file. The YAML parser takes time that grows with the
// square of the nesting; no study needs more than five levels.
const (
	maxStudyBytes = 64 << 10
	maxNesting    = 40
)

// syntaxTree reads YAML up to its tree. The line of an error is 0 where none
// is to blame.
func syntaxTree(text []byte) (root ast.Node, line int, err error) {
	if len(text) > maxStudyBytes {
		return nil, 0, fmt.Errorf("the file has more than %d KiB, which no study needs", maxStudyBytes>>10)
	}
	if line := tooDeep(text); line > 0 {
		return nil, line, fmt.Errorf("more than %d levels stand inside each other; a study has five at most", maxNesting)
	}
	file, err := parseYAML(text)
	if err != nil {
		line, err := syntaxProblem(err)
		return nil, line, err
	}
	var bodies []ast.Node
	for _, document := range file.Docs {
		if document.Body != nil && document.Body.Type() != ast.CommentType {
			bodies = append(bodies, document.Body)
		}
	}
	switch len(bodies) {
	case 0:
		return nil, 0, errors.New("the file is empty; a study has at least name, title, question, targets, experiments and profiles")
	case 1:
		return bodies[0], 0, nil
	}
	return nil, lineOf(bodies[1]), errors.New("a second document begins here; a file holds one study")
}

// parseYAML keeps a panic of the parser, which several malformed inputs have
// caused in its past, from ending the program.
func parseYAML(text []byte) (file *ast.File, err error) {
	defer func() {
		if recover() != nil {
			file, err = nil, errors.New("the file is not YAML that can be read; compare it with a built-in study")
		}
	}()
	return parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
}

// syntaxProblem puts a parser's error into one line. The parser's own text
// shows the lines around the error, and so perhaps a password.
func syntaxProblem(err error) (int, error) {
	var located yaml.Error
	if !errors.As(err, &located) {
		return 0, err
	}
	line := 0
	if t := located.GetToken(); t != nil && t.Position != nil {
		line = t.Position.Line
	}
	what := strings.ReplaceAll(located.GetMessage(), "\t", `\t`)
	if i := strings.IndexByte(what, '"'); i >= 0 && len(what)-i > len(`"x" is a reserved character`) {
		what = "something there cannot be read" // it quotes the file
	}
	return line, fmt.Errorf("this is not YAML: %s", what)
}

// tooDeep returns the line, from 1, in which the nesting passes the limit, and
// 0 when none does. It may count brackets inside text; no text has that many.
func tooDeep(text []byte) int {
	open := 0
	for i, line := range bytes.Split(text, []byte("\n")) {
		dashes := 0
		for _, word := range bytes.Fields(line) {
			if len(word) != 1 || !bytes.Contains([]byte("-?:"), word) {
				break
			}
			dashes++
		}
		open = max(0, open+bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{"))-
			bytes.Count(line, []byte("]"))-bytes.Count(line, []byte("}")))
		if open > maxNesting || dashes > maxNesting {
			return i + 1
		}
	}
	return 0
}

// lineOf is the line a node begins in, 0 when it is not known.
func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}
