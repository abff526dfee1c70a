package replay

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// A feed of some topics has all that a fold of the log wants of them, in its order, in
// batches of any size, from any position, while the log grows.
func TestTopicFeedIsTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := memlog.New(domaintest.NewClock())
		all := []domain.Topic{domain.TopicSignals, domain.TopicMessages, domain.TopicReasoning}
		n := byte(0)
		grow := func(count int) {
			for range count {
				n++
				id := domain.ID{14: 1 + n/255, 15: n}
				entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "api", domain.SteerReceived{Text: "x"})
				if err != nil {
					t.Fatal(err)
				}
				entry.Topic = rapid.SampledFrom(all).Draw(t, "topic")
				if _, err := log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		grow(rapid.IntRange(0, 60).Draw(t, "records"))
		wanted := all[1:rapid.IntRange(2, 3).Draw(t, "topics")]
		feed := onTopics(log, wanted...)
		for range rapid.IntRange(1, 3).Draw(t, "folds") {
			from, limit := domain.Position(rapid.IntRange(1, 40).Draw(t, "from")), rapid.IntRange(1, 9).Draw(t, "limit")
			var got []domain.Position
			whole := true
			for next := from; ; {
				records, err := feed.Select(context.Background(), domain.Selector{}, next, limit)
				if err != nil || len(records) > limit {
					t.Fatalf("%d records of %d, %v", len(records), limit, err)
				}
				if len(records) == 0 {
					break
				}
				for _, rec := range records {
					got = append(got, rec.Position)
				}
				next = got[len(got)-1] + 1
				if whole = rapid.IntRange(0, 4).Draw(t, "break off") > 0; !whole {
					break
				}
			}
			var want []domain.Position
			records, err := log.Select(context.Background(), domain.Selector{}, from, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, rec := range records {
				if slices.Contains(wanted, rec.Topic) {
					want = append(want, rec.Position)
				}
			}
			if len(got) > len(want) || whole && len(got) < len(want) || !slices.Equal(got, want[:len(got)]) {
				t.Fatalf("from %d by %d it has %v, want %v", from, limit, got, want)
			}
			grow(rapid.IntRange(0, 5).Draw(t, "more"))
		}
	})
}
