package turns

import "testing"

// TestSaysNo has what is nothing but a no to what was offered.
func TestSaysNo(t *testing.T) {
	for text, want := range map[string]bool{"no": true, "leave it": true, "nein": true, "non": true, "no, move it": false, "yes": false, "cancel it": false} {
		if saysNo(text) != want {
			t.Errorf("%q says no: %v", text, !want)
		}
	}
}
