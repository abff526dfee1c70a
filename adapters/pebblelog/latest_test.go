package pebblelog

import (
	"testing"

	"chalie/domain"
)

func TestLatest(t *testing.T) {
	var l latest
	l.reset(10)
	l.add(&group{first: 11, entries: []*prepared{{topic: "a"}, {topic: "b"}, {topic: "a"}}})
	for _, c := range []struct {
		topic domain.Topic
		from  domain.Position
		want  bool
	}{
		{"a", 13, false}, {"a", 14, true}, {"b", 12, false}, {"b", 13, true},
		{"c", 11, true}, {"c", 10, false}, // 10 was written before: only the store knows
	} {
		if got := l.quiet(c.topic, c.from); got != c.want {
			t.Errorf("%s is quiet from %d: %v", c.topic, c.from, got)
		}
	}
	l.reset(13)
	if l.quiet("a", 13) || !l.quiet("a", 14) {
		t.Error("after another opening, what was written before is only in the store")
	}
}
