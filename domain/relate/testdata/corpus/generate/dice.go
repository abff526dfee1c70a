package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// dice make the choices of one line. They are seeded from the line itself, so
// that mending one line leaves all others as they are.
type dice struct{ source *rand.PCG }

func diceFor(seed uint64, parts ...string) dice {
	h := fnv.New64a()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return dice{rand.NewPCG(seed, h.Sum64())}
}

// below gives a number from 0 to n-1.
func (d dice) below(n int) int { return int(d.source.Uint64() % uint64(n)) }

func (d dice) one(of []string) string { return of[d.below(len(of))] }

var (
	variants = regexp.MustCompile(`\[([^\[\]]*\|[^\[\]]*)\]`)
	numbers  = regexp.MustCompile(`\{#(\d+)-(\d+)\}`)
)

// vary settles every [this|that] and every {#low-high} of a template.
func (d dice) vary(text string) string {
	text = variants.ReplaceAllStringFunc(text, func(m string) string {
		return d.one(strings.Split(m[1:len(m)-1], "|"))
	})
	return numbers.ReplaceAllStringFunc(text, func(m string) string {
		ends := numbers.FindStringSubmatch(m)
		low, _ := strconv.Atoi(ends[1])
		high, _ := strconv.Atoi(ends[2])
		return strconv.Itoa(low + d.below(high-low+1))
	})
}

// wear gives a text the marks of where it came from: most apostrophes are
// straight, some are typographic, some sources write all in lower case.
func (d dice) wear(text string, lower bool) string {
	if d.below(5) < 2 {
		curly := strings.NewReplacer(" '", " \u2018", "\n'", "\u2018", "'", "\u2019")
		text = curly.Replace("\n" + text)
		text = strings.TrimPrefix(text, "\n")
	}
	if lower && d.below(9) == 0 {
		text = strings.ToLower(text)
	}
	return text
}
