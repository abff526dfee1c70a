// Package cgroup tells how much memory this process may take: what its control group
// allows, of either version of Linux's control groups, and otherwise what the machine
// has. Elsewhere nothing is known.
package cgroup

import (
	"bufio"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// Memory is how many bytes this process may take, 0 when nobody knows, and who says so,
// for people.
func Memory() (bytes int64, source string) { return memory(os.DirFS("/")) }

// The folders that control groups are mounted at.
const (
	mount   = "sys/fs/cgroup"
	mountV1 = mount + "/memory"
)

func memory(root fs.FS) (bytes int64, source string) {
	bytes, source = machine(root), "this machine"
	if bytes == 0 {
		return 0, "nobody"
	}
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return bytes, source
	}
	for line := range strings.Lines(string(groups)) {
		// hierarchy:controllers:path
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		var at, file string
		switch {
		case parts[1] == "":
			at, file = mount, "memory.max"
		case strings.Contains(","+parts[1]+",", ",memory,"):
			at, file = mountV1, "memory.limit_in_bytes"
		default:
			continue
		}
		if limit := lowest(root, at, parts[2], file); limit > 0 && limit < bytes {
			bytes, source = limit, "its control group"
		}
	}
	return bytes, source
}

// lowest is the lowest limit of a group and of those it is in. A container may see its
// own group as the mount itself, and the path as the host does: what isn't there says
// nothing.
func lowest(root fs.FS, at, group, file string) (limit int64) {
	for group = path.Clean("/" + group); ; group = path.Dir(group) {
		text, err := fs.ReadFile(root, path.Join(at, group, file))
		if err == nil {
			// "max" is no number, and no limit.
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			if err == nil && n > 0 && (limit == 0 || n < limit) {
				limit = n
			}
		}
		if group == "/" {
			return limit
		}
	}
}

// machine is all of its memory, as Linux tells it.
func machine(root fs.FS) int64 {
	file, err := root.Open("proc/meminfo")
	if err != nil {
		return 0
	}
	defer func() { _ = file.Close() }() // it was only read
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 3 && fields[0] == "MemTotal:" && fields[2] == "kB" {
			kib, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
