package main

import (
	"github.com/spf13/cobra"

	"chalie/replay/draw"
)

// drawing are the flags that ask for a picture.
type drawing struct{ svg, dot, mermaid bool }

func (d *drawing) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&d.svg, "svg", false, "draw it, as an SVG picture")
	cmd.Flags().BoolVar(&d.dot, "dot", false, "write it as a graph for Graphviz")
	cmd.Flags().BoolVar(&d.mermaid, "mermaid", false, "write it as a Mermaid flowchart")
}

// format is the one asked for; "" for words.
func (d *drawing) format(cmd *cobra.Command, c *cli) (string, error) {
	format := ""
	for _, asked := range []struct {
		is   bool
		name string
	}{{c.json, "json"}, {d.svg, string(draw.SVG)}, {d.dot, string(draw.DOT)}, {d.mermaid, string(draw.Mermaid)}} {
		switch {
		case !asked.is:
		case format != "":
			return "", &usageError{"--" + format + " and --" + asked.name + " can't both be had: give one of them", cmd.CommandPath()}
		default:
			format = asked.name
		}
	}
	if format == "json" {
		return "", nil
	}
	return format, nil
}
