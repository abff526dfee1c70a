package domain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// PastNotice is something that Chalie told the person unprompted, by reference.
type PastNotice struct {
	Conclusion ID        `json:"conclusion"`
	Reply      ID        `json:"reply"`   // has what was shown; none when the conclusion has it
	Finding    int       `json:"finding"` // of that reply, from 0; -1 when it is the reply itself
	From       Principal `json:"from"`    // whose message it was; "" for a finding of a cycle
	Topic      TopicHash `json:"topic"`
	Position   Position  `json:"pos"`    // of the conclusion
	At         Millis    `json:"at"`     // when it was told, by the writer's clock
	Length     int       `json:"length"` // of its text in PlainForm, in bytes
	Pairs      []Pair    `json:"-"`      // what it brought together
}

// TopicHash stands for a topic of a conversation where its name isn't to be kept.
type TopicHash string

// HashTopic is the same for topics that differ in capitals and spaces only.
func HashTopic(topic string) TopicHash {
	sum := sha256.Sum256([]byte(PlainForm(topic)))
	return TopicHash(hex.EncodeToString(sum[:8]))
}

// PlainForm is a text as it is compared with another: in small letters, with one
// space between words.
func PlainForm(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// Pair is two envelopes that a finding brought together, such as a signal and a plan, in
// the order of their ids. B is none for a finding that rests on one only.
type Pair struct{ A, B ID }

// PairOf is the pair of two envelopes.
func PairOf(a, b ID) Pair {
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return Pair{a, b}
}

// PartOf is the pair of an envelope with none: by it notices about one envelope are found,
// whatever it was paired with.
func PartOf(id ID) Pair { return Pair{B: id} }

// Roles of evidence that say nothing of what a finding is about: they are new in
// every cycle.
var passing = []string{"asked", "used", "context", "tool_result"}

// mostPaired bounds how many envelopes are paired: 120 pairs.
const mostPaired = 16

// PairsOf are the pairs of a finding's evidence, in order; the one envelope with
// none when there is no other.
func PairsOf(evidence []Evidence) []Pair {
	ids := Subjects(evidence)
	if len(ids) == 1 {
		return []Pair{{A: ids[0]}}
	}
	var out []Pair
	for i, a := range ids {
		for _, b := range ids[i+1:] {
			out = append(out, Pair{a, b})
		}
	}
	return out
}

// Subjects are the ids that evidence is about: each once, in order, within bounds.
func Subjects(evidence []Evidence) []ID {
	var ids []ID
	for _, e := range evidence {
		if !slices.Contains(passing, e.Role) {
			ids = append(ids, e.EnvelopeID)
		}
	}
	slices.SortFunc(ids, func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
	ids = slices.Compact(ids)
	return ids[:min(len(ids), mostPaired)]
}

// NoticeVersion names the rules themselves, beside their parameters. It belongs into
// the hash of what a decision rests on.
const NoticeVersion = "notices/3"

// GeneralTopic is the topic of what nobody gave one: it is none.
const GeneralTopic = "general"

// NoticeRules are the parameters of what may be told unasked.
type NoticeRules struct {
	Cooldown time.Duration // between two findings about one plan; of those about none, of one source on one topic
	Repeated time.Duration // how long the same words aren't told again as a finding
	Directed time.Duration // how long the same message of one interface counts as the same
}

// DefaultNoticeRules are the rules until others are set.
func DefaultNoticeRules() NoticeRules {
	return NoticeRules{Cooldown: 30 * time.Minute, Repeated: 24 * time.Hour, Directed: time.Minute}
}

// ToldKept is how far back what was told is known, beside its evidence, which is
// known for ever. No rule reaches further.
const ToldKept = 24 * time.Hour

// Since is how long ago it was told. What a clock that went back puts into the
// future was told now, until something else is recorded: see Setbacks.
func (t PastNotice) Since(now Millis) time.Duration { return max(0, now.Sub(t.At)) }

// Holding is the rule of notices that held one back, and says in what words. Numbers are stored.
type Holding int

// The holdings. What the person said they don't want has none: it has no numbers.
const (
	HeldByEvidence  Holding = 1 // the same was told on the same evidence
	HeldByWords     Holding = 2 // the same was told in the same words
	HeldByCooldown  Holding = 3
	HeldByAttention Holding = 4
)

// Detail is the rule's numbers in words: how long ago something was told, and within which time
// it isn't told again. "" of none.
func (h Holding) Detail(since, within time.Duration) string {
	switch h {
	case HeldByEvidence:
		return fmt.Sprintf("told %s ago on the same evidence", inUnits(since))
	case HeldByWords:
		return fmt.Sprintf("told %s ago in the same words, not again within %s", inUnits(since), inUnits(within))
	case HeldByCooldown:
		return fmt.Sprintf("told %s ago, cooldown %s", inUnits(since), inUnits(within))
	case HeldByAttention:
		return "attention is " + AttentionFocused
	}
	return ""
}

// inUnits is a time in its greatest unit, cut: 12 min, 3 h, 4 days.
func inUnits(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d/time.Second))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d days", int(d/(24*time.Hour)))
}
