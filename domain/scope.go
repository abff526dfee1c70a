package domain

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// MaxScopes bounds the keys of one category of scopes.
const MaxScopes = 256

// Scopes are what an interface asks to be allowed: in each category the keys it
// wants, with its own words on why. A category may be missing.
type Scopes struct {
	Context  map[string]string `json:"context,omitempty"`  // fields of the person's context it reads
	Signals  map[string]string `json:"signals,omitempty"`  // types it sends
	Messages map[string]string `json:"messages,omitempty"` // topics it speaks about
}

// Approval is what the person allowed of it, sorted, each key once. Nothing is
// allowed that isn't here.
type Approval struct {
	Context  []string `json:"context"`
	Signals  []string `json:"signals"`
	Messages []string `json:"messages"`
}

// Context fields that can be allowed.
const (
	ContextLocation  = "location"
	ContextTimezone  = "timezone" // local_time comes with it
	ContextDevice    = "device"
	ContextEnergy    = "energy"
	ContextAttention = "attention"
)

// Check returns a validation error about a key that is out of bounds.
func (s Scopes) Check() error {
	for _, c := range []struct {
		name string
		keys map[string]string
	}{{"context", s.Context}, {"signals", s.Signals}, {"messages", s.Messages}} {
		if len(c.keys) > MaxScopes {
			return Invalid("check scopes", "scopes", fmt.Sprintf("scopes.%s has %d keys, the bound is %d", c.name, len(c.keys), MaxScopes))
		}
		for key, why := range c.keys {
			if key == "" || len(key) > MaxSignalTypeBytes || hasControl(key) || !utf8.ValidString(key) || len(why) > 4*MaxTopicHintBytes || !utf8.ValidString(why) {
				return Invalid("check scopes", "scopes", fmt.Sprintf("scopes.%s holds a key or description that is empty, too long or unprintable: a key has at most %d bytes, a description %d",
					c.name, MaxSignalTypeBytes, 4*MaxTopicHintBytes))
			}
		}
	}
	return nil
}

// Equal reports whether the same is asked for in the same words.
func (s Scopes) Equal(o Scopes) bool {
	return maps.Equal(s.Context, o.Context) && maps.Equal(s.Signals, o.Signals) && maps.Equal(s.Messages, o.Messages)
}

// Without is what is asked for beyond an approval. A category of which nothing is
// left is missing.
func (s Scopes) Without(a Approval) Scopes {
	return Scopes{Context: without(s.Context, a.Context), Signals: without(s.Signals, a.Signals), Messages: without(s.Messages, a.Messages)}
}

// Empty reports whether nothing is asked for.
func (s Scopes) Empty() bool {
	return len(s.Context) == 0 && len(s.Signals) == 0 && len(s.Messages) == 0
}

// NewApproval sorts what was allowed and leaves out doubles.
func NewApproval(context, signals, messages []string) Approval {
	return Approval{Context: sortedSet(context), Signals: sortedSet(signals), Messages: sortedSet(messages)}
}

// Within is what of the approval is also asked for.
func (a Approval) Within(s Scopes) Approval {
	return Approval{Context: within(a.Context, s.Context), Signals: within(a.Signals, s.Signals), Messages: within(a.Messages, s.Messages)}
}

// Empty reports whether nothing is allowed.
func (a Approval) Empty() bool {
	return len(a.Context) == 0 && len(a.Signals) == 0 && len(a.Messages) == 0
}

// Equal reports whether the same is allowed.
func (a Approval) Equal(o Approval) bool {
	return slices.Equal(a.Context, o.Context) && slices.Equal(a.Signals, o.Signals) && slices.Equal(a.Messages, o.Messages)
}

func without(asked map[string]string, allowed []string) map[string]string {
	var out map[string]string
	for key, why := range asked {
		if slices.Contains(allowed, key) {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[key] = why
	}
	return out
}

func within(keys []string, asked map[string]string) []string {
	out := []string{}
	for _, k := range keys {
		if _, ok := asked[k]; ok {
			out = append(out, k)
		}
	}
	return out
}

func sortedSet(keys []string) []string {
	out := slices.Clone(keys)
	slices.Sort(out)
	out = slices.Compact(out)
	if out == nil {
		out = []string{}
	}
	return out
}
