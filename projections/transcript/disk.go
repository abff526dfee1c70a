package transcript

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"chalie/domain"
	"chalie/projections"
)

const (
	exchangePrefix = 'e'
	factsPrefix    = 'f'
	openedPrefix   = 'o'
)

// disk is the stored form.
type disk struct{ store projections.Snapshot }

// stored is an exchange as it is written.
type stored struct {
	ID         domain.ID       `json:"id"`
	Position   domain.Position `json:"position"`
	RecordedAt domain.Millis   `json:"recorded_at"`
	Prompt     domain.ID       `json:"prompt"`
	Action     domain.ID       `json:"action,omitzero"`
	Conclusion domain.ID       `json:"conclusion"`
	Reply      domain.ID       `json:"reply"`
	Outcome    domain.Outcome  `json:"outcome"`
}

func exchangeKey(at place) []byte {
	return binary.BigEndian.AppendUint64(append([]byte{exchangePrefix}, at.in.ID[:]...), uint64(at.n))
}

func factsKey(in domain.ConversationID) []byte { return append([]byte{factsPrefix}, in.ID[:]...) }

func openedKey(trace domain.TraceID) []byte {
	return append([]byte{openedPrefix}, trace.ID[:]...)
}

// facts reads the facts about a conversation as a whole.
func (d disk) facts(in domain.ConversationID) (out facts, err error) {
	text, found, err := d.store.Get(factsKey(in))
	if err != nil || !found {
		return out, err
	}
	return readFacts(text)
}

func readFacts(text []byte) (out facts, err error) {
	if err := json.Unmarshal(text, &out); err != nil {
		return facts{}, fmt.Errorf("read what is stored of the transcript: %w", err)
	}
	return out, nil
}

// conversations calls fn for each conversation, in the order of the ids.
func (d disk) conversations(fn func(domain.ConversationID, facts)) error {
	var damaged error
	err := d.store.Range([]byte{factsPrefix}, []byte{factsPrefix + 1}, false, func(key, value []byte) bool {
		var in domain.ConversationID
		copy(in.ID[:], key[1:])
		var known facts
		if known, damaged = readFacts(value); damaged != nil {
			return false
		}
		fn(in, known)
		return true
	})
	return cmp.Or(err, damaged)
}

// underWay is the place of the exchange under way in a trace; the zero place when there is
// none.
func (d disk) underWay(trace domain.TraceID) (at place, err error) {
	value, found, err := d.store.Get(openedKey(trace))
	if err != nil || !found {
		return at, err
	}
	if len(value) != len(at.in.ID)+8 {
		return at, fmt.Errorf("the stored place of exchange %s has %d bytes, not %d", trace, len(value), len(at.in.ID)+8)
	}
	copy(at.in.ID[:], value)
	at.n = number(binary.BigEndian.Uint64(value[len(at.in.ID):]))
	return at, nil
}

// exchange reads one exchange.
func (d disk) exchange(at place) (domain.Exchange, error) {
	value, found, err := d.store.Get(exchangeKey(at))
	if err != nil {
		return domain.Exchange{}, err
	}
	if !found {
		return domain.Exchange{}, missing(at.n)
	}
	return decode(at.n, value)
}

// each calls fn for each stored exchange of a conversation from the first number through the
// last, in order.
func (d disk) each(in domain.ConversationID, first, last number, fn func(number, domain.Exchange)) error {
	var damaged error
	err := d.store.Range(exchangeKey(place{in, first}), exchangeKey(place{in, last + 1}), false, func(key, value []byte) bool {
		n := number(binary.BigEndian.Uint64(key[len(key)-8:]))
		var x domain.Exchange
		if x, damaged = decode(n, value); damaged != nil {
			return false
		}
		fn(n, x)
		return true
	})
	return cmp.Or(err, damaged)
}

func decode(n number, value []byte) (domain.Exchange, error) {
	var s stored
	if err := json.Unmarshal(value, &s); err != nil {
		return domain.Exchange{}, fmt.Errorf("read stored exchange %d: %w", n, err)
	}
	return domain.Exchange{ID: s.ID, Position: s.Position, RecordedAt: s.RecordedAt,
		Prompt: s.Prompt, Action: s.Action, Conclusion: s.Conclusion, Reply: s.Reply, Outcome: s.Outcome}, nil
}

// write adds what changed to a batch.
func (d disk) write(b projections.Batch, known map[domain.ConversationID]facts, changed map[place]domain.Exchange, opened map[domain.TraceID]place) error {
	for at, x := range changed {
		text, err := json.Marshal(stored{ID: x.ID, Position: x.Position, RecordedAt: x.RecordedAt,
			Prompt: x.Prompt, Action: x.Action, Conclusion: x.Conclusion, Reply: x.Reply, Outcome: x.Outcome})
		if err != nil {
			return fmt.Errorf("write exchange %d: %w", at.n, err)
		}
		if err := b.Set(exchangeKey(at), text); err != nil {
			return err
		}
	}
	for trace, at := range opened {
		if err := writeOpened(b, trace, at); err != nil {
			return err
		}
	}
	for in, facts := range known {
		text, err := json.Marshal(facts)
		if err != nil {
			return fmt.Errorf("write what is known of the transcript: %w", err)
		}
		if err := b.Set(factsKey(in), text); err != nil {
			return err
		}
	}
	return nil
}

func writeOpened(b projections.Batch, trace domain.TraceID, at place) error {
	if at.n == 0 {
		return b.Delete(openedKey(trace))
	}
	return b.Set(openedKey(trace), binary.BigEndian.AppendUint64(append([]byte(nil), at.in.ID[:]...), uint64(at.n)))
}
