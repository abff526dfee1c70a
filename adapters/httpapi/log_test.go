package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/narrate"
)

type page struct {
	Records []domain.Record
	Next    domain.Position
}

func (p page) positions() []domain.Position {
	out := []domain.Position{}
	for _, rec := range p.Records {
		out = append(out, rec.Position)
	}
	return out
}

func TestLog(t *testing.T) {
	b := newBench(t, settings{})
	b.token("station", "[]")                      // 1
	b.socket("POST", "/api/signals", rain)        // 2
	b.clock.Advance(time.Hour)                    //
	b.socket("POST", "/api/signals", rain)        // 3
	b.token("other", "[]")                        // 4
	b.socket("DELETE", "/api/tokens/station", "") // 5
	b.clock.Advance(time.Hour)                    //
	b.socket("POST", "/api/signals", rain)        // 6
	third := b.records(domain.TopicSignals)[1].Envelope.Trace
	source := b.records(domain.TopicSignals)[0].Envelope.Source
	at := b.clock.Now().Add(-time.Hour)
	for _, c := range []struct {
		query string
		want  []domain.Position
		next  domain.Position
	}{
		{"", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"from=0", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"from=4", []domain.Position{4, 5, 6}, 7},
		{"from=7", nil, 7},
		{"from=70", nil, 70},
		{"limit=2", []domain.Position{1, 2}, 3},
		{"limit=2&from=3", []domain.Position{3, 4}, 5},
		{"topic=signals", []domain.Position{2, 3, 6}, 7},
		{"topic=signals&limit=1&from=3", []domain.Position{3}, 4},
		{"topic=nothing", nil, 7},
		{"topic=$all&limit=1", []domain.Position{1}, 2},
		{"type=token.issued", []domain.Position{1, 4}, 7},
		{"type=token.issued&limit=1", []domain.Position{1}, 2},
		{"type=token.issued&limit=1&from=2", []domain.Position{4}, 5},
		{"type=token.issued&topic=signals", nil, 7},
		{"type=no.such", nil, 7},
		{"trace=" + third.String(), []domain.Position{3}, 7},
		{"trace=" + third.UUID(), []domain.Position{3}, 7},
		{"trace=" + third.String() + "&topic=accounts", nil, 7},
		{"trace=" + third.String() + "&type=signal.received", []domain.Position{3}, 7},
		{"since=1h", []domain.Position{3, 4, 5, 6}, 7},
		{"since=-1h", []domain.Position{3, 4, 5, 6}, 7},
		{"since=59m", []domain.Position{6}, 7},
		{"since=1d", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"since=" + url.QueryEscape(at.Format(time.RFC3339)), []domain.Position{3, 4, 5, 6}, 7},
		{fmt.Sprintf("since=%d", at.UnixMilli()), []domain.Position{3, 4, 5, 6}, 7},
		{"since=1h&from=5", []domain.Position{5, 6}, 7},
		{"since=%2B1h", nil, 7},
		{"before=3", []domain.Position{1, 2}, 3},
		{"before=3&from=2", []domain.Position{2}, 3},
		{"before=3&from=5", nil, 5},
		{"before=70", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"until=1h", []domain.Position{1, 2}, 3},
		{"until=59m", []domain.Position{1, 2, 3, 4, 5}, 6},
		{"until=%2B1h", []domain.Position{1, 2, 3, 4, 5, 6}, 7},
		{"since=1h&until=59m", []domain.Position{3, 4, 5}, 6},
		{"look=2&type=token.revoked", nil, 5},
		{"look=2&type=token.issued", []domain.Position{1, 4}, 5},
		{"source=" + string(source) + "&limit=2", []domain.Position{1, 2}, 3},
		{"source=nobody", nil, 7},
		{"order=oldest&limit=1", []domain.Position{1}, 2},
		{"order=newest", []domain.Position{6, 5, 4, 3, 2, 1}, 0},
		{"order=newest&limit=2", []domain.Position{6, 5}, 5},
		{"order=newest&limit=2&before=5", []domain.Position{4, 3}, 3},
		{"order=newest&limit=2&before=3", []domain.Position{2, 1}, 0},
		{"order=newest&before=1", nil, 0},
		{"order=newest&before=70&limit=1", []domain.Position{6}, 6},
		{"order=newest&from=3&until=59m", []domain.Position{5, 4, 3}, 0},
		{"order=newest&topic=signals&limit=2", []domain.Position{6, 3}, 3},
		{"order=newest&topic=nothing", nil, 0},
		{"order=newest&type=token.issued", []domain.Position{4, 1}, 0},
		{"order=newest&type=no.such&look=4", nil, 3},
		{"order=newest&type=no.such&look=2&before=3", nil, 0},
		{"order=newest&trace=" + third.String(), []domain.Position{3}, 0},
	} {
		t.Run(c.query, func(t *testing.T) {
			var got page
			answer := b.socket("GET", "/api/log?"+c.query, "")
			answer.t = t
			answer.wants(200).read(&got)
			if !slices.Equal(got.positions(), c.want) || got.Next != c.next {
				t.Errorf("positions %v, next %d; want %v, %d", got.positions(), got.Next, c.want, c.next)
			}
			if len(c.want) == 0 && !strings.Contains(answer.body, `"records":[]`) {
				t.Errorf("the answer is %s", answer.body)
			}
		})
	}
}

func TestBadQueries(t *testing.T) {
	b := newBench(t, settings{})
	for path, says := range map[string]string{
		"/api/log?order=random":                "give oldest or newest",
		"/api/log?order=newest&wait=1s":        "wait",
		"/api/log?before=0":                    "before",
		"/api/log?look=0":                      "look",
		"/api/log?until=soon":                  "until",
		"/api/log/pos:0":                       "a position is a whole number from 1",
		"/api/log/nobody":                      "give a ULID",
		"/api/log?gist=maybe":                  "true or false",
		"/api/log?from=x":                      "from is \\\"x\\\"",
		"/api/log?from=-1":                     "from",
		"/api/log?limit=0":                     "limit",
		"/api/log?limit=1001":                  "from 1 to 1000",
		"/api/log?limit=1e2":                   "limit",
		"/api/log?trace=zz":                    "trace",
		"/api/log?since=yesterday":             "Unix milliseconds, or a span back such as 30m",
		"/api/log?since=12":                    "since",
		"/api/log?wait=31s":                    "30s",
		"/api/log?wait=soon":                   "wait",
		"/api/log?wait=-1s":                    "wait",
		"/api/log?from=%zz":                    "query",
		"/api/world?at=tomorrow":               "or a span from now such as +6h",
		"/api/world?at=%2B":                    "at",
		"/api/world?at=-30m":                   "nothing is recorded yet",
		"/api/world?at=pos:1":                  "the log ends at position 0",
		"/api/world?at=pos:x":                  "a position is a whole number, such as pos:1234",
		"/api/approvals?at=tomorrow":           "a span back such as -2h",
		"/api/approvals?at=%2B1h":              "in the future",
		"/conversation/recent?at=pos:-1":       "a position is a whole number",
		"/api/traces?limit=0":                  "limit",
		"/api/traces?before=x":                 "before",
		"/api/traces/x":                        "id is",
		"/api/traces/0?limit=5000":             "id is",
		"/api/why/seq:x":                       "give last, the id of an envelope or an exchange, the seq of a frame, or a position",
		"/api/why/pos:0":                       "pos:0",
		"/api/why/last?zone=Local":             "Europe/Berlin",
		"/api/why/last?zone=02:00":             "+02:00",
		"/api/why-not/pos:0":                   "the name of a tool",
		"/api/why-not/last?zone=Local":         "Europe/Berlin",
		"/api/log?from=9999999999999999999999": "from",
	} {
		b.socket("GET", path, "").wants(400, says)
	}
}

// One record is found by every name that it has.
func TestOneEntry(t *testing.T) {
	b := newBench(t, settings{})
	b.token("station", "[]")
	b.socket("POST", "/api/signals", rain).wants(202)
	want := b.records(domain.TopicSignals)[0]
	for _, name := range []string{want.Envelope.ID.String(), want.Envelope.ID.UUID(), "pos:2"} {
		var got domain.Record
		b.socket("GET", "/api/log/"+name, "").wants(200).read(&got)
		if got.Position != 2 || got.Envelope.ID != want.Envelope.ID {
			t.Errorf("%s: %+v", name, got)
		}
	}
	b.socket("GET", "/api/log/pos:2?gist=true", "").wants(200, `"gist":"`)
	b.socket("GET", "/api/log/pos:3", "").wants(404, "the log ends at 2")
	b.socket("GET", "/api/log/"+(domain.ID{15: 9}).String(), "").wants(404, "no_envelope")
}

// Backwards is forwards turned round, however the records of an index lie and
// wherever the answer is cut.
func TestNewestIsOldestTurnedRound(t *testing.T) {
	b := newBench(t, settings{})
	heard := func() domain.Envelope {
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: b.ids.NewID()}, "tester"), b.ids.NewID(), 1, "tester", domain.SignalReceived{SignalType: "weather"})
		b.must(err)
		return entry.Envelope
	}
	for i := range 6 {
		for range 40 * i * i {
			b.append(domain.TopicSignals, heard())
		}
		b.append(domain.TopicAccounts, heard())
	}
	for _, filter := range []string{"", "&topic=accounts", "&topic=signals", "&source=tester&topic=accounts"} {
		var all page
		for next := domain.Position(1); next > 0; {
			var got page
			b.socket("GET", fmt.Sprintf("/api/log?from=%d&limit=1000%s", next, filter), "").wants(200).read(&got)
			all.Records, next = append(all.Records, got.Records...), got.Next
			if len(got.Records) == 0 {
				next = 0
			}
		}
		want := all.positions()
		slices.Reverse(want)
		for _, limit := range []int{1, 3, 700} {
			if limit == 1 && len(want) > 100 {
				continue
			}
			var got []domain.Position
			for before := "1000000"; before != "0"; {
				var some page
				b.socket("GET", fmt.Sprintf("/api/log?order=newest&limit=%d&before=%s%s", limit, before, filter), "").wants(200).read(&some)
				got = append(got, some.positions()...)
				before = fmt.Sprint(some.Next)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q by %d: %d records, want %d", filter, limit, len(got), len(want))
			}
		}
	}
}

// The gist stands beside the record's own members when it is asked for, here and in
// a trace.
// TestLogOfWhatIsLeft: where records went, the log holds fewer than it has positions, and is read across.
func TestLogOfWhatIsLeft(t *testing.T) {
	went := domain.Runs{{From: 3, Through: 2500}, {From: 2502, Through: 2510}}
	b := newBench(t, settings{change: func(b *bench, c *httpapi.Config) {
		gaps := domaintest.Gaps{Log: b.log, Went: went}
		c.Log, c.Counts, c.System = gaps, gaps, func() httpapi.SystemView { return httpapi.SystemView{} }
	}})
	for b.log.Tail() < 2520 {
		var batch domain.Batch
		for range 504 {
			entry, err := domain.New(domain.Begin(b.ids.NewTrace(), "station"), b.ids.NewID(), 1, "station", domain.SignalReceived{SignalType: "weather"})
			b.must(err)
			batch.Entries = append(batch.Entries, entry)
		}
		_, err := b.log.Append(t.Context(), batch)
		b.must(err)
	}
	left := 2520 - int(went.Count())
	var page struct {
		Records []domain.Record
		Tail    domain.Position
		Next    domain.Position
		Held    int
	}
	b.socket("GET", "/api/log?order=newest&limit=9", "").wants(200).read(&page)
	if page.Tail != 2520 || page.Held != left || len(page.Records) != 9 || page.Records[8].Position != 2512 {
		t.Errorf("the newest are %d of %d, through %d, to position %d", len(page.Records), page.Held, page.Tail, page.Records[len(page.Records)-1].Position)
	}
	b.socket("GET", fmt.Sprintf("/api/log?order=newest&before=%d", page.Next), "").wants(200).read(&page)
	if len(page.Records) != 4 || page.Next != 0 || page.Records[0].Position != 2511 || page.Records[3].Position != 1 {
		t.Errorf("before them are %d, next %d", len(page.Records), page.Next)
	}
	b.socket("GET", "/api/log?from=2519&wait=1s", "").wants(200, fmt.Sprintf(`"tail":2520,"held":%d`, left))
	b.socket("GET", "/api/system", "").wants(200, fmt.Sprintf(`"tail":2520,"held_records":%d`, left))
}

func TestGists(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("POST", "/api/signals", rain).wants(202)
	told := b.records(domain.TopicSignals)[0]
	want := narrate.Line(told.Envelope)
	for _, path := range []string{"/api/log?", "/api/traces/" + told.Envelope.Trace.String() + "?"} {
		var plain, with struct{ Records []map[string]json.RawMessage }
		b.socket("GET", path, "").wants(200).read(&plain)
		b.socket("GET", path+"gist=true", "").wants(200).read(&with)
		if len(plain.Records) != 1 || len(with.Records) != 1 || plain.Records[0]["gist"] != nil {
			t.Fatalf("%s: %v and %v", path, plain, with)
		}
		var said string
		if err := json.Unmarshal(with.Records[0]["gist"], &said); err != nil || said != want || want == "" {
			t.Errorf("%s: the gist is %q, want %q", path, said, want)
		}
		delete(with.Records[0], "gist")
		if !maps.EqualFunc(plain.Records[0], with.Records[0], func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("%s: %v, want %v", path, with, plain)
		}
	}
}

func TestLogSpansTopicsByType(t *testing.T) {
	b := newBench(t, settings{})
	for range 250 {
		b.socket("POST", "/api/signals", rain).wants(202)
	}
	b.token("station", "[]")
	var got page
	b.socket("GET", "/api/log?type=token.issued&topic=$all&limit=10", "").wants(200).read(&got)
	if !slices.Equal(got.positions(), []domain.Position{251}) || got.Next != 252 {
		t.Errorf("positions %v, next %d", got.positions(), got.Next)
	}
}

func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, settings{})
		poll := func(query string) (<-chan page, <-chan time.Duration) {
			pages, took := make(chan page, 1), make(chan time.Duration, 1)
			began := time.Now()
			go func() {
				var got page
				b.socket("GET", "/api/log?"+query, "").wants(200).read(&got)
				took <- time.Since(began)
				pages <- got
			}()
			return pages, took
		}
		pages, took := poll("wait=20s")
		synctest.Wait()
		domaintest.Pass(3 * time.Second)
		b.socket("POST", "/api/signals", rain).wants(202)
		if got := <-pages; len(got.Records) != 1 || got.Next != 2 || <-took != 3*time.Second {
			t.Errorf("the poll gave %+v", got)
		}
		pages, took = poll("from=2&wait=20")
		if got := <-pages; len(got.Records) != 0 || got.Next != 2 || <-took != 20*time.Second {
			t.Errorf("the poll for nothing gave %+v", got)
		}
		// What is filtered out doesn't end the wait, and isn't looked at again.
		pages, took = poll("from=2&wait=20s&topic=accounts")
		synctest.Wait()
		b.socket("POST", "/api/signals", rain).wants(202)
		domaintest.Pass(5 * time.Second)
		b.token("station", "[]")
		if got := <-pages; !slices.Equal(got.positions(), []domain.Position{3}) || <-took != 5*time.Second {
			t.Errorf("the filtered poll gave %+v", got)
		}
	})
}

func TestFollowEndsWithTheLog(t *testing.T) {
	b := newBench(t, settings{})
	done := make(chan told, 1)
	go func() { done <- b.socket("GET", "/api/log?wait=30s", "") }()
	b.must(b.log.Close())
	answer := <-done
	answer.wants(503)
	if logged := b.trail.String(); logged != "" {
		t.Errorf("stopping in order was logged as a failure: %s", logged)
	}
}

func TestFollowEndsWithTheCaller(t *testing.T) {
	b := newBench(t, settings{})
	ctx, cancel := context.WithCancel(t.Context())
	w := httptest.NewRecorder()
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.api.TrustedHandler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/log?wait=30s", nil))
	}()
	cancel()
	<-done
}

// What became of one interface is a narrow read, the newest first if wanted.
func TestLogOfOneInterface(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	hospital, _ := b.paired("Hospital", 9001, `["lab_results"]`)
	other, _ := b.paired("Other", 9002, `[]`)
	b.socket("POST", "/api/signals", rain)
	b.socket("DELETE", "/api/interfaces/"+hospital, "").wants(200)
	for query, want := range map[string][]domain.EventType{
		"interface=" + hospital:                           {"interface.paired", "interface.removed"},
		"interface=" + hospital + "&order=newest&limit=1": {"interface.removed"},
		"interface=" + other:                              {"interface.paired"},
	} {
		var got page
		b.socket("GET", "/api/log?"+query, "").wants(200).read(&got)
		types := []domain.EventType{}
		for _, rec := range got.Records {
			types = append(types, rec.Envelope.Type)
		}
		if !slices.Equal(types, want) {
			t.Errorf("%s: %v, want %v", query, types, want)
		}
	}
	b.socket("GET", "/api/log?interface=none", "").wants(400, "interface")
	b.socket("GET", "/api/log?trace="+hospital+"&interface="+hospital, "").wants(400, "not both")
}
