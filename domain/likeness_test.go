package domain

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLookAlike(t *testing.T) {
	for _, name := range []string{
		"Chalie", "chalie", " Chalie ", "Сhalie", "Chаlie", "Сһаⅼіе", "Ｃｈａｌｉｅ", "Ch\u200balie", "Chalie\u2060", "\u202eChalie", "Cha\u00adlie",
		"Cha\u0301lie", "Chálie", "C\u0335halie", "Chalie\ufe0f", "ChaIie", "Cha1ie", "Cha|ie", "Chaӏie", "𝐂𝐡𝐚𝐥𝐢𝐞", "Ⓒhalie", "Chalıe", "ϲhalie", "Chalie\u3164", "Cha\u034flie",
	} {
		if !lookOf(name).like(lookOf("Chalie")) {
			t.Errorf("%q (%+q) doesn't look like Chalie", name, name)
		}
	}
	for _, pair := range [][2]string{
		{"Charlie", "Chalie"}, {"Chalie's lamp", "Chalie"}, {"Mail", "Mall"}, {"Lamp", "Lamp 2"}, {"Sensor 1", "Sensor 2"}, {"Front Door", "Frontdoor"},
		{"Погода", "Почта"}, {"天気", "天文"}, {"かき", "かぎ"}, {"भारत", "भरत"}, {"Λάμπα", "Λάμπες"}, {"طقس", "طقوس"}, {"🏠", "🏡"}, {"C++", "C"},
	} {
		if lookOf(pair[0]).like(lookOf(pair[1])) {
			t.Errorf("%q looks like %q", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"LAMP I", "lamp i"}, {"Weather", "Wеather"}, {"Kitchen\u00a0Lamp", "Kitchen  Lamp"}, {"Bank 0", "Bank O"}, {"Касса", "Kacca"},
		{"Ваза", "ваза"}, {"ВАЗА", "ваза"}, {"modern", "modem"}, {"𝚩ank", "Bank"}, {"ᏴαΝΚ", "bank"}, {"Æsop", "aesop"}, {"ﬁle", "file"}, {"edit٥r", "editor"}} {
		if !lookOf(pair[0]).like(lookOf(pair[1])) {
			t.Errorf("%q doesn't look like %q", pair[0], pair[1])
		}
	}
}

func TestPassesFor(t *testing.T) {
	for name, want := range map[string]bool{
		"Chalie": true, "Сhalie": true, "Chalie.": true, "C h a l i e": true, "«CHAL1E»": true, "C.ha|ie": true, "Chalie ✓": true, "🤖 chalie": true,
		"Charlie": false, "Chalie 2": false, "Chalie's lamp": false, "Hall": false, "…": false, "": false, "か": false,
	} {
		if got := lookOf(name).passesFor(lookOf("Chalie")) || lookOf(name).passesFor(lookOf("CHALIE")); got != want {
			t.Errorf("%+q: %v", name, got)
		}
	}
}

func TestHasUnseen(t *testing.T) {
	for name, want := range map[string]bool{
		"Lamp": false, "Погода": false, "छत की बत्ती": false, "می\u200cخواهم": false, "👩\u200d🔧": false, "❤\ufe0f": false, "Kitchen\u00a0Lamp": false, "": false,
		"\u202epmaL": true, "La\u2066mp": true, "Lamp\u200f": true, "La\u200bmp": true, "La\u200dmp": true, "Lamp\ufe0f": true, "La\u00admp": true, "La\u2028mp": true,
		"По\u200dгода": true, "Погода\ufe0f": true, "می\u200c\u200cخ": true, "می\u200c": true, "❤\ufe0f\u200d🔥": false, "👩🏽\u200d🔧": false, "❤\ufe0f\ufe0f": true, "👩\u200d": true,
		"葛\U000e0100城": false, "🏴\U000e0067\U000e007f": true, "La\u3164mp": true, "\uffa0Lamp": true, "La\u115fmp": true, "\u2800Lamp": true,
		"La\u0085mp": true, "La\u009bmp": true, "La\nmp": true, "Lamp\U000e0041": true, "\ufeffLamp": true, "Lamp\u3164": true,
	} {
		if got := hasUnseen(name); got != want {
			t.Errorf("%+q: %v", name, got)
		}
	}
}

func TestShowsNothing(t *testing.T) {
	for name, want := range map[string]bool{
		"": true, "\x20\t": true, "\u200b": true, "\u3164": true, "\u2800\u115f": true, "\u202e\u2069": true, "\u00a0\u3000": true,
		"a": false, "天": false, "🏠": false, "-": false,
	} {
		if got := ShowsNothing(name); got != want {
			t.Errorf("%+q: %v", name, got)
		}
	}
}

// TestLookAlikeIsFair draws names: each looks like itself, whatever stands unseen
// in it, and the order of two doesn't matter.
func TestLookAlikeIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if !lookOf(a).like(lookOf(a)) || lookOf(a).like(lookOf(b)) != lookOf(b).like(lookOf(a)) || !lookOf(a).like(lookOf(a+"\u200b")) {
			t.Fatalf("%q and %q", a, b)
		}
	})
}
