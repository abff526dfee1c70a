package cgroup

import (
	"runtime"
	"testing"
	"testing/fstest"
)

func TestMemory(t *testing.T) {
	const total = "MemTotal:       16000000 kB\nMemFree:  100 kB\n"
	const all = 16000000 << 10
	for name, c := range map[string]struct {
		files  map[string]string
		bytes  int64
		source string
	}{
		"nothing is known":     {nil, 0, "nobody"},
		"no groups":            {map[string]string{"proc/meminfo": total}, all, "this machine"},
		"version 2, no limit":  {map[string]string{"proc/meminfo": total, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, all, "this machine"},
		"version 2":            {map[string]string{"proc/meminfo": total, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "268435456\n"}, 256 << 20, "its control group"},
		"version 2, above it":  {map[string]string{"proc/meminfo": total, "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "1000000\n"}, 1000000, "its control group"},
		"version 2, contained": {map[string]string{"proc/meminfo": total, "proc/self/cgroup": "0::/not/seen\n", "sys/fs/cgroup/memory.max": "1000000\n"}, 1000000, "its control group"},
		"version 1": {map[string]string{"proc/meminfo": total, "proc/self/cgroup": "5:cpu:/\n4:memory:/x\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "268435456\n"}, 256 << 20, "its control group"},
		"version 1, no limit": {map[string]string{"proc/meminfo": total, "proc/self/cgroup": "4:hugetlb,memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, all, "this machine"},
		"unreadable": {map[string]string{"proc/meminfo": "MemTotal: many kB\n", "proc/self/cgroup": "x\n"}, 0, "nobody"},
	} {
		root := fstest.MapFS{}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if bytes, source := memory(root); bytes != c.bytes || source != c.source {
			t.Errorf("%s: %d by %s, want %d by %s", name, bytes, source, c.bytes, c.source)
		}
	}
}

func TestThisMachine(t *testing.T) {
	bytes, source := Memory()
	if runtime.GOOS == "linux" && bytes <= 0 {
		t.Errorf("this machine has %d bytes, as %s says", bytes, source)
	}
}
