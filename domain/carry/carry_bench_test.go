package carry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chalie/domain/carry"
)

// BenchmarkIn is what a call costs that is looked through before it is made: one of a
// few words, and the largest one, beside forty memories.
func BenchmarkIn(b *testing.B) {
	memories := make([]string, 40)
	for i := range memories {
		memories[i] = fmt.Sprintf("Memory %d: the number of locker %d is with Quintero, behind the door of the %dth house", i, i*31, i)
	}
	for name, text := range map[string]string{"short": "weather in Valletta tomorrow", "full": strings.Repeat("Rain is expected over the island until 17 o'clock. ", 310)} {
		b.Run(name, func(b *testing.B) {
			value, err := json.Marshal(map[string]any{"place": "Valletta", "text": text})
			if err != nil {
				b.Fatal(err)
			}
			var found carry.Found
			for b.Loop() {
				found = carry.Private{Texts: memories, Said: []string{asked}}.In(value)
			}
			b.Log(found)
		})
	}
}
