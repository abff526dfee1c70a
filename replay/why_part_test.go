package replay_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/wording"
)

// refers fails unless the parts are the sentences, no mark is left in them, and each
// reference is to a record that the log has.
func (p *past) refers(sentences []string, parts [][]replay.Part) {
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
		if strings.ContainsFunc(sentence, func(r rune) bool { return r >= '\U00100000' }) {
			p.t.Errorf("a mark is left in %q", sentence)
		}
	}
}

// inParts writes a sentence with the positions of the records it speaks of.
func inParts(parts []replay.Part) string {
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
func TestMarksAreNobodyElses(t *testing.T) {
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

// Every gate that this package names has words.
func TestGatesHaveWords(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var gates []domain.Gate
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.SelectorExpr); ok && of.Sel.Name == "Gate" {
				for _, value := range spec.Values {
					gate, err := strconv.Unquote(value.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					gates = append(gates, domain.Gate(gate))
				}
			}
			return true
		})
	}
	if len(gates) < 25 {
		t.Fatalf("only %d gates are found: %q", len(gates), gates)
	}
	gates = append(gates, domain.GateBelowThreshold, domain.GateNotInFive, domain.GateExpired, domain.GateOverCapacity,
		domain.GateCooldown, domain.GateAlreadyTold, domain.GateAttention)
	for _, gate := range gates {
		if !wording.KnowsGate(gate) {
			t.Errorf("the gate %q has no words", gate)
		}
	}
}
