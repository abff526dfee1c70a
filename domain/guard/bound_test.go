package guard_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"chalie/domain/guard"
)

// signal is what a machine reports in 300 bytes.
const signal = "Heavy rain is expected this evening between 18:00 and 22:30, with a chance of 80% and up to 12 mm per hour. " +
	"Trains of line S3 (trip 20261121-4471) run ten minutes late; see https://weather.example.org/alerts?id=550e8400-e29b-41d4-a716-446655440000 " +
	"for the map, or ask the station desk about it."

func FuzzRedact(f *testing.F) {
	f.Add("password=hunter2 ghp_" + a(36))
	f.Add(`{"a":"sk-` + a(40) + `"}`)
	f.Add("-----BEGIN PRIVATE KEY----- https://a:b@c/ 4111 1111 1111 1111 is password is x1y2z3 é")
	f.Fuzz(func(t *testing.T, text string) {
		clean, found := guard.Redact(text)
		last := 0
		for _, s := range found {
			if s.Start < last || s.End <= s.Start || s.End > len(text) || s.Kind == "" {
				t.Fatalf("%q: %+v", text, found)
			}
			last = s.End
		}
		if (clean == text) != (len(found) == 0) {
			t.Fatalf("%q became %q with %+v", text, clean, found)
		}
		if utf8.ValidString(text) && !utf8.ValidString(clean) {
			t.Fatalf("%q became %q, which is not UTF-8", text, clean)
		}
		for _, th := range guard.Threats(text) {
			if th.Start < 0 || th.End > len(text) || th.Start >= th.End || th.Pattern == "" {
				t.Fatalf("%q: %+v", text, th)
			}
		}
	})
}

func FuzzRedactJSON(f *testing.F) {
	f.Add([]byte(`{"password":["a",{"key":"Secret","value":"x1y2z3a4b5"}],"n":-1.5e3}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		clean, _ := guard.RedactJSON(raw)
		guard.ThreatsJSON(raw)
		if json.Valid(raw) != json.Valid(clean) && json.Valid(raw) {
			t.Fatalf("%q became %q, which is no JSON", raw, clean)
		}
		if !json.Valid(raw) {
			return
		}
		if was, is := skeleton(t, raw), skeleton(t, clean); was != is {
			t.Fatalf("%q became %q: %s, then %s", raw, clean, was, is)
		}
	})
}

// skeleton is a JSON text without its strings and numbers.
func skeleton(t *testing.T, raw []byte) string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var b strings.Builder
	for {
		token, err := dec.Token()
		if err != nil {
			return b.String()
		}
		if d, ok := token.(json.Delim); ok {
			b.WriteString(d.String())
		} else {
			b.WriteByte('.')
		}
	}
}

// TestHostileTextsTakeLinearTime reads texts that have many false beginnings. Whatever
// reads one of them in quadratic time takes minutes, and outlasts go test's own limit.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	const size = 256 << 10
	for _, unit := range []string{
		"a", "-", ":", "=", `"`, "sk-", "sk-a-", "eyJ.", "password", "password:", "password=\\", `"\`, "://", "://a:", "a@", "1", "4111 ", "1-", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----",
		"ghp_", "bearer ", "Bearer a1", "password is ", "key=", "?key=", "aaaaaaaaaaaa-", "aaaaaaaaaaaaB1 ", "ignore ", "ignore previous ", "you are now ", "<", "<!--", "[", "![", "![a](http", "\u200b", "\U000E0041", "é", "Ａ", "A1b2/", "\xff",
	} {
		text := strings.Repeat(unit, size/len(unit))
		if clean, _ := guard.Redact(text); clean == "" {
			t.Errorf("nothing is left of %q", unit)
		}
		guard.Threats(text)
	}
}

func TestHostileJSONTakesLinearTime(t *testing.T) {
	const size = 256 << 10
	for _, unit := range []string{`"",`, `"password=\"",`, `{"key":"password","value":1},`, `[],`, `1,`, `"ignore",`} {
		raw := []byte("[" + strings.Repeat(unit, size/len(unit)) + "0]")
		if !json.Valid(raw) {
			t.Fatalf("%s makes no JSON", unit)
		}
		if clean, _ := guard.RedactJSON(raw); !json.Valid(clean) {
			t.Errorf("what is left of %q is no JSON", unit)
		}
		guard.ThreatsJSON(raw)
	}
}

func TestDeepJSONIsRead(t *testing.T) {
	deep := strings.Repeat("[", 5000) + `"password=hunter2"` + strings.Repeat("]", 5000)
	if clean, found := guard.RedactJSON([]byte(deep)); len(found) != 1 || !json.Valid(clean) {
		t.Errorf("%d found", len(found))
	}
}

func BenchmarkSignal(b *testing.B) {
	for name, read := range map[string]func(){
		"redact":  func() { guard.Redact(signal) },
		"threats": func() { guard.Threats(signal) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(signal)))
			b.ReportAllocs()
			for b.Loop() {
				read()
			}
		})
	}
}

func TestAnOrdinarySignalIsNotCopied(t *testing.T) {
	if allocs := testing.AllocsPerRun(100, func() { guard.Redact(signal); guard.Threats(signal) }); allocs > 0 {
		t.Errorf("%v allocations for a text without anything in it", allocs)
	}
}
