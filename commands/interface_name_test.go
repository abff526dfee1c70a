package commands_test

import (
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// TestNamesThatPassForOthers checks each way to a name: registering, a new name at
// a known place, and pairing.
func TestNamesThatPassForOthers(t *testing.T) {
	r := newReception(t)
	register := func(name string, port int) (commands.Registered, error) {
		return r.Register(t.Context(), commands.Registration{Name: name, Version: "1", Host: "127.0.0.1", Port: port})
	}
	weather, err := register("Weather", 4001)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := register("Lamp", 4002); err != nil {
		t.Fatal(err)
	}
	key := r.key()
	changes := func() (n int) {
		for _, rec := range r.records(domain.TopicInterfaces) {
			switch rec.Envelope.Type {
			case "interface.registered", "interface.paired", "pairing.key_used":
				n++
			}
		}
		return n
	}
	for _, name := range []string{
		"Chalie", "Сhalie", "Ｃｈａｌｉｅ", "Chal\u200bie", "Chali\u0301e", "CHAL1E", "ChaIie",
		"Chalie.", "C h a l i e", "«Chalie»", "Chalie ✓", "C-H-A-L-I-E", "C.ha|ie", "Y o u", "(you)", "Operator:",
		"\u202eeilahC", "Lamp\u202e", "La\u2066mp", "La\u200bmp", "Lamp\u200d", "La\u00admp", "La\u2028mp", "La\u0085mp", "Lamp\U000e0041",
		"you", "You", "Operator", "оperator",
		"Wеather", "Weather\u200b", "Ｗｅａｔｈｅｒ", "Wea\u0301ther", "weather", "Weather\u00a0", "\u200b\u3164",
	} {
		before := changes()
		for _, port := range []int{4002, 4003} {
			if _, err := register(name, port); domain.CategoryOf(err) != domain.Validation || domain.CodeOf(err) != "invalid" {
				t.Errorf("%+q at %d: %v", name, port, err)
			}
		}
		_, err := r.Pair(t.Context(), commands.PairRequest{Key: key, Name: name, Host: "127.0.0.1", Port: 4004})
		if domain.CategoryOf(err) != domain.Validation || domain.CodeOf(err) == domain.CodeUsedKey {
			t.Errorf("%+q pairing: %v", name, err)
		}
		if after := changes(); after != before {
			t.Errorf("%+q: %d records say so", name, after-before)
		}
	}
	for range 2 {
		if again, err := register("Weather", 4001); err != nil || again.New || again.ID != weather.ID {
			t.Errorf("it comes back as %+v, %v", again, err)
		}
	}
	// Its own name it may write in another way.
	if again, err := register("WEATHER", 4001); err != nil || again.ID != weather.ID {
		t.Errorf("its name in capitals: %+v, %v", again, err)
	}
	for port, name := range map[int]string{4010: "Погода", 4011: "天気", 4012: "छत की बत्ती", 4013: "Chalie's weather", 4014: "WEATHER",
		4015: "می\u200cخواهم", 4016: "👩\u200d🔧", 4017: "❤\ufe0f", 4018: "Chalie 2", 4019: "Yours"} {
		if _, err := register(name, port); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Pair(t.Context(), commands.PairRequest{Key: key, Name: "Термометр", Host: "127.0.0.1", Port: 4004}); err != nil {
		t.Errorf("the key is still good: %v", err)
	}
}
