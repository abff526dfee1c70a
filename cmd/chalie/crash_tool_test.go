package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// The program is killed while a tool is at work. Nobody will know what came of
// it, the next start says so, and the tool isn't called again.
func TestCrashTool(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	p := startProgram(t, "hospital")
	v.pair(p)
	usual := p.answers["/execute"]
	hang, asked := hanging()
	var keys []string
	p.on("/execute", func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		hang(w, r)
	})
	answered := make(chan error, 1)
	go func() {
		_, _, err := v.ask(http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{"to":7}}`)
		answered <- err
	}()
	hear(t, asked)
	v.end()
	if err := <-answered; err == nil {
		t.Error("a program that was killed gave an answer")
	}

	whole := []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.outcome_unknown"}
	for start := range 2 { // the second has nothing left to do
		v = startVictim(t, v.data)
		v.ready()
		end := v.awaits("tool.outcome_unknown", 1)[0].Envelope
		unknown := decode[domain.ToolOutcomeUnknown](t, end)
		if unknown.Reason != domain.CodeInterrupted || unknown.InvocationID != end.Trace.ID || len(end.Errors) != 1 || end.Principal != domain.PrincipalOperator {
			t.Errorf("it ends as %+v: %+v", end, unknown)
		}
		if len(keys) != 1 || keys[0] != unknown.InvocationID.UUID() {
			t.Errorf("invocation %s was called with the keys %v", unknown.InvocationID.UUID(), keys)
		}
		if types := v.types(domain.TopicTools); !slices.Equal(types, whole) {
			t.Errorf("the log has %v", types)
		}
		told := v.chalie("trace", "show", unknown.InvocationID.UUID())
		for _, part := range []string{"tool.dispatched", "tool.outcome_unknown", "Chalie ended while the call was under way"} {
			if !strings.Contains(told, part) {
				t.Errorf("%q is not in what trace show tells:\n%s", part, told)
			}
		}
		v.stop()
		warning := `level=WARN msg="a tool was under way when Chalie ended: nobody knows what came of it" tool=count outcome=tool.outcome_unknown trace=` + end.Trace.String()
		if n := strings.Count(v.said.String(), warning); n != 1-start {
			t.Errorf("start %d warns %d times:\n%s", start, n, &v.said)
		}
	}
	if n := p.times("/execute"); n != 1 {
		t.Errorf("the tool was called %d times", n)
	}

	p.on("/execute", usual)
	v = startVictim(t, v.data)
	v.ready()
	again := read[struct {
		ID   domain.ID `json:"invocation_id"`
		Text string    `json:"text"`
	}](t, v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{"to":7}}`))
	if again.ID.UUID() == keys[0] || again.Text != "done" {
		t.Errorf("asked anew it answers %+v", again)
	}
	v.stop()
	v = startVictim(t, v.data)
	v.ready()
	want := slices.Concat(whole, []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.completed"})
	if types := v.types(domain.TopicTools); !slices.Equal(types, want) {
		t.Errorf("in the end the log has %v", types)
	}
}

// Calls that are under way when the program is killed, or stopped, end one by
// one, whatever came in between, and people don't wait for it.
func TestCrashManyTools(t *testing.T) {
	t.Parallel()
	const calls = 20
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	p := startProgram(t, "factory")
	v.pair(p)
	hang, asked := hanging()
	p.on("/execute", hang)
	for i := range calls {
		go func() {
			// No answer comes.
			_, _, _ = v.ask(http.MethodPost, "socket:/api/tools/count/invoke", fmt.Sprintf(`{"params":{"to":%d}}`, i))
		}()
	}
	for range calls {
		hear(t, asked)
	}
	v.end()
	p.on("/execute", saying(`{"text":"done"}`))
	v = startVictim(t, v.data)
	v.ready()
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{"to":1}}`)
	ends := map[domain.ID]bool{}
	for _, rec := range v.awaits("tool.outcome_unknown", calls) {
		ends[decode[domain.ToolOutcomeUnknown](t, rec.Envelope).InvocationID] = true
	}
	if n := p.times("/execute"); len(ends) != calls || n != calls+1 {
		t.Errorf("%d of %d calls end, and there were %d", len(ends), calls, n)
	}
	v.stop()
}

// Calls that are under way, of an answer and of a program, don't hold up the way out for
// long. What came of them isn't known then, either.
func TestStopDuringATool(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	p := startProgram(t, "sloth")
	v.pair(p)
	hang, asked := hanging()
	p.on("/execute", hang)
	v.says("use count to: 7")
	hear(t, asked)
	answered := make(chan string, 1)
	go func() {
		_, text, err := v.ask(http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{}}`)
		answered <- fmt.Sprint(text, err)
	}()
	hear(t, asked)
	v.stop()
	if said := hear(t, answered); !strings.Contains(said, "Chalie ended while the call was under way") {
		t.Errorf("it was answered with %s", said)
	}
	stopped := v
	v = startVictim(t, v.data)
	v.ready()
	for _, rec := range v.awaits("tool.outcome_unknown", 2) {
		if unknown := decode[domain.ToolOutcomeUnknown](t, rec.Envelope); unknown.Reason != domain.CodeInterrupted {
			t.Errorf("a call ends as %+v", unknown)
		}
	}
	if n := p.times("/execute"); n != 2 {
		t.Errorf("the tool was called %d times", n)
	}
	v.stop()
	for _, v := range []*victim{stopped, v} {
		if said := v.said.String(); strings.Contains(said, "panic") || strings.Contains(said, "level=ERROR") {
			t.Errorf("it complained:\n%s", said)
		}
	}
}

// hear waits until somebody tells something.
func hear[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case said := <-from:
		return said
	case <-time.After(patience):
		t.Fatal("nothing was heard")
		panic("unreachable")
	}
}
