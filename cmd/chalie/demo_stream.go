package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chalie/adapters/apiclient"
	"chalie/commands"
)

// How long the story waits for what must come, and how often it looks.
const (
	demoPatience = 30 * time.Second
	demoLook     = 20 * time.Millisecond
)

// stream waits until listening to a broadcast is as it should be.
func (d *demoStory) stream(ctx context.Context, name string, fits func(apiclient.Stream) bool) (apiclient.Stream, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, demoPatience, fmt.Errorf("Chalie hears too little of %s", name)) //nolint:staticcheck // the name is written so
	defer cancel()
	look := time.NewTicker(demoLook)
	defer look.Stop()
	for {
		objects, err := d.person.api.Streams(ctx)
		if err != nil {
			return apiclient.Stream{}, errors.Join(context.Cause(ctx), err)
		}
		list, err := values(objects)
		if err != nil {
			return apiclient.Stream{}, err
		}
		for _, s := range list {
			if s.ID == d.streams[name] && fits(s) {
				return s, nil
			}
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return apiclient.Stream{}, context.Cause(ctx)
		}
	}
}

// taken waits until so many signals of a broadcast are in the log.
func (d *demoStory) taken(ctx context.Context, name string, n uint64) (apiclient.Stream, error) {
	return d.stream(ctx, name, func(s apiclient.Stream) bool { return s.Accepted >= n })
}

// listen adds a broadcast and waits until Chalie hears it.
func (d *demoStory) listen(ctx context.Context, name, url string) error {
	object, err := d.person.api.AddStream(ctx, url, name)
	if err != nil {
		return err
	}
	added, err := object.Value()
	if err != nil {
		return err
	}
	d.streams[name] = added.StreamID
	_, err = d.stream(ctx, name, func(s apiclient.Stream) bool { return s.State == commands.StreamLive })
	return err
}
