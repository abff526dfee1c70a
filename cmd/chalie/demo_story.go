package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chalie/adapters/demo"
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
	told    domain.ID            // the episode in which Chalie spoke by itself
	done    domain.Position      // where the episode ended in which it acted
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
		{"2. You say what you have planned", d.planned},
		{"3. The world goes by, and you hear nothing of it", d.market},
		{"4. Until something touches your plan", d.touched},
		{"5. Chalie acts when you say so, and asks first where it has to", d.acted},
		{"6. It tells you once", d.quiet},
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
	broadcasts := map[string]string{d.restaurant.Name(): d.restaurant.StreamURL(), d.exchange.Name(): d.exchange.StreamURL()}
	for _, name := range []string{d.restaurant.Name(), d.exchange.Name()} {
		if err := d.listen(ctx, name, broadcasts[name]); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("listens to what %s and %s broadcast. They don't know who does.", d.restaurant.Name(), d.exchange.Name())
	if err := d.say(ctx, "Chalie", text, broadcasts); err != nil {
		return err
	}
	return d.shutOut(ctx)
}

// shutOut lets the stranger try.
func (d *demoStory) shutOut(ctx context.Context) error {
	_, err := d.stranger.Pair(ctx, d.person.base, d.key)
	return d.refused(ctx, "tries the key of "+d.hospital.Name()+" once more", err)
}

func (d *demoStory) refused(ctx context.Context, what string, err error) error {
	refusal, ok := errors.AsType[*demo.Refusal](err)
	if !ok {
		return errors.Join(err, fmt.Errorf("the demo's stranger %s, and was not refused", what))
	}
	return d.say(ctx, d.stranger.Name(), fmt.Sprintf("%s. Refused (%d): “%s”", what, refusal.Status, refusal.Words), refusal)
}

// planned tells Chalie of the dinner.
func (d *demoStory) planned(ctx context.Context) error {
	if err := d.speak(ctx, "remind me: dinner reservation at "+d.restaurant.Name()+" in 2 hours"); err != nil {
		return err
	}
	f, err := d.person.nextOf(ctx, "message")
	if err != nil {
		return err
	}
	return d.say(ctx, "Chalie", "answers: “"+inWordsOf(f)+"”", f.text)
}

// market lets the exchange flood Chalie, and the hospital add its news.
func (d *demoStory) market(ctx context.Context) error {
	name := d.exchange.Name()
	pace, inWords := tradedMinute, "at "+grouped(tradedMinute)+" a minute"
	if d.hurried {
		pace, inWords = 0, "as fast as they are taken"
	}
	text := fmt.Sprintf("opens, and broadcasts %s prices, %s…", grouped(tradedPrices), inWords)
	if err := d.say(ctx, name, text, map[string]int{"prices": tradedPrices, "per_minute": pace}); err != nil {
		return err
	}
	if err := d.exchange.Trade(ctx, tradedPrices, pace); err != nil {
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
	// Of signals only the latest hundred count, so this comes when all the prices are in.
	if words, err = d.hospital.CloseWing(ctx, "B"); err != nil {
		return err
	}
	if err := d.say(ctx, d.hospital.Name(), "lets Chalie overhear: “"+words+"”", nil); err != nil {
		return err
	}
	if err := d.person.heardNothing(); err != nil {
		return err
	}
	return d.mind(ctx, fmt.Sprintf("took in all %s of them and this, and tells you nothing. What weighs most is in mind:", grouped(status.Accepted)))
}

// mind shows the world state.
func (d *demoStory) mind(ctx context.Context, text string) error {
	object, err := d.person.api.World(ctx, "")
	if err != nil {
		return err
	}
	world, err := object.Value()
	if err != nil {
		return err
	}
	return d.show(ctx, "Chalie", text, object, func(c *cli) error { return c.worldItems(world.Items, false) })
}

// speak says something to Chalie, as the person does.
func (d *demoStory) speak(ctx context.Context, text string) error {
	if err := d.person.say(text); err != nil {
		return err
	}
	return d.say(ctx, "You", "say: “"+text+"”", nil)
}

// inWordsOf is what a frame says, on one line.
func inWordsOf(f shown) string {
	if f.Content != "" {
		return oneLine(strings.TrimSpace(f.Content))
	}
	return oneLine(strings.TrimSpace(domain.PlainText(f.Blocks)))
}
