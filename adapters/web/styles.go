package web

import (
	"embed"
	"strings"
)

//go:embed styles/*.css
var styleFiles embed.FS

// sheet is the name under which all styles are served, as one file.
const sheet = "chalie.css"

// styles are the pieces of the sheet. Their order counts: what comes later wins
// over what is as special.
var styles = []string{
	"base", "frame", "controls", "door", "conversation", "blocks", "lists", "traces",
	"pictures", "system", "now", "whatif", "log", "why", "spine", "interfaces",
}

func readSheet() ([]byte, error) {
	var all strings.Builder
	for _, name := range styles {
		text, err := styleFiles.ReadFile("styles/" + name + ".css")
		if err != nil {
			return nil, err
		}
		all.Write(text)
		all.WriteByte('\n')
	}
	return []byte(all.String()), nil
}
