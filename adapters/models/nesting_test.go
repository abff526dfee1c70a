package models

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
)

func TestParametersOfAReplyNestNoDeeperThanTheBound(t *testing.T) {
	for deep, fault := range map[int]bool{domain.MaxNesting: false, domain.MaxNesting + 1: true, 9_998: true, 1_000_000: true} {
		params := json.RawMessage(strings.Repeat(`{"a":`, deep-1) + "{}" + strings.Repeat("}", deep-1))
		if got := objectFault(params); (got != "") != fault || fault && !strings.Contains(got, "100 is the bound") {
			t.Errorf("parameters that nest %d deep: %q", deep, got)
		}
	}
}
