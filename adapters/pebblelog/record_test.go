package pebblelog

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"

	"pgregory.net/rapid"
)

func encode(t interface{ Fatal(...any) }, pos domain.Position, at, ahead domain.Millis, e domain.Entry) []byte {
	record, err := appendBody(nil, e.Topic, &e.Envelope)
	if err != nil {
		t.Fatal(err)
	}
	record = append(record, emptyTrailer[:]...)
	return putTrailer(record, pos, at, ahead)
}

func decodeRecord(pos domain.Position, record []byte) (rec domain.Record, err error) {
	err = new(decoder).record(&rec, pos, record)
	return rec, err
}

func decode(body []byte) (rec domain.Record, err error) {
	err = new(decoder).body(&rec, body)
	return rec, err
}

func sample() domain.Entry {
	ids := domaintest.NewIDs(domaintest.NewClock(), 1)
	e := domaintest.NewEntry(ids, "signals")
	e.Envelope.Parent = ids.NewID()
	e.Envelope.Keys = []domain.Key{"a", "bb"}
	e.Envelope.Subjects = []domain.Subject{"s"}
	e.Envelope.Errors = []domain.Fault{{Code: "x", Message: "y", Category: domain.Policy}}
	return e
}

func TestRecordRoundTrip(t *testing.T) {
	e := sample()
	for _, ahead := range []domain.Millis{0, 1, 99, 1 << 40} {
		rec, err := decodeRecord(7, encode(t, 7, 99, ahead, e))
		if err != nil {
			t.Fatal(err)
		}
		if want := (domain.Record{Position: 7, Topic: e.Topic, RecordedAt: 99, Ahead: ahead, Envelope: e.Envelope}); !reflect.DeepEqual(rec, want) {
			t.Errorf("decoded\n%+v, want\n%+v", rec, want)
		}
	}
}

// goldenRecord is what the record of TestRecordGolden is stored as.
var goldenRecord = []byte{
	0x01, 0x01, 0x9a, 0x00, 0x00, 0x00, 0x01, 0x70, 0x02, 0x80, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x01, 0x9a, 0x00,
	0x00, 0x00, 0x01, 0x70, 0x02, 0x80, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x80, 0xa0, 0xa4, 0x84, 0xce, 0x67, 0x02, 0x01, 0x07, 0x73,
	0x69, 0x67, 0x6e, 0x61, 0x6c, 0x73, 0x0f, 0x73, 0x69, 0x67, 0x6e, 0x61, 0x6c, 0x2e, 0x72, 0x65, 0x63, 0x65, 0x69, 0x76,
	0x65, 0x64, 0x07, 0x77, 0x65, 0x61, 0x74, 0x68, 0x65, 0x72, 0x07, 0x77, 0x65, 0x61, 0x74, 0x68, 0x65, 0x72, 0x01, 0x01,
	0x6b, 0x01, 0x01, 0x73, 0x02, 0x03, 0x6b, 0x65, 0x79, 0x02, 0x01, 0x02, 0x02, 0x7b, 0x7d, 0x00, 0x00, 0x01, 0x9e, 0x70,
	0x44, 0x88, 0x01, 0x5f, 0xf4, 0xc7, 0x37,
}

// goldenBehind is the end of the same record, written when the clock had been put
// back by an hour: all that differs, but for the first byte.
var goldenBehind = []byte{
	0x00, 0x00, 0x01, 0x9e, 0x70, 0x0d, 0x99, 0x81, 0x00, 0x00, 0x01, 0x9e, 0x70, 0x44, 0x88, 0x01, 0x18, 0x3f, 0x8a, 0xdd,
}

// TestRecordGolden freezes the stored bytes: a log written today must be read
// for ever. A new layout gets a new format byte, and this test another line.
func TestRecordGolden(t *testing.T) {
	id := domain.ID{0x01, 0x9a, 0, 0, 0, 1, 0x70, 2, 0x80, 3, 4, 5, 6, 7, 8, 9}
	e := domain.Envelope{
		ID: id, Trace: domain.TraceID{ID: id}, Parent: domain.ID{15: 1}, Timestamp: 1_780_000_000_000, Kind: domain.KindEvent,
		Source: "weather", Principal: "weather", Type: "signal.received", Version: 1, Keys: []domain.Key{"k"}, Subjects: []domain.Subject{"s"},
		Payload: domain.Payload{Encoding: domain.EncodingSealed, KeyID: "key", Nonce: []byte{1, 2}, Bytes: []byte("{}")},
	}
	got := encode(t, 1, 1_780_000_000_001, 0, domain.Entry{Topic: "signals", Envelope: e})
	want := goldenRecord
	if !bytes.Equal(got, want) {
		t.Errorf("the record is stored as\n%#v\nwant\n%#v", got, want)
	}
	got = encode(t, 1, 1_780_000_000_001, 3_600_000, domain.Entry{Topic: "signals", Envelope: e})
	body := goldenRecord[1 : len(goldenRecord)-trailerBytes]
	if want := slices.Concat([]byte{formatClock}, body, goldenBehind); !bytes.Equal(got, want) {
		t.Errorf("with the clock put back the record is stored as\n%#v\nwant\n%#v", got, want)
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	for _, ahead := range []domain.Millis{0, 2} {
		record := encode(t, 3, 5, ahead, sample())
		for i := range len(record) * 8 {
			flipped := bytes.Clone(record)
			flipped[i/8] ^= 1 << (i % 8)
			if _, err := decodeRecord(3, flipped); domain.CodeOf(err) != domain.CodeCorrupt {
				t.Fatalf("%d ahead, bit %d flipped: got %v, want %s", ahead, i, err, domain.CodeCorrupt)
			}
		}
		if _, err := decodeRecord(4, record); domain.CodeOf(err) != domain.CodeCorrupt {
			t.Errorf("a record under another position decoded with %v, want %s", err, domain.CodeCorrupt)
		}
	}
}

func TestPostings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.Uint64Range(1, 1<<40), 1, 50).Draw(t, "gaps")
		var want []domain.Position
		var p postings
		at := domain.Position(0)
		for _, g := range gaps {
			at += domain.Position(g)
			p.add(at)
			p.add(at) // the same again adds nothing
			want = append(want, at)
		}
		var got []domain.Position
		eachPosting(p.first, p.gaps, func(pos domain.Position) bool {
			got = append(got, pos)
			return true
		})
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// FuzzDecodeBody: whatever bytes pass the checksum must decode or fail, and
// what decodes must be written back as the same envelope.
func FuzzDecodeBody(f *testing.F) {
	record := encode(f, 1, 2, 0, sample())
	f.Add(record[:len(record)-trailerBytes])
	f.Add([]byte{formatPlain})
	f.Add([]byte{formatClock})
	f.Fuzz(func(t *testing.T, body []byte) {
		rec, err := decode(body)
		if err != nil {
			return
		}
		again, err := appendBody(nil, rec.Topic, &rec.Envelope)
		if err != nil {
			t.Fatalf("what was decoded can't be encoded: %v", err)
		}
		twice, err := decode(again)
		if err != nil || !twice.Envelope.Equal(rec.Envelope) {
			t.Fatalf("decoded again: %+v, %v; want %+v", twice.Envelope, err, rec.Envelope)
		}
	})
}

func FuzzPostings(f *testing.F) {
	f.Add(uint64(1), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, first uint64, gaps []byte) {
		n := 0
		eachPosting(domain.Position(first), gaps, func(domain.Position) bool {
			n++
			return true
		})
		if n > len(gaps)+1 {
			t.Fatalf("%d bytes hold %d postings", len(gaps), n)
		}
	})
}
