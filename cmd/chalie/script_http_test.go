package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// cmdHTTP sends a request as curl would: http METHOD TARGET [BODY]
// [HEADER:VALUE...]. TARGET is a path of the server, socket:PATH for one over
// the Unix socket, or a whole URL; BODY is text, or @FILE. stdout holds the
// status and the body. A body is JSON unless a header says otherwise.
func cmdHTTP(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: http METHOD TARGET [BODY] [HEADER:VALUE...]")
	}
	body := ""
	if len(args) > 2 {
		body = args[2]
	}
	if file, ok := strings.CutPrefix(body, "@"); ok {
		body = ts.ReadFile(file)
	}
	client, target := http.DefaultClient, args[1]
	if path, ok := strings.CutPrefix(target, "socket:"); ok {
		client, target = unixsocket.Client(ts.MkAbs("data")), unixsocket.BaseURL+path
	} else if strings.HasPrefix(target, "/") {
		target = ts.Getenv("ADDR") + target
	}
	req, err := http.NewRequest(args[0], target, strings.NewReader(body))
	ts.Check(err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, header := range args[min(3, len(args)):] {
		name, value, _ := strings.Cut(header, ":")
		req.Header.Set(name, strings.TrimSpace(value))
	}
	resp, err := client.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	_, err = fmt.Fprintf(ts.Stdout(), "%d\n", resp.StatusCode)
	ts.Check(err)
	_, err = io.Copy(ts.Stdout(), resp.Body)
	ts.Check(err)
}

// cmdSignals sends signals over the socket, "signal 1" and so on, in batches:
// signals FROM TO. All must be accepted.
func cmdSignals(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: signals FROM TO")
	}
	from, err := strconv.Atoi(args[0])
	ts.Check(err)
	to, err := strconv.Atoi(args[1])
	ts.Check(err)
	client := unixsocket.Client(ts.MkAbs("data"))
	defer client.CloseIdleConnections()
	for ; from <= to; from += domain.MaxSignalsPerBatch {
		var batch []string
		for i := from; i <= min(to, from+domain.MaxSignalsPerBatch-1); i++ {
			batch = append(batch, fmt.Sprintf(`{"signal_type":"count","content":"signal %d","activation_energy":0.5}`, i))
		}
		body := "[" + strings.Join(batch, ",") + "]"
		resp, err := client.Post(unixsocket.BaseURL+"/api/signals/batch", "application/json", strings.NewReader(body))
		ts.Check(err)
		answer, err := io.ReadAll(resp.Body)
		ts.Check(err)
		resp.Body.Close()
		if !strings.Contains(string(answer), fmt.Sprintf(`"accepted":%d,`, len(batch))) {
			ts.Fatalf("signals from %d: %s %s", from, resp.Status, answer)
		}
	}
}

// cmdCapture sets a variable to the first group of a pattern in a file: capture
// NAME FILE PATTERN.
func cmdCapture(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: capture NAME FILE PATTERN")
	}
	groups := compile(ts, args[2]).FindStringSubmatch(ts.ReadFile(args[1]))
	if len(groups) < 2 {
		ts.Fatalf("%s has no %s: %s", args[1], args[2], ts.ReadFile(args[1]))
	}
	ts.Setenv(args[0], groups[1])
}
