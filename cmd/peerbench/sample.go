package main

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"time"

	"chalie/domain"
)

// recordBytes is the size of one stored record, for us and for the raw peer.
const recordBytes = 400

// clock is the machine's.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }

// ids mints ids that ascend: the millisecond, then a number that counts up.
type ids struct{ count atomic.Uint64 }

var _ domain.IDs = (*ids)(nil)

// NewID implements domain.IDs.
func (s *ids) NewID() domain.ID {
	var id domain.ID
	binary.BigEndian.PutUint64(id[:8], uint64(time.Now().UnixMilli())<<16|0x7000)
	binary.BigEndian.PutUint64(id[8:], 1<<63|s.count.Add(1))
	return id
}

// sampler makes envelopes as POST /api/signals does, of recordBytes each when
// stored. Only ids and time are new in each: making the payload is not the
// log's work.
type sampler struct {
	ids   *ids
	entry domain.Entry
}

func newSampler() (*sampler, error) {
	s := &sampler{ids: &ids{}}
	text := "Heavy rain expected this evening, 80% chance"
	for {
		id := s.ids.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "weather"), id,
			domain.MillisOf(time.Now()), "weather", domain.SignalReceived{
				SignalType: "weather_forecast", Content: text, Source: "weather-service", ActivationEnergy: 0.4,
				Metadata: []byte(`{"precipitation_chance":0.8,"temperature_high":18,"temperature_low":12}`),
			})
		if err != nil {
			return nil, err
		}
		s.entry = entry
		switch n := len(s.rawRecord()); {
		case n == recordBytes:
			return s, nil
		case n > recordBytes:
			return nil, fmt.Errorf("the sample's record has %d bytes, more than %d", n, recordBytes)
		}
		text += "." // until it is long enough
	}
}

// batch is n new signals, each in a trace of its own.
func (s *sampler) batch(n int) domain.Batch {
	entries := make([]domain.Entry, n)
	now := domain.MillisOf(time.Now())
	for i := range entries {
		entries[i] = s.entry
		e := &entries[i].Envelope
		e.ID, e.Timestamp = s.ids.NewID(), now
		e.Trace.ID = e.ID // as the program does for what arrives from outside
	}
	return domain.Batch{Entries: entries}
}

// rawRecord is what the peer stores for one envelope: the same content, laid
// out much like the log's record and as long, so that both write the same bytes.
func (s *sampler) rawRecord() []byte {
	const marks = 20 // format, flags, lengths, time, version
	e := &s.entry.Envelope
	raw := make([]byte, 0, recordBytes)
	for _, part := range [][]byte{
		e.ID[:], e.Trace.ID[:], []byte(s.entry.Topic), []byte(e.Type), []byte(e.Source), []byte(e.Principal),
		e.Payload.Bytes, make([]byte, marks+12),
	} {
		raw = append(raw, part...)
	}
	return raw
}
