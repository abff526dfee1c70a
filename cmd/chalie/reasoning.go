package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/relate"
)

// newReasoner is what answers. It writes through the bus.
func newReasoner(a *App, t *thinkers) (*reasoning.Reasoner, error) {
	return a.deciding().reasoner(t, a.outside.tools, a.outside.approvals)
}

// rulesHash tells apart what two builds would make of the same ground.
func rulesHash(p domain.Params) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v working memory %d relations %s notices %s %+v", p.World, p.Memory, relate.Version, domain.NoticeVersion, p.Notices))
	return hex.EncodeToString(sum[:])
}
