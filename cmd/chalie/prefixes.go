package main

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/spf13/pflag"
)

// prefixes is a flag of networks that may be given several times.
type prefixes []netip.Prefix

var _ pflag.Value = (*prefixes)(nil)

func (p *prefixes) String() string {
	texts := make([]string, len(*p))
	for i, prefix := range *p {
		texts[i] = prefix.String()
	}
	return strings.Join(texts, ",")
}

// Set takes one network, or one address.
func (p *prefixes) Set(text string) error {
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		addr, addrErr := netip.ParseAddr(text)
		if addrErr != nil {
			return fmt.Errorf("%q is no network", text)
		}
		prefix = netip.PrefixFrom(addr, addr.BitLen())
	}
	*p = append(*p, prefix.Masked())
	return nil
}

// Type is what the flag takes, for its help and its errors.
func (p *prefixes) Type() string { return "network" }
