package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"chalie/adapters/demo"
)

// stage is the demo's Chalie and what is around it. They share this process and
// nothing else: what they have to do with each other goes over the network.
type stage struct {
	ctx     context.Context // ends when any of it fails
	end     context.CancelFunc
	mu      sync.Mutex
	failure error // of the parts that failed

	idle       time.Duration // without anything said or done, until Chalie thinks
	app        *App
	restaurant *demo.Restaurant
	hospital   *demo.Hospital
	exchange   *demo.Exchange
	stranger   *demo.Restaurant // is never let in
	person     *person

	outer   context.Context // of the interfaces, which outlive Chalie
	empty   context.CancelFunc
	inner   context.Context // of Chalie
	close   context.CancelCauseFunc
	inside  sync.WaitGroup
	outside sync.WaitGroup
}

// errDemoOver is why the demo's Chalie stops, as its log has it.
var errDemoOver = errors.New("the demo is over")

// demoSeed makes every demo the same.
const demoSeed = 9

// openStage starts everything, a Chalie with it that looks over what it has in
// mind after idle. What fails here is taken down again.
func openStage(ctx context.Context, c *cli, data string, idle time.Duration) (_ *stage, err error) {
	s := &stage{idle: idle}
	s.ctx, s.end = context.WithCancel(ctx)
	// Chalie and the interfaces are taken down in order, not by ctx.
	s.outer, s.empty = context.WithCancel(context.WithoutCancel(ctx))
	s.inner, s.close = context.WithCancelCause(context.WithoutCancel(ctx))
	defer func() {
		if err != nil {
			err = errors.Join(err, s.takeDown())
		}
	}()
	if err := s.openInterfaces(); err != nil {
		return nil, err
	}
	s.app, err = Open(ctx, Config{
		Addr: "127.0.0.1:0", Data: data, Announced: true, SignalRate: defaultSignalRate, SignalBytes: defaultSignalBytes, IdleAfter: idle,
		Logger: slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return nil, err
	}
	s.run(&s.inside, s.inner, s.app.Run)
	s.person, err = newPerson(s.ctx, s.app.SetupLink())
	return s, err
}

func (s *stage) openInterfaces() error {
	var err error
	if s.restaurant, err = demo.NewRestaurant(demo.Config{}); err != nil {
		return err
	}
	s.run(&s.outside, s.outer, s.restaurant.Run)
	if s.hospital, err = demo.NewHospital(demo.Config{}); err != nil {
		return err
	}
	s.run(&s.outside, s.outer, s.hospital.Run)
	if s.exchange, err = demo.NewExchange(demo.Config{Seed: demoSeed}); err != nil {
		return err
	}
	s.run(&s.outside, s.outer, s.exchange.Run)
	if s.stranger, err = demo.NewRestaurant(demo.Config{Name: "A stranger"}); err != nil {
		return err
	}
	s.run(&s.outside, s.outer, s.stranger.Run)
	return nil
}

// run runs a part until its context ends. When it fails the story ends.
func (s *stage) run(group *sync.WaitGroup, ctx context.Context, part func(context.Context) error) { //nolint:revive // which context is what this is about
	group.Go(func() {
		if err := part(ctx); err != nil {
			s.mu.Lock()
			s.failure = errors.Join(s.failure, err)
			s.mu.Unlock()
			s.end()
		}
	})
}

// takeDown ends it all in order: the person leaves, Chalie stops, then the
// interfaces, so that Chalie misses none of them. It returns why parts failed.
func (s *stage) takeDown() error {
	if s.person != nil {
		s.person.leave()
	}
	s.close(errDemoOver)
	s.inside.Wait()
	s.empty()
	s.outside.Wait()
	s.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failure
}
