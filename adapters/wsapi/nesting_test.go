package wsapi

import (
	"strings"
	"testing"

	"chalie/adapters/api/reading"
	"chalie/domain"
)

func TestFramesNestNoDeeperThanTheBound(t *testing.T) {
	for deep, code := range map[int]domain.Code{domain.MaxNesting: "", domain.MaxNesting + 1: domain.CodeTooNested, 9_998: domain.CodeTooNested, 1_000_000: domain.CodeTooNested} {
		_, err := reading.Parse([]byte(`{"type":"action","payload":`+strings.Repeat("[", deep)+strings.Repeat("]", deep)+`}`), "the message", wrapping)
		if domain.CodeOf(err) != code || err != nil && !strings.Contains(err.Error(), "100") {
			t.Errorf("a frame whose payload nests %d deep: %v", deep, err)
		}
	}
}
