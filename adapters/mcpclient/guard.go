package mcpclient

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// How a guard ends when it is not the server that ended.
const (
	exitNoStart   = 197
	exitMemory    = 198
	exitProcesses = 199
	exitLife      = 200
)

// watchEvery is how often a guard counts.
const watchEvery = 250 * time.Millisecond

// life is the file whose end tells a guard to end.
const life = 3

// Guard runs a server's command and all that comes of it, and is what a child of Chalie is.
// Its arguments are the bytes of memory and the number of processes that the server may
// take, and the command. It passes on its standard input, output and error, counts four
// times a second, and ends everything when a bound is passed, the command ends, or file 3
// ends, which Chalie holds open: so nothing is left when Chalie is killed. On Linux what
// the server left its own group or parent is found as well.
//
// It returns the status to exit with.
func Guard(args []string) int {
	if len(args) < 3 {
		return noStart("a guard is given bytes of memory, a number of processes and a command")
	}
	memory, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return noStart(err.Error())
	}
	processes, err := strconv.Atoi(args[1])
	if err != nil {
		return noStart(err.Error())
	}
	command := args[2:]
	program, err := exec.LookPath(command[0])
	if err != nil {
		return noStart(fmt.Sprintf("there is no program %s in %s", command[0], os.Getenv("PATH")))
	}
	return watch(program, command, memory, processes)
}

func noStart(why string) int {
	fmt.Fprintln(os.Stderr, strings.TrimSpace(why))
	return exitNoStart
}

// lifeEnds is closed when file 3 ends.
func lifeEnds() <-chan struct{} {
	ends := make(chan struct{})
	go func() {
		defer close(ends)
		file := os.NewFile(life, "life")
		if file == nil {
			return
		}
		_, _ = file.Read(make([]byte, 1)) // nothing is ever written
	}()
	return ends
}
