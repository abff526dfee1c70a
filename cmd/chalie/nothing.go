package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// nothing tells a person that no record matches, beside the output. A topic or
// type that stands in neither the catalogue nor the log is most likely misspelt;
// following, it is waited for all the same.
func (f logFlags) nothing(ctx context.Context, c *cli, api *apiclient.Client, command string) error {
	unknown, err := f.unknown(ctx, api)
	switch {
	case err != nil:
		return err
	case unknown == "" && f.follow:
		return nil // it waits, which says enough
	case f.narrowing() == "":
		c.Complain("the log is empty")
	case unknown == "":
		c.Complain("no record matches" + f.narrowing())
	case f.follow:
		c.Complain(unknown + "; waiting for one")
	default:
		return &usageError{unknown, command}
	}
	return nil
}

// unknown names the topic or type that nobody knows; "" when there is none.
func (f logFlags) unknown(ctx context.Context, api *apiclient.Client) (string, error) {
	for _, n := range []struct {
		noun, name string
		known      []string
		query      apiclient.LogQuery
	}{
		{"topic", f.topic, append(catalogued(topicName), string(domain.TopicAll)), apiclient.LogQuery{Topic: f.topic, Limit: 1}},
		{"type", f.event, catalogued(typeName), apiclient.LogQuery{Type: f.event, Limit: 1}},
	} {
		if n.name == "" || slices.Contains(n.known, n.name) {
			continue
		}
		page, err := api.Log(ctx, n.query)
		if err != nil {
			return "", err
		}
		if len(page.Records) == 0 {
			near := nearest(n.name, n.known, math.MaxInt)
			return fmt.Sprintf("there is no %s %s; the nearest are %s", n.noun, n.name, enumerated(near, "and")), nil
		}
	}
	return "", nil
}

// narrowing is the flags that were given, as they are written.
func (f logFlags) narrowing() string {
	var out strings.Builder
	for _, flag := range [][2]string{{"topic", f.topic}, {"type", f.event}, {"trace", f.trace}, {"since", f.since.given}} {
		if flag[1] != "" {
			fmt.Fprintf(&out, " --%s %s", flag[0], flag[1])
		}
	}
	return out.String()
}

func topicName(d domain.Definition) string { return string(d.Topic) }
func typeName(d domain.Definition) string  { return string(d.Type) }

// catalogued is the stored names of topics or event types.
func catalogued(name func(domain.Definition) string) []string {
	var names []string
	for _, d := range domain.Events().Definitions() {
		if n := name(d); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}
