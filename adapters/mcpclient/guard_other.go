//go:build !unix

package mcpclient

import "os/exec"

func place(*exec.Cmd, Group) {}

func endGroup(int) {}

func watch(string, []string, int64, int) int {
	return noStart("commands of MCP servers are started on Unix only; add the server by its URL")
}
