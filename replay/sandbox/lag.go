package sandbox

import (
	"context"

	"chalie/commands"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/replay/player"
)

// lateConversation is a conversation whose fold is as far behind as it was then: later
// ends aren't known yet.
type lateConversation struct {
	commands.Conversation
	env player.Environment
}

var _ commands.Conversation = lateConversation{}

// Recent implements commands.Conversation.
func (l lateConversation) Recent(of domain.ConversationID, limit, offset int) ([]domain.Exchange, int, error) {
	exchanges, total, err := l.Conversation.Recent(of, limit, offset)
	lagging, ok := l.env.Effects.(player.Lagging)
	if !ok || err != nil {
		return exchanges, total, err
	}
	through := lagging.HeardThrough()
	for i, x := range exchanges {
		if through == 0 || x.Conclusion.IsZero() {
			continue
		}
		end, err := l.env.Log.Find(context.Background(), x.Conclusion)
		if err != nil {
			return nil, 0, err
		}
		if end.Position > through {
			exchanges[i].Conclusion, exchanges[i].Reply, exchanges[i].Outcome = domain.ID{}, domain.ID{}, ""
		}
	}
	return exchanges, total, nil
}

// lateRegistry is a registry whose fold is as far behind as it was then. It is needed
// seldom, so it is folded from the log on demand.
type lateRegistry struct {
	commands.View[domain.Registry]
	env  player.Environment
	past *projections.InMemory[domain.Registry]
	at   domain.Position // of past
}

var _ commands.View[domain.Registry] = (*lateRegistry)(nil)

// Read implements commands.View[domain.Registry].
func (l *lateRegistry) Read(fn func(*domain.Registry)) {
	lagging, ok := l.env.Effects.(player.Lagging)
	if !ok || lagging.KnownThrough() == 0 {
		l.View.Read(fn)
		return
	}
	if through := lagging.KnownThrough(); l.past == nil || l.at != through {
		l.past, l.at = foldedInterfaces(l.env.Log, through), through
	}
	l.past.Read(fn)
}

// foldedInterfaces are the interfaces as they were at a position. Unreadable records are
// skipped: this is one of several views that are tried.
func foldedInterfaces(log domain.Reader, through domain.Position) *projections.InMemory[domain.Registry] {
	out := small.Registry()
	const page = 512
	for from, n := domain.Position(1), page; n == page; {
		records, err := log.Select(context.Background(), domain.Selector{Topic: domain.TopicInterfaces}, from, page)
		if err != nil {
			return out
		}
		for _, rec := range records {
			if from = rec.Position + 1; rec.Position > through || out.Apply(rec) != nil {
				return out
			}
		}
		n = len(records)
	}
	return out
}
