package bynames_test

import (
	"slices"
	"strings"
	"testing"

	"chalie/domain/language/bynames"
)

func TestLists(t *testing.T) {
	names := []string{"shopping", "Christmas gifts", "gift ideas", "packing", "garden", "market"}
	for said, want := range map[string][]string{
		"my Shopping list":  {"shopping"},
		"christmas present": {"Christmas gifts"},
		"gifts":             {"Christmas gifts", "gift ideas"},
		"the pakcing list":  {"packing"},
		"gardn":             {"garden"},
		"supermarket":       {"shopping", "market"},
		"market":            {"market"},
		"library":           nil,
		"the garden centre": nil,
	} {
		found := bynames.Lists(names, strings.Clone, bynames.ListName(said))
		if !slices.Equal(found, want) {
			t.Errorf("%q means %q, want %q", said, found, want)
		}
	}
}
