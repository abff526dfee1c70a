package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// socketServer is a running server with a /ws.
type socketServer struct {
	*program
	cookie     string // lets a client in; "" where nobody asks for it
	answerEnds func(answerFrame) bool
}

// socketOpener starts a server that keeps what it keeps in dir.
type socketOpener func(ctx context.Context, dir string) (*socketServer, error)

// openChalie starts the program with an account. It is started a second time
// for the trial: hashing a password takes 64 MiB for a moment, which have
// nothing to do with the clients.
func openChalie(ctx context.Context, dir string) (*socketServer, error) {
	binary, err := build(ctx, dir)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	first, _, err := start(ctx, binary, data)
	if err != nil {
		return nil, err
	}
	cookie, err := first.register(ctx)
	if err := errors.Join(err, first.stop()); err != nil {
		return nil, err
	}
	p, _, err := start(ctx, binary, data)
	if err != nil {
		return nil, err
	}
	return &socketServer{p, cookie, func(f answerFrame) bool { return f.Type == "done" }}, nil
}

// openCoder starts the peer. Its whole answer is the one frame.
func openCoder(ctx context.Context, dir string) (*socketServer, error) {
	binary, err := compile(ctx, "", "chalie/cmd/peerbench/coderws", filepath.Join(dir, "coderws"))
	if err != nil {
		return nil, err
	}
	p := &program{binary: binary}
	if _, err := p.launch(ctx, dir); err != nil {
		return nil, err
	}
	return &socketServer{p, "", func(answerFrame) bool { return true }}, nil
}

var setupLink = regexp.MustCompile(`/setup\?key=([A-Za-z0-9_-]+)`)

// register makes the account by the set-up link that the program printed, and returns
// the session's cookie.
func (p *program) register(ctx context.Context) (string, error) {
	printed, err := os.ReadFile(p.said.Name())
	if err != nil {
		return "", err
	}
	link := setupLink.FindSubmatch(printed)
	if link == nil {
		return "", fmt.Errorf("the program printed no set-up link: %s", printed)
	}
	body := strings.NewReader(`{"username":"bench","password":"only for a moment","setup_key":"` + string(link[1]) + `"}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.address+"/auth/register", body)
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	for _, c := range resp.Cookies() {
		if resp.StatusCode == http.StatusCreated {
			return c.Name + "=" + c.Value, nil
		}
	}
	return "", fmt.Errorf("POST /auth/register was answered with %s and no session: %s", resp.Status, said)
}

// resident is the memory that the process has now, in bytes: all of it, shared
// pages of the binary as well.
func (p *program) resident() (uint64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		if kibibytes, ok := strings.CutPrefix(string(line), "VmRSS:"); ok {
			n, err := strconv.ParseUint(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kibibytes), "kB")), 10, 64)
			return n << 10, err
		}
	}
	return 0, errors.New("the kernel does not tell the resident memory of a process")
}
