package builtinmodel_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile("/tmp/tg/probe.txt")
	for _, l := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		if l == "" {
			continue
		}
		fmt.Printf("%-75s %s\n", l, becomes(t, l))
	}
}
