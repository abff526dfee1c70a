package main

import (
	"maps"
	"sync"
)

// deaths are the services that ended by themselves, with the reason. The zero
// deaths is ready to use.
type deaths struct {
	mu sync.Mutex
	of map[string]error
}

func (d *deaths) add(service string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[string]error{}
	}
	d.of[service] = err
}

func (d *deaths) all() map[string]error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.of)
}
