package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// build says what this program was built from.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // "" when unknown
	Modified bool   `json:"modified"` // the source differed from the revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild reads what the Go command wrote into the program.
func thisBuild() build {
	b := build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	text := "chalie " + b.Version
	if b.Revision != "" {
		text += " " + b.Revision[:min(12, len(b.Revision))]
		if b.Modified {
			text += " (modified)"
		}
	}
	return fmt.Sprintf("%s, %s, %s", text, b.Go, b.Platform)
}

func versionCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show which version this is", Example: "  chalie version --json", Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			if c.json {
				return c.JSON(thisBuild())
			}
			return c.Println(thisBuild())
		},
	}
}
