package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	programs "chalie/adapters/demo"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/replay/narrate"
)

// How much is traded in the story, and how fast where there is time.
const (
	Prices    = 1000
	PerMinute = 12_000
)

// whySentences are enough of an explanation: what it was told, for what, and when.
const whySentences = 3

// story is what the world does, and what Chalie makes of it.
type story struct {
	*teller
	idle       time.Duration // without anything said or done, until Chalie thinks
	restaurant *programs.Restaurant
	hospital   *programs.Hospital
	exchange   *programs.Exchange
	stranger   *programs.Restaurant // is never let in
	person     *person

	key   string          // that the hospital used
	asked domain.ID       // the episode in which Chalie acted
	spoke domain.ID       // the one in which it spoke by itself
	done  domain.Position // where the first of them ended
}

// step is something that happens, and who is told to have done it.
type step struct {
	who string
	do  func(context.Context) (told, error)
}

// tell goes through the acts.
func (s *story) tell(ctx context.Context) error {
	s.password = s.person.password
	luigis, hilltop, exchange := s.restaurant.Name(), s.hospital.Name(), s.exchange.Name()
	for _, act := range []struct {
		title string
		steps []step
	}{
		{"Chalie listens to the world for one person, and tells them what matters", []step{{"Chalie", s.begins}}},
		{"1. Programs come in, or don't", []step{
			{luigis, s.pairs(s.restaurant.Pair)}, {hilltop, s.pairs(s.hospital.Pair)}, {"Chalie", s.listens}, {s.stranger.Name(), s.isShutOut},
		}},
		{"2. You say what you have planned", []step{
			{"You", s.says("remind me: dinner reservation at " + luigis + " in 2 hours")}, {"Chalie", s.answers},
		}},
		{"3. The world goes by, and you hear nothing of it", []step{
			{exchange, s.opens}, {exchange, s.jumps}, {hilltop, s.isOverheard}, {"Chalie", s.tellsNothing},
		}},
		{"4. Until something touches your plan", []step{{luigis, s.closes}, {"Chalie", s.speaks}, {"You", s.why}}},
		{"5. Chalie acts when you say so, and asks first where it has to", []step{
			{"You", s.says("cancel my reservation res_801")}, {"Chalie", s.asks}, {"You", s.says("yes")}, {"Chalie", s.acted}, {"The log", s.recorded},
		}},
		{"6. It tells you once", []step{{"Chalie", s.keepsToItself}}},
	} {
		if err := s.begin(act.title); err != nil {
			return err
		}
		for _, step := range act.steps {
			what, err := step.do(ctx)
			if err == nil {
				err = s.show(ctx, step.who, what)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *story) begins(context.Context) (told, error) {
	return told{
		text:   fmt.Sprintf("is at %s for this minute, in an empty folder. The programs around it are strangers to each other: they speak only with Chalie.", s.person.base),
		detail: map[string]string{"address": s.person.base},
	}, nil
}

// pairs lets a program in with a key from the person.
func (s *story) pairs(pair func(ctx context.Context, chalie, key string) (programs.Paired, error)) func(context.Context) (told, error) {
	return func(ctx context.Context) (told, error) {
		key, err := apiclient.Read(s.person.api.PairingKey(ctx))
		if err != nil {
			return told{}, err
		}
		s.key = key.Key
		paired, err := pair(ctx, s.person.base, key.Key)
		return told{text: "pairs with a key from you, and offers tools: " + strings.Join(paired.Tools, ", ") + ".", detail: paired}, err
	}
}

// listens has Chalie hear two broadcasts.
func (s *story) listens(ctx context.Context) (told, error) {
	broadcasts := map[string]string{}
	for _, p := range []interface {
		Name() string
		StreamURL() string
	}{s.restaurant, s.exchange} {
		broadcasts[p.Name()] = p.StreamURL()
		if _, err := s.person.api.AddStream(ctx, p.StreamURL(), p.Name()); err != nil {
			return told{}, err
		}
		if err := s.stream(ctx, p.Name(), func(at api.Stream) bool { return at.State == string(signal.StreamLive) }); err != nil {
			return told{}, err
		}
	}
	return told{text: fmt.Sprintf("listens to what %s and %s broadcast. They don't know who does.", s.restaurant.Name(), s.exchange.Name()), detail: broadcasts}, nil
}

// stream waits until listening to a broadcast is as it should be.
func (s *story) stream(ctx context.Context, name string, fits func(api.Stream) bool) error {
	return within(ctx, "Chalie hears too little of "+name, func(ctx context.Context) (bool, error) {
		streams, err := apiclient.ReadAll(s.person.api.Streams(ctx))
		if slices.ContainsFunc(streams, func(at api.Stream) bool { return at.Source == name && fits(at) }) {
			return true, err
		}
		commands.Sleep(ctx, 20*time.Millisecond)
		return false, err
	})
}

// within looks until there is something, or too long.
func within(ctx context.Context, trouble string, look func(context.Context) (done bool, err error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New(trouble))
	defer cancel()
	for {
		if done, err := look(ctx); done || err != nil {
			return errors.Join(err, context.Cause(ctx))
		}
	}
}

// isShutOut lets the stranger try a key that was used.
func (s *story) isShutOut(ctx context.Context) (told, error) {
	what := "tries the key of " + s.hospital.Name() + " once more"
	_, err := s.stranger.Pair(ctx, s.person.base, s.key)
	refusal, ok := errors.AsType[*programs.Refusal](err)
	if !ok {
		return told{}, errors.Join(err, fmt.Errorf("the demo's stranger %s, and was not refused", what))
	}
	return told{text: fmt.Sprintf("%s. Refused (%d): “%s”", what, refusal.Status, refusal.Words), detail: refusal}, nil
}

// says has the person say something.
func (s *story) says(text string) func(context.Context) (told, error) {
	return func(context.Context) (told, error) { return told{text: "say: “" + text + "”"}, s.person.says(text) }
}

func (s *story) answers(ctx context.Context) (told, error) {
	f, err := s.person.hears(ctx, "message")
	return told{text: "answers: “" + f.words() + "”", detail: f.text}, err
}

func (s *story) pace() (perMinute int, words string) {
	if s.Hurried {
		return 0, "as fast as they are taken"
	}
	return PerMinute, "at " + narrate.Grouped(PerMinute) + " a minute"
}

func (s *story) opens(context.Context) (told, error) {
	pace, words := s.pace()
	return told{text: fmt.Sprintf("opens, and broadcasts %s prices, %s…", narrate.Grouped(Prices), words), detail: map[string]int{"prices": Prices, "per_minute": pace}}, nil
}

// jumps trades first: that the exchange opens was said before.
func (s *story) jumps(ctx context.Context) (told, error) {
	pace, _ := s.pace()
	if err := s.exchange.Trade(ctx, Prices, pace); err != nil {
		return told{}, err
	}
	words, err := s.exchange.Jump(10)
	return told{text: "and then: “" + words + "”"}, err
}

// isOverheard waits for the prices: of signals only the latest hundred count, so what
// the hospital lets be overheard comes when they are all in.
func (s *story) isOverheard(ctx context.Context) (told, error) {
	if err := s.stream(ctx, s.exchange.Name(), func(at api.Stream) bool { return at.Accepted > Prices }); err != nil {
		return told{}, err
	}
	words, err := s.hospital.CloseWing(ctx, "B")
	return told{text: "lets Chalie overhear: “" + words + "”"}, err
}

func (s *story) tellsNothing(ctx context.Context) (told, error) {
	if err := s.person.heardNothing(); err != nil {
		return told{}, err
	}
	object, err := s.person.api.World(ctx, "")
	world, err := apiclient.Read(object, err)
	return told{
		text:   fmt.Sprintf("took in all %s of them and this, and tells you nothing. What weighs most is in mind:", narrate.Grouped(Prices+1)),
		detail: object, draw: func(c *term.Console) error { return s.DrawWorld(c, world.Items) },
	}, err
}

// closes lets the restaurant spoil the dinner.
func (s *story) closes(context.Context) (told, error) {
	words, err := s.restaurant.CloseTonight()
	return told{text: "broadcasts: “" + words + "”"}, err
}

// speaks waits until Chalie says so. Frames come in order: had anything else been told
// before, it were here.
func (s *story) speaks(ctx context.Context) (told, error) {
	f, err := s.person.hears(ctx, "notification")
	s.spoke = f.Episode
	return told{
		text: fmt.Sprintf("looks over what it has in mind once nothing was said or done for %s (%s outside of this demo), and tells you, unasked:",
			narrate.Span(s.idle), narrate.Span(background.DefaultIdleAfter)),
		detail: f.text, draw: sentences(f.words()),
	}, err
}

func (s *story) why(ctx context.Context) (told, error) {
	object, err := s.person.api.Why(ctx, s.spoke.String(), s.Console.Zone)
	why, err := apiclient.Read(object, err)
	if err == nil && len(why.Sentences) < whySentences {
		err = fmt.Errorf("the demo's Chalie explained too little: %q", why.Sentences)
	}
	if err != nil {
		return told{}, err
	}
	return told{
		text:   fmt.Sprintf("ask why. Of its %d sentences the first %d:", len(why.Sentences), whySentences),
		detail: object, draw: sentences(why.Sentences[:whySentences]...),
	}, nil
}

// asks waits until Chalie asks whether it may give the table back.
func (s *story) asks(ctx context.Context) (told, error) {
	f, err := s.person.hears(ctx, "escalation")
	if err == nil && f.Summary == "" {
		err = fmt.Errorf("the demo's Chalie did not ask for approval: %s", f.text)
	}
	s.asked = f.Episode
	return told{
		text:   "picks the tool by your words. " + s.restaurant.Name() + " wants it approved first, so you are asked: “" + f.Summary + "”",
		detail: f.text,
	}, err
}

// acted waits for what came of it. The yes is answered, and so is what it was said to,
// in any order.
func (s *story) acted(ctx context.Context) (told, error) {
	var end frame
	for range 2 {
		f, err := s.person.hears(ctx, "message")
		if err != nil {
			return told{}, err
		}
		if f.Episode == s.asked {
			end = f
		}
	}
	if end.Type == "" {
		return told{}, errors.New("the demo's Chalie did not say what came of the tool")
	}
	return told{text: "tells what came of it: " + end.words(), detail: end.text}, nil
}

// recorded shows how that went, from asking for the tool to its answer.
func (s *story) recorded(ctx context.Context) (told, error) {
	trace, err := s.person.api.Trace(ctx, domain.TraceID{ID: s.asked})
	records, err := apiclient.ReadAll(trace.Records, err)
	if err != nil {
		return told{}, err
	}
	var rows [][]term.Cell
	for _, rec := range records {
		s.done = max(s.done, rec.Position)
		switch kind, _, _ := strings.Cut(string(rec.Envelope.Type), "."); kind {
		case "tool", "policy", "approval":
			rows = append(rows, []term.Cell{
				term.Faint.Of(narrate.Grouped(uint64(rec.Position))), term.Plain.Of(string(rec.Envelope.Type)), term.Bold.Of(narrate.Line(rec.Envelope)),
			})
		}
	}
	return told{text: "had each step before the next was taken:", detail: trace, draw: func(c *term.Console) error {
		return c.Table([]term.Column{{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "ENVELOPE"}, {Title: "WHAT", Flex: true}}, rows)
	}}, nil
}

// keepsToItself waits for the next thinking, which holds back what was told, and tells
// why it does.
func (s *story) keepsToItself(ctx context.Context) (told, error) {
	var held domain.Rejected
	query := apiclient.LogQuery{From: s.done + 1, Type: string(domain.ReasoningConcludedType), Wait: time.Second}
	err := within(ctx, "the demo's Chalie did not look again", func(ctx context.Context) (bool, error) {
		page, err := s.person.api.Log(ctx, query)
		records, err := apiclient.ReadAll(page.Records, err)
		for _, rec := range records {
			end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
			if err != nil {
				return false, err
			}
			i := slices.IndexFunc(end.Rejected, func(r domain.Rejected) bool { return r.Gate == domain.GateAlreadyTold })
			if i >= 0 && end.Outcome == domain.OutcomeHeld {
				held = end.Rejected[i]
				return true, nil
			}
		}
		query.From = page.Next
		return false, err
	})
	if err == nil {
		err = s.person.heardNothing()
	}
	return told{text: "looked again meanwhile, found the same, and kept it to itself. The log says why: " + held.Detail + ".", detail: held}, err
}
