package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/relate"
)

// newReasoner is what answers, with the models given, in the order in which they
// are asked. It writes through the bus.
func newReasoner(a *App, t *thinkers) (*commands.Reasoner, error) {
	notices, err := newNotices(a)
	if err != nil {
		return nil, err
	}
	return commands.NewReasoner(commands.ReasonerConfig{
		Log: a.bus, Reader: a.log, Mind: commands.NewMind(a.folds.world, athome{a.folds.surroundings, hostZone()}, a.log), Conversation: a.folds.transcript,
		Applied: a.folds.those(a.folds.world, a.folds.transcript, a.folds.surroundings, a.folds.unasked, a.folds.registry, a.folds.policy), Models: t.models, Verifier: t.verifier, Tools: a.outside.tools,
		Approvals: a.outside.approving.desk, Notices: notices,
		Clock: a.cfg.Clock, IDs: a.cfg.IDs, Rules: rulesHash(domain.DefaultParams()), Build: thisBuild().Version,
	})
}

// newNotices judges what may be told unasked.
func newNotices(a *App) (*commands.NoticePolicy, error) {
	return commands.NewNotices(commands.NoticeConfig{
		Told: a.folds.unasked, Surroundings: a.folds.surroundings, Applied: a.folds.those(a.folds.unasked, a.folds.surroundings), Reader: a.log, Tail: a.log,
	})
}

// rulesHash tells apart what two builds would make of the same ground.
func rulesHash(p domain.Params) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v working memory %d relations %s notices %+v", p.World, p.Memory, relate.Version, p.Notices))
	return hex.EncodeToString(sum[:])
}
