package watermillbus

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
)

// Config says what a Bus works with. Log, IDs and Clock are required.
type Config struct {
	Log    domain.Log
	IDs    domain.IDs   // for the envelopes of foreign messages
	Clock  domain.Clock // likewise
	Logger watermill.LoggerAdapter
	// Layers stand between every append and the log, the outermost first; see Append.
	Layers []message.PublisherDecorator

	// RedeliverAfter is the pause before a message that was nacked twice comes
	// again; it doubles from there to RedeliverAtMost. 0 means 10 ms and 5 s.
	RedeliverAfter, RedeliverAtMost time.Duration
	// ReadAhead is how many records a subscription reads at a time at most.
	// 0 means 512.
	ReadAhead int
}

// Validate names the first field that is wrong.
func (c Config) Validate() error {
	const op = "configure bus"
	switch {
	case c.Log == nil:
		return domain.Invalid(op, "Log", "Log is required")
	case c.IDs == nil:
		return domain.Invalid(op, "IDs", "IDs is required")
	case c.Clock == nil:
		return domain.Invalid(op, "Clock", "Clock is required")
	case c.RedeliverAfter < 0 || c.RedeliverAtMost < 0:
		return domain.Invalid(op, "RedeliverAfter", "pauses can't be negative")
	case c.ReadAhead < 0:
		return domain.Invalid(op, "ReadAhead", "ReadAhead can't be negative")
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = watermill.NopLogger{}
	}
	if c.RedeliverAfter == 0 {
		c.RedeliverAfter = 10 * time.Millisecond
	}
	if c.RedeliverAtMost == 0 {
		c.RedeliverAtMost = 5 * time.Second
	}
	c.RedeliverAtMost = max(c.RedeliverAtMost, c.RedeliverAfter)
	if c.ReadAhead == 0 {
		c.ReadAhead = 512
	}
	return c
}

// Bus joins publishers and subscribers to one log. It owns no goroutine and
// needs no closing; its subscribers do, before the log.
type Bus struct {
	cfg Config
	way message.Publisher // through the layers to the log

	mu     sync.Mutex
	groups map[groupKey]*group
}

var _ domain.Appender = (*Bus)(nil)

type groupKey struct {
	group string
	topic domain.Topic
}

// New makes the bus of a log. The error is the Config's, or that of a layer.
func New(cfg Config) (*Bus, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	b := &Bus{cfg: cfg.withDefaults(), way: sink{cfg.Log}, groups: map[groupKey]*group{}}
	for _, layer := range slices.Backward(cfg.Layers) {
		var err error
		if b.way, err = layer(b.way); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// checkpointOf is the name under which a group's position is kept. The group is
// escaped so that two different pairs never share one.
func checkpointOf(group string, topic domain.Topic) string {
	return "group/" + url.PathEscape(group) + "/" + string(topic)
}

// Reached is the position through which a consumer group has acked a topic; 0 before
// it has acked anything. Errors are those of the log.
func (b *Bus) Reached(ctx context.Context, group string, topic domain.Topic) (domain.Position, error) {
	return b.cfg.Log.Checkpoint(ctx, checkpointOf(group, topic))
}

// join makes the caller a member of a consumer group in a topic.
func (b *Bus) join(name string, topic domain.Topic) (*group, error) {
	if name == "" {
		return newGroup(b.cfg, "", topic), nil
	}
	checkpoint := checkpointOf(name, topic)
	if len(checkpoint) > domain.MaxKeyBytes {
		return nil, domain.Invalid("subscribe", "group", fmt.Sprintf("the names of group and topic have %d bytes together, the bound is %d: shorten them", len(checkpoint), domain.MaxKeyBytes))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := groupKey{name, topic}
	g := b.groups[key]
	if g == nil {
		g = newGroup(b.cfg, checkpoint, topic)
		b.groups[key] = g
	}
	g.members++
	return g, nil
}

// leave forgets a group when its last member goes; its position is in the log.
func (b *Bus) leave(name string, g *group) {
	if name == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if g.members--; g.members == 0 {
		delete(b.groups, groupKey{name, g.topic})
	}
}
