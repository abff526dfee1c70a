package web

import (
	"encoding/json"
	"testing"
)

// A score is shown from 0 to 1, however it is stored.
func TestScoresAreLegible(t *testing.T) {
	for _, c := range []struct{ field, stored, want string }{
		{"findings.0.confidence", "500000", "0.5"}, {"salience", "1", "0.000001"}, {"score", "1000000", "1"},
		{"activation_energy", "0.4", "0.4"}, {"activation_energy", "1", "1"}, {"activation_energy", "0", "0"},
		{"payload.activation_energy", "500000", "0.5"}, // a spine signal's of the first version
		{"duration_ms", "500000", "500000"},
	} {
		if got := legible(c.field, json.RawMessage(c.stored)); got != c.want {
			t.Errorf("%s %s is shown as %s, want %s", c.field, c.stored, got, c.want)
		}
	}
}
