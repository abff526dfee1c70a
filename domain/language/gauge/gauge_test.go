package gauge_test

import (
	"strings"
	"testing"

	"chalie/domain/language/gauge"
)

// told is a reading in one line.
func told(r gauge.Reading, ok bool) string {
	if !ok {
		return "-"
	}
	var out []string
	for _, f := range r.Figures {
		out = append(out, strings.TrimSpace(f.Label+" "+f.Text))
	}
	if len(out) == 0 {
		return "“" + r.State + "”"
	}
	return strings.Join(out, "; ")
}

// What a text says of a name is its value, its values, or how it is.
func TestOf(t *testing.T) {
	for _, c := range []struct{ name, also, others, text, data, about, want string }{
		{"AAPL", "", "MSFT", "AAPL 231.40", "", "", "231.40"},
		{"AAPL", "Apple", "MSFT", "Apple is at $231.40, up 2 %", "", "", "$231.40"},
		{"AAPL", "", "MSFT", `{"symbol":"AAPL","price":231.4}`, "", "", "231.4"},
		{"AAPL", "", "MSFT", "AAPL 231.40, MSFT 420.10", "", "", "231.40"},
		{"MSFT", "", "AAPL", "AAPL 231.40, MSFT 420.10", "", "", "420.10"},
		{"AAPL", "", "MSFT", "AAPL: up 2 % to 1,231.40 USD on 26 November 2026 at 15:30", "", "", "1,231.40 USD"},
		{"AAPL", "", "MSFT", "$231.40 for AAPL", "", "", "$231.40"},
		{"AAPL", "", "MSFT", "AAPL 229.00→231.40", "", "", "231.40"},
		{"AAPL", "", "MSFT", "AAPL 229.00 -> 231.40", "", "", "231.40"},
		{"AAPL", "", "MSFT", "AAPL fell below 230", "", "", "“fell below 230”"},
		{"AAPL", "", "MSFT", "AAPL traded between 228 and 232, closing at 231.40", "", "", "231.40"},
		{"basil", "", "mint", "Basil moisture dropped to 18 %", "", "", "moisture 18 %"},
		{"living room", "", "", "Temperature in the living room: 21.5 °C", "", "", "21.5 °C"},
		{"AAPL", "", "MSFT", "AAPL rose from 229.00 to 231.40", "", "", "231.40"},
		{"AAPL", "", "MSFT", "AAPL's last price: 231,40 €", "", "", "231,40 €"},
		{"AAPL", "", "MSFT", "AAPL 1.231,40 EUR", "", "", "1.231,40 EUR"},
		{"AAPL", "", "MSFT", "AAPL trades at USD 231.40", "", "", "USD 231.40"},
		{"AAPL", "", "MSFT", "AAPL gained 3.10 today", "", "", "“gained 3.10 today”"},
		{"AAPL", "", "MSFT", "MSFT 420.10", "", "", "-"},
		{"AAPL", "", "MSFT", "AAPL reports earnings on 2026-11-30", "", "", "“reports earnings on 2026-11-30”"},
		{"AAPL", "", "MSFT", "AAPL order 4711 was filled", "", "", "“order 4711 was filled”"},
		{"ON", "", "", "The light is on since 8", "", "", "-"},
		{"MSFT", "", "", "MSFT at $420.10, down 0.5% since the market opened; volume is 18,204,331 shares", `{"ticker":"MSFT","price":420.10,"change_pct":-0.5,"volume":18204331}`, "", "$420.10"},
		{"MSFT", "", "", "a new price", `{"ticker":"MSFT","price":420.10,"change_pct":-0.5,"volume":18204331}`, "", "420.10"},
		{"SPY", "", "", "Example Corp is up today, a significant broad-market move.", `{"symbol":"SPY"}`, "", "“Example Corp is up today, a significant broad-market move.”"},
		{"MSFT", "", "", "prices", `{"quotes":[{"s":"MSFT","last":"418","ts":1},{"s":"MSFT","last":"419.5","ts":1764185821}]}`, "", "419.5"},
		{"MSFT", "", "", "prices", `{"prices":{"AAPL":231.4,"MSFT":420}}`, "", "420"},
		{"basil", "", "mint", "basil: moisture 31 %", "", "", "moisture 31 %"},
		{"Basil", "", "mint", "basil: moisture 31 %, light: 540 lux", "", "", "moisture 31 %; light 540 lux"},
		{"basil", "", "mint", "The basil is dry. Water the mint.", "", "", "“dry”"},
		{"mint", "", "basil", "mint and basil are at 31 %", "", "", "31 %"},
		{"basil", "", "mint", "moisture 31 %", "", "basil-sensor soil", "moisture 31 %"},
		{"basil", "", "mint", `{"plant":"basil","moisture":31,"temperature":21.5,"battery_id":7}`, "", "", "moisture 31; temperature 21.5"},
		{"basil", "", "mint", "water the basil in 3 days", "", "", "“in 3 days”"},
		{"books", "", "", "Your books package: out for delivery, order 123456", "", "", "“package: out for delivery, order 123456”"},
		{"books", "", "", `{"package":"books","status":"out for delivery","eta":"15:00"}`, "", "", "“out for delivery”"},
		{"heating", "", "", "heating=21.5°C", "", "", "21.5°C"},
		{"freezer", "", "", "freezer -18 °C", "", "", "-18 °C"},
		{"freezer", "", "", "freezer model A-1771 of 2024", "", "", "“model A-1771 of 2024”"},
		{"freezer", "", "", "freezer 12/15, 10-12, 3rd, v2.0, 0047, 123456789", "", "", "“12/15, 10-12, 3rd, v2.0, 0047, 123456789”"},
		{"Bitcoin", "", "", "Bitcoin is worth 94'210.50 CHF", "", "", "worth 94'210.50 CHF"},
	} {
		var also []string
		if c.also != "" {
			also = []string{c.also}
		}
		var others []gauge.Name
		if c.others != "" {
			others = []gauge.Name{gauge.NameOf(c.others)}
		}
		got := told(gauge.Of(gauge.NameOf(c.name, also...), others, c.text, []byte(c.data), c.about))
		if got != c.want {
			t.Errorf("of %s in %q %s: %s, want %s", c.name, c.text, c.data, got, c.want)
		}
	}
}

// A text that names things by itself is read without their names.
func TestAll(t *testing.T) {
	for _, c := range []struct{ text, data, want string }{
		{"AAPL 231.40, MSFT 420.10", "", "AAPL=231.40 MSFT=420.10"},
		{"Apple is at $231.40, up 2 %", "", "Apple=$231.40"},
		{"see the data", `[{"symbol":"AAPL","price":231.4},{"symbol":"MSFT","price":420}]`, "AAPL=231.4 MSFT=420"},
		{"The strike is over", "", ""},
		{"moisture 31 %", "", "moisture=31 %"},
	} {
		var out []string
		for _, r := range gauge.All(c.text, []byte(c.data)) {
			out = append(out, r.Name+"="+told(r, true))
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// How many there are of something is no part of its name.
func TestCounted(t *testing.T) {
	for entry, want := range map[string]string{
		"10 AAPL": "AAPL|10", "10 shares of AAPL": "AAPL|10", "AAPL x 2.5": "AAPL|2.5", "AAPL: 10 shares": "AAPL|10", "MSFT, 1,000": "MSFT|1,000",
		"AAPL": "AAPL|", "basil": "basil|", "3M": "3M|", "route 66": "route 66|", "4x4 tyres": "4x4 tyres|",
	} {
		if name, count := gauge.Counted(entry); name+"|"+count != want {
			t.Errorf("%q is %q of %q, want %s", entry, count, name, want)
		}
	}
}

// A change is worked out in exact decimals, of values in the same unit only.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		before, now string
		want        gauge.Change // zero where they can't be compared
	}{
		{"229.00", "231.40", gauge.Change{Way: "up", By: "2.40", Share: "1"}},
		{"$231.40", "229", gauge.Change{Way: "down", By: "2.40", Share: "1"}},
		{"28 %", "31 %", gauge.Change{Way: "up", Points: "3"}},
		{"21 °C", "18.5 °C", gauge.Change{Way: "down", By: "2.5", Unit: "°C"}},
		{"5 kg", "6 kg", gauge.Change{Way: "up", By: "1", Unit: "kg", Share: "20"}},
		{"1,000", "1,000.00", gauge.Change{Way: "unchanged"}},
		{"€ 200", "$231", gauge.Change{}},
		{"31 %", "31", gauge.Change{}},
		{"0.1", "0.3", gauge.Change{Way: "up", By: "0.2", Share: "200"}},
		{"100000", "100001", gauge.Change{Way: "up", By: "1", Below: "0.1"}},
		{"$1.2 million", "$1.5 million", gauge.Change{Way: "up", By: "0.3", Share: "25"}},
		{"$1.2 million", "$900000", gauge.Change{}},
	} {
		read := func(text string) gauge.Figure {
			r, _ := gauge.Of(gauge.NameOf("x"), nil, "x "+text, nil, "")
			if len(r.Figures) != 1 {
				t.Fatalf("%q isn't read: %+v", text, r)
			}
			return r.Figures[0]
		}
		got, ok := read(c.now).Change(read(c.before))
		if got != c.want || ok != (c.want.Way != "") {
			t.Errorf("from %s to %s: %+v, want %+v", c.before, c.now, got, c.want)
		}
	}
}

// No text makes it fail, and a long one takes no longer than it is.
func FuzzOf(f *testing.F) {
	for _, text := range []string{"AAPL 231.40", `{"AAPL":{"price":1e400}}`, "AAPL: (+1,2 %) ²°", strings.Repeat("AAPL 1 ", 2000), "$ $ $", "AAPL \xff 3"} {
		f.Add(text, text)
	}
	name := gauge.NameOf("AAPL", "Apple")
	f.Fuzz(func(_ *testing.T, text, data string) {
		r, _ := gauge.Of(name, nil, text, []byte(data), data)
		for _, figure := range r.Figures {
			figure.Change(figure)
		}
		gauge.All(text, []byte(data))
	})
}
