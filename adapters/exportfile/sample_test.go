package exportfile_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"chalie/adapters/exportfile"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

var formats = []exportfile.Format{exportfile.JSONL, exportfile.CloudEvents}

// sample is a log with everything a record can hold that is hard to write.
func sample(t testing.TB) *memlog.Log {
	t.Helper()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 3)
	l := memlog.New(clock)
	var first domain.Envelope
	for i, p := range []domain.Payload{
		domain.JSONPayload([]byte(`{"b": 1,  "a":[ ] }`)),
		domain.JSONPayload([]byte("{\n\t\"line\": \"breaks\"\r\n}")),
		domain.JSONPayload([]byte(` "spaces around" `)),
		domain.JSONPayload([]byte(`null`)),
		domain.JSONPayload([]byte(`{"a":1,"a":2,"big":123456789012345678901234567890.10e-5,"u":"\u00e9\u2028<>&é"}`)),
		domain.JSONPayload([]byte(strings.Repeat("[", 9500) + strings.Repeat("]", 9500))),
		{Encoding: domain.EncodingOpaque, Bytes: []byte("\x00\xff\n no text")},
		{Encoding: domain.EncodingOpaque},
		{Encoding: domain.EncodingSealed, KeyID: "key \x01 50%", Nonce: []byte{1, 2, 3}, Bytes: []byte{0, 255, 10}},
		{Encoding: domain.EncodingErased},
		{Encoding: domain.EncodingErased, KeyID: "gone", Bytes: []byte("left over")},
		{Encoding: domain.EncodingJSON, KeyID: "k", Nonce: []byte{9}, Bytes: []byte(`{}`)},
	} {
		e := domaintest.NewEntry(ids, "tópic with % and \x7f")
		e.Envelope.Payload = p
		if i > 0 {
			e.Envelope.Trace, e.Envelope.Parent = first.Trace, first.ID
			e.Envelope.Keys = []domain.Key{`key "1"`, "key\n2", "%41"}
			e.Envelope.Subjects = []domain.Subject{"subject/1"}
			e.Envelope.Source, e.Envelope.Principal, e.Envelope.Type = "weather station #1 ?x=%2F", "prin\x02cipal", "odd \"type\""
			e.Envelope.Timestamp = []domain.Millis{-5, 0, 1 << 62}[i%3]
			e.Envelope.Errors = []domain.Fault{{Code: "x", Message: "a\nb", Category: domain.Policy, Retryable: true, Metadata: map[string]any{"n": 1.5}}}
		}
		first = e.Envelope
		appendTo(t, l, e)
		clock.Advance(1e9)
		if i == 7 { // somebody puts it back by a minute
			clock.Advance(-60e9)
		}
	}
	return l
}

func appendTo(t testing.TB, l domain.Appender, entries ...domain.Entry) {
	t.Helper()
	if _, err := l.Append(t.Context(), domain.Batch{Entries: entries}); err != nil {
		t.Fatal(err)
	}
}

func everything(t testing.TB, l domain.Reader) []domain.Record {
	t.Helper()
	records, err := l.Select(t.Context(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// exported is a whole log as a file.
func exported(t testing.TB, l exportfile.Log, sel exportfile.Selection, format exportfile.Format) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := exportfile.Export(t.Context(), l, sel, format, "cat", &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readAll reads a file to its end.
func readAll(file []byte, unverified bool) (*exportfile.Reader, []domain.Record, error) {
	r, err := exportfile.NewReader(bytes.NewReader(file), unverified)
	if err != nil {
		return nil, nil, err
	}
	var out []domain.Record
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r, out, nil
		}
		if err != nil {
			return r, out, err
		}
		out = append(out, rec)
	}
}
