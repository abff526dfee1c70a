package main

import (
	"context"

	"chalie/commands"
	"chalie/domain"
	"chalie/replay"
)

// lateConversation is a conversation whose fold is as far behind as it was then: an
// end behind that isn't known yet.
type lateConversation struct {
	commands.Conversation
	scene replay.Scene
}

var _ commands.Conversation = lateConversation{}

// Recent implements commands.Conversation.
func (l lateConversation) Recent(limit, offset int) ([]domain.Exchange, int, error) {
	exchanges, total, err := l.Conversation.Recent(limit, offset)
	lagging, ok := l.scene.Effects.(replay.Lagging)
	if !ok || err != nil {
		return exchanges, total, err
	}
	through := lagging.HeardThrough()
	for i, x := range exchanges {
		if through == 0 || x.Conclusion.IsZero() {
			continue
		}
		end, err := l.scene.Log.Find(context.Background(), x.Conclusion)
		if err != nil {
			return nil, 0, err
		}
		if end.Position > through {
			exchanges[i].Conclusion, exchanges[i].Reply, exchanges[i].Outcome = domain.ID{}, domain.ID{}, ""
		}
	}
	return exchanges, total, nil
}
