package voices

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Marks of a sentence's ends in a language model.
const (
	begins = "<s>"
	ends   = "</s>"
)

// discount is what absolute discounting takes from each count for what was never seen.
const discount = 0.6

// counts are those of the n-grams of one history.
type counts struct {
	all  float64
	next map[string]float64
}

func (c *counts) add(word string) {
	if c.next == nil {
		c.next = map[string]float64{}
	}
	c.all++
	c.next[word]++
}

// left is the probability that is left for what was never seen behind the history.
func (c *counts) left() float64 { return discount * float64(len(c.next)) / c.all }

// model is a trigram model. Each order is interpolated with the one below, so that the weight
// of backing off is what discounting left.
type model struct {
	one counts // of no history
	two map[string]*counts
	tri map[[2]string]*counts
}

// modelOf counts a corpus. The words beside it may stand anywhere.
func modelOf(corpus [][]string, beside []string) *model {
	m := &model{one: counts{next: map[string]float64{}}, two: map[string]*counts{}, tri: map[[2]string]*counts{}}
	for _, sentence := range corpus {
		before, last := "", begins
		for _, word := range append(slices.Clone(sentence), ends) {
			m.one.add(word)
			at(m.two, last).add(word)
			if before != "" {
				at(m.tri, [2]string{before, last}).add(word)
			}
			before, last = last, word
		}
	}
	for _, word := range beside {
		m.one.next[word] += besideCount
		m.one.all += besideCount
	}
	return m
}

// besideCount is how often a word beside the corpus is taken to have been in it.
const besideCount = 2

func at[K comparable](in map[K]*counts, key K) *counts {
	if in[key] == nil {
		in[key] = &counts{}
	}
	return in[key]
}

// floor is what a word counts that was never seen, so that each has a probability.
const floor = 0.2

func (m *model) p1(word string) float64 {
	return (m.one.next[word] + floor) / (m.one.all + floor*float64(len(m.one.next)))
}

func (m *model) p2(history, word string) float64 {
	c := m.two[history]
	if c == nil {
		return m.p1(word)
	}
	return max(0, c.next[word]-discount)/c.all + c.left()*m.p1(word)
}

func (m *model) p3(before, last, word string) float64 {
	c := m.tri[[2]string{before, last}]
	return max(0, c.next[word]-discount)/c.all + c.left()*m.p2(last, word)
}

// arpa is the model in the ARPA format, always the same for the same corpus.
func (m *model) arpa() []byte {
	words := slices.Sorted(maps.Keys(m.one.next))
	pairs, triples := 0, 0
	for _, c := range m.two {
		pairs += len(c.next)
	}
	for _, c := range m.tri {
		triples += len(c.next)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "\\data\\\nngram 1=%d\nngram 2=%d\nngram 3=%d\n\n\\1-grams:\n", len(words)+1, pairs, triples)
	const never = -99
	fmt.Fprintf(&out, "%.4f %s %.4f\n", float64(never), begins, math.Log10(m.two[begins].left()))
	for _, word := range words {
		back := 0.0
		if c := m.two[word]; c != nil {
			back = math.Log10(c.left())
		}
		fmt.Fprintf(&out, "%.4f %s %.4f\n", math.Log10(m.p1(word)), word, back)
	}
	out.WriteString("\n\\2-grams:\n")
	for _, history := range slices.Sorted(maps.Keys(m.two)) {
		for _, word := range slices.Sorted(maps.Keys(m.two[history].next)) {
			back := 0.0
			if c := m.tri[[2]string{history, word}]; c != nil {
				back = math.Log10(c.left())
			}
			fmt.Fprintf(&out, "%.4f %s %s %.4f\n", math.Log10(m.p2(history, word)), history, word, back)
		}
	}
	out.WriteString("\n\\3-grams:\n")
	histories := slices.SortedFunc(maps.Keys(m.tri), func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, h := range histories {
		for _, word := range slices.Sorted(maps.Keys(m.tri[h].next)) {
			fmt.Fprintf(&out, "%.4f %s %s %s\n", math.Log10(m.p3(h[0], h[1], word)), h[0], h[1], word)
		}
	}
	out.WriteString("\n\\end\\\n")
	return out.Bytes()
}

// words are those of the model, in order.
func (m *model) words() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m.one.next)), func(word string) bool { return word == ends })
}
