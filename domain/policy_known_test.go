package domain_test

import (
	"strings"
	"testing"

	"chalie/domain"
)

func TestUnknownCapabilities(t *testing.T) {
	known := []string{"chalie/remind", "chalie/reminder", "chalie/task", "0198/pay", "0199/pay"}
	for named, near := range map[string]string{
		"chalie/remind": "known", "chalie/*": "known", "*": "known", "0198/pay": "known",
		"remind": "chalie/remind", "chali/remind": "chalie/remind", "chalie/remnd": "chalie/remind", "Task": "chalie/task",
		"pay": "0198/pay 0199/pay", "bank/*": "", "weather": "", "": "",
	} {
		rules := domain.PolicyRules{Rules: []domain.PolicyRule{{Name: "any"}, {Name: "ask", Capabilities: []string{named}}}}
		got := rules.Unknown(known)
		if near == "known" {
			if len(got) != 0 {
				t.Errorf("%q is taken for unknown: %+v", named, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Rule != "ask" || got[0].Named != named || strings.Join(got[0].Near, " ") != near {
			t.Errorf("%q: %+v, want near %q", named, got, near)
			continue
		}
		if said := got[0].String(); !strings.Contains(said, "rule ask") || strings.Contains(said, "did you mean") != (near != "") {
			t.Errorf("%q is told as %s", named, said)
		}
	}
}
