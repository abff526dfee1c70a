package bynames_test

import (
	"slices"
	"testing"

	"chalie/domain/language/bynames"
)

func TestRecall(t *testing.T) {
	all := []string{
		"my dentist is Dr Okafor", "the vet is near the dentist", "Marco has a peanut allergy", "Marco likes jazz", "Lucy's mobile number is 555 0101",
	}
	subjects := map[string]string{all[0]: "dentist", all[1]: "vet"}
	reads := func(m string) (text, subject string) { return m, subjects[m] }
	same := func(w string) string { return w }
	for about, want := range map[string][]string{
		"dentist":                   {all[0], all[1]},
		"what is my vet called":     {all[1]},
		"what is Marco allergic":    {all[2]},
		"Lucy's phone":              {all[4]},
		"is Lucy afraid":            nil,
		"jazz bands of Marco":       {all[3]},
		"the passport":              nil,
		"":                          {all[4], all[3]},
		"what do you know about me": {all[4], all[3]},
	} {
		if found := bynames.Recall(about, 2, all, same, reads); !slices.Equal(found, want) {
			t.Errorf("%q recalls %q, want %q", about, found, want)
		}
	}
}
