package host

import (
	"errors"

	"queuelab/measure/lab"
)

// programs checks that the program of every lab is installed.
func programs() []Check {
	var results []Check
	for _, name := range lab.Names() {
		path, err := lab.Find(name)
		results = append(results, judgeProgram(path, err).check(name, "the private "+name+" that -lab "+name+" measures"))
	}
	return results
}

func judgeProgram(path string, err error) finding {
	if err == nil {
		return finding{status: Good, seen: path}
	}
	var missing *lab.MissingError
	if errors.As(err, &missing) {
		return finding{status: Bad, seen: "not installed", mend: missing.Install()}
	}
	return finding{status: Unknown, seen: err.Error()}
}
