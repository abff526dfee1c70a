package tongues_test

import (
	"slices"
	"testing"

	"chalie/domain/language/tongues"
)

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "en",
		"12:30":                             "en",
		"Hello, how are you?":               "en",
		"Remind me to call Jürgen tomorrow": "en",
		"Привіт! Я Sofiia.":                 "uk",
		"Ось Risk Dashboard для gateway":    "uk",
		"Добрий день":                       "uk",
		"Добрый день, как дела?":                "ru",
		"Erinnere mich morgen an den Zahnarzt":  "de",
		"Der Termin ist morgen um drei":         "de",
		"Rappelle-moi d'appeler le dentiste":    "fr",
		"Recuérdame llamar al dentista mañana":  "es",
		"Buongiorno, domani non sono con Marco": "it",
		"Dzień dobry, jutro nie jest źle":       "pl",
		"Straße":                                "de",
		"Καλημέρα σας":                          "el",
		"こんにちは世界":                               "ja",
		"你好，世界":                                 "zh",
		"안녕하세요":                                 "ko",
		"שלום עולם":                             "he",
	} {
		if got := tongues.Language(text); got != want {
			t.Errorf("%q is in %s, want %s", text, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                nil,
		"One":                             {"One"},
		"One. Two! Three?":                {"One.", "Two!", "Three?"},
		"It costs 3.50 at 8.30, i.e. now": {"It costs 3.50 at 8.30, i.e. now"},
		"Call Dr. Smith. Then J. Doe.":    {"Call Dr. Smith.", "Then J. Doe."},
		"Well… yes. And no.":              {"Well…", "yes.", "And no."},
		"First\nSecond\r\n\nThird":        {"First", "Second", "Third"},
		"Wait ... what? !!":               {"Wait ... what? !!"},
		"Привіт! Я Sofiia. Як справи?": {"Привіт!", "Я Sofiia.", "Як справи?"},
		"今日は。元気？":                      {"今日は。", "元気？"},
		"See example.com. Done.":       {"See example.com.", "Done."},
		"That is all I. Next.":         {"That is all I.", "Next."},
	} {
		if got := tongues.Sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
