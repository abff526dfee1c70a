package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chalie/adapters/api"
	"chalie/adapters/models"
	"chalie/domain"
	"chalie/replay/player"
)

// priced chooses a mind in the file of models, as a person does, at 2 dollars for a
// million tokens in and 10 for a million out.
func (m *mind) priced(data string) {
	m.t.Helper()
	if err := os.MkdirAll(data, 0o700); err != nil {
		m.t.Fatal(err)
	}
	file := fmt.Sprintf(`{"models":[{"model":"openai:scripted@%s/v1","key":"sk-notakey","input_price":2,"output_price":10}]}`, m.server.URL)
	if err := os.WriteFile(filepath.Join(data, models.FileName), []byte(file), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// secondThoughts is another answer to everything than counting gives.
func secondThoughts(q question) thought {
	switch {
	case q.cycle:
		return thought{text: nothingFound}
	case q.message != "count to 3":
		return thought{text: "I know what you mean."}
	case len(q.results) == 0:
		return thought{calls: []calling{{"count", `{"to":4}`}}}
	}
	return thought{text: "It came to nothing."}
}

// fails runs a command that must end with an exit code, and returns what it says.
func (v *victim) fails(code int, args ...string) string {
	v.t.Helper()
	cmd := exec.CommandContext(v.t.Context(), "chalie", append(args, "--data", v.data)...)
	cmd.Env = v.cmd.Env
	out, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != code {
		v.t.Errorf("chalie %s: %v, want exit code %d\n%s", strings.Join(args, " "), err, code, out)
	}
	return string(out)
}

// TestWhatIfReallyAsks lets a model on the network answer in place of what was
// answered: it is asked, its tools aren't called, nothing is written, and what it took
// is told. What can't be asked ends it, in words.
func TestWhatIfReallyAsks(t *testing.T) {
	r := newReader(t)
	model := startMind(t, counting)
	data := filepath.Join(t.TempDir(), "data")
	model.priced(data)
	v := startVictim(t, data)
	v.ready()
	p := startProgram(t, "abacus")
	v.pair(p)
	v.chalie("say", "how is it?")
	v.chalie("say", "count to 3")
	before := len(model.questions())
	if p.times("/execute") != 1 || before != 3 {
		t.Fatalf("the tool was called %d times, and the model %d", p.times("/execute"), before)
	}
	tail := len(v.records())

	model.says(secondThoughts)
	var out api.WhatIf
	if err := json.Unmarshal([]byte(v.chalie("replay", "--all", "--model", "openai/scripted", "--json")), &out); err != nil {
		t.Fatal(err)
	}
	if out.Traces != 2 || len(out.Outcomes) != 2 || out.Outcomes[0].Recorded.Text != "I don't know what you mean." || out.Outcomes[0].Replayed.Text != "I know what you mean." {
		t.Fatalf("it would have been %+v", out)
	}
	if second := out.Outcomes[1]; second.Replayed.Text != "It came to nothing." || !strings.Contains(strings.Join(second.Sentences, "\n"), `count`) {
		t.Errorf("the count would have been %+v", second)
	}
	// Three questions of 12 tokens in and 3 out: 36 × 2 + 9 × 10 millionths.
	want := player.Asked{Model: "openai/scripted", Questions: 3, Usage: domain.Usage{InputTokens: 36, OutputTokens: 9, CostMicros: 162}}
	if out.Asked == nil || *out.Asked != want {
		t.Errorf("asked was %+v, want %+v", out.Asked, want)
	}
	if told := v.chalie("replay", "--all", "--model", "openai/scripted"); !strings.Contains(told, "Asked openai/scripted 3 questions: 36 tokens in, 9 out, $0.000162.") || !strings.Contains(told, "I know what you mean.") {
		t.Errorf("it tells\n%s", told)
	}
	if asked := len(model.questions()); asked != before+6 {
		t.Errorf("the model was asked %d questions, want %d", asked-before, 6)
	}
	if told := v.fails(exitUsage, "replay", "--all", "--model", "openai/none"); !strings.Contains(told, `there is no model "openai/none" here: give one of openai/scripted, builtin/`) {
		t.Errorf("of an unknown model it tells\n%s", told)
	}
	v.interrupts(model)
	model.says(func(q question) thought {
		if q.message == "count to 3" {
			return thought{locked: true}
		}
		return secondThoughts(q)
	})
	told := strings.Join(strings.Fields(v.fails(exitFailed, "replay", "--all", "--model", "openai/scripted")), " ")
	if !strings.Contains(told, "nobody can tell what would have come: openai/scripted does not accept its key") || !strings.Contains(told, "after it had answered 1 question") || strings.Contains(told, "notakey") {
		t.Errorf("where it fails it tells\n%s", told)
	}
	if p.times("/execute") != 1 || len(v.records()) != tail {
		t.Errorf("the tool was called %d times, and the log has %d records, had %d", p.times("/execute"), len(v.records()), tail)
	}
	model.says(secondThoughts)
	r.asks(v, model)
	v.stop()
}

// interrupts a what-if while its model is asked: it says so, and the program stops
// asking.
func (v *victim) interrupts(model *mind) {
	v.t.Helper()
	begun, given := make(chan struct{}), make(chan struct{})
	model.says(func(q question) thought {
		close(begun)
		<-q.Context().Done()
		close(given)
		return thought{}
	})
	cmd := exec.CommandContext(v.t.Context(), "chalie", "replay", "--all", "--model", "openai/scripted", "--data", v.data)
	cmd.Env = v.cmd.Env
	var told strings.Builder
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		v.t.Fatal(err)
	}
	<-begun
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		v.t.Fatal(err)
	}
	err := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitInterrupted || !strings.Contains(told.String(), "the replay was interrupted") || !strings.Contains(told.String(), "nothing was changed") {
		v.t.Errorf("interrupted it ends with %v and tells %s", err, told.String())
	}
	<-given
}

// asks fills in the form: what it says of money stands there before anybody
// is asked, also when the address has the whole question.
func (r *reader) asks(v *victim, model *mind) {
	t := r.t
	t.Helper()
	r.setsUp(v)
	before := len(model.questions())
	r.does(chromedp.Navigate(v.address + "/what-if?model=openai%2Fscripted"))
	r.sees("[data-part=model] .alert", "it may cost money")
	r.sees("[data-part=model] select", "openai/scripted")
	if asked := len(model.questions()); asked != before {
		t.Errorf("the model was asked %d times before anybody pressed anything", asked-before)
	}
	r.presses("#ask")
	r.sees("#answer", "If openai/scripted had answered")
	r.sees("#answer", "openai/scripted was asked 3 questions: 36 tokens in, 9 out, $0.000162.")
	r.sees(".end", "I know what you mean.")
	r.keeps("whatif-asked")
	model.says(func(question) thought { return thought{locked: true} })
	r.forgives("status of 503")
	r.forgives("was answered 503")
	r.presses("#ask")
	r.sees("#refused", "openai/scripted does not accept its key")
	r.complaints()
}
