package teststore

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Cluster is one node or three, each in a process of its own, of a test.
type Cluster struct {
	t   testing.TB
	cfg Config
	hub *hub // nil for one node

	mu    sync.Mutex
	nodes []*node
}

// Start runs a cluster until the test ends. Its files are in a folder of the test when cfg
// names none. It returns when a node leads.
func Start(t testing.TB, cfg Config) *Cluster {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = filepath.Join(t.TempDir(), "cluster")
	}
	cfg = cfg.withDefaults()
	c := &Cluster{t: t, cfg: cfg}
	t.Cleanup(c.end)
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cfg.Keys = cfg.Dir
	if cfg.Secure {
		if err := makeKeys(cfg.Keys); err != nil {
			t.Fatal(err)
		}
	}
	if cfg.Nodes > 1 {
		var err error
		if c.hub, err = newHub(cfg.Notice); err != nil {
			t.Fatal(err)
		}
		cfg.Hub = c.hub.listener.Addr().String()
	}
	for i := range cfg.Nodes {
		as := cfg
		as.Number, as.Dir = i+1, filepath.Join(cfg.Dir, strconv.Itoa(i+1))
		c.nodes = append(c.nodes, &node{as: launch{as, "127.0.0.1:0"}})
		c.Do("start", i+1)
	}
	c.Leader()
	return c
}

func (c *Cluster) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.nodes {
		n.end()
	}
	if c.hub != nil {
		c.hub.close()
	}
}

// URL is the connection string for the cluster, or for some of its nodes.
func (c *Cluster) URL(numbers ...int) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var at []string
	for i, n := range c.nodes {
		if len(numbers) == 0 || slices.Contains(numbers, i+1) {
			at = append(at, n.as.Address)
		}
	}
	if !c.cfg.Secure {
		return "esdb://" + strings.Join(at, ",") + "?tls=false"
	}
	authority, _, _ := c.Keys()
	return "esdb://ops:changeit@" + strings.Join(at, ",") + "?tls=true&tlsCaFile=" + authority
}

// Keys are the files of a secure cluster: its authority, and a user's certificate and key.
func (c *Cluster) Keys() (authority, user, key string) {
	return filepath.Join(c.cfg.Dir, authorityFile), filepath.Join(c.cfg.Dir, userFile+".crt"), filepath.Join(c.cfg.Dir, userFile+".key")
}

// Nodes is how many there are, numbered from 1.
func (c *Cluster) Nodes() int { return c.cfg.Nodes }

// Do does something to a node: kill, start, freeze, thaw, cut (from the others) and heal;
// fill leaves it no space until it is started again, scavenge has the leader forget for
// good what was cut off its streams.
func (c *Cluster) Do(order string, number int) {
	c.t.Helper()
	if err := c.do(order, number); err != nil {
		c.t.Fatalf("%s %d: %v", order, number, err)
	}
}

func (c *Cluster) do(order string, number int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if number < 1 || number > len(c.nodes) {
		return fmt.Errorf("there are nodes 1 to %d", len(c.nodes))
	}
	n := c.nodes[number-1]
	switch order {
	case "kill":
		n.end()
	case "start":
		return n.start()
	case "freeze":
		return n.freeze()
	case "thaw":
		return n.thaw()
	case "cut", "heal":
		if c.hub == nil {
			return fmt.Errorf("it is alone")
		}
		if order == "cut" {
			c.hub.sever(number)
		} else {
			c.hub.heal(number)
		}
	case "fill", "scavenge":
		return n.do(order)
	default:
		return fmt.Errorf("nobody knows how to")
	}
	return nil
}

// Leader waits until a node leads, and returns its number.
func (c *Cluster) Leader() int {
	c.t.Helper()
	number, err := c.leader()
	if err != nil {
		c.t.Fatal(err)
	}
	return number
}

func (c *Cluster) leader() (int, error) {
	if c.hub == nil {
		return 1, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return c.hub.leader(ctx)
}

// asControl is the environment variable that makes a process give orders to a cluster. It
// holds the cluster's socket.
const asControl = "CHALIE_TESTSTORE_CONTROL"

// Control is a program that takes the same orders, and leader, which prints its number.
func (c *Cluster) Control() (program string) {
	c.t.Helper()
	dir := c.t.TempDir()
	listener, err := new(net.ListenConfig).Listen(context.Background(), "unix", filepath.Join(dir, "socket"))
	if err != nil {
		c.t.Fatal(err)
	}
	var answering sync.WaitGroup
	answering.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			c.obey(conn)
		}
	})
	c.t.Cleanup(func() {
		_ = listener.Close()
		answering.Wait()
	})
	self, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	program = filepath.Join(dir, "control")
	text := fmt.Sprintf("#!/bin/sh\nGORACE=atexit_sleep_ms=0 %s='%s' exec '%s' \"$@\"\n", asControl, listener.Addr(), self)
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil { //nolint:gosec // it is to be run
		c.t.Fatal(err)
	}
	return program
}

// obey follows the order of one connection, and answers with ok or what went wrong.
func (c *Cluster) obey(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewScanner(conn)
	if !in.Scan() {
		return
	}
	order, rest, _ := strings.Cut(in.Text(), " ")
	number, err := strconv.Atoi(rest)
	if order == "leader" {
		number, err = c.leader()
	} else if err == nil {
		err = c.do(order, number)
	}
	if err != nil {
		_, _ = fmt.Fprintln(conn, err)
		return
	}
	_, _ = fmt.Fprintln(conn, "ok", number)
}

// control gives an order, and returns the status to exit with.
func control(socket string, args []string) int {
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "unix", socket)
	if err == nil {
		_, err = fmt.Fprintln(conn, strings.Join(args, " "))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	answer, _ := bufio.NewReader(conn).ReadString('\n')
	number, done := strings.CutPrefix(strings.TrimSpace(answer), "ok ")
	if !done {
		fmt.Fprint(os.Stderr, answer)
		return 1
	}
	if len(args) == 1 {
		_, _ = fmt.Fprintln(os.Stdout, number)
	}
	return 0
}
