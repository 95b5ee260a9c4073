package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"

	"queuelab/measure/workload"
)

// What a study has where its file is silent.
const (
	defaultMargin = 0.10
	defaultSeed   = 1
)

var (
	studyKeys = []string{"name", "title", "question", "margin", "seed", "targets", "experiments", "profiles"}
	nameForm  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// Parse reads a study file; path names it in errors. An error holds a sentence
// for each problem, one a line, with the file, the line and what was meant, and
// never a password.
func Parse(path string, text []byte) (*Study, error) {
	r := &reading{path: path}
	root, line, err := syntaxTree(text)
	if err != nil {
		r.refuse(line, "%s", err)
		return nil, r.err()
	}
	sum := sha256.Sum256(text)
	s := &Study{Hash: hex.EncodeToString(sum[:]), Margin: defaultMargin, Seed: defaultSeed}
	if o := (value{r, "a study", lineOf(root), root}).object("", studyKeys); o != nil {
		s.read(o)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// read fills the study from its file's keys.
func (s *Study) read(o *object) {
	if v, ok := o.need("name", "a short name for the report folder, such as name: checkout"); ok {
		s.Name = v.text()
		if s.Name != "" && (len(s.Name) > 40 || !nameForm.MatchString(s.Name)) {
			v.r.refuse(v.line, "name is %s; write at most 40 of a-z, 0-9 and single dashes between them", shown(s.Name))
		}
	}
	if v, ok := o.need("title", "the head of the report"); ok {
		s.Title = v.words()
	}
	if v, ok := o.need("question", "what the report answers, in a sentence"); ok {
		s.Question = v.words()
	}
	if v, ok := o.get("margin"); ok {
		s.Margin = v.percent()
	}
	if v, ok := o.get("seed"); ok {
		s.Seed = v.seed()
	}
	if v, ok := o.get("targets"); ok {
		s.readTargets(v)
	}
	if v, ok := o.need("experiments", "a list of what to measure, such as - {kind: closed, clients: [1, 2, 4, 8]}"); ok {
		s.readExperiments(v)
	}
	if !s.peersAlone() {
		o.need("targets", "a list of the systems under test, such as - {name: nginx, lab: nginx}")
	}
	if v, ok := o.need("profiles", "durations and repetitions, such as quick: {calibrate: 4s, closed: 3s, open: 5s, reps: 3}"); ok {
		s.readProfiles(v)
	}
}

// seed reads a seed that every reader of a run file keeps exactly.
func (v value) seed() uint64 {
	text, ok := v.bare("a whole number such as 1")
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > workload.MaxSeed {
		v.r.refuse(v.line, "%s is %s; write a whole number from 0 to %d", v.name, shown(text), uint64(workload.MaxSeed))
		return 0
	}
	return n
}
