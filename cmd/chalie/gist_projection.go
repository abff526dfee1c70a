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

// divergedGist tells which projection was found to know something else than the
// log says.
func divergedGist(e domain.Envelope) string {
	return say(e, func(p domain.ProjectionDiverged) string {
		return fmt.Sprintf("%s, version %d, is not what the log says through position %s: %s", p.Name, p.Version, grouped(uint64(p.Position)),
			counted(p.Differing, "thing differs", "things differ"))
	})
}
