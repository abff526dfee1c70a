package main

import (
	"fmt"

	"chalie/adapters/pebblestore"
	"chalie/domain"
)

// rebuiltGist tells which projection goes on from another store.
func rebuiltGist(e domain.Envelope) string {
	return say(e, func(p domain.ProjectionRebuilt) string {
		from, to := pebblestore.Edition{Version: p.FromVersion, Generation: p.FromGeneration}, pebblestore.Edition{Version: p.ToVersion, Generation: p.ToGeneration}
		how := "folded again from the log"
		if p.RolledBack {
			how = "put back"
		}
		return fmt.Sprintf("%s was %s: %s to %s, %s", p.Name, how, from, to, counted(int(p.Differences), "difference", "differences"))
	})
}
