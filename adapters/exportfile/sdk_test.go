package exportfile_test

import (
	"bytes"
	"encoding/json"
	"testing"

	cloudevents "github.com/cloudevents/sdk-go/v2"

	"chalie/adapters/exportfile"
)

// Every line is an event to who reads CloudEvents, and holds what it should.
func TestCloudEventsOfficialSDK(t *testing.T) {
	l := sample(t)
	want := everything(t, l)
	lines := bytes.Split(bytes.TrimSuffix(exported(t, l, exportfile.Selection{}, exportfile.CloudEvents), []byte("\n")), []byte("\n"))
	if len(lines) != len(want)+2 {
		t.Fatalf("there are %d lines for %d records", len(lines), len(want))
	}
	seen := map[string]bool{}
	for i, line := range lines {
		var e cloudevents.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("line %d: %v\n%s", i+1, err, line)
		}
		if err := e.Validate(); err != nil {
			t.Errorf("line %d: %v", i+1, err)
		}
		if e.SpecVersion() != "1.0" || seen[e.Source()+" "+e.ID()] {
			t.Errorf("line %d has version %s, and its id came before: %t", i+1, e.SpecVersion(), seen[e.Source()+" "+e.ID()])
		}
		seen[e.Source()+" "+e.ID()] = true
		if i == 0 || i == len(lines)-1 {
			continue
		}
		rec := want[i-1]
		if e.ID() != rec.Envelope.ID.String() || e.Extensions()["traceid"] != rec.Envelope.Trace.String() {
			t.Errorf("line %d is event %s of trace %v", i+1, e.ID(), e.Extensions()["traceid"])
		}
		var compact, data bytes.Buffer
		if json.Compact(&compact, rec.Envelope.Payload.Bytes) == nil && json.Compact(&data, e.Data()) == nil && !bytes.Equal(compact.Bytes(), data.Bytes()) {
			t.Errorf("line %d has data %s, want %s", i+1, e.Data(), rec.Envelope.Payload.Bytes)
		}
	}
}
