package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

// lookedBack are the routes that take at, with the name of what they list when the
// answer without it is a bare array.
var lookedBack = map[string]string{
	"/api/world": "", "/api/interfaces": "interfaces", "/api/apps": "apps", "/conversation/recent?limit=3": "",
	"/api/approvals": "", "/api/approvals/decided": "", "/api/plans": "", "/api/policy": "", "/api/policy/history?limit=2": "", "/api/streams": "",
}

// answer is an answer without what the past can't say: when who was heard, what a
// proposal is decided by, what a policy's rules match, and how a broadcast stood.
func (b *bench) answer(path, member string) any {
	b.t.Helper()
	var out any
	b.socket("GET", path, "").wants(200).read(&out)
	return timeless(out, member)
}

func timeless(v any, member string) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = timeless(v[i], "")
		}
		if member != "" {
			return map[string]any{member: v}
		}
	case map[string]any:
		if _, ofWorld := v["as_of"].(float64); !ofWorld {
			delete(v, "as_of")
		}
		for _, name := range []string{"last_seen_at", "proposal_token", "warnings", "state"} {
			delete(v, name)
		}
		for name := range v {
			v[name] = timeless(v[name], "")
		}
	}
	return v
}

func at(path, moment string) string {
	if strings.Contains(path, "?") {
		return path + "&at=" + moment
	}
	return path + "?at=" + moment
}

// As of a position or a moment is what a program answered that had come so far.
func TestAsOf(t *testing.T) {
	p := &planned{}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Views = append(cfg.Views, p) }})
	type then struct {
		tail    domain.Position
		at      domain.Millis
		answers map[string]any
	}
	var history []then
	var hospital string
	var feed struct {
		ID string `json:"stream_id"`
	}
	var asked domain.Envelope
	for _, step := range []func(){
		func() { b.socket("POST", "/api/signals", rain).wants(202) },
		func() { hospital, _ = b.paired("Hospital", 9001, `[]`) },
		func() { asked = b.says("what's the weather?") },
		func() { plan(b, p, domain.TaskCreated{Text: "tax return", Zone: "UTC"}) },
		func() { b.socket("POST", "/api/streams", `{"url":"ws://127.0.0.1:9000/feed"}`).wants(201).read(&feed) },
		func() { b.answers(asked, domain.ShownMessage, "Rain.", "weather") },
		func() { b.socket("PUT", "/api/policy", asks).wants(200) },
		func() { b.socket("POST", cancel, `{"params":{"id":"7"}}`).wants(202) },
		func() {
			plan(b, p, domain.ReminderSet{Text: "rain coat", Due: domain.MillisOf(b.clock.Now()) + 7_200_000, Zone: "UTC"})
		},
		func() {
			b.socket("POST", "/api/approvals/"+b.pending().Approvals[0].ProposalToken, `{"decision":"refuse"}`).wants(200)
		},
		func() { b.socket("POST", cancel, `{"params":{"id":"8"}}`).wants(202) },
		func() {
			b.socket("POST", "/api/approvals/"+b.pending().Approvals[0].ProposalToken, `{"decision":"grant"}`).wants(200)
		},
		func() {
			b.socket("PUT", "/api/policy", `{"autonomy":"readonly","max_depth":1,"approval_minutes":5,"rules":[{"name":"never","verdict":"denied"}]}`).wants(200)
		},
		func() { b.socket("DELETE", "/api/streams/"+feed.ID, "").wants(200) },
		func() { b.socket("DELETE", "/api/interfaces/"+hospital, "").wants(200) },
		func() { b.says("thanks") },
	} {
		b.clock.Advance(5 * time.Minute)
		step()
		now := then{b.log.Tail(), domain.MillisOf(b.clock.Now()), map[string]any{}}
		for path, member := range lookedBack {
			now.answers[path] = b.answer(path, member)
		}
		history = append(history, now)
	}
	for i, then := range history {
		for path := range lookedBack {
			for _, moment := range []string{fmt.Sprintf("pos:%d", then.tail), fmt.Sprint(then.at)} {
				if got := b.answer(at(path, moment), ""); !reflect.DeepEqual(got, then.answers[path]) {
					t.Errorf("after step %d %s at %s is\n%v\nand was\n%v", i, path, moment, got, then.answers[path])
				}
			}
		}
	}
	for path := range lookedBack {
		if path == "/api/world" {
			continue // says it in as_of and position, as it does of now
		}
		mid := history[len(history)/2]
		want := fmt.Sprintf(`"as_of":{"position":%d,"time":%d}`, mid.tail, mid.at+59_000)
		b.socket("GET", at(path, fmt.Sprint(mid.at+59_000)), "").wants(200, want)
		b.socket("GET", at(path, "-30m"), "").wants(200, `"as_of":{"position":`)
	}
	// What ended a regime later isn't known then, on no page of the history.
	var regimes struct{ Regimes []struct{ Change, Until any } }
	b.socket("GET", fmt.Sprintf("/api/policy/history?before=%d&at=pos:%[1]d", history[7].tail), "").wants(200).read(&regimes)
	if newest := regimes.Regimes[0]; newest.Change != "policy" || newest.Until != 0.0 {
		t.Errorf("before the next change the newest regime is %+v", newest)
	}
	paired := history[1].tail
	for _, path := range []string{"/api/interfaces/", "/api/apps/"} {
		b.socket("GET", at(path+hospital, fmt.Sprintf("pos:%d", paired)), "").wants(200, `"name":"Hospital"`, fmt.Sprintf(`"as_of":{"position":%d`, paired), `"last_seen_at":null`)
		b.socket("GET", at(path+hospital, "pos:1"), "").wants(404)
		b.socket("GET", path+hospital, "").wants(404)
	}
	// Scores are those of the moment asked for, not of the last record before it.
	b.socket("GET", at("/api/world", fmt.Sprint(history[0].at+300_000)), "").wants(200, `"age_seconds":300`)
}

func TestAsOfNothing(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/api/approvals?at=-1m", "").wants(400, "nothing is recorded yet")
	b.socket("GET", "/api/approvals?at=pos:0", "").wants(400, "nothing is recorded yet")
	b.socket("POST", "/api/signals", rain).wants(202)
	for path := range lookedBack {
		b.socket("GET", at(path, "pos:0"), "").wants(400, "pos:0 is before the first record: the log begins at position 1", `"field":"at"`)
		b.socket("GET", at(path, "-3h"), "").wants(400, "2026-01-01T09:00:00.000Z is before the first record", "2026-01-01T12:00:00.000Z")
		b.socket("GET", at(path, "pos:2"), "").wants(400, "the log ends at position 1")
		b.socket("GET", at(path, "pos:1e3"), "").wants(400, "a position is a whole number")
		b.socket("GET", at(path, "noonish"), "").wants(400, `at is \"noonish\": give a time such as`)
		b.call("GET", at(path, "pos:1"), "").wants(401)
		if path != "/api/world" {
			b.socket("GET", at(path, "%2B6s"), "").wants(400, "which is in the future")
			b.socket("GET", at(path, "%2B4s"), "").wants(200)
		}
	}
}

// Where nobody can look back it is said so.
func TestAsOfNobodyLooksBack(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Past = nil }})
	b.socket("GET", "/api/world?at=-1m", "").wants(503, "can't look back")
	b.socket("GET", "/api/world?at=%2B1m", "").wants(200)
}

// What is in mind says how it will go on, when it is asked to.
func TestWorldAhead(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("POST", "/api/signals", `{"signal_type":"a","content":"x","activation_energy":0.3}`).wants(202)
	b.socket("POST", "/api/signals", `{"signal_type":"a","content":"y","activation_energy":0.001}`).wants(202)
	type item struct {
		Salience float64
		Expected []float64
		TurnsAt  domain.Millis `json:"turns_at"`
	}
	var got struct {
		AsOf    domain.Millis `json:"as_of"`
		Step    int64         `json:"ahead_step_ms"`
		Items   []item
		LeftOut []item `json:"left_out"`
	}
	b.socket("GET", "/api/world?ahead=12h", "").wants(200).read(&got)
	if got.Step != (15*time.Minute).Milliseconds() || len(got.Items) != 1 || len(got.LeftOut) != 1 {
		t.Fatalf("%+v", got)
	}
	heard := got.Items[0]
	if len(heard.Expected) != 49 || heard.Expected[0] != heard.Salience || heard.Expected[24] != .3 || heard.Expected[48] != .15 {
		t.Errorf("it is expected to be %v", heard.Expected)
	}
	// At the threshold it is in; a part per million less, and it isn't.
	if after := heard.TurnsAt.Sub(got.AsOf) - 12*time.Hour; after <= 0 || after > time.Second {
		t.Errorf("it fades %s after 12 h", after)
	}
	if faded := got.LeftOut[0]; faded.TurnsAt != 0 {
		t.Errorf("what has faded comes back: %+v", faded)
	}
	if plain := b.socket("GET", "/api/world", "").wants(200).body; strings.Contains(plain, "expected") || strings.Contains(plain, "ahead") {
		t.Errorf("nobody asked for what is ahead: %s", plain)
	}
	b.socket("GET", "/api/world?ahead=31d", "").wants(400, `"field":"ahead"`)
	b.socket("GET", "/api/world?ahead=soon", "").wants(400, `"field":"ahead"`)
}

// A look back is made ready with progress, one answer at a time.
func TestLookBack(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/api/as-of?of=world", "").wants(400, "at is missing")
	b.socket("POST", "/api/signals", rain).wants(202)
	for _, of := range []string{"world", "interfaces", "conversation", "plans", "approvals", "policy"} {
		if a := b.socket("GET", "/api/as-of?at=pos:1&of="+of, "").wants(200); a.body != `{"as_of":{"position":1,"time":1767268800000}}`+"\n" {
			t.Errorf("%s: %s", of, a.body)
		}
	}
	b.socket("GET", "/api/as-of?at=pos:2&of=world", "").wants(400, "the log ends at position 1")
	b.socket("GET", "/api/as-of?at=pos:1&of=everything", "").wants(400, `of is \"everything\": give one of approvals, conversation,`, `"field":"of"`)

	// Who goes away ends it.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", "/api/as-of?at=pos:1&of=world", http.NoBody)
	b.must(err)
	b.socket("POST", "/api/signals", rain).wants(202)
	r.URL.RawQuery = "at=pos:2&of=world"
	b.api.TrustedHandler().ServeHTTP(discards{http.Header{}}, r)
	b.socket("GET", "/api/world?at=pos:2", "").wants(200, `"position":2`)
}

type discards struct{ header http.Header }

func (d discards) Header() http.Header              { return d.header }
func (discards) Write(text []byte) (int, error)     { return len(text), nil }
func (discards) WriteHeader(int)                    {}
func (discards) SetWriteDeadline(_ time.Time) error { return nil }

// What GET /api/what-if names can be set to what it says, and to no more.
func TestSupposable(t *testing.T) {
	b := newBench(t, settings{})
	var got struct {
		Parameters []struct{ Name, Value, Unit, Least, Most, Meaning string }
		Inputs     []struct {
			Type   domain.EventType
			Fields []string
		}
		Models []string
	}
	b.socket("GET", "/api/what-if", "").wants(200, `"models":[`).read(&got)
	p := domain.DefaultParams()
	if len(got.Parameters) != len(p.Listed()) {
		t.Errorf("%d parameters", len(got.Parameters))
	}
	for _, one := range got.Parameters {
		if one.Unit == "" || one.Meaning == "" {
			t.Errorf("%+v", one)
		}
		for _, value := range []string{one.Value, one.Least, one.Most} {
			if err := p.Set(one.Name, value); err != nil {
				t.Errorf("%s = %s: %v", one.Name, value, err)
			}
		}
	}
	fields := map[domain.EventType][]string{}
	for _, in := range got.Inputs {
		fields[in.Type] = in.Fields
	}
	if !slices.Contains(fields["signal.received"], "activation_energy") || !slices.Contains(fields["message.received"], "recorded_at") {
		t.Errorf("the inputs are %v", fields)
	}
	if _, decided := fields["reasoning.concluded"]; decided {
		t.Error("a decision can be edited")
	}
}
