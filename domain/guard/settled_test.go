package guard_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain/guard"
)

// written are pieces of texts that hold secrets, and that look as if they did.
var written = []string{
	" ", " ", " ", "\n", "\t", ".", ",", ":", "=", "-", "*", `"`, "'", "`", `\`, "/", "@", "?", "é", "日本", "…",
	"PIN ", "pin code is ", "cvv ", " - ", " – ", "４７１１", "ｐａｓｓｗｏｒｄ", "：", "\u200b", "correcthorse", "Tr0ub4dor&3", "&", "code",
	"word", "Password", "password", "passphrase", " is ", "password is ", "the password is \"", "API key: ", "max token: ", "token", "secret", "key=", "?key=",
	"Authorization: ", "Basic ", "Bearer ", "bearer ", "hunter2", "please change it", "dXNlcjpwYXNz",
	"4111", "1111", "4111 1111 1111 1111", "4111111111111111", "3782 822463 10005", "1 2 3 4 5 6 7 8", "cvv: 123",
	"sk-" + a(24), "ghp_" + a(36), a(12), a(40), "eyJ" + a(20) + ".eyJ" + a(20) + "." + a(20), "123456789:AA" + a(33),
	"-----BEGIN ", "RSA ", "PRIVATE KEY", "-----", "-----BEGIN PRIVATE KEY-----\nMIIE\n", "-----END PRIVATE KEY-----",
	"https://", "anna:hunter2@", "://", "db.local", "[redacted: password]", "hooks.slack.com/services/", "<", ">", "{", "}",
}

// What was shown of a text stays, whatever follows: it is the beginning of what is shown of
// more of it, and of all of it.
func TestWhatIsSettledStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(written), 1, 24).Draw(t, "pieces"), "")
		whole, _ := guard.Redact(text)
		shown := ""
		for n := 0; n <= len(text); n += rapid.IntRange(1, 9).Draw(t, "more") {
			now := guard.Settled(text[:n])
			if !strings.HasPrefix(now, shown) {
				t.Fatalf("of %q %q is settled, and before it was %q", text[:n], now, shown)
			}
			if !strings.HasPrefix(whole, now) {
				t.Fatalf("of %q %q is settled, and all of %q is %q", text[:n], now, text, whole)
			}
			shown = now
		}
	})
}

func TestSettledWaitsForLittle(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"Hello", ""}, {"Hello there, Ada", "Hello there, "}, {"It is on Friday", "It is on "},
		{"The password is hunter2 and", "The password is [redacted: password] "}, {"The password is hunter2", "The password is "},
		{"Password: please change", "Password: please "}, {"Password: please change it", "Password: please change "},
		{`password: "correct horse`, `password: "`}, {`password: "correct horse" `, `password: "[redacted: password]" `},
		{"pay with 4111 1111 1111 ", "pay with "}, {"in 2026 it", "in 2026 "},
		{"a -----BEGIN PRIVATE KEY-----\nMIIE\nabc\n", "a "}, {"今日は晴れ", "今日は晴れ"}, {"see https://a.example/b now", "see https://a.example/b "},
	} {
		if got := guard.Settled(c.text); got != c.want {
			t.Errorf("of %q %q is settled, want %q", c.text, got, c.want)
		}
	}
}

func TestSettledJSON(t *testing.T) {
	const object = `{"what":"dinner, at 8","password":"hunter2","n":12,"list":[{"a":"}"},2],"key":"password","value":"x1y2z3a4"}`
	whole, found := guard.RedactJSON([]byte(object))
	if len(found) != 2 {
		t.Fatalf("%d secrets are in %s", len(found), whole)
	}
	shown := ""
	for n := range len(object) + 1 {
		now := guard.SettledJSON(object[:n])
		if !strings.HasPrefix(now, shown) || !strings.HasPrefix(string(whole), now) {
			t.Fatalf("of %s %s is settled, and before it was %s", object[:n], now, shown)
		}
		shown = now
	}
	if shown != string(whole) || !json.Valid([]byte(shown)) {
		t.Errorf("of all of it %s is settled, want %s", shown, whole)
	}
	for text, want := range map[string]string{"": "", "{": "", `{"a":1`: "", `{"a":1,`: `{"a":1`, `{"a":1}`: `{"a":1}`, "{}": "{}", "[1,2": "", "null": "", `{"a":oops,`: ""} {
		if got := guard.SettledJSON(text); got != want {
			t.Errorf("of %q %q is settled, want %q", text, got, want)
		}
	}
}

func TestHostileTextsSettleInLinearTime(t *testing.T) {
	const size = 128 << 10
	for _, unit := range []string{"password: ", "password=\"", " is ", "password is ", "://", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "1 ", "a", "é", "\xff", "=", ":"} {
		guard.Settled(strings.Repeat(unit, size/len(unit)))
		guard.SettledJSON(`{"a":"` + strings.Repeat(unit, size/len(unit)))
	}
}
