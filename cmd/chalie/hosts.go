package main

import (
	"net"
	"os"
	"strings"
)

// ownNames are the names of this machine and the addresses of its network interfaces.
// Further names are learnt from requests.
func ownNames() []string {
	var out []string
	if name, err := os.Hostname(); err == nil && name != "" {
		first, _, _ := strings.Cut(name, ".")
		out = append(out, name, first, first+".local")
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return out
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok {
			out = append(out, network.IP.String())
		}
	}
	return out
}
