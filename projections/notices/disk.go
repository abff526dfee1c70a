package notices

import (
	"encoding/json"
	"fmt"

	"chalie/domain"
	"chalie/projections"
)

const pairPrefix = 'p'

var stateKey = []byte("state")

// disk is the stored form.
type disk struct{ store projections.Snapshot }

func pairKey(pair domain.Pair) []byte {
	key := append([]byte{pairPrefix}, pair.A[:]...)
	return append(key, pair.B[:]...)
}

// state reads what is in memory.
func (d disk) state() (out state, err error) {
	text, found, err := d.store.Get(stateKey)
	if err != nil || !found {
		return out, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return state{}, fmt.Errorf("read what is stored of what was told: %w", err)
	}
	return out, nil
}

// pair reads what told one.
func (d disk) pair(pair domain.Pair) (out domain.PastNotice, found bool, err error) {
	text, found, err := d.store.Get(pairKey(pair))
	if err != nil || !found {
		return out, false, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return domain.PastNotice{}, false, fmt.Errorf("read what told %s and %s: %w", pair.A, pair.B, err)
	}
	return out, true, nil
}

// write adds what changed to a batch.
func (d disk) write(b projections.Batch, known state, pairs map[domain.Pair]domain.PastNotice) error {
	for pair, told := range pairs {
		text, err := json.Marshal(told)
		if err != nil {
			return fmt.Errorf("write what told %s and %s: %w", pair.A, pair.B, err)
		}
		if err := b.Set(pairKey(pair), text); err != nil {
			return err
		}
	}
	text, err := json.Marshal(known)
	if err != nil {
		return fmt.Errorf("write what was told: %w", err)
	}
	return b.Set(stateKey, text)
}
