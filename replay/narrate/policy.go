package narrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"chalie/domain"
)

// Rule is a rule of the policy as a sentence.
func Rule(r domain.PolicyRule) string {
	what := whatWords(r)
	who := whoWords(r)
	switch r.Verdict {
	case domain.VerdictDenied:
		if len(r.Actors) == 0 {
			return strings.NewReplacer("Anybody", "Nobody", "anybody", "nobody").Replace(who) + " may use " + what + "."
		}
		return who + " may not use " + what + "."
	case domain.VerdictApproval:
		return who + " may use " + what + " once you approved it, each time."
	}
	out := who + " may use " + what
	if r.SideEffects == nil || *r.SideEffects {
		switch r.Autonomy {
		case domain.AutonomyReadonly:
			out += ", but not what may change something"
		case domain.AutonomySupervised:
			out += "; what may change something waits for your approval"
		case domain.AutonomyFull:
			out += ", also what may change something"
		default:
			out += ", as far as the ceiling above goes"
		}
	}
	if r.Confirmed {
		return out + ". Asking for it counts as approving it."
	}
	return out + ". A tool that wants to be approved still asks."
}

// whoWords begins the sentence of a rule: its channel and actor.
func whoWords(r domain.PolicyRule) string {
	who := "anybody"
	if len(r.Actors) > 0 {
		who = either(mapped(r.Actors, Actor))
	}
	if len(r.Channels) > 0 {
		who = either(mapped(r.Channels, Channel)) + ", " + who
	}
	return strings.ToUpper(who[:1]) + who[1:]
}

func mapped(names []string, words func(string) string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = words(name)
	}
	return out
}

// actors are the words for actors: for any of a kind, and before the name of one.
var actors = map[string]struct{ any, named string }{
	domain.ActorOperator: {any: "you"}, domain.ActorReasoning: {any: "Chalie of its own accord"},
	"interface": {"an interface", "the interface"}, "program": {"a program with a token", "the program"},
}

// channels are the words for channels of requests.
var channels = map[string]string{
	domain.ChannelChat: "in the conversation", domain.ChannelMessage: "in a message", domain.ChannelAction: "by a button",
	domain.ChannelBackground: "when nobody asked", domain.ChannelGateway: "on its own page", domain.ChannelToken: "by a request with a token",
	domain.ChannelNested: "while carrying out something else", domain.ChannelMCP: "by MCP", "api": "on these pages or over the API", "socket": "on the command line",
}

// Actor names an actor in the middle of a sentence.
func Actor(actor string) string {
	kind, name, named := strings.Cut(actor, ":")
	known, ok := actors[kind]
	switch {
	case !ok:
		return actor
	case named && known.named != "":
		return known.named + " " + name
	}
	return known.any
}

// Channel names the channel of a request.
func Channel(channel string) string {
	if words, ok := channels[channel]; ok {
		return words
	}
	return "through " + channel
}

// whatWords are the tools that a rule is about.
func whatWords(r domain.PolicyRule) string {
	what := "any tool"
	if len(r.Capabilities) > 0 {
		what = either(r.Capabilities)
	}
	switch {
	case r.SideEffects == nil:
		return what
	case *r.SideEffects:
		return what + " that may change something"
	}
	return what + " that changes nothing"
}

func either(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// Ceiling tells how far Chalie may act by itself.
func Ceiling(a domain.Autonomy) string {
	switch a {
	case domain.AutonomyReadonly:
		return "What may change something isn't done, unless a rule below says otherwise."
	case domain.AutonomySupervised:
		return "What may change something waits for your approval, unless a rule below says otherwise."
	}
	return "What may change something is done, unless a rule below says otherwise."
}

// PolicyChanges are the differences of two policies, a sentence each.
func PolicyChanges(before, after domain.PolicyRules) []string {
	var out []string
	if before.Autonomy != after.Autonomy {
		out = append(out, fmt.Sprintf("The ceiling is %s; it was %s.", after.Autonomy, before.Autonomy))
	}
	if before.ApprovalMinutes != after.ApprovalMinutes {
		out = append(out, fmt.Sprintf("A question waits %s for you; it was %s.", Duration(time.Duration(after.ApprovalMinutes)*time.Minute), Duration(time.Duration(before.ApprovalMinutes)*time.Minute)))
	}
	if before.MaxDepth != after.MaxDepth {
		out = append(out, fmt.Sprintf("Tools may have other tools used %d deep; it was %d.", after.MaxDepth, before.MaxDepth))
	}
	return append(out, ruleChanges(before.Rules, after.Rules)...)
}

func ruleChanges(before, after []domain.PolicyRule) []string {
	var out, kept, now []string
	at := func(rules []domain.PolicyRule, name string) int {
		return slices.IndexFunc(rules, func(r domain.PolicyRule) bool { return r.Name == name })
	}
	for _, r := range before {
		if at(after, r.Name) < 0 {
			out = append(out, fmt.Sprintf("The rule %s is gone: %s", r.Name, Rule(r)))
		} else {
			kept = append(kept, r.Name)
		}
	}
	for i, r := range after {
		was := at(before, r.Name)
		switch {
		case was < 0:
			out = append(out, fmt.Sprintf("The rule %s is new, as number %d: %s", r.Name, i+1, Rule(r)))
			continue
		case !sameRule(before[was], r):
			out = append(out, fmt.Sprintf("The rule %s says: %s It was: %s", r.Name, Rule(r), Rule(before[was])))
		}
		now = append(now, r.Name)
	}
	if !slices.Equal(kept, now) {
		out = append(out, "The order is another: "+strings.Join(namesOf(after), ", ")+".")
	}
	return out
}

func namesOf(rules []domain.PolicyRule) []string {
	var out []string
	for _, r := range rules {
		out = append(out, r.Name)
	}
	return out
}

func sameRule(a, b domain.PolicyRule) bool {
	effects := a.SideEffects == b.SideEffects || a.SideEffects != nil && b.SideEffects != nil && *a.SideEffects == *b.SideEffects
	return effects && a.Verdict == b.Verdict && a.Autonomy == b.Autonomy && a.Confirmed == b.Confirmed && slices.Equal(a.Actors, b.Actors) &&
		slices.Equal(a.Channels, b.Channels) && slices.Equal(a.Capabilities, b.Capabilities) && slices.Equal(a.Obligations, b.Obligations)
}

// TrustChanges are the differences in the person's statements on tools, a sentence each.
func TrustChanges(before, after map[string]domain.CapabilityChanged) []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(after)) {
		if was, known := before[id]; !known || Trust(was) != Trust(after[id]) {
			out = append(out, Trust(after[id]))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if _, kept := after[id]; !kept {
			out = append(out, id+" speaks for itself again.")
		}
	}
	return out
}

// Trust is the person's statement on a tool.
func Trust(c domain.CapabilityChanged) string {
	var said []string
	if c.SideEffects != nil {
		said = append(said, map[bool]string{true: "it may change something", false: "it changes nothing"}[*c.SideEffects])
	}
	if c.RequiresApproval != nil {
		said = append(said, map[bool]string{true: "it wants your approval", false: "it doesn't want your approval"}[*c.RequiresApproval])
	}
	if c.Autonomy != nil {
		said = append(said, "it is trusted as "+string(*c.Autonomy))
	}
	if c.Unasked != nil {
		said = append(said, map[bool]string{true: "it may be used when you didn't ask, as long as it changes nothing", false: "it isn't used when you didn't ask"}[*c.Unasked])
	}
	if c.Ask != nil {
		said = append(said, map[domain.Asking]string{
			domain.AskAlways: "you want to be asked each time", domain.AskAsSaid: "it is done as you say it", domain.AskNever: "it needn't ask",
		}[*c.Ask])
	}
	if len(said) == 0 {
		return c.CapabilityID + " speaks for itself."
	}
	return "You say of " + c.CapabilityID + ": " + strings.Join(said, ", ") + "."
}
