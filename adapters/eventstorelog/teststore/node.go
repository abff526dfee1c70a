package teststore

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// asNode is the environment variable that makes a process a node. It holds a command.
const asNode = "CHALIE_TESTSTORE_NODE"

// launch is how a process is told which node to be.
type launch struct {
	Config  Config
	Address string
}

// Main returns at once, unless this process was started to be a node: then it is one, and
// never returns. It ends when its standard input does, so that none outlives its test.
func Main() {
	text := os.Getenv(asNode)
	if text == "" {
		return
	}
	var as launch
	err := json.Unmarshal([]byte(text), &as)
	var server *Server
	if err == nil {
		server, err = Serve(as.Config, as.Address)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the node can't start:", err)
		os.Exit(1)
	}
	_, _ = fmt.Fprintln(os.Stdout, server.Addr())
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		switch orders.Text() {
		case "fill":
			server.store.disk.full.Store(true)
		case "scavenge":
			server.store.do(change{Scavenge: true}, expected{kind: anything})
		}
		_, _ = fmt.Fprintln(os.Stdout, "done")
	}
	os.Exit(0)
}

// Node is a node in a process of its own, of a test.
type Node struct {
	t    testing.TB
	as   launch
	mu   sync.Mutex
	cmd  *exec.Cmd
	in   io.WriteCloser
	said *bufio.Scanner
}

// Start runs a node in a process of its own until the test ends. Its file is in a folder
// of the test when cfg names none.
func Start(t testing.TB, cfg Config) *Node {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = filepath.Join(t.TempDir(), "node")
	}
	n := &Node{t: t, as: launch{cfg, "127.0.0.1:0"}}
	t.Cleanup(func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.cmd != nil {
			n.end()
		}
	})
	n.Start()
	return n
}

// URL is the connection string for the node.
func (n *Node) URL() string { return "esdb://" + n.as.Address + "?tls=false" }

// Start starts a node that was killed, where it was.
func (n *Node) Start() {
	n.t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	text, err := json.Marshal(n.as)
	if err != nil {
		n.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		n.t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), self)
	cmd.Env = append(os.Environ(), asNode+"="+string(text))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		n.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.cmd, n.in, n.said = cmd, in, bufio.NewScanner(out)
	if !n.said.Scan() {
		n.end()
		n.t.Fatal("the node has not started")
	}
	n.as.Address = strings.TrimSpace(n.said.Text())
}

// Kill ends the node at once.
func (n *Node) Kill() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.end()
}

func (n *Node) end() {
	_ = n.cmd.Process.Kill()
	_ = n.in.Close()
	_ = n.cmd.Wait() // it says that it was killed
	n.cmd = nil
}

// Freeze stops the node without ending it: its connections stay open, and nobody answers.
func (n *Node) Freeze() { n.signal(syscall.SIGSTOP) }

// Thaw lets a frozen node go on.
func (n *Node) Thaw() { n.signal(syscall.SIGCONT) }

func (n *Node) signal(s os.Signal) {
	n.t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.cmd.Process.Signal(s); err != nil {
		n.t.Fatal(err)
	}
}

// Fill leaves the node no space, until it is killed and started again.
func (n *Node) Fill() { n.order("fill") }

// Scavenge has the node forget for good what was cut off.
func (n *Node) Scavenge() { n.order("scavenge") }

func (n *Node) order(what string) {
	n.t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, err := fmt.Fprintln(n.in, what); err != nil || !n.said.Scan() {
		n.t.Fatalf("the node did not %s: %v", what, err)
	}
}
