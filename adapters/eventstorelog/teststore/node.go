package teststore

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// asNode is the environment variable that makes a process a node. It holds a command.
const asNode = "CHALIE_TESTSTORE_NODE"

// launch is how a process is told which node to be.
type launch struct {
	Config  Config
	Address string
}

// Main returns at once, unless this process was started to be a node, or to give orders to
// a cluster: then it does that, and never returns. A node ends when its standard input
// does, so that none outlives its test.
func Main() {
	if socket := os.Getenv(asControl); socket != "" {
		os.Exit(control(socket, os.Args[1:]))
	}
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
	go func() {
		<-server.replica.ended
		answered := time.AfterFunc(time.Second, func() { os.Exit(1) })
		server.grpc.GracefulStop() // whoever waits for an answer gets it
		answered.Stop()
		os.Exit(1)
	}()
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		switch orders.Text() {
		case "fill":
			server.replica.disk.full.Store(true)
		case "scavenge":
			server.replica.do(change{Scavenge: true}, expected{kind: anything})
		}
		_, _ = fmt.Fprintln(os.Stdout, "done")
	}
	os.Exit(0)
}

// node is a node in a process of its own.
type node struct {
	as   launch
	cmd  *exec.Cmd // nil when it doesn't run
	in   io.WriteCloser
	said *bufio.Scanner
}

// start starts it, where it was.
func (n *node) start() error {
	if n.cmd != nil {
		n.end()
	}
	text, err := json.Marshal(n.as)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.Background(), self)
	cmd.Env = append(os.Environ(), asNode+"="+string(text))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	n.cmd, n.in, n.said = cmd, in, bufio.NewScanner(out)
	if !n.said.Scan() {
		n.end()
		return fmt.Errorf("node %d has not started", n.as.Config.Number)
	}
	n.as.Address = strings.TrimSpace(n.said.Text())
	return nil
}

// end kills it.
func (n *node) end() {
	if n.cmd == nil {
		return
	}
	_ = n.cmd.Process.Kill()
	_ = n.in.Close()
	_ = n.cmd.Wait() // it says that it was killed
	n.cmd = nil
}

func (n *node) signal(s os.Signal) error {
	if n.cmd == nil {
		return nil
	}
	return n.cmd.Process.Signal(s)
}

// do gives an order that the node follows itself.
func (n *node) do(order string) error {
	if n.cmd == nil {
		return fmt.Errorf("node %d doesn't run", n.as.Config.Number)
	}
	if _, err := fmt.Fprintln(n.in, order); err != nil {
		return err
	}
	if !n.said.Scan() {
		return fmt.Errorf("node %d has ended", n.as.Config.Number)
	}
	return nil
}

// freeze stops a node without ending it: its connections stay open, and nobody answers. The
// signal is only sent by then; the node has stopped when the system says so.
func (n *node) freeze() error {
	if err := n.signal(syscall.SIGSTOP); err != nil || n.cmd == nil {
		return err
	}
	return unix.Waitid(unix.P_PID, n.cmd.Process.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil)
}

func (n *node) thaw() error { return n.signal(syscall.SIGCONT) }
