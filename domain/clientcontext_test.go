package domain_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
)

func TestContextCheck(t *testing.T) {
	text := func(s string) *string { return &s }
	ppm := func(p domain.PPM) *domain.PPM { return &p }
	for _, c := range []struct {
		name  string
		in    domain.ContextUpdated
		field string // "-" when it is sound
	}{
		{"nothing", domain.ContextUpdated{}, "-"},
		{"a pole", domain.ContextUpdated{Location: &domain.Location{Lat: -90, Lon: 180}}, "-"},
		{"beyond a pole", domain.ContextUpdated{Location: &domain.Location{Lat: 90.1}}, "location"},
		{"beyond the date line", domain.ContextUpdated{Location: &domain.Location{Lon: -180.1}}, "location"},
		{"no number", domain.ContextUpdated{Location: &domain.Location{Lat: math.NaN()}}, "location"},
		{"full of energy", domain.ContextUpdated{Energy: ppm(domain.One)}, "-"},
		{"too much of it", domain.ContextUpdated{Energy: ppm(domain.One + 1)}, "energy"},
		{"too little", domain.ContextUpdated{Energy: ppm(-1)}, "energy"},
		{"focused", domain.ContextUpdated{Attention: text("focused")}, "-"},
		{"asleep", domain.ContextUpdated{Attention: text("asleep")}, "attention"},
		{"a long zone", domain.ContextUpdated{Timezone: text(strings.Repeat("x", 257))}, ""},
		{"an unprintable device", domain.ContextUpdated{Device: &domain.Device{Class: "ph\x00ne"}}, ""},
		{"a place that is no text", domain.ContextUpdated{Location: &domain.Location{Name: "\xff"}}, ""},
	} {
		err := c.in.Check()
		if c.field == "-" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if e, ok := errors.AsType[*domain.Error](err); !ok || e.Category != domain.Validation || e.Field != c.field {
			t.Errorf("%s: %v, want a validation error about %q", c.name, err, c.field)
		}
	}
}

// A snapped place is near, tells no more than its square, and stays when it is
// snapped again.
func TestSnapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := domain.Location{
			Lat: rapid.Float64Range(-85, 85).Draw(t, "lat"), Lon: rapid.Float64Range(-180, 180).Draw(t, "lon"), Name: "here",
		}
		snapped := at.Snapped()
		if d := kilometres(at, snapped); d > 0.9 {
			t.Fatalf("%+v is %.2f km from %+v", snapped, d, at)
		}
		if again := snapped.Snapped(); kilometres(again, snapped) > 0.05 || again.Name != "here" {
			t.Fatalf("snapped again %+v becomes %+v", snapped, again)
		}
	})
	pole := domain.Location{Lat: 90, Lon: 77}.Snapped()
	if math.IsNaN(pole.Lon) || math.IsInf(pole.Lon, 0) || pole.Lat != 90 {
		t.Errorf("the pole snaps to %+v", pole)
	}
}

func kilometres(a, b domain.Location) float64 {
	const degree = math.Pi / 180
	x := (a.Lon - b.Lon) * degree * math.Cos((a.Lat+b.Lat)/2*degree)
	y := (a.Lat - b.Lat) * degree
	return 6371 * math.Hypot(x, y)
}

func TestContextOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := func(label string) *string {
			if rapid.Bool().Draw(t, label+" known") {
				return nil
			}
			s := rapid.SampledFrom([]string{"Europe/Malta", "Asia/Tokyo"}).Draw(t, label)
			return &s
		}
		before, update := domain.ContextUpdated{Timezone: zone("before")}, domain.ContextUpdated{Timezone: zone("update")}
		want := update.Timezone
		if want == nil {
			want = before.Timezone
		}
		if got := update.Over(before).Timezone; got != want {
			t.Fatalf("%v over %v is %v", update.Timezone, before.Timezone, got)
		}
	})
}

// FuzzContext takes surroundings from anything, and only such as are in order.
func FuzzContext(f *testing.F) {
	f.Add([]byte(`{"location":{"lat":35.9,"lon":14.5,"name":"home"},"timezone":"Europe/Malta","device":{"class":"a","platform":"b"},"energy":0.5,"attention":"focused"}`))
	f.Add([]byte(`{"location":{"lat":1e999,"lon":-181},"timezone":"Local","device":[],"energy":2,"attention":"x"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := domain.ContextOf(body, func(name string) bool { return name == "Europe/Malta" })
		if err := got.Check(); err != nil {
			t.Fatalf("%q became %+v: %v", body, got, err)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var again domain.ContextUpdated
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatalf("%q became %s: %v", body, text, err)
		}
		if !json.Valid(body) && got != (domain.ContextUpdated{}) {
			t.Errorf("%q is no JSON and became %s", body, text)
		}
	})
}
