package domain

import (
	"fmt"
	"slices"
	"strings"
)

// UnknownCapability is what a rule names and nothing known is called. It may yet be
// offered: what offers it may come later.
type UnknownCapability struct {
	Rule  string
	Named string   // as the rule has it
	Near  []string // ids that may be meant, sorted
}

// String is a sentence for the person.
func (u UnknownCapability) String() string {
	said := fmt.Sprintf("rule %s names %q, which nothing known is called, so it doesn't match anything yet", clip(u.Rule, MaxNameBytes), clip(u.Named, MaxKeyBytes))
	if len(u.Near) > 0 {
		said += "; did you mean " + strings.Join(u.Near, " or ") + "?"
	}
	return said
}

// maxNear bounds the ids that are suggested for one.
const maxNear = 3

// Unknown are the capabilities that rules name and that match none of the known
// ids, in the order of the rules.
func (p PolicyRules) Unknown(known []string) []UnknownCapability {
	known = slices.Sorted(slices.Values(known))
	var out []UnknownCapability
	for _, r := range p.Rules {
		for _, named := range r.Capabilities {
			alone := PolicyRule{Capabilities: []string{named}}
			if slices.ContainsFunc(known, alone.concerns) {
				continue
			}
			out = append(out, UnknownCapability{r.Name, named, nearTo(named, known)})
		}
	}
	return out
}

// Channels are all through which something can be asked for, as rules name them.
func Channels() []string {
	return []string{ChannelChat, ChannelMessage, ChannelAction, ChannelBackground, ChannelGateway, ChannelToken, ChannelNested, "api", "socket"}
}

// UnknownChannels says, a sentence each, which channels rules name that nothing is
// asked for through; never nil.
func (p PolicyRules) UnknownChannels() []string {
	out := []string{}
	for _, r := range p.Rules {
		for _, named := range r.Channels {
			if !slices.Contains(Channels(), named) {
				out = append(out, fmt.Sprintf("rule %s names the channel %q, through which nothing is asked for, so it doesn't match anything; the channels are %s",
					clip(r.Name, MaxNameBytes), clip(named, MaxKeyBytes), strings.Join(Channels(), ", ")))
			}
		}
	}
	return out
}

// nearTo are the ids that may be meant: those of the same name of
// any interface, or else those that are spelt nearly so.
func nearTo(named string, known []string) []string {
	own := func(id string) string { return strings.ToLower(id[strings.LastIndexByte(id, '/')+1:]) }
	name := own(strings.TrimSuffix(named, "*"))
	if name == "" {
		return nil
	}
	// A letter may be wrong in a short word, two in a long one; more is another word.
	far := 1 + len(name)/5
	least := far
	for _, id := range known {
		least = min(least, edits(name, own(id), far))
	}
	near := slices.DeleteFunc(slices.Clone(known), func(id string) bool { return edits(name, own(id), far) > least })
	return near[:min(len(near), maxNear)]
}

// edits is the number of letters to change, insert or delete to make one word
// of another; far and one when it is more than far.
func edits(a, b string, far int) int {
	if max(len(a), len(b))-min(len(a), len(b)) > far {
		return far + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			same := above
			if a[i] != b[j] {
				same++
			}
			above = row[j+1]
			row[j+1] = min(same, row[j]+1, above+1)
		}
	}
	return min(row[len(b)], far+1)
}
