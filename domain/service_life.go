package domain

// ServiceDied says that a service has stopped giving signs of life. The others go
// on; it isn't started again by itself.
type ServiceDied struct {
	Service string `json:"service"`
	Layer   Layer  `json:"layer"`
	Reason  string `json:"reason"`
	Missing string `json:"missing"` // what is missing while it is dead
}

// ServiceRecovered says that a service that counted as dead gives signs of life again.
type ServiceRecovered struct {
	Service string `json:"service"`
	Layer   Layer  `json:"layer"`
}

// ServiceKey marks what is recorded of the life of a service.
func ServiceKey(name string) Key { return "service/" + Key(name) }
