package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
)

// heard tells what signals said, and what programs told within a day.
func (s *skills) heard() tool.Skill {
	return skill{do: s.doHeard, tool: domain.Tool{
		Name:          "heard",
		Description:   "Tell what was overheard or sent by programs: what a source said last, or what came in about something, or since a time.",
		Documentation: "Without parameters it tells the latest. Of a signal that was pushed out by newer ones nothing is known here: the log has it.",
		Parameters: []domain.Parameter{
			{Name: "about", Type: domain.TypeString, Description: "Words of the source, its kind or what it said, such as bank, weather or train. Left out: everything."},
			{Name: "during", Type: domain.TypeString, Description: `A period as people say it: "today", "yesterday", "this week". Left out: whenever.`},
		},
	}}
}

// Bounds of what is told of what was heard, and of how far it is read back.
const (
	heardShown      = 8
	maxHeardBytes   = 300
	messagesShown   = 5       // in a status
	maxMessagesRead = 1 << 10 // records, the person's own among them

	lookBackDays = 30
	maxLookBack  = 5_000 // signals
	firstWindow  = 4_096 // positions of the log
	windowPage   = 64    // records
)

// signal is one that is remembered, with its words, or a program's message as what was heard from its sender.
type signal struct {
	domain.SignalReceived
	id domain.ID
	at domain.Millis
}

// heardIn is what was heard in a record; false when its words were erased: then it says nothing any more.
func heardIn(rec domain.Record) (one signal, there bool, err error) {
	one = signal{id: rec.Envelope.ID, at: rec.RecordedAt}
	if rec.Envelope.Type == domain.MessageReceivedType {
		var m domain.MessageReceived
		m, err = domain.Decode[domain.MessageReceived](rec.Envelope)
		one.SignalReceived = domain.SignalReceived{
			Source: m.Sender(rec.Envelope.Source), SignalType: "message", Topic: m.Topic, Content: m.Text, Marks: m.Marks,
		}
	} else {
		one.SignalReceived, err = domain.Decode[domain.SignalReceived](rec.Envelope)
	}
	if domain.CodeOf(err) == domain.CodeErased {
		return one, false, nil
	}
	return one, err == nil, err
}

func (s *skills) doHeard(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ About, During string }](call)
	if err != nil {
		return asksBack(err)
	}
	then := speech.Period{Before: call.Now + 1}
	if !blank(p.During) {
		if then, err = timing.Period(p.During, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
	}
	all, err := s.signals(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	messages, err := s.messages(ctx, call.Now)
	if err != nil {
		return tool.SkillDone{}, err
	}
	said := bynames.TellingWords(p.About)
	found := slices.DeleteFunc(append(all, messages...), func(one signal) bool {
		return one.at < then.Since || one.at >= then.Before || !bynames.HasAll(bynames.TellingWords(one.about()+" "+one.Content), said)
	})
	if len(found) == 0 {
		nothing := args{"then": periodSaid(p.During, call)}
		if !blank(p.About) {
			nothing["about"] = theirOwn(strings.TrimSpace(p.About))
		}
		return tell(say("heard.nothing", nothing))
	}
	domain.SortStableFunc(found, func(a, b signal) int { return cmp.Compare(a.at, b.at) })
	slices.Reverse(found) // the latest first
	shown := found[:min(len(found), heardShown)]
	out := tool.SkillDone{Said: each(speech.Item, append(linesOf(ctx, shown, call), beyond("earlier", len(found)-heardShown)...)...)}
	linkTo(&out, shown)
	return out, nil
}

// linesOf are signals in one line each.
func linesOf(ctx context.Context, all []signal, call tool.SkillCall) []speech.Message {
	out := make([]speech.Message, len(all))
	for i, one := range all {
		out[i] = one.line(ctx, call)
	}
	return out
}

// linkTo leads from an answer to the records of those signals whose words it doesn't repeat.
func linkTo(from *tool.SkillDone, all []signal) {
	for _, one := range all {
		if one.isFlagged() {
			linking(from, "/traces/"+one.id.String(), say("link.signal", one.who()))
		}
	}
}

func topicOf(one signal) string {
	if one.Topic == nil {
		return ""
	}
	return *one.Topic
}

// about are the words by which its sender says about what it is.
func (one signal) about() string { return one.Source + " " + one.SignalType + " " + topicOf(one) }

// quote notes that an answer may quote what a signal said.
func (one signal) quote(ctx context.Context, text string) {
	if seen, ok := ctx.Value(readFor{}).(*[]wording); ok {
		*seen = append(*seen, wording{one.id, text})
	}
}

// text are words of it in a message.
func (one signal) text(words string) speech.Text { return speech.Text{Words: words, In: one.id} }

// said is who said it, and what, in a message.
func (one signal) said() args {
	content := marksOut.Replace(onOneLine(one.Content, maxHeardBytes))
	return args{"sender": one.text(onOneLine(one.Source, maxAboutBytes)), "content": one.text(content)}
}

// onOneLine is a text of so many bytes at most, without its breaks.
func onOneLine(text string, most int) string {
	return domain.Cut(strings.Join(strings.Fields(text), " "), most)
}

// marksOut turns the quotation marks of all languages into others, so that what is quoted can't leave its own.
var marksOut = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// signals are those that are remembered, oldest first.
func (s *skills) signals(ctx context.Context) ([]signal, error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	world := commands.Copy(s.cfg.World)
	commands.AskedAt(ctx, world.Through)
	out := make([]signal, 0, len(world.Signals))
	for _, ref := range world.Signals {
		rec, err := s.cfg.Reader.Find(ctx, ref.EnvelopeID)
		if err != nil {
			return nil, err
		}
		one, there, err := heardIn(rec)
		if err != nil {
			return nil, err
		}
		if there {
			one.quote(ctx, one.Content)
			out = append(out, one)
		}
	}
	return out, nil
}

// messagesFor is a day, and less where so much was sent that a day of it isn't read.
var messagesFor = []time.Duration{24 * time.Hour, 4 * time.Hour, 30 * time.Minute, 3 * time.Minute}

// messages are those that programs sent to the person lately, oldest first. What a program asks for itself is none.
func (s *skills) messages(ctx context.Context, now domain.Millis) ([]signal, error) {
	for _, within := range messagesFor {
		from, err := s.cfg.Reader.Since(ctx, now.Add(-within))
		if err != nil {
			return nil, err
		}
		var out []signal
		sent := domain.Selector{Topic: domain.TopicMessages}
		looked, err := domain.Look(ctx, s.cfg.Reader, sent, from, maxMessagesRead, func(rec domain.Record) {
			if _, theirs, err := domain.MessageOfProgram(rec.Envelope); !theirs || err != nil {
				return
			}
			if one, there, err := heardIn(rec); there && err == nil {
				out = append(out, one)
			}
		})
		if err != nil || looked < maxMessagesRead {
			return out, err
		}
	}
	return nil, nil
}

// lookBack calls fn for the signals of the last thirty days before a moment, the latest five
// thousand of them at most, in no order, and says so when there were more. They are read by the log's index in windows of
// positions, from the end on, each twice as large as the one behind it: so a log of other records
// costs a few reads, and one of many signals no more than are told of.
func (s *skills) lookBack(ctx context.Context, call tool.SkillCall, before domain.Millis, fn func(signal)) ([]speech.Message, error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	oldest := min(before, call.Now+1)
	end, err := s.cfg.Reader.Since(ctx, oldest)
	if err != nil {
		return nil, err
	}
	floor, err := s.cfg.Reader.Since(ctx, oldest.Add(-lookBackDays*24*time.Hour))
	if err != nil {
		return nil, err
	}
	left, size := maxLookBack, domain.Position(firstWindow)
	for floor = max(floor, 1); end > floor && left > 0; {
		from := max(floor, end-min(size, end))
		found, fits, err := s.window(ctx, from, end, left)
		if err != nil {
			return nil, err
		}
		if !fits { // so many of them are too many: a window of as many positions can't be
			size = domain.Position(left)
			continue
		}
		for _, one := range found {
			oldest = min(oldest, one.at)
			fn(one)
		}
		left, end, size = left-len(found), from, size*2
	}
	if left > 0 || end <= floor {
		return nil, nil
	}
	return []speech.Message{say("heard.bounded", args{"n": speech.Count(maxLookBack), "to": moment(oldest, call)})}, nil
}

// window are the signals between two positions; fits is false when there are more than most.
func (s *skills) window(ctx context.Context, from, end domain.Position, most int) (found []signal, fits bool, err error) {
	for from < end {
		records, err := s.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicSignals}, from, windowPage)
		if err != nil {
			return nil, false, err
		}
		for _, rec := range records {
			if from = rec.Position + 1; rec.Position >= end {
				return found, true, nil
			}
			if rec.Envelope.Type != domain.SignalReceivedType {
				continue
			}
			if len(found) == most {
				return nil, false, nil
			}
			one, there, err := heardIn(rec)
			if err != nil {
				return nil, false, err
			}
			if there {
				found = append(found, one)
			}
		}
		if len(records) < windowPage {
			break
		}
	}
	return found, true, nil
}
