package httpapi_test

import (
	"fmt"
	"reflect"
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
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Plans = p }})
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
