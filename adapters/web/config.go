package web

import (
	"log/slog"
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

// Config is what the pages need. API is required.
type Config struct {
	API     http.Handler    // answers as the network's peers are answered
	Hosts   *commands.Hosts // says where a card may lead; nil: loopback alone is this machine
	Version string          // of the program
	Logger  *slog.Logger    // takes what only the operator of the program can mend; nil: nothing is logged
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	if c.API == nil {
		return domain.Invalid("configure pages", "API", "API is required")
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}
