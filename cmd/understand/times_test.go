package main

import (
	"bytes"
	"strings"
	"testing"
)

const head = "kind\tfrom\tto\tgrain\tholiday\tphrase\n"

// What is right, asked about and wrong is told apart; what has passed doesn't count.
func TestMeasureTimes(t *testing.T) {
	for _, c := range []struct{ line, how string }{
		{"point\t2013-02-13T00:00:00\t\tday\t\ttomorrow", ""},
		{"point\t2013-02-13T09:00:00\t\thour\t\ttomorrow at 9", ""},
		{"point\t2013-02-13T10:00:00\t\thour\t\ttomorrow at 9", "wrong"},
		{"point\t2013-02-14T00:00:00\t\tday\t\ttomorrow", "wrong"},
		{"point\t2013-02-18T00:00:00\t\tweek\t\tnext week", ""},
		{"interval\t2013-02-12T18:00:00\t2013-02-13T00:00:00\thour\t\tthis evening", ""},
		{"point\t2013-03-27T00:00:00\t\tday\tHoli\tholi", "asked"},
		{"point\t2013-02-11T00:00:00\t\tday\t\tyesterday", ""},
		{"none\t\t\t\t\trat 6", ""},
		{"none\t\t\t\t\ttomorrow", "wrong"},
	} {
		all, err := readPhrases(strings.NewReader(head + c.line + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = measureTimes(all, &out)
		if first, _, _ := strings.Cut(out.String(), " "); c.how != "" && first != c.how || c.how == "" && strings.Contains(out.String(), "line ") {
			t.Errorf("%q: %s", c.line, out.String())
		}
		if (err != nil) != (c.how == "wrong") {
			t.Errorf("%q ends with %v", c.line, err)
		}
	}
}

func TestBadPhrases(t *testing.T) {
	for _, line := range []string{"point\ttomorrow", "point\tsoon\t\tday\t\ttomorrow"} {
		if _, err := readPhrases(strings.NewReader(head + line + "\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", line, err)
		}
	}
	if err := run(t.Context(), "", "", false, false, &bytes.Buffer{}); err == nil {
		t.Error("it measures nothing without a word")
	}
}
