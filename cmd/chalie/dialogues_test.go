package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/teambition/rrule-go"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/internal/dialogue"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// stage is a program to which one dialogue is said.
type stage struct {
	*story
	of      dialogue.Dialogue
	program *program

	mu     sync.Mutex
	called []dialogue.Call // in this turn

	read        domain.Position    // the log is read up to here
	kinds       []domain.EventType // since this turn began
	came        dialogue.Happened  // of this turn
	begun, open map[domain.ID]bool // exchanges
	waits       map[domain.ID]bool // those that wait for the person
	memories    map[domain.ID]string

	shown []shownButton     // all so far
	token map[string]string // of each program
}

// shownButton is a button of an exchange.
type shownButton struct {
	domain.Pressable
	of domain.ID
}

// beginDialogue starts a Chalie at the dialogue's time, with its tools and what was said before.
func beginDialogue(t *testing.T, d dialogue.Dialogue) *stage {
	t.Helper()
	s := &stage{
		story: beginWith(t, t.TempDir(), domaintest.NewClockAt(d.Begins), func(c *Config) { c.SignalRate = 0 }),
		of:    d, token: map[string]string{}, memories: map[domain.ID]string{},
		begun: map[domain.ID]bool{}, open: map[domain.ID]bool{}, waits: map[domain.ID]bool{},
	}
	t.Cleanup(s.stop)
	if len(d.Tools) > 0 {
		s.pairs()
	}
	for _, text := range d.Setup {
		s.plays(dialogue.Turn{Say: text})
	}
	return s
}

// pairs lets a program in that offers the dialogue's tools.
func (s *stage) pairs() {
	var tools []map[string]any
	for _, tool := range s.of.Tools {
		tools = append(tools, map[string]any{"name": tool.Name, "description": tool.Description, "schema": tool.InputSchema, "side_effects": !tool.Annotations.ReadOnlyHint, "requires_approval": tool.Annotations.DestructiveHint})
	}
	offers, err := json.Marshal(tools)
	if err != nil {
		s.t.Fatal(err)
	}
	s.program = startProgram(s.t, "house")
	s.program.on("/capabilities", saying(string(offers)))
	s.program.on("/execute", func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			Capability string
			Params     map[string]any
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			s.t.Error(err)
		}
		s.mu.Lock()
		s.called = append(s.called, dialogue.Call{Tool: call.Capability, Params: call.Params})
		s.mu.Unlock()
		_, _ = io.WriteString(w, `{"text":"done","data":null,"error":null}`)
	})
	key, err := s.api.PairingKey(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	value, err := key.Value()
	if err != nil {
		s.t.Fatal(err)
	}
	if status, answer := s.post("/api/interfaces/pair", s.program.pairing(value.Key)); status != http.StatusCreated {
		s.t.Fatalf("pairing: %d %s", status, answer)
	}
}

// plays lets a turn happen, until everything has its answer or waits for the person.
func (s *stage) plays(turn dialogue.Turn) {
	s.t.Helper()
	s.mu.Lock()
	s.called = nil
	s.mu.Unlock()
	s.clock.Advance(20 * time.Second)
	s.came = dialogue.Happened{}
	var err error
	switch {
	case turn.Say != "":
		var id domain.ID
		if id, err = s.api.SayIn(s.t.Context(), api.ConversationName{Session: turn.In}, turn.Say, s.of.Zone); err == nil {
			s.settles(id)
		}
	case turn.Press != "":
		s.presses(turn.Press)
	case turn.Message != nil:
		s.tells(*turn.Message)
	default:
		s.t.Fatalf("the whole program isn't played %v", turn)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	s.came.Called = slices.Clone(s.called)
	s.mu.Unlock()
	s.came.Waits = len(s.waits) > 0
}

// presses takes the latest button that has the words.
func (s *stage) presses(label string) {
	s.t.Helper()
	for _, button := range slices.Backward(s.shown) {
		if !dialogue.Has(button.Label, label) {
			continue
		}
		payload, err := json.Marshal(button.Payload)
		if err != nil {
			s.t.Fatal(err)
		}
		id, err := s.api.Press(s.t.Context(), button.of, payload, button.Label)
		if err != nil {
			s.t.Fatal(err)
		}
		s.settles(id)
		return
	}
	s.t.Fatalf("there is no button %q", label)
}

// tells lets a program say something.
func (s *stage) tells(news dialogue.News) {
	s.t.Helper()
	source := news.Program()
	if s.token[source] == "" {
		issued, err := apiclient.Read(s.api.IssueToken(s.t.Context(), source, []string{cmp.Or(news.SignalType, "news")}))
		if err != nil {
			s.t.Fatal(err)
		}
		s.token[source] = issued.Token
	}
	body, err := json.Marshal(map[string]any{"text": news.Text, "topic": news.Topic, "metadata": news.Metadata})
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.app.Addr()+"/api/messages", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token[source])
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if said, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusAccepted {
		s.t.Fatalf("the message was answered %d %s, %v", resp.StatusCode, said, err)
	}
	s.reads(func() bool { return slices.Contains(s.kinds, domain.MessageReceivedType) && len(s.open) == 0 })
}

// settles waits until an exchange, and all before it, have ended or wait for the person, and
// reads what was answered.
func (s *stage) settles(id domain.ID) {
	s.t.Helper()
	s.reads(func() bool { return s.begun[id] && len(s.open) == 0 })
	got, err := s.api.Exchange(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	s.came.Text = domain.PlainText(got.Blocks)
	for _, b := range domain.PressablesIn(got.Blocks) {
		s.shown = append(s.shown, shownButton{b, id})
		s.came.Offers = append(s.came.Offers, b.Label)
	}
}

// reads goes on in the log until something is so.
func (s *stage) reads(is func() bool) {
	s.t.Helper()
	s.kinds = nil
	domaintest.Until(s.t, "the dialogue goes on", func() bool {
		page, err := s.api.Log(s.t.Context(), apiclient.LogQuery{From: s.read + 1})
		if err != nil {
			s.t.Fatal(err)
		}
		records, err := apiclient.Values(page.Records)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, rec := range records {
			s.sees(rec)
		}
		return is()
	})
}

// sees notes what a record says of what is under way.
func (s *stage) sees(rec domain.Record) {
	s.read = rec.Position
	e := rec.Envelope
	s.kinds = append(s.kinds, e.Type)
	switch e.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType:
		s.open[e.Trace.ID], s.begun[e.Trace.ID] = true, true
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType:
		s.open[e.Trace.ID] = true
		delete(s.waits, e.Trace.ID)
	case domain.ApprovalProposedType:
		delete(s.open, e.Trace.ID)
		s.waits[e.Trace.ID] = true
	case domain.ReasoningConcludedType:
		delete(s.open, e.Trace.ID)
		delete(s.waits, e.Trace.ID)
	case domain.MemoryRememberedType:
		if kept, err := domain.Decode[domain.MemoryRemembered](e); err == nil {
			s.memories[e.ID] = kept.Text
		}
	case domain.MemoryForgottenType:
		if gone, err := domain.Decode[domain.MemoryForgotten](e); err == nil {
			delete(s.memories, gone.MemoryID)
		}
	}
	switch {
	case rec.Topic == domain.TopicCommitments, rec.Topic == domain.TopicMemory && e.Type != domain.NoticeDismissedType, e.Type == domain.SettingsChangedType:
		s.came.Changes = append(s.came.Changes, string(e.Type))
	}
}

// planned is what the person has planned now, as the API tells it.
func (s *stage) planned() (out dialogue.Planned) {
	s.t.Helper()
	plans, err := apiclient.Read(s.api.Plans(s.t.Context()))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range slices.Concat(plans.Reminders, plans.Appointments, plans.Tasks) {
		one := dialogue.Plan{Kind: string(p.Kind), Text: p.Text, Along: strings.Join(append(p.People, p.Place), " "), At: s.local(p.Due), Until: s.local(p.Ends)}
		if p.Recurrence != nil {
			one.Rule = &rrule.ROption{} // the API tells it in words
		}
		out.Plans = append(out.Plans, one)
	}
	for _, l := range plans.Lists {
		one := dialogue.List{Name: l.Name}
		for _, item := range l.Items {
			one.Items = append(one.Items, item.Text)
		}
		out.Lists = append(out.Lists, one)
	}
	for _, text := range s.memories {
		out.Memories = append(out.Memories, text)
	}
	return out
}

func (s *stage) local(at *api.Timestamp) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.In(s.of.Place)
}

// wholly are the dialogues that are played by the whole program, too: over HTTP, with its bus, its
// approvals, its buttons, a program that is called and one that speaks. All others are played in
// memory, by cmd/understand.
var wholly = []string{"de-which-21", "en-which-21", "fr-no-3", "de-no-23", "en-both-6", "es-both-4", "en-no-41", "es-no-23", "fr-deed-35", "de-both-33"}

func TestDialoguesWholly(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("..", "understand", "testdata", "dialogues", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := dialogue.ReadFiles(files...)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range wholly {
		i := slices.IndexFunc(all, func(d dialogue.Dialogue) bool { return d.ID == id })
		if i < 0 {
			t.Fatalf("there is no dialogue %s", id)
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := beginDialogue(t, all[i])
			for n, turn := range all[i].Turns {
				s.plays(turn)
				if turn.Check == nil {
					continue
				}
				for _, m := range s.of.Missing(*turn.Check, s.planned(), s.came) {
					t.Errorf("turn %d, %v (%s): %s; it says %q", n+1, turn, turn.Want, m, s.came.Text)
				}
			}
		})
	}
}
