package builtinmodel_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
)

// manyTools are as many as a model is ever offered, each with words of its own.
func manyTools(t testing.TB) []language.Offered {
	out := append(skillsOffered(t), house...)
	for i := len(out); i < reasoning.MaxOffered; i++ {
		out = append(out, language.Offered{
			Name: fmt.Sprintf("machine%d.start", i), Interface: "Plant", SideEffects: true,
			Description: fmt.Sprintf("Start machine %d of the plant, with its %s.", i, strings.Repeat("pump, valve and sensor ", 8)),
			Parameters:  []domain.Parameter{text("speed", true, "How fast."), of(domain.TypeInteger, "minutes", false)},
		})
	}
	return out
}

func BenchmarkReply(b *testing.B) {
	tools := manyTools(b)
	for _, c := range []struct{ name, said string }{
		{"skill", "remind me: dinner reservation at Luigi's in 2 hours"},
		{"tool", "what's the weather in Valletta?"},
		{"nothing", "the sky over the harbour is blue and the boats lie still"},
		{"German", "Erinnere mich bitte am Freitag um halb neun daran, den Zahnarzt anzurufen"},
		{"French, longest", strings.Repeat("mets du lait et demain à 8h ", 9)},
		{"longest", strings.Repeat("put milk and on the list ", 19)},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := offers(b, c.said)
			p.Tools = tools
			for b.Loop() {
				if _, err := model.Reply(context.Background(), p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("cycle", func(b *testing.B) {
		p := cycle()
		for i := range 64 { // as many as an episode keeps of 100 signals and 1,000 commitments
			p.Related = append(p.Related, language.Related{Signal: heard(byte(i), fmt.Sprint("Luigi's is closed ", i)),
				Commitment: planned(byte(100+i%40), domain.ItemTask, fmt.Sprint("dinner at Luigi's ", i%40), 0), Score: domain.One - domain.PPM(i), Shared: []string{`both name "Luigi's"`}})
		}
		for b.Loop() {
			if _, err := model.Reply(context.Background(), p); err != nil {
				b.Fatal(err)
			}
		}
	})
}
