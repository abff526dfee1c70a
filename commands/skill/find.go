package skill

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// planned is a plan or a memory with its words.
type planned struct {
	domain.Commitment        // of a reminder, appointment or task; otherwise only ID counts
	text              string // commands.ErasedText when it can no longer be read
	about             string // of a memory
	due               string // when it is due, or where it stands, in words; "" where that isn't asked
	dueIn             string // the zone of due
	list              string // the name of the list that it is, or stands on; "" for a plan

	appointment domain.Appointment // of one
	recurrence  *domain.Recurrence // when it comes back; nil for once
	zone        *time.Location     // in which it does
	times       []occasion         // its times in the period that was asked for
	named       bool               // it was asked for by its words
	waits       domain.Millis      // the next of all its times, where times are those of a period
}

// decodedAt is what an envelope says, by its id; false of an erased one.
func decodedAt[P any](ctx context.Context, s *skills, id domain.ID) (p P, there bool, err error) {
	rec, err := s.cfg.Reader.Find(ctx, id)
	if err == nil {
		p, err = domain.Decode[P](rec.Envelope)
	}
	if domain.CodeOf(err) == domain.CodeErased {
		return p, false, nil
	}
	return p, err == nil, err
}

// read gives the words of an envelope, by its id.
func (s *skills) read(ctx context.Context, id domain.ID) (domain.Envelope, string, error) {
	rec, err := s.cfg.Reader.Find(ctx, id)
	if err != nil {
		return rec.Envelope, "", err
	}
	text, err := wordsOf(ctx, rec.Envelope)
	return rec.Envelope, text, err
}

// wordsOf are the words of an envelope, which the answer may then quote.
func wordsOf(ctx context.Context, e domain.Envelope) (string, error) {
	text, err := domain.PlanText(e)
	if domain.CodeOf(err) == domain.CodeErased {
		return commands.ErasedText, nil
	}
	if seen, ok := ctx.Value(readFor{}).(*[]wording); ok && text != "" {
		*seen = append(*seen, wording{e.ID, text})
	}
	return text, err
}

// readFor is the key under which a call's context holds what was read for it.
type readFor struct{}

// wording is the text of an envelope.
type wording struct {
	id   domain.ID
	text string
}

// quotedIn are the envelopes that an answer may quote: those whose words, or the first
// of them, are in it.
func quotedIn(r commands.Result, seen []wording) []domain.ID {
	var answer strings.Builder
	for _, text := range []*string{r.Text, r.Error} {
		if text != nil {
			answer.WriteString(bynames.LettersOf(*text))
		}
	}
	answer.WriteString(bynames.LettersOf(domain.PlainText(r.Blocks)))
	answer.WriteString(bynames.LettersOf(string(r.Data)))
	var out []domain.ID
	for _, one := range seen {
		const first = 32 // bytes; a long text may be cut in an answer
		stands := func(text string) bool {
			letters := bynames.LettersOf(text)
			return strings.Contains(answer.String(), letters[:min(len(letters), first)])
		}
		if !slices.Contains(out, one.id) && (stands(one.text) || stands(strconv.Quote(one.text))) {
			out = append(out, one.id)
		}
	}
	return out
}

// open is the open commitments of a kind ("" for all), and the position they were
// folded through.
func (s *skills) open(ctx context.Context, kind domain.ItemKind) ([]planned, domain.Position, error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, 0, err
	}
	var all []domain.Commitment
	var through domain.Position
	s.cfg.Plans.Read(func(p *domain.Plans) { all, through = p.Commitments.List(), p.Commitments.Through })
	var out []planned
	for _, c := range all {
		if kind != "" && c.Kind != kind {
			continue
		}
		_, text, err := s.read(ctx, c.TextID)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, planned{Commitment: c, text: text})
	}
	return out, through, nil
}

// openTimed are the open plans of a kind, with how they come back.
func (s *skills) openTimed(ctx context.Context, kind domain.ItemKind) ([]planned, error) {
	open, _, err := s.open(ctx, kind)
	if err == nil {
		open, err = s.timed(ctx, open)
	}
	return open, err
}

// dated are plans with when they are due in words, to tell one from another.
func dated(all []planned, call tool.SkillCall) []planned {
	for i, p := range all {
		if p.Due != 0 {
			all[i].due, all[i].dueIn = when.Say(p.Due, call.Now, call.Zone), call.Zone.String()
		}
	}
	return all
}

// pick is the one that is meant. Otherwise question says what to ask.
func pick(which, noun string, all []planned) (one planned, question speech.Message) {
	kind := speech.Kind(noun)
	if len(all) == 0 {
		return planned{}, say("plan.none", args{"kind": kind})
	}
	if id, err := domain.ParseID(strings.TrimSpace(which)); err == nil {
		for _, p := range all {
			if p.ID == id {
				return p, question
			}
		}
		return planned{}, say("plan.none", args{"kind": kind, "id": speech.Ref(id)})
	}
	switch found := matching(which, all); {
	case len(found) == 1:
		return found[0], question
	case len(found) > 1:
		return planned{}, say("plan.which", args{"kind": kind, "plans": alikeApart(found)})
	}
	return planned{}, say("plan.none", args{"kind": kind, "which": theirOwn(which), "there": alikeApart(all)})
}

// matching are those whose words contain all that was said: those that say nothing
// else before those that say more. Saying nothing in particular matches all.
func matching(which string, all []planned) []planned {
	said := bynames.TellingWords(which)
	var exact, partly []planned
	for _, p := range all {
		words := bynames.TellingWords(p.text + " " + p.about + " " + p.due)
		if !bynames.HasAll(words, said) {
			continue
		}
		partly = append(partly, p)
		if len(said) > 0 && len(bynames.TellingWords(p.text)) == len(said) && bynames.HasAll(bynames.TellingWords(p.text), said) {
			exact = append(exact, p)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return partly
}

// maxNamed bounds the plans that a question names.
const maxNamed = 8

// alikeApart are the first of plans by their names, with their times where names are alike.
func alikeApart(all []planned) speech.List {
	return byName(all, maxNamed, func(p planned) bool {
		return slices.ContainsFunc(all, func(o planned) bool { return o.ID != p.ID && strings.EqualFold(o.text, p.text) })
	})
}

// withTimes are the first of plans by their names and times.
func withTimes(all []planned, most int) speech.List {
	return byName(all, most, func(planned) bool { return true })
}

// byName are the first of plans by their names, some of them with when or where they are.
func byName(all []planned, most int, timed func(planned) bool) speech.List {
	var out speech.List
	for i, p := range all {
		if i == most {
			return append(out, say("more", args{"n": speech.Count(len(all) - most)}))
		}
		one := args{"what": p.its()}
		if timed(p) {
			one = args{"what": p.its(), "due": p.dueAt(), "place": p.place()}
		}
		out = append(out, say("plan.named", one))
	}
	return out
}

// dueAt is when a plan is due, where that is asked; nil otherwise.
func (p planned) dueAt() speech.Value {
	if p.due == "" || p.list != "" {
		return nil
	}
	return speech.Time{At: p.Due, Zone: p.dueIn}
}

// place is where what isn't due stands; nil for a plan.
func (p planned) place() speech.Value {
	switch {
	case p.list == "" || p.due == "":
		return nil
	case p.Kind == itemList:
		return say("place.all_of_it")
	}
	return say("place.list", args{"list": theirOwn(p.list)})
}
