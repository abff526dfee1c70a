package domain_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"

	"pgregory.net/rapid"
)

// tale writes the records of one trace from letters:
//
//	m message  a action  i image  + steer  s started  c called  r replied  e concluded
//	x the action's call rejected
//
// A capital, or = for a steer, is the same with its payload erased. A call takes
// up all steers before it.
type tale struct {
	ids     *domaintest.IDs
	opening domain.Envelope
	steers  []domain.ID
	records []domain.Record
}

func newTale() *tale {
	t := &tale{ids: domaintest.NewIDs(domaintest.NewClock(), 1)}
	id := t.ids.NewID()
	t.opening = domain.Envelope{ID: id, Trace: domain.TraceID{ID: id}, Principal: domain.PrincipalOperator}
	return t
}

// maxModelCalls is the bound of an episode in these tales.
var maxModelCalls = domain.DefaultReasoningLimits().ModelCalls

func tell(letters string) *tale {
	t := newTale()
	for _, l := range letters {
		t.add(l)
	}
	return t
}

func (t *tale) add(letter rune) {
	switch letter {
	case 'm', 'M':
		write(t, letter, domain.MessageReceived{Text: "hi", ImageIDs: []domain.ID{}})
	case 'a', 'A':
		write(t, letter, domain.ActionReceived{Skill: "dim"})
	case 'i', 'I':
		write(t, letter, domain.ImageUploaded{Hash: "h", Bytes: 1, Width: 1, Height: 1})
	case '+', '=':
		t.steers = append(t.steers, write(t, letter, domain.SteerReceived{Text: "no, tomorrow"}).ID)
	case 's', 'S':
		write(t, letter, domain.ReasoningStarted{AsOf: 7, Models: []string{"m"}, Limits: domain.DefaultReasoningLimits()})
	case 'c', 'C':
		write(t, letter, domain.ModelCalled{Model: "m", Steers: append([]domain.ID{}, t.steers...)})
	case 'r', 'R':
		write(t, letter, domain.ModelReplied{Model: "m", Topic: "general", Confidence: 5})
	case 'e', 'E':
		write(t, letter, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded})
	case 'x':
		write(t, letter, domain.CallRejected{Tool: "dim", Reason: "there is no such tool"})
		t.records[len(t.records)-1].Envelope.Keys = []domain.Key{domain.CallKey(t.opening.ID, 0)}
	default:
		panic("no such letter: " + string(letter))
	}
}

func write[P any](t *tale, letter rune, payload P) domain.Envelope {
	lin, id := domain.Continue(t.opening), t.ids.NewID()
	if len(t.records) == 0 {
		lin, id = domain.Begin(t.opening.Trace, t.opening.Principal), t.opening.ID
	}
	entry, err := domain.New(lin, id, 1, "test", payload)
	if err != nil {
		panic(err)
	}
	if letter == '=' || letter >= 'A' && letter <= 'Z' {
		entry.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	}
	t.records = append(t.records, domain.Record{
		Position: domain.Position(10 * (len(t.records) + 1)), Topic: entry.Topic, RecordedAt: 1, Envelope: entry.Envelope,
	})
	return entry.Envelope
}

func folded(t rapid.TB, records []domain.Record) domain.Episode {
	t.Helper()
	var ep domain.Episode
	for _, rec := range records {
		if err := ep.Evolve(rec); err != nil {
			t.Fatal(err)
		}
	}
	return ep
}

func TestNext(t *testing.T) {
	last := "ms" + strings.Repeat("c+r", maxModelCalls)
	for _, c := range []struct {
		name, so string
		want     domain.Move
	}{
		{"nothing happened", "", domain.MoveNone},
		{"an image opens nothing", "i", domain.MoveNone},
		{"a steer opens nothing", "+", domain.MoveNone},
		{"steps without an opening", "sc", domain.MoveNone},
		{"a message", "m", domain.MoveStart},
		{"started", "ms", domain.MoveCall},
		{"called", "msc", domain.MoveAsk},
		{"replied", "mscr", domain.MoveConclude},
		{"concluded", "mscre", domain.MoveNone},
		{"an action needs no model", "a", domain.MoveTool},
		{"an action that is done", "ae", domain.MoveNone},

		{"a steer before the start", "m+", domain.MoveStart},
		{"a steer before the call", "ms+", domain.MoveCall},
		{"a steer before the call is taken up by it", "ms+cr", domain.MoveConclude},
		{"a steer while the model is asked", "msc+", domain.MoveAsk},
		{"a steer that the last call didn't know", "msc+r", domain.MoveCall},
		{"a steer after the reply", "mscr+", domain.MoveCall},
		{"a steer that a second call took up", "msc+rcr", domain.MoveConclude},
		{"steers one after another", "msc+rc+r", domain.MoveCall},
		{"a steer after the end", "mscre+", domain.MoveNone},
		{"a steer after the last call", last, domain.MoveConclude},
		{"a steer before the last call", last[:len(last)-3], domain.MoveCall},

		{"an erased message", "M", domain.MoveStart},
		{"an action that was rejected", "ax", domain.MoveConclude},
		{"an erased action", "A", domain.MoveTool},
		{"an erased start is not made again", "mS", domain.MoveCall},
		{"an erased call is not made again", "msC", domain.MoveAsk},
		{"an erased reply is not asked for again", "mscR", domain.MoveConclude},
		{"an erased end is one", "mscrE", domain.MoveNone},
		{"an erased steer still counts", "mscr=", domain.MoveCall},
		{"an erased steer that was taken up", "ms=cr", domain.MoveConclude},
		{"which steers an erased call took up is unknown", "ms+Cr", domain.MoveCall},
		{"and one call more settles it", "ms+Crcr", domain.MoveConclude},
		{"all erased", "MSCR", domain.MoveConclude},
	} {
		t.Run(c.name, func(t *testing.T) {
			ep := folded(t, tell(c.so).records)
			if got := ep.Next(); got != c.want {
				t.Errorf("after %q comes %q, want %q", c.so, got, c.want)
			}
		})
	}
}

func TestEveryPrefixOfAnAnswer(t *testing.T) {
	story := tell("msc+rcre")
	want := []domain.Move{domain.MoveNone, domain.MoveStart, domain.MoveCall, domain.MoveAsk, domain.MoveAsk,
		domain.MoveCall, domain.MoveAsk, domain.MoveConclude, domain.MoveNone}
	for n := range len(story.records) + 1 {
		ep := folded(t, story.records[:n])
		if got := ep.Next(); got != want[n] {
			t.Errorf("after %d records comes %q, want %q", n, got, want[n])
		}
	}
}

func TestEvolveKeepsWhatMattersLater(t *testing.T) {
	story := tell("ms+c+rcR")
	at := func(i int) domain.ID { return story.records[i].Envelope.ID }
	got := folded(t, story.records)
	if got.Started == nil || got.Started.AsOf != 7 {
		t.Fatalf("started %+v", got.Started)
	}
	got.Started = nil
	got = got.WithoutSpending()
	want := domain.Episode{
		Through: 80, Opening: story.records[0], Steps: 5, StartedID: at(1),
		Steers: []domain.ID{at(2), at(4)},
		Calls: []domain.Called{
			{ID: at(3), Model: "m", Steers: []domain.ID{at(2)}, ReplyID: at(5), Reply: domain.ModelReplied{Model: "m", Topic: "general", Confidence: 5}, Tools: []domain.CallMade{}},
			{ID: at(6), Model: "m", Steers: []domain.ID{at(2), at(4)}, ReplyID: at(7), Erased: true, Tools: []domain.CallMade{}},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the episode is\n%+v\nwant\n%+v", got, want)
	}
}

func TestOpeningStaysTheFirst(t *testing.T) {
	story := tell("mma")
	ep := folded(t, story.records)
	if ep.Opening.Position != 10 || ep.Next() != domain.MoveStart {
		t.Errorf("it was opened at %d and needs %q", ep.Opening.Position, ep.Next())
	}
}

func TestByOperator(t *testing.T) {
	for who, want := range map[domain.Principal]bool{domain.PrincipalOperator: true, "hospital": false, domain.PrincipalCore: false} {
		story := newTale()
		story.opening.Principal = who
		story.add('m')
		ep := folded(t, story.records)
		if ep.ByOperator() != want {
			t.Errorf("%s: %t", who, ep.ByOperator())
		}
	}
}

func TestUndecodableChangesNothing(t *testing.T) {
	for _, letter := range "scre" {
		story := tell("msc")
		ep, before := folded(t, story.records), folded(t, story.records)
		story.add(letter)
		bad := story.records[3]
		bad.Envelope.Version = 99
		err := ep.Evolve(bad)
		if letter == 'e' {
			// That it is over stands in the type alone.
			if err != nil || !ep.Concluded {
				t.Errorf("an end of another version: %v, %+v", err, ep)
			}
			continue
		}
		if domain.CodeOf(err) != domain.CodeUndecodable || !reflect.DeepEqual(ep, before) {
			t.Errorf("%c: %v, and the episode is\n%+v\nwas\n%+v", letter, err, ep, before)
		}
	}
}

// Folding any prefix, asking for the next move, and going on leads where folding
// all at once leads.
func TestFoldingInPartsIsFoldingAtOnce(t *testing.T) {
	letters := []rune("mMaAi+=sScCrReE")
	rapid.Check(t, func(t *rapid.T) {
		story := tell(string(rapid.SliceOfN(rapid.SampledFrom(letters), 0, 30).Draw(t, "letters")))
		once := folded(t, story.records)
		var parts domain.Episode
		for _, rec := range story.records {
			if err := parts.Evolve(rec); err != nil {
				t.Fatal(err)
			}
			first := parts.Next()
			if again := parts.Next(); again != first {
				t.Fatalf("asked twice it needs %q and %q", first, again)
			}
			if first == domain.MoveAsk && (parts.LastCall() == nil || !parts.LastCall().ReplyID.IsZero()) {
				t.Fatal("it asks without a call, or for a reply that is there")
			}
		}
		if !reflect.DeepEqual(parts, once) {
			t.Fatalf("in parts\n%+v\nat once\n%+v", parts, once)
		}
	})
}

// Whenever a steer comes in, making the next move again and again ends the
// episode, with every step made once and no more calls than allowed.
func TestEveryEpisodeEnds(t *testing.T) {
	steps := map[domain.Move]rune{domain.MoveStart: 's', domain.MoveCall: 'c', domain.MoveAsk: 'r', domain.MoveConclude: 'e', domain.MoveTool: 'x'}
	rapid.Check(t, func(t *rapid.T) {
		story := newTale()
		story.add(rapid.SampledFrom([]rune("mMaA")).Draw(t, "opening"))
		for made := 0; ; made++ {
			for range rapid.IntRange(0, 2).Draw(t, fmt.Sprintf("steers before step %d", made+1)) {
				story.add('+')
			}
			ep := folded(t, story.records)
			if ep.Steps != made {
				t.Fatalf("%d steps counted after %d", ep.Steps, made)
			}
			move := ep.Next()
			if move == domain.MoveNone {
				if !ep.Concluded || len(ep.Calls) > maxModelCalls {
					t.Fatalf("it stopped after %d calls, concluded %t", len(ep.Calls), ep.Concluded)
				}
				return
			}
			if made > 2+2*maxModelCalls {
				t.Fatalf("no end after %d steps", made)
			}
			story.add(steps[move])
		}
	})
}
