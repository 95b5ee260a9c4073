package main

import (
	"errors"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/trial"
)

// pairKeeper keeps the runs of two commands as two trials, in the folders a and b of
// the one that -out names; without -out it keeps nothing.
type pairKeeper struct {
	stage   *record.Stage
	folders [2]*trial.Folder
}

func newPairKeeper(dir string) (*pairKeeper, error) {
	k := &pairKeeper{}
	if dir == "" {
		return k, nil
	}
	var err error
	if k.stage, err = record.NewStage(dir); err != nil {
		return nil, err
	}
	for i, name := range []string{"a", "b"} {
		if k.folders[i], err = trial.CreateFolder(k.stage.Path(name), false); err != nil {
			return nil, errors.Join(err, k.discard())
		}
	}
	return k, nil
}

// keep keeps the run that take takes as the side's n-th, counted from 0.
func (k *pairKeeper) keep(side, n int, take func() (*record.Run, time.Time, error)) (*record.Run, error) {
	if k.stage == nil {
		run, _, err := take()
		return run, err
	}
	// Its requests were recorded by another process: there is no sink to fill.
	return k.folders[side].Run(n, func(record.Sink) (*record.Run, time.Time, error) { return take() })
}

func (k *pairKeeper) commit(trials [2]*record.Run) error {
	if k.stage == nil {
		return nil
	}
	for i, folder := range k.folders {
		if err := folder.Commit(trials[i]); err != nil {
			return err
		}
	}
	return k.stage.Commit()
}

// discard removes what was begun.
func (k *pairKeeper) discard() error {
	if k.stage == nil {
		return nil
	}
	return k.stage.Discard()
}
