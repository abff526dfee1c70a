//go:build unix && !linux

package mcpclient

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// place makes a child the head of a process group.
func place(cmd *exec.Cmd, _ Group) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends what is left of a process group.
func endGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// guard ends the server's group when it is told to. Nothing is counted here.
func watch(program string, command []string, _ int64, _ int) int {
	syscall.CloseOnExec(life)
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	ends := lifeEnds()
	server, err := os.StartProcess(program, command, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return noStart(err.Error())
	}
	_ = os.Stdin.Close()
	_ = os.Stdout.Close()
	exited := make(chan int, 1)
	go func() {
		state, err := server.Wait()
		if err != nil {
			exited <- exitLife
			return
		}
		exited <- max(0, state.ExitCode())
	}()
	select {
	case <-ends:
		_ = syscall.Kill(0, syscall.SIGKILL) // the guard's own group, the guard with it
		return exitLife
	case code := <-exited:
		return code
	}
}
