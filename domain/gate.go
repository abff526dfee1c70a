package domain

import (
	"fmt"
	"slices"
	"strings"
)

// Decodes reports whether this build can read a stored schema: it writes it, or
// has an upcaster for each version from there on.
func (c *Catalogue) Decodes(tv TypeVersion) bool { return c.cannot(tv) == "" }

// cannot says why a stored schema can't be read; "" when it can.
func (c *Catalogue) cannot(tv TypeVersion) string {
	d, ok := c.current[tv.Type]
	switch {
	case !ok:
		return "a type it doesn't know"
	case tv.Version > d.Version:
		return fmt.Sprintf("it knows versions up to %d", d.Version)
	}
	for v := tv.Version; v < d.Version; v++ {
		if _, ok := c.lifts[TypeVersion{tv.Type, v}]; !ok {
			return fmt.Sprintf("it has no upcaster from version %d", v)
		}
	}
	return ""
}

// Gate is the decode gate: it refuses a log that holds records this build can't
// read, naming each schema, how many there are and what is wrong with it. The
// error is a Conflict with CodeUndecodable.
func (c *Catalogue) Gate(counts map[TypeVersion]uint64) error {
	var found []string
	for tv, n := range counts {
		if why := c.cannot(tv); n > 0 && why != "" {
			found = append(found, fmt.Sprintf("%s v%d (%s; %s)", tv.Type, tv.Version, recordsOf(n), why))
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.Sort(found)
	return &Error{Op: "open log", Category: Conflict, Code: CodeUndecodable, Message: "this build can't read all of the log: " +
		strings.Join(found, ", ") + ". Run the version that wrote them, or a newer one; nothing was changed"}
}

func recordsOf(n uint64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}
