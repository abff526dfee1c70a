package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// machine is where the figures were taken.
type machine struct {
	cpu      string
	cores    int
	memory   uint64 // bytes
	kernel   string
	compiler string
	syncs    float64 // 4 KiB appends with fdatasync, a second
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, %.0f GiB; %s; %s; the disk does %s synced 4 KiB appends a second",
		m.cpu, m.cores, float64(m.memory)/(1<<30), m.kernel, m.compiler, figureText(m.syncs))
}

// thisMachine looks at the machine and times the disk under dir for a while.
func thisMachine(dir string, while time.Duration) (machine, error) {
	m := machine{
		cpu: cpuModel(), cores: runtime.NumCPU(),
		kernel: runtime.GOOS, compiler: runtime.Version() + " " + runtime.GOARCH,
	}
	var name unix.Utsname
	if err := unix.Uname(&name); err == nil {
		m.kernel = unix.ByteSliceToString(name.Sysname[:]) + " " + unix.ByteSliceToString(name.Release[:])
	}
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err == nil {
		m.memory = info.Totalram * uint64(info.Unit)
	}
	var err error
	m.syncs, err = timeSyncs(filepath.Join(dir, "syncs"), while)
	return m, err
}

// timeSyncs is how many synced appends a second one writer gets.
func timeSyncs(path string, while time.Duration) (float64, error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	// Only the time counts; what was written goes.
	defer func() { _, _ = file.Close(), os.Remove(path) }()
	block := make([]byte, 4096)
	begun := time.Now()
	for n := 1; ; n++ {
		if _, err := file.Write(block); err != nil {
			return 0, err
		}
		if err := unix.Fdatasync(int(file.Fd())); err != nil {
			return 0, err
		}
		if took := time.Since(begun); took >= while {
			return float64(n) / took.Seconds(), nil
		}
	}
}

func cpuModel() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "an unknown processor"
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "an unknown processor"
}
