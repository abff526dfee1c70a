package relate_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chalie/domain"
	"chalie/domain/relate"
)

var hostile = map[string]string{
	"nothing":             "",
	"spaces":              " \t\r\n\u00a0\u2028",
	"a megabyte of words": strings.Repeat("Luigi's kayak ", 1<<20/14),
	"one word":            strings.Repeat("a", 1<<20),
	"apostrophes":         strings.Repeat("'’", 1<<15),
	"hyphens":             strings.Repeat("a-", 1<<16),
	"possessives":         strings.Repeat("'s", 1<<16) + " s' 's x's",
	"digits":              strings.Repeat("1.", 1<<16),
	"marks":               "e" + strings.Repeat("\u0301", 1<<16),
	"no UTF-8":            "Luigi\xff\xfe's \xc3\x28 \xf0\x9f\x92",
	"nulls":               "Luigi\x00s\x00\x00closed",
	"right to left":       "\u202eعشاء في مطعم لويجي الليلة\u202c שלום",
	"emoji":               "🍝🍷 Luigi's 👨‍👩‍👧‍👦 closed 🚫",
	"one script":          "ルイージの店は今夜休業です",
	"signs":               strings.Repeat("#$%&/()=?", 1<<14),
}

func TestHostileTexts(t *testing.T) {
	honest := planned("dinner reservation at Luigi's", in(2*time.Hour))
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			s := heard(text, text, text)
			c := relate.Read(relate.Text{ID: domain.ID{3}, Kind: relate.Task, Text: text, Topic: text}, nil)
			for _, r := range relate.Relate([]relate.Terms{s}, []relate.Terms{honest, c}) {
				checkRelation(t, r)
			}
			if testing.AllocsPerRun(1, func() { heard(text, "", "") }) > 10_000 {
				t.Error("reading it costs what its length costs, not what is read of it")
			}
		})
	}
}

func checkRelation(t *testing.T, r relate.Relation) {
	t.Helper()
	if r.Score < 0 || r.Score > domain.One {
		t.Errorf("score %d", r.Score)
	}
	for _, e := range r.Evidence {
		if words := e.Words(); !utf8.ValidString(words) || len(words) > 2000 {
			t.Errorf("evidence %q", words)
		}
	}
}

func TestHostileNamesAreStillRead(t *testing.T) {
	honest := planned("dinner reservation at Luigi's", in(2*time.Hour))
	for _, text := range []string{
		"🍝🍷 Luigi's 👨‍👩‍👧‍👦 closed 🚫", "LUIGI'S IS CLOSED", "luigi’s is closed", "\u202dLuigi's\u202c is closed", "Ｌｕｉｇｉ's is closed", "Luìgi's is closed",
	} {
		if r := relate.Between(heard(text, "", ""), honest); !r.Surfaces() {
			t.Errorf("%q: %v, %v", text, r.Score, r.Evidence)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range hostile {
		f.Add(text[:min(len(text), 4096)], "city-news", "restaurants", int64(now), int64(now))
	}
	f.Add("flight LH 454 on 21 May from gate B12, order #77120", "airport", "travel", int64(now), int64(-1))
	f.Fuzz(func(t *testing.T, text, source, topic string, at, due int64) {
		zone := time.FixedZone("", int(due%50_000))
		in := relate.Text{ID: domain.ID{1}, Kind: relate.Signal, Text: text, Source: source, Topic: topic, At: domain.Millis(at), Due: domain.Millis(due)}
		s := relate.Read(in, zone)
		in.ID, in.Kind = domain.ID{2}, relate.Task
		c := relate.Read(in, zone)
		r := relate.Between(s, c)
		checkRelation(t, r)
		again := relate.Between(relate.Read(relate.Text{
			ID: domain.ID{1}, Kind: relate.Signal, Text: text, Source: source, Topic: topic, At: domain.Millis(at), Due: domain.Millis(due),
		}, zone), c)
		if show([]relate.Relation{r}) != show([]relate.Relation{again}) {
			t.Fatalf("read twice, it relates differently:\n%+v\n%+v", r, again)
		}
	})
}

// BenchmarkSpite is a cycle in which everything says the same at length.
func BenchmarkSpite(b *testing.B) {
	text := strings.Repeat("Kestrel mooring Vandermeer LH454 gate B12 closed tonight at 19:40 orchid quince saffron velvet marble copper ", 20)
	signals, commitments := make([]relate.Terms, 100), make([]relate.Terms, 1000)
	for i := range signals {
		signals[i] = heard(text, "", "")
	}
	for i := range commitments {
		commitments[i] = planned(text, now)
	}
	for b.Loop() {
		relate.Relate(signals, commitments)
	}
}
