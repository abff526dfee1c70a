// Command coderws is a small WebSocket server on github.com/coder/websocket and
// net/http, for comparison with Chalie's: it accepts clients at /ws, keeps them
// in a set, reads what they send, pings them, and answers a chat frame of one
// with a frame to all.
//
// It is a program of its own so that its memory is that of such a server and of
// nothing else.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "the address to serve on")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, *addr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "coderws:", err)
		os.Exit(1)
	}
}

// serve ends without an error when ctx does. The clients are then cut off with
// the process.
func serve(ctx context.Context, addr string) error {
	routes := http.NewServeMux()
	routes.Handle("/ws", newRoom(ctx))
	routes.HandleFunc("/ready", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	server := &http.Server{Addr: addr, Handler: routes, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
