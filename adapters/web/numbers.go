package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/explain"
)

// number is a number that was reckoned then, in words.
type number struct{ Name, Value string }

// meaning is what a kind of number says.
type meaning struct{ Name, Says string }

// unit is how a number is written.
type unit int

const (
	aScore unit = iota // from 0 to 1
	aCount
	aSpan // milliseconds
	aCost // millionths of a US dollar
)

// scale is how a kind of number is told.
type scale struct {
	key, name, says string
	unit            unit
}

// scales are the numbers of explanations, the most telling first.
func scales() []scale {
	return []scale{
		{"salience", "salience", "how much it mattered at that moment, from 0 to 1", aScore},
		{"bonus", "for your plans", "what it counted more because it has to do with something you plan", aScore},
		{"relation", "relation", "how much it has to do with something you plan, from 0 to 1", aScore},
		{"relation_needed", "relation needed", "from which relation on you are told of it", aScore},
		{"threshold", "lowest salience", "below that something is out of mind", aScore},
		{"last_in", "last that was in mind", "what the least of those weighed that were thought with", aScore},
		{"slots", "places", "how many things are thought with", aCount},
		{"score", "score", "how strong the case was to tell you, from 0 to 1", aScore},
		{"confidence", "confidence", "how sure the model was, from 0 to 1", aScore},
		{"activation_energy", "energy", "how much it weighed when it came in, as its sender said, from 0 to 1", aScore},
		{"age_ms", "age", "how old it was then", aSpan},
		{"due_in_ms", "due in", "how long it was until its time", aSpan},
		{"overdue_ms", "late by", "how long its time was past", aSpan},
		{"told_ago_ms", "told before", "how long before you had been told", aSpan},
		{"duration_ms", "took", "how long that took", aSpan},
		{"in_mind", "in mind", "how many things were thought with", aCount},
		{"left_out", "left out", "how many things were known, and not thought with", aCount},
		{"evidence", "rests on", "how many things it rests on", aCount},
		{"rejected", "kept back", "how many things were considered, and not told", aCount},
		{"depth", "depth", "how many tools had asked for each other", aCount},
		{"input_tokens", "words in", "tokens that the model read; a word is one or two", aCount},
		{"output_tokens", "words out", "tokens that the model wrote", aCount},
		{"cost_micros", "cost", "what the model's answer cost", aCost},
	}
}

// numbersOf are the numbers of one step: those that say something.
func numbersOf(numbers explain.Numbers) []number {
	var out []number
	known := map[string]bool{}
	for _, s := range scales() {
		n, has := numbers[s.key]
		if known[s.key] = true; has && (n != 0 || s.unit == aScore && s.key != "bonus" && s.key != "confidence") {
			out = append(out, number{s.name, s.unit.write(n)})
		}
	}
	for _, key := range sortedKeys(numbers) {
		if !known[key] { // a newer program's
			out = append(out, number{strings.ReplaceAll(key, "_", " "), strconv.FormatFloat(numbers[key], 'g', 6, 64)})
		}
	}
	return out
}

// write is a number as a person reads it.
func (u unit) write(n float64) string {
	switch u {
	case aCount:
		return fmt.Sprintf("%.0f", n)
	case aSpan:
		return took(time.Duration(n) * time.Millisecond)
	case aCost:
		return fmt.Sprintf("$%.6g", n/1e6)
	}
	return domain.PPMOf(n).String()
}

// meanings say of each kind of number among these what it says.
func meanings(all []explain.Numbers) []meaning {
	var out []meaning
	for _, s := range scales() {
		if slices.ContainsFunc(all, func(n explain.Numbers) bool {
			return slices.ContainsFunc(numbersOf(n), func(m number) bool { return m.Name == s.name })
		}) {
			out = append(out, meaning{s.name, s.says})
		}
	}
	return out
}
