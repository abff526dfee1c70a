package tongues_test

import (
	"testing"

	"chalie/domain/language/tongues"
)

func TestAloud(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Hello there.", "Hello there."},
		{"**bold** and _it_", "bold and it"},
		{"*it* and __bold__ and ***both***", "it and bold and both"},
		{"**bold *it* there** and ~~gone~~", "bold it there and gone"},
		{"_one_ _two_ _three_", "one two three"},
		{"## Today", "Today"},
		{"# Today #", "Today"},
		{"Today\n=====\nRain", "Today\nRain"},
		{"- milk\n* eggs\n+ tea\n- [ ] rent\n- [x] mail", "milk\neggs\ntea\nrent\nmail"},
		{"1. milk\n2. eggs", "1. milk\n2. eggs"},
		{"> quoted\n> > twice", "quoted\ntwice"},
		{"see [the page](https://example.org/a_(b)) now", "see the page now"},
		{"see [the page][1], ![a cat](cat.png \"Tom\") and <https://example.org>", "see the page, a cat and https://example.org"},
		{"run `go test` now", "run go test now"},
		{"```go\nfunc main() {}\n```\ndone", "func main() {}\ndone"},
		{"| day | rain |\n|---|:--:|\n| Monday | 3 mm |", "day, rain\nMonday, 3 mm"},
		{"one\n\n---\n\ntwo", "one\n\n\ntwo"},
		{"Tom &amp; Anna <b>now</b>", "Tom & Anna  now "},
		{`2 \* 3 and \_x\_`, "2 * 3 and _x_"},
		// What is no Markdown.
		{"2 * 3 * 4 = 24", "2 * 3 * 4 = 24"},
		{"snake_case_name and __init__.py", "snake_case_name and init.py"},
		{"5 < 6 > 4, #42, [x], -3 °C", "5 < 6 > 4, #42, [x], -3 °C"},
		{"a_b, c_d", "a_b, c_d"},
		{"**", "**"},
		{"---", "---"},
		{"![](x.png)", "![](x.png)"},
		{"", ""},
	} {
		if got := tongues.Aloud(c.text); got != c.want {
			t.Errorf("%q is read as %q, want %q", c.text, got, c.want)
		}
		if again := tongues.Aloud(tongues.Aloud("Read: " + c.text)); again == "" {
			t.Errorf("%q is read as nothing", c.text)
		}
	}
}
