package models_test

import (
	"reflect"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func TestText(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t, d.says(spoken{text: "Luigi's is **closed** tonight [#1], and you have a table there [#2:90].\n\n@@ topic: dinner plans; confidence: 85; urgent: yes"}))
		p := asks("anything about dinner?")
		p.World = []commands.InMind{item(11, domain.ItemSignal, "Luigi's is closed tonight", 700_000), item(12, domain.ItemReminder, "dinner at Luigi's", 900_000)}
		got, err := m.Reply(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		want := commands.Reply{
			Blocks: []domain.Block{domain.TextBlock("Luigi's is **closed** tonight, and you have a table there.", domain.FormatMarkdown)},
			Topic:  "dinner plans", Mode: domain.ModeRespond, Confidence: 850_000, Urgent: true,
			Used: []domain.Evidence{{EnvelopeID: id(11), Role: "heard", Weight: 700_000}, {EnvelopeID: id(12), Role: "planned", Weight: 900_000}},
			// 100 × $2 and 30 × $10 for a million; what a cache had costs nothing here.
			Usage: domain.Usage{InputTokens: 100, OutputTokens: 30, CacheReadTokens: 20, CostMicros: 500},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("it says\n%+v\nwant\n%+v", got, want)
		}
		asked := server.questions()
		if len(asked) != 1 || asked[0].path != d.path {
			t.Errorf("it was asked %+v", asked)
		}
		if key := d.keyed(asked[0].header.Get); key != testKey {
			t.Errorf("the key is %q", key)
		}
		contains(t, asked[0].body, `"stream":true`, "anything about dinner?", `Luigi's is closed tonight`, "Monday, 21 September 2026, 14:13 (UTC)", "2 min ago")
	})
}
