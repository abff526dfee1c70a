package httpapi

import (
	"time"

	"chalie/replay/explain"
)

// Impatient is a trial as whyNot bounds it.
func Impatient(trial explain.Trial) explain.Trial {
	return impatient{trial: trial, until: time.Now().Add(triesWithin)}
}
