package transcript

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"chalie/domain"
	"chalie/projections"
)

const (
	exchangePrefix = 'e'
	openedPrefix   = 'o'
)

var factsKey = []byte("facts")

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

func exchangeKey(n number) []byte {
	return binary.BigEndian.AppendUint64([]byte{exchangePrefix}, uint64(n))
}

func openedKey(trace domain.TraceID) []byte {
	return append([]byte{openedPrefix}, trace.ID[:]...)
}

// facts reads the facts about the exchanges as a whole.
func (d disk) facts() (out facts, err error) {
	text, found, err := d.store.Get(factsKey)
	if err != nil || !found {
		return out, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return facts{}, fmt.Errorf("read what is stored of the transcript: %w", err)
	}
	return out, nil
}

// underWay is the number of the exchange under way in a trace; 0 when there is
// none.
func (d disk) underWay(trace domain.TraceID) (number, error) {
	value, found, err := d.store.Get(openedKey(trace))
	if err != nil || !found {
		return 0, err
	}
	if len(value) != 8 {
		return 0, fmt.Errorf("the stored number of exchange %s has %d bytes, not 8", trace, len(value))
	}
	return number(binary.BigEndian.Uint64(value)), nil
}

// exchange reads one exchange.
func (d disk) exchange(n number) (domain.Exchange, error) {
	value, found, err := d.store.Get(exchangeKey(n))
	if err != nil {
		return domain.Exchange{}, err
	}
	if !found {
		return domain.Exchange{}, missing(n)
	}
	return decode(n, value)
}

// each calls fn for each stored exchange from the first number through the last,
// in order.
func (d disk) each(first, last number, fn func(number, domain.Exchange)) error {
	var damaged error
	err := d.store.Range(exchangeKey(first), exchangeKey(last+1), false, func(key, value []byte) bool {
		n := number(binary.BigEndian.Uint64(key[1:]))
		var x domain.Exchange
		if x, damaged = decode(n, value); damaged != nil {
			return false
		}
		fn(n, x)
		return true
	})
	if err == nil {
		err = damaged
	}
	return err
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
func (d disk) write(b projections.Batch, known facts, changed map[number]domain.Exchange, opened map[domain.TraceID]number) error {
	for n, x := range changed {
		text, err := json.Marshal(stored{ID: x.ID, Position: x.Position, RecordedAt: x.RecordedAt,
			Prompt: x.Prompt, Action: x.Action, Conclusion: x.Conclusion, Reply: x.Reply, Outcome: x.Outcome})
		if err != nil {
			return fmt.Errorf("write exchange %d: %w", n, err)
		}
		if err := b.Set(exchangeKey(n), text); err != nil {
			return err
		}
	}
	for trace, n := range opened {
		if err := writeOpened(b, trace, n); err != nil {
			return err
		}
	}
	text, err := json.Marshal(known)
	if err != nil {
		return fmt.Errorf("write what is known of the transcript: %w", err)
	}
	return b.Set(factsKey, text)
}

func writeOpened(b projections.Batch, trace domain.TraceID, n number) error {
	if n == 0 {
		return b.Delete(openedKey(trace))
	}
	return b.Set(openedKey(trace), binary.BigEndian.AppendUint64(nil, uint64(n)))
}
