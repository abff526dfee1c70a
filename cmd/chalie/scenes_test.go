package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language/tongues"
)

// conversed is a dialogue that was written before the rules that it is held to: a line of
// testdata/scenes, whose README says what its members are.
type conversed struct {
	ID, Now, Zone, Kind string
	Topics              json.RawMessage // of the measure, not of the scene
	Setup               []string
	Tools               []sceneTool
	Turns               []sceneTurn
}

// sceneTool is a tool as a server of the Model Context Protocol lists it.
type sceneTool struct {
	Name, Description string
	InputSchema       json.RawMessage
	Annotations       struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint bool }
}

// sceneTurn is what happens, and what has to be so after it.
type sceneTurn struct {
	Say, In, Press  string
	Message, Signal *sceneNews
	Want            string
	Check           sceneCheck
}

// sceneNews is what a program tells.
type sceneNews struct {
	Source           string          `json:"source,omitempty"`
	From             string          `json:"from,omitempty"` // the same
	Text             string          `json:"text,omitempty"`
	Content          string          `json:"content,omitempty"`
	SignalType       string          `json:"signal_type,omitempty"`
	Topic            string          `json:"topic,omitempty"`
	ActivationEnergy *float64        `json:"activation_energy,omitempty"`
	Metadata         json.RawMessage `json:"metadata,omitempty"`
}

type sceneCheck struct {
	Plans          []map[string]any
	Gone           []string
	List           *sceneList
	Says           []string
	SaysAny        [][]string `json:"says_any"`
	NotSays        []string   `json:"not_says"`
	NothingChanged bool       `json:"nothing_changed"`
	Asks           bool
	Calls          []sceneCall
	CallsNone      bool `json:"calls_none"`
}

type sceneList struct {
	Name       string
	Has, Lacks []string
}

// stage is a Chalie in which one scene is played.
type stage struct {
	*story
	scene   conversed
	zone    *time.Location
	program *program

	mu     sync.Mutex
	called []sceneCall // in this turn

	read        domain.Position    // the log is read up to here
	kinds       []domain.EventType // since this turn began
	changes     []string           // of plans, lists, memories and settings in this turn
	begun, open map[domain.ID]bool // exchanges
	waits       map[domain.ID]bool // those that wait for the person
	memories    map[domain.ID]string

	answer  string             // of this turn
	buttons []domain.Pressable // of this turn
	shown   []shownButton      // all so far
	token   map[string]string  // of each program
}

// shownButton is a button of an exchange.
type shownButton struct {
	domain.Pressable
	of domain.ID
}

type sceneCall struct {
	Tool   string
	Params map[string]any
}

func readScenes(t *testing.T) (all []conversed) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "scenes", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no scenes: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			dec := json.NewDecoder(bytes.NewReader(line))
			dec.DisallowUnknownFields()
			var one conversed
			if err := dec.Decode(&one); err != nil {
				t.Fatalf("%s:%d: %v", name, n+1, err)
			}
			all = append(all, one)
		}
	}
	return all
}

// opens starts a Chalie at the scene's time, with its tools and what was said before.
func (one conversed) opens(t *testing.T) *stage {
	t.Helper()
	zone, err := time.LoadLocation(one.Zone)
	if err != nil {
		t.Fatal(err)
	}
	now, err := time.ParseInLocation("2006-01-02T15:04", one.Now[:len("2006-01-02T15:04")], zone)
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{
		story: beginWith(t, t.TempDir(), domaintest.NewClockAt(now), func(c *Config) { c.SignalRate = 0 }),
		scene: one, zone: zone, token: map[string]string{}, memories: map[domain.ID]string{},
		begun: map[domain.ID]bool{}, open: map[domain.ID]bool{}, waits: map[domain.ID]bool{},
	}
	t.Cleanup(s.stop)
	if len(one.Tools) > 0 {
		s.pairs()
	}
	for _, text := range one.Setup {
		s.plays(sceneTurn{Say: text})
	}
	return s
}

// pairs lets a program in that offers the scene's tools.
func (s *stage) pairs() {
	var tools []map[string]any
	for _, tool := range s.scene.Tools {
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
		s.called = append(s.called, sceneCall{call.Capability, call.Params})
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
func (s *stage) plays(turn sceneTurn) {
	s.t.Helper()
	s.mu.Lock()
	s.called = nil
	s.mu.Unlock()
	s.clock.Advance(20 * time.Second)
	s.answer, s.buttons, s.changes = "", nil, nil
	var err error
	switch {
	case turn.Say != "":
		var id domain.ID
		if id, err = s.api.SayIn(s.t.Context(), api.ConversationName{Session: turn.In}, turn.Say, s.scene.Zone); err == nil {
			s.settles(id)
		}
	case turn.Press != "":
		s.presses(turn)
	case turn.Message != nil:
		s.tells("/api/messages", *turn.Message, domain.MessageReceivedType)
	case turn.Signal != nil:
		s.tells("/api/signals", *turn.Signal, domain.SignalReceivedType)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// presses takes the latest button that has the words.
func (s *stage) presses(turn sceneTurn) {
	s.t.Helper()
	i := len(s.shown) - 1
	for i >= 0 && !has(s.shown[i].Label, turn.Press) {
		i--
	}
	if i < 0 {
		s.answer = fmt.Sprintf("(there is no button %q)", turn.Press)
		return
	}
	payload, err := json.Marshal(s.shown[i].Payload)
	if err != nil {
		s.t.Fatal(err)
	}
	id, err := s.api.Press(s.t.Context(), s.shown[i].of, payload, s.shown[i].Label)
	if err != nil {
		s.t.Fatal(err)
	}
	s.settles(id)
}

// tells lets a program tell something.
func (s *stage) tells(path string, news sceneNews, as domain.EventType) {
	s.t.Helper()
	source := sceneSource(cmp.Or(news.Source, news.From, "house"))
	news.Source, news.From = "", ""
	if s.token[source] == "" {
		issued, err := apiclient.Read(s.api.IssueToken(s.t.Context(), source, []string{cmp.Or(news.SignalType, "news")}))
		if err != nil {
			s.t.Fatal(err)
		}
		s.token[source] = issued.Token
	}
	body, err := json.Marshal(news)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.app.Addr()+path, bytes.NewReader(body))
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
		s.t.Fatalf("%s was answered %d %s, %v", path, resp.StatusCode, said, err)
	}
	s.reads(func() bool { return slices.Contains(s.kinds, as) && len(s.open) == 0 })
}

// sceneSource is a name as a program's.
func sceneSource(name string) string {
	return strings.Trim(strings.NewReplacer("'", "-", " ", "-").Replace(tongues.Fold(name)), "-")
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
	s.answer = domain.PlainText(got.Blocks)
	for _, b := range domain.PressablesIn(got.Blocks) {
		s.shown = append(s.shown, shownButton{b, id})
	}
	s.buttons = domain.PressablesIn(got.Blocks)
}

// reads goes on in the log until something is so.
func (s *stage) reads(is func() bool) {
	s.t.Helper()
	s.kinds = nil
	domaintest.Until(s.t, "the scene goes on", func() bool {
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
		s.changes = append(s.changes, string(e.Type))
	}
}

// wrong is what isn't as it has to be after a turn.
func (s *stage) wrong(want sceneCheck) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	plans, err := apiclient.Read(s.api.Plans(s.t.Context()))
	if err != nil {
		s.t.Fatal(err)
	}
	open := slices.Concat(plans.Reminders, plans.Appointments, plans.Tasks)
	var wrongPlans []string
	for _, of := range want.Plans {
		if !slices.ContainsFunc(open, func(p api.Plan) bool { return s.isPlan(p, of) }) {
			wrongPlans = append(wrongPlans, fmt.Sprint(of))
		}
		n := 0
		for _, p := range open {
			if s.isPlan(p, map[string]any{"kind": of["kind"], "has": of["has"]}) {
				n++
			}
		}
		m := 0
		for _, other := range want.Plans {
			if other["kind"] == of["kind"] && fmt.Sprint(other["has"]) == fmt.Sprint(of["has"]) {
				m++
			}
		}
		if n > m {
			wrongPlans = append(wrongPlans, fmt.Sprintf("%d like %v", n, of))
		}
	}
	if len(wrongPlans) > 0 {
		var there []string
		for _, p := range open {
			there = append(there, fmt.Sprintf("%s %q %s", p.Kind, p.Text, s.local(p.Due)))
		}
		say("plans: no %s among %q", strings.Join(wrongPlans, ", "), there)
	}
	for _, gone := range want.Gone {
		for _, p := range open {
			if has(p.Text, gone) {
				say("%q is still there", p.Text)
			}
		}
		for _, l := range plans.Lists {
			for _, item := range l.Items {
				if has(item.Text, gone) {
					say("%q is still on %s", item.Text, l.Name)
				}
			}
		}
		for _, m := range s.memories {
			if has(m, gone) {
				say("%q is still known", m)
			}
		}
	}
	if want.List != nil {
		all = append(all, wrongList(plans.Lists, *want.List)...)
	}
	return append(append(all, s.wrongWords(want)...), s.wrongDeeds(want)...)
}

func (s *stage) wrongWords(want sceneCheck) (all []string) {
	said := s.answer
	for _, b := range s.buttons {
		said += "\n" + b.Label
	}
	for _, words := range want.Says {
		if !has(said, words) {
			all = append(all, fmt.Sprintf("it doesn't say %q", words))
		}
	}
	for _, group := range want.SaysAny {
		if !slices.ContainsFunc(group, func(words string) bool { return has(said, words) }) {
			all = append(all, fmt.Sprintf("it says none of %q", group))
		}
	}
	for _, words := range want.NotSays {
		if has(said, words) {
			all = append(all, fmt.Sprintf("it says %q", words))
		}
	}
	if want.Asks && !strings.Contains(said, "?") && len(s.buttons) == 0 && len(s.waits) == 0 {
		all = append(all, "it doesn't ask")
	}
	return all
}

func (s *stage) wrongDeeds(want sceneCheck) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changing := slices.DeleteFunc(slices.Clone(s.called), func(c sceneCall) bool {
		return slices.ContainsFunc(s.scene.Tools, func(t sceneTool) bool { return t.Name == c.Tool && t.Annotations.ReadOnlyHint })
	})
	if (want.NothingChanged || want.Asks) && (len(s.changes) > 0 || len(changing) > 0) {
		all = append(all, fmt.Sprintf("it changed something: %q %v", s.changes, s.called))
	}
	if want.CallsNone && len(s.called) > 0 {
		all = append(all, fmt.Sprintf("it called %v", s.called))
	}
	for _, call := range want.Calls {
		if !slices.ContainsFunc(s.called, func(c sceneCall) bool { return c.Tool == call.Tool && sameParams(call.Params, c.Params) }) {
			all = append(all, fmt.Sprintf("it didn't call %v but %v", call, s.called))
		}
	}
	if len(want.Calls) > 0 && len(changing) > len(want.Calls) {
		all = append(all, fmt.Sprintf("it called more than wanted: %v", s.called))
	}
	return all
}

func sameParams(want, got map[string]any) bool {
	for name, value := range want {
		if !strings.EqualFold(fmt.Sprint(value), fmt.Sprint(got[name])) {
			return false
		}
	}
	return true
}

// has reports whether a text has some words, in any case and with or without accents.
func has(text, words string) bool {
	text, words = sceneSource(text), sceneSource(words)
	return strings.Contains(text, words)
}

func wrongList(lists []api.PlanList, want sceneList) (all []string) {
	var items string
	for _, l := range lists {
		if has(l.Name, want.Name) || l.Name == "shopping" && slices.ContainsFunc([]string{"courses", "einkauf", "compra"}, func(w string) bool { return has(want.Name, w) }) {
			for _, item := range l.Items {
				items += item.Text + "\n"
			}
		}
	}
	for _, words := range want.Has {
		if !has(items, words) {
			all = append(all, fmt.Sprintf("%q isn't on %s: %q", words, want.Name, items))
		}
	}
	for _, words := range want.Lacks {
		if has(items, words) {
			all = append(all, fmt.Sprintf("%q is on %s", words, want.Name))
		}
	}
	return all
}

func (s *stage) local(at *api.Timestamp) string {
	if at == nil {
		return ""
	}
	return at.In(s.zone).Format("2006-01-02T15:04")
}

// isPlan reports whether a plan is as a check says.
func (s *stage) isPlan(p api.Plan, want map[string]any) bool {
	for member, value := range want {
		switch member {
		case "kind":
			if string(p.Kind) != value {
				return false
			}
		case "has":
			words, several := value.([]any)
			if !several {
				words = []any{value}
			}
			for _, w := range words {
				if !has(p.Text+" "+strings.Join(p.People, " ")+" "+p.Place, fmt.Sprint(w)) {
					return false
				}
			}
		case "at", "until":
			at := s.local(p.Due)
			if member == "until" {
				at = s.local(p.Ends)
			}
			if value == nil && at != "" || value != nil && !strings.HasPrefix(at, strings.TrimSuffix(fmt.Sprint(value), ":00")) {
				return false
			}
		case "recurs":
			if (value == nil) != (p.Recurrence == nil) {
				return false
			}
		default:
			s.t.Fatalf("a check of plans has %q", member)
		}
	}
	return true
}

// dontPlay is where the scenes stand that don't play yet, one id a line. It only gets shorter.
var dontPlay = filepath.Join("testdata", "scenes", "failing.txt")

// TestScenes plays all of them. Those that fail and aren't known to do so fail the test, and so
// do those that play though they are said to fail.
func TestScenes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(dontPlay)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(text))
	for _, one := range readScenes(t) {
		t.Run(one.ID, func(t *testing.T) {
			t.Parallel()
			var wrong []string
			s := one.opens(t)
			for n, turn := range one.Turns {
				s.plays(turn)
				for _, w := range s.wrong(turn.Check) {
					wrong = append(wrong, fmt.Sprintf("turn %d, %q (%s): %s; it says %q", n+1, cmp.Or(turn.Say, turn.Press), turn.Want, w, s.answer))
				}
			}
			switch expected := slices.Contains(known, one.ID); {
			case !expected && len(wrong) > 0:
				t.Error(strings.Join(wrong, "\n"))
			case expected && len(wrong) == 0:
				t.Errorf("%s plays: take it out of %s", one.ID, dontPlay)
			case expected:
				t.Log(strings.Join(wrong, "\n"))
			}
		})
	}
}
