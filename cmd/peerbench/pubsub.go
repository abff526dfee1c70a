package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
)

// The method is that of the Watermill project's own benchmark: fill a topic
// with messages of one size from many publishers, then subscribe and count
// until the last message is acked.
const (
	messageBytes     = 256 // the largest of the sizes that benchmark uses
	watermillPublish = 64  // publishers at once
	topic            = "bench"
)

// pubsub is one Watermill Pub/Sub with a consumer group, and how to end it.
type pubsub struct {
	publisher message.Publisher
	subscribe func(ctx context.Context) (<-chan *message.Message, error)
	close     func() error
}

// opener opens a Pub/Sub that keeps what it keeps in dir.
type opener func(dir string) (*pubsub, error)

// watermillRows compare the bus over the log with Watermill's Pub/Subs for NATS
// JetStream and for Go channels.
func watermillRows(s scale) []row {
	peers := []struct {
		name          string
		open          opener
		publish, read target
	}{
		{"JetStream, sync always", openJetStream(syncAlways), target{ratio: 10}, target{ratio: 1}},
		{"JetStream, default sync", openJetStream(syncDefault), target{}, target{ratio: 1}},
		{"gochannel, in memory", openGoChannel, target{}, target{}},
	}
	var rows []row
	for _, p := range peers {
		rows = append(rows, row{
			name: fmt.Sprintf("Watermill publish, %d publishers", watermillPublish), unit: "messages/s",
			versus: p.name, target: p.publish, ours: publishTrial(s, openBus), peer: publishTrial(s, p.open),
		})
	}
	for _, p := range peers {
		rows = append(rows, row{
			name: "Watermill subscribe and ack", unit: "messages/s",
			versus: p.name, target: p.read, ours: subscribeTrial(s, openBus), peer: subscribeTrial(s, p.open),
		})
	}
	return rows
}

func publishTrial(s scale, open opener) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		ps, err := open(dir)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, ps.close()) }()
		payload := randomPayload()
		return publish(ctx, watermillPublish, s.publishFor, func(int) (int, error) {
			return 1, ps.publisher.Publish(topic, newMessage(payload))
		})
	}
}

func subscribeTrial(s scale, open opener) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		ps, err := open(dir)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, ps.close()) }()
		if err := fill(ps.publisher, s.messages); err != nil {
			return 0, err
		}
		return consume(ctx, ps, s.messages)
	}
}

// fill publishes from as many publishers as the publish trial, so that a peer
// without batches takes no longer than it must.
func fill(to message.Publisher, n int) error {
	payload := randomPayload()
	failures := make(chan error, watermillPublish)
	for p := range watermillPublish {
		go func() {
			for i := p; i < n; i += watermillPublish {
				if err := to.Publish(topic, newMessage(payload)); err != nil {
					failures <- err
					return
				}
			}
			failures <- nil
		}()
	}
	var err error
	for range watermillPublish {
		err = errors.Join(err, <-failures)
	}
	return err
}

// consume subscribes and acks n messages, one after the other as they come.
func consume(ctx context.Context, ps *pubsub, n int) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	begun := time.Now()
	messages, err := ps.subscribe(ctx)
	if err != nil {
		return 0, err
	}
	for seen := range n {
		select {
		case msg, open := <-messages:
			if !open {
				return 0, fmt.Errorf("the subscription ended after %d of %d messages", seen, n)
			}
			msg.Ack()
		case <-ctx.Done():
			return 0, fmt.Errorf("%d of %d messages came: %w", seen, n, ctx.Err())
		}
	}
	return float64(n) / time.Since(begun).Seconds(), nil
}

func newMessage(payload []byte) *message.Message {
	return message.NewMessage(watermill.NewULID(), payload)
}

func randomPayload() []byte {
	payload := make([]byte, messageBytes)
	for i := range payload {
		payload[i] = byte(rand.Uint32())
	}
	return payload
}
