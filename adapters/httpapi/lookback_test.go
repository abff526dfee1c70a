package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

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
