package relate_test

import (
	"fmt"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
)

// cycleTexts are n texts of one kind, over names that repeat now and then.
func cycleTexts(kind relate.Kind, n int) []relate.Text {
	names := []string{"Luigi's", "Marco Bellini", "Kastanienallee", "Dr. Nowak", "Harbour Lane Dental", "LH454", "Anna", "Bistro Verde", "Ostrava Central", "Pieter"}
	said := []string{
		"%s is closed tonight because of a broken pipe, says the owner",
		"Delays of up to 40 minutes around %s from Friday morning on",
		"New opening hours for %s announced this week, with a new menu and live music",
	}
	planned := []string{"dinner reservation at %s tomorrow", "call %s about the invoice", "pick up the parcel near %s before 18:00", "buy flowers for %s"}
	forms := planned
	if kind == relate.Signal {
		forms = said
	}
	out := make([]relate.Text, n)
	for i := range out {
		name := names[i%len(names)]
		if i%3 != 0 {
			name = fmt.Sprintf("%s %c%s", name, 'A'+i%26, fmt.Sprint("oru", i%89, "x"))
		}
		out[i] = relate.Text{
			ID: domain.ID{kind[0], byte(i >> 8), byte(i)}, Kind: kind, Text: fmt.Sprintf(forms[i%len(forms)], name),
			Source: "city-news", Topic: "news", At: now, Due: in(time.Duration(i) * time.Hour),
		}
	}
	return out
}

func readAll(texts []relate.Text) []relate.Terms {
	out := make([]relate.Terms, len(texts))
	for i, t := range texts {
		out[i] = relate.Read(t, time.UTC)
	}
	return out
}

// BenchmarkCycle is a cycle over 100 signals and 1,000 commitments: 20 ms is the
// most it may take, texts that were never read before included.
func BenchmarkCycle(b *testing.B) {
	signals, commitments := cycleTexts(relate.Signal, 100), cycleTexts(relate.Task, 1000)
	b.Run("cached", func(b *testing.B) {
		heard, open := readAll(signals), readAll(commitments)
		b.ReportAllocs()
		for b.Loop() {
			if len(relate.Relate(heard, open)) == 0 {
				b.Fatal("nothing is related")
			}
		}
	})
	b.Run("uncached", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if len(relate.Relate(readAll(signals), readAll(commitments))) == 0 {
				b.Fatal("nothing is related")
			}
		}
	})
}
