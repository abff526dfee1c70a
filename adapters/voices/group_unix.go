//go:build unix

package voices

import (
	"os/exec"
	"syscall"
)

// inGroup makes a child the head of a process group, all of which ends with its context.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killGroup ends what is left of a group, which is usually nothing.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
