package skill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

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
	then := strings.TrimSpace(p.During)
	if then != "" {
		if from, to, err = when.During(then, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
		then = " " + inPeriod(then)
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
		about := ""
		if strings.TrimSpace(p.About) != "" {
			about = fmt.Sprintf(" about or from %q", strings.TrimSpace(p.About))
		}
		return says("I have heard nothing" + about + then + ".")
	}
	slices.Reverse(found) // the latest first
	more := len(found) - heardShown
	lines := make([]string, 0, heardShown+1)
	var kept []domain.Block
	for _, one := range found[:min(len(found), heardShown)] {
		lines = append(lines, inEnglish([]speech.Message{s.lineOf(ctx, one, call)}, call)...)
		if one.isFlagged() {
			kept = append(kept, one.linkBlock(call))
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return answered(strings.Join(lines, "\n"), append([]domain.Block{domain.ListBlock(lines...)}, kept...), nil)
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

// saidAt is a moment that has passed, in words.
func saidAt(at domain.Millis, call tool.SkillCall) string {
	if age := call.Now.Sub(at); age < time.Minute {
		return "just now"
	} else if age < time.Hour {
		return fmt.Sprintf("%d min ago", age/time.Minute)
	}
	return when.Say(at, call.Now, call.Zone)
}

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
		if seen, ok := ctx.Value(readFor{}).(*[]wording); ok {
			*seen = append(*seen, wording{rec.Envelope.ID, heard.Content})
		}
		out = append(out, signal{heard, rec.Envelope.ID, rec.RecordedAt})
	}
	return out, nil
}
