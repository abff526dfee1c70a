//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Group is a control group of version 2 that bounds what runs in it.
type Group struct {
	dir    string
	folder *os.File
}

// removeWithin is how long Remove waits for what was ended to be gone.
const removeWithin = time.Second

// New makes a group below this process's own, with bounds of memory and processes. It needs
// the right to do so, which a service manager may delegate, and fails without.
func New(name string, memory int64, processes int) (*Group, error) {
	own, err := ownGroup()
	if err != nil {
		return nil, err
	}
	return newBelow(own, name, memory, processes)
}

func newBelow(own, name string, memory int64, processes int) (*Group, error) {
	// What is enabled already isn't written: a group that holds processes refuses it.
	enabled, err := os.ReadFile(filepath.Join(own, "cgroup.subtree_control"))
	if err != nil {
		return nil, err
	}
	for _, controller := range []string{"memory", "pids"} {
		if !strings.Contains(" "+strings.TrimSpace(string(enabled))+" ", " "+controller+" ") {
			if err := os.WriteFile(filepath.Join(own, "cgroup.subtree_control"), []byte("+"+controller), 0o600); err != nil {
				return nil, err
			}
		}
	}
	g := &Group{dir: filepath.Join(own, name)}
	if err := os.Mkdir(g.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	for _, bound := range [][2]string{{"memory.max", strconv.FormatInt(memory, 10)}, {"pids.max", strconv.Itoa(processes + guardThreads)}} {
		if err := os.WriteFile(filepath.Join(g.dir, bound[0]), []byte(bound[1]), 0o600); err != nil {
			return nil, errors.Join(err, g.Remove())
		}
	}
	for _, may := range [][2]string{{"memory.swap.max", "0"}, {"memory.oom.group", "1"}} { // not everywhere
		_ = os.WriteFile(filepath.Join(g.dir, may[0]), []byte(may[1]), 0o600)
	}
	if g.folder, err = os.Open(g.dir); err != nil {
		return nil, errors.Join(err, g.Remove())
	}
	return g, nil
}

// guardThreads is added to the processes that may run: the kernel counts threads, of which
// a process has several.
const guardThreads = 512

// ownGroup is the folder of this process's own group.
func ownGroup() (string, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(groups)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			return filepath.Join(string(filepath.Separator)+mount, path), nil
		}
	}
	return "", fmt.Errorf("this process is in no control group of version 2")
}

// FD is the open folder, for starting a process in the group.
func (g *Group) FD() int { return int(g.folder.Fd()) }

// Kill ends all that is in the group.
func (g *Group) Kill() error {
	return os.WriteFile(filepath.Join(g.dir, "cgroup.kill"), []byte("1"), 0o600)
}

// Remove removes the group, once all that was in it has ended.
func (g *Group) Remove() error {
	var closed error
	if g.folder != nil {
		closed = g.folder.Close()
	}
	for until := time.Now().Add(removeWithin); ; {
		err := os.Remove(g.dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) || time.Now().After(until) {
			return errors.Join(closed, err)
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // nobody tells when it has ended
	}
}
