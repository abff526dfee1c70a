package models_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"chalie/adapters/models"
)

// However an answer ends, nothing of it goes on.
func TestNothingStaysBehind(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		for name, answer := range map[string]answered{
			"an answer": d.says(spoken{text: "ok"}), "an error": d.refuses(400, "invalid_request_error", "no"),
			"a cut": breaks(d.stream(spoken{text: "half"})[:3]...), "silence": hangs(d.stream(spoken{text: "half"})[:3]...),
			"noise": d.says(spoken{text: strings.Repeat("long ", 100_000)}),
		} {
			t.Run(name, func(t *testing.T) {
				server := newProvider(t, answer)
				list, err := models.New(models.Config{Choices: []models.Choice{d.at(t, server.URL)}, Attempts: 2, Attempt: 30 * time.Millisecond, Wait: (&patience{}).wait})
				if err != nil {
					t.Fatal(err)
				}
				_, _ = list[0].Reply(t.Context(), asks("?")) // how it ends is for other tests
				m, ok := list[0].(*models.Model)
				if !ok {
					t.Fatalf("it is a %T", list[0])
				}
				m.Close()
				server.CloseClientConnections()
				gone(t)
			})
		}
	})
}

// gone waits until no goroutine of ours or of a client's connection is left.
func gone(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	buf := make([]byte, 1<<20)
	for {
		stacks := string(buf[:runtime.Stack(buf, true)])
		left := ""
		for g := range strings.SplitSeq(stacks, "\n\n") {
			if strings.Contains(g, "net/http.(*persistConn)") || strings.Contains(g, "adapters/models/") && !strings.Contains(g, "adapters/models_test.") {
				left = g
			}
		}
		if left == "" {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("still there:\n%s", left)
		}
		runtime.Gosched()
	}
}
