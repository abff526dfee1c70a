package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"chalie/domain/domaintest"
)

// Where Chalie serves is told once: by the banner on a terminal, else by the log.
func TestWhereItServesIsToldOnce(t *testing.T) {
	for announced, want := range map[bool]int{false: 1, true: 0} {
		logs := &domaintest.Buffer{}
		ctx, end := context.WithCancel(t.Context())
		app, err := Open(ctx, Config{Addr: "127.0.0.1:0", Data: t.TempDir(), Announced: announced, Logger: slog.New(slog.NewTextHandler(logs, nil))})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- app.Run(ctx) }()
		if err := waitReady("http://" + app.Addr()); err != nil {
			t.Fatal(err)
		}
		end()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(logs.String(), "msg=serving"); got != want || strings.Contains(logs.String(), "msg=ready") && announced {
			t.Errorf("announced %v: told %d times: %s", announced, got, logs)
		}
	}
}
