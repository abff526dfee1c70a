package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// sayTalks says the lines of a text one after the other, to a Chalie that is fixed anew behind
// every blank line, and prints what it answers and what it did. A line [3] presses the third button
// of the answer before.
func sayTalks(ctx context.Context, from io.Reader, out io.Writer) error {
	fixed, err := newHouse()
	if err != nil {
		return err
	}
	if err := fixed.furnish(ctx); err != nil {
		return err
	}
	h, err := fixed.branch(ctx)
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(from); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" {
			if h, err = fixed.branch(ctx); err != nil {
				return err
			}
			fmt.Fprintln(out)
			continue
		}
		var got answer
		var n int
		if _, none := fmt.Sscanf(line, "[%d]", &n); none == nil {
			got, err = h.press(ctx, n)
		} else {
			got, err = h.say(ctx, line)
		}
		if err != nil {
			got.text = "! " + err.Error()
		}
		fmt.Fprintf(out, "> %s\n  %s\n", line, strings.ReplaceAll(got.text, "\n", "\n  "))
		for _, call := range got.calls {
			fmt.Fprintf(out, "    = %s\n", call)
		}
		for i, b := range h.buttons {
			fmt.Fprintf(out, "    [%d] %s %s\n", i+1, b.label, b.call.Params)
		}
	}
	return nil
}
