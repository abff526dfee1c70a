package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdProgram starts an interface that answers as one should: program NAME [TOOLS].
// TOOLS is JSON, as /capabilities answers it. It sets PORT to where the program
// listens; under a name that is taken it comes again at the same port. With
// "! program NAME" it ends.
func cmdProgram(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: [!] program NAME [TOOLS]")
	}
	s, name := serverOf(ts), args[0]
	if neg {
		if s.programs[name] == nil {
			ts.Fatalf("there is no program %s", name)
		}
		s.programs[name].Close()
		return
	}
	p := newProgram(nil, name)
	if len(args) > 1 {
		p.answers["/capabilities"] = saying(args[1])
	}
	address := "127.0.0.1:0"
	if before := s.programs[name]; before != nil {
		before.Close()
		address = before.Listener.Addr().String()
	}
	server := httptest.NewUnstartedServer(p)
	ts.Check(server.Listener.Close())
	var err error
	server.Listener, err = net.Listen("tcp", address)
	ts.Check(err)
	server.Start()
	ts.Defer(server.Close)
	if s.programs == nil {
		s.programs = map[string]*httptest.Server{}
	}
	s.programs[name] = server
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	ts.Check(err)
	ts.Setenv("PORT", port)
}

// cmdPair pairs a program that was started, with a new key: pair NAME [SIGNAL...].
// It sets ID and TOKEN.
func cmdPair(ts *testscript.TestScript, neg bool, args []string) {
	s := serverOf(ts)
	if neg || len(args) < 1 || s.programs[args[0]] == nil {
		ts.Fatalf("usage: pair NAME [SIGNAL...]")
	}
	_, text, err := net.SplitHostPort(s.programs[args[0]].Listener.Addr().String())
	ts.Check(err)
	port, err := strconv.Atoi(text)
	ts.Check(err)
	key := struct {
		Key string `json:"pairing_key"`
	}{}
	s.post(ts, "/api/interfaces/pairing-key", nil, http.StatusOK, &key)
	var in paired
	s.post(ts, "/api/interfaces/pair", map[string]any{
		"pairing_key": key.Key, "name": args[0], "host": "127.0.0.1", "port": port, "signals": args[1:],
	}, http.StatusCreated, &in)
	ts.Setenv("ID", in.ID.UUID())
	ts.Setenv("TOKEN", in.Token)
}

// post asks over the socket and reads the answer.
func (s *server) post(ts *testscript.TestScript, path string, body any, status int, into any) {
	text, err := json.Marshal(body)
	ts.Check(err)
	v := &victim{data: ts.MkAbs("data")}
	got, answer, err := v.ask(http.MethodPost, "socket:"+path, string(text))
	ts.Check(err)
	if got != status {
		ts.Check(fmt.Errorf("%s was answered %d %s", path, got, answer))
	}
	ts.Check(json.Unmarshal([]byte(answer), into))
}
