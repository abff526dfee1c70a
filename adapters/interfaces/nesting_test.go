package interfaces

import (
	"net/http"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// All that an interface answers is read here: its manifest, its tools, what it shows and
// what a call came to.
func TestAnswersNestNoDeeperThanTheBound(t *testing.T) {
	q := question{op: "execute", path: "/execute", at: commands.Endpoint{Host: "h", Port: 1}}
	for deep, code := range map[int]domain.Code{domain.MaxNesting: "", domain.MaxNesting + 1: commands.CodePeerBadJSON, 9_998: commands.CodePeerBadJSON, 1_000_000: commands.CodePeerBadJSON} {
		body := strings.Repeat("[", deep) + strings.Repeat("]", deep)
		_, err := q.json(answer{status: http.StatusOK, media: mediaJSON, body: []byte(body)})
		if domain.CodeOf(err) != code || err != nil && !strings.Contains(err.Error(), "100") {
			t.Errorf("an answer that nests %d deep: %v", deep, err)
		}
	}
}
