package domain

import (
	"maps"
	"slices"
	"time"
)

// Keep is how long the records of some topics are kept; 0 for ever. What something rests on is
// kept longer, with what explains it: see package retain.
type Keep struct {
	Signals   time.Duration // of the topic signals
	Reasoning time.Duration // of the topics reasoning and spine
}

// LeastKept is the shortest time to keep: requests are repeated for a day, and what is over is
// looked at for some more.
const LeastKept = 7 * 24 * time.Hour

const keepPrefix = "keep_"

func keepMeans(what string) string {
	return what + " goes when it is older than this and nothing rests on it; 0s for never"
}

// keptForEver says why no time to keep can be set for a topic.
var keptForEver = map[Topic]string{
	TopicMessages:    "it is what you said and what came of it",
	TopicInterfaces:  "it is who was let in, and what they may do",
	TopicTools:       "it is what was done, and by which yes",
	TopicPolicy:      "it is the rules by which all later calls are allowed",
	TopicSpine:       "it has the time to keep of reasoning, which it begins",
	TopicAccounts:    "it is who may log in, and who tried to",
	TopicCommitments: "it is what you planned",
	TopicMemory:      "it is what you asked Chalie to remember, and what you don't want to be told",
	TopicRequests:    "it is what programs asked to have done, and what they were answered",
	TopicSystem:      "it is by which program, and under which settings, everything was decided, and what went",
	TopicVoice:       "it is what was said aloud, by you and to you",
}

// KeptForEver says why no time to keep can be set for a topic; "" of one for which it can.
func KeptForEver(t Topic) string { return keptForEver[t] }

// TopicsKeptForEver are the topics for which none can be set, by name.
func TopicsKeptForEver() []Topic { return slices.Sorted(maps.Keys(keptForEver)) }

// Topics are the topics that have a time to keep, with it.
func (k Keep) Topics() []KeptFor {
	var out []KeptFor
	for _, one := range []KeptFor{
		{TopicSignals, Millis(k.Signals.Milliseconds())},
		{TopicReasoning, Millis(k.Reasoning.Milliseconds())},
		{TopicSpine, Millis(k.Reasoning.Milliseconds())},
	} {
		if one.For > 0 {
			out = append(out, one)
		}
	}
	return out
}
