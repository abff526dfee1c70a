package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/demo"
	"chalie/commands"
	"chalie/domain"
)

// How much is traded in the story, and how fast where there is time.
const (
	tradedPrices = 1000
	tradedMinute = 12_000
)

// demoStory is the demo while it is told.
type demoStory struct {
	*stage
	*teller
	streams map[string]domain.ID // of the broadcasts, by who broadcasts
	key     string               // that the hospital used
	urgent  string               // the message that could not wait
}

// tellStory tells what the world does, and what Chalie makes of it.
func tellStory(s *stage, t *teller) error {
	d := &demoStory{stage: s, teller: t, streams: map[string]domain.ID{}}
	t.password = s.person.password
	for _, act := range []struct {
		title string
		play  func(context.Context) error
	}{
		{"Chalie listens to the world for one person, and tells them what matters", d.opening},
		{"1. Programs come in, or don't", d.comingIn},
		{"2. Signals are overheard: no thought is spent on them", d.market},
		{"3. What matters more takes the place of what matters less", d.overheard},
		{"4. Messages are said to Chalie: they reach you", d.messages},
		{"5. Tools: Chalie acts for you", d.tools},
		{"6. Why? Everything stands in the log", d.why},
	} {
		if err := t.begin(act.title); err != nil {
			return err
		}
		if err := act.play(s.ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *demoStory) opening(ctx context.Context) error {
	return d.say(ctx, "Chalie", fmt.Sprintf("is at %s for this minute, in an empty folder. The programs around it are strangers to each other: they speak only with Chalie.",
		d.person.base), map[string]string{"address": d.person.base})
}

// comingIn pairs those that the person let in, and shuts out the one they didn't.
func (d *demoStory) comingIn(ctx context.Context) error {
	for _, p := range []struct {
		name string
		pair func(ctx context.Context, chalie, key string) (demo.Paired, error)
	}{{d.restaurant.Name(), d.restaurant.Pair}, {d.hospital.Name(), d.hospital.Pair}} {
		object, err := d.person.api.PairingKey(ctx)
		if err != nil {
			return err
		}
		key, err := object.Value()
		if err != nil {
			return err
		}
		paired, err := p.pair(ctx, d.person.base, key.Key)
		if err != nil {
			return err
		}
		d.key = key.Key
		text := "pairs with a key from you, and offers tools: " + strings.Join(paired.Tools, ", ") + "."
		if err := d.say(ctx, p.name, text, paired); err != nil {
			return err
		}
	}
	for _, b := range []struct{ name, url, text string }{
		{d.restaurant.Name(), d.restaurant.StreamURL(), "broadcasts, too. Chalie listens."},
		{d.exchange.Name(), d.exchange.StreamURL(), "only broadcasts. Chalie listens; the exchange doesn't know who does."},
	} {
		if err := d.listen(ctx, b.name, b.url); err != nil {
			return err
		}
		if err := d.say(ctx, b.name, b.text, map[string]string{"url": b.url}); err != nil {
			return err
		}
	}
	return d.shutOut(ctx)
}

// shutOut lets the stranger try.
func (d *demoStory) shutOut(ctx context.Context) error {
	_, err := d.stranger.Pair(ctx, d.person.base, d.key)
	if err := d.refused(ctx, "tries the key of "+d.hospital.Name()+" once more", err); err != nil {
		return err
	}
	_, err = d.stranger.Signal(ctx, demo.Signal{Type: "advert", Content: "Everything must go", Energy: 1})
	return d.refused(ctx, "sends a signal all the same", err)
}

func (d *demoStory) refused(ctx context.Context, what string, err error) error {
	refusal, ok := errors.AsType[*demo.Refusal](err)
	if !ok {
		return errors.Join(err, fmt.Errorf("the demo's stranger %s, and was not refused", what))
	}
	return d.say(ctx, d.stranger.Name(), fmt.Sprintf("%s. Refused (%d): “%s”", what, refusal.Status, refusal.Words), refusal)
}

// market lets the exchange flood Chalie.
func (d *demoStory) market(ctx context.Context) error {
	name := d.exchange.Name()
	text := fmt.Sprintf("opens, and broadcasts %s prices, at %s a minute…", grouped(tradedPrices), grouped(tradedMinute))
	if err := d.say(ctx, name, text, map[string]int{"prices": tradedPrices, "per_minute": tradedMinute}); err != nil {
		return err
	}
	if err := d.trade(ctx); err != nil {
		return err
	}
	words, err := d.exchange.Jump(10)
	if err != nil {
		return err
	}
	if err := d.say(ctx, name, "and then: “"+words+"”", nil); err != nil {
		return err
	}
	status, err := d.taken(ctx, name, tradedPrices+1)
	if err != nil {
		return err
	}
	return d.mind(ctx, fmt.Sprintf("took in all %s. The latest hundred may matter, and the five that matter most are in mind:", grouped(status.Accepted)))
}

// trade goes at the market's pace where the story has pauses.
func (d *demoStory) trade(ctx context.Context) error {
	if d.hurried {
		return d.exchange.Trade(ctx, tradedPrices, 0)
	}
	return d.exchange.Trade(ctx, tradedPrices, tradedMinute)
}

func (d *demoStory) overheard(ctx context.Context) error {
	words, err := d.restaurant.CloseTonight()
	if err != nil {
		return err
	}
	if err := d.say(ctx, d.restaurant.Name(), "broadcasts: “"+words+"”", nil); err != nil {
		return err
	}
	if words, err = d.hospital.CloseWing(ctx, "B"); err != nil {
		return err
	}
	if err := d.say(ctx, d.hospital.Name(), "lets you overhear: “"+words+"”", nil); err != nil {
		return err
	}
	if _, err := d.taken(ctx, d.restaurant.Name(), 1); err != nil {
		return err
	}
	if err := d.mind(ctx, "has in mind now:"); err != nil {
		return err
	}
	return d.say(ctx, "Chalie", "Salience is twice the energy a signal came with, at most 1, and halves every six hours. "+
		"Nothing of this reached you. To speak up when it touches your plans is to come: today Chalie waits to be asked.", nil)
}

func (d *demoStory) messages(ctx context.Context) error {
	_, words, err := d.hospital.Postpone(ctx, "apt_2041", time.Hour)
	if err != nil {
		return err
	}
	if err := d.reaches(ctx, "says: “"+words+"”", "notification"); err != nil {
		return err
	}
	if d.urgent, words, err = d.hospital.Alarm(ctx); err != nil {
		return err
	}
	return d.reaches(ctx, "says, marked as critical: “"+words+"”", "escalation")
}

// reaches tells what was said to Chalie, and what of it came to the device.
func (d *demoStory) reaches(ctx context.Context, said, frame string) error {
	if err := d.say(ctx, d.hospital.Name(), said, nil); err != nil {
		return err
	}
	f, err := d.person.next(ctx)
	if err != nil {
		return err
	}
	if f.Type != frame {
		return fmt.Errorf("the demo's device got %s, and not %s", f.Type, frame)
	}
	return d.say(ctx, "You", fmt.Sprintf("get %s: “%s”", kindOf(frame), oneLine(f.Content)), f.text)
}

// kindOf is what a frame is to a person.
func kindOf(frame string) string {
	if frame == "escalation" {
		return "an escalation, which can't wait"
	}
	return "a notification, on every device"
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
