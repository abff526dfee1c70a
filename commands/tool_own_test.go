package commands_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// noter is a skill that notes something down, once for every call.
type noter struct {
	w    *workshop
	zone string

	asked    int
	rests    domain.Key // its conditions' key; "" for none
	fails    error
	tooLarge bool
}

func (*noter) Tool() domain.Tool {
	return domain.Tool{Name: "note", Description: "notes it", Parameters: []domain.Parameter{{Name: "text", Type: domain.TypeString, Required: true}}}
}

func (*noter) SideEffects() bool { return true }

func (n *noter) Do(ctx context.Context, call commands.SkillCall) (commands.SkillDone, error) {
	n.asked++
	n.zone = call.Zone.String()
	if n.fails != nil {
		return commands.SkillDone{}, n.fails
	}
	entry, err := domain.New(call.Lineage, n.w.ids.NewID(), call.Now, "skills", domain.SignalReceived{SignalType: "note", Content: string(call.Params), Source: call.By.Name})
	if err != nil {
		return commands.SkillDone{}, err
	}
	done := commands.SkillDone{Result: answered("noted"), Entries: []domain.Entry{entry}}
	if n.tooLarge {
		done.Result = answered(strings.Repeat("x", domain.MaxPayloadBytes))
	}
	if n.rests != "" {
		done.Entries[0].Envelope.Keys = []domain.Key{n.rests}
		seen, err := n.w.log.Select(ctx, domain.Selector{Key: n.rests}, 1, 100)
		if err != nil {
			return done, err
		}
		if n.asked == 1 { // somebody else is quicker
			n.w.signal(n.rests)
		}
		after := domain.Position(0)
		if len(seen) > 0 {
			after = seen[len(seen)-1].Position
		}
		done.Conditions = []domain.Condition{{Key: n.rests, After: after}}
	}
	return done, nil
}

func (w *workshop) signal(key domain.Key) {
	w.t.Helper()
	entry, err := domain.New(domain.Begin(w.ids.NewTrace(), domain.PrincipalOperator), w.ids.NewID(), 1, "test", domain.SignalReceived{SignalType: "other", Content: "x", Source: "y"})
	entry.Envelope.Keys = []domain.Key{key}
	if err == nil {
		_, err = w.log.Append(w.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// able is a workshop in which Chalie can note something down.
func able(t *testing.T) (*workshop, *noter) {
	w := newWorkshop(t)
	n := &noter{w: w}
	w.skills = []commands.Skill{n}
	return w, n
}

func notes() commands.Invocation {
	return commands.Invocation{Tool: "note", Params: []byte(`{"text":"milk"}`)}
}

func TestSkill(t *testing.T) {
	w, n := able(t)
	w.zone = time.FixedZone("malta", 3600)
	got, err := w.tools().Invoke(t.Context(), ada, notes())
	if err != nil || got.Outcome != "tool.completed" || orNone(got.Result.Text) != "noted" || n.zone != "malta" || w.peer.times() != 0 {
		t.Fatalf("told %+v, %v in %s", got, err, n.zone)
	}
	records := w.happened(wholeCall...)
	if asked := decoded[domain.ToolInvoked](t, records[0]); !asked.InterfaceID.IsZero() || asked.Tool != "note" {
		t.Errorf("invoked %+v", asked)
	}
	if decided := decoded[domain.PolicyDecided](t, records[1]); decided.CapabilityID != "chalie/note" || decided.CapabilityVersion == "" {
		t.Errorf("decided %+v", decided)
	}
	noted := w.records(domain.TopicSignals)
	if len(noted) != 1 || noted[0].Envelope.Parent != records[2].Envelope.ID || noted[0].Envelope.Trace.ID != got.ID || noted[0].Position+1 != records[3].Position {
		t.Errorf("noted %+v", noted)
	}
}

func TestSkillsAreOffered(t *testing.T) {
	w, _ := able(t)
	w.pair("pad", 9004, domain.Tool{Name: "note"})
	var names []string
	for _, o := range w.tools().Offers() {
		names = append(names, fmt.Sprintf("%s of %s", o.Name, o.Interface.Name))
	}
	if want := []string{"cancel of hospital", "note of Chalie", "pad.note of pad", "status of hospital"}; !slices.Equal(names, want) {
		t.Errorf("offered are %v, want %v", names, want)
	}
	w.skills = append(w.skills, &noter{w: w})
	if _, err := commands.NewTools(w.config()); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("two skills of one name: %v", err)
	}
}

// Killed at any step, what a skill does happens once.
func TestSkillKilledAtEveryStep(t *testing.T) {
	for step := 1; step <= 3; step++ {
		for _, recorded := range []bool{false, true} {
			w, _ := able(t)
			in := inAnEpisode(t, w)
			in.Tool, in.Params = "note", notes().Params
			w.failAt(step, recorded, dead)
			if _, err := w.tools().Call(t.Context(), ada, in); err == nil {
				t.Fatal("the log took everything")
			}
			got := until(t, w, in)
			if got.Outcome != "tool.completed" || orNone(got.Result.Text) != "noted" {
				t.Errorf("step %d, recorded %t: told %+v", step, recorded, got)
			}
			w.happened(wholeCall...)
			w.count(domain.TopicSignals, 1)
		}
	}
}

// Invoked by itself and killed in the middle, it is known not to have been done.
func TestSkillLeftOpen(t *testing.T) {
	w, n := able(t)
	w.failAt(3, false, dead)
	if _, err := w.tools().Invoke(t.Context(), ada, notes()); err == nil {
		t.Fatal("the log took everything")
	}
	w.restart()
	records := w.happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.failed")
	if end := decoded[domain.ToolFailed](t, records[3]); end.Reason != domain.CodeInterrupted || !strings.Contains(end.Detail, "nothing was changed") {
		t.Errorf("failed %+v", end)
	}
	w.count(domain.TopicSignals, 0)
	if n.asked != 1 {
		t.Errorf("asked %d times", n.asked)
	}
}

func TestSkillIsAskedAgain(t *testing.T) {
	w, n := able(t)
	n.rests = "list/groceries"
	got, err := w.tools().Invoke(t.Context(), ada, notes())
	if err != nil || got.Outcome != "tool.completed" || n.asked != 2 {
		t.Errorf("told %+v, %v, asked %d times", got, err, n.asked)
	}
	w.count(domain.TopicSignals, 2)
}

func TestSkillThatCannot(t *testing.T) {
	w, n := able(t)
	n.fails = errors.New("the list is locked")
	got, err := w.tools().Invoke(t.Context(), ada, notes())
	if err != nil || got.Outcome != "tool.failed" || got.Fault.Code != "skill_failed" || !strings.Contains(got.Fault.Message, "the list is locked; nothing was changed") {
		t.Errorf("told %+v, %v", got, err)
	}
	n.fails, n.tooLarge = nil, true
	got, err = w.tools().Invoke(t.Context(), ada, notes())
	if err != nil || got.Outcome != "tool.failed" || got.Fault.Code != commands.CodePeerTooLarge {
		t.Errorf("told %+v, %v", got, err)
	}
	w.count(domain.TopicSignals, 0)
}
