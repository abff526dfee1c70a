package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// program is a running `chalie serve`, in a process of its own as people run it.
type program struct {
	binary  string
	address string
	data    string
	cmd     *exec.Cmd
	said    *os.File
}

// startWithin bounds how long a start may take before the trial fails.
const startWithin = 2 * time.Minute

// build compiles the program into dir.
func build(ctx context.Context, dir string) (string, error) {
	find := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "chalie")
	root, err := find.Output()
	if err != nil {
		return "", fmt.Errorf("find the program's folder: %w", err)
	}
	binary := filepath.Join(dir, "chalie")
	compile := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/chalie")
	compile.Dir = strings.TrimSpace(string(root))
	if said, err := compile.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, said)
	}
	return binary, nil
}

// start runs the program on a data directory and waits until it is ready. It
// returns how long that took.
func start(ctx context.Context, binary, data string) (*program, time.Duration, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, 0, err
	}
	said, err := os.Create(filepath.Join(filepath.Dir(data), "said"))
	if err != nil {
		return nil, 0, err
	}
	p := &program{binary: binary, address: address, data: data, said: said}
	p.cmd = exec.CommandContext(ctx, binary, "serve", "--addr", address, "--data", data, "--signal-rate", "0")
	p.cmd.Stdout, p.cmd.Stderr = said, said
	begun := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, 0, errors.Join(err, said.Close())
	}
	if err := p.untilReady(ctx, begun.Add(startWithin)); err != nil {
		return nil, 0, errors.Join(err, p.stop())
	}
	return p, time.Since(begun), nil
}

func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// untilReady asks until the program says that it is ready, often enough that
// the asking adds little to the time.
func (p *program) untilReady(ctx context.Context, deadline time.Time) error {
	ask := time.NewTicker(2 * time.Millisecond)
	defer ask.Stop()
	for time.Now().Before(deadline) {
		select {
		case <-ask.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/ready", http.NoBody)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			continue // it does not listen yet
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err == nil && resp.StatusCode == http.StatusOK {
			return nil
		}
	}
	said, _ := os.ReadFile(p.said.Name()) // without it the message is only poorer
	return fmt.Errorf("the program was not ready within %s; it said:\n%s", startWithin, said)
}

// token lets the benchmark in.
func (p *program) token(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, p.binary, "token", "issue", "bench", "--data", p.data, "--json").Output()
	if err != nil {
		return "", fmt.Errorf("issue a token: %w", err)
	}
	var issued struct {
		Token string `json:"token"`
	}
	return issued.Token, json.Unmarshal(out, &issued)
}

// stop asks the program to end and waits until it has.
func (p *program) stop() error {
	err := p.cmd.Process.Signal(syscall.SIGTERM)
	return errors.Join(err, p.cmd.Wait(), p.said.Close())
}
