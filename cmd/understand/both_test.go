package main

import (
	"cmp"
	"slices"
	"testing"

	"chalie/commands/tool"
	"chalie/domain/language/speech"
	tongue "chalie/domain/language/tongues"
)

// better are the messages whose words differ from how their English sentence was told, for the better:
// numbers and genders agree.
var better = []string{"fr plans.sure", "fr plan.which", "fr plan.none_like", "fr plans.ended", "es plans.ended"}

// compareWords holds what skills say as values to how its English sentence is told, in every language, as
// long as both ways are there.
func compareWords(t *testing.T, call tool.SkillCall, done tool.SkillDone) {
	t.Helper()
	tongues := map[string]*tongue.Tongue{"de": tongue.German, "fr": tongue.French, "es": tongue.Spanish}
	classes := map[speech.Look]tongue.Class{speech.Label: tongue.Label}
	v := speech.Voice{Now: call.Now, Zone: call.Zone}
	for _, c := range speech.All()[1:] {
		for _, p := range done.Said {
			english, own := speech.English().Sentences(p, v), c.Sentences(p, v)
			told := tongues[c.Language].Tell(english, cmp.Or(classes[p.As], tongue.Sentence))
			if told != english && told != own && !slices.Contains(better, c.Language+" "+string(p.Says[0].ID)) {
				t.Errorf("%s %s:\n  %s\n  told: %s\n  says: %s", c.Language, p.Says[0].ID, english, told, own)
			}
		}
	}
}

func TestWordsOfBothWays(t *testing.T) {
	all, err := readOwn()
	if err != nil {
		t.Fatal(err)
	}
	whenDone = func(call tool.SkillCall, done tool.SkillDone) { compareWords(t, call, done) }
	defer func() { whenDone = nil }()
	if err := measure(t.Context(), all, func(request, outcome) {}); err != nil {
		t.Fatal(err)
	}
	for _, dialogues := range []func(*testing.T){TestTalks, TestFollowUps, TestCorrections} {
		dialogues(t)
	}
}
