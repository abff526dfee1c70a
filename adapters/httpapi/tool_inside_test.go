package httpapi

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
)

// A tool of an old log whose schema is too large is said to be of no use, whatever the policy says.
func TestWhenSaidOfWhatCannotBeUsed(t *testing.T) {
	var defs strings.Builder
	for i := range 20 {
		fmt.Fprintf(&defs, `"a%d":{"allOf":[{"$ref":"#/$defs/a%[2]d"},{"$ref":"#/$defs/a%[2]d"}]},`, i, i+1)
	}
	heavy := `{"$defs":{` + defs.String() + `"a20":{}},"type":"object","properties":{"q":{"$ref":"#/$defs/a0"}}}`
	lets := domain.PolicyDecided{Verdict: domain.VerdictAllowed, Allowed: true, ReasonCodes: []string{"asked_in_words"}}
	got := whenSaid(domain.Tool{Name: "sketch", Schema: []byte(heavy)}, lets)
	if got.Verdict != domain.VerdictDenied || len(got.ReasonCodes) != 1 || got.ReasonCodes[0] != "schema_too_large" || !strings.HasPrefix(got.Words, "Never done: tool sketch can't be used: ") {
		t.Errorf("it is %+v", got)
	}
	if got := whenSaid(domain.Tool{Name: "sketch"}, lets); got.Verdict != domain.VerdictAllowed || got.Words != lets.WhenSaid() {
		t.Errorf("another is %+v", got)
	}
}
