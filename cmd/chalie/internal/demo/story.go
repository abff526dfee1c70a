package demo

import (
	"cmp"
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

const (
	patience     = 30 * time.Second // for what a step waits for
	prices       = 1000             // are broadcast
	whySentences = 3                // are enough: what it was told, for what, and when
)

// story is what the world does, what Chalie makes of it, and how both are told.
type story struct {
	*Demo
	*person
	base string // where Chalie is

	restaurant, hospital, exchange *programs.Program

	key   string    // that the hospital used
	asked domain.ID // the episode in which Chalie acted
	spoke domain.ID // the one in which it spoke by itself
	voice speech

	act    string
	number int // of the step
	lines  int // to read of it
}

// step is something that happens, and who is told to have done it.
type step struct {
	act string // that begins with it, if one does
	who string
	do  func(context.Context) (told, error)
}

// told is a step as it is told, also as JSON.
type told struct {
	Step   int                       `json:"step"`
	Act    string                    `json:"act"`
	Who    string                    `json:"who"`
	Text   string                    `json:"text"`
	Detail any                       `json:"detail,omitempty"` // what the API answered, or sent
	draw   func(*term.Console) error // what stands under the text
}

// How the lines of a step stand, and how long each is there before the next step.
const (
	whoWidth  = 12
	textWidth = 100 // longer lines are hard to follow
	perLine   = 550 * time.Millisecond
)

func (s *story) steps() []step {
	if s.Voice {
		return s.voiceSteps()
	}
	luigis, hilltop, exchange := s.restaurant.Name, s.hospital.Name, s.exchange.Name
	return []step{
		{"Chalie listens to the world for one person, and tells them what matters", "Chalie", s.begins},
		{"1. Programs come in, or don't", luigis, s.pairs(s.restaurant)},
		{"", hilltop, s.pairs(s.hospital)},
		{"", "Chalie", s.listens},
		{"", "A stranger", s.isShutOut},
		{"2. You say what you have planned", "You", s.says("remind me: dinner reservation at " + luigis + " in 2 hours")},
		{"", "Chalie", s.answers},
		{"3. The world goes by, and you hear nothing of it", exchange, s.broadcasts(s.exchange, " "+narrate.Grouped(prices)+" prices, and then", programs.Prices(prices)...)},
		{"", hilltop, s.isOverheard},
		{"", "Chalie", s.tellsNothing},
		{"4. Until something touches your plan", luigis, s.broadcasts(s.restaurant, "")},
		{"", "Chalie", s.speaks},
		{"", "You", s.why},
		{"5. Chalie acts when you say so, and asks first where it has to", "You", s.says("cancel my reservation res_801")},
		{"", "Chalie", s.asks},
		{"", "You", s.says("yes")},
		{"", "Chalie", s.acted},
		{"", "The log", s.recorded},
		{"6. It tells you once", "Chalie", s.keepsToItself},
	}
}

// tell goes through the steps.
func (s *story) tell(ctx context.Context) error {
	for _, step := range s.steps() {
		within, cancel := context.WithTimeoutCause(ctx, patience, errors.New("the demo's Chalie says or does too little"))
		what, err := step.do(within)
		if err != nil && within.Err() != nil {
			err = context.Cause(within) // it is why that failed
		}
		cancel()
		if err == nil {
			err = s.show(ctx, step.act, step.who, what)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// show writes a step once the one before is read, in lines that a person can follow or
// in one of JSON. act is one that begins, or "".
func (s *story) show(ctx context.Context, act, who string, what told) error {
	if err := s.Pause(ctx, time.Duration(s.lines)*perLine); err != nil {
		return err
	}
	s.act, s.number = cmp.Or(act, s.act), s.number+1
	if s.JSON {
		what.Step, what.Act, what.Who = s.number, s.act, who
		return s.Console.JSON(what)
	}
	var text, drawn strings.Builder
	if act != "" {
		text.WriteString("\n" + s.Console.Paint(term.Bold, act) + "\n")
	}
	for _, line := range term.Wrap(narrate.OneLine(what.Text), min(s.Console.Width, textWidth)-whoWidth-2) {
		fmt.Fprintf(&text, "  %s%s%s\n", s.Console.Paint(term.Green, who), strings.Repeat(" ", max(1, whoWidth-term.Columns(who))), line)
		who = ""
	}
	if what.draw != nil {
		below := *s.Console
		below.Out, below.Width, below.Uncut = &drawn, s.Console.Width-4, false // a story has lines
		if err := what.draw(&below); err != nil {
			return err
		}
		text.WriteByte('\n')
		for line := range strings.Lines(drawn.String()) {
			text.WriteString("    " + line)
		}
	}
	s.lines = strings.Count(text.String(), "\n")
	return s.Console.Printf("%s", text.String())
}

func (s *story) begins(context.Context) (told, error) {
	return told{Text: "is at " + s.base + " for this minute, in an empty folder. The programs around it are strangers to each other: they speak only with Chalie."}, nil
}

// pairs lets a program in with a key from the person.
func (s *story) pairs(program *programs.Program) func(context.Context) (told, error) {
	return func(ctx context.Context) (told, error) {
		key, err := apiclient.Read(s.PairingKey(ctx))
		if err != nil {
			return told{}, err
		}
		s.key = key.Key
		paired, err := program.Pair(ctx, s.base, key.Key)
		return told{Text: "pairs with a key from you, and offers tools: " + strings.Join(paired.Tools, ", ") + ".", Detail: paired}, err
	}
}

// listens has Chalie hear two broadcasts.
func (s *story) listens(ctx context.Context) (told, error) {
	broadcasts := map[string]string{}
	for _, p := range []*programs.Program{s.restaurant, s.exchange} {
		broadcasts[p.Name] = p.StreamURL()
		_, err := s.AddStream(ctx, p.StreamURL(), p.Name)
		if err == nil {
			err = s.hasHeard(ctx, p, 0)
		}
		if err != nil {
			return told{}, err
		}
	}
	return told{Text: "listens to what " + s.restaurant.Name + " and " + s.exchange.Name + " broadcast. They don't know who does.", Detail: broadcasts}, nil
}

// hasHeard waits until Chalie listens to a program and has so many signals of it.
func (s *story) hasHeard(ctx context.Context, p *programs.Program, signals uint64) error {
	for {
		streams, err := apiclient.ReadAll(s.Streams(ctx))
		if err != nil || slices.ContainsFunc(streams, func(at api.Stream) bool {
			return at.Source == p.Name && at.State == string(signal.StreamLive) && at.Accepted >= signals
		}) {
			return err
		}
		commands.Sleep(ctx, 20*time.Millisecond)
	}
}

// isShutOut lets a stranger try a key that was used.
func (s *story) isShutOut(ctx context.Context) (told, error) {
	stranger, err := programs.Open("restaurant")
	if err != nil {
		return told{}, err
	}
	defer stranger.Close()
	stranger.Name = "A stranger"
	_, err = stranger.Pair(ctx, s.base, s.key)
	refusal, ok := errors.AsType[*programs.Refusal](err)
	if !ok {
		return told{}, errors.Join(err, errors.New("the demo's stranger was not refused"))
	}
	return told{Text: fmt.Sprintf("tries the key of %s once more. Refused (%d): “%s”", s.hospital.Name, refusal.Status, refusal.Words), Detail: refusal}, nil
}

// says has the person say something.
func (s *story) says(text string) func(context.Context) (told, error) {
	return func(context.Context) (told, error) {
		return told{Text: "say: “" + text + "”"}, s.sends(map[string]string{"type": "chat", "text": text})
	}
}

func (s *story) answers(ctx context.Context) (told, error) {
	f, err := s.hears(ctx, "message")
	return told{Text: "answers: “" + f.words() + "”", Detail: f.text}, err
}

// broadcasts has a program tell its news, after others.
func (s *story) broadcasts(p *programs.Program, text string, others ...programs.Signal) func(context.Context) (told, error) {
	return func(context.Context) (told, error) {
		p.Broadcast(append(others, p.News)...)
		return told{Text: "broadcasts" + text + ": “" + p.News.Content + "”"}, nil
	}
}

// isOverheard waits for the prices: of signals only the latest hundred count, so what
// the hospital lets be overheard comes when they are all in.
func (s *story) isOverheard(ctx context.Context) (told, error) {
	news := s.hospital.News
	err := s.hasHeard(ctx, s.exchange, prices+1)
	if err == nil {
		err = s.hospital.Send(ctx, "/api/signals", news, nil)
	}
	return told{Text: "lets Chalie overhear: “" + news.Content + "”"}, err
}

func (s *story) tellsNothing(ctx context.Context) (told, error) {
	object, err := s.World(ctx, "")
	world, err := apiclient.Read(object, err)
	return told{
		Text:   "took in all " + narrate.Grouped(prices+1) + " of them and this, and tells you nothing. What weighs most is in mind:",
		Detail: object, draw: func(c *term.Console) error { return s.DrawWorld(c, world.Items) },
	}, errors.Join(err, s.hearsNothing(ctx))
}

func (s *story) speaks(ctx context.Context) (told, error) {
	f, err := s.hears(ctx, "notification")
	s.spoke = f.Episode
	headline, reason, _ := strings.Cut(domain.PlainText(f.Blocks), "\n")
	text := fmt.Sprintf("looks over what it has in mind once nothing was said or done for %s (%s outside of this demo), and tells you, unasked: “%s”. %s",
		narrate.Span(s.Idle), narrate.Span(background.DefaultIdleAfter), headline, narrate.OneLine(reason))
	return told{Text: text, Detail: f.text}, err
}

func (s *story) why(ctx context.Context) (told, error) {
	object, err := s.Why(ctx, s.spoke.String(), s.Console.Zone)
	why, err := apiclient.Read(object, err)
	first := why.Sentences[:min(len(why.Sentences), whySentences)]
	if err == nil && len(first) < whySentences {
		err = fmt.Errorf("the demo's Chalie explained too little: %q", first)
	}
	return told{
		Text:   fmt.Sprintf("ask why. Of its %d sentences the first %d:", len(why.Sentences), whySentences),
		Detail: object, draw: func(c *term.Console) error {
			c.Width = min(c.Width, textWidth)
			return c.Sentences(first)
		},
	}, err
}

// asks waits until Chalie asks whether it may give the table back.
func (s *story) asks(ctx context.Context) (told, error) {
	f, err := s.hears(ctx, "escalation")
	if err == nil && f.Summary == "" {
		err = fmt.Errorf("the demo's Chalie did not ask for approval: %s", f.text)
	}
	s.asked = f.Episode
	text := "picks the tool by your words. " + s.restaurant.Name + " wants it approved first, so you are asked: “" + f.Summary + "”"
	return told{Text: text, Detail: f.text}, err
}

// acted waits for what came of it. The yes is answered, and so is what it was said to,
// in any order.
func (s *story) acted(ctx context.Context) (told, error) {
	var end frame
	for range 2 {
		f, err := s.hears(ctx, "message")
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
	return told{Text: "tells what came of it: " + end.words(), Detail: end.text}, nil
}

// recorded shows how that went, from asking for the tool to its answer.
func (s *story) recorded(ctx context.Context) (told, error) {
	trace, err := s.Trace(ctx, domain.TraceID{ID: s.asked})
	records, err := apiclient.ReadAll(trace.Records, err)
	var rows [][]term.Cell
	for _, rec := range records {
		switch kind, _, _ := strings.Cut(string(rec.Envelope.Type), "."); kind {
		case "tool", "policy", "approval":
			rows = append(rows, []term.Cell{
				term.Faint.Of(narrate.Grouped(uint64(rec.Position))), term.Plain.Of(string(rec.Envelope.Type)), term.Bold.Of(narrate.Line(rec.Envelope)),
			})
		}
	}
	return told{Text: "had each step before the next was taken:", Detail: trace, draw: func(c *term.Console) error {
		return c.Table([]term.Column{{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "ENVELOPE"}, {Title: "WHAT", Flex: true}}, rows)
	}}, err
}

// keepsToItself waits for thinking that holds back what was told, and tells why it does.
func (s *story) keepsToItself(ctx context.Context) (told, error) {
	var rules domain.SilentRules // of the last in full
	for query := (apiclient.LogQuery{Type: string(domain.SpineSignalEmittedType), Wait: time.Second}); ; {
		page, err := s.Log(ctx, query)
		records, err := apiclient.ReadAll(page.Records, err)
		if err != nil {
			return told{}, err
		}
		for _, rec := range records {
			noticed, err := domain.Decode[domain.SpineSignalEmitted](rec.Envelope)
			if err != nil {
				return told{}, err
			}
			if noticed.Silent == nil {
				continue
			}
			if noticed.Silent.Rules != nil {
				rules = *noticed.Silent.Rules
			}
			for _, held := range noticed.Silent.Held {
				if held.Gate == domain.GateAlreadyTold {
					text := "looked again meanwhile, found the same, and kept it to itself. The log says why: " + held.Detail(rec.Envelope.Timestamp, rules) + "."
					return told{Text: text, Detail: held}, s.hearsNothing(ctx)
				}
			}
		}
		query.From = page.Next
	}
}

// whatStays is where the data that is kept is, how to get in, and what it lacks.
func (s *story) whatStays(what string) string {
	if s.Voice {
		return fmt.Sprintf("%s stands in %s. The account is %s, with the password %s.", what, s.Data, accountName, s.password)
	}
	return fmt.Sprintf("%s stands in %s. The account is %s, with the password %s. The restaurant, the hospital and the exchange ran only for "+
		"the demo: their interfaces are offline now, and their streams wait.", what, s.Data, accountName, s.password)
}

// farewell says how to look at more.
func (s *story) farewell(ctx context.Context) error {
	text, next := "All of it is removed. To keep one and look at more, or to begin your own:", []string{"demo --keep demo-data", "serve"}
	if s.Voice {
		next[0] = "demo voice --keep demo-data"
	}
	detail := map[string]any{"next": next}
	if s.Kept {
		text, next = s.whatStays("All of it")+" To look more, and to go on with it:", []string{"log", "trace list", "world", "serve"}
		detail = map[string]any{"next": next, "data": s.Data, "username": accountName, "password": s.password}
	}
	for i, args := range next {
		next[i] = s.Command(args)
	}
	return s.show(ctx, "The end", "Demo", told{Text: text, Detail: detail, draw: func(c *term.Console) error {
		return c.Printf("%s\n", strings.Join(next, "\n"))
	}})
}
