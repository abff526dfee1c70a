package main

import (
	"strings"
	"testing"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

func TestFaultsAreTold(t *testing.T) {
	why := strings.Repeat("the hospital is closed ", 10) + "today.\x1b[2J"
	failed := withFault(toolEnvelope(t, domain.ToolFailed{Reason: "http_error"}), "http_error", why)
	c, out, _ := testConsole()
	c.Width = 60
	err := c.faults([]domain.Record{
		{Position: 1, Envelope: toolEnvelope(t, domain.ToolDispatched{})}, {Position: 1234, Envelope: failed}, {Position: 1235, Envelope: failed},
	})
	if err != nil {
		t.Fatal(err)
	}
	told := out.String()
	if !strings.HasPrefix(told, "\nWhat went wrong:\n\n  1,234 tool.failed\n    the hospital is closed") || strings.Contains(told, "\x1b") {
		t.Errorf("%q", told)
	}
	if whole := strings.Join(strings.Fields(told), " "); strings.Count(whole, oneLine(strings.Repeat("the hospital is closed ", 10))+" today") != 2 {
		t.Errorf("it is cut:\n%s", told)
	}
	if err := c.faults(nil); err != nil || out.String() != told {
		t.Errorf("of nothing it tells %v, %s", err, out)
	}
	for line := range strings.Lines(told) {
		if term.Columns(strings.TrimSuffix(line, "\n")) > c.Width {
			t.Errorf("%q is too long", line)
		}
	}
}
