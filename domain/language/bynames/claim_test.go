package bynames_test

import (
	"testing"

	"chalie/domain/language/bynames"
	"chalie/domain/relate"
)

// A sentence can't be so beside another where it gives the one value that something has anew, or says the opposite.
func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		text, before, instead string
		against               bool
	}{
		{"my plumber is Ivo", "My plumber is Sara.", "Ivo", true},
		{"Nora's desk is under the stairs", "Nora's desk is at the window", "under the stairs", true},
		{"Theo lives in Graz", "Theo lives in Linz", "Graz", true},
		{"my plumber isn't Sara", "my plumber is Sara", "", true},
		{"Theo can't stand olives", "Theo loves olives", "", true},
		{"I don't drink any tea", "I drink tea", "", true},
		{"my plumber is Sara Novak", "my plumber is Sara", "", false}, // it says more of the same
		{"my plumber is very friendly", "my plumber is Sara", "", false},
		{"my plumber is Ivo", "my gardener is Sara", "", false},
		{"Theo likes olives", "Theo likes plums", "", false},
		{"water the ferns", "call the plumber", "", false},
	} {
		if instead, against := bynames.Against(c.text, c.before, relate.Stem); instead != c.instead || against != c.against {
			t.Errorf("%s, after %s: %q, %t, want %q, %t", c.text, c.before, instead, against, c.instead, c.against)
		}
	}
}
