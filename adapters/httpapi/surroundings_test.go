package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// around is the surroundings that were recorded, one after the other, as JSON
// without what is null.
func (b *bench) around() []string {
	b.t.Helper()
	var out []string
	for _, rec := range b.records(domain.TopicMessages) {
		if rec.Envelope.Type != "context.updated" {
			continue
		}
		var fields map[string]any
		b.must(json.Unmarshal(rec.Envelope.Payload.Bytes, &fields))
		for name, v := range fields {
			if v == nil {
				delete(fields, name)
			}
		}
		text, err := json.Marshal(fields)
		b.must(err)
		out = append(out, string(text))
	}
	return out
}

// TestWhatAClientTells sends what a chat may send, and never breaks it.
func TestWhatAClientTells(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "", ""},
		{"an empty object", `{}`, ""},
		{"broken", `{"timezone":"Europe/Malta"`, ""},
		{"not UTF-8", "{\"timezone\":\"\xff\"}", ""},
		{"an array", `["Europe/Malta"]`, ""},
		{"far too much", `{"timezone":"Europe/Malta","x":"` + strings.Repeat("x", 2<<20) + `"}`, ""},
		{"unknown fields", `{"locale":"en","behavioral":{"idle":3},"local_time":"10:00"}`, ""},
		{"nulls", `{"location":null,"timezone":null,"device":null,"energy":null,"attention":null}`, ""},
		{"wrong types", `{"location":"here","timezone":7,"device":"phone","energy":"high","attention":true}`, ""},
		{"one right among wrong ones", `{"location":[1,2],"timezone":"Europe/Malta","energy":{}}`, `{"timezone":"Europe/Malta"}`},
		{"no such place", `{"location":{"lat":91,"lon":0},"energy":0.5}`, `{"energy":500000}`},
		{"half a place", `{"location":{"lat":35.9}}`, ""},
		{"an endless place", `{"location":{"lat":1e999,"lon":0}}`, ""},
		{"a place in words", `{"location":{"lat":"35","lon":"14"}}`, ""},
		{"a place", `{"location":{"lat":35.9,"lon":14.5,"accuracy":30}}`, `{"location":{"lat":35.9,"lon":14.5,"name":""}}`},
		{"a place with a name", `{"location":{"lat":35.9,"lon":14.5,"name":"home"}}`, `{"location":{"lat":35.9,"lon":14.5,"name":"home"}}`},
		{"no such zone", `{"timezone":"Mars/Olympus"}`, ""},
		{"a path as a zone", `{"timezone":"../../etc/passwd"}`, ""},
		{"this machine's zone", `{"timezone":"Local"}`, ""},
		{"no zone", `{"timezone":""}`, ""},
		{"half a device", `{"device":{"class":"mobile","platform":7,"memory":8}}`, `{"device":{"class":"mobile","platform":""}}`},
		{"no device", `{"device":{"memory":8}}`, ""},
		{"a device with a long name", `{"device":{"class":"` + strings.Repeat("x", 300) + `"},"attention":"ambient"}`, `{"attention":"ambient"}`},
		{"too much energy", `{"energy":1.1}`, ""},
		{"less than none", `{"energy":-0.1}`, ""},
		{"no energy", `{"energy":0}`, `{"energy":0}`},
		{"another attention", `{"attention":"asleep"}`, ""},
		{"everything", `{"timezone":"Europe/Malta","location":{"lat":35.9,"lon":14.5},"device":{"class":"desktop","platform":"Linux"},"energy":1,"attention":"distracted"}`,
			`{"attention":"distracted","device":{"class":"desktop","platform":"Linux"},"energy":1000000,"location":{"lat":35.9,"lon":14.5,"name":""},"timezone":"Europe/Malta"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			session := b.settled()
			b.call("POST", "/health", c.body).wants(200, `"attention":null`)
			b.call("POST", "/health", c.body, bearer(b.token("station", "[]"))).wants(200, `"attention":null`)
			if told := b.around(); told != nil {
				t.Errorf("a stranger told %v", told)
			}
			b.call("POST", "/health", c.body, cookie(session)).wants(200, `"status":"ok","version":"1.2.3"`)
			b.call("POST", "/health", c.body, cookie(session)).wants(200)
			if got := strings.Join(b.around(), "\n"); got != c.want {
				t.Errorf("recorded %s\nwant     %s", got, c.want)
			}
		})
	}
}

// TestAttention is told to the person only.
func TestAttention(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	b.call("GET", "/health", "", cookie(session)).wants(200, `"attention":null`)
	b.call("POST", "/health", `{"attention":"focused"}`, cookie(session)).wants(200, `"attention":"focused"`)
	b.call("GET", "/health", "", cookie(session)).wants(200, `"attention":"focused"`)
	b.socket("GET", "/health", "").wants(200, `"attention":"focused"`)
	b.call("GET", "/health", "").wants(200, `"attention":null`)
	b.call("GET", "/health", "", cookie("forged")).wants(200, `"attention":null`)
	b.start(settings{})
	b.call("GET", "/health", "", cookie(session)).wants(200, `"attention":"focused"`)
}

func TestHealthWhenNothingCanBeRecorded(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	b.door.shut(&domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Message: "the disk is unwell"})
	b.call("POST", "/health", `{"attention":"focused"}`, cookie(session)).wants(200, `"attention":null`)
	if !strings.Contains(b.trail.String(), "the disk is unwell") {
		t.Errorf("nothing was logged: %s", b.trail.String())
	}
}

// TestContextSignals come from whoever was allowed them by name, and are signals
// like all others, too.
func TestContextSignals(t *testing.T) {
	signal := func(content, metadata string) string {
		return `{"signal_type":"context_update","content":` + content + `,"metadata":` + metadata + `}`
	}
	inContent, inMetadata := signal(`"{\"timezone\":\"Europe/Malta\"}"`, `null`), signal(`"moved"`, `{"timezone":"Europe/Malta"}`)
	const malta = `{"timezone":"Europe/Malta"}`
	for _, c := range []struct {
		name, body string
		send       func(b *bench, body string) told
		status     int
		want       string
	}{
		{"a daemon", inContent, throughGateway(`{"signals":{"context_update":true}}`), 202, malta},
		{"a daemon, as an object", signal(`{"timezone":"Europe/Malta","x":1}`, `null`), throughGateway(`{"signals":{"context_update":true}}`), 202, malta},
		{"a daemon, in metadata", inMetadata, throughGateway(`{"signals":{"context_update":true}}`), 202, malta},
		{"a daemon, nothing of use", signal(`"moved"`, `{"x":1}`), throughGateway(`{"signals":{"context_update":true}}`), 202, ""},
		{"a daemon without leave", inMetadata, throughGateway(`{"signals":{"weather_forecast":true}}`), 403, ""},
		{"the operator", inMetadata, func(b *bench, body string) told { return b.socket("POST", "/api/signals", body) }, 202, malta},
		{"a token by name", inMetadata, withToken(`["context_update"]`, "/api/signals"), 202, malta},
		{"a token for anything", inMetadata, withToken(`[]`, "/api/signals"), 202, ""},
		{"a token for something else", inMetadata, withToken(`["price"]`, "/api/signals"), 403, ""},
		{"in a batch", `[{},` + inMetadata + `,7]`, withToken(`["context_update"]`, "/api/signals/batch"), 200, malta},
		{"in a batch, refused", `[` + signal(`""`, `{"timezone":"Europe/Malta"}`) + `]`, withToken(`["context_update"]`, "/api/signals/batch"), 200, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			c.send(b, c.body).wants(c.status)
			if got := strings.Join(b.around(), "\n"); got != c.want {
				t.Errorf("recorded %s\nwant     %s", got, c.want)
			}
			if c.want != "" {
				b.holds(domain.TopicSignals, 1)
			}
		})
	}
}

func throughGateway(approved string) func(*bench, string) told {
	return func(b *bench, body string) told {
		return b.call("POST", "/gw/"+b.registered(approved)+"/signals", body, fromHere)
	}
}

func withToken(signals, path string) func(*bench, string) told {
	return func(b *bench, body string) told {
		return b.call("POST", path, body, bearer(b.token("phone", signals)))
	}
}

// TestOldContextAgain repeats a request after the person has moved on.
func TestOldContextAgain(t *testing.T) {
	for _, path := range []string{"/api/signals", "/api/signals/batch"} {
		b := newBench(t, settings{})
		send := func(key, zone string) {
			body := `{"signal_type":"context_update","content":"moved","metadata":{"timezone":"` + zone + `"}}`
			if path == "/api/signals/batch" {
				body = "[" + body + "]"
			}
			if a := b.socket("POST", path, body, header("Idempotency-Key", key)); a.status >= 300 {
				t.Fatalf("answered %d %s", a.status, a.body)
			}
		}
		send("k1", "Europe/Malta")
		b.clock.Advance(time.Hour)
		send("k2", "Asia/Tokyo")
		send("k1", "Europe/Malta")
		if got := strings.Join(b.around(), " "); got != `{"timezone":"Europe/Malta"} {"timezone":"Asia/Tokyo"}` {
			t.Errorf("%s: recorded %s", path, got)
		}
	}
}
