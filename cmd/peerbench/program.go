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

// program is a running server, in a process of its own as people run it:
// `chalie serve`, or a peer that answers GET /ready as well.
type program struct {
	binary  string
	address string
	data    string // of chalie only
	cmd     *exec.Cmd
	said    *os.File
}

// startWithin bounds how long a start may take before the trial fails.
const startWithin = 2 * time.Minute

// build compiles Chalie into dir, with the dependencies of its own module.
func build(ctx context.Context, dir string) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "chalie").Output()
	if err != nil {
		return "", fmt.Errorf("find the program's folder: %w", err)
	}
	return compile(ctx, strings.TrimSpace(string(root)), "./cmd/chalie", filepath.Join(dir, "chalie"))
}

// compile builds a command of the module that folder is in.
func compile(ctx context.Context, folder, command, binary string) (string, error) {
	building := exec.CommandContext(ctx, "go", "build", "-o", binary, command)
	building.Dir = folder
	if said, err := building.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", command, err, said)
	}
	return binary, nil
}

// start runs Chalie on a data directory and waits until it is ready. It returns
// how long that took.
func start(ctx context.Context, binary, data string) (*program, time.Duration, error) {
	p := &program{binary: binary, data: data}
	took, err := p.launch(ctx, filepath.Dir(data), "serve", "--data", data, "--signal-rate", "0")
	return p, took, err
}

// launch starts the process, which writes what it has to say into dir.
func (p *program) launch(ctx context.Context, dir string, args ...string) (time.Duration, error) {
	var err error
	if p.address, err = freeAddress(ctx); err != nil {
		return 0, err
	}
	if p.said, err = os.Create(filepath.Join(dir, "said")); err != nil {
		return 0, err
	}
	p.cmd = exec.CommandContext(ctx, p.binary, append(args, "--addr", p.address)...)
	p.cmd.Stdout, p.cmd.Stderr = p.said, p.said
	begun := time.Now()
	if err := p.cmd.Start(); err != nil {
		return 0, errors.Join(err, p.said.Close())
	}
	if err := p.untilReady(ctx, begun.Add(startWithin)); err != nil {
		return 0, errors.Join(err, p.stop())
	}
	return time.Since(begun), nil
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
