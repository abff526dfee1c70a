package deed

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
)

// Deed is what a call does, as far as the tool's words and the values tell.
type Deed struct {
	does  map[string]bool // the ids of rows, and verbs that no row has
	name  string          // of the tool, in small letters
	parts []string        // the words of its name
	looks bool
	given []string // the texts among the values
}

// Looks reports whether a tool says that it does no more than to look, though it may not declare it: what
// asks for that needs no word for it.
func (d Deed) Looks() bool { return d.looks }

// Abroad reports whether a tool tells in another language than English that it changes something.
func Abroad(name, description string) bool {
	all := tokens(strings.Join(nameParts(name), " ") + ". " + description)
	for i := range all[:min(len(all), maxTold)] {
		for _, m := range matchesAt(all, i, true) {
			if m.language != "en" && !lookingVerbs[m.id] && !slices.ContainsFunc(formsOf(all[i].word), func(f form) bool { return f.language == "en" }) {
				return true
			}
		}
	}
	return false
}

// lookingVerbs are verbs of what changes nothing.
var lookingVerbs = wordSet(`list show get find search fetch look lookup see read view display query check browse retrieve describe know explore scan inspect
	preview summarize summarise count return tell compare convert calculate compute estimate predict analyze analyse translate rank recommend suggest explain measure`)

// onlyLooks reports whether a tool begins to say what it does with a verb that looks, in its description and in
// its name, and joins no other to it.
func onlyLooks(parts []string, description string) bool {
	all := tokens(description)
	all = all[:min(len(all), maxTold)]
	changes := func(word string) bool {
		return slices.ContainsFunc(formsOf(word), func(f form) bool { return f.language == "en" && f.behind == "" && !lookingVerbs[f.id] })
	}
	if len(all) == 0 || !lookingVerbs[bare(all[0].word)] || len(parts) > 0 && changes(parts[0]) {
		return false
	}
	for i := 1; i < len(all); i++ {
		if slices.Contains([]string{"or", "and", "then"}, all[i-1].word) && changes(all[i].word) {
			return false
		}
	}
	return true
}

// maxTold bounds how many words of a tool's own are read.
const maxTold = 120

// Of is what a call does: by the tool's description, its name and the values, the description first. What a
// parameter says that a value stands for counts, too: 0 = closed.
func Of(name, description string, parameters []domain.Parameter, params json.RawMessage) Deed {
	d := Deed{does: map[string]bool{}, name: fold(name), parts: nameParts(name)}
	d.looks = onlyLooks(d.parts, description)
	told := describedDeeds(description)
	named := toldDeeds(tokens(strings.Join(d.parts, " ")))
	if len(d.parts) > 0 && formsOf(d.parts[0]) == nil && len(told) == 0 && len(d.parts) > 1 {
		named = append(named, d.parts[0]) // a verb that isn't known
	}
	for _, id := range told {
		d.does[id] = true
	}
	for _, id := range named {
		if !slices.ContainsFunc(told, func(t string) bool { return areContrary(t, id) }) {
			d.does[id] = true
		}
	}
	d.choose(parameters, params)
	return d
}

// nameParts are the words of a tool's name: unlock_door, HassTurnOn.
func nameParts(name string) []string {
	var out []string
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		start := 0
		for i, r := range part {
			if i > start && unicode.IsUpper(r) && !unicode.IsUpper(rune(part[i-1])) {
				out, start = append(out, fold(part[start:i])), i
			}
		}
		out = append(out, fold(part[start:]))
	}
	return out[:min(len(out), maxTold)]
}

// aside are words behind which a description no longer says what the tool does.
var aside = wordSet("which that until unless if when while after before because so again without who where wenn falls bis nachdem bevor ohne qui que si quand jusqu avant apres sans cuando hasta antes despues sin")

// idle begin descriptions, and are no verbs.
var idle = wordSet("a an the this it tool tools allows allow lets let used use useful call calls to for your can will helps der die das ein eine dieses werkzeug le la les un une cet outil permet el los una esta este herramienta permite")

// describedDeeds are the deeds that a description names: all of its first sentence, and what the others
// quote.
func describedDeeds(description string) []string {
	all := tokens(description)
	all = all[:min(len(all), maxTold)]
	end := len(all)
	for i, t := range all {
		if t.stop && !t.listed {
			end = i + 1
			break
		}
	}
	first := slices.Clone(all[:end])
	for i, t := range first {
		if i > 0 && aside[t.word] {
			first = first[:i]
			break
		}
	}
	for i := range first {
		first[i].quoted = false
	}
	out := toldDeeds(first)
	if len(first) > 0 && !idle[first[0].word] && formsOf(first[0].word) == nil {
		out = append(out, bare(first[0].word))
	}
	var quoted []token
	for _, t := range all[end:] {
		if t.quoted {
			t.quoted = false
			quoted = append(quoted, t)
		}
	}
	return append(out, toldDeeds(quoted)...)
}

// toldDeeds are the deeds that words of a tool's own name, in any form. What an article stands before is
// a thing.
func toldDeeds(all []token) []string {
	var out []string
	for i := range all {
		if i > 0 && (articles[all[i-1].word] || slices.Contains([]string{"not", "no", "nicht", "kein", "ne", "pas"}, all[i-1].word)) {
			continue
		}
		if formsOf(all[i].word) == nil && i > 0 && !all[i-1].ends && !slices.Contains([]string{"or", "oder", "ou", "o", "to"}, all[i-1].word) {
			continue // a thing may be called as a verb is: sell_shares
		}
		for _, m := range matchesAt(all, i, true) {
			if !slices.Contains(out, m.id) {
				out = append(out, m.id)
			}
		}
	}
	return out
}

// bare is an English verb without the ending by which a tool tells what it does.
func bare(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && len(word) > 3:
		return word[:len(word)-1]
	}
	return word
}

// choosing are the names of parameters that say what is to be done.
var choosing = wordSet("action state mode command operation service op do status power verb method task aktion zustand etat accion estado")

// choose goes by the values of a call: of contrary deeds only the one that is given.
func (d *Deed) choose(parameters []domain.Parameter, params json.RawMessage) {
	var values map[string]any
	if json.Unmarshal(params, &values) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		parts := nameParts(name)
		if v, ok := values[name].(string); ok {
			d.given = append(d.given, fold(v))
		}
		i := slices.IndexFunc(parameters, func(p domain.Parameter) bool { return p.Name == name })
		if i >= 0 {
			if id := stateOf(meaning(parameters[i].Description, fmt.Sprint(values[name]))); id != "" {
				if says, ok := values[name].(string); ok && stateOf(says) != "" && d.hasEither(stateOf(says)) {
					d.narrow(stateOf(says)) // on = heat
				}
				d.narrow(id)
				continue
			}
		}
		switch v := values[name].(type) {
		case string:
			if id := stateOf(v); id != "" && (d.hasEither(id) || slices.ContainsFunc(parts, func(p string) bool { return choosing[p] })) {
				d.narrow(id)
			}
		case bool:
			if i >= 0 {
				if ids := toldOf(parameters[i].Description, fmt.Sprint(v)); len(ids) > 0 {
					for _, id := range ids {
						d.narrow(id)
					}
					continue
				}
			}
			if id := stateOf(strings.Join(parts, " ")); id != "" && d.hasEither(id) {
				if v {
					d.narrow(id)
				} else {
					d.deny(id)
				}
			}
		}
	}
}

// meaning is the word that a value stands for, by the description of its parameter: 0 = closed; "" for
// none.
func meaning(description, value string) string {
	for part := range strings.FieldsFuncSeq(fold(description), func(r rune) bool { return strings.ContainsRune(",;.()", r) }) {
		one, other, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		switch one, other = strings.TrimSpace(one), strings.TrimSpace(other); fold(value) {
		case one:
			return other
		case other:
			return one
		}
	}
	return ""
}

// toldOf are the deeds that a parameter's description tells of one of its values: true locks the door, false
// unlocks it.
func toldOf(description, value string) []string {
	all := tokens(description)
	all = all[:min(len(all), maxTold)]
	for i, t := range all {
		if t.word != value {
			continue
		}
		end := i + 1
		for end < len(all) && all[end].word != "true" && all[end].word != "false" {
			end++
		}
		part := slices.Clone(all[i+1 : end])
		for n := range part {
			part[n].quoted = false
		}
		var out []string
		for n := range part {
			if id := stateOf(part[n].word); id != "" && len(out) == 0 {
				return []string{id}
			}
			for _, m := range matchesAt(part, n, true) {
				if hasContrary(m.id) && !slices.Contains(out, m.id) {
					out = append(out, m.id)
				}
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

// stateOf is the deed that a value alone says: off, unlocked, stop; "" for none.
func stateOf(value string) string {
	switch value = strings.TrimSpace(fold(value)); value {
	case "on", "an", "ein", "true", "power", "active", "enabled":
		return "turn on"
	case "off", "aus", "false", "inactive", "disabled":
		return "turn off"
	case "up", "hoch", "rauf", "hinauf", "haut", "arriba":
		return "raise"
	case "down", "runter", "herunter", "hinunter", "bas", "abajo":
		return "lower"
	case "stumm", "mute", "muted", "silent", "muet", "muette", "silencio":
		return "mute"
	case "laut", "unmuted":
		return "unmute"
	}
	all := tokens(value)
	if len(all) == 0 || len(all) > 2 {
		return ""
	}
	for _, m := range matchesAt(all, 0, true) {
		if hasContrary(m.id) && m.behind == len(all)-1 {
			return m.id
		}
	}
	return ""
}

// hasEither reports whether the tool does a deed or one that is contrary to it.
func (d *Deed) hasEither(id string) bool {
	for does := range d.does {
		if does == id || areContrary(does, id) || areNear(does, id) {
			return true
		}
	}
	return false
}

// narrow leaves a deed, and none that is contrary to it.
func (d *Deed) narrow(id string) {
	maps.DeleteFunc(d.does, func(does string, _ bool) bool { return areContrary(does, id) })
	d.does[id] = true
}

// deny leaves no deed, and those that are contrary to it.
func (d *Deed) deny(id string) {
	for _, other := range contraries()[id] {
		if d.does[other] {
			d.narrow(other)
			return
		}
	}
	delete(d.does, id)
	for _, other := range contraries()[id] {
		d.does[other] = true
	}
}

// isNamed reports whether the tool's name has a word.
func (d *Deed) isNamed(word string) bool {
	return slices.ContainsFunc(d.parts, func(p string) bool {
		return p == word || len(p) > 3 && (p+"s" == word || word+"s" == p)
	})
}

// isOneOfTwo reports whether something contrary to what the tool does could be meant by a word that only
// says that something is to be done.
func (d *Deed) isOneOfTwo() bool {
	for does := range d.does {
		switch does {
		case "turn on", "start", "activate", "play", "run", "set", "put", "add", "create", "make", "order", "book", "schedule", "heat", "show":
		default:
			if hasContrary(does) {
				return true
			}
		}
	}
	return false
}

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
