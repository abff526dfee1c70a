package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// strangers are templates for signals that bear on nobody's commitments.
type strangers struct {
	templates []stranger
	names     map[string][]string
}

type stranger struct {
	topic, text string
	sources     []string
}

func readStrangers(from fs.FS) (strangers, error) {
	all := strangers{names: map[string][]string{}}
	names, err := fs.ReadFile(from, "names.txt")
	if err != nil {
		return all, err
	}
	for line := range strings.SplitSeq(string(names), "\n") {
		kind, list, ok := strings.Cut(line, ": ")
		if ok && !strings.HasPrefix(line, "#") {
			all.names[kind] = strings.Split(list, "; ")
		}
	}
	texts, err := fs.ReadFile(from, "strangers.txt")
	if err != nil {
		return all, err
	}
	for line := range strings.SplitSeq(string(texts), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, sources, ok := strings.Cut(line, " @ ")
		topic, text, ok2 := strings.Cut(head, ": ")
		if !ok || !ok2 {
			return all, fmt.Errorf("want topic: text @ source|source, got %q", line)
		}
		all.templates = append(all.templates, stranger{topic, text, strings.Split(sources, "|")})
	}
	return all, nil
}

// besides gives strangersPerScene signals of different templates that share no
// telling word with any commitment of the scene.
func (all strangers) besides(s scene, number int, seed uint64, cs []commitment) []signal {
	taken := map[string]bool{}
	for _, c := range cs {
		for _, stem := range stems(c.Text) {
			taken[stem] = true
		}
	}
	d := diceFor(seed, s.name, "strangers")
	used := map[int]bool{}
	var out []signal
	for try := 0; len(out) < strangersPerScene && try < 5000; try++ {
		i := d.below(len(all.templates))
		source, text := all.fill(all.templates[i], d)
		if used[i] || shares(taken, text) {
			continue
		}
		used[i] = true
		at := s.anyTime(d).Add(time.Duration(d.below(60)) * time.Minute)
		out = append(out, signal{Scene: number, Source: source, Topic: all.templates[i].topic, Text: d.wear(text, true), Related: []string{}, Note: "no tie at all", when: at})
	}
	return out
}

var holes = regexp.MustCompile(`\{(\w)(?:=(\w+)|(\.slug))\}`)

// fill settles {letter=kind}, and {letter.slug}, the same name as one word.
func (all strangers) fill(t stranger, d dice) (source, text string) {
	const end = "\x00"
	chosen := map[string]string{}
	whole := holes.ReplaceAllStringFunc(t.text+end+d.one(t.sources), func(m string) string {
		hole := holes.FindStringSubmatch(m)
		if hole[3] != "" {
			return strings.ReplaceAll(strings.ToLower(chosen[hole[1]]), " ", "-")
		}
		name := d.one(all.names[hole[2]])
		chosen[hole[1]] = name
		return name
	})
	text, source, _ = strings.Cut(d.vary(whole), end)
	return source, text
}

func shares(taken map[string]bool, text string) bool {
	for _, stem := range stems(text) {
		if taken[stem] {
			return true
		}
	}
	return false
}

// stems gives the first five letters of every word of four and more that says
// something: "with" and "today" tie nothing to anything.
func stems(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	var out []string
	for _, w := range words {
		letters := []rune(w)
		if len(letters) < 4 || saysLittle[w] {
			continue
		}
		out = append(out, string(letters[:min(5, len(letters))]))
	}
	return out
}

var saysLittle = map[string]bool{
	"with": true, "from": true, "this": true, "that": true, "your": true, "week": true, "today": true,
	"have": true, "over": true, "after": true, "last": true, "before": true,
}
