package mcpclient

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// place makes a child the head of a process group, in a control group if there is one. It is
// told of Chalie's end by the end of its file; if it can't read that any more, the kernel
// doesn't spare it for that.
func place(cmd *exec.Cmd, group Group) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if group != nil {
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, group.FD()
	}
}

// endGroup ends what is left of a process group, which is nothing unless its guard was killed.
func endGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

func watch(program string, command []string, memory int64, processes int) int {
	runtime.LockOSThread() // the server is told of the end of the thread that started it
	syscall.CloseOnExec(life)
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP) // Chalie says when
	ends := lifeEnds()
	// Whatever loses its parent comes to the guard, so it has everything below it.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return noStart(err.Error())
	}
	server, err := os.StartProcess(program, command, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys:   &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return noStart(err.Error())
	}
	// The server alone has them now: when it ends, so does what Chalie reads.
	_ = os.Stdin.Close()
	_ = os.Stdout.Close()
	exited := make(chan int, 1)
	go reap(server.Pid, exited)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ends:
			return endAll(exitLife)
		case code := <-exited:
			return endAll(code)
		case <-tick.C:
			of := descendants(os.Getpid())
			if len(of) > processes { // a zombie is one, too, until it is taken up
				return endAll(exitProcesses)
			}
			if resident(of) > memory {
				return endAll(exitMemory)
			}
		}
	}
}

// reap takes up what has ended, and tells how the server did.
func reap(server int, exited chan<- int) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return // nobody is left
		case pid == server && status.Signaled():
			exited <- 128 + int(status.Signal())
		case pid == server:
			exited <- status.ExitStatus()
		}
	}
}

// endAll ends everything below the guard, and returns when nothing is left there: what is
// left when the guard ends belongs to nobody. What makes new processes faster than they are
// ended is stopped first.
func endAll(code int) int {
	for range 5000 {
		of := descendants(os.Getpid())
		if len(of) == 0 {
			break
		}
		for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} {
			for _, pid := range of {
				_ = syscall.Kill(pid, sig)
			}
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // nobody tells when it has ended
	}
	return code
}

// descendants are the processes below one. A zombie is among them: it may be the first thread
// of a process whose others still have children.
func descendants(root int) (out []int) {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	below := map[int][]int{}
	for _, n := range names {
		pid, err := strconv.Atoi(n.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + n.Name() + "/stat")
		if err != nil {
			continue // it ended meanwhile
		}
		// pid (name) state ppid …, and the name may hold anything
		end := bytes.LastIndexByte(text, ')')
		fields := bytes.Fields(text[end+1:])
		if end < 0 || len(fields) < 2 {
			continue
		}
		if parent, err := strconv.Atoi(string(fields[1])); err == nil {
			below[parent] = append(below[parent], pid)
		}
	}
	for next := below[root]; len(next) > 0; {
		pid := next[0]
		out = append(out, pid)
		next = append(next[1:], below[pid]...)
	}
	return out
}

// resident is the memory that processes hold, in bytes; what they share counts for each.
func resident(pids []int) (sum int64) {
	for _, pid := range pids {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
		if err != nil {
			continue
		}
		if fields := bytes.Fields(text); len(fields) > 1 {
			pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
			if err == nil {
				sum += pages * int64(os.Getpagesize())
			}
		}
	}
	return sum
}
