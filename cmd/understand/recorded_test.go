package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/jsonschema"
	"chalie/cmd/internal/dialogue"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/speech/speechtest"
	"chalie/replay"
	"chalie/replay/explain"
	"chalie/replay/narrate"
	"chalie/replay/player"
	"chalie/replay/sandbox"
	"chalie/replay/wiring"
)

// saidBefore is said in the conversations of one log, and pressed where it stands in brackets.
var saidBefore = []struct {
	in  string
	all []string
}{
	{"english", []string{"remind me to water the plants tomorrow at 8", "remind me to water the plants tomorrow at 8", "[Set it anyway]", "what is planned?", "put bread on the shopping list", "undo"}},
	{"german", []string{"erinnere mich morgen um 9 an den Kuchen", "erinnere mich morgen um 9 an den Kuchen", "[Trotzdem setzen]", "setz Milch auf die Einkaufsliste", "was steht morgen an?"}},
	{"french", []string{"rappelle-moi demain à 9 h d'appeler Anna", "ajoute du lait à la liste de courses"}},
	{"spanish", []string{"recuérdame mañana a las 9 llamar a Ana", "añade leche a la lista de la compra"}},
}

// lives plays what was said before, until what is planned has been told.
func lives(t *testing.T) *stage {
	t.Helper()
	monday := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	s, _, err := opens(t.Context(), dialogue.Dialogue{Begins: monday, Zone: "Europe/Berlin"})
	if err != nil {
		t.Fatal(err)
	}
	for _, talk := range saidBefore {
		for _, said := range talk.all {
			turn := dialogue.Turn{Say: said, In: talk.in}
			if label, pressed := strings.CutPrefix(said, "["); pressed {
				turn = dialogue.Turn{Press: strings.TrimSuffix(label, "]")}
			}
			came, err := s.turn(t.Context(), turn)
			if err != nil {
				t.Fatalf("%s: %q (%v)", said, came.Text, err)
			}
		}
	}
	if err := s.Until(t.Context(), monday.AddDate(0, 0, 2)); err != nil {
		t.Fatal(err)
	}
	return s
}

// past is all that is shown of a log: its transcript, its frames, why each thing was said and done, and its records.
func past(t *testing.T, s *stage) string {
	t.Helper()
	var out strings.Builder
	show := func(what string, v any, err error) {
		raw, _ := json.Marshal(v)
		fmt.Fprintf(&out, "%s %s %v\n", what, raw, err)
	}
	find := func(id domain.ID) (domain.Envelope, error) { return s.Find(t.Context(), id) }
	talk, err := replay.NewPast(s.Log, nil, "UTC").Transcript(t.Context(), s.Log.Tail())
	if err != nil {
		t.Fatal(err)
	}
	conversations := []domain.ConversationID{{}}
	err = s.Each(t.Context(), 1, func(rec domain.Record) error {
		if of := domain.ConversationOf(rec.Envelope); !slices.Contains(conversations, of) {
			conversations = append(conversations, of)
		}
		frames, err := domain.Frames(rec, find)
		show("frames", frames, err)
		out.WriteString(narrate.Line(rec.Envelope) + "\n" + narrate.Text(rec.Envelope) + "\n")
		if !slices.Contains([]domain.EventType{domain.ReasoningConcludedType, domain.ToolCompletedType}, rec.Envelope.Type) {
			return nil
		}
		target, err := replay.ParseTarget(rec.Envelope.ID.UUID())
		if err != nil {
			return err
		}
		why, err := explain.Why(t.Context(), s.Log, target, time.UTC)
		show("why", why, err)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range conversations {
		exchanges, _, err := talk.Recent(of, 100, 0)
		show("transcript", exchanges, err)
		for _, x := range exchanges {
			end, err := find(x.Conclusion)
			if err != nil {
				t.Fatal(err)
			}
			said, err := domain.SaidIn(end, find)
			show("said", said, err)
		}
	}
	return out.String()
}

// replayed is what a replay finds.
func replayed(ctx context.Context, s *stage) (player.Report, error) {
	program := wiring.Program{BuiltIn: builtinmodel.Model{}, Formats: jsonschema.Formats{}, Build: "understand"}
	p, err := player.New(player.Config{Log: s.Log, Staging: sandbox.Config{Program: program, Zone: s.of.Zone}.Open, Workers: 1})
	if err != nil {
		return player.Report{}, err
	}
	return p.All(ctx, 1, nil)
}

// What was said is shown as it was said, in whichever words it would be said today: when every sentence of every
// catalogue is another, no transcript, frame, explanation or record changes by a byte, and a replay tells that words
// differ, with those that were recorded, and nothing that would be done.
func TestWordsOfThePastStay(t *testing.T) {
	s := lives(t)
	before := past(t, s)
	report, err := replayed(t.Context(), s)
	if err != nil || report.Differ > 0 {
		t.Fatalf("in the same words a replay differs: %+v (%v)", report.Kinds, err)
	}
	changed := speechtest.Changed(t)
	for i, c := range speech.All() {
		if m := (speech.Message{ID: "say_yes"}); changed[i].Version == c.Version || changed[i].Say(m, speech.Voice{}) == c.Say(m, speech.Voice{}) {
			t.Fatalf("%s isn't changed", c.Language)
		}
	}
	defer speech.Instead(changed)()
	if after := past(t, s); after != before {
		at := 0
		for at < min(len(before), len(after)) && before[at] == after[at] {
			at++
		}
		t.Fatalf("what was said before changes with the catalogue: it was\n%.400s\nand is\n%.400s", before[max(0, at-100):], after[max(0, at-100):])
	}
	report, err = replayed(t.Context(), s)
	if err != nil || report.Differ == 0 {
		t.Fatalf("a replay says nothing of the words: %+v (%v)", report, err)
	}
	for _, kind := range report.Kinds {
		var recorded any
		if err := json.Unmarshal(kind.First.Recorded, &recorded); kind.Deed || err != nil {
			t.Errorf("with other words it would be done otherwise: %s, %s and now %s", kind.Kind, kind.First.Recorded, kind.First.Replayed)
		}
		if text, ok := recorded.(string); ok && !strings.Contains(before, narrate.OneLine(text)) {
			t.Errorf("a replay shows as recorded what nobody said: %q", text)
		}
	}
	if now := past(t, lives(t)); strings.Count(now, "Ŋ") < len(saidBefore) || strings.Count(before, "Ŋ") > 0 {
		t.Error("what is said now is said in the words of before")
	}
}

// What a skill did is recorded in English. What the person is told of it in another language is marked with the
// language and the version of its words: what the model tells, and what a button did.
func TestMadeWordsAreMarked(t *testing.T) {
	s := lives(t)
	marked := map[string]int{}
	err := s.Each(t.Context(), 1, func(rec domain.Record) error {
		var spoken *domain.Spoken
		switch rec.Envelope.Type {
		case domain.ToolCompletedType:
			done, err := domain.Decode[domain.ToolCompleted](rec.Envelope)
			if err == nil && done.Spoken != nil && done.Spoken.Language != "en" {
				t.Errorf("a call is recorded in %s", done.Spoken.Language)
			}
			return err
		case domain.ModelRepliedType:
			reply, err := domain.Decode[domain.ModelReplied](rec.Envelope)
			if err != nil {
				return err
			}
			spoken = reply.Spoken
		case domain.ReasoningConcludedType:
			end, err := domain.ConclusionOf(rec.Envelope)
			if err != nil {
				return err
			}
			if spoken = end.Spoken; spoken != nil && !end.Reply.IsZero() {
				if words := domain.PlainText(end.Blocks); !strings.HasPrefix(words, "Erinnerung") && !strings.HasPrefix(words, "Ich erinnere dich") {
					t.Errorf("a button answers %q", words)
				}
				marked["button"]++
			}
			if spoken != nil && strings.HasPrefix(domain.PlainText(end.Blocks), "Erinnerung: ") {
				marked["reminder"]++
			}
		}
		if spoken == nil {
			return nil
		}
		if c, ok := speech.In(spoken.Language); !ok || c.Version != spoken.Catalogue {
			t.Errorf("words are marked as of %+v", *spoken)
		}
		marked[spoken.Language]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []string{"en", "de", "fr", "es", "button", "reminder"} {
		if marked[of] == 0 {
			t.Errorf("nothing is marked as said in %s: %v", of, marked)
		}
	}
}
