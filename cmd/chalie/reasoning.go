package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"chalie/commands"
	"chalie/domain"
)

// newReasoner is what answers, with the model given. It writes through the bus.
func newReasoner(a *App, model commands.Model) (*commands.Reasoner, error) {
	return commands.NewReasoner(commands.ReasonerConfig{
		Log: a.bus, Reader: a.log, World: a.folds.world, Conversation: a.folds.transcript, Applied: a.folds.those(a.folds.world, a.folds.transcript),
		Model: model, Clock: a.cfg.Clock, IDs: a.cfg.IDs, Rules: rulesHash(domain.DefaultWorldRules()), Build: thisBuild().Version,
	})
}

// rulesHash tells apart what two builds would make of the same ground.
func rulesHash(rules domain.WorldRules) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v working memory %d model calls %d", rules, domain.WorkingMemory, domain.DefaultReasoningLimits().ModelCalls))
	return hex.EncodeToString(sum[:])
}
