package interfaces

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"time"

	"chalie/domain"
)

// What a zero field of Config means.
const (
	DefaultTimeout             = 5 * time.Second
	DefaultExecuteTimeout      = 15 * time.Second
	DefaultMaxHeaderBytes      = 64 << 10
	DefaultMaxDescriptionBytes = 192 << 10
	DefaultMaxResultBytes      = 448 << 10
	DefaultMaxAnswerBytes      = 1 << 20
	DefaultMaxAnswerParts      = 20_000
)

// Config is how far an interface is trusted with time and memory. The zero Config
// is ready to use.
type Config struct {
	Timeout        time.Duration // of a call as a whole, and of making any connection
	ExecuteTimeout time.Duration // of a tool's call as a whole

	MaxHeaderBytes int64
	// MaxDescriptionBytes bounds each answer of /health, /capabilities and /meta.
	// What an interface says of itself becomes one event, which has a bound.
	MaxDescriptionBytes int64
	// MaxResultBytes bounds a tool's answer, which becomes one event, too.
	MaxResultBytes int64
	// MaxAnswerBytes bounds what is only handed on.
	MaxAnswerBytes int64
	// MaxAnswerParts bounds the parts of JSON that is decoded on its way, as domain.Parts
	// counts them: {},{},{} in a mebibyte takes fifty.
	MaxAnswerParts int

	// Deny are networks that are refused beside those commands.CheckDialled
	// refuses; Allow are networks that are called whatever it says, such as the
	// link-local one that a house's devices live in. Deny goes before Allow.
	Allow, Deny []netip.Prefix

	// Resolver looks names up; nil is the machine's.
	Resolver *net.Resolver
}

// Validate returns a validation error about a field that makes no sense.
func (c Config) Validate() error {
	const op = "configure calls to interfaces"
	if c.Timeout < 0 || c.ExecuteTimeout < 0 {
		return domain.Invalid(op, "", "a timeout is negative: give a duration, or 0 for the usual one")
	}
	if c.MaxHeaderBytes < 0 || c.MaxDescriptionBytes < 0 || c.MaxResultBytes < 0 || c.MaxAnswerBytes < 0 || c.MaxAnswerParts < 0 {
		return domain.Invalid(op, "", "a size bound is negative: give a number of bytes, or 0 for the usual one")
	}
	for _, p := range slices.Concat(c.Allow, c.Deny) {
		if !p.IsValid() || p.Addr().Is4In6() {
			return domain.Invalid(op, "", "an allowed or denied network is no network: write it like 169.254.0.0/16")
		}
	}
	return nil
}

func (c Config) withDefaults() Config {
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.ExecuteTimeout = cmp.Or(c.ExecuteTimeout, DefaultExecuteTimeout)
	c.MaxHeaderBytes = cmp.Or(c.MaxHeaderBytes, DefaultMaxHeaderBytes)
	c.MaxDescriptionBytes = cmp.Or(c.MaxDescriptionBytes, DefaultMaxDescriptionBytes)
	c.MaxResultBytes = cmp.Or(c.MaxResultBytes, DefaultMaxResultBytes)
	c.MaxAnswerBytes = cmp.Or(c.MaxAnswerBytes, DefaultMaxAnswerBytes)
	c.MaxAnswerParts = cmp.Or(c.MaxAnswerParts, DefaultMaxAnswerParts)
	return c
}
