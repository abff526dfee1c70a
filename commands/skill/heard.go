package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
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

// Bounds of what is told of signals.
const (
	heardShown    = 8
	maxHeardBytes = 300
)

// signal is one that is remembered, with its words.
type signal struct {
	domain.SignalReceived
	id domain.ID
	at domain.Millis
}

func (s *skills) doHeard(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[struct{ About, During string }](call)
	if err != nil {
		return asksBack(err)
	}
	from, to := domain.Millis(0), call.Now+1
	if !blank(p.During) {
		if from, to, err = when.During(strings.TrimSpace(p.During), call.Now, call.Zone); err != nil {
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
	all = append(all, messages...)
	domain.SortStableFunc(all, func(a, b signal) int { return cmp.Compare(a.at, b.at) })
	said := bynames.TellingWords(p.About)
	found := slices.DeleteFunc(all, func(one signal) bool {
		words := bynames.TellingWords(one.Source + " " + one.SignalType + " " + topicOf(one) + " " + one.Content)
		return one.at < from || one.at >= to || !bynames.HasAll(words, said)
	})
	if len(found) == 0 {
		nothing := args{"then": periodSaid(p.During, call)}
		if !blank(p.About) {
			nothing["about"] = theirOwn(strings.TrimSpace(p.About))
		}
		return tell(say("heard.nothing", nothing))
	}
	slices.Reverse(found) // the latest first
	var out tool.SkillDone
	line := func(m speech.Message) {
		out.Said = append(out.Said, speech.Said{As: speech.Item, Says: []speech.Message{m}})
	}
	shown := found[:min(len(found), heardShown)]
	for _, one := range shown {
		line(s.lineOf(ctx, one, call))
	}
	if more := len(found) - heardShown; more > 0 {
		line(say("heard.more", args{"n": speech.Count(more)}))
	}
	for _, one := range shown {
		if one.isFlagged() {
			one.link(&out)
		}
	}
	return out, nil
}

func topicOf(one signal) string {
	if one.Topic == nil {
		return ""
	}
	return *one.Topic
}

// said is who said it, and what, in a message.
func (one signal) said() args {
	content := domain.Cut(strings.Join(strings.Fields(one.Content), " "), maxHeardBytes)
	return args{
		"sender":  speech.Text{Words: domain.Cut(strings.Join(strings.Fields(one.Source), " "), maxAboutBytes), In: one.id},
		"content": speech.Text{Words: marksOut.Replace(content), In: one.id},
	}
}

// marksOut turns the quotation marks of all languages into others, so that what is quoted can't leave its own.
var marksOut = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// signals are those that are remembered, oldest first. One whose words were erased says
// nothing any more.
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
		heard, err := domain.Decode[domain.SignalReceived](rec.Envelope)
		if domain.CodeOf(err) == domain.CodeErased {
			continue
		}
		if err != nil {
			return nil, err
		}
		one := signal{heard, rec.Envelope.ID, rec.RecordedAt}
		one.quote(ctx, one.Content)
		out = append(out, one)
	}
	return out, nil
}
