package term

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"
)

// IsTyped reports whether somebody types what In reads.
func (c *Console) IsTyped() bool {
	file, ok := c.In.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// ReadSecret asks for a line that the terminal doesn't show. When ctx ends, the terminal
// shows again what is typed and the error is ctx's; the read itself ends with the process.
func (c *Console) ReadSecret(ctx context.Context, prompt string) (string, error) {
	file, ok := c.In.(*os.File)
	if !ok {
		return "", errors.New("standard input is no terminal: nothing can be typed there")
	}
	terminal := int(file.Fd())
	before, err := term.GetState(terminal)
	if err != nil {
		return "", fmt.Errorf("the terminal can't be read: %w", err)
	}
	if _, err := fmt.Fprint(c.Err, prompt); err != nil {
		return "", err
	}
	type typed struct {
		text []byte
		err  error
	}
	line := make(chan typed, 1)
	go func() {
		text, err := term.ReadPassword(terminal)
		line <- typed{text, err}
	}()
	select {
	case got := <-line:
		fmt.Fprintln(c.Err) // the Enter wasn't shown either
		if got.err != nil {
			return "", fmt.Errorf("the terminal can't be read: %w", got.err)
		}
		return string(got.text), nil
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(terminal, before))
	}
}
