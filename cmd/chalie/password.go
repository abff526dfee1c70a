package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"chalie/domain"
)

const passwordHelp = `Password sets the password that you log in with. The present one isn't asked for: who
may run this command here can read everything anyway. Every browser and app is logged
out, and has to log in with the new one. Tokens of programs stay as they are.

It is typed twice and not shown, or is the first line of standard input.`

const passwordExample = `  chalie password
  pass show chalie | chalie password`

func passwordCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "password", Short: "Set another password, also when you forgot it", Long: passwordHelp, Example: passwordExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := connectToRunning(cmd.Context(), c, "setting a password")
			if err != nil {
				return err
			}
			defer api.Close()
			password, err := c.newPassword(cmd.Context())
			if err != nil {
				return err
			}
			ended, err := api.SetPassword(cmd.Context(), password)
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(map[string]int{"ended": ended})
			}
			_, err = fmt.Fprintf(c.Out, "The password is set. Logged out: %d.\n", ended)
			return err
		},
	}
}

// newPassword has a password typed where somebody can type, and reads a line
// elsewhere.
func (c *cli) newPassword(ctx context.Context) (string, error) {
	if file, ok := c.In.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return c.typedPassword(ctx, int(file.Fd()))
	}
	line, err := bufio.NewReader(io.LimitReader(c.In, domain.MaxPasswordBytes+2)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("standard input can't be read: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func (c *cli) typedPassword(ctx context.Context, terminal int) (string, error) {
	ctx, stop := whileWaiting(ctx)
	defer stop()
	first, err := c.unseen(ctx, terminal, "New password: ")
	if err != nil {
		return "", err
	}
	if err := domain.CheckPassword(first); err != nil {
		return "", err
	}
	second, err := c.unseen(ctx, terminal, "Once more: ")
	if err == nil && first != second {
		err = errors.New("the two are not the same: nothing was changed, try again")
	}
	return first, err
}

// unseen reads a line that the terminal doesn't show. An interrupt has it show again
// what is typed; the read itself ends with the process.
func (c *cli) unseen(ctx context.Context, terminal int, prompt string) (string, error) {
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
		return "", stoppedWaiting{errors.Join(errors.New("the password stays as it was"), term.Restore(terminal, before))}
	}
}
