package guard_test

import (
	"strings"
	"testing"

	"chalie/domain/guard"
)

// a returns n letters and digits that look random.
func a(n int) string {
	const some = "x7Kq9ZbT2mWv4LcR8nYp3HsD6fGj5Qa1E0uJ"
	return strings.Repeat(some, n/len(some)+1)[:n]
}

func TestSecretsGo(t *testing.T) {
	const key, tok, pass, private, card, code = "[redacted: api key]", "[redacted: token]", "[redacted: password]",
		"[redacted: private key]", "[redacted: card number]", "[redacted: card code]"
	jwt := "eyJ" + a(20) + ".eyJ" + a(40) + "." + a(43)
	for _, c := range []struct{ name, text, want string }{
		{"OpenAI", "use sk-" + a(48) + " for it", "use " + key + " for it"},
		{"OpenAI project", "sk-proj-" + a(20) + "-" + a(80) + ".", key + "."},
		{"Anthropic", "(sk-ant-api03-" + a(95) + ")", "(" + key + ")"},
		{"GitHub", "ghp_" + a(36), key},
		{"GitHub, fine", "github_pat_" + a(22) + "_" + a(59), key},
		{"GitLab", "glpat-" + a(20), key},
		{"AWS", "id AKIA" + "IOSFODNN7EXAMPLE, secret", "id " + key + ", secret"},
		{"Google", "AIza" + a(35), key},
		{"Slack", "xoxb-" + "123456789012-" + a(24), key},
		{"Slack hook", "https://hooks.slack.com/services/T00000000/B00000000/" + a(24), "https://" + key},
		{"Stripe", "sk_live_" + a(24), key},
		{"SendGrid", "SG." + a(22) + "." + a(43), key},
		{"npm", "//registry/:_authToken=npm_" + a(36), "//registry/:_authToken=" + tok},
		{"Telegram", "bot 123456789:AA" + a(33), "bot " + key},
		{"Hugging Face", "hf_" + a(34), key},
		{"within a run", "my.ghp_" + a(36), "my." + key},
		{"Chalie's", "chalie_" + a(43) + " is yours", tok + " is yours"},
		{"Chalie's, to pair", "chalie_pair_" + a(43), tok},
		{"Chalie's session", "Cookie: chalie_session=" + a(43) + "; x=1", "Cookie: chalie_session=" + tok + "; x=1"},
		{"Chalie's set-up link", "http://localhost:8081/setup?key=" + a(43), "http://localhost:8081/setup?key=" + key},
		{"JWT", "got " + jwt + ".", "got " + tok + "."},
		{"bearer", "Authorization: Bearer " + a(30), "Authorization: Bearer " + tok},
		{"bearer alone", "with bearer " + a(30) + ",", "with bearer " + tok + ","},
		{"basic", "authorization: Basic dXNlcjpwYXNzd29yZA==", "authorization: Basic " + tok},
		{"URL", "postgres://anna:hunter2@db.local:5432/x", "postgres://anna:" + pass + "@db.local:5432/x"},
		{"URL, at in the password", "https://u:p@ss:w@host/", "https://u:" + pass + "@host/"},
		{"pair", "password=hunter2", "password=" + pass},
		{"pair, spaces", "DB_PASSWORD = \"correct horse battery\"", "DB_PASSWORD = \"" + pass + "\""},
		{"pair, camel", "dbPassword: hunter", "dbPassword: " + pass},
		{"pair, two words", "Your API key: " + a(20), "Your API key: " + key},
		{"query", "https://a.b/c?x=1&access_token=" + a(20) + "&y=2", "https://a.b/c?x=1&access_token=" + tok + "&y=2"},
		{"JSON", `{"user":"anna","password":"hunter2","n":1}`, `{"user":"anna","password":"` + pass + `","n":1}`},
		{"JSON, spaces", `{ "client_secret" : "` + a(20) + `" }`, `{ "client_secret" : "` + tok + `" }`},
		{"JSON within JSON", `{\"password\": \"hunter2\"}`, `{\"password\": \"` + pass + `\"}`},
		{"env", "export AWS_SECRET_ACCESS_KEY=" + a(40), "export AWS_SECRET_ACCESS_KEY=" + key},
		{"header", "X-Api-Key: " + a(16), "X-Api-Key: " + key},
		{"markdown", "**Password:** hunter2", "**Password:** " + pass},
		{"sentence", "The password is hunter2.", "The password is " + pass + "."},
		{"sentence, a plain word", "The password is correcthorse", "The password is " + pass},
		{"sentence, a plain word that ends it", "the password is correcthorse. Keep it", "the password is " + pass + ". Keep it"},
		{"sentence, with a sign", "my password is Tr0ub4dor&3, I think", "my password is " + pass + ", I think"},
		{"colon, with a sign", "password: Tr0ub4dor&3", "password: " + pass},
		{"sentence, of full width", "Ｔｈｅ ｐａｓｓｗｏｒｄ ｉｓ ｈｕｎｔｅｒ２", "Ｔｈｅ ｐａｓｓｗｏｒｄ ｉｓ " + pass},
		{"pair, of full width", "password：hunter2", "password：" + pass},
		{"pair, with signs of no width", "pass\u200bword: hunt\u200ber2 \u200band", "pass\u200bword: " + pass + " \u200band"},
		{"sentence that says what for", "the password for the wifi is sunnyday22, ok?", "the password for the wifi is " + pass + ", ok?"},
		{"sentence in German", "Mein Passwort lautet geheim123", "Mein Passwort lautet " + pass},
		{"sentence in Spanish", "la clave del wifi es playa2024", "la clave del wifi es " + pass},
		{"security code", "security code 123", "security code " + code},
		{"dash", "Password - hunter2", "Password - " + pass},
		{"long dash", "Password – tr0ub4dor", "Password – " + pass},
		{"PIN", "PIN 4711", "PIN " + pass},
		{"PIN code", "my pin code is 4711.", "my pin code is " + pass + "."},
		{"PIN of a phone", "The PIN is 471108", "The PIN is " + pass},
		{"card code, bare", "cvv 123 on the back", "cvv " + code + " on the back"},
		{"card code, stated", "the CVC is 4711", "the CVC is " + code},
		{"bearer of letters", "Authorization header Bearer abcdefghijklmnop", "Authorization header Bearer " + tok},
		{"sentence, quoted", `the Passphrase is "correct horse"`, `the Passphrase is "` + pass + `"`},
		{"card", "pay with 4111111111111111 now", "pay with " + card + " now"},
		{"card, spaces", "4111 1111 1111 1111", card},
		{"card, dashes", "5500-0000-0000-0004.", card + "."},
		{"card, Amex", "3782 822463 10005", card},
		{"card code", "cvv: 123", "cvv: " + code},
		{"private key", "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nb", "a\n" + private + "\nb"},
		{"private key, cut off", "-----BEGIN PRIVATE KEY-----\nMIIE", private},
		{"several", "password=a1b2, token=" + a(12) + ", ghp_" + a(36), "password=" + pass + ", token=" + tok + ", " + key},
		{"beside other letters", "Schlüssel: ghp_" + a(36) + "…", "Schlüssel: " + key + "…"},
	} {
		clean, found := guard.Redact(c.text)
		if clean != c.want || len(found) == 0 {
			t.Errorf("%s: %q became %q, want %q", c.name, c.text, clean, c.want)
		}
		again, more := guard.Redact(clean)
		if again != clean || more != nil {
			t.Errorf("%s: %q became %q when redacted again", c.name, clean, again)
		}
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	for _, text := range []string{
		"", " ", "Luigi's is closed tonight", "Heavy rain expected this evening, 80% chance", "AAPL at $185.50, up 10.2% today",
		"550e8400-e29b-41d4-a716-446655440000", "id=01a1ff01-7102-7dab-ae2c-a0ff806d0097", "trace 01M7ZG2W82FPNTWB50ZY06T04Q: done",
		"0d156ffabb9d4f2c8e6a1b3c5d7e9f0123456789", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"md5 d41d8cd98f00b204e9800998ecf8427e", "commit 36b4661 Give the model tools", "h1:0qk3Y2Zb5cS7eJw9xkWv4LcR8nYp3HsD6fGj5Qa1E0u=",
		"order 1234567890123456", "1763752800000", "1763752800000000000", "tracking 1Z999AA10123456784", "snowflake 175928847299117063",
		"call +49 170 1234567 or 0800 123 456", "ISBN 978-3-16-148410-0", "IBAN DE89 3702 0044 0532 0130 00", "4111 1111 1111 1112", "order-4111111111111111",
		"version 1.26.0-rc.1+build.20261121", "192.168.178.20:8081", "https://example.com:8443/a/b?q=1&key=value", "http://user@host/x", "mailto:a@b.example",
		"the token expired", "token: expired", "tokens: 512", "max_tokens=4096", `{"input_tokens": 12345678, "next_page_token": "CAUQAA12345678"}`,
		"the password is important, as is the PIN", "your password is insecure", "The password is incorrect.", "the password is case-insensitive"[:16], "the password is somewhere else", "the password is written upstairs",
		"Password - Settings", "Password - a guide to what is good", "Password – the film", "pin 12 of the board", "PIN the note to the wall", "pin number please", "cvv is required", "the passphrase is long", "Bearer of bad news", "bearer responsibilities",
		"full width ＡＢＣ：１２３", "zero\u200bwidth", "the password is forgotten", "my pin is 12 characters long",
		"password: required", "Password: please change it soon", "your password is expired", "the password is wrong, try again", "password: ********", "password=<your password>", "password=${DB_PASSWORD}", "password=[redacted: password]",
		"Secret: a love story", "secretary: John Smith", "The secret is out", "api_key: none", "public_key: " + a(43), "primary key: 42", "key: value", "monkey: 12345678",
		"sk-learn is a library, sk-very-long-name-of-a-package-with-words", "npm_config_registry", "ghp_short", "AKIA is a prefix", "eyJ", "eyJhbGciOiJIUzI1NiJ9", "a.b.c",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "----- BEGIN", "bearer of good news and such", "Bearer token required", "meeting at 10:30, room: 4b; pass: no",
		"compass: north12", "bypass=yes", "pass the salt: now", "Basic plan", "8:00 dinner", "ratio 16:9", "file:///etc/passwd", "C:\\Users\\anna", "data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
		"Straße 12, 80331 München", "日本語のテキスト: これは秘密ではない", "\xff\xfe broken", "cvv: none", "rev: 123", "github.com/anna/repo/commit/0d156ffabb9d4f2c8e6a1b3c5d7e9f0123456789",
	} {
		if clean, found := guard.Redact(text); clean != text || found != nil {
			t.Errorf("%q became %q: %+v", text, clean, found)
		}
	}
}

func TestRedactSaysWhereAndWhat(t *testing.T) {
	text := "first password=hunter2 then ghp_" + a(36) + " then password=hunter3"
	_, found := guard.Redact(text)
	if len(found) != 3 || text[found[0].Start:found[0].End] != "hunter2" || text[found[1].Start:found[1].End] != "ghp_"+a(36) || text[found[2].Start:found[2].End] != "hunter3" {
		t.Fatalf("%+v", found)
	}
	if kinds := guard.Kinds(found); len(kinds) != 2 || kinds[0] != "password" || kinds[1] != "api key" {
		t.Errorf("the kinds are %q", kinds)
	}
	if guard.Kinds(nil) != nil {
		t.Error("nothing has kinds")
	}
}

func TestRedactJSON(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"nothing", `null`, `null`},
		{"untouched", "{ \"n\": 12345678901234567890, \"a\" : [1.50, \"x\\u0041\", true], \"password\": \"\" }", "{ \"n\": 12345678901234567890, \"a\" : [1.50, \"x\\u0041\", true], \"password\": \"\" }"},
		{"by name", `{"password":"correct horse","b":2}`, `{"password":"[redacted: password]","b":2}`},
		{"by name, a number", `{"password":12345678,"token_count":12345678,"id":4111111111111111}`, `{"password":"[redacted: password]","token_count":12345678,"id":4111111111111111}`},
		{"by name, a card", `{"cardNumber":4111111111111111,"cvv":"123"}`, `{"cardNumber":"[redacted: card number]","cvv":"[redacted: card code]"}`},
		{"by name, a list", `{"passwords":"two","password":["one","two!"],"c":"d"}`, `{"passwords":"two","password":["[redacted: password]","[redacted: password]"],"c":"d"}`},
		{"by shape", `["a","ghp_` + a(36) + `"]`, `["a","[redacted: api key]"]`},
		{"in a name", `{"ghp_` + a(36) + `":1}`, `{"[redacted: api key]":1}`},
		{"deep", `{"a":[{"b":{"client_secret":"` + a(20) + `"}}]}`, `{"a":[{"b":{"client_secret":"[redacted: token]"}}]}`},
		{"by name, of full width", `{"ｐａｓｓｗｏｒｄ":"correct horse"}`, `{"ｐａｓｓｗｏｒｄ":"[redacted: password]"}`},
		{"a pair of a block", `{"pairs":[{"key":"Password","value":"hunter2"},{"key":"User","value":"anna"}]}`, `{"pairs":[{"key":"Password","value":"[redacted: password]"},{"key":"User","value":"anna"}]}`},
		{"escaped", `{"t":"password\u003dhunter2 \u003cb\u003e"}`, `{"t":"password=[redacted: password] <b>"}`},
		{"authorization", `{"Authorization":"Bearer ` + a(20) + `"}`, `{"Authorization":"Bearer [redacted: token]"}`},
		{"text within", `{"log":"{\"password\":\"hunter2\"}"}`, `{"log":"{\"password\":\"[redacted: password]\"}"}`},
		{"no JSON", `password=hunter2`, `password=[redacted: password]`},
		{"after an object", `{"a":{"password":"x123"},"value":"hunter2"}`, `{"a":{"password":"[redacted: password]"},"value":"hunter2"}`},
	} {
		clean, found := guard.RedactJSON([]byte(c.raw))
		if string(clean) != c.want || (len(found) > 0) != (c.raw != c.want) {
			t.Errorf("%s: became %s with %+v, want %s", c.name, clean, found, c.want)
		}
		if again, more := guard.RedactJSON(clean); string(again) != c.want || more != nil {
			t.Errorf("%s: became %s when redacted again", c.name, again)
		}
	}
	if _, found := guard.RedactJSON([]byte(`["password=hunter2 ghp_` + a(36) + `"]`)); len(found) != 2 || found[0].Start != 1 || found[1].Kind != guard.APIKey {
		t.Errorf("two in one string are %+v", found)
	}
}
