package tool_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
)

// endless is a skill that decides for ever, whatever its context says.
type endless struct {
	commandstest.Noter
	begun chan struct{}
	over  chan struct{}
}

func (e *endless) Do(context.Context, tool.SkillCall) (tool.SkillDone, error) {
	e.begun <- struct{}{}
	<-e.over
	return tool.SkillDone{}, nil
}

// A call of an episode that was cancelled, or given up, is ended without being made again, though
// an attempt at it that was left behind goes on for ever and holds its key.
func TestACallThatIsGivenUp(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*tool.Invocation)
		says   string
	}{
		"cancelled": {func(in *tool.Invocation) { in.Cancelled = true }, "it was cancelled before it was done; nothing was changed"},
		"given up":  {func(in *tool.Invocation) { in.GivenUp = true }, "it was given up before it was done; nothing was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, _ := commandstest.Able(t)
				skill := &endless{Noter: commandstest.Noter{W: w}, begun: make(chan struct{}, 1), over: make(chan struct{})}
				t.Cleanup(func() { close(skill.over) })
				w.Skills = []tool.Skill{skill}
				in := inAnEpisode(t, w)
				in.Tool, in.Params = "note", notes().Params
				tools := w.Tools()
				err := commands.Bounds{}.Try(t.Context(), func(ctx context.Context) error {
					_, err := tools.Call(ctx, commandstest.Ada, in)
					return err
				})
				if err == nil || len(skill.begun) != 1 {
					t.Fatalf("the attempt ended with %v", err)
				}
				c.change(&in)
				got, err := tools.Call(t.Context(), commandstest.Ada, in)
				if err != nil || got.Outcome != domain.ToolFailedType || got.Fault == nil || !strings.Contains(got.Fault.Message, c.says) {
					t.Errorf("told %+v, %v", got, err)
				}
				w.Happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.failed")
			})
		})
	}
}

// What left before its episode was given up isn't asked again, even if that were harmless.
func TestACallThatLeftIsNotAskedAgain(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	in := inAnEpisode(t, w)
	in.Tool, in.Params = "status", nil
	w.FailAt(3, false, commandstest.Dead)
	if _, err := w.Tools().Call(t.Context(), commandstest.Ada, in); err == nil {
		t.Fatal("the log took everything")
	}
	w.Door.Set(nil, nil)
	in.GivenUp = true
	got, err := w.Tools().Call(t.Context(), commandstest.Ada, in)
	if err != nil || got.Outcome != domain.ToolOutcomeUnknownType || w.Peer.Times() != 1 {
		t.Errorf("told %+v, %v, after %d calls", got, err, w.Peer.Times())
	}
}
