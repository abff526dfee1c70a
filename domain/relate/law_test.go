package relate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/relate"
)

var someWords = []string{
	"Luigi's", "luigis", "Marco", "Bellini", "Rossi", "LH454", "LH455", "gate", "B12", "kayak", "mooring", "orchids", "Ostrava", "tonight",
	"tomorrow", "Friday", "closed", "delayed", "dinner", "the", "at", "rain", "concert", "Bank", "of", "Ulm", "order", "77120", "Straße", "12", "May",
	"thunderstorms", "barbecue", "power", "cut", "oven", "until", "18:00", "AB", "34", "Mark", "here", "third", "floor", "room", "Kauri", "-", "5", "degrees", "%", "from",
}

// text draws a text of words that are likely to meet again.
func text(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(someWords), 0, 9).Draw(t, label), " ")
}

// texts draws up to most texts with ids of their own.
func texts(t *rapid.T, kind relate.Kind, most int) []relate.Text {
	out := make([]relate.Text, rapid.IntRange(0, most).Draw(t, "number of "+string(kind)))
	for i := range out {
		out[i] = relate.Text{
			ID: domain.ID{kind[0], byte(i)}, Kind: kind, Text: text(t, "text"), Source: text(t, "source"), Topic: text(t, "topic"),
			At: now, Due: in(time.Duration(rapid.IntRange(0, 100).Draw(t, "due")) * time.Hour),
		}
	}
	return out
}

func show(relations []relate.Relation) string {
	var out strings.Builder
	for _, r := range relations {
		fmt.Fprintf(&out, "%v %v %d %v\n", r.Signal, r.Commitment, r.Score, r.Evidence)
	}
	return out.String()
}

func shuffled(in []relate.Text, by uint64) []relate.Text {
	out := slices.Clone(in)
	rand.New(rand.NewPCG(by, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func TestOrderChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signals, commitments := texts(t, relate.Signal, 6), texts(t, relate.Task, 6)
		by := rapid.Uint64().Draw(t, "shuffle")
		one := show(relate.Relate(readAll(signals), readAll(commitments)))
		other := show(relate.Relate(readAll(shuffled(signals, by)), readAll(shuffled(commitments, by))))
		if one != other {
			t.Fatalf("in one order\n%sand in another\n%s", one, other)
		}
	})
}

// What another signal says has no bearing on a pair: loud strangers can't push
// anything up or down.
func TestSignalsDontChangeEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signals, commitments := texts(t, relate.Signal, 5), readAll(texts(t, relate.Task, 5))
		stranger := relate.Text{ID: domain.ID{'z'}, Kind: relate.Signal, Text: text(t, "stranger"), At: now}
		without := relate.Relate(readAll(signals), commitments)
		with := relate.Relate(readAll(append(slices.Clone(signals), stranger)), commitments)
		with = slices.DeleteFunc(with, func(r relate.Relation) bool { return r.Signal == stranger.ID })
		if show(without) != show(with) {
			t.Fatalf("without a stranger\n%sand with it\n%s", show(without), show(with))
		}
	})
}

// Another commitment that carries the same words makes them tell less, never more.
func TestCarriersOnlyTakeAway(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signals, commitments := readAll(texts(t, relate.Signal, 4)), texts(t, relate.Task, 4)
		more := relate.Text{ID: domain.ID{'z'}, Kind: relate.Task, Text: text(t, "more"), At: now}
		before := map[[2]domain.ID]relate.Relation{}
		for _, s := range signals {
			for _, c := range readAll(commitments) {
				r := relate.Between(s, c)
				before[[2]domain.ID{r.Signal, r.Commitment}] = r
			}
		}
		for _, r := range relate.Relate(signals, readAll(append(commitments, more))) {
			pair := [2]domain.ID{r.Signal, r.Commitment}
			alone, ok := before[pair]
			var positive [2]domain.PPM
			for i, list := range [][]relate.Evidence{alone.Evidence, r.Evidence} {
				for _, e := range list {
					positive[i] += max(0, e.Weight)
				}
			}
			if ok && positive[1] > positive[0] {
				t.Fatalf("what speaks for it rose from %d to %d:\n%v\n%v", positive[0], positive[1], alone.Evidence, r.Evidence)
			}
		}
	})
}

func TestScoreIsTheSumOfItsEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, r := range relate.Relate(readAll(texts(t, relate.Signal, 5)), readAll(texts(t, relate.Task, 5))) {
			var sum domain.PPM
			for _, e := range r.Evidence {
				sum += e.Weight
				if !utf8.ValidString(e.Words()) || e.Words() == "" {
					t.Fatalf("evidence without words: %+v", e)
				}
			}
			if want := min(max(sum, 0), domain.One); r.Score != want || r.Score < relate.Unsure {
				t.Fatalf("score %d, evidence adds up to %d", r.Score, want)
			}
		}
	})
}

// A day both speak of is nothing without something else.
func TestADayAloneIsNothing(t *testing.T) {
	days := []string{"today", "tonight", "this evening", "Friday", "on Friday evening", "20 November", "tomorrow", "at 19:00"}
	for _, said := range days {
		for _, meant := range days {
			r := relate.Between(heard("It begins "+said, "", ""), planned("do it "+meant, in(2*time.Hour)))
			if r.Score != 0 {
				t.Errorf("%q and %q: %v, %v", said, meant, r.Score, r.Evidence)
			}
		}
	}
}

// What is recorded of a comparison says the same as the comparison: its words come from
// the signal, and its weights add up.
func TestRecordedReasonsSayTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		signals, commitments := texts(t, relate.Signal, 5), readAll(texts(t, relate.Task, 5))
		related, near := relate.Weigh(readAll(signals), commitments)
		for _, s := range signals {
			found := slices.DeleteFunc(slices.Concat(related, near), func(r relate.Relation) bool { return r.Signal != s.ID })
			said := domain.SignalReceived{Content: s.Text, Source: s.Source, Topic: &s.Topic}
			recorded := relate.Record(s.ID, said, found)
			for i, plan := range recorded.Plans {
				read := relate.Recorded(plan, said)
				if plan.Commitment != found[i].Commitment || plan.Score != found[i].Score || weight(read) != weight(found[i]) {
					t.Fatalf("recorded is %+v of %+v", read, found[i])
				}
				for j, e := range found[i].Evidence {
					if len(found[i].Evidence) == len(read.Evidence) && read.Evidence[j].Words() != e.Words() {
						t.Fatalf("recorded is %q of %q, in %+v", read.Evidence[j].Words(), e.Words(), s)
					}
				}
			}
		}
	})
}

func weight(r relate.Relation) (sum domain.PPM) {
	for _, e := range r.Evidence {
		sum += e.Weight
	}
	return sum
}
