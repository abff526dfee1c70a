package httpapi

import (
	"time"

	"chalie/replay"
)

// Impatient is a trial as whyNot bounds it.
func Impatient(trial replay.Trial) replay.Trial {
	return impatient{trial: trial, until: time.Now().Add(triesWithin)}
}
