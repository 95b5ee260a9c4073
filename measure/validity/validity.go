// Package validity judges whether a measured run can be believed: VALID, SUSPECT or
// INVALID, with a reason in a sentence for each check that the run did not pass.
package validity

import "queuelab/measure/record"

// Judge returns the verdict on a finished measured run, of whose requests w has seen
// every one; nil while the checks are not written. It reads of the run what is known.
func Judge(*record.Run, *Watch) *record.Validity { return nil }
