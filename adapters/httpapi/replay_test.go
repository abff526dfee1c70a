package httpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/replay/player"
)

// replaying is what the API asked for, and what it is answered.
type replaying struct {
	asked  player.Request
	report player.Report
	err    error
}

func (r *replaying) bench(t *testing.T) *bench {
	t.Helper()
	return newBench(t, settings{change: func(b *bench, cfg *httpapi.Config) {
		cfg.Replay = func(_ context.Context, what player.Request, told func(player.Progress)) (player.Report, error) {
			r.asked = what
			b.clock.Advance(time.Second)
			told(player.Progress{Done: 5, Total: 10})
			told(player.Progress{Done: 6, Total: 10}) // too soon to be told
			return r.report, r.err
		}
	}})
}

func TestReplay(t *testing.T) {
	var r replaying
	b := r.bench(t)
	var accepted struct {
		SignalID domain.ID `json:"signal_id"`
	}
	b.call("POST", "/api/signals", rain, bearer(b.token("station", "[]"))).wants(202).read(&accepted)
	heard, err := b.log.Find(t.Context(), accepted.SignalID)
	b.must(err)
	r.report = player.Report{Traces: 3, Diverged: 1, Divergence: &player.Divergence{
		Trace: heard.Envelope.Trace, Envelope: accepted.SignalID, Position: heard.Position, Type: "reasoning.concluded", Field: "payload.outcome",
		Recorded: []byte(`"held"`), Replayed: []byte(`"surfaced"`),
		Versions: player.Versions{Recorded: player.Version{Build: "1", Rules: "a"}, Replayed: player.Version{Build: "2", Rules: "b"}},
	}}
	lines := strings.Split(strings.TrimSpace(b.socket("POST", "/api/replay", `{"trace":"`+accepted.SignalID.UUID()+`"}`).wants(200).body), "\n")
	if len(lines) != 2 || lines[0] != `{"position":5,"tail":10,"rate":5}` {
		t.Fatalf("the lines are %q", lines)
	}
	var got map[string]any
	b.must(json.Unmarshal([]byte(lines[1]), &got))
	d, _ := got["divergence"].(map[string]any)
	if got["identical"] != false || got["traces"] != 3.0 || d["envelope_id"] != accepted.SignalID.String() || d["field"] != "payload.outcome" || d["recorded"] != "held" || d["replayed"] != "surfaced" ||
		d["versions"].(map[string]any)["recorded"].(map[string]any)["build"] != "1" {
		t.Errorf("the report is %s", lines[1])
	}
	if r.asked.Trace != heard.Envelope.Trace {
		t.Errorf("asked for was %+v", r.asked)
	}
	now := domain.MillisOf(b.clock.Now())
	for text, since := range map[string]domain.Position{`"1"`: 1, `"pos:2"`: 2, `"1h"`: 1, `"` + time.UnixMilli(int64(now)).Add(time.Hour).UTC().Format(time.RFC3339) + `"`: b.log.Tail() + 1, "null": 0} {
		b.socket("POST", "/api/replay", `{"since":`+text+`}`).wants(200)
		if r.asked.Since != since || !r.asked.Trace.IsZero() {
			t.Errorf("since %s is %+v, want %d", text, r.asked, since)
		}
	}
	// What fails on the way says so in the last line.
	r.err = &domain.Error{Op: "replay", Category: domain.Dependency, Code: "model_key", Message: "the key is not accepted"}
	if a := b.socket("POST", "/api/replay", `{}`).wants(200); a.body != `{"position":5,"tail":10,"rate":5}`+"\n"+`{"error":"the key is not accepted","code":"model_key"}`+"\n" {
		t.Errorf("the lines are %q", a.body)
	}
}

func TestAcceptDifferences(t *testing.T) {
	b := newBench(t, settings{})
	const kinds = `{"kinds":[{"kind":"model.replied words","count":3}]}`
	b.socket("POST", "/api/replay/accepted", kinds).wants(200, `"kinds":1`, `"envelope_id":"`)
	b.holds(domain.TopicSystem, 1)
	records, err := b.log.Select(t.Context(), domain.Selector{Key: domain.AcceptedKey}, 1, 2)
	b.must(err)
	var accepted domain.Accepted
	for _, rec := range records {
		b.must(accepted.Evolve(rec))
	}
	a, covers := accepted.Covers("model.replied words", 3)
	if _, more := accepted.Covers("model.replied words", 4); !covers || more || a.By != domain.PrincipalOperator || a.At == 0 || a.EnvelopeID.IsZero() {
		t.Errorf("what was accepted is %+v", accepted)
	}
	b.socket("POST", "/api/replay/accepted", `{"kinds":[]}`).wants(400, "kinds is empty")
	b.socket("POST", "/api/replay/accepted", `{"kinds":[{"kind":"","count":1}]}`).wants(400, "the name and the count")
	b.socket("POST", "/api/replay/accepted", `{"kinds":[{"kind":"x","count":0}]}`).wants(400, "the name and the count")
	b.call("POST", "/api/replay/accepted", kinds).wants(401)
	b.call("POST", "/api/replay/accepted", kinds, bearer(b.token("market", "[]"))).wants(403, "operator_only")
}

func TestReplayRefuses(t *testing.T) {
	var r replaying
	b := r.bench(t)
	for _, c := range []struct {
		body   string
		status int
		says   string
	}{
		{``, 400, "the body is empty"},
		{`{"since":"soon"}`, 400, "give a span back such as 30d"},
		{`{"trace":"nonsense"}`, 400, "nonsense"},
		{`{"trace":"last"}`, 404, "said nothing yet"},
		{`{"trace":"last","since":"1d"}`, 400, "one trace is replayed whole"},
		{`{"trace":7}`, 400, "trace"},
	} {
		b.socket("POST", "/api/replay", c.body).wants(c.status, c.says)
	}
	if r.asked != (player.Request{}) {
		t.Errorf("%+v was replayed", r.asked)
	}
	newBench(t, settings{}).socket("POST", "/api/replay", `{}`).wants(503, "Chalie doesn't run")
}

// TestReplayEndsWithWhoAsked: closing the connection ends the work.
func TestReplayEndsWithWhoAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, ended := make(chan struct{}), make(chan struct{})
		b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
			cfg.Replay = func(ctx context.Context, _ player.Request, _ func(player.Progress)) (player.Report, error) {
				close(begun)
				<-ctx.Done()
				close(ended)
				return player.Report{}, ctx.Err()
			}
		}})
		conn := served(t, b)()
		_, err := io.WriteString(conn, "POST /api/replay HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		b.must(err)
		<-begun
		b.must(conn.Close())
		<-ended
	})
}
