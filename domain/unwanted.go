package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// NoticeDismissed says that the person doesn't want to be told again of what was heard of
// a plan: neither by the same finding nor by another one of the same signals.
type NoticeDismissed struct {
	PlanID  ID   `json:"plan_id"` // none of a finding that is about no plan
	Signals []ID `json:"signals"` // never empty
}

// NoticeSilenced says that the person doesn't want to be told unasked of one kind of
// signals from one sender. They go on being heard.
type NoticeSilenced struct {
	SignalType string `json:"signal_type"`
	Source     string `json:"source"` // as the signals say it
	SignalID   ID     `json:"signal_id"`
}

// NoticeRestored takes a dismissal or a silence back.
type NoticeRestored struct {
	OfID ID `json:"of_id"` // the notice.dismissed or the notice.silenced
}

// UnwantedKey is carried by everything about what the person doesn't want to be told:
// what changes it rests on it.
const UnwantedKey Key = "unwanted"

// Keys go onto the event's envelope.
func (NoticeDismissed) Keys() []Key { return []Key{UnwantedKey} }

// Keys go onto the event's envelope.
func (NoticeSilenced) Keys() []Key { return []Key{UnwantedKey} }

// Keys go onto the event's envelope.
func (NoticeRestored) Keys() []Key { return []Key{UnwantedKey} }

// Unwanted is the fold of what the person doesn't want to be told, by reference. The zero
// value has none.
type Unwanted struct {
	Through   Position    `json:"through"`   // of the last record that changed something
	Dismissed []Dismissal `json:"dismissed"` // oldest first
	Silenced  []Silence   `json:"silenced"`  // oldest first
}

// Dismissal is what the person said "not this" to.
type Dismissal struct {
	ID      ID       `json:"id"` // of the notice.dismissed
	Plan    ID       `json:"plan"`
	Signals []ID     `json:"signals"`
	Pos     Position `json:"pos"`
}

// Silence is a kind of signals of a sender that isn't told of.
type Silence struct {
	ID  ID       `json:"id"` // of the notice.silenced
	Of  KindHash `json:"of"`
	At  Millis   `json:"at"`
	Pos Position `json:"pos"`
}

// mostDismissed bounds the dismissals that are known: a signal that fades is brought up
// by nothing any more.
const mostDismissed = 4096

// KindHash stands for one kind of signals from one sender where their names aren't to be
// kept.
type KindHash string

// HashKind is the same for names that differ in capitals and spaces only.
func HashKind(source, signalType string) KindHash {
	sum := sha256.Sum256([]byte(PlainForm(source) + "\n" + PlainForm(signalType)))
	return KindHash(hex.EncodeToString(sum[:8]))
}

// Dismissal is what the person said of a signal and a plan; false when they said nothing.
func (u *Unwanted) Dismissal(signal, plan ID) (Dismissal, bool) {
	at := slices.IndexFunc(u.Dismissed, func(d Dismissal) bool { return d.Plan == plan && slices.Contains(d.Signals, signal) })
	if at < 0 {
		return Dismissal{}, false
	}
	return u.Dismissed[at], true
}

// Silence is what keeps a kind of signals of a sender back; false when nothing does.
func (u *Unwanted) Silence(source, signalType string) (Silence, bool) {
	of := HashKind(source, signalType)
	at := slices.IndexFunc(u.Silenced, func(s Silence) bool { return s.Of == of })
	if at < 0 {
		return Silence{}, false
	}
	return u.Silenced[at], true
}

// Evolve folds one record; others than the three pass it by. What was erased keeps nothing
// back. The error is CodeUndecodable.
func (u *Unwanted) Evolve(rec Record) error {
	e := rec.Envelope
	var err error
	switch e.Type {
	case NoticeDismissedType:
		var d NoticeDismissed
		if d, err = Decode[NoticeDismissed](e); err == nil {
			kept := append(slices.Clone(u.Dismissed), Dismissal{e.ID, d.PlanID, d.Signals, rec.Position})
			u.Dismissed = kept[max(0, len(kept)-mostDismissed):]
		}
	case NoticeSilencedType:
		var s NoticeSilenced
		if s, err = Decode[NoticeSilenced](e); err == nil {
			u.Silenced = append(slices.Clone(u.Silenced), Silence{e.ID, HashKind(s.Source, s.SignalType), e.Timestamp, rec.Position})
		}
	case NoticeRestoredType:
		var r NoticeRestored
		if r, err = Decode[NoticeRestored](e); err == nil {
			u.Dismissed = slices.DeleteFunc(slices.Clone(u.Dismissed), func(d Dismissal) bool { return d.ID == r.OfID })
			u.Silenced = slices.DeleteFunc(slices.Clone(u.Silenced), func(s Silence) bool { return s.ID == r.OfID })
		}
	default:
		return nil
	}
	if CodeOf(err) == CodeErased {
		err = nil
	}
	u.Through = rec.Position
	return err
}
