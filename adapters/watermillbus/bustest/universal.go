// Package bustest holds a watermillbus.Bus, over any log, to Watermill's
// universal Pub/Sub tests.
package bustest

import (
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"
)

// RunUniversal runs Watermill's tests twice over a log that starts empty: with subscribers that
// have no group, so that each of them gets everything, and with subscribers
// that share one, so that they compete. short is the tests' own short mode; the
// first run is always short, because there fifty subscribers of five thousand
// messages receive a quarter of a million.
func RunUniversal(t *testing.T, log domain.Log, short bool) {
	clock := domaintest.NewClock()
	bus, err := watermillbus.New(watermillbus.Config{
		Log: log, IDs: domaintest.NewIDs(clock, 0xb5), Clock: clock,
		// The tests nack a hundred times and mean it.
		RedeliverAfter: time.Microsecond, RedeliverAtMost: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	inGroup := func(_ *testing.T, group string) (message.Publisher, message.Subscriber) {
		return bus.Publisher(), bus.Subscriber(group)
	}
	features := tests.Features{
		ConsumerGroups: true, GuaranteedOrder: true, Persistent: true,
		NewSubscriberReceivesOldMessages: true, ForceShort: true,
	}
	t.Run("without a group", func(t *testing.T) {
		tests.TestPubSub(t, features, func(t *testing.T) (message.Publisher, message.Subscriber) { return inGroup(t, "") }, inGroup)
	})
	t.Run("in one group", func(t *testing.T) {
		// A second subscriber of a group is no new one: it goes on where the first is.
		features.NewSubscriberReceivesOldMessages = false
		features.ForceShort = short
		tests.TestPubSub(t, features, func(t *testing.T) (message.Publisher, message.Subscriber) { return inGroup(t, "shared") }, inGroup)
	})
}
