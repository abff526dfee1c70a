package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	wmnats "github.com/ThreeDotsLabs/watermill-nats/v2/pkg/nats"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// syncing is when JetStream's file store syncs.
type syncing bool

const (
	syncDefault syncing = false // every two minutes: a power loss takes what came since
	syncAlways  syncing = true  // each message before it is confirmed, like the log
)

// openJetStream starts a NATS server in this process, with a file store in dir
// and one stream, and opens Watermill's Pub/Sub for it.
func openJetStream(sync syncing) opener {
	return func(dir string) (*pubsub, error) {
		srv, err := startNATS(dir, sync)
		if err != nil {
			return nil, err
		}
		ps, err := connectJetStream(srv.ClientURL())
		if err != nil {
			stopNATS(srv)
			return nil, err
		}
		closeClients := ps.close
		ps.close = func() error {
			defer stopNATS(srv)
			return closeClients()
		}
		return ps, nil
	}
}

func startNATS(dir string, sync syncing) (*server.Server, error) {
	srv, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir,
		SyncAlways: bool(sync), NoLog: true, NoSigs: true,
	})
	if err != nil {
		return nil, err
	}
	srv.Start()
	if !srv.ReadyForConnections(10 * time.Second) {
		stopNATS(srv)
		return nil, errors.New("the NATS server did not start within 10 s")
	}
	return srv, nil
}

func stopNATS(srv *server.Server) {
	srv.Shutdown()
	srv.WaitForShutdown()
}

func connectJetStream(url string) (*pubsub, error) {
	if err := addStream(url); err != nil {
		return nil, err
	}
	cfg := wmnats.JetStreamConfig{DurablePrefix: "bench"}
	publisher, err := wmnats.NewPublisher(wmnats.PublisherConfig{
		URL: url, Marshaler: &wmnats.NATSMarshaler{}, JetStream: cfg,
	}, watermill.NopLogger{})
	if err != nil {
		return nil, err
	}
	subscriber, err := wmnats.NewSubscriber(wmnats.SubscriberConfig{
		URL: url, QueueGroupPrefix: "bench", SubscribersCount: runtime.NumCPU(),
		Unmarshaler: &wmnats.NATSMarshaler{}, JetStream: cfg,
	}, watermill.NopLogger{})
	if err != nil {
		return nil, errors.Join(err, publisher.Close())
	}
	return &pubsub{
		publisher: publisher,
		subscribe: func(ctx context.Context) (<-chan *message.Message, error) { return subscriber.Subscribe(ctx, topic) },
		close:     func() error { return errors.Join(subscriber.Close(), publisher.Close()) },
	}, nil
}

// addStream makes the stream beforehand: left to the publisher, it would ask
// for it before every message.
func addStream(url string) error {
	conn, err := nats.Connect(url)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := conn.JetStream()
	if err != nil {
		return err
	}
	_, err = js.AddStream(&nats.StreamConfig{Name: topic, Subjects: []string{topic}, Storage: nats.FileStorage})
	return err
}
