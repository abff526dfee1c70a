package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
)

func notes() tool.Invocation {
	return tool.Invocation{Tool: "note", Params: []byte(`{"text":"milk"}`)}
}

func TestSkill(t *testing.T) {
	w, n := commandstest.Able(t)
	w.Zone = time.FixedZone("malta", 3600)
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, notes())
	if err != nil || got.Outcome != "tool.completed" || orNone(got.Result.Text) != "noted" || n.Zone != "malta" || w.Peer.Times() != 0 {
		t.Fatalf("told %+v, %v in %s", got, err, n.Zone)
	}
	records := w.Happened(wholeCall...)
	if asked := commandstest.Decoded[domain.ToolInvoked](t, records[0]); !asked.InterfaceID.IsZero() || asked.Tool != "note" {
		t.Errorf("invoked %+v", asked)
	}
	if decided := commandstest.Decoded[domain.PolicyDecided](t, records[1]); decided.CapabilityID != "chalie/note" || decided.CapabilityVersion == "" {
		t.Errorf("decided %+v", decided)
	}
	noted := w.Records(domain.TopicSignals)
	if len(noted) != 1 || noted[0].Envelope.Parent != records[2].Envelope.ID || noted[0].Envelope.Trace.ID != got.ID || noted[0].Position+1 != records[3].Position {
		t.Errorf("noted %+v", noted)
	}
}

func TestSkillsAreOffered(t *testing.T) {
	w, _ := commandstest.Able(t)
	w.Pair("pad", 9004, domain.Tool{Name: "note"})
	var names []string
	for _, o := range w.Tools().Offers() {
		names = append(names, fmt.Sprintf("%s of %s", o.Name, o.Interface.Name))
	}
	if want := []string{"cancel of hospital", "note of Chalie", "pad.note of pad", "status of hospital"}; !slices.Equal(names, want) {
		t.Errorf("offered are %v, want %v", names, want)
	}
	w.Skills = append(w.Skills, &commandstest.Noter{W: w})
	if _, err := tool.New(w.Config()); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("two skills of one name: %v", err)
	}
}

// Killed at any step, what a skill does happens once.
func TestSkillKilledAtEveryStep(t *testing.T) {
	for step := 1; step <= 3; step++ {
		for _, recorded := range []bool{false, true} {
			w, _ := commandstest.Able(t)
			in := inAnEpisode(t, w)
			in.Tool, in.Params = "note", notes().Params
			w.FailAt(step, recorded, commandstest.Dead)
			if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err == nil {
				t.Fatal("the log took everything")
			}
			got := until(t, w, in)
			if got.Outcome != "tool.completed" || orNone(got.Result.Text) != "noted" {
				t.Errorf("step %d, recorded %t: told %+v", step, recorded, got)
			}
			w.Happened(wholeCall...)
			w.Count(domain.TopicSignals, 1)
		}
	}
}

// rivals is a skill whose first callers all rest on the same state.
type rivals struct {
	commandstest.Noter
	start sync.WaitGroup // of the first tries
	tries atomic.Int32
}

func (r *rivals) Do(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	const key domain.Key = "rivals"
	seen, err := r.W.Log.Select(ctx, domain.Selector{Key: key}, 1, 100)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if r.tries.Add(1) <= crowd {
		r.start.Done()
		r.start.Wait()
	}
	for range 100 {
		runtime.Gosched() // lets the others come between
	}
	entry, err := domain.New(call.Lineage, r.W.IDs.NewID(), call.Now, "skills", domain.SignalReceived{SignalType: "note", Content: "it", Source: call.By.Name})
	entry.Envelope.Keys = []domain.Key{key}
	after := domain.Position(0)
	if n := len(seen); n > 0 {
		after = seen[n-1].Position
	}
	return tool.SkillDone{Result: commandstest.Answered("noted"), Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: key, After: after}}}, err
}

const crowd = 50

// A crowd that changes the same thing at the same moment has it done one after the other.
func TestSkillsInACrowd(t *testing.T) {
	w, _ := commandstest.Able(t)
	r := &rivals{Noter: commandstest.Noter{W: w}}
	r.start.Add(crowd)
	w.Skills = []tool.Skill{r}
	tools := w.Tools()
	var all sync.WaitGroup
	for range crowd {
		all.Go(func() {
			if got, err := tools.Invoke(t.Context(), commandstest.Ada, notes()); err != nil || got.Outcome != domain.ToolCompletedType {
				t.Errorf("one of %d: %+v, %v", crowd, got, err)
			}
		})
	}
	all.Wait()
	w.Count(domain.TopicSignals, crowd)
	if n := r.tries.Load(); n != 2*crowd-1 { // all but the first lose once
		t.Errorf("%d did it in %d tries", crowd, n)
	}
}

// Invoked by itself and killed in the middle, it is known not to have been done.
func TestSkillLeftOpen(t *testing.T) {
	w, n := commandstest.Able(t)
	w.FailAt(3, false, commandstest.Dead)
	if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, notes()); err == nil {
		t.Fatal("the log took everything")
	}
	w.Restart()
	records := w.Happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.failed")
	if end := commandstest.Decoded[domain.ToolFailed](t, records[3]); end.Reason != domain.CodeInterrupted || !strings.Contains(end.Detail, "nothing was changed") {
		t.Errorf("failed %+v", end)
	}
	w.Count(domain.TopicSignals, 0)
	if n.Asked != 1 {
		t.Errorf("asked %d times", n.Asked)
	}
}

func TestSkillIsAskedAgain(t *testing.T) {
	w, n := commandstest.Able(t)
	n.Rests = "list/groceries"
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, notes())
	if err != nil || got.Outcome != "tool.completed" || n.Asked != 2 {
		t.Errorf("told %+v, %v, asked %d times", got, err, n.Asked)
	}
	w.Count(domain.TopicSignals, 2)
}

func TestSkillThatCannot(t *testing.T) {
	w, n := commandstest.Able(t)
	n.Fails = errors.New("the list is locked")
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, notes())
	if err != nil || got.Outcome != "tool.failed" || got.Fault.Code != "skill_failed" || !strings.Contains(got.Fault.Message, "the list is locked; nothing was changed") {
		t.Errorf("told %+v, %v", got, err)
	}
	n.Fails, n.TooLarge = nil, true
	got, err = w.Tools().Invoke(t.Context(), commandstest.Ada, notes())
	if err != nil || got.Outcome != "tool.failed" || got.Fault.Code != commands.CodePeerTooLarge {
		t.Errorf("told %+v, %v", got, err)
	}
	w.Count(domain.TopicSignals, 0)
}

// A question of a skill has a button for each answer: the call once more, with what the
// answer changes.
func TestAnswersAreButtons(t *testing.T) {
	w, n := commandstest.Able(t)
	n.Asks = []tool.Answer{{Label: "Yes", With: map[string]any{"confirmed": true}}, {Label: strings.Repeat("x", 1000), With: map[string]any{"text": nil, "which": "b"}}}
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, notes())
	if err != nil || len(got.Result.Blocks) == 0 {
		t.Fatal(got, err)
	}
	raw, err := json.Marshal(got.Result.Blocks[len(got.Result.Blocks)-1])
	if err != nil {
		t.Fatal(err)
	}
	want := `{"buttons":[{"label":"Yes","payload":{"confirmed":true,"skill":"note","text":"milk"}},{"label":"` + strings.Repeat("x", domain.MaxLabelBytes-3) + `…","payload":{"skill":"note","which":"b"}}],"type":"actions"}`
	if string(raw) != want {
		t.Errorf("it has %s, want %s", raw, want)
	}
}
