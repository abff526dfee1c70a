package demo

import (
	"errors"
	"fmt"
	"net"
	"time"
)

// Config is what an interface runs with. The zero Config is fit for use.
type Config struct {
	Name string           // what it is called; default: a name of its own
	Addr string           // host:port to listen on; default 127.0.0.1:0, any free port
	Seed uint64           // of everything that is left to chance
	Now  func() time.Time // default: the machine's clock
}

const freePort = "127.0.0.1:0"

// Validate says what is wrong with the address.
func (c Config) Validate() error {
	if c.Addr == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("the address %q is not a host and a port, such as 127.0.0.1:9000: %w", c.Addr, err)
	}
	if host == "" {
		return errors.New("the address has no host: give 127.0.0.1 for this machine alone")
	}
	return nil
}

func (c Config) withDefaults(name string) Config {
	if c.Name == "" {
		c.Name = name
	}
	if c.Addr == "" {
		c.Addr = freePort
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}
