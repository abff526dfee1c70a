package gist

import (
	"fmt"

	"chalie/domain"
)

// rebuiltGist tells which projection goes on from another store.
func rebuiltGist(e domain.Envelope) string {
	return say(e, func(p domain.ProjectionRebuilt) string {
		from, to := edition(p.FromVersion, p.FromGeneration), edition(p.ToVersion, p.ToGeneration)
		how := "folded again from the log"
		if p.RolledBack {
			how = "put back"
		}
		return fmt.Sprintf("%s was %s: %s to %s, %s", p.Name, how, from, to, Counted(int(p.Differences), "difference", "differences"))
	})
}

// divergedGist tells which projection was found to know something else than the
// log says.
func divergedGist(e domain.Envelope) string {
	return say(e, func(p domain.ProjectionDiverged) string {
		return fmt.Sprintf("%s, version %d, is not what the log says through position %s: %s", p.Name, p.Version, Grouped(uint64(p.Position)),
			Counted(p.Differing, "thing differs", "things differ"))
	})
}

// edition is how people read which store of a projection it is: 2, or 2.1.
func edition(version, generation int) string {
	if generation == 0 {
		return fmt.Sprint(version)
	}
	return fmt.Sprintf("%d.%d", version, generation)
}
