package commands_test

import (
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"

	"pgregory.net/rapid"
)

// TestConsumerLaw lets signals come in bursts while people speak, cycles take their
// time and the program is restarted at any moment. In the end every signal was either
// worked on to its end or dropped, what was dropped stands in the log once, never more
// waited than may, and what was begun came in order.
func TestConsumerLaw(t *testing.T) {
	const depth = 3
	type turn struct {
		Say     int
		Speaks  bool // somebody says something, for a while
		Restart bool
		Lasts   time.Duration
	}
	turns := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) turn {
		return turn{
			Say: rapid.IntRange(0, 7).Draw(rt, "say"), Speaks: rapid.Bool().Draw(rt, "speaks"), Restart: rapid.IntRange(0, 3).Draw(rt, "restart") == 0,
			Lasts: time.Duration(rapid.IntRange(0, 20).Draw(rt, "seconds")) * time.Second,
		}
	}), 1, 20)
	rapid.Check(t, func(rt *rapid.T) {
		plan := turns.Draw(rt, "turns")
		synctest.Test(t, func(t *testing.T) {
			n := newNerves(t)
			m := &mull{takes: 7 * time.Second}
			set := func(c *commands.ConsumerConfig) { c.Depth, c.Debounce = depth, 2*time.Second }
			c := n.consumer(m, set)
			n.start(c.Run)
			said := 0
			for _, turn := range plan {
				n.say(said, turn.Say)
				said += turn.Say
				leave := func() {}
				if turn.Speaks {
					leave = n.front.Enter(domain.ID{1})
				}
				domaintest.Pass(turn.Lasts)
				synctest.Wait()
				if s := c.State(); s.Waiting > depth+1 || s.Waiting > depth && s.Taken > 0 {
					t.Errorf("%d wait", s.Waiting)
				}
				if turn.Restart {
					n.end()
					c = n.consumer(m, set)
					n.start(c.Run)
				}
				leave()
			}
			domaintest.Pass(time.Hour)
			synctest.Wait()
			n.end()

			dropped := map[string]bool{}
			for _, rec := range n.all("spine.signal_dropped") {
				drop, err := domain.Decode[domain.SpineSignalDropped](rec.Envelope)
				if err != nil {
					t.Fatal(err)
				}
				of, err := n.log.Find(t.Context(), drop.Signal)
				if err != nil {
					t.Fatal(err)
				}
				s, err := domain.SpineSignalOf(of.Envelope)
				if err != nil {
					t.Fatal(err)
				}
				if dropped[*s.Content] {
					t.Errorf("%s was dropped twice", *s.Content)
				}
				dropped[*s.Content] = true
			}
			m.judge(t, said, dropped)
		})
	})
}

// judge holds what was worked on to what was said and dropped.
func (m *mull) judge(t *testing.T, said int, dropped map[string]bool) {
	t.Helper()
	ended := map[string]int{}
	var order []int
	for _, call := range m.calls {
		if call.end.Sub(call.begin) == m.takes {
			ended[call.content]++
		}
		number, err := strconv.Atoi(call.content)
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, number)
	}
	if !slices.IsSorted(order) {
		t.Errorf("they were begun as %v", order)
	}
	for i := range said {
		name := strconv.Itoa(i)
		if (ended[name] > 0) == dropped[name] || ended[name] > 1 {
			t.Errorf("%s was worked on %d times to its end, and dropped: %t", name, ended[name], dropped[name])
		}
	}
}
