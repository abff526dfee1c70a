package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay/narrate"
)

// refers fails unless the parts are the sentences, and each
// reference is to a record that the log has.
func (p *past) refers(sentences []string, parts [][]narrate.Part) {
	p.t.Helper()
	if len(sentences) != len(parts) {
		p.t.Fatalf("%d sentences have %d lists of parts", len(sentences), len(parts))
	}
	for i, sentence := range sentences {
		joined := ""
		for _, part := range parts[i] {
			joined += part.Text
			if part.About == nil {
				continue
			}
			rec, err := p.log.Find(p.t.Context(), part.About.ID)
			if err != nil || rec.Position != part.About.Position || rec.Envelope.Trace != part.About.Trace {
				p.t.Errorf("%q leads to %+v, which is %+v, %v", part.Text, part.About, rec, err)
			}
		}
		if joined != sentence {
			p.t.Errorf("the parts are %q, and the sentence is %q", joined, sentence)
		}
	}
}

// inParts writes a sentence with the positions of the records it speaks of.
func inParts(parts []narrate.Part) string {
	var out strings.Builder
	for _, part := range parts {
		if part.About == nil {
			out.WriteString(part.Text)
			continue
		}
		fmt.Fprintf(&out, "[%s](%d)", part.Text, part.About.Position)
	}
	return out.String()
}

// What somebody outside says can't lead anywhere, whatever characters it is made of.
func TestNobodyElseLeads(t *testing.T) {
	p := newPast(t)
	heard := p.signal("Rain\U00100000 at\U0010FFFD noon\U00100005 \U0010FFFC", 0.7)
	plan := begin(p, domain.PrincipalOperator, domain.MessageReceived{Text: "\U00100001\U00100002what\U0010FFFD?", Source: "text", ImageIDs: []domain.ID{}})
	for _, rec := range []domain.Record{heard, plan} {
		why := p.explained(rec.Envelope.ID.String())
		if told := strings.Join(why.Sentences, " "); !strings.Contains(told, "Rain at noon") && !strings.Contains(told, `asked "what?"`) {
			t.Errorf("it is told as %q", told)
		}
		p.effects(rec.Envelope.ID.String())
		if _, err := p.whyNot(rec.Envelope.ID.String(), nil); err != nil {
			t.Error(err)
		}
	}
}
